//! One grading: reads suite and module, plays on a separate thread, and reports to the hub.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use judge_arena::{ArenaError, Run, Stop, StoreError};
use judge_core::{Digest, GradeReport};
use judge_runner::base::workers::{Workers, fingerprint};
use judge_runner::bots;
use judge_runner::grade::ForStudent;
use judge_runner::grade::traces::{self, Replays};
use judge_store::{DatabaseRounds, GradingJob, RunKey, Timestamp};

use super::fleet::{AGAIN, FIRST, remote_pool};
use crate::App;
use crate::hub::{Follower, Progress};

/// Time after which no more replays of failures begin.
const REPLAYS: Duration = Duration::from_secs(10);

/// Mean processor time of a submission's rounds above which no failure is replayed, because a
/// replay costs as much as a round and is not bounded otherwise. An endless loop takes half of it.
const QUICK: Duration = Duration::from_secs(10);

/// The reason why a grading has no result.
#[derive(Debug, thiserror::Error)]
pub(super) enum GradingError {
    /// The server stops.
    #[error("the server stops")]
    Stopped,
    /// The database fails.
    #[error(transparent)]
    Store(#[from] judge_store::Error),
    /// The judge fails.
    #[error(transparent)]
    Arena(ArenaError),
    /// The judge failed in some rounds, which must be played again.
    #[error("the judge failed in {0} rounds")]
    Rounds(usize),
    /// The bytes of the module are gone.
    #[error("the module is not in the database")]
    NoModule,
    /// The thread that played panicked.
    #[error("the grading panicked")]
    Panicked,
}

impl GradingError {
    /// True for a database outage, which is neither the judge's nor the bot's fault.
    pub(super) fn is_the_databases(&self) -> bool {
        match self {
            GradingError::Store(error) => error.is_outage(),
            GradingError::Arena(ArenaError::Store(StoreError::Other { source, .. })) => {
                source.downcast_ref().is_some_and(judge_store::Error::is_outage)
            }
            _ => false,
        }
    }
}

impl From<ArenaError> for GradingError {
    fn from(error: ArenaError) -> GradingError {
        match error {
            ArenaError::Stopped => GradingError::Stopped,
            error => GradingError::Arena(error),
        }
    }
}

/// A grading under way, for the lane that watches it.
#[derive(Debug)]
pub(super) struct GradingTurn {
    /// Ends this grading.
    pub(super) stop: Stop,
    rounds: OnceLock<Arc<DatabaseRounds>>,
    /// Time for replays of failures, in milliseconds.
    replays_ms: Arc<AtomicU64>,
}

impl GradingTurn {
    /// A new grading, which ends with the server or through `stop`.
    pub(super) fn new(stop: Stop) -> GradingTurn {
        GradingTurn { stop, rounds: OnceLock::new(), replays_ms: Arc::default() }
    }

    /// Processor time spent so far. A replay has one worker, so its time on the clock is counted.
    pub(super) fn spent(&self) -> Duration {
        let rounds = self.rounds.get().map(|rounds| rounds.spent()).unwrap_or_default();
        rounds + Duration::from_millis(self.replays_ms.load(Ordering::Relaxed))
    }

    /// True once a round was stored that later attempts need not play.
    pub(super) fn has_progressed(&self) -> bool {
        self.rounds.get().is_some_and(|rounds| rounds.added() > 0)
    }
}

/// Plays a submission. Rounds that are in the database are not played again.
pub(super) async fn play(
    app: &App,
    workers: &Workers,
    job: &GradingJob,
    turn: &GradingTurn,
) -> Result<GradeReport, GradingError> {
    let (store, submission) = (app.store(), &job.submission);
    let module = store.module(&submission.module).await?.ok_or(GradingError::NoModule)?;
    let suite = store.grading_suite(&submission.suite, job.generation).await?;
    let key = RunKey {
        suite: submission.suite.clone(),
        generation: job.generation,
        module: submission.module,
    };
    let rounds = store.rounds(&key, &fingerprint(), Timestamp::now()).await?;
    let rounds = Arc::clone(turn.rounds.get_or_init(|| Arc::new(rounds)));
    let (replays_ms, module_digest) = (Arc::clone(&turn.replays_ms), submission.module);
    let bounds = app.config().bounds.on(&suite);
    let again = if job.is_again { AGAIN } else { FIRST };
    let purpose = format!("submission {}, generation {}", submission.id, job.generation);
    let elsewhere = remote_pool(app, &purpose, again);
    let run = Run::new(workers.pool().with_machines(elsewhere))
        .with_store(Arc::clone(&rounds))
        .with_bounds(bounds)
        .with_stop(turn.stop.clone());
    let (app, id, name) = (app.clone(), submission.id.clone(), submission.name.clone());
    let workers = workers.clone();
    let played = tokio::task::spawn_blocking(move || {
        let bot = bots::submission(&name, module, &suite);
        let tell = |progress: &Progress| app.hub().publish(&id, progress.clone());
        let mut follower = Follower::new(tell);
        let mut listener = ForStudent::new(&mut follower, &suite);
        let played = judge_arena::grade(&run, &suite, std::slice::from_ref(&bot), &mut listener);
        let report = played.map(|mut report| {
            let began = Instant::now();
            let quick = is_quick(&rounds, &module_digest);
            let go_on = || quick && began.elapsed() < REPLAYS && !run.stop().is_asked();
            let replays = Replays { verdicts: traces::STOPPED, go_on: &go_on };
            let own = report.bots.iter_mut();
            own.for_each(|own| traces::add(own, &suite, &bot.module, &workers, replays));
            let ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
            replays_ms.store(ms, Ordering::Relaxed);
            report
        });
        let missing = run.pool().isolation().missing();
        app.lanes().note_isolation(missing.iter().map(|wall| wall.name.clone()).collect());
        report
    });
    Ok(played.await.map_err(|_| GradingError::Panicked)??)
}

/// True if the rounds of a run, of this and of earlier gradings, were cheap for that module.
fn is_quick(rounds: &DatabaseRounds, module: &Digest) -> bool {
    match (rounds.processor_time(module), rounds.rounds().map(u32::try_from)) {
        (Ok(Some(time)), Ok(Ok(many))) => time <= QUICK.saturating_mul(many),
        _ => false,
    }
}
