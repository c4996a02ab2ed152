//! Every reference opponent of a game against every other, in pairs of games with the seats
//! swapped.

use indicatif::{ParallelProgressIterator, ProgressBar};
use judge_core::Seed;
use rayon::ThreadPool;
use rayon::prelude::*;

use super::play::{GameSetting, PlayError};
use super::tally::{GamePair, SeedTally};

/// A round robin to play.
pub(super) struct RoundRobin {
    /// The game and its rules.
    pub(super) setting: GameSetting,
    /// Pairs of games per two players.
    pub(super) pairs: u64,
    /// Seed of the first pair; later pairs have the next seeds. All meetings use the same seeds.
    pub(super) seed: u64,
}

/// Two players, the one listed as stronger first, and their games.
pub(super) struct NamedMeeting {
    /// Positions in the game's list of opponents.
    pub(super) players: [usize; 2],
    /// Their names.
    pub(super) names: [&'static str; 2],
    /// The sums of their games.
    pub(super) tally: SeedTally,
}

impl RoundRobin {
    /// Plays all games on the threads of the pool. The result does not depend on their number or
    /// speed.
    ///
    /// # Errors
    /// When an opponent failed; of several failures, the first in the order of games.
    pub(super) fn run(
        &self,
        threads: &ThreadPool,
        progress: &ProgressBar,
    ) -> Result<Vec<NamedMeeting>, PlayError> {
        let mut meetings = self.meetings();
        let games: Vec<([&str; 2], Seed)> = meetings
            .iter()
            .flat_map(|meeting| self.seeds().map(|seed| (meeting.names, seed)))
            .collect();
        progress.set_length(games.len() as u64);
        let play = |(names, seed): &([&str; 2], Seed)| self.pair(*names, *seed);
        let played: Vec<Result<GamePair, PlayError>> = threads
            .install(|| games.par_iter().progress_with(progress.clone()).map(play).collect());
        let mut played = played.into_iter();
        for meeting in &mut meetings {
            for pair in played.by_ref().take(self.seeds().count()) {
                meeting.tally.add(&pair?);
            }
        }
        Ok(meetings)
    }

    /// The meetings, without any games yet.
    fn meetings(&self) -> Vec<NamedMeeting> {
        let opponents = self.setting.game.opponents();
        let all = (0..opponents.len()).flat_map(|one| (0..one).map(move |other| [one, other]));
        all.map(|players| NamedMeeting {
            players,
            names: players.map(|player| opponents[player].name),
            tally: SeedTally::default(),
        })
        .collect()
    }

    fn seeds(&self) -> impl Iterator<Item = Seed> {
        (0..self.pairs).map(|pair| Seed(self.seed.wrapping_add(pair)))
    }

    fn pair(&self, names: [&str; 2], seed: Seed) -> Result<GamePair, PlayError> {
        let [one, other] = names;
        Ok([self.setting.play([one, other], seed)?, self.setting.play([other, one], seed)?])
    }
}
