//! One grading: reads suite and module, plays on a separate thread, and reports to the hub.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use judge_arena::{ArenaError, Pool, Stop, StoreError};
use judge_core::GradeReport;
use judge_runner::base::workers::Workers;
use judge_runner::bots;
use judge_runner::grade::{ForStudent, traces};
use judge_store::{DatabaseRounds, GradingJob, RunKey, Timestamp};

use super::fleet::{AGAIN, FIRST, elsewhere};
use crate::App;
use crate::hub::{Follower, Progress};

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
}

impl GradingTurn {
    /// A new grading, which ends with the server or through `stop`.
    pub(super) fn new(stop: Stop) -> GradingTurn {
        GradingTurn { stop, rounds: OnceLock::new() }
    }

    /// Processor time spent so far.
    pub(super) fn spent(&self) -> Duration {
        self.rounds.get().map(|rounds| rounds.spent()).unwrap_or_default()
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
    let pool = workers.pool();
    let key = RunKey {
        suite: submission.suite.clone(),
        generation: job.generation,
        module: submission.module,
    };
    let rounds = store.rounds(&key, &pool.fingerprint, Timestamp::now()).await?;
    let rounds = Arc::clone(turn.rounds.get_or_init(|| Arc::new(rounds)));
    let bounds = app.config().bounds.on(&suite);
    let again = if job.is_again { AGAIN } else { FIRST };
    let purpose = format!("submission {}, generation {}", submission.id, job.generation);
    let elsewhere = elsewhere(app, &purpose, again);
    let stop = turn.stop.clone();
    let pool = Pool { journal: Some(rounds), bounds, elsewhere, stop, ..pool };
    let (app, id, name) = (app.clone(), submission.id.clone(), submission.name.clone());
    let workers = workers.clone();
    let played = tokio::task::spawn_blocking(move || {
        let bot = bots::submission(&name, module, &suite);
        let tell = |progress: &Progress| app.hub().tell(&id, progress.clone());
        let mut follower = Follower::new(tell);
        let mut listener = ForStudent::new(&mut follower, &suite);
        let played = judge_arena::grade(&pool, &suite, std::slice::from_ref(&bot), &mut listener);
        let report = played.map(|mut report| {
            let own = report.bots.iter_mut();
            own.for_each(|own| traces::add(own, &suite, &bot.module, &workers, traces::STOPPED));
            report
        });
        let missing = pool.isolation.missing();
        app.lanes().note_isolation(missing.iter().map(|wall| wall.name.clone()).collect());
        report
    });
    Ok(played.await.map_err(|_| GradingError::Panicked)??)
}
