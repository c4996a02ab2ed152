//! A tournament as page and picture show it.

use judge_core::SeatSpec;
use judge_report::{OpeningRow, Ranked, Tournament};

use super::openings::Opening;
use super::standing::{Row, Standing, share};
use super::{Report, words};

/// What the page and the picture are made from.
pub(super) fn of(report: &Report<'_>) -> Tournament {
    let standing = &report.standing;
    let pairing = report.pairing;
    let game = judge_games::find(&pairing.game);
    Tournament {
        title: game.map_or("", judge_games::Game::title).to_owned(),
        format: report.format.title().to_owned(),
        setting: words::setting(pairing, report.pairs, &report.played),
        about_ratings: standing.rating.about(standing.name(0)),
        decimals: standing.rating.decimals(),
        players: standing.rows.iter().map(|row| ranked(standing, row)).collect(),
        cross: cross(standing),
        meetings: report.played.meetings.len(),
        rounds: 2 * report.openings.pairs,
        seats: words::seats(&report.openings, report.pairing),
        openings: report.openings.shown.iter().map(opening).collect(),
        remarks: words::remarks(standing, &report.played),
        facts: facts(report),
    }
}

fn ranked(standing: &Standing, row: &Row) -> Ranked {
    let exact = row.player == 0 && standing.rating.is_relative();
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

fn cross(standing: &Standing) -> Vec<Vec<Option<f64>>> {
    let players = || standing.rows.iter().map(|row| row.player);
    let row = |one| players().map(|other| standing.cross.share(one, other)).collect();
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

fn facts(report: &Report<'_>) -> Vec<(String, String)> {
    let limits = &report.pairing.limits;
    let time = judge_report::fuel_as_ms(limits.fuel);
    let limits = format!("{time} and {} a round", judge_report::kib(limits.memory_bytes));
    let mut facts = vec![
        ("Judge".to_owned(), report.fingerprint.judge.clone()),
        ("Engine".to_owned(), report.fingerprint.engine.clone()),
        ("Limits of a bot".to_owned(), limits),
        ("Repeated with".to_owned(), format!("--seed {}", report.pairing.seed)),
    ];
    facts.extend((0..report.players.count()).map(|player| {
        let seat = report.players.seat(player);
        let who = match &seat {
            SeatSpec::Bot { sha256, .. } => format!("module {sha256}"),
            SeatSpec::Trained { sha256, .. } => format!("table {sha256}"),
            SeatSpec::Reference { .. } | SeatSpec::Human { .. } => "reference opponent".to_owned(),
        };
        (seat.name().to_owned(), who)
    }));
    facts
}
