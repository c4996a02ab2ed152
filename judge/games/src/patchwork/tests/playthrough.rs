//! Whole games, compared with those of an independent program in another language.

use judge_core::Seed;

use super::games::between;
use crate::conformance::Played;

/// The end of a game.
fn ending(played: &Played) -> String {
    let [one, two] = played.outcome.scores;
    let winner = played.outcome.winner.expect("never a draw");
    format!("{}: {one} to {two}, seat {winner} wins", played.outcome.reason)
}

/// The lines of a game as text: the seat, its notice or question, and its answer.
fn text(played: &Played) -> String {
    let mut lines = vec!["# seed 2022, seat 1 first, seat 2 random".to_owned()];
    lines.extend(played.exchanges.iter().map(|exchange| match &exchange.answer {
        None => format!("{} {}", exchange.seat, exchange.line),
        Some(answer) => format!("{} {} -> {answer}", exchange.seat, exchange.line),
    }));
    lines.push(format!("# {}\n", ending(played)));
    lines.join("\n")
}

#[test]
fn a_game_equals_the_reference_implementation_line_by_line() {
    let played = between(["first", "random"], Seed(2022));
    assert_eq!(text(&played), include_str!("../golden/playthrough.txt"));
}

#[test]
fn two_hundred_games_end_as_in_the_reference_implementation() {
    let golden = include_str!("../golden/rounds.txt");
    for line in golden.lines().filter(|line| !line.starts_with('#')) {
        let (seed, expected) = line.split_once(": ").expect("a seed first");
        let played = between(["first", "random"], Seed(seed.parse().expect("a number")));
        assert_eq!(ending(&played), expected, "seed {seed}");
    }
}
