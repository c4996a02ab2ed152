//! Rounds that were handed out: whoever waits for one asks the database in turn.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use judge_arena::{ArenaError, Pool, RemoteResult, RemoteRun, modules_by_digest, round_key};
use judge_core::{Digest, RoundSpec, SeatSpec};

use super::state::{DispatchState, Fate};
use super::{HandOut, by_chance, run_number};
use crate::Error;
use crate::batch::{rounds_to_json, told_from_json};
use crate::care::{self, BatchReport, CARE, NEWS_EVERY, NewBatch};
use crate::locks::{end_blockers, unblocked};

/// How long what was told of a batch is kept to be compared with what a late machine tells.
const KEPT: Duration = Duration::from_secs(60);

/// How long a database may be out of use before a run gives up.
const OUTAGE: Duration = Duration::from_secs(600);

/// How often modules are touched, so that nobody sweeps them.
const TOUCH: Duration = Duration::from_secs(3600);

/// How often it is noted that a machine plays for a run.
const PART: Duration = Duration::from_secs(3600);

/// How long each further batch waits as long as nothing is known of the time of rounds. The first one
/// soon tells how many of them make a good batch; rounds that take long are spread all the same.
const PROBE: Duration = Duration::from_millis(250);

/// Most batches that are handed out at a time.
const MOST_AHEAD: usize = 4096;

/// The part of the audits that need no second machine, as these could be in league.
const AUDITED_HERE: f64 = 0.25;

/// How often it is told that there are no machines.
const TELL_OF_NONE: Duration = Duration::from_secs(60);

/// Time between two tries to reach such a database.
const RETRY: Duration = Duration::from_secs(1);

/// Rounds that were handed out.
pub(super) struct Out<'a> {
    pub(super) from: &'a HandOut,
    /// Plays here what machines contradict each other about.
    pub(super) pool: &'a Pool,
    pub(super) run: String,
    pub(super) modules: BTreeMap<Digest, &'a [u8]>,
    begun: Instant,
    state: Mutex<DispatchState>,
    clock: Mutex<DispatchClock>,
    changed: Condvar,
}

/// What was done when.
#[derive(Default)]
struct DispatchClock {
    looked: Option<Instant>,
    cared: Option<Instant>,
    /// Since when the database is out of use.
    out_since: Option<Instant>,
    /// True while somebody asks the database.
    busy: bool,
    /// Batches that machines can play at a time.
    slots: usize,
    /// When it was told that there are no machines.
    told_of_none: Option<Instant>,
    /// Hashes of what is in the database.
    sent: BTreeSet<Digest>,
    /// Batches that are done with, and since when.
    done: Vec<(Instant, String)>,
    /// When all of it was sent, or touched, last.
    sent_at: Option<Instant>,
    /// Machines that have played for this run, and when that was noted.
    parts: BTreeMap<String, Instant>,
}

fn failed(error: Error) -> ArenaError {
    ArenaError::Elsewhere(Box::new(error))
}

impl<'a> Out<'a> {
    pub(super) fn new(
        from: &'a HandOut,
        pool: &'a Pool,
        rounds: Vec<RoundSpec>,
        modules: &'a [&'a [u8]],
    ) -> Out<'a> {
        let run = run_number();
        let state = Mutex::new(DispatchState::new(&run, rounds));
        let modules = modules_by_digest(modules).into_iter().collect();
        let (clock, changed) = (Mutex::default(), Condvar::new());
        Out { from, pool, run, modules, begun: Instant::now(), state, clock, changed }
    }

    pub(super) fn state(&self) -> MutexGuard<'_, DispatchState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn clock(&self) -> MutexGuard<'_, DispatchClock> {
        self.clock.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What there is to do at the database. One thread at a time does it.
    async fn turn(&self, wanted: &RoundSpec) -> Result<(), Error> {
        if self.is_time_to_care() {
            self.care().await?;
            self.clock().cared = Some(Instant::now());
        }
        self.confirm_here().await?;
        let ahead = self.ahead();
        self.state().fill(wanted, ahead, self.from.terms.batch);
        self.write().await?;
        let awaited = self.state().awaited();
        for report in care::news(&self.from.fleet.db, &awaited).await? {
            self.hear(report).await?;
        }
        Ok(())
    }

    /// Batches that may be handed out now.
    fn ahead(&self) -> usize {
        let ahead = self.from.terms.ahead.unwrap_or_else(|| 2 * self.clock().slots + 2);
        let ahead = ahead.min(MOST_AHEAD);
        if self.state().knows_the_time() {
            return ahead;
        }
        let probes = self.begun.elapsed().as_millis() / PROBE.as_millis();
        ahead.min(usize::try_from(probes).unwrap_or(ahead).saturating_add(1))
    }

    fn is_time_to_care(&self) -> bool {
        self.clock().cared.is_none_or(|at| at.elapsed() > CARE)
    }

    /// Writes the batches that are to be written.
    async fn write(&self) -> Result<(), Error> {
        loop {
            let Some(batch) = self.state().next_to_write() else { return Ok(()) };
            let written = self.write_one(&batch).await;
            if written.is_err() {
                self.state().write_again([batch]);
                return written;
            }
        }
    }

    async fn write_one(&self, id: &str) -> Result<(), Error> {
        let (fleet, terms) = (&self.from.fleet, &self.from.terms);
        let Some((rounds, hashes, not_for, tries)) = self.state().open.get(id).map(|open| {
            let hashes: BTreeSet<Digest> =
                open.rounds.iter().flat_map(|spec| &spec.seats).filter_map(hash_of).collect();
            (rounds_to_json(&open.rounds), hashes, open.not_for.clone(), open.lost_before)
        }) else {
            return Ok(());
        };
        for hash in hashes {
            self.send(hash).await?;
        }
        let batch = NewBatch {
            id,
            run: &self.run,
            fingerprint: &fleet.fingerprint,
            priority: terms.priority,
            rounds: &rounds,
            not_for: not_for.as_deref(),
            tries,
        };
        care::write(&fleet.db, &fleet.utils, &batch).await
    }

    /// Sends a module or table, once.
    async fn send(&self, hash: Digest) -> Result<(), Error> {
        if self.clock().sent.contains(&hash) {
            return Ok(());
        }
        let module = self.modules.get(&hash).copied();
        let bytes = module.or_else(|| self.pool.tables.bytes(&hash));
        let bytes = bytes.ok_or_else(|| Error::NoBytes(hash.to_string()))?;
        care::keep(&self.from.fleet.db, &hash.to_string(), bytes).await?;
        self.clock().sent.insert(hash);
        Ok(())
    }

    /// Keeps the run wanted, and its batches known to machines that are free.
    async fn care(&self) -> Result<(), Error> {
        let fleet = &self.from.fleet;
        end_blockers(&fleet.db).await?;
        care::want(&fleet.db, &self.run, &self.from.purpose).await?;
        let slots = care::slots(&fleet.db, &fleet.fingerprint).await?;
        self.note_slots(slots);
        self.touch_modules();
        self.find_lost_batches().await?;
        let written = self.state().written();
        for idle in care::idle(&fleet.db, &written).await? {
            let fate = self.state().decide(&idle.batch, idle.tries);
            match fate {
                Fate::Hint => {
                    let not_for = idle.not_for.as_deref();
                    care::hint(&fleet.utils, &idle.batch, idle.priority, not_for).await?;
                }
                Fate::Cut | Fate::GivenUp => {
                    tracing::warn!(batch = idle.batch, ?fate, "machines did not come back from it");
                    care::take_back(&fleet.utils, &idle.batch).await?;
                    care::drop_batches(&fleet.db, &[idle.batch]).await?;
                    self.changed.notify_all();
                }
            }
        }
        self.check_afterthoughts().await?;
        self.drop_done().await
    }

    /// Has modules touched now and then, so that nobody sweeps them.
    fn touch_modules(&self) {
        let mut clock = self.clock();
        if clock.sent_at.is_none_or(|at| at.elapsed() > TOUCH) {
            clock.sent_at = Some(Instant::now());
            clock.sent.clear();
        }
    }

    /// Notes how much machines can play, and tells if there are none.
    fn note_slots(&self, slots: usize) {
        let mut clock = self.clock();
        clock.slots = slots;
        if slots == 0 && clock.told_of_none.is_none_or(|at| at.elapsed() > TELL_OF_NONE) {
            clock.told_of_none = Some(Instant::now());
            tracing::warn!(
                "no machine plays for this version of the judge: start `judge-worker` on one"
            );
        }
    }

    /// Batches that a database has lost, as one can that takes another's place, are written again.
    async fn find_lost_batches(&self) -> Result<(), Error> {
        let written = self.state().written();
        let there = care::there(&self.from.fleet.db, &written).await?;
        if there.len() < written.len() {
            self.clock().sent.clear();
            let lost = written.into_iter().filter(|batch| !there.contains(batch));
            self.state().write_again(lost);
        }
        Ok(())
    }

    /// Drops what no late machine is expected to contradict any more.
    async fn drop_done(&self) -> Result<(), Error> {
        let old: Vec<String> = {
            let clock = self.clock();
            let old = clock.done.iter().filter(|(at, _)| at.elapsed() > KEPT);
            old.map(|(_, batch)| batch.clone()).collect()
        };
        if !old.is_empty() {
            care::drop_batches(&self.from.fleet.db, &old).await?;
            self.clock().done.retain(|(_, batch)| !old.contains(batch));
        }
        Ok(())
    }

    /// Batches that are done with and still in the database.
    pub(super) fn done(&self) -> Vec<String> {
        self.clock().done.iter().map(|(_, batch)| batch.clone()).collect()
    }

    /// Takes in what a machine has told of a batch.
    async fn hear(&self, report: BatchReport) -> Result<(), Error> {
        let BatchReport { batch, machine, told, distrusted } = report;
        let Some(rounds) = self.state().open.get(&batch).map(|open| open.rounds.clone()) else {
            return Ok(());
        };
        if distrusted {
            return self.play_again(&batch, &machine).await;
        }
        self.note_part_of(&machine).await?;
        self.state().note_bytes(told.len(), rounds.len());
        let read = match told_from_json(&batch, rounds.len(), &told) {
            Ok(read) => read,
            Err(error) => {
                self.expose(&machine, &error.to_string(), &rounds, &told, "").await?;
                return self.play_again(&batch, &machine).await;
            }
        };
        let confirms = self.state().confirmed_by(&batch);
        if let Some(first) = confirms {
            self.compare(&first, &machine, read).await?;
            self.state().drop_second(&batch);
            self.finish(&batch);
        } else if !by_chance(self.from.terms.audit) {
            self.accept_or_mend(&batch, read, &machine).await?;
        } else if by_chance(AUDITED_HERE) {
            self.audit_here(&batch, machine, read).await?;
        } else {
            self.state().confirm(&batch, machine, read);
        }
        Ok(())
    }

    /// Notes which machines have played for whom, each once an hour.
    async fn note_part_of(&self, machine: &str) -> Result<(), Error> {
        let is_known = |at: &Instant| at.elapsed() < PART;
        if self.clock().parts.get(machine).is_some_and(is_known) {
            return Ok(());
        }
        care::take_part(&self.from.fleet.db, machine, &self.from.purpose).await?;
        self.clock().parts.insert(machine.to_owned(), Instant::now());
        Ok(())
    }

    async fn play_again(&self, batch: &str, machine: &str) -> Result<(), Error> {
        self.state().again(batch, machine);
        care::drop_batches(&self.from.fleet.db, &[batch.to_owned()]).await
    }

    /// What was told of the rounds of a batch is what they are.
    pub(super) fn accept(&self, batch: &str, told: Vec<RemoteResult>, machine: Option<&str>) {
        self.state().accept(batch, told, machine);
        self.finish(batch);
        self.changed.notify_all();
    }

    /// A batch is done with, but kept for a while.
    fn finish(&self, batch: &str) {
        self.clock().done.push((Instant::now(), batch.to_owned()));
    }

    /// True if the caller is to ask the database now.
    fn is_my_turn(&self) -> bool {
        let mut clock = self.clock();
        let every = if clock.out_since.is_some() { RETRY } else { NEWS_EVERY };
        let due = clock.looked.is_none_or(|at| at.elapsed() >= every);
        let mine = due && !clock.busy;
        clock.busy |= mine;
        mine
    }

    /// Ends a turn. A database that is out of use is waited for.
    fn end_turn(&self, done: Result<(), Error>) -> Result<(), Error> {
        let mut clock = self.clock();
        (clock.busy, clock.looked) = (false, Some(Instant::now()));
        match done {
            Ok(()) => {
                if clock.out_since.take().is_some() {
                    tracing::info!("the fleet's database works again");
                }
                Ok(())
            }
            Err(error) if error.is_of_lost_rows() => {
                // Another database took its place, and had not seen all: what is missing is written again.
                clock.cared = None;
                Ok(())
            }
            Err(error) if error.is_outage() => {
                let is_new = clock.out_since.is_none();
                let since = *clock.out_since.get_or_insert_with(Instant::now);
                if is_new {
                    tracing::warn!(
                        %error,
                        "the fleet's database is unreachable; retrying every second for ten minutes"
                    );
                }
                if since.elapsed() > OUTAGE { Err(error) } else { Ok(()) }
            }
            Err(error) => Err(error),
        }
    }

    /// Waits until something was told, or it is time to look again.
    fn pause(&self) {
        let waited = self.changed.wait_timeout(self.state(), NEWS_EVERY);
        drop(waited.unwrap_or_else(PoisonError::into_inner));
    }

    pub(super) fn block_on<T>(&self, what: impl Future<Output = T>) -> T {
        self.from.fleet.runtime.block_on(what)
    }
}

impl RemoteRun for Out<'_> {
    fn wait(&self, spec: &RoundSpec) -> Result<RemoteResult, ArenaError> {
        let key = round_key(spec);
        loop {
            if let Some(told) = self.state().take(&key) {
                return Ok(told);
            }
            if self.pool.stop.is_asked() {
                return Err(ArenaError::Stopped);
            }
            if self.is_my_turn() {
                let done = self.block_on(unblocked(&self.from.fleet.db, self.turn(spec)));
                let ended = self.end_turn(done);
                if self.pool.stop.is_asked() {
                    return Err(ArenaError::Stopped);
                }
                ended.map_err(failed)?;
            } else {
                self.pause();
            }
        }
    }

    fn disbelieve(&self, spec: &RoundSpec, told: &RemoteResult, why: &str) {
        self.block_on(self.disbelieve_machine(spec, told, why));
    }

    fn expose(&self, spec: &RoundSpec, machine: &str, why: &str) {
        self.block_on(self.expose_replayed(spec, machine, why));
    }
}

impl Drop for Out<'_> {
    fn drop(&mut self) {
        let open: Vec<String> = self.state().open.keys().cloned().collect();
        let fleet = &self.from.fleet;
        let forgotten = self.block_on(async {
            for batch in open {
                care::take_back(&fleet.utils, &batch).await?;
            }
            care::forget(&fleet.db, &self.run).await
        });
        if let Err(error) = forgotten {
            tracing::warn!(%error, "cannot withdraw the unfinished batches");
        }
    }
}

/// The hash of the bytes that a seat needs.
fn hash_of(seat: &SeatSpec) -> Option<Digest> {
    match seat {
        SeatSpec::Bot { sha256, .. } => Some(*sha256),
        seat => seat.table(),
    }
}
