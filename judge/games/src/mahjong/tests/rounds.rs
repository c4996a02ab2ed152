//! Rounds for the tests of displays, played by opponents that are good enough to win.

use judge_core::{Options, Player, Seat, Seed};

use crate::mahjong::{GAME, Round, Rules, Wall, opponents};
use crate::{Game as _, GameState, Step, next_question};

/// A round with default options in this state, at its question or end.
pub(in crate::mahjong) fn resumed(state: &str) -> Box<dyn GameState> {
    let mut resumed = GAME.resume(&Options::new(), Seed(1), state).expect("a state");
    next_question(&mut *resumed, &mut String::new());
    resumed
}

/// The message that refuses a state.
pub(in crate::mahjong) fn refused(state: &str) -> String {
    GAME.resume(&Options::new(), Seed(1), state).err().expect("no state").to_string()
}

/// Plays the round of a seed, both sides by the best opponent. Visits every question and the end.
/// With `declines` neither side claims a win, and the wall runs empty.
pub(in crate::mahjong) fn each_question(seed: u64, declines: bool, mut visit: impl FnMut(&Round)) {
    let best = opponents::OPPONENTS.last().expect("some opponent");
    let mut players = Seat::BOTH.map(|seat| (best.create)(seat, Seed(seed)));
    let mut round = Round::new(Rules::default(), Wall::shuffled(Seed(seed)));
    loop {
        let mut line = String::new();
        match round.step(&mut line) {
            Step::Tell(seat) => {
                players[seat.index()].notice(&line).expect("a sound opponent");
            }
            Step::Ask(seat) => {
                visit(&round);
                let mut answer = String::new();
                players[seat.index()].ask(&line, &mut answer).expect("a sound opponent");
                let declined = answer == "yes" && declines;
                round.answer(if declined { "no" } else { &answer }).expect("a legal answer");
            }
            Step::End(_) => return visit(&round),
        }
    }
}
