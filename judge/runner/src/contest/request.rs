//! The part of a request that matches and tournaments share: the rounds to play, and the files to
//! write.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use judge_arena::{Pairing, Run};
use judge_core::{Limits, Listener, Options, Seed};
use judge_report::quoted;
use serde_json::Value;

use super::{Players, RoundTable, pair_up, seed, table};
use crate::Error;
use crate::base::address::seen_from;
use crate::base::files;
use crate::base::journal;
use crate::base::workers::Workers;

/// The rounds to play, with their conditions.
#[derive(Debug, Clone)]
pub struct ContestRequest {
    /// The game. Default: the one that the bots state.
    pub game: Option<String>,
    /// Rule switches that differ from the game's defaults.
    pub options: Options,
    /// Seed of the first pair; later pairs have the following seeds. Default: the seed of the
    /// journal to resume, or else a random one.
    pub seed: Option<u64>,
    /// The limits of each bot in a round.
    pub limits: Limits,
    /// The journal, which keeps every round before it counts.
    pub journal: Option<PathBuf>,
    /// True to continue the run in that journal, if there is one.
    pub resume: bool,
    /// The file for the table of all rounds, with the extension `.csv` or `.jsonl`.
    pub rounds_to: Option<PathBuf>,
    /// True if the outcome should contain the rows of all rounds.
    pub rows: bool,
}

impl Default for ContestRequest {
    fn default() -> ContestRequest {
        ContestRequest {
            game: None,
            options: Options::new(),
            seed: None,
            limits: Limits::COURSE,
            journal: None,
            resume: false,
            rounds_to: None,
            rows: false,
        }
    }
}

/// A page for a browser to make from a run.
#[derive(Debug, Clone)]
pub struct PageRequest {
    /// The page's path, which its links and commands are relative to. The caller writes the page.
    pub path: PathBuf,
    /// The rounds to write as separate pages, into a folder next to it.
    pub pages: WhichPages,
}

/// Choice of the rounds of a match or tournament to write as pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum WhichPages {
    /// None. Each row has the command that shows its round.
    #[default]
    None,
    /// The ten worst rounds of each selected player.
    Worst,
    /// All rounds on the page.
    All,
}

impl ContestRequest {
    /// Checks that these players can play, and pairs two of them.
    pub(crate) fn pairing(
        &self,
        players: &Players,
        events: &mut dyn Listener,
    ) -> Result<Pairing, Error> {
        // Impossible requests are reported before a seed is drawn.
        let pairing = pair_up(players, self.options.clone(), 0, self.limits)?;
        let seed = match self.known_seed()? {
            Some(seed) => seed,
            None => seed::draw(events)?,
        };
        Ok(Pairing { seed: Seed(seed), ..pairing })
    }

    /// The given seed, or the seed of the run to continue.
    pub(crate) fn known_seed(&self) -> Result<Option<u64>, Error> {
        let journal = self.journal.as_deref().filter(|path| self.resume && path.exists());
        match (self.seed, journal) {
            (Some(seed), _) => Ok(Some(seed)),
            (None, Some(path)) => seed::in_journal(path),
            (None, None) => Ok(None),
        }
    }

    /// Returns a run on the workers, with the journal if there is one.
    pub(crate) fn run(
        &self,
        plan: &Value,
        players: &Players,
        workers: &Workers,
        events: &mut dyn Listener,
    ) -> Result<Run, Error> {
        let run = workers.run().with_tables(players.tables());
        let Some(path) = &self.journal else { return Ok(run) };
        let journal = journal::start(path, run.pool().fingerprint(), plan, self.resume, events)?;
        Ok(run.with_journal(Arc::new(journal)))
    }

    /// Returns a table for the rows of all rounds, if it is needed; `more` means a use in addition
    /// to table and JSON.
    pub(crate) fn table(&self, more: bool) -> Result<Option<RoundTable>, Error> {
        let wanted = more || self.rounds_to.is_some() || self.rows;
        wanted.then(RoundTable::new).transpose()
    }

    /// Checks before the first round that the table of rounds can be written.
    pub(crate) fn check_rounds_to(&self) -> Result<(), Error> {
        let Some(path) = &self.rounds_to else { return Ok(()) };
        table::format_of(path)?;
        files::can_write(path)
    }

    /// Writes the table of rounds, if it is requested.
    pub(crate) fn write_rounds(&self, table: Option<&RoundTable>) -> Result<(), Error> {
        match (&self.rounds_to, table) {
            (Some(path), Some(table)) => table.write(path),
            _ => Ok(()),
        }
    }

    /// Returns the rows for the outcome, if they are requested.
    pub(crate) fn rows(&self, table: Option<RoundTable>) -> Option<super::Rows> {
        table.filter(|_| self.rows).map(super::Rows)
    }

    /// The journal, if there is one, as a shell word relative to the folder of a page.
    pub(crate) fn journal_beside(&self, page: &Path) -> Option<String> {
        self.journal.as_ref().map(|path| quoted(&seen_from(page, path)))
    }
}
