//! Whole games between reference opponents: known facts about the original, and their order of
//! strength.

use judge_core::{Options, RoundResult, Seat, Seed};

use crate::Game as _;
use crate::cc::GAME;
use crate::conformance::play;

/// A game with these options between two opponents, by name: its outcome and its plies.
pub(in crate::cc) fn between(
    names: [&str; 2],
    options: &[(&str, &str)],
    seed: u64,
) -> (RoundResult, Vec<String>) {
    let options: Options =
        options.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    let mut running = GAME.start(&options, Seed(seed)).expect("allowed options");
    let [mut one, mut two] = [0, 1].map(|at| {
        let named = |opponent: &&crate::OpponentInfo| opponent.name == names[at];
        let info = GAME.opponents().iter().find(named).expect("a known name");
        (info.create)(Seat::BOTH[at], Seed(seed))
    });
    let played = play(&mut *running, &mut [&mut one, &mut two]).expect("sound opponents");
    let answers = played.exchanges.into_iter().filter_map(|exchange| exchange.answer);
    (played.outcome, answers.collect())
}

/// Wins of the first and of the second name over so many games, half of them from each seat.
fn wins(names: [&str; 2], options: &[(&str, &str)], games: u64) -> [u64; 2] {
    let mut wins = [0; 2];
    for seed in 0..games {
        let swapped = seed % 2 == 1;
        let seats = if swapped { [names[1], names[0]] } else { names };
        if let Some(winner) = between(seats, options, seed).0.winner {
            wins[winner.index() ^ usize::from(swapped)] += 1;
        }
    }
    wins
}

/// The original: 1000 games, 510 to 490, mean 32.8 plies, 5 to 71. The standard error of a mean of
/// 600 games is about 0.5 plies, that of the wins about 12.
#[test]
fn random_games_match_the_original_in_length_and_fairness() {
    let games = 600;
    let (mut plies, mut first) = (0, 0);
    for seed in 0..games {
        let (outcome, moves) = between(["random"; 2], &[("size", "6"), ("opening", "0")], seed);
        assert!((3..=120).contains(&moves.len()), "seed {seed}: {} plies", moves.len());
        plies += moves.len() as u64;
        first += u64::from(outcome.winner == Some(Seat::One));
    }
    let tenths = 10 * plies / games;
    assert!((313..=343).contains(&tenths), "mean of plies: {tenths} tenths");
    assert!((255..=345).contains(&first), "{first} of {games} won by seat 1");
}

#[test]
fn alphabeta_beats_random() {
    let [won, lost] = wins(["alphabeta", "random"], &[("size", "6")], 10);
    assert!(won >= 9 && lost <= 1, "{won} to {lost}");
}

/// The original: 33 of 50 won by the smart player from seat 1, 30 of 50 from seat 2. It is a weak
/// player; one that wins nearly always would be a different player.
#[test]
fn smart_beats_random_as_rarely_as_in_the_original() {
    let games = 60;
    let [won, lost] = wins(["smart", "random"], &[("size", "6"), ("opening", "0")], games);
    assert!((30..=45).contains(&won) && lost >= 15, "{won} to {lost}");
}

/// Each against the next weaker one, over ten games.
#[test]
fn opponents_get_stronger_along_the_ladder() {
    for names in [["lookahead", "random"], ["lookahead", "smart"], ["alphabeta", "lookahead"]] {
        let [won, lost] = wins(names, &[("size", "6")], 10);
        assert!(won >= 8 && lost <= 2, "{names:?}: {won} to {lost}");
    }
}

#[test]
fn alphabeta_beats_smart() {
    let [won, lost] = wins(["alphabeta", "smart"], &[("size", "6")], 10);
    assert!(won >= 9 && lost <= 1, "{won} to {lost}");
}

/// Without luck there is only one game, as in the original. It is not the original's game move by
/// move, but it has the same winner: see `README.md`.
#[test]
fn smart_against_smart_always_plays_the_same_game() {
    let golden = include_str!("../golden/smart.txt");
    always_the_same_game("smart", golden, Seat::Two);
}

#[test]
fn lookahead_against_lookahead_always_plays_the_same_game() {
    let golden = include_str!("../golden/lookahead.txt");
    always_the_same_game("lookahead", golden, Seat::One);
}

fn always_the_same_game(name: &str, golden: &str, winner: Seat) {
    for seed in 0..2 {
        let options = [("size", "6"), ("opening", "0")];
        let (outcome, moves) = between([name; 2], &options, seed);
        assert_eq!(moves.join(" "), golden.trim_end());
        assert_eq!((outcome.winner, outcome.reason.as_str()), (Some(winner), "target"));
    }
}

#[test]
fn every_size_is_playable() {
    for size in 5..=16 {
        let (outcome, moves) = between(["random"; 2], &[("size", &size.to_string())], 1);
        assert!(!moves.is_empty() && !outcome.reason.is_empty(), "size {size}");
    }
    for opponent in ["smart", "lookahead", "alphabeta"] {
        let options = [("size", "16"), ("max_plies", "6")];
        assert_eq!(between([opponent; 2], &options, 1).1.len(), 6, "{opponent}");
    }
}
