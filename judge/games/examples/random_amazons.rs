//! Plays games of the Amazons to the end, each turn drawn in three stages (an amazon, a square, an
//! arrow), and prints how many turns they took and how many games White won, as `key=value`. For
//! comparisons: `judge/bench/compare/openspiel_amazons.py`.
//!
//! `cargo run --release -p judge-games --example random_amazons -- [GAMES [SIZE [SEED]]]`
#![allow(clippy::print_stdout, reason = "a program for the shell")]

use judge_core::{Options, Purpose, Seed};
use judge_games::Game;
use judge_games::amazons::{GAME, Position};

/// The usual start on a board of that size.
fn start(size: &str) -> Position {
    let options = [("size", size), ("opening", "0")].map(|(k, v)| (k.to_owned(), v.to_owned()));
    let running = GAME.start(&Options::from(options), Seed(0)).expect("a standard size");
    running.state().parse().expect("the board that the match prints")
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let argument =
        |at: usize, otherwise: &'static str| arguments.get(at).map_or(otherwise, |text| text);
    let games: u32 = argument(0, "10000").parse().expect("a number of games");
    let start = start(argument(1, "10"));
    let seed: u64 = argument(2, "1").parse().expect("a seed");
    let mut random = Seed(seed).random(Purpose::Chance);
    let (mut turns, mut first_wins) = (0_u64, 0);
    for _ in 0..games {
        let mut position = start.clone();
        while let Some(chosen) = position.staged_move(&mut random) {
            position.play_unchecked(chosen);
            turns += 1;
        }
        first_wins += u32::from(position.to_move() != start.to_move());
    }
    println!("games={games} turns={turns} first_wins={first_wins}");
}
