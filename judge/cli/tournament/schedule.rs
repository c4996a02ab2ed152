//! Who meets whom, and how it is played.

use std::cell::RefCell;
use std::ops::ControlFlow;

use indicatif::{ProgressBar, ProgressStyle};
use judge_arena::{End, Pair, Pairing, Pool, Round, Swiss, Tally, play_meetings};
use judge_core::SeatSpec;
use serde::Serialize;

use crate::contest::{Players, Starts};
use crate::failure::Failure;

/// Who meets whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Format {
    /// Each two players.
    RoundRobin,
    /// The first player meets all others.
    Gauntlet,
    /// In each of `--cycles` everybody meets one other who did about as well so far.
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

    /// The meetings of so many players, as far as they are known beforehand: those of a Swiss
    /// tournament are not.
    pub(super) fn fixtures(self, players: usize) -> Vec<Fixture> {
        let firsts = match self {
            Format::RoundRobin => players,
            Format::Gauntlet => 1,
            Format::Swiss => 0,
        };
        let two = (0..firsts).flat_map(|one| (one + 1..players).map(move |other| [one, other]));
        two.map(|players| Fixture { players, cycle: 0, first: 0 }).collect()
    }
}

/// A meeting to be played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fixture {
    /// Who meets.
    pub(super) players: [usize; 2],
    /// The cycle of a Swiss tournament, counted from 0.
    pub(super) cycle: usize,
    /// The number of its first pair: those who meet again go on with the next seeds.
    pub(super) first: u64,
}

/// Two players and what came of their rounds.
pub(super) struct Meeting {
    /// What was to be played.
    pub(super) fixture: Fixture,
    /// What the pairs add up to.
    pub(super) tally: Tally,
    /// The first player's half points in each pair, in seat 1 and in seat 2; none where the judge
    /// failed.
    pub(super) pairs: Vec<Option<[u8; 2]>>,
    /// What each pair began from and the course that it took, as numbers that equals share.
    pub(super) kinds: Vec<Kind>,
    /// Why there are no more.
    pub(super) end: End,
}

/// Which pairs repeat each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Kind {
    /// The first pair of the tournament that began so.
    pub(super) start: u64,
    /// The same for pairs that are equal word for word.
    pub(super) course: u64,
}

impl Meeting {
    fn new(fixture: Fixture) -> Meeting {
        let (pairs, kinds) = (Vec::new(), Vec::new());
        Meeting { fixture, tally: Tally::default(), pairs, kinds, end: End::Played }
    }

    fn take(&mut self, pair: &Pair, start: u64) -> ControlFlow<()> {
        let counts = !pair.rounds.iter().any(Round::is_judge_error);
        let half_points = pair.rounds.each_ref().map(|round| round.half_points() as u8);
        self.pairs.push(counts.then_some(half_points));
        self.kinds.push(Kind { start, course: pair.course() });
        self.tally.take(pair, start, None).map_break(|reason| self.end = reason)
    }

    /// The half points of each pair that counts, with the number of the pair.
    pub(super) fn points(&self) -> impl Iterator<Item = (u64, [u8; 2])> {
        (self.fixture.first..)
            .zip(&self.pairs)
            .filter_map(|(number, pair)| Some((number, (*pair)?)))
    }

    /// The pairs that count, with what they repeat.
    pub(super) fn counted(&self) -> impl Iterator<Item = (Kind, [u8; 2])> {
        self.kinds.iter().zip(&self.pairs).filter_map(|(kind, pair)| Some((*kind, (*pair)?)))
    }

    /// The place among its two players of the one who failed in every round.
    pub(super) fn always_failed(&self) -> Option<usize> {
        match self.end {
            End::AlwaysFails(at) => Some(at),
            End::Decided(_) | End::NothingCounts | End::Played => None,
        }
    }
}

/// What was played.
#[derive(Default)]
pub(super) struct Played {
    /// The meetings, in the order of the schedule.
    pub(super) meetings: Vec<Meeting>,
    /// Who had nobody to meet: one player a cycle of a Swiss tournament with an odd number.
    pub(super) byes: Vec<usize>,
}

/// Where meetings are played.
pub(super) struct Hall<'a> {
    pool: &'a Pool,
    pairing: &'a Pairing,
    modules: Vec<&'a [u8]>,
    starts: RefCell<Starts<'a>>,
    /// Each player with the position of its module.
    players: Vec<(SeatSpec, Option<usize>)>,
    /// Most pairs of a meeting.
    pairs: u64,
    bar: ProgressBar,
}

impl<'a> Hall<'a> {
    pub(super) fn new(
        pool: &'a Pool,
        players: &'a Players,
        pairing: &'a Pairing,
        pairs: u64,
    ) -> Hall<'a> {
        let all = 0..players.count();
        let bar = ProgressBar::new(0);
        let style = ProgressStyle::with_template("{bar:20} {pos}/{len} pairs  {msg}  {eta} left");
        let bar = style.map_or(bar.clone(), |style| bar.with_style(style));
        Hall {
            pool,
            pairing,
            modules: players.modules(),
            starts: RefCell::new(Starts::new(players.game, pairing)),
            players: all.map(|player| (players.seat(player), players.module(player))).collect(),
            pairs,
            bar,
        }
    }

    /// Plays meetings that are known beforehand.
    pub(super) fn play(&self, fixtures: &[Fixture]) -> Result<Played, Failure> {
        self.bar.set_length(self.pairs * fixtures.len() as u64);
        let meetings = self.meetings(fixtures)?;
        self.finish()?;
        Ok(Played { meetings, byes: Vec::new() })
    }

    /// Plays so many cycles of a Swiss tournament.
    pub(super) fn play_swiss(&self, cycles: usize) -> Result<Played, Failure> {
        let count = self.players.len();
        self.bar.set_length(self.pairs * (cycles * (count / 2)) as u64);
        let mut swiss = Swiss::new(count);
        let mut played = Played::default();
        for cycle in 0..cycles {
            self.bar.set_message(format!("cycle {} of {cycles}", cycle + 1));
            let next = swiss.pair();
            let fixture = |players: &[usize; 2]| {
                let first = u64::from(swiss.met(*players)) * self.pairs;
                Fixture { players: *players, cycle, first }
            };
            let fixtures: Vec<Fixture> = next.meetings.iter().map(fixture).collect();
            for meeting in self.meetings(&fixtures)? {
                let [won, drawn, lost] = meeting.tally.table.results();
                swiss.take(meeting.fixture.players, 2 * won + drawn, won + drawn + lost);
                played.meetings.push(meeting);
            }
            played.byes.extend(next.bye);
        }
        self.finish()?;
        Ok(played)
    }

    /// Plays all these meetings at once. A player who always fails ends its own and no other.
    fn meetings(&self, fixtures: &[Fixture]) -> Result<Vec<Meeting>, Failure> {
        let pairings: Vec<Pairing> = fixtures.iter().map(|fixture| self.pairing(fixture)).collect();
        let mut meetings: Vec<Meeting> = fixtures.iter().copied().map(Meeting::new).collect();
        let done = self.bar.position();
        let (pool, pairs) = (self.pool, self.pairs);
        play_meetings(pool, &self.modules, &pairings, pairs, &mut |number, pair| {
            self.bar.inc(1);
            let start = self.starts.borrow_mut().number(fixtures[number].first + pair.number);
            let flow = meetings[number].take(pair, start);
            if flow.is_break() {
                self.bar.inc(pairs.saturating_sub(pair.number + 1));
            }
            flow
        })?;
        self.bar.set_position(done + pairs * fixtures.len() as u64);
        Ok(meetings)
    }

    fn pairing(&self, fixture: &Fixture) -> Pairing {
        let players = fixture.players.map(|player| &self.players[player]);
        Pairing {
            players: players.map(|(seat, _)| seat.clone()),
            modules: players.map(|(_, module)| *module),
            seed: self.pairing.seed(fixture.first),
            ..self.pairing.clone()
        }
    }

    fn finish(&self) -> Result<(), Failure> {
        self.bar.finish_and_clear();
        match &self.pool.journal {
            Some(journal) => Ok(journal.sync()?),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Format;

    #[test]
    fn each_two_meet_once_or_the_first_meets_all() {
        let players = |format: Format, count| -> Vec<[usize; 2]> {
            format.fixtures(count).iter().map(|fixture| fixture.players).collect()
        };
        assert_eq!(players(Format::RoundRobin, 3), [[0, 1], [0, 2], [1, 2]]);
        assert_eq!(players(Format::Gauntlet, 3), [[0, 1], [0, 2]]);
    }
}
