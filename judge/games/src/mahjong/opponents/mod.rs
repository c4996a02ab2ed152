//! The reference opponents: players that speak the protocol's lines like any bot.

mod nearest;
mod random;
mod straightforward;

use judge_core::{Player, PlayerFault, Purpose, Verdict};

use super::Tile;
use super::lines::Line;
use crate::OpponentInfo;

/// From weak to strong.
pub(super) static OPPONENTS: [OpponentInfo; 3] = [
    OpponentInfo {
        name: "random",
        summary: "throws a random one of its 14 tiles and never claims a win",
        create: |seat, seed| {
            Box::new(Speaker(random::Random::new(seed.random(Purpose::Opponent(seat)))))
        },
    },
    OpponentInfo {
        name: "straightforward",
        summary: "throws its largest tile and always claims a win",
        create: |_, _| Box::new(Speaker(straightforward::Straightforward::default())),
    },
    OpponentInfo {
        name: "distance",
        summary: "throws the tile that keeps it nearest to ready and always claims a win",
        create: |_, _| Box::new(Speaker(nearest::Nearest::default())),
    },
];

/// An opponent's way of playing, without the lines.
trait Strategy {
    /// Answer to every question whether to win.
    const CLAIMS: bool;

    /// A tile comes to the hand.
    fn drew(&mut self, tile: Tile);

    /// The other side threw a tile.
    fn saw(&mut self, _tile: Tile) {}

    /// Throws a tile of the hand; `None` when the hand is empty.
    fn throw(&mut self) -> Option<Tile>;
}

/// A strategy that reads and writes lines.
struct Speaker<S>(S);

impl<S: Strategy> Player for Speaker<S> {
    fn notice(&mut self, line: &str) -> Result<Option<u64>, PlayerFault> {
        match Line::read(line) {
            Some(Line::Draw(tile)) => self.0.drew(tile),
            Some(Line::Opponent(tile)) => self.0.saw(tile),
            Some(Line::Frame) => {}
            _ => return Err(lost(line)),
        }
        Ok(None)
    }

    fn ask(&mut self, line: &str, answer: &mut String) -> Result<Option<u64>, PlayerFault> {
        answer.push_str(match Line::read(line) {
            Some(Line::Win) => {
                if S::CLAIMS {
                    "yes"
                } else {
                    "no"
                }
            }
            Some(Line::Discard) => self.0.throw().ok_or_else(|| lost(line))?.name(),
            _ => return Err(lost(line)),
        });
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
    use crate::mahjong::tests::playthrough::between;
    use judge_core::{Seat, Seed};

    /// An opponent after these lines.
    fn told(name: &str, lines: &[&str]) -> Box<dyn Player> {
        let info = OPPONENTS.iter().find(|info| info.name == name).expect("a known name");
        let mut player = (info.create)(Seat::One, Seed(1));
        for line in lines {
            player.notice(line).expect("a line of the protocol");
        }
        player
    }

    fn answer(player: &mut dyn Player, question: &str) -> String {
        let mut answer = String::new();
        player.ask(question, &mut answer).expect("a question of the protocol");
        answer
    }

    #[test]
    fn opponents_claim_wins_as_documented() {
        for (name, claim) in [("random", "no"), ("straightforward", "yes"), ("distance", "yes")] {
            let mut player = told(name, &["game mahjong seat 1 void_suit=false", "draw 1b"]);
            assert_eq!(answer(&mut player, "win? 1b self"), claim);
            assert_eq!(answer(&mut player, "win? 1b discard"), claim);
            assert_eq!(answer(&mut player, "discard?"), "1b");
            player.notice("end draw 0 0").expect("the farewell");
        }
    }

    #[test]
    fn malformed_lines_are_a_judge_error() {
        for name in OPPONENTS.iter().map(|info| info.name) {
            let mut player = told(name, &[]);
            for line in ["draw 0b", "discard?", "hello", ""] {
                let fault = player.notice(line).expect_err("no notice");
                assert_eq!(fault.verdict, Verdict::JudgeError, "{name}: {line}");
            }
            for line in ["discard?", "draw 1b", "move?"] {
                assert!(player.ask(line, &mut String::new()).is_err(), "{name}: {line}");
            }
        }
    }

    #[test]
    fn opponents_are_listed_from_weak_to_strong() {
        let total = |names| -> i64 {
            let scores = (1..=60).map(|seed| between(names, Seed(seed)).outcome.scores[0]);
            scores.sum()
        };
        let totals = OPPONENTS.iter().map(|info| total([info.name, "random"]));
        let totals: Vec<i64> = totals.collect();
        assert!(totals.is_sorted_by(|weak, strong| weak < strong), "{totals:?}");
    }
}
