//! Capturing & Conquering: a trait for a player, on the referee's own rules.
//!
//! ```
//! use std::ops::ControlFlow;
//!
//! use judge_bot::cc::{Brain, Path, Position, visit_paths};
//!
//! /// Takes a man when it can.
//! #[derive(Default)]
//! struct Taker;
//!
//! impl Brain for Taker {
//!     fn choose(&mut self, position: &Position) -> Path {
//!         let mut chosen = None;
//!         let _ = visit_paths(position, |path, change| {
//!             chosen = Some(*path);
//!             if change.captured.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
//!         });
//!         chosen.expect("a question has an answer")
//!     }
//! }
//!
//! judge_bot::cc_bot!(Taker, name: "taker", author: "me");
//! ```

use std::fmt::Write as _;

pub use judge_core::Seat;
pub use judge_games::cc::{
    Breach, Change, Ending, IllegalPath, Path, Position, Rules, Square, Squares, changes, perft,
    visit_paths,
};

use crate::Bot;
use crate::greeting;

/// A player of Capturing & Conquering. A new one is made (by `Default`) for each round.
pub trait Brain {
    /// The own seat and the rules of this testcase; comes once, before the first question.
    fn rules(&mut self, seat: Seat, rules: &Rules) {
        let _ = (seat, rules);
    }

    /// A move of the side on turn, which is the own side. There always is one.
    fn choose(&mut self, position: &Position) -> Path;

    /// The opponent's move. The next question shows its result.
    fn opponent(&mut self, path: &Path) {
        let _ = path;
    }
}

/// A [`Brain`] as a [`Bot`].
#[derive(Debug, Default)]
pub struct Adapter<B>(B);

impl<B: Brain> Bot for Adapter<B> {
    fn line(&mut self, line: &str, answer: &mut String) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "move?" => self.choose(rest, answer),
            "opponent" => {
                if let Ok(path) = rest.parse() {
                    self.0.opponent(&path);
                }
            }
            "game" => {
                if let Some((seat, rules)) = greeting::rules(rest, Rules::from_options) {
                    self.0.rules(seat, &rules);
                }
            }
            _ => {}
        }
    }
}

impl<B: Brain> Adapter<B> {
    fn choose(&mut self, position: &str, answer: &mut String) {
        if let Ok(position) = position.parse() {
            // Writing into a string cannot fail.
            let _ = write!(answer, "{}", self.0.choose(&position));
        }
    }
}

/// Exports a type that implements [`Brain`] and [`Default`] as the module's bot.
#[macro_export]
macro_rules! cc_bot {
    ($brain:ty, name: $name:literal, author: $author:literal) => {
        $crate::bot!(
            <$crate::cc::Adapter<$brain> as Default>::default(),
            game: "cc",
            name: $name,
            author: $author
        );
    };
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;

    #[derive(Default)]
    struct Witness {
        told: Vec<String>,
    }

    impl Brain for Witness {
        fn rules(&mut self, seat: Seat, rules: &Rules) {
            let size = rules.start().size();
            self.told.push(format!("{seat} {size} {} {}", rules.opening, rules.max_plies));
        }
        fn choose(&mut self, position: &Position) -> Path {
            let mut last = None;
            let _ = visit_paths(position, |path, _| {
                last = Some(*path);
                ControlFlow::Continue(())
            });
            last.unwrap()
        }
        fn opponent(&mut self, path: &Path) {
            self.told.push(path.to_string());
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
        assert_eq!(ask(&mut bot, "game cc seat 2 size=5 opening=3 max_plies=400"), "");
        let question = "move? 101000000000011000000000000001100000001000000000000";
        assert_eq!(ask(&mut bot, question), "2,4>4,2");
        assert_eq!(ask(&mut bot, "opponent 0,1>2,3>2,5"), "");
        assert_eq!(bot.0.told, ["2 5 3 400", "0,1>2,3>2,5"]);
        assert_eq!(ask(&mut bot, "end win 2 0"), "");
    }

    #[test]
    fn unknown_lines_cause_no_callback() {
        let mut bot = Adapter::<Witness>::default();
        for line in
            ["", "game cc", "game cc seat 3", "game cc seat 1 size=4", "move? 0", "opponent 1"]
        {
            assert_eq!(ask(&mut bot, line), "", "{line}");
        }
        assert!(bot.0.told.is_empty());
    }
}
