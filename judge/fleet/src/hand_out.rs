//! The side that has rounds played: cuts them into batches, a few ahead of what is waited for.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use graphile_worker::WorkerUtils;
use judge_arena::{ArenaError, Away, Elsewhere, Stop, Told, modules_by_digest, round_key};
use judge_core::{Digest, Fingerprint, MatchSpec, SeatSpec, digest};
use sqlx::{PgPool, Row as _};
use tokio::runtime::Handle;

use crate::batch::{rounds_to_json, told_from_json};
use crate::care::{self, CARE, NEWS_EVERY, News};
use crate::schema::{connect, fingerprint_text, make, queue};
use crate::Error;

const KEEP: &str = "INSERT INTO blob (hash, bytes) VALUES ($1, $2) \
    ON CONFLICT (hash) DO UPDATE SET used_at = now()";
const MAKE: &str = "INSERT INTO batch (run, fingerprint, priority, rounds) \
    VALUES ($1, $2, $3, $4) RETURNING id";

/// How much is handed out at a time.
#[derive(Debug, Clone, Copy)]
pub struct Terms {
    /// What goes first: the smaller number.
    pub priority: i16,
    /// Processor time that a batch should take.
    pub batch: Duration,
    /// Batches that are handed out before anything is told of the first.
    pub ahead: usize,
}

impl Default for Terms {
    fn default() -> Terms {
        Terms { priority: 0, batch: Duration::from_secs(10), ahead: 64 }
    }
}

/// The way to machines that play.
#[derive(Clone)]
pub struct Fleet {
    db: PgPool,
    utils: WorkerUtils,
    fingerprint: String,
    runtime: Handle,
}

impl fmt::Debug for Fleet {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Fleet").field("fingerprint", &self.fingerprint).finish()
    }
}

impl Fleet {
    /// Opens the way, and makes what is missing in the database. To be awaited on the runtime that the
    /// database is used on.
    ///
    /// # Errors
    /// When the database cannot be used.
    pub async fn open(url: &str, fingerprint: &Fingerprint) -> Result<Fleet, Error> {
        let db = connect(url).await?;
        make(&db).await?;
        let utils = queue(&db, fingerprint).await?;
        let (fingerprint, runtime) = (fingerprint_text(fingerprint), Handle::current());
        Ok(Fleet { db, utils, fingerprint, runtime })
    }

    /// Has rounds of a run played on these terms, until it is asked to stop. `tables` are the bytes of
    /// trained tables.
    pub fn hand_out(&self, run: &str, terms: Terms, tables: Vec<Vec<u8>>, stop: Stop) -> HandOut {
        HandOut { fleet: self.clone(), run: run.to_owned(), terms, tables, stop }
    }
}

/// Has the rounds of a run played by the machines of a fleet.
#[derive(Debug)]
pub struct HandOut {
    fleet: Fleet,
    run: String,
    terms: Terms,
    tables: Vec<Vec<u8>>,
    stop: Stop,
}

impl Elsewhere for HandOut {
    fn hand_out<'a>(
        &'a self,
        rounds: Vec<MatchSpec>,
        modules: &'a [&'a [u8]],
    ) -> Result<Box<dyn Away + 'a>, ArenaError> {
        let tables = self.tables.iter().map(|table| (digest(table), table.as_slice()));
        let state = State { rest: rounds.into(), ..State::default() };
        let out = Out {
            from: self,
            blobs: tables.chain(modules_by_digest(modules)).collect(),
            state: Mutex::new(state),
            changed: Condvar::new(),
        };
        self.fleet.runtime.block_on(care::want(&self.fleet.db, &self.run)).map_err(failed)?;
        Ok(Box::new(out))
    }
}

/// Rounds that were handed out.
struct Out<'a> {
    from: &'a HandOut,
    blobs: BTreeMap<Digest, &'a [u8]>,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// What is not in a batch yet.
    rest: VecDeque<MatchSpec>,
    /// Batches that nothing was told of yet, with their rounds.
    open: BTreeMap<i64, Vec<Digest>>,
    /// Rounds in batches that are open.
    away: BTreeSet<Digest>,
    /// What was told and not asked for yet.
    told: BTreeMap<Digest, Told>,
    /// Hashes of what is in the database.
    sent: BTreeSet<Digest>,
    /// Rounds that came back, and their time.
    rate: (u32, Duration),
    looked: Option<Instant>,
    cared: Option<Instant>,
    /// True while somebody asks the database.
    busy: bool,
}

fn failed(error: Error) -> ArenaError {
    ArenaError::Elsewhere(Box::new(error))
}

impl Out<'_> {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What there is to do at the database: batches to make, news, care. One thread at a time does it.
    async fn turn(&self, wanted: &MatchSpec) -> Result<(), Error> {
        let (db, run) = (&self.from.fleet.db, &self.from.run);
        for rounds in self.to_send(wanted) {
            self.send(rounds).await?;
        }
        let (open, cares) = {
            let mut state = self.state();
            state.looked = Some(Instant::now());
            let cares = state.cared.is_none_or(|at| at.elapsed() > CARE);
            if cares {
                state.cared = Some(Instant::now());
            }
            (state.open.keys().copied().collect::<Vec<_>>(), cares)
        };
        if cares {
            care::want(db, run).await?;
            care::look_after(db, &self.from.fleet.utils, &open).await?;
        }
        for news in care::news(db, &open).await? {
            self.take(news)?;
        }
        Ok(())
    }

    /// Rounds for new batches.
    fn to_send(&self, wanted: &MatchSpec) -> Vec<Vec<MatchSpec>> {
        let mut state = self.state();
        let mut batches = Vec::new();
        let key = round_key(wanted);
        if !state.away.contains(&key) && !state.told.contains_key(&key) {
            // One that was asked for later, or before its turn.
            match state.rest.iter().position(|spec| round_key(spec) == key) {
                Some(at) if at > 0 => {
                    state.rest.remove(at);
                    batches.push(vec![wanted.clone()]);
                }
                Some(_) => {}
                None => batches.push(vec![wanted.clone()]),
            }
        }
        let size = batch_size(state.rate, self.from.terms.batch);
        while !state.rest.is_empty() && state.open.len() + batches.len() < self.from.terms.ahead {
            let many = size.min(state.rest.len());
            batches.push(state.rest.drain(..many).collect());
        }
        for spec in batches.iter().flatten() {
            state.away.insert(round_key(spec));
        }
        batches
    }

    async fn send(&self, rounds: Vec<MatchSpec>) -> Result<(), Error> {
        let (fleet, terms) = (&self.from.fleet, &self.from.terms);
        for hash in rounds.iter().flat_map(|spec| &spec.seats).filter_map(hash_of) {
            if !self.state().sent.insert(hash) {
                continue;
            }
            let bytes = self.blobs.get(&hash).ok_or_else(|| Error::NoBytes(hash.to_string()))?;
            sqlx::query(KEEP).bind(hash.to_string()).bind(*bytes).execute(&fleet.db).await?;
        }
        let query = sqlx::query(MAKE).bind(&self.from.run).bind(&fleet.fingerprint);
        let query = query.bind(terms.priority).bind(rounds_to_json(&rounds));
        let batch: i64 = query.fetch_one(&fleet.db).await?.try_get("id")?;
        self.state().open.insert(batch, rounds.iter().map(round_key).collect());
        care::hint(&fleet.utils, batch, terms.priority).await
    }

    /// Takes in what became of a batch.
    fn take(&self, news: News) -> Result<(), Error> {
        let mut state = self.state();
        let Some(rounds) = state.open.remove(&news.batch) else { return Ok(()) };
        let told = match news.told {
            Ok((told, _)) => told_from_json(news.batch, rounds.len(), &told)?,
            Err(why) => {
                let told = Told { played: Err(why), processor: Duration::ZERO };
                rounds.iter().map(|_| told.clone()).collect()
            }
        };
        for (round, told) in std::iter::zip(rounds, told) {
            state.away.remove(&round);
            state.rate.0 += 1;
            state.rate.1 += told.processor;
            state.told.insert(round, told);
        }
        self.changed.notify_all();
        Ok(())
    }

    /// True if the caller is to ask the database now.
    fn is_my_turn(&self, state: &mut State) -> bool {
        let due = state.looked.is_none_or(|at| at.elapsed() >= NEWS_EVERY);
        let mine = due && !state.busy;
        state.busy |= mine;
        mine
    }
}

impl Away for Out<'_> {
    fn wait(&self, spec: &MatchSpec) -> Result<Told, ArenaError> {
        let key = round_key(spec);
        let mut state = self.state();
        loop {
            if let Some(told) = state.told.remove(&key) {
                return Ok(told);
            }
            if self.from.stop.is_asked() {
                return Err(ArenaError::Stopped);
            }
            if self.is_my_turn(&mut state) {
                drop(state);
                let done = self.from.fleet.runtime.block_on(self.turn(spec));
                state = self.state();
                state.busy = false;
                done.map_err(failed)?;
            } else {
                let waited = self.changed.wait_timeout(state, NEWS_EVERY);
                state = waited.unwrap_or_else(PoisonError::into_inner).0;
            }
        }
    }

    fn disbelieve(&self, _spec: &MatchSpec, why: &str) -> bool {
        tracing::error!(why, "a machine tells what the rules make no round of");
        false
    }
}

impl Drop for Out<'_> {
    fn drop(&mut self) {
        let fleet = &self.from.fleet;
        if let Err(error) = fleet.runtime.block_on(care::forget(&fleet.db, &self.from.run)) {
            tracing::warn!(%error, "what was handed out cannot be called back");
        }
    }
}

/// Rounds of a batch: a few as long as nothing is known.
fn batch_size((rounds, time): (u32, Duration), aim: Duration) -> usize {
    if rounds == 0 {
        return 4;
    }
    let each = (time / rounds).max(Duration::from_micros(10));
    usize::try_from(aim.as_micros() / each.as_micros()).unwrap_or(usize::MAX).clamp(1, 20_000)
}

/// The hash of the bytes that a seat needs.
fn hash_of(seat: &SeatSpec) -> Option<Digest> {
    match seat {
        SeatSpec::Bot { sha256, .. } => Some(*sha256),
        seat => seat.table(),
    }
}
