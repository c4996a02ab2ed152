//! Pages of the rounds in which the new version lost the most, each next to the old version's.

use std::path::Path;

use judge_arena::{Job, PairRound, RowPlace, Run};
use judge_core::{RoundRow, Seat};
use judge_report::page::RoundsPage;

use super::play::Comparison;
use super::{LostRound, Outcome};
use crate::Error;
use crate::base::files;
use crate::rounds::round_pages::{self, RoundPages};

/// Creates the folder, so that an unusable path is refused before any round is played.
pub(super) fn prepare(folder: &Path) -> Result<(), Error> {
    let pages = RoundPages::in_folder(folder);
    pages.make()?;
    files::can_write(&pages.index)
}

/// Writes the pages of the rounds, and `index.html`, which lists them.
pub(super) fn write(
    comparison: &Comparison<'_>,
    outcome: &mut Outcome,
    folder: &Path,
    run: &Run,
) -> Result<(), Error> {
    let pages = RoundPages::in_folder(folder);
    let jobs: Vec<(u64, Job)> =
        (1..).zip(outcome.worst.iter().flat_map(|lost| jobs(comparison, lost))).collect();
    let mut rows = Vec::new();
    let modules = comparison.modules();
    let mut written = pages.keep_all(run, &modules, &jobs, &mut |number, outline| {
        let job = &jobs[number as usize - 1].1;
        let seat = Seat::BOTH.into_iter().find(|seat| job.modules[*seat].is_some());
        let seat = seat.unwrap_or(Seat::One);
        let place = RowPlace {
            round: number,
            meeting: 1,
            pair: None,
            opening: String::new(),
            counts: true,
        };
        rows.push((judge_arena::row(place, &job.spec, &PairRound::new(seat, outline)), seat));
    })?;
    written.sort();
    rows.sort_by_key(|(row, _)| row.round);
    for (lost, at) in outcome.worst.iter_mut().zip(0..) {
        let page = |version: u64| {
            written.iter().find(|(number, _)| *number == 2 * at + 1 + version).map(|(_, page)| page)
        };
        lost.pages = page(0).zip(page(1)).map(|(old, new)| [old.clone(), new.clone()]);
    }
    files::write(&pages.index, &index(outcome, rows, &written).to_html())
}

/// The rounds of the old and the new version.
fn jobs(comparison: &Comparison<'_>, lost: &LostRound) -> [Job; 2] {
    let [seed, conditions] = lost.place;
    [0, 1].map(|version| comparison.round([seed, conditions, version]))
}

fn index(outcome: &Outcome, rows: Vec<(RoundRow, Seat)>, written: &[(u64, String)]) -> RoundsPage {
    let [old, new] = &outcome.versions;
    let lines = rows.into_iter().map(|(row, seat)| round_pages::line(row, seat, written, None));
    let order = "Largest loss first, each as two rounds with the same seed: the old version's, \
                 then the new version's.";
    RoundsPage {
        title: "largest losses".to_owned(),
        subject: format!("new {new} against old {old}"),
        setting: outcome.setting(),
        figures: outcome.figures(),
        order: Some(order.to_owned()),
        of: written.len() as u64,
        lines: lines.collect(),
        ..RoundsPage::default()
    }
}
