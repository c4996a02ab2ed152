//! Patchwork: a trait that takes the whole position and returns a move, on the referee's own
//! rules.
//!
//! ```
//! use judge_bot::patchwork::{Brain, Move, Position};
//!
//! #[derive(Default)]
//! struct Spender;
//!
//! impl Brain for Spender {
//!     fn choose(&mut self, position: &Position) -> Move {
//!         let price = |made: &Move| match made {
//!             Move::Place(placement) => placement.patch.info().cost,
//!             Move::Advance => 0,
//!         };
//!         position.moves().max_by_key(price).expect("asked only when there is a move")
//!     }
//! }
//!
//! judge_bot::patchwork_bot!(Spender, name: "spender", author: "me");
//! ```

pub use judge_core::Seat;
use judge_games::patchwork::split_moves;
pub use judge_games::patchwork::{
    Circle, Move, Offer, Orientation, PATCHES, Patch, Placement, Position, Rules, SIDE, Shape,
    Side, Squares, shape, track,
};

use crate::Bot;
use crate::greeting;

/// A Patchwork player. A new one is made (by `Default`) for each round.
pub trait Brain {
    /// The seat and the rules of this testcase; comes once, before the circle.
    fn rules(&mut self, seat: Seat, rules: &Rules) {
        let _ = (seat, rules);
    }

    /// A move of the opponent; the position of the next question includes it, too.
    fn opponent(&mut self, made: Move) {
        let _ = made;
    }

    /// The move to make: one that [`Position::moves`] lists, for the side of [`Position::turn`]. A
    /// special patch that was earned is a separate question.
    fn choose(&mut self, position: &Position) -> Move;
}

/// A [`Brain`] as a [`Bot`]. It follows the game only through the questions, and reads only the new
/// part of each.
#[derive(Debug, Default)]
pub struct Adapter<B> {
    brain: B,
    rules: Rules,
    position: Option<Position>,
    /// Bytes of the game's text that the position already includes.
    read: usize,
}

impl<B: Brain> Bot for Adapter<B> {
    fn line(&mut self, line: &str, answer: &mut String) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "game" => self.greet(rest),
            "circle" => self.begin(rest),
            "opponent" => self.hear(rest),
            "move?" => self.answer(rest, answer),
            _ => {}
        }
    }
}

impl<B: Brain> Adapter<B> {
    fn greet(&mut self, text: &str) {
        if let Some((seat, rules)) = greeting::rules(text, Rules::from_options) {
            self.rules = rules;
            self.brain.rules(seat, &rules);
        }
    }

    fn begin(&mut self, circle: &str) {
        self.position = circle.parse().ok().map(|circle| Position::new(self.rules, circle));
        self.read = 0;
    }

    fn hear(&mut self, text: &str) {
        if let Ok(made) = text.parse() {
            self.brain.opponent(made);
        }
    }

    /// Leaves `answer` empty for a question that the judge never asks.
    fn answer(&mut self, game: &str, answer: &mut String) {
        if let Some(position) = self.follow(if game == "-" { "" } else { game }) {
            answer.push_str(&self.brain.choose(&position).to_string());
        }
    }

    /// The position after all moves of the text.
    fn follow(&mut self, game: &str) -> Option<Position> {
        let position = self.position.as_mut()?;
        for token in split_moves(game.get(self.read..)?) {
            position.play(token.parse().ok()?).ok()?;
        }
        self.read = game.len();
        self.position
    }
}

/// Exports a type that implements [`Brain`] and [`Default`] as the module's bot.
#[macro_export]
macro_rules! patchwork_bot {
    ($brain:ty, name: $name:literal, author: $author:literal) => {
        $crate::bot!(
            <$crate::patchwork::Adapter<$brain> as Default>::default(),
            game: "patchwork",
            name: $name,
            author: $author
        );
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Witness {
        seen: Vec<Move>,
        rules: Option<(Seat, Rules)>,
        times: Vec<[u8; 2]>,
    }

    impl Brain for Witness {
        fn rules(&mut self, seat: Seat, rules: &Rules) {
            self.rules = Some((seat, *rules));
        }
        fn opponent(&mut self, made: Move) {
            self.seen.push(made);
        }
        fn choose(&mut self, position: &Position) -> Move {
            self.times.push(Seat::BOTH.map(|seat| position.side(seat).time));
            position.moves().next().unwrap()
        }
    }

    fn ask(bot: &mut impl Bot, line: &str) -> String {
        let mut answer = String::new();
        bot.line(line, &mut answer);
        answer
    }

    #[test]
    fn lines_become_callbacks() {
        let mut bot = Adapter::<Witness>::default();
        assert_eq!(ask(&mut bot, "game patchwork seat 1 seven_by_seven=true"), "");
        assert_eq!(bot.brain.rules, Some((Seat::One, Rules { seven_by_seven: true })));
        assert_eq!(ask(&mut bot, "circle agCUfWABQDOdMbZEGVLcFeHSIJNTXKPYR"), "");
        assert_eq!(ask(&mut bot, "move? -"), "BAAA");
        assert_eq!(ask(&mut bot, "opponent QAAA"), "");
        assert_eq!(bot.brain.seen, ["QAAA".parse().unwrap()]);
        assert_eq!(ask(&mut bot, "move? BAAAQAAA"), "DCAA");
        assert_eq!(bot.brain.times, [[0, 0], [3, 6]]);
        assert_eq!(ask(&mut bot, "end win 38 0"), "");
    }

    #[test]
    fn the_position_has_the_rules_of_the_greeting() {
        let mut bot = Adapter::<Witness>::default();
        ask(&mut bot, "game patchwork seat 2 seven_by_seven=true");
        ask(&mut bot, "circle agCUfWABQDOdMbZEGVLcFeHSIJNTXKPYR");
        assert!(bot.position.unwrap().rules().seven_by_seven);
    }

    #[test]
    fn malformed_questions_get_no_answer() {
        let mut bot = Adapter::<Witness>::default();
        assert_eq!(ask(&mut bot, "move? -"), "");
        ask(&mut bot, "circle agCUfWABQDOdMbZEGVLcFeHSIJNTXKPYR");
        assert_eq!(ask(&mut bot, "move? AAAA"), "");
        assert_eq!(ask(&mut bot, "move? é"), "");
    }
}
