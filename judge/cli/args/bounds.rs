//! Bounds on the cost of a whole submission.

use judge_runner::base::bounds::SubmissionBounds;

/// Bounds on the cost of a whole submission.
#[derive(clap::Args, Default)]
pub(crate) struct BoundArgs {
    /// Limit the processor time of a submission, compilation and all rounds together. Default: 240
    /// s, plus 4 s per round, plus 20 times the suite's time limits.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    submission_seconds: Option<u64>,
    /// Limit the MiB that the rounds of a submission may take in the journal. Default: 32 per
    /// testcase, plus one per 16 rounds.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
    submission_mib: Option<u64>,
}

impl BoundArgs {
    pub(crate) fn bounds(&self) -> SubmissionBounds {
        SubmissionBounds { seconds: self.submission_seconds, mebibytes: self.submission_mib }
    }
}
