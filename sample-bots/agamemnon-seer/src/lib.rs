//! Agamemnon seer: values a turn by the tiles that may come next.
//!
//! A turn that wins most edges at once is often undone by the next one. So the seer
//!
//! 1. lists its actions with both tiles, the second one only after the better places of the
//!    first (`turn`);
//! 2. draws the next tiles of both sides from their bags, and lets each of them go where it is
//!    best at once: the reply, its own turn after it, and near the end all remaining turns;
//! 3. compares the leads after that, over more and more such futures for fewer and fewer
//!    candidates: each time the worse half is dropped (`choice`).
//!
//! It counts scores, not time, and its futures follow from the state, so its play is repeatable.
#![cfg_attr(target_family = "wasm", allow(unsafe_code))]

mod choice;
mod turn;

use judge_bot::agamemnon::{Action, Brain, Kind, Question};

/// The player.
#[derive(Default)]
pub struct Seer;

impl Brain for Seer {
    /// A weaver is worth more when there are strings to cut and to exchange.
    fn put_back(&mut self, _weaver: Kind) -> bool {
        true
    }

    fn action(&mut self, question: &Question) -> Action {
        choice::choose(question)
    }
}

judge_bot::agamemnon_bot!(Seer, name: "seer", author: "judge");
