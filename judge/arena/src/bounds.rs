//! What one submission may cost whoever judges it, over all its rounds: processor time and room in
//! the journal. Far above what its testcases allow it anyway; for those who look for the gap.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use judge_core::{Blame, FUEL_PER_MS, Refused, Verdict};
use judge_grading::Suite;
use judge_sandbox::worker::Meter;
use serde::{Deserialize, Serialize};

/// Processor time for compiling and for starting processes, on top of what rounds may take.
const START: Duration = Duration::from_secs(240);

/// Processor time beside the bot's budget that a round may take: its start-up, which has a budget of
/// its own, and the opponent.
const ROUND: Duration = Duration::from_secs(4);

/// How many milliseconds of processor time a judge-millisecond may take, summed over a suite. The
/// emergency stop of a single round allows more: `judge/docs/security.md`.
const SLOWNESS: u64 = 20;

/// Bytes of journal for a round, beside logs.
const ROUND_BYTES: u64 = 64 << 10;

/// Bytes of journal for the logs of a testcase: see [`judge_grading::LOG_BYTES`].
const LOG_BYTES: u64 = 2 * judge_grading::LOG_BYTES;

/// What a submission may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bounds {
    /// Processor time of all its workers, compiling included.
    pub processor: Duration,
    /// Bytes that its rounds may take in the journal.
    pub journal_bytes: u64,
}

impl Bounds {
    /// Bounds far above what honest submissions to that suite need.
    pub fn for_suite(suite: &Suite) -> Bounds {
        let fuel: u64 = suite.testcases.iter().map(|case| case.limits.fuel / FUEL_PER_MS).sum();
        let rounds: u64 = suite.testcases.iter().map(|case| case.seeds.len() as u64).sum();
        let logs = LOG_BYTES * suite.testcases.len() as u64;
        Bounds {
            processor: START
                .saturating_add(Duration::from_millis(SLOWNESS.saturating_mul(fuel)))
                .saturating_add(ROUND.saturating_mul(u32::try_from(rounds).unwrap_or(u32::MAX))),
            journal_bytes: logs.saturating_add(ROUND_BYTES.saturating_mul(rounds)),
        }
    }
}

/// What a submission has cost so far.
#[derive(Debug)]
pub struct Account {
    /// Counts the processor time.
    pub(crate) meter: Arc<Meter>,
    written: AtomicU64,
    bounds: Bounds,
}

impl Account {
    pub(crate) fn new(bounds: Bounds) -> Account {
        let meter = Arc::new(Meter::new(bounds.processor));
        Account { meter, written: AtomicU64::new(0), bounds }
    }

    /// Notes what a round takes to write down.
    pub(crate) fn wrote(&self, bytes: u64) {
        self.written.fetch_add(bytes, Ordering::Relaxed);
    }

    /// What it may cost.
    pub(crate) fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// Whether nothing more is to be played.
    pub(crate) fn is_exceeded(&self) -> bool {
        self.meter.is_over() || self.written.load(Ordering::Relaxed) > self.bounds.journal_bytes
    }

    /// The verdict on a submission that has cost too much.
    pub(crate) fn refusal(&self) -> Option<Refused> {
        if self.meter.is_over() {
            let seconds = self.bounds.processor.as_secs();
            let detail = format!(
                "compiling and playing it took more than {seconds} s of processor time, the bound \
                 for a whole submission\nhint: each of its judge-milliseconds takes many real ones, \
                 as with loads all over a large memory; instructors can raise the bound \
                 (`--submission-seconds`)"
            );
            return Some(refused(Verdict::TimeLimitExceeded, detail));
        }
        self.is_exceeded().then(|| {
            let mib = self.bounds.journal_bytes >> 20;
            let detail = format!(
                "its rounds take more than {mib} MiB to write down, the bound for a whole \
                 submission\nhint: log less; instructors can raise the bound (`--submission-mib`)"
            );
            refused(Verdict::OutputLimitExceeded, detail)
        })
    }
}

fn refused(verdict: Verdict, detail: String) -> Refused {
    Refused { verdict, blame: Blame::Bot, detail }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounds(seconds: u64, journal_bytes: u64) -> Bounds {
        Bounds { processor: Duration::from_secs(seconds), journal_bytes }
    }

    #[test]
    fn a_journal_that_is_too_full_is_too_much_output() {
        let account = Account::new(bounds(1, 100));
        account.wrote(100);
        assert_eq!(account.refusal(), None);
        account.wrote(1);
        let refused = account.refusal().expect("one byte too much");
        assert_eq!((refused.verdict, refused.blame), (Verdict::OutputLimitExceeded, Blame::Bot));
    }

    #[test]
    fn bounds_grow_with_the_suite() {
        let case = |seeds: &str| {
            format!(
                "title = 'x'\ngame = 'mahjong'\nopponent = 'random'\nseeds = [{seeds}]\n\
                 min_score = 1\npoints = 1"
            )
        };
        let of = |text: &str| {
            let files = [("suite.toml", "title = 'x'"), ("a.toml", text)];
            Bounds::for_suite(&Suite::from_files("suite", files).expect("a suite"))
        };
        let (one, two) = (of(&case("1")), of(&case("1, 2")));
        assert_eq!(one.processor, Duration::from_secs(240 + 80 + 4));
        assert_eq!(two.journal_bytes - one.journal_bytes, ROUND_BYTES);
    }
}
