//! What every handler can reach.

use std::sync::{Arc, OnceLock};

use judge_store::Store;

use crate::config::Config;
use crate::hub::{Hub, Lanes};
use crate::instruments::Instruments;
use crate::signatures::{KeyError, Signer};
use crate::uploads::Uploads;

/// What every handler can reach.
#[derive(Debug, Clone)]
pub struct App(Arc<Parts>);

#[derive(Debug)]
struct Parts {
    config: Config,
    store: Store,
    hub: Hub,
    lanes: Lanes,
    instruments: Instruments,
    uploads: Uploads,
    signer: OnceLock<Signer>,
}

impl App {
    /// The parts, put together.
    pub fn new(config: Config, store: Store) -> App {
        let (hub, instruments) = (Hub::default(), Instruments::new());
        let (lanes, uploads) = (Lanes::new(config.lanes), Uploads::new(&config.data));
        let signer = OnceLock::new();
        App(Arc::new(Parts { config, store, hub, lanes, instruments, uploads, signer }))
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

    /// What grades.
    pub fn lanes(&self) -> &Lanes {
        &self.0.lanes
    }

    /// Where modules arrive.
    pub fn uploads(&self) -> &Uploads {
        &self.0.uploads
    }

    /// What signs, with the key in the folder of the data, which is made at the first time.
    ///
    /// # Errors
    /// When the key cannot be used.
    pub fn signer(&self) -> Result<&Signer, KeyError> {
        if let Some(signer) = self.0.signer.get() {
            return Ok(signer);
        }
        // Of two at once both read the same file.
        let signer = Signer::in_folder(&self.0.config.data)?;
        Ok(self.0.signer.get_or_init(|| signer))
    }

    /// What is counted.
    pub(crate) fn instruments(&self) -> &Instruments {
        &self.0.instruments
    }
}
