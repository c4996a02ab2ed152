//! Agamemnon: a trait with the questions of the game, on the referee's own rules.
//!
//! ```
//! use judge_bot::agamemnon::{Action, Brain, Question, score};
//!
//! /// Takes the first action that wins the most edges at once.
//! #[derive(Default)]
//! struct Eager;
//!
//! impl Brain for Eager {
//!     fn action(&mut self, question: &Question) -> Action {
//!         let (board, position) = (&question.state.board, &question.state.position);
//!         let own = position.to_move().index();
//!         let mut best = None;
//!         position.for_each_action(board, &question.drawn, |action| {
//!             let mut after = *position;
//!             after.play_unchecked(board, action);
//!             let won = score(board, &after)[own];
//!             if best.is_none_or(|(most, _)| won > most) {
//!                 best = Some((won, *action));
//!             }
//!         });
//!         best.expect("there is always an empty node").1
//!     }
//! }
//!
//! judge_bot::agamemnon_bot!(Eager, name: "eager", author: "me");
//! ```

pub use judge_core::{Options, Seat};
pub use judge_games::agamemnon::{
    Action, Bag, Board, BoardChoice, Draw, Edge2428, EdgeType, EdgeTypes, FateString, Kind, Links,
    Mapping, Placed, Placement, Position, Redraw, Rules, State, Turn, score, score_by_type,
    strings,
};

use crate::Bot;
use crate::greeting;

/// The question for an action: the drawn tiles, and the whole public state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// The tiles to place, in the order in which they were drawn.
    pub drawn: Draw,
    /// Board, tiles and types of the edges.
    pub state: State,
}

/// An Agamemnon player. A new one is made (by `Default`) for each round.
pub trait Brain {
    /// The seat and the rules of this testcase; comes once, before everything else.
    fn rules(&mut self, seat: Seat, rules: &Rules) {
        let _ = (seat, rules);
    }

    /// The board before the first tile.
    fn board(&mut self, state: &State) {
        let _ = state;
    }

    /// The other side's last action.
    fn opponent(&mut self, action: &Action) {
        let _ = action;
    }

    /// True to put a Weft or a Warp back and draw another tile. The state is the board after all
    /// actions so far; the other drawn tile is not known yet.
    fn put_back(&mut self, weaver: Kind) -> bool {
        let _ = weaver;
        false
    }

    /// The action for the drawn tiles; exactly these must be placed, in either order.
    fn action(&mut self, question: &Question) -> Action;
}

/// A [`Brain`] as a [`Bot`].
#[derive(Debug, Default)]
pub struct Adapter<B>(B);

impl<B: Brain> Bot for Adapter<B> {
    fn line(&mut self, line: &str, answer: &mut String) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        // Lines that cannot come from the judge are ignored.
        match word {
            "move?" => {
                if let Some(question) = question(rest) {
                    answer.push_str(&self.0.action(&question).to_string());
                }
            }
            "redraw?" => {
                let weaver = rest.bytes().next().and_then(Kind::from_letter);
                let put_back = weaver.is_some_and(|weaver| self.0.put_back(weaver));
                answer.push_str(if put_back { "yes" } else { "no" });
            }
            "opponent" => {
                if let Ok(action) = rest.parse() {
                    self.0.opponent(&action);
                }
            }
            "edges" => {
                if let Ok(state) = State::parse("", rest) {
                    self.0.board(&state);
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

/// Reads `<drawn kinds> <tiles, or -> <edges>`.
fn question(rest: &str) -> Option<Question> {
    let mut words = rest.split(' ');
    let drawn = words.next()?.parse().ok()?;
    let tiles = words.next().map(|tiles| if tiles == "-" { "" } else { tiles })?;
    let state = State::parse(tiles, words.next()?).ok()?;
    Some(Question { drawn, state })
}

/// Exports a type that implements [`Brain`] and [`Default`] as the module's bot.
#[macro_export]
macro_rules! agamemnon_bot {
    ($brain:ty, name: $name:literal, author: $author:literal) => {
        $crate::bot!(
            <$crate::agamemnon::Adapter<$brain> as Default>::default(),
            game: "agamemnon",
            name: $name,
            author: $author
        );
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use judge_games::agamemnon::STANDARD_EDGES;

    #[derive(Default)]
    struct Witness {
        rules: Option<(Seat, Rules)>,
        edges: usize,
        opponent: Option<Action>,
    }

    impl Brain for Witness {
        fn rules(&mut self, seat: Seat, rules: &Rules) {
            self.rules = Some((seat, *rules));
        }
        fn board(&mut self, state: &State) {
            self.edges = state.board.edges();
        }
        fn opponent(&mut self, action: &Action) {
            self.opponent = Some(*action);
        }
        fn put_back(&mut self, weaver: Kind) -> bool {
            weaver == Kind::Warp
        }
        fn action(&mut self, question: &Question) -> Action {
            let State { board, position } = &question.state;
            let mut last = None;
            position.for_each_action(board, &question.drawn, |action| last = Some(*action));
            last.unwrap()
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
        let greeting = "game agamemnon seat 2 board=loom mapping=SLFE redraw=auto";
        assert_eq!(ask(&mut bot, greeting), "");
        let (seat, rules) = bot.0.rules.unwrap();
        assert_eq!((seat, rules.board, rules.redraw), (Seat::Two, BoardChoice::Loom, Redraw::Auto));
        assert_eq!(ask(&mut bot, &format!("edges {STANDARD_EDGES}")), "");
        assert_eq!(bot.0.edges, 49);
        assert_eq!(ask(&mut bot, "opponent Oj151020"), "");
        assert_eq!(bot.0.opponent, "Oj151020".parse().ok());
        assert_eq!(ask(&mut bot, "redraw? i"), "no");
        assert_eq!(ask(&mut bot, "redraw? j"), "yes");
        assert_eq!(ask(&mut bot, &format!("move? f - {STANDARD_EDGES}")), "Of31");
        assert_eq!(ask(&mut bot, &format!("move? fg Of31 {STANDARD_EDGES}")), "Bg30Bf29");
        assert_eq!(ask(&mut bot, "end win 31 14"), "");
    }

    #[test]
    fn malformed_lines_are_ignored() {
        let mut bot = Adapter::<Witness>::default();
        for line in ["", "move?", "move? f", "move? z - S0001", "opponent x", "edges 1", "game"] {
            assert_eq!(ask(&mut bot, line), "", "{line}");
        }
        assert!(bot.0.opponent.is_none() && bot.0.edges == 0);
    }
}
