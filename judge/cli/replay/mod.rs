//! `judge replay`: a kept round, move by move; as text, as a picture, or as a page.

mod page;

use std::io::{self, Write};
use std::path::PathBuf;

use judge_core::{Call, MatchRecord, Seat, printable};
use judge_games::{Match, View};
use judge_referee::Observer;

use crate::failure::{Exit, Failure};
use crate::{output, play};
pub(crate) use page::of_record;

/// Show a replay move by move.
///
/// The rules are gone through again: the pictures, and the result at the end, are the rules' own.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A file written by `judge play --replay`.
    file: PathBuf,
    /// Show only this answered question, counted from 1.
    #[arg(long, value_name = "N")]
    r#move: Option<usize>,
    /// Show the lines between judge and players, too.
    #[arg(long)]
    trace: bool,
    /// Write a picture to a file (`-` for standard output), instead of text: of the state before
    /// the answer that `--move` names, or of the end.
    #[arg(long, value_name = "FILE", conflicts_with = "trace")]
    svg: Option<PathBuf>,
    /// Write the whole round as one page for a browser (`-` for standard output), instead of text:
    /// pictures that move, every line and its cost.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["move", "trace", "svg"])]
    html: Option<PathBuf>,
}

/// A replay whose seal fits and that is no round all the same.
const NO_ROUND: &str =
    "not a round as the judge writes it: the rules give other lines or another end";

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    if let Some(out) = &arguments.html {
        return page::write(&arguments.file, out);
    }
    let text = Failure::read_text(&arguments.file)?;
    let record =
        MatchRecord::from_replay(&text).map_err(|error| Failure::input(&arguments.file, &error))?;
    let transcript = judge_referee::transcript_of(&record);
    let mut show = Show { arguments, moves: 0, picture: None, written: Ok(()) };
    let spec = &record.header.spec;
    judge_referee::walk(spec, &transcript, &mut show)
        .map_err(|error| Failure::input(&arguments.file, &error))?;
    let Show { moves, written, picture, .. } = show;
    output::unless_reader_left(written)?;
    if let Some(number) = arguments.r#move.filter(|number| !(1..=moves).contains(number)) {
        let what = format!("there is no move {number}: the replay has {moves}");
        return Err(Failure::Usage { what, hint: None });
    }
    let again = judge_referee::record(spec, record.header.fingerprint.clone(), &transcript)?;
    if again != record {
        return Err(Failure::input(&arguments.file, &NO_ROUND));
    }
    if let (Some(path), Some(picture)) = (&arguments.svg, picture) {
        output::write(path, &picture)?;
        return Ok(Exit::Passed);
    }
    let mut out = io::stdout().lock();
    for line in play::summary(&record) {
        writeln!(out, "{line}")?;
    }
    Ok(Exit::Passed)
}

/// Prints the state before each answer, and the answer.
struct Show<'a> {
    arguments: &'a Arguments,
    moves: usize,
    /// The picture that was asked for.
    picture: Option<String>,
    written: io::Result<()>,
}

impl Show<'_> {
    fn print(&mut self, text: &str) {
        if self.written.is_ok() && self.arguments.svg.is_none() {
            let lines = text.split('\n').map(|line| printable(line, usize::MAX));
            let text: Vec<String> = lines.collect();
            self.written = writeln!(io::stdout().lock(), "{}", text.join("\n"));
        }
    }

    fn wanted(&self) -> bool {
        self.arguments.r#move.is_none_or(|number| number == self.moves)
    }

    /// Keeps the picture; of several that are wanted, the last one stays.
    fn draw(&mut self, state: &dyn Match) {
        if self.arguments.svg.is_some() {
            self.picture = Some(state.svg(View::Everything));
        }
    }
}

impl Observer for Show<'_> {
    fn called(
        &mut self,
        seat: Seat,
        line: &str,
        answer: Option<&str>,
        fuel: Option<u64>,
        state: &dyn Match,
    ) {
        if self.arguments.trace && self.arguments.r#move.is_none() {
            let call =
                Call { seat, line: line.to_owned(), answer: answer.map(str::to_owned), fuel };
            self.print(&play::traced(&call));
        }
        let Some(answer) = answer else {
            if self.arguments.r#move.is_none() && line.starts_with("end ") {
                self.draw(state);
            }
            return;
        };
        self.moves += 1;
        if self.wanted() {
            self.draw(state);
            self.print(&state.frame(View::Everything));
            self.print(&format!("move {}: seat {seat}: {line} -> {answer}\n", self.moves));
        }
    }

    fn failed(&mut self, seat: Seat, line: &str, state: &dyn Match) {
        if self.arguments.r#move.is_none() {
            self.draw(state);
            self.print(&state.frame(View::Everything));
            self.print(&format!("seat {seat} gave no legal answer to: {line}"));
        }
    }
}
