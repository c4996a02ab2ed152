//! State shared by all handlers.

use std::sync::{Arc, OnceLock};

use judge_fleet::Fleet;
use judge_store::Store;

use crate::builds::SourceBuilds;
use crate::config::Config;
use crate::drawings::Drawings;
use crate::hosted::HostedRounds;
use crate::hub::{Hub, Lanes, Outage, Scoreboards};
use crate::instruments::Instruments;
use crate::lti::{Lti, ToolKey, ToolKeyError};
use crate::sign_on::{SignOn, TicketKey};
use crate::signatures::Signer;
use crate::standings::SeasonCache;
use crate::turns::AccountTurns;
use crate::uploads::Uploads;

/// Maximum number of exports that are packed at the same time. Each is in memory.
const EXPORTS: usize = 2;

/// State shared by all handlers.
#[derive(Debug, Clone)]
pub struct App(Arc<Parts>);

#[derive(Debug)]
struct Parts {
    config: Config,
    store: Store,
    hub: Hub,
    scoreboards: Scoreboards,
    lanes: Lanes,
    rounds: HostedRounds,
    season_cache: SeasonCache,
    instruments: Instruments,
    sign_on: Option<SignOn>,
    lti: Lti,
    tool_key: OnceLock<ToolKey>,
    uploads: Uploads,
    builds: SourceBuilds,
    drawings: Drawings,
    exports: AccountTurns,
    outage: Outage,
    signer: OnceLock<Signer>,
    fleet: OnceLock<Fleet>,
}

impl App {
    /// Creates the state of a server.
    pub fn new(config: Config, store: Store) -> App {
        let (hub, instruments) = (Hub::default(), Instruments::new());
        let (lanes, season_cache) = (Lanes::new(config.lanes), SeasonCache::default());
        let builds = SourceBuilds::new(config.builds);
        let (uploads, signer) = (Uploads::new(&config.data), OnceLock::new());
        let rounds = HostedRounds::new(config.people_play, config.lanes);
        let key =
            || TicketKey::random().expect("a system without randomness has no database either");
        let base = config.base_url();
        let sign_on = config.sign_on.clone().map(|settings| SignOn::new(settings, &base, key()));
        let lti = Lti::new(&config.lti, &base, key());
        let parts = Parts {
            config,
            store,
            hub,
            scoreboards: Scoreboards::default(),
            lanes,
            rounds,
            season_cache,
            instruments,
            sign_on,
            lti,
            tool_key: OnceLock::new(),
            uploads,
            builds,
            drawings: Drawings::default(),
            exports: AccountTurns::new(EXPORTS, 1),
            outage: Outage::default(),
            signer,
            fleet: OnceLock::new(),
        };
        App(Arc::new(parts))
    }

    /// Single sign-on, if there is one.
    pub fn sign_on(&self) -> Option<&SignOn> {
        self.0.sign_on.as_ref()
    }

    /// Campus systems that open this server.
    pub fn lti(&self) -> &Lti {
        &self.0.lti
    }

    /// The private key at campus systems, which the first call makes.
    ///
    /// # Errors
    /// When the database fails, or the key cannot be made or read.
    pub async fn tool_key(&self) -> Result<&ToolKey, ToolKeyError> {
        if let Some(key) = self.0.tool_key.get() {
            return Ok(key);
        }
        let pem = match self.0.store.lti_key().await? {
            Some(pem) => pem,
            None => {
                let made = tokio::task::spawn_blocking(ToolKey::random_pem).await;
                let made = made.map_err(|error| ToolKeyError::Key(error.to_string()))??;
                // Of two keys that are made at once, the first one is kept.
                self.0.store.keep_lti_key(&made).await?;
                self.0.store.lti_key().await?.unwrap_or(made)
            }
        };
        let key = ToolKey::from_pem(&pem)?;
        Ok(self.0.tool_key.get_or_init(|| key))
    }

    /// The settings.
    pub fn config(&self) -> &Config {
        &self.0.config
    }

    /// The database.
    pub fn store(&self) -> &Store {
        &self.0.store
    }

    /// Notifications for open pages.
    pub fn hub(&self) -> &Hub {
        &self.0.hub
    }

    /// The cache of scoreboards.
    pub fn scoreboards(&self) -> &Scoreboards {
        &self.0.scoreboards
    }

    /// The lanes.
    pub fn lanes(&self) -> &Lanes {
        &self.0.lanes
    }

    /// Rounds of people against bots.
    pub fn rounds(&self) -> &HostedRounds {
        &self.0.rounds
    }

    /// The fleet of other machines, if they play.
    pub fn fleet(&self) -> Option<&Fleet> {
        self.0.fleet.get()
    }

    /// Plays rounds on other machines from now on.
    pub fn play_on(&self, fleet: Fleet) {
        // A second fleet would reach the same machines.
        let _ = self.0.fleet.set(fleet);
    }

    /// The standings of arenas.
    pub fn season_cache(&self) -> &SeasonCache {
        &self.0.season_cache
    }

    /// Drawings of rounds' pages.
    pub fn drawings(&self) -> &Drawings {
        &self.0.drawings
    }

    /// Turns of people who export their data.
    pub(crate) fn exports(&self) -> &AccountTurns {
        &self.0.exports
    }

    /// Uploads under way.
    pub fn uploads(&self) -> &Uploads {
        &self.0.uploads
    }

    /// Builds of submitted sources.
    pub fn builds(&self) -> &SourceBuilds {
        &self.0.builds
    }

    /// The state of the connection to the database.
    pub fn outage(&self) -> &Outage {
        &self.0.outage
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

    /// The metrics.
    pub(crate) fn instruments(&self) -> &Instruments {
        &self.0.instruments
    }
}
