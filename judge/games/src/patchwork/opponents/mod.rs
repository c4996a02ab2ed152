//! The reference opponents: players that speak the protocol's lines like any bot.

mod first;
mod greedy;
mod random;
mod search;

use judge_core::{Player, PlayerFault, Purpose, Verdict};

use super::lines::Line;
use super::{Circle, Move, Position, Rules, options, split_moves};
use crate::OpponentInfo;

/// From weak to strong.
pub(super) static OPPONENTS: [OpponentInfo; 4] = [
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
    OpponentInfo {
        name: "search",
        summary: "looks several moves ahead, 120 positions for each answer",
        create: |_, _| speaker(search::Search),
    },
];

/// An opponent's way of playing, without the lines.
trait Strategy {
    /// A legal move; `None` when there is none, which no question allows.
    fn choose(&mut self, position: &Position) -> Option<Move>;
}

/// A strategy that reads and writes lines. It knows the game only from the questions, and reads
/// only the new part of each.
struct Speaker<S> {
    strategy: S,
    rules: Rules,
    position: Option<Position>,
    /// Bytes of the game's text that `position` already includes.
    read: usize,
}

fn speaker<S: Strategy + 'static>(strategy: S) -> Box<dyn Player> {
    Box::new(Speaker { strategy, rules: Rules::default(), position: None, read: 0 })
}

impl<S: Strategy> Speaker<S> {
    /// Sets out the circle; `None` when the text is not a circle.
    fn begin(&mut self, circle: &str) -> Option<()> {
        let circle: Circle = circle.parse().ok()?;
        (self.position, self.read) = (Some(Position::new(self.rules, circle)), 0);
        Some(())
    }

    /// Follows the game so far and makes a move; `None` when the game is invalid.
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

/// The error for a line that the opponent does not understand: a fault of the judge, not of a bot.
fn lost(line: &str) -> PlayerFault {
    PlayerFault::new(Verdict::JudgeError, format!("a reference opponent cannot follow: `{line}`"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patchwork::tests::games::{CIRCLE, between};
    use judge_core::{Seat, Seed};

    fn opponent(name: &str) -> Box<dyn Player> {
        let info = OPPONENTS.iter().find(|info| info.name == name).expect("a known name");
        (info.create)(Seat::One, Seed(1))
    }

    fn names() -> [&'static str; OPPONENTS.len()] {
        std::array::from_fn(|index| OPPONENTS[index].name)
    }

    #[test]
    fn malformed_lines_are_a_judge_error() {
        for name in names() {
            let mut player = opponent(name);
            assert!(player.ask("move? -", &mut String::new()).is_err(), "{name}: no circle yet");
            for line in ["", "circle", "circle ABC", "move? -", "hello all"] {
                let fault = player.notice(line).expect_err("no notice");
                assert_eq!(fault.verdict, Verdict::JudgeError, "{name}: {line}");
            }
            player.notice(&format!("circle {CIRCLE}")).expect("a circle");
            for line in ["move?", "move? AAAA", "move? ..x", "circle -", "win? -"] {
                assert!(player.ask(line, &mut String::new()).is_err(), "{name}: {line}");
            }
        }
    }

    #[test]
    fn answers_depend_only_on_the_question() {
        let game = between(["greedy", "random"], Seed(3));
        let [own, other] = [Seat::One, Seat::Two]
            .map(|seat| game.exchanges.iter().filter(move |exchange| exchange.seat == seat));
        let circle = &other.take(1).next().expect("a circle").line;
        for exchange in own.filter(|exchange| exchange.answer.is_some()) {
            let (mut fresh, mut answer) = (opponent("greedy"), String::new());
            fresh.notice(circle).expect("the circle");
            fresh.ask(&exchange.line, &mut answer).expect("a question");
            assert_eq!(Some(answer), exchange.answer);
        }
    }

    /// Games that each of two opponents wins, from both seats.
    fn wins(names: [&str; 2], seeds: std::ops::RangeInclusive<u64>) -> [usize; 2] {
        let mut wins = [0; 2];
        for seed in seeds {
            for swapped in [false, true] {
                let seats = if swapped { [names[1], names[0]] } else { names };
                let winner = between(seats, Seed(seed)).outcome.winner.expect("never a draw");
                wins[winner.index() ^ usize::from(swapped)] += 1;
            }
        }
        wins
    }

    #[test]
    fn opponents_are_listed_from_weak_to_strong() {
        for pair in names().windows(2) {
            let [weak, strong] = wins([pair[0], pair[1]], 1..=6);
            assert!(strong > 2 * weak, "{pair:?}: {weak} to {strong}");
        }
    }
}
