//! Dispatched rounds. The threads that wait for them take turns asking the database.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use judge_arena::{ArenaError, RemoteResult, RemoteRun, Run, modules_by_digest, round_key};
use judge_core::{Digest, RoundSpec, SeatSpec};

use super::state::{DispatchState, Fate};
use super::{Dispatcher, by_chance, run_number};
use crate::Error;
use crate::batch::{results_from_json, rounds_to_json};
use crate::batch_table::{self, BatchReport, CARE, NEWS_EVERY, NewBatch};
use crate::locks::{end_blockers, unblocked};

/// Time for which the results of a batch are kept, to compare them with late ones.
const KEPT: Duration = Duration::from_secs(60);

/// Time for which a database may be unavailable before a run gives up.
const OUTAGE: Duration = Duration::from_secs(600);

/// Interval at which modules are touched, so that no other run sweeps them.
const TOUCH: Duration = Duration::from_secs(3600);

/// Interval at which a machine is recorded as playing for a run.
const PART: Duration = Duration::from_secs(3600);

/// Time between batches while the duration of rounds is unknown. The first batch soon shows how
/// many rounds make a good batch; long rounds are spread nevertheless.
const PROBE: Duration = Duration::from_millis(250);

/// Maximum number of batches dispatched at a time.
const MOST_AHEAD: usize = 4096;

/// Share of the audits that are done here, because two machines could collude.
const AUDITED_HERE: f64 = 0.25;

/// Interval of the warning that the fleet has no machines.
const TELL_OF_NONE: Duration = Duration::from_secs(60);

/// Time between two tries to reach an unavailable database.
const RETRY: Duration = Duration::from_secs(1);

/// Dispatched rounds.
pub(super) struct RunDispatch<'a> {
    pub(super) from: &'a Dispatcher,
    /// The waiting run. Its pool plays the rounds about which machines contradict each other.
    pub(super) here: &'a Run,
    pub(super) run: String,
    pub(super) modules: BTreeMap<Digest, &'a [u8]>,
    begun: Instant,
    state: Mutex<DispatchState>,
    clock: Mutex<DispatchClock>,
    changed: Condvar,
}

/// Times of the latest actions.
#[derive(Default)]
struct DispatchClock {
    looked: Option<Instant>,
    cared: Option<Instant>,
    /// Start of the database's outage.
    out_since: Option<Instant>,
    /// True while a thread asks the database.
    busy: bool,
    /// Batches that machines can play at a time.
    slots: usize,
    /// Time of the last warning that the fleet has no machines.
    told_of_none: Option<Instant>,
    /// Hashes of the modules and tables in the database.
    sent: BTreeSet<Digest>,
    /// Finished batches, and when they finished.
    done: Vec<(Instant, String)>,
    /// When all modules and tables were last sent or touched.
    sent_at: Option<Instant>,
    /// Machines that have played for this run, and when that was recorded.
    parts: BTreeMap<String, Instant>,
}

fn failed(error: Error) -> ArenaError {
    ArenaError::Elsewhere(Box::new(error))
}

impl<'a> RunDispatch<'a> {
    pub(super) fn new(
        from: &'a Dispatcher,
        here: &'a Run,
        rounds: Vec<RoundSpec>,
        modules: &'a [&'a [u8]],
    ) -> RunDispatch<'a> {
        let run = run_number();
        let state = Mutex::new(DispatchState::new(&run, rounds));
        let modules = modules_by_digest(modules).into_iter().collect();
        let (clock, changed) = (Mutex::default(), Condvar::new());
        RunDispatch { from, here, run, modules, begun: Instant::now(), state, clock, changed }
    }

    pub(super) fn state(&self) -> MutexGuard<'_, DispatchState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn clock(&self) -> MutexGuard<'_, DispatchClock> {
        self.clock.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does all pending work at the database. One thread at a time does this.
    async fn turn(&self, wanted: &RoundSpec) -> Result<(), Error> {
        if self.is_time_to_care() {
            self.batch_table().await?;
            self.clock().cared = Some(Instant::now());
        }
        self.confirm_here().await?;
        let ahead = self.ahead();
        self.state().fill(wanted, ahead, self.from.terms.batch);
        self.write().await?;
        let awaited = self.state().awaited();
        for report in batch_table::news(&self.from.fleet.db, &awaited).await? {
            self.hear(report).await?;
        }
        Ok(())
    }

    /// Batches that may be dispatched now.
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

    /// Writes the pending batches.
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
        batch_table::write(&fleet.db, &fleet.utils, &batch).await
    }

    /// Sends a module or table, once.
    async fn send(&self, hash: Digest) -> Result<(), Error> {
        if self.clock().sent.contains(&hash) {
            return Ok(());
        }
        let module = self.modules.get(&hash).copied();
        let bytes = module.or_else(|| self.here.tables().bytes(&hash));
        let bytes = bytes.ok_or_else(|| Error::NoBytes(hash.to_string()))?;
        batch_table::keep(&self.from.fleet.db, &hash.to_string(), bytes).await?;
        self.clock().sent.insert(hash);
        Ok(())
    }

    /// Sends the run's heartbeat, and hints at its batches to free machines.
    async fn batch_table(&self) -> Result<(), Error> {
        let fleet = &self.from.fleet;
        end_blockers(&fleet.db).await?;
        batch_table::want(&fleet.db, &self.run, &self.from.purpose).await?;
        let slots = batch_table::slots(&fleet.db, &fleet.fingerprint).await?;
        self.note_slots(slots);
        self.touch_modules();
        self.find_lost_batches().await?;
        let written = self.state().written();
        for idle in batch_table::idle(&fleet.db, &written).await? {
            let fate = self.state().decide(&idle.batch, idle.tries);
            match fate {
                Fate::Hint => {
                    let not_for = idle.not_for.as_deref();
                    batch_table::hint(&fleet.utils, &idle.batch, idle.priority, not_for).await?;
                }
                Fate::Cut | Fate::GivenUp => {
                    tracing::warn!(
                        batch = idle.batch,
                        ?fate,
                        "machines were lost while they played a batch"
                    );
                    batch_table::take_back(&fleet.utils, &idle.batch).await?;
                    batch_table::drop_batches(&fleet.db, &[idle.batch]).await?;
                    self.changed.notify_all();
                }
            }
        }
        self.check_afterthoughts().await?;
        self.drop_done().await
    }

    /// Makes the next turn touch the modules if that is due, so that no other run sweeps them.
    fn touch_modules(&self) {
        let mut clock = self.clock();
        if clock.sent_at.is_none_or(|at| at.elapsed() > TOUCH) {
            clock.sent_at = Some(Instant::now());
            clock.sent.clear();
        }
    }

    /// Records the number of slots, and warns if there are none.
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

    /// Writes the batches again that a database has lost, for example after a failover.
    async fn find_lost_batches(&self) -> Result<(), Error> {
        let written = self.state().written();
        let there = batch_table::there(&self.from.fleet.db, &written).await?;
        if there.len() < written.len() {
            self.clock().sent.clear();
            let lost = written.into_iter().filter(|batch| !there.contains(batch));
            self.state().write_again(lost);
        }
        Ok(())
    }

    /// Drops the batches for which no late results are expected any more.
    async fn drop_done(&self) -> Result<(), Error> {
        let old: Vec<String> = {
            let clock = self.clock();
            let old = clock.done.iter().filter(|(at, _)| at.elapsed() > KEPT);
            old.map(|(_, batch)| batch.clone()).collect()
        };
        if !old.is_empty() {
            batch_table::drop_batches(&self.from.fleet.db, &old).await?;
            self.clock().done.retain(|(_, batch)| !old.contains(batch));
        }
        Ok(())
    }

    /// Finished batches that are still in the database.
    pub(super) fn done(&self) -> Vec<String> {
        self.clock().done.iter().map(|(_, batch)| batch.clone()).collect()
    }

    /// Processes a machine's results for a batch.
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
        let read = match results_from_json(&batch, rounds.len(), &told) {
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

    /// Records that a machine has played for this run, once an hour.
    async fn note_part_of(&self, machine: &str) -> Result<(), Error> {
        let is_known = |at: &Instant| at.elapsed() < PART;
        if self.clock().parts.get(machine).is_some_and(is_known) {
            return Ok(());
        }
        batch_table::take_part(&self.from.fleet.db, machine, &self.from.purpose).await?;
        self.clock().parts.insert(machine.to_owned(), Instant::now());
        Ok(())
    }

    async fn play_again(&self, batch: &str, machine: &str) -> Result<(), Error> {
        self.state().again(batch, machine);
        batch_table::drop_batches(&self.from.fleet.db, &[batch.to_owned()]).await
    }

    /// Accepts the results for the rounds of a batch as final.
    pub(super) fn accept(&self, batch: &str, told: Vec<RemoteResult>, machine: Option<&str>) {
        self.state().accept(batch, told, machine);
        self.finish(batch);
        self.changed.notify_all();
    }

    /// Marks a batch as finished. It is kept for a while.
    fn finish(&self, batch: &str) {
        self.clock().done.push((Instant::now(), batch.to_owned()));
    }

    /// True if it is the caller's turn to ask the database.
    fn is_my_turn(&self) -> bool {
        let mut clock = self.clock();
        let every = if clock.out_since.is_some() { RETRY } else { NEWS_EVERY };
        let due = clock.looked.is_none_or(|at| at.elapsed() >= every);
        let mine = due && !clock.busy;
        clock.busy |= mine;
        mine
    }

    /// Ends a turn. An outage of the database is not an error until it lasts too long.
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
                // Another database replaced it and may lack rows: the next turn writes them again.
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

    /// Waits until a result has arrived, or it is time to look again.
    fn pause(&self) {
        let waited = self.changed.wait_timeout(self.state(), NEWS_EVERY);
        drop(waited.unwrap_or_else(PoisonError::into_inner));
    }

    pub(super) fn block_on<T>(&self, what: impl Future<Output = T>) -> T {
        self.from.fleet.runtime.block_on(what)
    }
}

impl RemoteRun for RunDispatch<'_> {
    fn wait(&self, spec: &RoundSpec) -> Result<RemoteResult, ArenaError> {
        let key = round_key(spec);
        loop {
            if let Some(told) = self.state().take(&key) {
                return Ok(told);
            }
            if self.here.stop().is_asked() {
                return Err(ArenaError::Stopped);
            }
            if self.is_my_turn() {
                let done = self.block_on(unblocked(&self.from.fleet.db, self.turn(spec)));
                let ended = self.end_turn(done);
                if self.here.stop().is_asked() {
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

impl Drop for RunDispatch<'_> {
    fn drop(&mut self) {
        let open: Vec<String> = self.state().open.keys().cloned().collect();
        let fleet = &self.from.fleet;
        let forgotten = self.block_on(async {
            for batch in open {
                batch_table::take_back(&fleet.utils, &batch).await?;
            }
            batch_table::forget(&fleet.db, &self.run).await
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
