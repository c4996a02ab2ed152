//! One run: rounds to play on a pool, the store that keeps them, and a way to stop early.

use std::sync::Arc;

use judge_core::RoundSpec;
use judge_grading::Suite;
use judge_referee::{RoundOutline, Tables};

use super::{ArenaError, Pool};
use crate::Stop;
use crate::bounds::{Account, Bounds};
use crate::journal::Journal;
use crate::store::{CostStore, FactStore, RoundStore, StoreError};

/// One run on a pool: a grading, a match, or any other rounds that belong together.
#[derive(Debug, Clone)]
pub struct Run {
    pool: Pool,
    rounds: Option<Arc<dyn RoundStore>>,
    facts: Option<Arc<dyn FactStore>>,
    costs: Option<Arc<dyn CostStore>>,
    journal: Option<Arc<Journal>>,
    is_stored_only: bool,
    believes: bool,
    tables: Tables,
    stop: Stop,
    bounds: Option<Bounds>,
    accounts: Vec<Arc<Account>>,
}

impl Run {
    /// A run without a store or trained players.
    pub fn new(pool: Pool) -> Run {
        Run {
            pool,
            rounds: None,
            facts: None,
            costs: None,
            journal: None,
            is_stored_only: false,
            believes: false,
            tables: Tables::default(),
            stop: Stop::default(),
            bounds: None,
            accounts: Vec::new(),
        }
    }

    /// Sets the number of workers.
    #[must_use]
    pub fn with_workers(self, workers: usize) -> Run {
        Run { pool: self.pool.with_workers(workers), ..self }
    }

    /// Sets the store of rounds only. Rounds that it already has are not played again.
    #[must_use]
    pub fn with_rounds(self, rounds: Arc<dyn RoundStore>) -> Run {
        Run { rounds: Some(rounds), ..self }
    }

    /// Sets the store of rounds, facts and costs.
    #[must_use]
    pub fn with_store<S>(self, store: Arc<S>) -> Run
    where
        S: RoundStore + FactStore + CostStore + 'static,
    {
        let facts: Arc<dyn FactStore> = Arc::clone(&store) as _;
        let costs: Arc<dyn CostStore> = Arc::clone(&store) as _;
        Run { facts: Some(facts), costs: Some(costs), ..self.with_rounds(store) }
    }

    /// Sets the journal, which keeps rounds, facts and costs.
    #[must_use]
    pub fn with_journal(self, journal: Arc<Journal>) -> Run {
        Run { journal: Some(Arc::clone(&journal)), ..self.with_store(journal) }
    }

    /// Plays nothing: a round that is missing in the store is an error.
    #[must_use]
    pub fn stored_only(self) -> Run {
        Run { is_stored_only: true, ..self }
    }

    /// Sets the tables of trained players.
    #[must_use]
    pub fn with_tables(self, tables: Tables) -> Run {
        Run { tables, ..self }
    }

    /// Sets the stop that ends the run early.
    #[must_use]
    pub fn with_stop(self, stop: Stop) -> Run {
        Run { stop, ..self }
    }

    /// Sets the bounds on the cost of each submission in gradings; none for the suite's defaults.
    #[must_use]
    pub fn with_bounds(self, bounds: Option<Bounds>) -> Run {
        Run { bounds, ..self }
    }

    /// Charges the cost of each module to the account at its position.
    #[must_use]
    pub fn with_accounts(self, accounts: Vec<Arc<Account>>) -> Run {
        Run { accounts, ..self }
    }

    /// The same run, which believes the outlines in its journal: their rounds are not made again. The
    /// chain of hashes protects them against damage, and only `judge verify` and merging protect
    /// against forgery.
    pub(crate) fn believing(&self) -> Run {
        Run { believes: true, ..self.clone() }
    }

    /// The pool on which it plays.
    pub fn pool(&self) -> &Pool {
        &self.pool
    }

    /// Store of its rounds.
    pub fn rounds(&self) -> Option<&dyn RoundStore> {
        self.rounds.as_deref()
    }

    /// Its journal; none if the rounds are stored elsewhere or not at all.
    pub fn journal(&self) -> Option<&Journal> {
        self.journal.as_deref()
    }

    /// Store of its facts.
    pub(crate) fn facts(&self) -> Option<&dyn FactStore> {
        self.facts.as_deref()
    }

    /// Store of the cost of its modules.
    pub(crate) fn costs(&self) -> Option<&dyn CostStore> {
        self.costs.as_deref()
    }

    /// True if nothing is played.
    pub fn is_stored_only(&self) -> bool {
        self.is_stored_only
    }

    /// Tables of trained players.
    pub fn tables(&self) -> &Tables {
        &self.tables
    }

    /// The stop that ends it early.
    pub fn stop(&self) -> &Stop {
        &self.stop
    }

    /// Bounds on the cost of each submission to the suite.
    pub(crate) fn bounds(&self, suite: &Suite) -> Bounds {
        self.bounds.unwrap_or_else(|| Bounds::for_suite(suite))
    }

    /// Account of the module at that position, if its cost counts.
    pub(crate) fn account(&self, module: usize) -> Option<&Account> {
        self.accounts.get(module).map(AsRef::as_ref)
    }

    /// True if the cost of modules counts.
    pub(crate) fn has_accounts(&self) -> bool {
        !self.accounts.is_empty()
    }

    /// The outline of a round in the journal, if this run believes it.
    pub(crate) fn believed(&self, spec: &RoundSpec) -> Result<Option<RoundOutline>, ArenaError> {
        match &self.journal {
            Some(journal) if self.believes => {
                Ok(journal.outline(spec).map_err(StoreError::from)?)
            }
            _ => Ok(None),
        }
    }
}
