use judge_core::{Purpose, Random, Seed};

use super::RoundScore::{Failed, Played};
use super::*;
use crate::{RatedMeeting, Ratings};

fn pair(players: [usize; 2], start: u64, rounds: [i64; 2]) -> ScoredPair {
    ScoredPair { players, start, rounds: rounds.map(Played) }
}

/// Noise of a round with mean 0 and a long tail upwards or downwards, as of scores for a win.
fn skewed(random: &mut Random, mean: f64) -> f64 {
    let unit = (1.0 + f64::from(random.below(1 << 20))) / f64::from(1 << 20);
    let noise = mean * (-unit.ln() - 1.0);
    if random.below(2) == 0 { noise } else { -noise }
}

/// Pairs between players with these strengths, each pair on its own start.
fn pairs(strengths: &[f64], each: u64, random: &mut Random) -> Vec<ScoredPair> {
    let mut all = Vec::new();
    for one in 0..strengths.len() {
        for other in 0..one {
            for _ in 0..each {
                // The luck of the start favours either player in one of the rounds.
                let luck = skewed(random, 10.0);
                let mut round = |luck: f64| {
                    (strengths[one] - strengths[other] + luck + skewed(random, 20.0)).round()
                };
                let rounds = [round(luck) as i64, round(-luck / 2.0) as i64];
                all.push(pair([one, other], all.len() as u64, rounds));
            }
        }
    }
    all
}

#[test]
fn two_players_have_the_mean_of_their_differences() {
    let differences = [[4, 2], [-3, 9], [5, 5], [0, 2]];
    let played: Vec<_> =
        (0..).zip(differences).map(|(start, rounds)| pair([1, 0], start, rounds)).collect();
    let ratings = ScoreRatings::fit(2, &played);
    // 3, 3, 5 and 1, next to a tenth of a pair without a difference.
    assert!((ratings.value(1) - 12.0 / 4.1).abs() < 1e-12);
    let [there, back] = [ratings.above(1, 0), ratings.above(0, 1)];
    assert!((there.value + back.value).abs() < 1e-12 && (there.low + back.high).abs() < 1e-9);
    // 3.1824 is the two-sided point of 95 % with three degrees of freedom; the variance of the mean
    // is 8/3/4.
    let margin = 3.182_446 * (8.0_f64 / 3.0 / 4.0).sqrt();
    assert!((there.high - there.value) / margin > 0.98, "{there:?} {margin}");
    assert!((there.high - there.value) / margin < 1.25, "{there:?} {margin}");
    assert_eq!(ratings.above(1, 1).high, 0.0);
}

#[test]
fn the_order_of_pairs_and_of_their_sides_does_not_matter() {
    let mut played = pairs(&[0.0, 5.0, -3.0, 8.0], 12, &mut Seed(1).random(Purpose::Chance));
    played[3].rounds[1] = Failed(0);
    let before = ScoreRatings::fit(4, &played);
    played.reverse();
    for pair in played.iter_mut().step_by(2) {
        pair.players.reverse();
        pair.rounds = pair.rounds.map(|round| match round {
            Played(difference) => Played(-difference),
            Failed(side) => Failed(1 - side),
        });
    }
    let after = ScoreRatings::fit(4, &played);
    for player in 1..4 {
        let [one, two] = [before.above(player, 0), after.above(player, 0)];
        assert!((one.value - two.value).abs() < 1e-9 && (one.low - two.low).abs() < 1e-9);
    }
}

/// The true order is found, and intervals cover the truth, with noise that is far from normal and
/// for players with few pairs, too.
#[test]
fn intervals_cover_the_truth_and_the_order_is_found() {
    let strengths = [0.0, 6.0, -4.0, 12.0, 20.0];
    for (each, order_found) in [(2, 0), (5, 0), (20, 60), (150, 95)] {
        let (mut covered, mut all, mut ordered, runs) = (0, 0, 0, 200);
        for seed in 0..runs {
            let played = pairs(&strengths, each, &mut Seed(seed).random(Purpose::Chance));
            let ratings = ScoreRatings::fit(strengths.len(), &played);
            for (player, strength) in strengths.iter().enumerate().skip(1) {
                let Estimate { low, high, .. } = ratings.above(player, 0);
                covered += u64::from((low..=high).contains(strength));
                all += 1;
            }
            let mut order = [0, 1, 2, 3, 4];
            order.sort_by(|one, other| ratings.value(*one).total_cmp(&ratings.value(*other)));
            ordered += u64::from(order == [2, 0, 1, 3, 4]);
        }
        let covered = 100.0 * covered as f64 / all as f64;
        assert!((93.0..99.0).contains(&covered), "{each} pairs each: {covered} %");
        let ordered = 100 * ordered / runs;
        assert!(ordered >= order_found, "{each} pairs each: in order in {ordered} %");
    }
}

/// A fast player wins more rounds, each with a cheap hand; a patient one wins fewer, each with an
/// expensive one. Suites add up scores, where the patient one is far ahead.
#[test]
fn the_better_score_ranks_above_more_wins() {
    // The chance to finish first is proportional to speed; then the mean score of a win.
    let players = [(1.0, 40.0), (1.6, 40.0), (1.2, 110.0)];
    let mut random = Seed(4).random(Purpose::Chance);
    let (mut scored, mut meetings) = (Vec::new(), Vec::new());
    for [one, other] in [[1, 0], [2, 0], [2, 1]] {
        let mut won = Vec::new();
        for _ in 0..300 {
            let start = scored.len() as u64;
            let rounds = [(); 2].map(|()| {
                let [(fast, score), (other_fast, other_score)] = [one, other].map(|at| players[at]);
                let first = f64::from(random.below(10_000)) < 1e4 * fast / (fast + other_fast);
                let points = if first { score } else { -other_score };
                (points * (1.0 + skewed(&mut random, 0.3))) as i64
            });
            let half_points = rounds.iter().map(|difference| 2 * u8::from(*difference > 0)).sum();
            scored.push(pair([one, other], start, rounds));
            won.push((start, half_points));
        }
        meetings.push(RatedMeeting { players: [one, other], pairs: won });
    }
    let (by_score, by_wins) = (ScoreRatings::fit(3, &scored), Ratings::fit_held(3, &meetings));
    assert!(by_wins.above(1, 2).low > 0.0, "the fast one wins more rounds");
    assert!(by_score.above(2, 1).low > 0.0, "the patient one scores more");
    assert!(by_score.above(1, 0).low > 0.0);
}

#[test]
fn a_larger_difference_never_lowers_a_rating() {
    for seed in 0..200 {
        let mut random = Seed(seed).random(Purpose::Chance);
        let mut played: Vec<ScoredPair> = (0..random.below(30).into())
            .map(|start| {
                let one = random.below(5) as usize;
                let other = (one + 1 + random.below(4) as usize) % 5;
                pair([one, other], start, [0; 2].map(|_: i64| i64::from(random.below(80)) - 40))
            })
            .collect();
        let before = ScoreRatings::fit(5, &played);
        let Some(first) = played.first_mut() else { continue };
        first.rounds[0] = Played(60);
        let [one, other] = first.players;
        let after = ScoreRatings::fit(5, &played);
        let change = |player| after.values[player] - before.values[player];
        assert!(change(one) >= -1e-9 && change(other) <= 1e-9, "{seed}");
        for third in 0..5 {
            assert!(change(one) >= change(third) - 1e-9, "{seed}: {third} gains more");
        }
    }
}

#[test]
fn a_crash_costs_as_much_as_the_largest_loss_and_moves_no_other_player() {
    let strengths = [0.0, 5.0, -3.0, 8.0];
    let honest = pairs(&strengths, 30, &mut Seed(2).random(Purpose::Chance));
    let before = ScoreRatings::fit(5, &honest);
    let crashing = |rounds: [RoundScore; 2]| {
        let of =
            |start: u64| (0..4).map(move |other| ScoredPair { players: [other, 4], start, rounds });
        honest.iter().copied().chain((1000..1020).flat_map(of)).collect::<Vec<_>>()
    };
    let always = ScoreRatings::fit(5, &crashing([Failed(1), Failed(1)]));
    for player in 0..4 {
        assert!((always.value(player) - before.value(player)).abs() < 1e-9);
    }
    let worst = honest.iter().flat_map(|pair| pair.rounds).map(|round| match round {
        Played(difference) => difference.abs(),
        Failed(_) => 0,
    });
    let lost = ScoreRatings::fit(5, &crashing([Played(worst.max().expect("rounds")); 2]));
    assert!((always.value(4) - lost.value(4)).abs() < 1e-9);
    assert_eq!(always.above(4, 0).high, f64::INFINITY, "its strength is unknown");
    // One that loses its rounds by 30 and one that crashes in half of them instead.
    let loses = ScoreRatings::fit(5, &crashing([Played(30), Played(30)]));
    let mut half = crashing([Played(30), Played(30)]);
    half.iter_mut().skip(honest.len()).step_by(2).for_each(|pair| pair.rounds[1] = Failed(1));
    assert!(ScoreRatings::fit(5, &half).value(4) < loses.value(4));
}

/// Pairs of five players, some rounds of which end by faults. No round has a larger difference than
/// the first one.
fn with_faults(random: &mut Random) -> Vec<ScoredPair> {
    let mut all = vec![pair([3, 4], 0, [60, 0])];
    for start in 1..2 + u64::from(random.below(30)) {
        let one = random.below(5) as usize;
        let other = (one + 1 + random.below(4) as usize) % 5;
        let rounds = [(); 2].map(|()| match random.below(8) {
            0 => Failed(random.below(2) as usize),
            _ => Played(i64::from(random.below(121)) - 60),
        });
        all.push(ScoredPair { players: [one, other], start, rounds });
    }
    all
}

/// Even if the difference would have been the largest one, and the player has few pairs.
#[test]
fn failing_never_gives_a_higher_rating_than_losing() {
    let mut tried = 0;
    for seed in 0..2000 {
        let mut random = Seed(seed).random(Purpose::Chance);
        let mut played = with_faults(&mut random);
        let (at, side) =
            (1 + random.below(played.len() as u32 - 1) as usize, random.below(2) as usize);
        let [Played(_), Played(_)] = played[at].rounds else { continue };
        let player = played[at].players[side];
        if player == 0 {
            continue;
        }
        tried += 1;
        for difference in [60, 35, 1] {
            played[at].rounds[0] = Played(if side == 0 { -difference } else { difference });
            let loses = ScoreRatings::fit(5, &played).value(player);
            played[at].rounds[0] = Failed(side);
            let fails = ScoreRatings::fit(5, &played).value(player);
            assert!(fails <= loses + 1e-9, "{seed}: {fails} instead of {loses}");
        }
    }
    assert!(tried > 500, "{tried}");
}

/// The anchor's rating stays 0, and its faults raise all others.
#[test]
fn faults_of_the_anchor_are_charged_too() {
    let mut played = pairs(&[0.0, 5.0], 30, &mut Seed(5).random(Purpose::Chance));
    let before = ScoreRatings::fit(2, &played);
    played.push(ScoredPair { players: [0, 1], start: 900, rounds: [Failed(0), Played(0)] });
    let after = ScoreRatings::fit(2, &played);
    assert!(after.value(1) > before.value(1));
}

#[test]
fn a_new_player_has_a_wide_interval_by_score_too() {
    let mut played = pairs(&[0.0, 5.0], 50, &mut Seed(3).random(Purpose::Chance));
    let width = |played: &[ScoredPair]| {
        let rating = ScoreRatings::fit(3, played).above(2, 0);
        rating.high - rating.low
    };
    assert_eq!(width(&played), f64::INFINITY);
    played.push(pair([2, 0], 900, [1, 1]));
    assert_eq!(width(&played), f64::INFINITY, "a single pair");
    played.push(pair([2, 0], 901, [1, 1]));
    let two = width(&played);
    assert!(two.is_finite() && two > 50.0, "equal pairs do not show the spread: {two}");
    let ratings = ScoreRatings::fit(3, &played);
    let knowledge = ratings.knowledge(&[]);
    let error = knowledge.error(1, 0) * ratings.point();
    let interval = ratings.above(1, 0);
    assert!(
        (3.92 * error / (interval.high - interval.low) - 1.0).abs() < 0.3,
        "{error} {interval:?}"
    );
    assert!(ratings.knowledge(&[[2, 1]]).error(2, 0) < knowledge.error(2, 0));
}

#[test]
fn ratings_without_differences_are_unknown() {
    let nothing = ScoreRatings::fit(2, &[]);
    assert_eq!((nothing.value(1), nothing.above(1, 0).high), (0.0, f64::INFINITY));
    let equal: Vec<_> = (0..9).map(|start| pair([1, 0], start, [0, 0])).collect();
    let equal = ScoreRatings::fit(2, &equal);
    assert_eq!((equal.value(1), equal.above(1, 0).low), (0.0, f64::NEG_INFINITY));
}
