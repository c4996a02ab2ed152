//! The page on where two rounds part, and the pages of both rounds next to it.

use std::path::Path;

use judge_core::{Replay, Seat};
use judge_games::{GameState, View};
use judge_referee::Observer;
use judge_report::page::{DifferencePage, DifferenceSide};

use super::FirstDifference;
use crate::Error;
use crate::base::files;
use crate::rounds::round_pages::RoundPages;

/// Writes the page, and the rounds into a folder next to it.
pub(super) fn write(
    path: &Path,
    rounds: [(&Path, &Replay); 2],
    first_difference: &FirstDifference,
) -> Result<(), Error> {
    let [spec, other] = rounds.map(|(_, replay)| &replay.record.header.spec);
    if spec.game != other.game {
        let (one, other) = (&spec.game, &other.game);
        let what = format!("a page cannot compare a round of `{one}` with one of `{other}`");
        return Err(Error::usage(what, "leave `--html` out"));
    }
    let pages = RoundPages::next_to(path);
    pages.make()?;
    let mut before = Vec::new();
    let mut side = |at: usize| {
        let (file, replay) = rounds[at];
        let positions = Positions::around(first_difference.index, file, replay)?;
        let page = pages.keep(at as u64 + 1, &replay.record)?;
        before.push(positions.before);
        Ok::<_, Error>(DifferenceSide {
            file: file.display().to_string(),
            changed: super::changed(replay),
            line: super::shown(first_difference.sides[at].as_ref()),
            result: judge_referee::ending(&replay.record).join("; "),
            picture: positions.after,
            page: format!("{page}#line-{}", Replay::line_of_call(first_difference.index)),
        })
    };
    let sides = [side(0)?, side(1)?];
    let page = DifferencePage {
        title: judge_referee::find(&spec.game)?.title().to_owned(),
        seed: spec.seed.0,
        remark: first_difference.remark(),
        // Other seeds or rule switches may begin with other positions.
        before: before.pop().filter(|position| before.contains(position)),
        sides,
    };
    files::write(path, &page.to_html())
}

/// The positions before and after a call.
struct Positions {
    /// Index of the call.
    index: usize,
    calls: usize,
    before: String,
    after: String,
}

impl Positions {
    fn around(index: usize, file: &Path, replay: &Replay) -> Result<Positions, Error> {
        let transcript = judge_referee::transcript_of(&replay.record);
        let mut positions =
            Positions { index, calls: 0, before: String::new(), after: String::new() };
        judge_referee::walk(&replay.record.header.spec, &transcript, &mut positions)
            .map_err(|error| Error::input(file, &error))?;
        Ok(positions)
    }

    /// Draws the state at the next call. After the end it is the last one.
    fn draw(&mut self, state: &dyn GameState) {
        if self.calls <= self.index {
            self.before = state.svg(View::Everything);
        }
        if self.calls <= self.index + 1 {
            self.after = state.svg(View::Everything);
        }
        self.calls += 1;
    }
}

impl Observer for Positions {
    fn called(&mut self, _: Seat, _: &str, _: Option<&str>, _: Option<u64>, state: &dyn GameState) {
        self.draw(state);
    }

    fn failed(&mut self, _: Seat, _: &str, state: &dyn GameState) {
        self.draw(state);
    }
}
