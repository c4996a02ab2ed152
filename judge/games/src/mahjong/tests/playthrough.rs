//! Whole rounds, compared with those of an independent program in another language.

use judge_core::{Options, Seat, Seed};

use crate::Game as _;
use crate::conformance::{Played, play};
use crate::mahjong::GAME;

const SEED: Seed = Seed(2022);

/// A round of two opponents, by name.
pub(in crate::mahjong) fn between(names: [&str; 2], seed: Seed) -> Played {
    let mut match_ = GAME.start(&Options::new(), seed).expect("default options");
    let [mut one, mut two] = [0, 1].map(|at| {
        let named = |opponent: &&crate::OpponentInfo| opponent.name == names[at];
        let info = GAME.opponents().iter().find(named).expect("a known name");
        (info.create)(Seat::BOTH[at], seed)
    });
    play(&mut *match_, &mut [&mut one, &mut two]).expect("sound opponents")
}

/// The lines of a round as text: the seat, its notice or question, and its answer.
fn text(played: &Played) -> String {
    let [one, two] = played.outcome.scores;
    let mut lines = vec![format!("# seed {SEED}, seat 1 straightforward, seat 2 random")];
    lines.extend(played.exchanges.iter().map(|exchange| match &exchange.answer {
        None => format!("{} {}", exchange.seat, exchange.line),
        Some(answer) => format!("{} {} -> {answer}", exchange.seat, exchange.line),
    }));
    lines.push(format!("# {}: {one} to {two}\n", played.outcome.reason));
    lines.join("\n")
}

#[test]
fn a_round_equals_the_reference_implementation_line_by_line() {
    let played = between(["straightforward", "random"], SEED);
    assert_eq!(text(&played), include_str!("../golden/playthrough.txt"));
}

#[test]
fn a_hundred_rounds_end_as_in_the_reference_implementation() {
    let golden = include_str!("../golden/rounds.txt");
    for line in golden.lines().filter(|line| !line.starts_with('#')) {
        let (seed, _) = line.split_once(':').expect("a seed first");
        let played = between(["straightforward", "random"], Seed(seed.parse().expect("a number")));
        let [one, two] = played.outcome.scores;
        assert_eq!(format!("{seed}: {}: {one} to {two}", played.outcome.reason), line);
    }
}
