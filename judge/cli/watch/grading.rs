//! One grading in the background, so that the file stays under watch meanwhile.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::Sender;

use judge_arena::{Pool, Stop, Submission};
use judge_core::{Digest, GradeReport};
use judge_grading::Suite;
use judge_report::{ProgressReporter, Reporter as _};

use crate::failure::Failure;

/// A grading that is under way.
pub(super) struct Grading {
    /// Which one it is: the same bytes may come again before an earlier one has ended.
    pub(super) number: u64,
    /// What is graded.
    pub(super) sha256: Digest,
    stop: Stop,
}

/// A grading that has come to its end.
pub(super) struct Done {
    /// Which one it was.
    pub(super) number: u64,
    pub(super) report: Result<GradeReport, Failure>,
}

impl Grading {
    /// Begins to grade; the result comes through `results`.
    pub(super) fn begin(
        number: u64,
        pool: &Pool,
        suite: Arc<Suite>,
        submission: Submission,
        results: &Sender<Done>,
    ) -> Grading {
        let (sha256, stop) = (submission.bot.sha256, Stop::default());
        let pool = Pool { stop: stop.clone(), ..pool.clone() };
        let results = results.clone();
        std::thread::spawn(move || {
            let graded = catch_unwind(AssertUnwindSafe(|| grade(&pool, &suite, submission)));
            // A panic is a bug in the judge. Its message is already out.
            let report =
                graded.unwrap_or_else(|_| Err(Failure::Judge("this is a bug in judge".to_owned())));
            // Nobody is there any more when the watch has ended.
            let _ = results.send(Done { number, report });
        });
        Grading { number, sha256, stop }
    }

    /// Ends it: nobody waits for the result any more. A round that is under way ends by itself, and
    /// holds up nobody.
    pub(super) fn stop(self) {
        self.stop.now();
    }
}

fn grade(pool: &Pool, suite: &Suite, submission: Submission) -> Result<GradeReport, Failure> {
    let mut progress = ProgressReporter::new();
    let report = judge_arena::grade(pool, suite, &[submission], &mut |event| {
        // Standard error that is gone changes no result.
        let _ = progress.event(event);
    })?;
    Ok(report)
}
