//! Rounds of a match, replayed by number and written as pages.

use std::path::PathBuf;

use judge_arena::{Job, PairRound, Pairing};
use judge_core::{Event, Listener, RoundRow, Seat};

use super::{ROUNDS_OF_A_TEST, page};
use crate::Error;
use crate::base::workers::{self, Workers};
use crate::contest::{self, ContestRequest, Players};
use crate::rounds::round_pages::RoundPages;

/// Rounds of a match to replay. A round depends only on players, seed, seats and limits.
#[derive(Debug, Clone)]
pub struct RoundsAgainRequest {
    /// The players, as in the match.
    pub players: [String; 2],
    /// The numbers of the rounds, counted from 1.
    pub rounds: Vec<u64>,
    /// Number of rounds of the match, if it is given.
    pub of: Option<u64>,
    /// Path of the page that lists them. Their pages are written into a folder next to it.
    pub page: PathBuf,
    /// The conditions of the match, including the seed.
    pub contest: ContestRequest,
}

/// The replayed rounds of a match.
#[derive(Debug, Clone)]
pub struct RoundsAgain {
    /// The page that lists them.
    pub page: String,
    /// Number of pages that were written into the folder.
    pub pages: usize,
}

/// Replays these rounds and writes their pages.
///
/// # Errors
/// As [`super::run`], and if a page cannot be written.
pub fn play_rounds_again(
    request: &RoundsAgainRequest,
    workers: &Workers,
    events: &mut dyn Listener,
) -> Result<RoundsAgain, Error> {
    let contest = &request.contest;
    refuse_other_rounds(request)?;
    let players = Players::find(&request.players, contest.game.as_deref(), events)?;
    let pairing = &contest.pairing(&players, events)?;
    let plan = contest::plan("match", pairing, &players);
    let run = contest.run(&plan, &players, workers, events)?;
    let jobs: Vec<(u64, Job)> =
        request.rounds.iter().map(|number| (*number, job(pairing, *number))).collect();
    let pages = RoundPages::next_to(&request.page);
    let mut rows = Vec::new();
    let written = pages.keep_all(&run, &players.modules(), &jobs, &mut |number, outline| {
        let (pair, round) = ((number - 1) / 2, PairRound::new(seat(number), outline));
        rows.push(contest::row(0, pairing, pair, &round));
    })?;
    rows.sort_by_key(|row: &RoundRow| row.worst_first(row.a));
    let page = page::of_rounds(contest, &request.page, &players, pairing, rows, &written);
    workers::tell_of_missing_walls(&run, events)?;
    events.event(&Event::Finished)?;
    Ok(RoundsAgain { page, pages: written.len() })
}

/// Refuses rounds that the match does not have.
fn refuse_other_rounds(request: &RoundsAgainRequest) -> Result<(), Error> {
    let rounds = request.of.unwrap_or(ROUNDS_OF_A_TEST);
    let Some(other) = request.rounds.iter().find(|round| **round > rounds) else { return Ok(()) };
    let what = format!("round `{other}` does not exist: the match has {rounds} rounds");
    let hint = match request.of {
        Some(_) => "`--only` takes the numbers that `judge match` lists".to_owned(),
        None => format!("for a longer match, say how long: `--rounds {other}`"),
    };
    Err(Error::usage(what, hint))
}

/// The options that replay rounds with these numbers.
pub(crate) fn only(numbers: &[u64]) -> String {
    let last = numbers.iter().max().copied().unwrap_or(0);
    let rounds =
        (last > ROUNDS_OF_A_TEST).then(|| format!("--rounds {} ", last.next_multiple_of(2)));
    let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    format!("{}--only {}", rounds.unwrap_or_default(), numbers.join(","))
}

/// The round with that number, counted from 1.
pub(super) fn job(pairing: &Pairing, number: u64) -> Job {
    pairing.job((number - 1) / 2, seat(number))
}

/// The seat of A in the round with that number.
fn seat(number: u64) -> Seat {
    if number % 2 == 1 { Seat::One } else { Seat::Two }
}

#[cfg(test)]
mod tests {
    use super::only;

    #[test]
    fn a_round_number_beyond_the_match_names_its_length() {
        assert_eq!(only(&[24, 7]), "--only 24,7");
        assert_eq!(only(&[7, 20_001]), "--rounds 20002 --only 7,20001");
    }
}
