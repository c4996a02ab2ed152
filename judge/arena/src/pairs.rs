//! Plays two players against each other in pairs of rounds: the same luck twice, with the seats
//! swapped. Pairs are handed out in the order of their numbers, so that what is made of them, and
//! where it is enough, does not depend on how many workers play or on which is quicker.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use judge_core::{Call, Fault, Limits, MatchSpec, Options, Outcome, Seat, SeatSpec, Seed, digest};

use crate::pool::{ArenaError, Finished, Job, Played, Pool};

/// Pairs that are handed to the pool at once: enough that starting workers shows nowhere, few
/// enough to keep the specifications of all their rounds.
const BATCH: u64 = 8192;

/// Who plays whom at what.
#[derive(Debug, Clone)]
pub struct Pairing {
    /// Name of the game in the registry.
    pub game: String,
    /// Rule switches that differ from the game's defaults.
    pub options: Options,
    /// Seed of the first pair; the next ones have the next seeds.
    pub seed: Seed,
    /// What each bot may use in a round.
    pub limits: Limits,
    /// The two players.
    pub players: [SeatSpec; 2],
    /// For each player that is a bot, the position of its module in the list given to
    /// [`Pairing::play`].
    pub modules: [Option<usize>; 2],
}

/// A round of a pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Round {
    /// The first player's seat.
    pub seat: Seat,
    /// The result by the rules; after a fault, the forfeit.
    pub outcome: Outcome,
    /// The failure that ended it, if one did.
    pub fault: Option<Fault>,
    /// A number that rounds share whose lines and answers are the same word for word.
    pub course: u64,
}

/// Two rounds on the same seed: the first player in seat 1, then in seat 2.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pair {
    /// Its number, counted from 0.
    pub number: u64,
    /// Where its luck came from.
    pub seed: Seed,
    /// The rounds.
    pub rounds: [Round; 2],
}

impl Round {
    fn new(seat: Seat, played: Played) -> Round {
        let course = course(&played.record.calls);
        let trailer = played.record.trailer;
        Round { seat, outcome: trailer.outcome, fault: trailer.fault, course }
    }

    /// The first player's points, doubled: 0, 1 or 2.
    pub fn half_points(&self) -> usize {
        match self.outcome.winner {
            None => 1,
            Some(winner) if winner == self.seat => 2,
            Some(_) => 0,
        }
    }

    /// The first player's score minus the other's.
    pub fn difference(&self) -> i64 {
        let [own, other] = [self.seat, self.seat.other()].map(|seat| self.outcome.score(seat));
        own.saturating_sub(other)
    }

    /// Which of the two players failed, if one did.
    pub fn failed(&self) -> Option<usize> {
        let seat = self.fault.as_ref()?.seat?;
        Some(usize::from(seat != self.seat))
    }

    /// Whether the judge failed, so that the round says nothing of either player.
    pub fn is_judge_error(&self) -> bool {
        self.fault.as_ref().is_some_and(|fault| fault.seat.is_none())
    }
}

impl Pair {
    /// A number that pairs share both of whose rounds are the same word for word.
    pub fn course(&self) -> u64 {
        let [one, two] = self.rounds.each_ref().map(|round| round.course.to_le_bytes());
        number(&[one, two].concat())
    }
}

/// What was said in a round, as a number: with 64 bits two rounds in a billion pairs of rounds are
/// taken for each other less than once in ten.
fn course(calls: &[Call]) -> u64 {
    let mut text = String::new();
    for Call { seat, line, answer, .. } in calls {
        let answer = answer.as_deref().unwrap_or_default();
        text.extend([if *seat == Seat::One { "1" } else { "2" }, line, "\n", answer, "\n"]);
    }
    number(text.as_bytes())
}

fn number(bytes: &[u8]) -> u64 {
    let digest = digest(bytes);
    digest.bytes()[..8].iter().fold(0, |number, byte| number << 8 | u64::from(*byte))
}

impl Pairing {
    /// The seed of that pair.
    pub fn seed(&self, pair: u64) -> Seed {
        Seed(self.seed.0.wrapping_add(pair))
    }

    /// The round of that pair in which the first player has this seat.
    pub(crate) fn job(&self, pair: u64, seat: Seat) -> Job {
        let (mut seats, mut modules) = (self.players.clone(), self.modules);
        if seat == Seat::Two {
            seats.reverse();
            modules.reverse();
        }
        let (game, options) = (self.game.clone(), self.options.clone());
        let spec = MatchSpec { game, options, seed: self.seed(pair), seats, limits: self.limits };
        Job { spec, modules }
    }

    /// Plays up to so many pairs and hands each to `listen`, in order, until that has seen enough.
    /// What other workers have played by then beyond the last pair is kept in the journal, if there
    /// is one, and goes nowhere else.
    ///
    /// # Errors
    /// When a round cannot begin at all, or the journal fails.
    pub fn play(
        &self,
        pool: &Pool,
        modules: &[&[u8]],
        pairs: u64,
        listen: &mut dyn FnMut(&Pair) -> ControlFlow<()>,
    ) -> Result<(), ArenaError> {
        let mut first = 0;
        while first < pairs {
            let count = BATCH.min(pairs - first);
            if self.play_batch(pool, modules, first..first + count, listen)?.is_break() {
                break;
            }
            first += count;
        }
        Ok(())
    }

    fn play_batch(
        &self,
        pool: &Pool,
        modules: &[&[u8]],
        numbers: std::ops::Range<u64>,
        listen: &mut dyn FnMut(&Pair) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, ArenaError> {
        let first = numbers.start;
        let jobs: Vec<Job> =
            numbers.flat_map(|pair| Seat::BOTH.map(|seat| self.job(pair, seat))).collect();
        let enough = AtomicBool::new(false);
        let mut queue = InOrder::default();
        let mut flow = ControlFlow::Continue(());
        pool.run(modules, &jobs, &|_| enough.load(Ordering::Relaxed), &mut |done| {
            queue.take(done);
            while let Some((at, rounds)) = queue.next().filter(|_| flow.is_continue()) {
                let number = first + at;
                flow = listen(&Pair { number, seed: self.seed(number), rounds });
                enough.store(flow.is_break(), Ordering::Relaxed);
            }
        })?;
        Ok(flow)
    }
}

/// Rounds that wait for the other one of their pair, and pairs that wait for those before them.
#[derive(Default)]
pub(crate) struct InOrder {
    waiting: BTreeMap<u64, [Option<Round>; 2]>,
    /// The pair whose turn it is.
    next: u64,
    /// Whether it was enough.
    closed: bool,
}

impl InOrder {
    /// Takes a round: the first player sits in seat 1 in those of even numbers.
    pub(crate) fn take(&mut self, done: Finished) {
        let Some(played) = done.played.filter(|_| !self.closed) else { return };
        let seat = Seat::BOTH[done.job % 2];
        let rounds = self.waiting.entry(done.job as u64 / 2).or_default();
        rounds[seat.index()] = Some(Round::new(seat, played));
    }

    /// The next pair and its number, if it is complete.
    pub(crate) fn next(&mut self) -> Option<(u64, [Round; 2])> {
        let rounds = self.waiting.get_mut(&self.next)?;
        if rounds.iter().any(Option::is_none) {
            return None;
        }
        let [one, two] = self.waiting.remove(&self.next)?;
        let at = self.next;
        self.next += 1;
        Some((at, [one?, two?]))
    }

    /// No more pairs: what waits goes nowhere.
    pub(crate) fn close(&mut self) {
        self.closed = true;
        self.waiting.clear();
    }
}

#[cfg(test)]
mod tests {
    use judge_core::{Fingerprint, MatchRecord, RecordHeader, RecordTrailer, Verdict, digest};
    use judge_sandbox::worker::PlayTiming;

    use super::*;

    fn pairing() -> Pairing {
        Pairing {
            game: "cc".to_owned(),
            options: Options::new(),
            seed: Seed(u64::MAX),
            limits: Limits::COURSE,
            players: [
                SeatSpec::Bot { name: "ada".to_owned(), sha256: digest(b"ada") },
                SeatSpec::Reference { name: "random".to_owned() },
            ],
            modules: [Some(0), None],
        }
    }

    fn finished(job: usize, outcome: Outcome, fault: Option<Fault>) -> Finished {
        let spec = pairing().job(job as u64 / 2, Seat::BOTH[job % 2]).spec;
        let fingerprint = Fingerprint { judge: String::new(), engine: String::new() };
        let header = RecordHeader { replay: 1, spec, fingerprint };
        let trailer = RecordTrailer::of(outcome, fault);
        let record = MatchRecord { header, calls: Vec::new(), trailer };
        let played =
            Played { record, timing: PlayTiming::default(), start_up: std::time::Duration::ZERO };
        Finished { job, played: Some(played) }
    }

    fn outcome(scores: [i64; 2], winner: Option<Seat>) -> Outcome {
        Outcome { scores, winner, reason: String::new() }
    }

    #[test]
    fn both_rounds_of_a_pair_have_the_same_seed_and_swapped_seats() {
        let pairing = pairing();
        let [one, two] = Seat::BOTH.map(|seat| pairing.job(1, seat));
        assert_eq!((one.spec.seed, two.spec.seed), (Seed(0), Seed(0)), "seeds wrap around");
        assert_eq!(one.spec.seats[0], two.spec.seats[1]);
        assert_eq!((one.modules, two.modules), ([Some(0), None], [None, Some(0)]));
    }

    #[test]
    fn pairs_come_in_order_whoever_is_quicker() {
        let mut queue = InOrder::default();
        let mut seen = Vec::new();
        for job in [5, 1, 4, 2, 0, 7, 3] {
            queue.take(finished(job, outcome([job as i64, 0], None), None));
            seen.extend(std::iter::from_fn(|| queue.next()));
        }
        let scores: Vec<(u64, [i64; 2])> = seen
            .iter()
            .map(|(at, rounds)| (*at, rounds.each_ref().map(|round| round.outcome.scores[0])))
            .collect();
        assert_eq!(scores, [(0, [0, 1]), (1, [2, 3]), (2, [4, 5])]);
        queue.take(Finished { job: 6, played: None });
        assert!(queue.next().is_none(), "half of a pair is none");
        queue.close();
        [6, 7].into_iter().for_each(|job| queue.take(finished(job, outcome([0, 0], None), None)));
        assert!(queue.next().is_none(), "it was enough");
    }

    #[test]
    fn rounds_are_seen_by_the_first_player() {
        let round = |seat, outcome| Round { seat, outcome, fault: None, course: 0 };
        let won = outcome([3, 9], Some(Seat::Two));
        assert_eq!(round(Seat::One, won.clone()).half_points(), 0);
        assert_eq!(round(Seat::One, won.clone()).difference(), -6);
        assert_eq!(round(Seat::Two, won.clone()).half_points(), 2);
        assert_eq!(round(Seat::Two, won).difference(), 6);
        assert_eq!(round(Seat::Two, outcome([1, 1], None)).half_points(), 1);
        let fault = Fault { seat: Some(Seat::Two), ..Fault::judge("x") };
        let fault = Some(Fault { verdict: Verdict::IllegalMove, ..fault });
        let failed =
            |seat| Round { seat, outcome: outcome([1, 0], None), fault: fault.clone(), course: 0 };
        assert_eq!((failed(Seat::One).failed(), failed(Seat::Two).failed()), (Some(1), Some(0)));
        assert!(!failed(Seat::One).is_judge_error());
    }

    #[test]
    fn only_rounds_that_are_the_same_word_for_word_have_the_same_course() {
        let call = |seat, line: &str, answer: Option<&str>| Call {
            seat,
            line: line.to_owned(),
            answer: answer.map(str::to_owned),
            fuel: Some(7),
        };
        let calls = [call(Seat::One, "ask", Some("a")), call(Seat::Two, "told", None)];
        let same = course(&calls);
        let mut dearer = calls.clone();
        dearer[0].fuel = Some(8);
        assert_eq!(course(&dearer), same, "what it cost is no part of it");
        for change in [
            call(Seat::One, "ask", Some("b")),
            call(Seat::Two, "ask", Some("a")),
            call(Seat::One, "asked", Some("a")),
            call(Seat::One, "ask", None),
        ] {
            let mut other = calls.clone();
            other[0] = change;
            assert_ne!(course(&other), same);
        }
        let pair = |courses: [u64; 2]| {
            let round = |course| Round {
                seat: Seat::One,
                outcome: outcome([0, 0], None),
                fault: None,
                course,
            };
            Pair { number: 0, seed: Seed(0), rounds: courses.map(round) }.course()
        };
        assert_eq!(pair([1, 2]), pair([1, 2]));
        assert_ne!(pair([1, 2]), pair([2, 1]));
    }
}
