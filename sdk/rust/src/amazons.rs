//! The Game of the Amazons: a trait that takes positions and returns moves, on the referee's own
//! rules.
//!
//! ```
//! use judge_bot::amazons::{Brain, Move, Position};
//!
//! /// Plays the move that leaves its amazons most squares to go to.
//! #[derive(Default)]
//! struct Mobile;
//!
//! impl Brain for Mobile {
//!     fn choose(&mut self, position: &Position) -> Move {
//!         let mut best = None;
//!         let mut after = position.clone();
//!         position.each_move(|candidate| {
//!             after.play_unchecked(candidate);
//!             let mobility = after.mobility(position.to_move());
//!             after.undo(candidate);
//!             if best.is_none_or(|(most, _)| mobility > most) {
//!                 best = Some((mobility, candidate));
//!             }
//!         });
//!         best.expect("a question has an answer").1
//!     }
//! }
//!
//! judge_bot::amazons_bot!(Mobile, name: "mobile", author: "me");
//!
//! let start: Position = "1b2/3b/w3/2w1 w".parse()?;
//! assert_eq!(Mobile.choose(&start).to_string(), "c1-c3/c1");
//! # Ok::<(), judge_bot::amazons::NotationError>(())
//! ```

pub use judge_core::Seat;
pub use judge_games::amazons::{
    Direction, Move, MoveError, NotationError, Position, Reach, Side, Square, SquareSet, Squares,
    Territory, estimate, perft, reached_first,
};

use crate::Bot;
use crate::greeting::Greeting;

/// The rules of a testcase, as in the greeting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rules {
    /// Columns, which are as many as rows.
    pub size: u8,
    /// Squares of White's and Black's amazons before the opening.
    pub starts: [Vec<Square>; 2],
    /// Random plies before the first question.
    pub opening: u8,
}

/// A player. A new one is made (by `Default`) for each round.
pub trait Brain {
    /// The seat and the rules of this testcase; comes once, before all else. Seat 1 plays White.
    fn rules(&mut self, seat: Seat, rules: &Rules) {
        let _ = (seat, rules);
    }

    /// A move of the other side. The next position includes it, so a bot may ignore it.
    fn opponent(&mut self, played: Move) {
        let _ = played;
    }

    /// The move to play; the bot is on turn and can move.
    fn choose(&mut self, position: &Position) -> Move;
}

/// A [`Brain`] as a [`Bot`].
#[derive(Debug, Default)]
pub struct Adapter<B>(B);

impl<B: Brain> Bot for Adapter<B> {
    fn line(&mut self, line: &str, answer: &mut String) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "move?" => {
                if let Ok(position) = rest.parse() {
                    *answer += &self.0.choose(&position).to_string();
                }
            }
            "opponent" => {
                if let Ok(played) = rest.parse() {
                    self.0.opponent(played);
                }
            }
            "game" => {
                if let Some((seat, rules)) = rules(rest) {
                    self.0.rules(seat, &rules);
                }
            }
            _ => {}
        }
    }
}

/// The seat and the rules of a greeting; the judge always sends all of them.
fn rules(greeting: &str) -> Option<(Seat, Rules)> {
    let Greeting { seat, options } = greeting.parse().ok()?;
    let squares = |key: &str| -> Option<Vec<Square>> {
        options.get(key)?.split(',').map(|square| square.parse().ok()).collect()
    };
    let rules = Rules {
        size: options.get("size")?.parse().ok()?,
        starts: [squares("white")?, squares("black")?],
        opening: options.get("opening")?.parse().ok()?,
    };
    Some((seat, rules))
}

/// Exports a type that implements [`Brain`] and [`Default`] as the module's bot.
#[macro_export]
macro_rules! amazons_bot {
    ($brain:ty, name: $name:literal, author: $author:literal) => {
        $crate::bot!(
            <$crate::amazons::Adapter<$brain> as Default>::default(),
            game: "amazons",
            name: $name,
            author: $author
        );
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Records all calls, and plays the first legal move.
    #[derive(Default)]
    struct Witness {
        rules: Option<(Seat, Rules)>,
        seen: Vec<Move>,
    }

    impl Brain for Witness {
        fn rules(&mut self, seat: Seat, rules: &Rules) {
            self.rules = Some((seat, rules.clone()));
        }
        fn opponent(&mut self, played: Move) {
            self.seen.push(played);
        }
        fn choose(&mut self, position: &Position) -> Move {
            position.nth_move(0).expect("a question has an answer")
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
        let greeting = "game amazons seat 2 size=4 white=a1 black=b1,b2,c3 opening=0";
        assert_eq!(ask(&mut bot, greeting), "");
        let squares =
            |texts: &[&str]| texts.iter().map(|text| text.parse().unwrap()).collect::<Vec<_>>();
        let starts = [squares(&["a1"]), squares(&["b1", "b2", "c3"])];
        let rules = Rules { size: 4, starts, opening: 0 };
        assert_eq!(bot.0.rules, Some((Seat::Two, rules)));
        assert_eq!(ask(&mut bot, "opponent a1-a2/a1"), "");
        assert_eq!(bot.0.seen, ["a1-a2/a1".parse().unwrap()]);
        assert_eq!(ask(&mut bot, "move? 4/2b1/wb2/xb2 b"), "b1-c1/d1");
        assert_eq!(ask(&mut bot, "end win 1 0"), "");
    }

    #[test]
    fn both_seats_are_distinguished() {
        let mut bot = Adapter::<Witness>::default();
        ask(&mut bot, "game amazons seat 1 size=4 white=a2,c1 black=b4,d3 opening=2");
        let (seat, rules) = bot.0.rules.unwrap();
        assert_eq!((seat, rules.opening), (Seat::One, 2));
    }

    #[test]
    fn unreadable_lines_are_ignored() {
        let mut bot = Adapter::<Witness>::default();
        for line in ["", "game amazons", "game amazons seat 1 size=10", "opponent d1", "move? 4/4"]
        {
            assert_eq!(ask(&mut bot, line), "");
        }
        assert_eq!((bot.0.rules, bot.0.seen.len()), (None, 0));
    }
}
