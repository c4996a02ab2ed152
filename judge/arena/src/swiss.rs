//! Pairings of a Swiss tournament: players with equal results meet, and no two meet twice if that
//! can be avoided. All decisions use integers, so that pairings are the same on every machine.

use std::cmp::Reverse;

use crate::matching::most_couples;

/// Points of a meeting, so that meetings of any length have equal weight.
const WHOLE: u64 = 1_000_000;

/// The points of a player without results.
const EVEN: u64 = WHOLE / 2;

/// Meetings so far, and their results.
#[derive(Debug, Clone)]
pub struct Swiss {
    players: Vec<Record>,
    /// Number of meetings between each two players.
    met: Vec<Vec<u32>>,
}

/// Record of one player.
#[derive(Debug, Clone, Default)]
struct Record {
    /// Sum of the shares of the points in its meetings, each of up to [`WHOLE`].
    points: u64,
    /// Number of meetings that count.
    meetings: u64,
    opponents: Vec<usize>,
    byes: u32,
}

/// Next pairings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cycle {
    /// The meetings, best players first. In each, the player with the lower number is first.
    pub meetings: Vec<[usize; 2]>,
    /// The player with a bye, if the number of players is odd.
    pub bye: Option<usize>,
}

impl Record {
    /// Mean share of the points per meeting. A bye has no effect.
    fn mean(&self) -> u64 {
        self.points.checked_div(self.meetings).unwrap_or(EVEN)
    }
}

impl Swiss {
    /// A tournament of `players` players without any meeting.
    pub fn new(players: usize) -> Swiss {
        Swiss { players: vec![Record::default(); players], met: vec![vec![0; players]; players] }
    }

    /// Number of meetings between the two.
    pub fn met(&self, [one, other]: [usize; 2]) -> u32 {
        self.met[one][other]
    }

    /// Adds the result of a meeting: the first player's half points in `rounds` rounds. Without
    /// rounds it does not count.
    pub fn take(&mut self, players: [usize; 2], half_points: u64, rounds: u64) {
        let [one, other] = players;
        self.met[one][other] += 1;
        self.met[other][one] += 1;
        let share = (u128::from(half_points) * u128::from(WHOLE))
            .checked_div(2 * u128::from(rounds))
            .map(|share| u64::try_from(share).unwrap_or(WHOLE).min(WHOLE));
        for (at, own, opponent) in [(0, one, other), (1, other, one)] {
            let record = &mut self.players[own];
            record.opponents.push(opponent);
            if let Some(share) = share {
                record.points += if at == 0 { share } else { WHOLE - share };
                record.meetings += 1;
            }
        }
    }

    /// Pairs all players. From the best downwards, each meets the next best player that it has not
    /// met, such that as few other players as possible have to meet again.
    pub fn pair(&mut self) -> Cycle {
        let mut rest = self.order();
        let bye = self.bye(&rest);
        if let Some(bye) = bye {
            rest.retain(|player| *player != bye);
            self.players[bye].byes += 1;
        }
        let mut couples = self.couples(&rest);
        let mut meetings = Vec::new();
        while rest.len() > 1 {
            let (at, new) = self.opponent(&rest, couples);
            let (best, other) = (rest[0], rest[at]);
            rest = without(&rest, [0, at]);
            couples -= usize::from(new);
            meetings.push([best.min(other), best.max(other)]);
        }
        Cycle { meetings, bye }
    }

    /// The players, best first: by their mean, then by their opponents' mean, then in the order of
    /// the list.
    fn order(&self) -> Vec<usize> {
        let opponents = |record: &Record| {
            let sum: u64 = record.opponents.iter().map(|other| self.players[*other].mean()).sum();
            sum.checked_div(record.opponents.len() as u64).unwrap_or(EVEN)
        };
        let mut order: Vec<usize> = (0..self.players.len()).collect();
        order.sort_by_key(|player| {
            let record = &self.players[*player];
            Reverse((record.mean(), opponents(record)))
        });
        order
    }

    /// The player that gets the bye: of those without whom most of the others can meet for the
    /// first time, the one with the fewest byes so far, and of these the last.
    fn bye(&self, order: &[usize]) -> Option<usize> {
        if order.len().is_multiple_of(2) {
            return None;
        }
        let mut last_first: Vec<usize> = (0..order.len()).rev().collect();
        last_first.sort_by_key(|at| self.players[order[*at]].byes);
        let mut found = None;
        for at in last_first {
            let couples = self.couples(&without(order, [at, at]));
            if found.is_none_or(|(most, _)| couples > most) {
                found = Some((couples, order[at]));
            }
            if 2 * couples + 1 == order.len() {
                break;
            }
        }
        found.map(|(_, player)| player)
    }

    /// The index in `rest` of the first player's opponent, and whether it is their first meeting.
    /// At most `couples` first meetings are possible among all of `rest`.
    fn opponent(&self, rest: &[usize], couples: usize) -> (usize, bool) {
        let met = |at: usize| self.met[rest[0]][rest[at]];
        let leaves = |at: usize, wanted: usize| self.couples(&without(rest, [0, at])) >= wanted;
        let mut places: Vec<usize> = (1..rest.len()).collect();
        let new =
            places.iter().find(|at| met(**at) == 0 && couples > 0 && leaves(**at, couples - 1));
        if let Some(at) = new {
            return (*at, true);
        }
        places.sort_by_key(|at| met(*at));
        let again = places.iter().find(|at| met(**at) > 0 && leaves(**at, couples));
        // A player outside every largest set of couples has a neighbour outside every one as well.
        (again.copied().unwrap_or(1), false)
    }

    /// Largest number of simultaneous first meetings among these players.
    fn couples(&self, players: &[usize]) -> usize {
        most_couples(players.len(), &|one, other| self.met[players[one]][players[other]] == 0)
    }
}

fn without(players: &[usize], places: [usize; 2]) -> Vec<usize> {
    let others = players.iter().enumerate().filter(|(at, _)| !places.contains(at));
    others.map(|(_, player)| *player).collect()
}

#[cfg(test)]
mod tests {
    use judge_core::{Purpose, Random, Seed};

    use super::*;

    /// Plays this many cycles, in which the lower number wins, or a random player.
    fn play(players: usize, cycles: usize, mut chance: Option<Random>) -> (Swiss, Vec<Cycle>) {
        let mut swiss = Swiss::new(players);
        let mut played = Vec::new();
        for _ in 0..cycles {
            let cycle = swiss.pair();
            for meeting in &cycle.meetings {
                let half_points = chance.as_mut().map_or(20, |chance| u64::from(chance.below(21)));
                swiss.take(*meeting, half_points, 10);
            }
            played.push(cycle);
        }
        (swiss, played)
    }

    /// Numbers of meetings and byes per player.
    fn check(players: usize, cycles: &[Cycle]) -> (Vec<u32>, Vec<u32>) {
        let (mut met, mut byes) = (vec![0; players * players], vec![0; players]);
        for cycle in cycles {
            let mut seen = vec![0; players];
            for [one, other] in &cycle.meetings {
                assert!(one < other, "{cycle:?}");
                seen[*one] += 1;
                seen[*other] += 1;
                met[one * players + other] += 1;
            }
            if let Some(bye) = cycle.bye {
                seen[bye] += 1;
                byes[bye] += 1;
            }
            assert_eq!(seen, vec![1; players], "each player once");
        }
        (met, byes)
    }

    #[test]
    fn players_with_equal_scores_meet() {
        let (_, cycles) = play(4, 3, None);
        let meetings: Vec<&[[usize; 2]]> =
            cycles.iter().map(|cycle| cycle.meetings.as_slice()).collect();
        assert_eq!(meetings[0], [[0, 1], [2, 3]]);
        assert_eq!(meetings[1], [[0, 2], [1, 3]]);
        assert_eq!(meetings[2], [[0, 3], [1, 2]], "no meeting is repeated");
    }

    #[test]
    fn no_player_gets_a_second_bye_before_all_had_one() {
        let (_, cycles) = play(5, 4, None);
        assert_eq!(cycles[0].bye, Some(4), "the last");
        let (met, byes) = check(5, &cycles);
        assert!(met.iter().all(|times| *times <= 1), "{met:?}");
        assert!(byes.iter().all(|times| *times <= 1), "{byes:?}");
    }

    #[test]
    fn a_bye_does_not_change_a_score() {
        let mut swiss = Swiss::new(3);
        assert_eq!(swiss.pair(), Cycle { meetings: vec![[0, 1]], bye: Some(2) });
        swiss.take([0, 1], 13, 10);
        assert_eq!(swiss.order(), [0, 2, 1]);
        swiss.take([0, 2], 0, 0);
        assert_eq!(swiss.order(), [0, 2, 1], "no round, no success");
    }

    #[test]
    fn short_and_long_meetings_count_equally() {
        let mut swiss = Swiss::new(4);
        swiss.take([0, 1], 16, 16);
        swiss.take([2, 3], 160, 100);
        assert_eq!(swiss.order(), [2, 0, 1, 3]);
    }

    #[test]
    fn no_meeting_is_repeated_if_it_can_be_avoided() {
        for (players, seed) in (2..=14).flat_map(|players| (0..12).map(move |seed| (players, seed)))
        {
            let chance = Seed(seed).random(Purpose::Chance);
            let mut swiss = Swiss::new(players);
            let mut random = chance;
            for number in 0..players - 1 {
                let fresh = swiss.clone();
                let cycle = swiss.pair();
                check(players, std::slice::from_ref(&cycle));
                let paired: Vec<usize> = cycle.meetings.iter().flatten().copied().collect();
                let new = cycle.meetings.iter().filter(|meeting| fresh.met(**meeting) == 0);
                let (new, possible) = (new.count(), fresh.couples(&paired));
                assert_eq!(new, possible, "{players} players, cycle {number}, seed {seed}");
                for meeting in &cycle.meetings {
                    swiss.take(*meeting, u64::from(random.below(21)), 10);
                }
            }
        }
    }

    #[test]
    fn a_player_who_met_all_others_repeats_a_meeting() {
        // Each player has met three others: two triangles remain, which allow no three couples.
        let mut swiss = Swiss::new(6);
        for one in 0..3 {
            for other in 3..6 {
                swiss.take([one, other], 10, 10);
            }
        }
        let cycle = swiss.clone().pair();
        let again = cycle.meetings.iter().filter(|meeting| swiss.met(**meeting) > 0).count();
        assert_eq!((cycle.meetings.len(), again), (3, 1), "{cycle:?}");
    }

    #[test]
    fn the_largest_field_can_be_paired() {
        let chance = Seed(1).random(Purpose::Chance);
        let (_, cycles) = play(256, 12, Some(chance));
        let (met, byes) = check(256, &cycles);
        assert!(met.iter().all(|times| *times <= 1));
        assert_eq!(byes.iter().sum::<u32>(), 0);
    }
}
