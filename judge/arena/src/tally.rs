//! Results of the pairs of two players, and the decision to stop.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use judge_core::Verdict;
use serde::Serialize;

use crate::pairs::{Pair, PairRound};
use judge_statistics::{Decision, Evidence, Margins, PairTable, Sprt};

/// Pairs after which a test stops if all of them were faults of one player or of the judge.
pub const HOPELESS: u64 = 8;

/// The reason to stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TestEnd {
    /// The test is decided.
    Decided(Decision),
    /// This player (0 or 1) failed in every round.
    AlwaysFails(usize),
    /// The judge failed in every pair.
    NothingCounts,
    /// All requested pairs are played.
    Played,
}

/// The pairs of two players, from the view of the first one. Pairs are added in numeric order;
/// equal pairs give equal tallies.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PairTally {
    /// Won, drawn and lost.
    pub table: PairTable,
    /// Score margins.
    pub margins: Margins,
    /// Results of the pairs, clustered by start.
    pub evidence: Evidence,
    /// True if scores have more information than the winner.
    pub has_scores: bool,
    /// Faults of each player, by kind, in the order of [`Verdict::ALL`].
    pub faults: [BTreeMap<usize, u64>; 2],
    /// First fault of each player, with its seed.
    pub first_faults: [Option<String>; 2],
    /// Number of pairs left out because the judge failed in them.
    pub left_out: u64,
    /// First failure of the judge, with its seed.
    pub first_failure: Option<String>,
    /// Smallest and largest margin of a round with a winner and without a fault.
    margin: Option<[u64; 2]>,
}

impl PairTally {
    /// Adds the next pair; pairs that begin alike have the same `start`. A pair in which the judge
    /// failed is left out as a whole.
    pub fn add(&mut self, pair: &Pair, start: u64) {
        if let Some(round) = pair.rounds.iter().find(|round| round.is_judge_error()) {
            self.left_out += 1;
            self.first_failure.get_or_insert_with(|| described(pair, round));
            return;
        }
        let half_points = pair.rounds.each_ref().map(PairRound::half_points);
        let differences = pair.rounds.each_ref().map(PairRound::difference);
        self.table.add(half_points);
        self.margins.add(differences);
        let difference = differences.iter().fold(0, |sum: i64, one| sum.saturating_add(*one));
        self.evidence.add(start, pair.course(), half_points.iter().sum(), difference);
        for round in &pair.rounds {
            self.note_margin(round);
            self.note_fault(pair, round);
        }
    }

    /// If every won round has the same margin, scores have no more information than the winner.
    fn note_margin(&mut self, round: &PairRound) {
        if round.outcome.winner.is_none() || round.fault.is_some() {
            return;
        }
        let margin = round.difference().unsigned_abs();
        let [low, high] = self.margin.unwrap_or([margin; 2]);
        self.margin = Some([low.min(margin), high.max(margin)]);
        self.has_scores |= low.min(margin) != high.max(margin);
    }

    fn note_fault(&mut self, pair: &Pair, round: &PairRound) {
        let (Some(player), Some(fault)) = (round.failed(), &round.fault) else { return };
        let kind = Verdict::ALL.iter().position(|verdict| *verdict == fault.verdict);
        *self.faults[player].entry(kind.unwrap_or(0)).or_default() += 1;
        self.first_faults[player].get_or_insert_with(|| described(pair, round));
    }

    /// Number of faults of that player.
    pub fn faults_of(&self, player: usize) -> u64 {
        self.faults[player].values().sum()
    }

    /// The faults of that player by kind.
    pub fn kinds_of(&self, player: usize) -> impl Iterator<Item = (Verdict, u64)> {
        self.faults[player].iter().map(|(kind, count)| (Verdict::ALL[*kind], *count))
    }

    /// True if a player ran out of time in a round.
    pub fn has_timed_out(&self) -> bool {
        [0, 1].iter().any(|player| {
            self.kinds_of(*player).any(|(kind, _)| kind == Verdict::TimeLimitExceeded)
        })
    }

    /// The reason to stop, if there is one.
    pub fn end(&self, sprt: Option<&Sprt>) -> Option<TestEnd> {
        let pairs = self.table.pairs();
        if pairs == 0 {
            return (self.left_out >= HOPELESS).then_some(TestEnd::NothingCounts);
        }
        if pairs >= HOPELESS
            && let Some(player) = [0, 1].into_iter().find(|one| self.faults_of(*one) == 2 * pairs)
        {
            return Some(TestEnd::AlwaysFails(player));
        }
        // A pair that starts like an earlier one is not new evidence.
        sprt.and_then(|sprt| sprt.decide(&self.evidence.firsts())).map(TestEnd::Decided)
    }

    /// Adds the next pair, as [`PairTally::add`] does; returns whether to continue.
    pub fn take(&mut self, pair: &Pair, start: u64, sprt: Option<&Sprt>) -> ControlFlow<TestEnd> {
        self.add(pair, start);
        self.end(sprt).map_or(ControlFlow::Continue(()), ControlFlow::Break)
    }
}

/// A failure and its round. The seat is that of the failed player, or of the first player if the
/// judge failed.
fn described(pair: &Pair, round: &PairRound) -> String {
    let Some(fault) = &round.fault else { return String::new() };
    let seat = match fault.seat {
        Some(seat) => format!("seat {seat}"),
        None => format!("first player in seat {}", round.seat),
    };
    format!("{}, seed {}, {seat}: {}", fault.verdict, pair.seed, fault.detail)
}

#[cfg(test)]
mod tests {
    use judge_core::{Fault, RoundResult, Seat, Seed};

    use super::*;
    use crate::pairs::Figures;

    fn no_figures() -> Figures {
        Figures { plies: 0, fuel: [None; 2], memory: [None; 2], digest: judge_core::digest(b"") }
    }

    /// A pair with these scores of both players and the player that failed, for each round.
    fn pair(number: u64, rounds: [([i64; 2], Option<usize>); 2]) -> Pair {
        let rounds: Vec<PairRound> = std::iter::zip(Seat::BOTH, rounds)
            .map(|(seat, (scores, failed))| {
                let mut by_seat = scores;
                if seat == Seat::Two {
                    by_seat.reverse();
                }
                let winner = match by_seat[0].cmp(&by_seat[1]) {
                    std::cmp::Ordering::Greater => Some(Seat::One),
                    std::cmp::Ordering::Less => Some(Seat::Two),
                    std::cmp::Ordering::Equal => None,
                };
                let fault = failed.map(|player| Fault {
                    seat: match player {
                        0 => Some(seat),
                        1 => Some(seat.other()),
                        _ => None,
                    },
                    verdict: if player > 1 { Verdict::JudgeError } else { Verdict::IllegalMove },
                    detail: "x".into(),
                    call: None,
                });
                let outcome = RoundResult { scores: by_seat, winner, reason: String::new() };
                PairRound { seat, outcome, fault, course: number, figures: no_figures() }
            })
            .collect();
        let rounds = rounds.try_into().expect("two rounds");
        Pair { number, seed: Seed(number), rounds }
    }

    fn tally(pairs: &[[([i64; 2], Option<usize>); 2]]) -> PairTally {
        let mut tally = PairTally::default();
        for (number, rounds) in pairs.iter().enumerate() {
            tally.add(&pair(number as u64, *rounds), number as u64);
        }
        tally
    }

    #[test]
    fn faults_are_blamed_on_the_failing_player_in_either_seat() {
        let tally =
            tally(&[[([0, 1], Some(0)), ([0, 1], Some(0))], [([1, 0], Some(1)), ([3, 2], None)]]);
        assert_eq!([tally.faults_of(0), tally.faults_of(1)], [2, 1]);
        assert_eq!(tally.kinds_of(0).collect::<Vec<_>>(), [(Verdict::IllegalMove, 2)]);
        let first = tally.first_faults[1].as_deref();
        assert_eq!(first, Some("Illegal move, seed 1, seat 2: x"));
        assert_eq!(tally.table.results(), [2, 0, 2]);
    }

    #[test]
    fn a_pair_with_a_judge_error_is_left_out_whole() {
        let tally = tally(&[[([9, 0], None), ([0, 0], Some(2))], [([1, 0], None), ([0, 1], None)]]);
        assert_eq!((tally.left_out, tally.table.pairs()), (1, 1));
        assert_eq!(tally.evidence.difference().value, 0.0);
        assert!(tally.first_failure.is_some_and(|text| text.contains("Judge error, seed 0")));
    }

    #[test]
    fn a_player_who_fails_in_every_round_ends_the_match() {
        let failing = [([0, 1], Some(0)); 2];
        assert_eq!(tally(&[failing; 7]).end(None), None);
        assert_eq!(tally(&[failing; 8]).end(None), Some(TestEnd::AlwaysFails(0)));
        let mut pairs = [failing; 9];
        pairs[3][1] = ([1, 0], None);
        assert_eq!(tally(&pairs).end(None), None, "it can play");
        assert_eq!(tally(&[[([0, 0], Some(2)); 2]; 8]).end(None), Some(TestEnd::NothingCounts));
    }

    #[test]
    fn a_decided_test_ends_the_match() {
        let sprt: Sprt = "elo0=0,elo1=100".parse().expect("a test");
        let pairs = [[([3, 0], None), ([1, 0], None)]; 40];
        assert_eq!(tally(&pairs).end(Some(&sprt)), Some(TestEnd::Decided(Decision::H1)));
        assert_eq!(tally(&pairs).end(None), None);
        assert_eq!(tally(&pairs[..3]).end(Some(&sprt)), None);
    }

    #[test]
    fn repeated_rounds_do_not_decide_a_test() {
        let sprt: Sprt = "elo0=0,elo1=100".parse().expect("a test");
        let repeated = |starts: u64| {
            let mut tally = PairTally::default();
            for number in 0..200 {
                let won = [([3, 0], None), ([1, 0], None)];
                tally.add(&pair(number % starts, won), number % starts);
            }
            (tally.end(Some(&sprt)), tally.evidence.distinct().independent)
        };
        assert_eq!(repeated(9), (None, 9));
        assert_eq!(repeated(1), (None, 1));
        assert_eq!(repeated(40), (Some(TestEnd::Decided(Decision::H1)), 40));
    }

    #[test]
    fn scores_that_only_name_the_winner_are_not_compared() {
        assert!(!tally(&[[([2, 0], None), ([0, 2], None)], [([1, 1], None); 2]]).has_scores);
        assert!(tally(&[[([2, 0], None), ([0, 3], None)]]).has_scores);
        assert!(!tally(&[[([2, 0], None), ([0, 3], Some(0))]]).has_scores, "forfeits do not count");
    }
}
