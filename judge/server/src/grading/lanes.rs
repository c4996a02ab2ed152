//! Lanes. Each takes a job, grades it, and takes the next. A failure ends only its own job.

use std::time::Duration;

use judge_runner::base::workers::Workers;
use judge_store::{Error, GradingJob, Timestamp, Written};
use tokio::task::JoinHandle;

use super::fleet::{LADDER, remote_pool};
use super::ladder::LadderTurn;
use super::play::{GradingError, GradingTurn, play};
use crate::App;
use crate::builds::forget_derived;

/// Length of a job's lease without a renewal.
const LEASE: Duration = Duration::from_secs(60);

/// Interval at which idle lanes check the queue, because another server may share the database.
const IDLE: Duration = Duration::from_secs(5);

/// Starts the lanes, and lets people play against bots. `name` is the server's name in the
/// database, the same at each start.
///
/// # Errors
/// When the database fails.
pub async fn start(app: &App, name: &str, workers: Workers) -> Result<Vec<JoinHandle<()>>, Error> {
    app.store().end_leases(name, Timestamp::now()).await?;
    app.store().end_pair_leases(name).await?;
    let (require_isolation, stop) = (app.config().require_isolation, app.lanes().stop_switch());
    let workers = Workers { require_isolation, stop, ..workers.with_jobs(1) };
    // Bots that people play against run in the same way, in addition to the lanes.
    app.rounds().open(workers.clone());
    let lane = |_| {
        let (app, worker, workers) = (app.clone(), name.to_owned(), workers.clone());
        let elsewhere = remote_pool(&app, "the ladders", LADDER);
        let run = Workers { elsewhere, ..workers.clone() }.run();
        let ladder = LadderTurn::new(&app, &worker, run);
        let lane = Lane { app, worker, workers, ladder };
        tokio::spawn(async move { lane.run().await })
    };
    Ok((0..app.lanes().count()).map(lane).collect())
}

/// One lane.
struct Lane {
    app: App,
    worker: String,
    workers: Workers,
    ladder: LadderTurn,
}

impl Lane {
    async fn run(&self) {
        let lanes = self.app.lanes();
        // Jobs that failed for the last time. Each is given up when its turn in the queue comes.
        let mut failed: Vec<GradingJob> = Vec::new();
        while !lanes.is_stopped() {
            let woken = lanes.woken();
            let next = self.app.store().next_job(&self.worker, LEASE, Timestamp::now()).await;
            failed = self.without_given_up(failed).await;
            match next {
                Ok(Some(job)) => failed.extend(self.work(job).await.filter(|job| job.is_last)),
                // Submissions first: one that arrives now waits for the pairs under way at most.
                Ok(None) if self.ladder.take().await => {}
                Ok(None) => _ = tokio::time::timeout(IDLE, woken).await,
                Err(error) => {
                    tracing::error!(%error, "the queue cannot be read");
                    tokio::time::sleep(IDLE).await;
                }
            }
        }
    }

    /// Informs the pages that follow a job once it is given up; returns the other jobs.
    async fn without_given_up(&self, failed: Vec<GradingJob>) -> Vec<GradingJob> {
        let mut others = Vec::new();
        for job in failed {
            let GradingJob { submission, generation, .. } = &job;
            let results = self.app.store().results_of(&submission.id).await;
            if !results.is_ok_and(|results| results.iter().any(|one| one.generation == *generation))
            {
                others.push(job);
                continue;
            }
            self.app.instruments().broken.inc();
            tracing::error!(submission = %submission.id, "given up: the judge failed each time");
            self.app.hub().finish(&submission.id, &submission.suite);
        }
        others
    }

    /// Grades a submission; returns the job if that failed.
    async fn work(&self, job: GradingJob) -> Option<GradingJob> {
        let (lanes, instruments) = (self.app.lanes(), self.app.instruments());
        lanes.begin();
        instruments.playing.inc();
        let failed = self.grade(&job).await;
        instruments.playing.dec();
        lanes.end();
        if failed.is_err() && self.is_gone(&job).await {
            tracing::info!(submission = %job.submission.id, "erased or deleted while graded");
            forget_derived(&self.app.config().data);
            return None;
        }
        match failed {
            Ok(()) => None,
            // An archived course has ended the lease, so this changes nothing there.
            Err(GradingError::Stopped | GradingError::Store(Error::Archived)) => {
                let _ = self.app.store().hand_back(&job, Timestamp::now()).await;
                None
            }
            Err(error) if error.is_the_databases() => {
                tracing::error!(submission = %job.submission.id, %error,
                    "the database failed during a grading, which will start again");
                self.hand_back_when_possible(&job).await;
                None
            }
            Err(error) => {
                tracing::error!(submission = %job.submission.id, attempt = job.attempt, %error,
                    "a grading failed");
                let _ = self.app.store().job_failed(&job, Timestamp::now()).await;
                Some(job)
            }
        }
    }

    /// True if a submission was erased, or deleted with its suite.
    async fn is_gone(&self, job: &GradingJob) -> bool {
        self.app.store().submission(&job.submission.id).await.is_ok_and(|found| found.is_none())
    }

    /// Hands a job back as soon as the database works again, so that a full disk does not count as
    /// a failed attempt.
    async fn hand_back_when_possible(&self, job: &GradingJob) {
        let (store, lanes) = (self.app.store(), self.app.lanes());
        while store.hand_back(job, Timestamp::now()).await.is_err() && !lanes.is_stopped() {
            tokio::time::sleep(IDLE).await;
        }
    }

    /// Renews the lease and records the cost after every turn. Stops the grading once its lease was
    /// ended, as in a course that was archived, or once another account waits for its lane. The
    /// latter only after a new round, so that each attempt makes progress.
    async fn keep_alive(&self, job: &GradingJob, turn: &GradingTurn) {
        let (store, lanes) = (self.app.store(), self.app.lanes());
        loop {
            tokio::time::sleep(lanes.turn()).await;
            let now = Timestamp::now();
            if let Ok(false) = store.renew(job, LEASE, now).await {
                tracing::info!(submission = %job.submission.id, "the lease was ended");
                turn.stop.now();
            }
            let _ = store.note_cost(job, turn.spent()).await;
            let in_the_way = store.is_in_the_way(job, &self.worker, lanes.count(), now);
            if turn.has_progressed() && in_the_way.await.unwrap_or(false) {
                tracing::info!(submission = %job.submission.id, "another account waits");
                turn.stop.now();
            }
        }
    }

    async fn grade(&self, job: &GradingJob) -> Result<(), GradingError> {
        let (store, submission) = (self.app.store(), &job.submission);
        tracing::info!(submission = %submission.id, attempt = job.attempt, "grading");
        let turn = GradingTurn::new(self.app.lanes().stop_switch().part());
        let played = tokio::select! {
            played = play(&self.app, &self.workers, job, &turn) => played,
            () = self.keep_alive(job, &turn) => return Ok(()),
        };
        let _ = store.note_cost(job, turn.spent()).await;
        let report = played?;
        let failures: usize = report.bots.iter().map(judge_core::BotReport::judge_errors).sum();
        if failures > 0 && !job.is_last {
            return Err(GradingError::Rounds(failures));
        }
        let written = store.write_result(submission, job.generation, &report, Timestamp::now());
        match written.await? {
            Written::New => self.app.instruments().gradings.inc(),
            Written::Same | Written::GivenUp => 0,
        };
        tracing::info!(submission = %submission.id, "graded");
        self.app.hub().finish(&submission.id, &submission.suite);
        Ok(())
    }
}
