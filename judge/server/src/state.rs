//! What every handler can reach.

use std::sync::{Arc, OnceLock};

use judge_fleet::Fleet;
use judge_store::Store;

use crate::config::Config;
use crate::drawings::Drawings;
use crate::hosted::HostedRounds;
use crate::hub::{Boards, Hub, Lanes};
use crate::instruments::Instruments;
use crate::sign_on::{SignOn, TicketKey};
use crate::signatures::Signer;
use crate::standings::Books;
use crate::uploads::Uploads;

/// What every handler can reach.
#[derive(Debug, Clone)]
pub struct App(Arc<Parts>);

#[derive(Debug)]
struct Parts {
    config: Config,
    store: Store,
    hub: Hub,
    boards: Boards,
    lanes: Lanes,
    rounds: HostedRounds,
    books: Books,
    instruments: Instruments,
    sign_on: Option<SignOn>,
    uploads: Uploads,
    drawings: Drawings,
    signer: OnceLock<Signer>,
    fleet: OnceLock<Fleet>,
}

impl App {
    /// The parts, put together.
    pub fn new(config: Config, store: Store) -> App {
        let (hub, instruments) = (Hub::default(), Instruments::new());
        let (lanes, books) = (Lanes::new(config.lanes), Books::default());
        let (uploads, signer) = (Uploads::new(&config.data), OnceLock::new());
        let rounds = HostedRounds::new(config.people_play, config.lanes);
        let key =
            || TicketKey::random().expect("a system without randomness has no database either");
        let base = config.base_url();
        let sign_on = config.sign_on.clone().map(|settings| SignOn::new(settings, &base, key()));
        let parts = Parts {
            config,
            store,
            hub,
            boards: Boards::default(),
            lanes,
            rounds,
            books,
            instruments,
            sign_on,
            uploads,
            drawings: Drawings::default(),
            signer,
            fleet: OnceLock::new(),
        };
        App(Arc::new(parts))
    }

    /// Single sign-on, if there is one.
    pub fn sign_on(&self) -> Option<&SignOn> {
        self.0.sign_on.as_ref()
    }

    /// The settings.
    pub fn config(&self) -> &Config {
        &self.0.config
    }

    /// The database.
    pub fn store(&self) -> &Store {
        &self.0.store
    }

    /// What tells open pages.
    pub fn hub(&self) -> &Hub {
        &self.0.hub
    }

    /// What was read last of scoreboards.
    pub fn boards(&self) -> &Boards {
        &self.0.boards
    }

    /// What grades.
    pub fn lanes(&self) -> &Lanes {
        &self.0.lanes
    }

    /// Rounds of people against bots.
    pub fn rounds(&self) -> &HostedRounds {
        &self.0.rounds
    }

    /// The way to other machines that play, if there is one.
    pub fn fleet(&self) -> Option<&Fleet> {
        self.0.fleet.get()
    }

    /// Has rounds played by other machines from now on.
    pub fn play_on(&self, fleet: Fleet) {
        // A second way would lead to the same machines.
        let _ = self.0.fleet.set(fleet);
    }

    /// The standings of arenas.
    pub fn books(&self) -> &Books {
        &self.0.books
    }

    /// Drawings of rounds' pages.
    pub fn drawings(&self) -> &Drawings {
        &self.0.drawings
    }

    /// Uploads under way.
    pub fn uploads(&self) -> &Uploads {
        &self.0.uploads
    }

    /// The signer with the key in the database; none if the database lost its key.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn signer(&self) -> Result<Option<&Signer>, judge_store::Error> {
        if let Some(signer) = self.0.signer.get() {
            return Ok(Some(signer));
        }
        // Two calls at once read the same key, so either result will do.
        let key = self.0.store.signing_key().await?;
        Ok(key.map(|key| self.0.signer.get_or_init(|| Signer::new(&key))))
    }

    /// What is counted.
    pub(crate) fn instruments(&self) -> &Instruments {
        &self.0.instruments
    }
}
