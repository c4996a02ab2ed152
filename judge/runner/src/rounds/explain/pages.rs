//! The round as a page with the curve of other answers, and a page for each of the costliest
//! moves' other rounds.

use std::path::Path;

use judge_core::{Branch, IgnoreEvents, RoundRecord};
use judge_report::page::{OtherMove, OtherMoves};

use super::text::on_average;
use super::{Explained, ExplainedMove, Outcome};
use crate::Error;
use crate::base::files;
use crate::rounds::round_html;
use crate::rounds::round_pages::RoundPages;

/// Writes the page of the round, and the pages that it links to into a folder next to it.
pub(super) fn write(
    explained: &Explained<'_>,
    outcome: &Outcome,
    path: &Path,
) -> Result<(), Error> {
    let pages = RoundPages::next_to(path);
    if !outcome.costliest.is_empty() {
        pages.make()?;
    }
    let mut links = Vec::new();
    for (at, record) in other_rounds(explained, outcome)? {
        let number = outcome.moves[at].number;
        let remark = remark(outcome, &outcome.moves[at]);
        links.push((at, pages.keep_other(number, &record, remark)?));
    }
    let moves = OtherMoves {
        seat: outcome.seat,
        score: outcome.score,
        best: outcome.moves.iter().filter_map(|one| Some((one.call, one.best()?.score))).collect(),
        rows: outcome.costliest.iter().map(|at| row(outcome, *at, &links)).collect(),
        has_averages: outcome.has_luck,
        remarks: vec![outcome.tries()].into_iter().chain(outcome.meanings()).collect(),
    };
    files::write(path, &round_html::explained(&outcome.record, moves)?)
}

/// The rounds with the other answers to the costliest moves.
fn other_rounds(
    explained: &Explained<'_>,
    outcome: &Outcome,
) -> Result<Vec<(usize, RoundRecord)>, Error> {
    let branch = |at: &usize| {
        let one = &outcome.moves[*at];
        one.branch(outcome.seat, Some(outcome.better(one).0), None)
    };
    let branches: Vec<Branch> = outcome.costliest.iter().map(branch).collect();
    let mut records = Vec::new();
    explained.play(&branches, &mut IgnoreEvents, &mut |index, record| {
        records.push((outcome.costliest[index], record.clone()));
    })?;
    Ok(records)
}

fn row(outcome: &Outcome, at: usize, links: &[(usize, String)]) -> OtherMove {
    let one = &outcome.moves[at];
    let (other, score) = outcome.better(one);
    OtherMove {
        call: one.call,
        number: one.number,
        answer: one.answer.clone(),
        other: other.to_owned(),
        score: score.unwrap_or(outcome.score),
        average: one.average.as_ref().map(on_average),
        page: links.iter().find(|(of, _)| *of == at).map(|(_, page)| page.clone()),
    }
}

/// The sentence on the page of a round that was not played so.
fn remark(outcome: &Outcome, one: &ExplainedMove) -> String {
    format!(
        "What if: at move {} the judge answered “{}” instead of the bot's “{}”. The bot itself never \
         played this round.",
        one.number,
        outcome.better(one).0,
        one.answer
    )
}
