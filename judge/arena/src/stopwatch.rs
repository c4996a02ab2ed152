//! A player that measures the duration of its calls. For display only; no verdict depends on it.

use std::time::{Duration, Instant};

use judge_core::{Player, PlayerFault, Usage};

/// Passes calls on and adds up the time inside.
pub(crate) struct Stopwatch<P> {
    player: P,
    pub(crate) elapsed: Duration,
}

impl<P> Stopwatch<P> {
    pub(crate) fn new(player: P) -> Stopwatch<P> {
        Stopwatch { player, elapsed: Duration::ZERO }
    }
}

impl<P: Player> Player for Stopwatch<P> {
    fn notice(&mut self, line: &str) -> Result<Option<u64>, PlayerFault> {
        let start = Instant::now();
        let result = self.player.notice(line);
        self.elapsed += start.elapsed();
        result
    }

    fn ask(&mut self, line: &str, answer: &mut String) -> Result<Option<u64>, PlayerFault> {
        let start = Instant::now();
        let result = self.player.ask(line, answer);
        self.elapsed += start.elapsed();
        result
    }

    fn usage(&mut self) -> Usage {
        self.player.usage()
    }
}
