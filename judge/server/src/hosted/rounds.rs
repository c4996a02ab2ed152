//! All rounds under way, at most one for each person.

use std::collections::BTreeMap;
use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use judge_core::{Digest, Seed};
use judge_play::{Refusal, Request, Setting, Start};
use judge_runner::workers::Workers;
use judge_store::{PersonId, Store};
use serde_json::{Value, json};
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

use super::bot::Bot;
use super::refused::Refused;
use super::thread::{Asked, Reply, RoundThread};

/// Time without a request after which a round ends.
pub(super) const IDLE: Duration = Duration::from_secs(10 * 60);

/// Time to wait for a reply before the page is told that the bot is still thinking.
const PATIENCE: Duration = Duration::from_secs(20);

/// Time to wait for a place, which the person's previous round may still hold.
const PLACE: Duration = Duration::from_secs(5);

/// Requests that a round can have waiting: the one that is worked on, and one for the state.
const WAITING: usize = 2;

/// All rounds under way.
#[derive(Debug)]
pub struct Rounds {
    workers: OnceLock<Workers>,
    places: Arc<Semaphore>,
    thinking: Arc<Semaphore>,
    entries: Mutex<BTreeMap<PersonId, Entry>>,
}

/// The way to a round that is under way.
#[derive(Debug)]
struct Entry {
    /// The bot's module.
    module: Digest,
    requests: SyncSender<Asked>,
    thread: JoinHandle<()>,
}

impl Rounds {
    /// Room for `most` rounds, in which `at_a_time` bots can think at once. None begins before
    /// there are [workers](Rounds::open).
    pub fn new(most: usize, at_a_time: usize) -> Rounds {
        let [places, thinking] = [most, at_a_time].map(|many| Arc::new(Semaphore::new(many)));
        Rounds { workers: OnceLock::new(), places, thinking, entries: Mutex::default() }
    }

    /// Lets people play, with bots on these workers.
    pub fn open(&self, workers: Workers) {
        // A second call changes nothing: the first workers stay.
        let _ = self.workers.set(workers);
    }

    /// Ends all rounds, and lets no other begin.
    pub fn close(&self) {
        self.places.close();
        self.entries().clear();
    }

    /// Answers a request; one to start begins a round.
    ///
    /// # Errors
    /// When the request is refused; the text is for people.
    pub async fn ask(
        &self,
        store: &Store,
        person: &PersonId,
        bot: Bot,
        request: Request,
    ) -> Result<Value, Refused> {
        match request {
            Request::Games => Ok(games(&bot)),
            Request::Start(start) => self.begin(store, person, bot, start).await,
            request => {
                let requests = self.requests(person, &bot.identity.sha256)?;
                let (reply, told) = oneshot::channel();
                match requests.try_send(Asked { request, reply }) {
                    Ok(()) => patiently(told).await,
                    Err(TrySendError::Full(_)) => Err(Refused::Busy),
                    Err(TrySendError::Disconnected(_)) => Err(Refused::NoRound),
                }
            }
        }
    }

    async fn begin(
        &self,
        store: &Store,
        person: &PersonId,
        bot: Bot,
        start: Start,
    ) -> Result<Value, Refused> {
        let workers = self.workers.get().ok_or(Refused::Closed)?.clone();
        let setting = setting(&bot, &start)?;
        let place = self.place(person).await?;
        let (module, person) = (bot.identity.sha256, person.clone());
        let round = RoundThread {
            store: store.clone(),
            runtime: Handle::current(),
            workers,
            person: person.clone(),
            bot,
            setting,
            place,
            thinking: Arc::clone(&self.thinking),
        };
        let (requests, waiting) = sync_channel(WAITING);
        let (first, told) = oneshot::channel();
        let thread = std::thread::Builder::new().name("round".to_owned());
        let thread = thread.spawn(move || round.keep(&waiting, first));
        let thread = thread.map_err(|error| Refusal::Judge(error.to_string()))?;
        self.entries().insert(person, Entry { module, requests, thread });
        patiently(told).await
    }

    /// Ends the person's previous round, and waits for a place for a new one.
    async fn place(&self, person: &PersonId) -> Result<OwnedSemaphorePermit, Refused> {
        {
            let mut entries = self.entries();
            entries.remove(person);
            entries.retain(|_, entry| !entry.thread.is_finished());
        }
        let place = Arc::clone(&self.places).acquire_owned();
        let place = tokio::time::timeout(PLACE, place).await.map_err(|_| Refused::Full)?;
        place.map_err(|_| Refused::Closed)
    }

    /// The channel to somebody's round against that bot.
    fn requests(&self, person: &PersonId, module: &Digest) -> Result<SyncSender<Asked>, Refused> {
        let entries = self.entries();
        let entry = entries.get(person).filter(|entry| entry.module == *module);
        entry.map(|entry| entry.requests.clone()).ok_or(Refused::NoRound)
    }

    fn entries(&self) -> MutexGuard<'_, BTreeMap<PersonId, Entry>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The reply, or the news that it takes longer, after which the page asks for the state again.
async fn patiently(told: oneshot::Receiver<Reply>) -> Result<Value, Refused> {
    match tokio::time::timeout(PATIENCE, told).await {
        Ok(Ok(reply)) => reply,
        Ok(Err(_)) => Err(Refused::NoRound),
        Err(_) => Ok(json!({ "thinking": true })),
    }
}

/// The setting of the round that a page asks for, with a seed that the server draws.
fn setting(bot: &Bot, start: &Start) -> Result<Setting, Refused> {
    let variant = bot.variants.iter().find(|variant| variant.key() == start.game);
    let missing = || Refusal::Malformed(format!("this bot does not play `{}`", start.game));
    let variant = variant.ok_or_else(missing)?.clone();
    let mut seed = [0; 8];
    getrandom::fill(&mut seed).map_err(|error| Refusal::Judge(error.to_string()))?;
    Ok(Setting {
        game: variant.game,
        options: variant.options,
        seed: Seed(u64::from_le_bytes(seed)),
        seat: start.seat,
        name: None,
        opposite: bot.seat(),
        limits: variant.limits,
    })
}

/// The games that the page can offer, in the same form as in `judge-browser`.
fn games(bot: &Bot) -> Value {
    let entry = |variant: &super::Variant| {
        let game = judge_referee::find(&variant.game).ok()?;
        let options: String =
            variant.options.iter().map(|(key, value)| format!(", {key} {value}")).collect();
        Some(json!({
            "name": variant.key(),
            "title": format!("{}{options}", game.title()),
            "summary": game.summary(),
            "options": [],
            "opponents": [{ "name": bot.identity.name, "summary": "" }],
        }))
    };
    bot.variants.iter().filter_map(entry).collect()
}
