//! The request to record games, checked before the first game.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::PathBuf;

use judge_arena::Pairing;
use judge_core::{Limits, Listener, Options};
use judge_games::Game;
use judge_report::recording::RecordingFormat;

use crate::Error;
use crate::base::shard::Shard;
use crate::contest::{self, Players};

/// Maximum number of parts. Their numbers have five digits.
const MOST_PARTS: u64 = 100_000;

/// Games between two players to record.
#[derive(Debug, Clone)]
pub struct Request {
    /// The two players: reference opponents, `trained:TABLE`, or paths of modules. The same player
    /// twice means self-play.
    pub players: [String; 2],
    /// The game. Default: the one that the bots state.
    pub game: Option<String>,
    /// Rule switches.
    pub options: Options,
    /// Number of games.
    pub games: u64,
    /// Seed of the first game; later games have the following seeds.
    pub seed: u64,
    /// Each bot's limits in a game.
    pub limits: Limits,
    /// The folder of the recording.
    pub out: PathBuf,
    /// Formats to write.
    pub formats: Vec<RecordingFormat>,
    /// Number of games per file. An unfinished file is recorded again.
    pub part: u64,
    /// True to continue a recording and keep its files.
    pub resume: bool,
    /// The part of the files to make; all by default.
    pub shard: Option<Shard>,
}

impl Request {
    /// The formats without repetitions, in the order of the documentation.
    pub(super) fn formats(&self, game: &dyn Game) -> Result<Vec<RecordingFormat>, Error> {
        let formats = BTreeSet::from_iter(self.formats.iter().copied());
        for format in &formats {
            if format.only_game().is_some_and(|only| only != game.name()) {
                let (name, title) = (format.name(), game.title());
                let what = format!(
                    "`{name}` is a format of the original Patchwork project, but this is {title}"
                );
                return Err(Error::usage(what, "`--format jsonl,parquet`"));
            }
        }
        Ok(formats.into_iter().collect())
    }

    /// Finds the two players.
    pub(super) fn players(&self, events: &mut dyn Listener) -> Result<Players, Error> {
        Players::find(&self.players, self.game.as_deref(), events)
    }

    /// Checks that these two can play, and pairs them.
    pub(super) fn pairing(&self, players: &Players) -> Result<Pairing, Error> {
        contest::pair_up(players, self.options.clone(), self.seed, self.limits)
    }

    /// The range of games of each part.
    pub(super) fn parts(&self) -> Result<Vec<Range<u64>>, Error> {
        if self.part == 0 {
            return Err(Error::usage("a part must hold at least one game", "`--part 1000`"));
        }
        let count = self.games.div_ceil(self.part);
        if count > MOST_PARTS {
            let what = format!("{count} files are too many: at most {MOST_PARTS}");
            let hint = format!("`--part {}`, or more", self.games.div_ceil(MOST_PARTS));
            return Err(Error::usage(what, hint));
        }
        let part = |number: u64| number * self.part..self.games.min((number + 1) * self.part);
        Ok((0..count).map(part).collect())
    }
}
