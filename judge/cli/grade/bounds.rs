//! What a whole submission may cost, from the command line.

use std::time::Duration;

use judge_arena::Bounds;
use judge_grading::Suite;

/// Bounds for a whole submission.
#[derive(clap::Args, Default)]
pub(crate) struct BoundArguments {
    /// Most processor time of one submission, compiling and all its rounds together. Without it 240 s,
    /// 4 s a round and 20 times the suite's time limits.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    submission_seconds: Option<u64>,
    /// Most MiB that the rounds of one submission may take to write down. Without it 32 for each
    /// testcase and one for each 16 rounds.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
    submission_mib: Option<u64>,
}

impl BoundArguments {
    /// The bounds on that suite; none if nothing is said, for what suits it.
    pub(crate) fn on(&self, suite: &Suite) -> Option<Bounds> {
        if self.submission_seconds.is_none() && self.submission_mib.is_none() {
            return None;
        }
        let usual = Bounds::for_suite(suite);
        Some(Bounds {
            processor: self.submission_seconds.map_or(usual.processor, Duration::from_secs),
            journal_bytes: self.submission_mib.map_or(usual.journal_bytes, |mib| mib << 20),
        })
    }
}
