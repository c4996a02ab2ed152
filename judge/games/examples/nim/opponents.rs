//! The reference opponents: players that read the same lines as any bot.

use judge_core::{Player, PlayerFault, Purpose, Random, Verdict};

use super::round::Heaps;
use crate::OpponentInfo;

/// From weak to strong.
pub(super) static OPPONENTS: [OpponentInfo; 1] = [OpponentInfo {
    name: "random",
    summary: "any legal move, each equally likely",
    create: |seat, seed| Box::new(Careless(seed.random(Purpose::Opponent(seat)))),
}];

/// Takes anything.
struct Careless(Random);

impl Player for Careless {
    fn notice(&mut self, _line: &str) -> Result<Option<u64>, PlayerFault> {
        Ok(None)
    }

    fn ask(&mut self, line: &str, answer: &mut String) -> Result<Option<u64>, PlayerFault> {
        let heaps = line.strip_prefix("move? ").and_then(Heaps::parse);
        let moves: Vec<_> = heaps.into_iter().flat_map(Heaps::moves).collect();
        let count = u32::try_from(moves.len()).unwrap_or(u32::MAX);
        if count == 0 {
            let detail = format!("a reference opponent cannot follow: `{line}`");
            return Err(PlayerFault::new(Verdict::JudgeError, detail));
        }
        answer.push_str(&moves[self.0.below(count) as usize].to_string());
        Ok(None)
    }
}
