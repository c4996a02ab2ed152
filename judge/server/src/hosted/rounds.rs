//! All rounds under way, at most one for each person.

use std::collections::BTreeMap;
use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use judge_core::{Digest, Seed};
use judge_runner::base::workers::Workers;
use judge_session::{AnswerRefusal, Request, SessionSetup, Start};
use judge_store::{PersonId, Store};
use serde_json::{Value, json};
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

use super::bot::{BotSource, HostedBot};
use super::refused::Refused;
use super::thread::{HostedRequest, Reply, RoundThread};

/// Time without a request after which a round ends.
pub(super) const IDLE: Duration = Duration::from_secs(10 * 60);

/// Time to wait for a reply before the page learns that the bot is still thinking.
const PATIENCE: Duration = Duration::from_secs(20);

/// Time to wait for a permit, which the person's previous round may still hold.
const PLACE: Duration = Duration::from_secs(5);

/// Most open requests of a round: the current one, and one for the state.
const WAITING: usize = 2;

/// All rounds under way.
#[derive(Debug)]
pub struct HostedRounds {
    workers: OnceLock<Workers>,
    places: Arc<Semaphore>,
    thinking: Arc<Semaphore>,
    entries: Mutex<BTreeMap<PersonId, HostedRound>>,
    own: Mutex<BTreeMap<PersonId, Arc<Semaphore>>>,
}

/// A permit for a round: the person's only one, and one of the shared ones.
#[derive(Debug)]
pub(super) struct RoundPermit {
    _own: OwnedSemaphorePermit,
    _of_all: OwnedSemaphorePermit,
}

/// A channel to a round under way.
#[derive(Debug)]
struct HostedRound {
    /// The bot's module.
    module: Digest,
    source: BotSource,
    requests: SyncSender<HostedRequest>,
    thread: JoinHandle<()>,
}

impl HostedRounds {
    /// Allows `most` rounds, in which `at_a_time` bots can think at once. Rounds cannot begin
    /// before there are [workers](HostedRounds::open).
    pub fn new(most: usize, at_a_time: usize) -> HostedRounds {
        let [places, thinking] = [most, at_a_time].map(|many| Arc::new(Semaphore::new(many)));
        let (entries, own) = (Mutex::default(), Mutex::default());
        HostedRounds { workers: OnceLock::new(), places, thinking, entries, own }
    }

    /// Starts to accept rounds, with bots on these workers.
    pub fn open(&self, workers: Workers) {
        // A second call changes nothing: the first workers stay.
        let _ = self.workers.set(workers);
    }

    /// Ends all rounds, and refuses new ones.
    pub fn close(&self) {
        self.places.close();
        self.entries().clear();
    }

    /// Answers a request. [`Request::Start`] begins a round.
    ///
    /// # Errors
    /// When the request is refused; the text is for people.
    pub async fn ask(
        &self,
        store: &Store,
        person: &PersonId,
        bot: HostedBot,
        request: Request,
    ) -> Result<Value, Refused> {
        match request {
            Request::Games => Ok(games(&bot)),
            Request::Start(start) => self.begin(store, person, bot, start).await,
            request => self.go_on(person, &bot.identity.sha256, request).await,
        }
    }

    /// Handles a request in the person's round with the bot of that module. The module itself is
    /// not read.
    ///
    /// # Errors
    /// When the request is refused; the text is for people.
    pub async fn go_on(
        &self,
        person: &PersonId,
        module: &Digest,
        request: Request,
    ) -> Result<Value, Refused> {
        let requests = self.requests(person, module)?;
        let (reply, told) = oneshot::channel();
        match requests.try_send(HostedRequest { request, reply }) {
            Ok(()) => patiently(told).await,
            Err(TrySendError::Full(_)) => Err(Refused::Busy),
            Err(TrySendError::Disconnected(_)) => Err(Refused::NoRound),
        }
    }

    /// The bot of the person's round: its module, and the place where it was found.
    pub fn opposite(&self, person: &PersonId) -> Option<(Digest, BotSource)> {
        self.entries().get(person).map(|entry| (entry.module, entry.source.clone()))
    }

    async fn begin(
        &self,
        store: &Store,
        person: &PersonId,
        bot: HostedBot,
        start: Start,
    ) -> Result<Value, Refused> {
        let workers = self.workers.get().ok_or(Refused::Closed)?.clone();
        let setting = setting(&bot, &start)?;
        let place = self.place(person).await?;
        let (module, person) = (bot.identity.sha256, person.clone());
        let source = bot.source.clone();
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
        let thread = thread.map_err(|error| AnswerRefusal::Judge(error.to_string()))?;
        self.entries().insert(person, HostedRound { module, source, requests, thread });
        patiently(told).await
    }

    /// Ends the person's previous round, and waits for a permit for a new one. A bot that is still
    /// thinking in the previous round keeps its permit until it is done.
    async fn place(&self, person: &PersonId) -> Result<RoundPermit, Refused> {
        {
            let mut entries = self.entries();
            entries.remove(person);
            entries.retain(|_, entry| !entry.thread.is_finished());
        }
        let own = permit(self.own(person), Refused::Busy).await?;
        let of_all = permit(Arc::clone(&self.places), Refused::Full).await?;
        Ok(RoundPermit { _own: own, _of_all: of_all })
    }

    /// The person's only permit.
    fn own(&self, person: &PersonId) -> Arc<Semaphore> {
        let mut own = self.own.lock().unwrap_or_else(PoisonError::into_inner);
        // A person with a permit, or waiting for one, holds a reference.
        own.retain(|_, place| Arc::strong_count(place) > 1);
        Arc::clone(own.entry(person.clone()).or_insert_with(|| Arc::new(Semaphore::new(1))))
    }

    /// The channel to a person's round against that bot.
    fn requests(
        &self,
        person: &PersonId,
        module: &Digest,
    ) -> Result<SyncSender<HostedRequest>, Refused> {
        let entries = self.entries();
        let entry = entries.get(person).filter(|entry| entry.module == *module);
        entry.map(|entry| entry.requests.clone()).ok_or(Refused::NoRound)
    }

    fn entries(&self) -> MutexGuard<'_, BTreeMap<PersonId, HostedRound>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Waits for a permit; the error is `none` after a timeout.
async fn permit(of: Arc<Semaphore>, none: Refused) -> Result<OwnedSemaphorePermit, Refused> {
    let permit = tokio::time::timeout(PLACE, of.acquire_owned()).await.map_err(|_| none)?;
    permit.map_err(|_| Refused::Closed)
}

/// The reply, or a notice that it takes longer. The page then asks for the state again.
async fn patiently(told: oneshot::Receiver<Reply>) -> Result<Value, Refused> {
    match tokio::time::timeout(PATIENCE, told).await {
        Ok(Ok(reply)) => reply,
        Ok(Err(_)) => Err(Refused::NoRound),
        Err(_) => Ok(json!({ "thinking": true })),
    }
}

/// The setup of the requested round, with a random seed.
fn setting(bot: &HostedBot, start: &Start) -> Result<SessionSetup, Refused> {
    let variant = bot.variants.iter().find(|variant| variant.key() == start.game);
    let missing = || {
        let games: Vec<String> = bot.variants.iter().map(super::Variant::key).collect();
        let (game, games) = (&start.game, games.join(", "));
        AnswerRefusal::Malformed(format!("this bot does not play `{game}`: it plays {games}"))
    };
    let variant = variant.ok_or_else(missing)?.clone();
    let mut seed = [0; 8];
    getrandom::fill(&mut seed).map_err(|error| AnswerRefusal::Judge(error.to_string()))?;
    Ok(SessionSetup {
        game: variant.game,
        options: variant.options,
        seed: Seed(u64::from_le_bytes(seed)),
        seat: start.seat,
        name: None,
        opposite: bot.seat(),
        limits: variant.limits,
    })
}

/// The games that the page can offer, in the format of `judge-browser`.
fn games(bot: &HostedBot) -> Value {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_person_has_one_round_at_a_time() {
        let rounds = HostedRounds::new(2, 1);
        let [ada, bob] = ["a", "b"].map(|letter| letter.repeat(16).parse().expect("an id"));
        let first = rounds.place(&ada).await.expect("a place");
        // Its thread may still run, but the person does not get a second round.
        assert!(matches!(rounds.place(&ada).await, Err(Refused::Busy)));
        let other = rounds.place(&bob).await.expect("there is another one");
        assert!(matches!(rounds.place(&bob).await, Err(Refused::Busy)));
        drop(first);
        let again = rounds.place(&ada).await.expect("it has ended");
        drop((other, again));
        drop(rounds.own(&ada));
        assert_eq!(rounds.own.lock().expect("no thread panicked").len(), 1, "they leave nothing");
    }
}
