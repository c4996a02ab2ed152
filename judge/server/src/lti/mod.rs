//! LTI 1.3: launches from campus systems such as Moodle and Canvas, which are called *platforms*,
//! their lists of members, and their gradebooks.

mod claims;
mod key;
mod launch;
mod services;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use judge_store::SuiteId;
use openidconnect::JsonWebKeySetUrl;
use openidconnect::core::CoreJsonWebKeySet;

use crate::config::LtiPlatform;
use crate::outside::{AskTurns, Outside};
use crate::sign_on::{SignOnError, TicketKey, with_causes};
use crate::turns::locked;

pub use key::{ToolKey, ToolKeyError};
pub use launch::{Context, Launch, LaunchTicket, LoginRequest};
pub use services::{PlatformMember, Score};

/// Path to which the platform sends a launch.
pub const LAUNCH: &str = "/lti/launch";

/// Time for which a platform's keys are cached.
const KEPT: Duration = Duration::from_secs(10 * 60);

/// Shortest time after which a platform's keys are read again because one is missing.
const READ_AGAIN: Duration = Duration::from_secs(10);

/// Most questions to platforms at a time; others wait.
const TURNS: usize = 16;

/// The platforms that can open this server.
#[derive(Debug, Clone)]
pub struct Lti {
    platforms: Arc<Vec<Platform>>,
    /// Scheme and host of this server.
    base: String,
    outside: Outside,
    key: TicketKey,
    turns: AskTurns,
    /// The states that launches have used, with the time in milliseconds until which a launch could
    /// use them.
    used: Arc<Mutex<BTreeMap<String, i64>>>,
    /// The suites with marks that are being sent.
    sending: SendingSuites,
}

type SendingSuites = Arc<Mutex<BTreeSet<SuiteId>>>;

/// A suite with marks that are being sent, until this is dropped.
#[derive(Debug)]
pub struct Sending {
    suite: SuiteId,
    all: SendingSuites,
}

impl Drop for Sending {
    fn drop(&mut self) {
        locked(&self.all).remove(&self.suite);
    }
}

#[derive(Debug)]
struct Platform {
    config: LtiPlatform,
    /// Its public keys, and the time of reading them.
    keys: Mutex<Option<(Instant, CoreJsonWebKeySet)>>,
}

impl Platform {
    fn cached_keys(&self) -> MutexGuard<'_, Option<(Instant, CoreJsonWebKeySet)>> {
        locked(&self.keys)
    }
}

impl Lti {
    /// These platforms, for a server that people reach at `base`.
    pub fn new(platforms: &[LtiPlatform], base: &str, key: TicketKey) -> Lti {
        let platform =
            |config: &LtiPlatform| Platform { config: config.clone(), keys: Mutex::default() };
        Lti {
            platforms: Arc::new(platforms.iter().map(platform).collect()),
            base: base.to_owned(),
            outside: Outside::default(),
            key,
            turns: AskTurns::new(TURNS),
            used: Arc::default(),
            sending: Arc::default(),
        }
    }

    /// True without platforms.
    pub fn is_empty(&self) -> bool {
        self.platforms.is_empty()
    }

    /// Key that signs tickets.
    pub fn key(&self) -> &TicketKey {
        &self.key
    }

    /// The settings of all platforms.
    pub fn platforms(&self) -> impl Iterator<Item = &LtiPlatform> {
        self.platforms.iter().map(|platform| &platform.config)
    }

    /// The settings of the platform with that [`LtiPlatform::id`].
    pub fn platform(&self, id: &str) -> Option<&LtiPlatform> {
        self.platforms().find(|platform| platform.id() == id)
    }

    /// Waits for a turn, and asks a platform on a blocking thread.
    ///
    /// # Errors
    /// When the platform does not answer, or gives an unexpected answer.
    pub async fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&Lti) -> Result<T, SignOnError> + Send + 'static,
    ) -> Result<T, SignOnError> {
        let own = self.clone();
        let asked = self.turns.ask(move || question(&own)).await;
        asked.map_err(|error| SignOnError::Unreachable(error.to_string()))?
    }

    /// The public keys of a platform, at most as old as `oldest`.
    fn keys(
        &self,
        platform: &Platform,
        oldest: Duration,
    ) -> Result<CoreJsonWebKeySet, SignOnError> {
        if let Some((at, keys)) = platform.cached_keys().as_ref()
            && at.elapsed() < oldest
        {
            return Ok(keys.clone());
        }
        let unreachable = |error: String| SignOnError::Unreachable(error);
        let url = JsonWebKeySetUrl::new(platform.config.keys_url.clone());
        let url = url.map_err(|error| unreachable(error.to_string()))?;
        // Without the lock, so that a slow platform delays only this request.
        let http = |request| self.outside.ask(request);
        let keys = CoreJsonWebKeySet::fetch(&url, &http);
        let keys = keys.map_err(|error| unreachable(with_causes(&error)))?;
        *platform.cached_keys() = Some((Instant::now(), keys.clone()));
        Ok(keys)
    }

    /// Begins to send a suite's marks, unless another request sends them.
    pub fn start_sending(&self, suite: &SuiteId) -> Option<Sending> {
        let is_new = locked(&self.sending).insert(suite.clone());
        is_new.then(|| Sending { suite: suite.clone(), all: Arc::clone(&self.sending) })
    }

    /// Marks a state, or the id of a launch, as used until it expires; false if it was used before.
    pub fn use_up(&self, state: &str, until: i64, now: i64) -> bool {
        let mut used = locked(&self.used);
        used.retain(|_, until| now < *until);
        used.insert(state.to_owned(), until).is_none()
    }
}
