//! The reference opponents: players that speak the protocol's lines like any bot, and know only
//! what their seat was told.

mod random;

use judge_core::{Player, PlayerFault, Purpose, Verdict};

use super::{Action, Draw, State};
use crate::OpponentInfo;

/// From weak to strong.
pub(super) static OPPONENTS: [OpponentInfo; 1] = [OpponentInfo {
    name: "random",
    summary: "plays any legal action, and puts weavers back as a coin falls",
    create: |seat, seed| {
        Box::new(Speaker(random::Random::new(seed.random(Purpose::Opponent(seat)))))
    },
}];

/// How an opponent plays, without the lines.
trait Strategy {
    /// Whether to put a weaver back.
    fn puts_back(&mut self) -> bool;

    /// A legal action with the drawn tiles; `None` when there is none.
    fn choose(&mut self, state: &State, draw: &Draw) -> Option<Action>;
}

/// A strategy that reads and writes lines.
struct Speaker<S>(S);

impl<S: Strategy> Player for Speaker<S> {
    fn notice(&mut self, line: &str) -> Result<Option<u64>, PlayerFault> {
        let known = ["game ", "end ", "edges ", "opponent "];
        if known.iter().any(|start| line.starts_with(start)) { Ok(None) } else { Err(lost(line)) }
    }

    fn ask(&mut self, line: &str, answer: &mut String) -> Result<Option<u64>, PlayerFault> {
        if ["redraw? i", "redraw? j"].contains(&line) {
            answer.push_str(if self.0.puts_back() { "yes" } else { "no" });
            return Ok(None);
        }
        let (state, draw) = read_move(line).ok_or_else(|| lost(line))?;
        let action = self.0.choose(&state, &draw).ok_or_else(|| lost(line))?;
        action.write(answer);
        Ok(None)
    }
}

/// Reads `move? <drawn kinds> <tiles, or -> <edges>`.
fn read_move(line: &str) -> Option<(State, Draw)> {
    let mut tokens = line.strip_prefix("move? ")?.split(' ');
    let draw = tokens.next()?.parse().ok()?;
    let tiles = tokens.next().map(|tiles| if tiles == "-" { "" } else { tiles })?;
    let state = State::parse(tiles, tokens.next()?).ok()?;
    tokens.next().is_none().then_some((state, draw))
}

/// The line makes no sense to the opponent: then the judge is broken, not a bot.
fn lost(line: &str) -> PlayerFault {
    PlayerFault::new(Verdict::JudgeError, format!("a reference opponent cannot follow: `{line}`"))
}
