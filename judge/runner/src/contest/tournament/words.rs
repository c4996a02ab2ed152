//! Sentences about a tournament, in addition to its tables.

use judge_arena::{Pairing, TestEnd};
use judge_statistics::Estimate;

use super::openings::{FEW, Openings};
use super::ranking::Ranking;
use super::schedule::{Meeting, PlayedMeetings};

/// Maximum number of players that one sentence names.
const NAMED: usize = 8;

/// The game, its rules and the seeds.
pub(super) fn setting(pairing: &Pairing, pairs: u64, played: &PlayedMeetings) -> String {
    let title = judge_games::find(&pairing.game).map_or("", judge_games::Game::title);
    let rules: String =
        pairing.options.iter().map(|(key, value)| format!(" {key}={value}")).collect();
    let (first, last) = (pairing.seed, pairing.seed(pairs.max(1) - 1));
    let again = played.meetings.iter().any(|meeting| meeting.fixture.first > 0);
    let again = if again { " Repeated meetings continue with the next seeds." } else { "" };
    format!("{title}{rules}, seeds {first} to {last}, each from both seats.{again}")
}

/// Meetings that ended early, byes, and pairs that are left out. `escaped` formats names and
/// messages.
pub(super) fn remarks(
    ranking: &Ranking,
    played: &PlayedMeetings,
    escaped: fn(&str) -> String,
) -> Vec<String> {
    let name = |player: usize| escaped(ranking.name(player));
    let failing = ranking.rows.iter().filter(|row| row.ended_early > 0);
    let mut remarks: Vec<String> =
        failing.map(|row| ended_early(&name, played, row.player)).collect();
    let nothing = |meeting: &&Meeting| meeting.end == TestEnd::NothingCounts;
    for meeting in played.meetings.iter().filter(nothing) {
        let [one, other] = meeting.fixture.players.map(name);
        let pairs = meeting.pairs.len();
        remarks.push(format!(
            "{one} against {other} ended early, as the judge failed in all of {pairs} pairs."
        ));
    }
    if !played.byes.is_empty() {
        let cycles = played.byes.iter().enumerate();
        let byes: Vec<String> = cycles
            .map(|(cycle, player)| format!("{} in cycle {}", name(*player), cycle + 1))
            .collect();
        remarks.push(format!("Byes, which count nothing: {}.", byes.join(", ")));
    }
    let left_out: u64 = played.meetings.iter().map(|meeting| meeting.tally.left_out).sum();
    if left_out > 0 {
        let first = played.meetings.iter().find_map(|one| one.tally.first_failure.as_deref());
        let first = escaped(first.unwrap_or_default());
        remarks.push(format!(
            "{left_out} pairs are left out, as the judge failed in them (with `--journal` and `--resume` \
             they are tried again); the first time: {first}"
        ));
    }
    remarks
}

/// The meetings that ended early because a player failed in every round.
fn ended_early(name: &dyn Fn(usize) -> String, played: &PlayedMeetings, player: usize) -> String {
    let failed = |meeting: &&Meeting| {
        let at = meeting.always_failed();
        at.is_some_and(|at| meeting.fixture.players[at] == player)
    };
    let others: Vec<String> = (played.meetings.iter().filter(failed))
        .flat_map(|meeting| meeting.fixture.players)
        .filter(|other| *other != player)
        .map(name)
        .collect();
    let noun = if others.len() == 1 { "meeting" } else { "meetings" };
    let more = match others.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!(
        "{} {noun} ended early, as {} failed in every round: with {}{more}.",
        others.len(),
        name(player),
        others[..others.len().min(NAMED)].join(", ")
    )
}

/// The effects of seats and openings on the results.
pub(super) fn seats(openings: &Openings, pairing: &Pairing) -> Vec<String> {
    let Some(seat_one) = &openings.seat_one else { return vec!["No round counts.".to_owned()] };
    let per_cent =
        |count: u64| judge_report::per_cent(count as f64 / openings.pairs.max(1) as f64, 1);
    let seat = format!(
        "Seat 1 made {} of the points. Of {} pairs, the same player won both rounds in {} %, \
         the same seat in {} %.",
        interval(seat_one),
        openings.pairs,
        per_cent(openings.same_player),
        per_cent(openings.same_seat)
    );
    let see = openings.shown.first().map(|opening| {
        let switches = crate::tools::rules::switches(&pairing.options);
        let (game, seed) = (&pairing.game, opening.seed);
        format!("To see one: `judge rules show --game {game}{switches} --seed {seed}`.")
    });
    [seat, about_openings(openings)].into_iter().chain(see).collect()
}

fn about_openings(openings: &Openings) -> String {
    let Openings { seeds, distinct, .. } = *openings;
    let begin = match distinct {
        1 if seeds == 1 => "All rounds are on one seed".to_owned(),
        1 => "All rounds begin alike".to_owned(),
        distinct if distinct == seeds => format!("Openings: {seeds} seeds, no two alike"),
        distinct => format!("Openings: {seeds} seeds, {distinct} of them different"),
    };
    let shown = openings.shown.len();
    let favour = match openings.one_sided {
        0 if distinct == 1 => "; that favours no seat beyond chance".to_owned(),
        0 => "; none favours a seat beyond chance".to_owned(),
        _ if distinct == 1 => "; that favours a seat beyond chance".to_owned(),
        1 => "; 1 favours a seat beyond chance".to_owned(),
        many => format!("; {many} favour a seat beyond chance"),
    };
    let which = match distinct {
        few if few <= FEW => String::new(),
        _ if shown < openings.one_sided => format!(", of which the {shown} most one-sided follow"),
        _ => String::new(),
    };
    format!("{begin}{favour}{which}.")
}

/// A share with the ends of its interval, if there is one.
pub(super) fn interval(share: &Estimate) -> String {
    let [value, low, high] =
        [share.value, share.low, share.high].map(|share| judge_report::per_cent(share, 1));
    format!("{value} % ({low} to {high})")
}
