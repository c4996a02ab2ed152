//! Whole rounds, compared with those of an independent program in another language.

use judge_core::{Options, Seat, Seed};

use crate::Game as _;
use crate::amazons::GAME;
use crate::amazons::opponents::OPPONENTS;
use crate::conformance::{Played, play};

/// A round of `random` against itself.
fn played(size: &str, seed: Seed) -> Played {
    let options = Options::from([("size".to_owned(), size.to_owned())]);
    let mut running = GAME.start(&options, seed).expect("a standard size");
    let [mut one, mut two] = Seat::BOTH.map(|seat| (OPPONENTS[0].create)(seat, seed));
    play(&mut *running, &mut [&mut one, &mut two]).expect("sound opponents")
}

/// The lines of a round as text: the seat, its notice or question, and its answer.
fn text(played: &Played) -> String {
    let lines = played.exchanges.iter().map(|exchange| match &exchange.answer {
        None => format!("{} {}\n", exchange.seat, exchange.line),
        Some(answer) => format!("{} {} -> {answer}\n", exchange.seat, exchange.line),
    });
    let [one, two] = played.outcome.scores;
    lines.collect::<String>() + &format!("# {}: {one} to {two}\n", played.outcome.reason)
}

#[test]
fn a_match_equals_the_reference_implementation_line_by_line() {
    let golden = include_str!("../golden/playthrough.txt");
    let (title, lines) = golden.split_once('\n').expect("a title");
    assert_eq!(title, "# seed 2022, random against random");
    assert_eq!(text(&played("10", Seed(2022))), lines);
}

#[test]
fn a_hundred_matches_end_as_in_the_reference_implementation() {
    let golden = include_str!("../golden/matches.txt");
    let expected: Vec<&str> = golden.lines().filter(|line| !line.starts_with('#')).collect();
    let sizes = ["4", "5", "6", "8", "10"];
    let found: Vec<String> = (1..=100)
        .map(|seed| {
            let size = sizes[seed as usize % sizes.len()];
            let played = played(size, Seed(seed));
            let moves = played.exchanges.iter().filter(|line| line.answer.is_some()).count();
            let winner = played.outcome.winner.expect("no draws");
            let last = played.exchanges.last().expect("a move").line.clone();
            format!("{seed}: size {size}, {moves} moves, {last}, seat {winner} wins")
        })
        .collect();
    assert_eq!(found, expected);
}
