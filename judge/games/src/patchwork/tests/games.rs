//! Shared parts of this folder's tests: positions, and games between opponents.

use judge_core::{Options, Seat, Seed};

use crate::Game as _;
use crate::conformance::{Played, play};
use crate::patchwork::{GAME, Position, Rules, parse_moves};

/// The circle of the seed's first example.
pub(in crate::patchwork) const CIRCLE: &str = "agCUfWABQDOdMbZEGVLcFeHSIJNTXKPYR";

/// The start with that circle under the default rules.
pub(in crate::patchwork) fn start() -> Position {
    after(CIRCLE, "")
}

/// The position after these moves under the default rules.
pub(in crate::patchwork) fn after(circle: &str, moves: &str) -> Position {
    let mut position = Position::new(Rules::default(), circle.parse().expect("a circle"));
    for made in parse_moves(moves).expect("moves") {
        position.play(made).expect("a legal move");
    }
    position
}

/// A game of two opponents, by name.
pub(in crate::patchwork) fn between(names: [&str; 2], seed: Seed) -> Played {
    let mut match_ = GAME.start(&Options::new(), seed).expect("default options");
    let [mut one, mut two] = [0, 1].map(|at| {
        let named = |opponent: &&crate::OpponentInfo| opponent.name == names[at];
        let info = GAME.opponents().iter().find(named).expect("a known name");
        (info.create)(Seat::BOTH[at], seed)
    });
    play(&mut *match_, &mut [&mut one, &mut two]).expect("sound opponents")
}
