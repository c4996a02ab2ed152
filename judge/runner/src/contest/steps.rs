//! Events for the rounds between two players.

use std::io;

use judge_arena::{PairRound, PairStep, PairTally, Pairing};
use judge_core::{
    Event, Listener, ProgressResult, RoundOutcome, RoundPlace, Seat, TestProgress, Verdict,
};
use judge_statistics::Sprt;

use super::round_number;

/// Reports the start or end of a round. The meeting's rounds are numbered after `before` earlier
/// ones.
pub(crate) fn tell_round(
    events: &mut dyn Listener,
    pairing: &Pairing,
    before: u64,
    step: &PairStep<'_>,
) -> io::Result<()> {
    let place = |pair: u64, seat: Seat| RoundPlace {
        submission: pairing.players[0].name().to_owned(),
        opponent: pairing.players[1].name().to_owned(),
        testcase: None,
        round: before + round_number(pair, seat),
        seed: pairing.seed(pair),
    };
    match step {
        PairStep::Begun { pair, seat } => {
            events.event(&Event::RoundStarted { round: place(*pair, *seat) })
        }
        PairStep::Finished { pair, round } => {
            let (round, result) = (place(*pair, round.seat), Some(outcome(round)));
            events.event(&Event::RoundFinished { round, result })
        }
        PairStep::Complete(_) => Ok(()),
    }
}

fn outcome(PairRound { seat, outcome, fault, figures, .. }: &PairRound) -> RoundOutcome {
    RoundOutcome {
        verdict: fault.as_ref().map_or(Verdict::Accepted, |fault| fault.verdict),
        score: outcome.score(*seat),
        opponent_score: outcome.score(seat.other()),
        fuel: figures.fuel[seat.index()].unwrap_or(0),
    }
}

/// Reports the state of a match after a number of pairs.
pub(crate) fn tell_match(
    events: &mut dyn Listener,
    done: u64,
    tally: &PairTally,
    sprt: Option<&Sprt>,
) -> io::Result<()> {
    // Repeated pairs are left out, because rating them takes longer than playing a pair.
    let pairs = tally.evidence.firsts();
    let test =
        |sprt: &Sprt| TestProgress { log_ratio: sprt.log_ratio(&pairs), bounds: sprt.bounds() };
    let standing = Some(ProgressResult::Match { pairs, test: sprt.map(test) });
    events.event(&Event::Progress { done, standing })
}
