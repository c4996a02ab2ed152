//! The meetings of a tournament and their results.

use std::ops::ControlFlow;

use judge_arena::{Pair, PairRound, PairTally, TestEnd};
use serde::{Deserialize, Serialize};

/// The rule for pairing players.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Every two players meet.
    #[default]
    RoundRobin,
    /// The first player meets all others.
    Gauntlet,
    /// In each cycle, players with about the same score so far meet.
    Swiss,
}

impl Format {
    /// The name for people.
    pub(super) fn title(self) -> &'static str {
        match self {
            Format::RoundRobin => "round robin",
            Format::Gauntlet => "gauntlet",
            Format::Swiss => "Swiss",
        }
    }

    /// The meetings of that many players, if they are known in advance. Those of a Swiss tournament
    /// are not.
    pub(crate) fn fixtures(self, players: usize) -> Vec<Fixture> {
        let firsts = match self {
            Format::RoundRobin => players,
            Format::Gauntlet => 1,
            Format::Swiss => 0,
        };
        let two = (0..firsts).flat_map(|one| (one + 1..players).map(move |other| [one, other]));
        two.map(|players| Fixture { players, cycle: 0, first: 0 }).collect()
    }
}

/// A meeting to play.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fixture {
    /// The players, by their positions in the request.
    pub players: [usize; 2],
    /// The cycle of a Swiss tournament, counted from 0.
    pub cycle: usize,
    /// The number of its first pair. Players that meet again continue with the following seeds.
    pub first: u64,
}

/// Two players and the results of their rounds.
#[derive(Debug)]
pub struct Meeting {
    /// The fixture.
    pub fixture: Fixture,
    /// The sum of its pairs.
    pub tally: PairTally,
    /// The first player's half points in each pair, in seat 1 and in seat 2; none if the judge
    /// failed.
    pub pairs: Vec<Option<[u8; 2]>>,
    /// The start and the course of each pair, as numbers that equal ones share.
    pub kinds: Vec<PairKind>,
    /// The reason for its end.
    pub end: TestEnd,
}

/// The start and the course of a pair. Pairs that share one of them repeat each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PairKind {
    /// The first pair of the tournament with the same start.
    pub start: u64,
    /// The first pair with exactly the same course.
    pub course: u64,
}

impl Meeting {
    pub(super) fn new(fixture: Fixture) -> Meeting {
        let (pairs, kinds) = (Vec::new(), Vec::new());
        Meeting { fixture, tally: PairTally::default(), pairs, kinds, end: TestEnd::Played }
    }

    pub(super) fn take(&mut self, pair: &Pair, start: u64) -> ControlFlow<()> {
        let counts = !pair.rounds.iter().any(PairRound::is_judge_error);
        let half_points = pair.rounds.each_ref().map(|round| round.half_points() as u8);
        self.pairs.push(counts.then_some(half_points));
        self.kinds.push(PairKind { start, course: pair.course() });
        self.tally.take(pair, start, None).map_break(|reason| self.end = reason)
    }

    /// The half points of each pair that counts, with the number of the pair.
    pub(super) fn points(&self) -> impl Iterator<Item = (u64, [u8; 2])> {
        (self.fixture.first..)
            .zip(&self.pairs)
            .filter_map(|(number, pair)| Some((number, (*pair)?)))
    }

    /// The pairs that count, with their kinds.
    pub(super) fn counted(&self) -> impl Iterator<Item = (PairKind, [u8; 2])> {
        self.kinds.iter().zip(&self.pairs).filter_map(|(kind, pair)| Some((*kind, (*pair)?)))
    }

    /// The index of the player that failed in every round.
    pub(super) fn always_failed(&self) -> Option<usize> {
        match self.end {
            TestEnd::AlwaysFails(at) => Some(at),
            TestEnd::Decided(_) | TestEnd::NothingCounts | TestEnd::Played => None,
        }
    }
}

/// The meetings that were played.
#[derive(Debug, Default)]
pub struct PlayedMeetings {
    /// The meetings, in the order of the schedule.
    pub meetings: Vec<Meeting>,
    /// Players without an opponent: one per cycle of a Swiss tournament with an odd number of
    /// players.
    pub byes: Vec<usize>,
}

impl PlayedMeetings {
    /// Number of rounds, including those in which the judge failed.
    pub(super) fn rounds(&self) -> u64 {
        self.meetings.iter().map(|meeting| 2 * meeting.pairs.len() as u64).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::Format;

    #[test]
    fn a_schedule_is_a_round_robin_or_a_gauntlet() {
        let players = |format: Format, count| -> Vec<[usize; 2]> {
            format.fixtures(count).iter().map(|fixture| fixture.players).collect()
        };
        assert_eq!(players(Format::RoundRobin, 3), [[0, 1], [0, 2], [1, 2]]);
        assert_eq!(players(Format::Gauntlet, 3), [[0, 1], [0, 2]]);
    }
}
