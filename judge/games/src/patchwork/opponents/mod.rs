//! The reference opponents: players that speak the protocol's lines like any bot.

mod first;
mod greedy;
mod random;

use judge_core::{Player, PlayerFault, Purpose, Verdict};

use super::lines::Line;
use super::{Circle, Move, Position, Rules, options, split_moves};
use crate::OpponentInfo;

/// From weak to strong.
pub(super) static OPPONENTS: [OpponentInfo; 3] = [
    OpponentInfo {
        name: "random",
        summary: "makes any legal move, each distinct one as likely as the others",
        create: |seat, seed| speaker(random::Random::new(seed.random(Purpose::Opponent(seat)))),
    },
    OpponentInfo {
        name: "first",
        summary: "buys the first patch on offer that it can, and lays it as far up and left",
        create: |_, _| speaker(first::First),
    },
    OpponentInfo {
        name: "greedy",
        summary: "buys the patch with the best gain for its time, and lays it snugly",
        create: |_, _| speaker(greedy::Greedy),
    },
];

/// How an opponent plays, without the lines.
trait Strategy {
    /// A legal move; `None` when there is none, which never happens when asked.
    fn choose(&mut self, position: &Position) -> Option<Move>;
}

/// A strategy that reads and writes lines. It knows the game from the questions alone, and reads
/// of each only what is new.
struct Speaker<S> {
    strategy: S,
    rules: Rules,
    position: Option<Position>,
    /// Bytes of the text of the game that `position` already has.
    read: usize,
}

fn speaker<S: Strategy + 'static>(strategy: S) -> Box<dyn Player> {
    Box::new(Speaker { strategy, rules: Rules::default(), position: None, read: 0 })
}

impl<S: Strategy> Speaker<S> {
    /// Sets out the circle; `None` when the text is no circle.
    fn begin(&mut self, circle: &str) -> Option<()> {
        let circle: Circle = circle.parse().ok()?;
        (self.position, self.read) = (Some(Position::new(self.rules, circle)), 0);
        Some(())
    }

    /// Follows the game so far and makes a move; `None` when the game makes no sense.
    fn choose(&mut self, game: &str) -> Option<Move> {
        let position = self.position.as_mut()?;
        for token in split_moves(game.get(self.read..)?) {
            position.play(token.parse().ok()?).ok()?;
        }
        self.read = game.len();
        self.strategy.choose(position)
    }
}

impl<S: Strategy> Player for Speaker<S> {
    fn notice(&mut self, line: &str) -> Result<Option<u64>, PlayerFault> {
        match Line::read(line) {
            Some(Line::Greeting(facts)) => self.rules = options::read_facts(facts),
            Some(Line::Circle(circle)) => self.begin(circle).ok_or_else(|| lost(line))?,
            Some(Line::Other) => {}
            _ => return Err(lost(line)),
        }
        Ok(None)
    }

    fn ask(&mut self, line: &str, answer: &mut String) -> Result<Option<u64>, PlayerFault> {
        let Some(Line::Question(game)) = Line::read(line) else { return Err(lost(line)) };
        self.choose(game).ok_or_else(|| lost(line))?.write_to(answer);
        Ok(None)
    }
}

/// The line makes no sense to the opponent: then the judge is broken, not a bot.
fn lost(line: &str) -> PlayerFault {
    PlayerFault::new(Verdict::JudgeError, format!("a reference opponent cannot follow: `{line}`"))
}
