//! `judge grade --watch`: grades a course as its submissions arrive.

use std::io;
use std::path::PathBuf;

use judge_core::{Event, Listener};
use judge_runner::Error;
use judge_runner::base::workers::Workers;
use judge_runner::course::watch_course::{self, Watcher};
use judge_runner::course::{Outcome, Overall, Request};

use crate::exit::Exit;
use crate::show::{Terminal, output, tell};

/// Grades until Ctrl-C.
pub(super) fn run(request: &Request, workers: &Workers) -> Result<Exit, Error> {
    let scoreboard = request.out.join("scoreboard.html");
    let mut screen = GradeScreen { terminal: Terminal::default(), scoreboard, shown: false };
    tell("watching the submissions; Ctrl-C stops, `--resume` continues later");
    watch_course::run(request, workers, &mut screen)?;
    Ok(Exit::Passed)
}

/// Shows results on standard output, and everything else on standard error.
struct GradeScreen {
    terminal: Terminal,
    scoreboard: PathBuf,
    /// True after the first full result.
    shown: bool,
}

impl Listener for GradeScreen {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        match event {
            // No table replaces the bar, so it stays.
            Event::SubmissionDecided { .. } => Ok(()),
            _ => self.terminal.event(event),
        }
    }
}

impl Watcher for GradeScreen {
    fn graded(&mut self, outcome: &Outcome, news: &[String]) -> io::Result<()> {
        if let Some(text) = outcome.judge_errors_text() {
            tell(&format!("warning: {text}"));
        }
        if self.shown {
            let lines: String = news.iter().map(|line| format!("{line}\n")).collect();
            return output::print(&lines);
        }
        self.shown = true;
        let scoreboard = match &outcome.overall {
            // The summary names the scoreboard over all suites.
            Overall::Marks(_) => String::new(),
            Overall::OneAssignment | Overall::Part { .. } => {
                format!("scoreboard: {}\n", self.scoreboard.display())
            }
        };
        output::print(&format!("{}{scoreboard}", outcome.to_text()))
    }
}
