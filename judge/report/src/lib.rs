//! Reporters: one file per format, all with the same events as input.

mod advice;
mod classroom50;
mod compare;
mod course;
mod course_tool;
mod format;
mod github;
mod gradebook;
mod gradescope;
mod joj3;
mod junit;
mod markdown;
mod marks;
mod names;
pub mod page;
mod prairielearn;
mod profile;
pub mod recording;
mod rounds;
mod rounds_table;
mod scoreboard;
mod script_advice;
mod shell;
mod since;
mod terminal;
#[cfg(test)]
mod test_data;
mod testcases;
#[cfg(test)]
mod tests;
mod text;
mod text_table;
mod tournament;
mod units;
mod words;

pub use advice::{FailedCall, TimePattern, advice, search};
pub use classroom50::{
    SubmissionError as Classroom50SubmissionError, SubmissionFacts as Classroom50Submission,
};
pub use compare::{Comparison, compare};
pub use course::{
    CourseMark, CourseScoreboard, CourseStudent, SuiteScoreboard, write_course_marks,
};
pub use course_tool::{CourseTool, Visibility};
pub use format::{Format, NotOneBot, UnknownFormat, write_tables};
pub use github::step_summary;
pub use gradebook::{GradebookLine, write_canvas, write_moodle};
pub use markdown::{cell as markdown_cell, code as markdown_code};
pub use marks::{LateMark, Mark, NO_SUBMISSION, NOT_A_MODULE, write_marks};
pub use names::{composed, folded, same_name};
pub use profile::{FuelProfile, FunctionFuel, PathFuel};
pub use rounds::{RoundFilter, RoundFormat, RoundWriter, Worst};
pub use scoreboard::{Cell, Column, Scoreboard, ScoreboardRow, sign};
pub use shell::{option, quoted, see_again};
pub use since::{SinceLooks, since};
pub use terminal::TerminalReporter;
pub use text::{BYTE_ORDER_MARK, cell, json_text, tame, without_minus_zero, write_json};
pub use tournament::{OpeningRow, Ranked, Tournament, WorstRounds, ranks, rating_text};
pub use units::{fuel_as_ms, kib, per_cent, share};
pub use words::{again, detail, trace, traces, unstarted};
