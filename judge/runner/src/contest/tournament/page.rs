//! The page and the picture of a tournament.

use judge_report::{OpeningRow, Ranked, Tournament};

use super::openings::Opening;
use super::ranking::{RankedPlayer, Ranking, about_ratings, share};
use super::{TournamentReport, words};
use crate::contest;

/// The content of page and picture, without the worst rounds.
pub(super) fn page(report: &TournamentReport) -> Tournament {
    let ranking = &report.ranking;
    let pairing = &report.pairing;
    let game = judge_games::find(&pairing.game);
    Tournament {
        title: game.map_or("", judge_games::Game::title).to_owned(),
        format: report.format.title().to_owned(),
        setting: words::setting(pairing, report.pairs, &report.played),
        about_ratings: about_ratings(ranking.name(0)),
        players: ranking.rows.iter().map(ranked).collect(),
        cross: cross(ranking),
        meetings: report.played.meetings.len(),
        rounds: 2 * report.openings.pairs,
        seats: words::seats(&report.openings, pairing),
        openings: report.openings.shown.iter().map(opening).collect(),
        remarks: words::remarks(ranking, &report.played, str::to_owned),
        facts: contest::facts(&report.fingerprint, pairing, &report.seats),
        worst: Vec::new(),
        all_rounds: None,
    }
}

fn ranked(row: &RankedPlayer) -> Ranked {
    let exact = row.player == 0;
    Ranked {
        name: row.name.clone(),
        rating: row.rating.value,
        interval: (!exact).then_some([row.rating.low, row.rating.high]),
        score: row.score,
        results: row.results(),
        seats: row.seats.map(share),
        faults: row.faults,
        kinds: row.kinds.iter().map(|(kind, count)| (kind.label().to_owned(), *count)).collect(),
        first_fault: row.first_fault.clone(),
    }
}

fn cross(ranking: &Ranking) -> Vec<Vec<Option<[u64; 3]>>> {
    let players = || ranking.rows.iter().map(|row| row.player);
    let row = |one| players().map(|other| ranking.cross.results(one, other)).collect();
    players().map(row).collect()
}

fn opening(opening: &Opening) -> OpeningRow {
    let share = opening.seat_one;
    OpeningRow {
        seed: opening.seed.to_string(),
        seeds: opening.seeds,
        rounds: opening.rounds,
        seat_one: [share.value, share.low, share.high],
    }
}
