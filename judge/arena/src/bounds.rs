//! Bounds on the cost of a submission over all its rounds: processor time and journal bytes. They
//! are far above what its testcases allow, and stop submissions that exploit a gap.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use judge_core::{Blame, BySeat, Digest, Explanation, FUEL_PER_MS, Refused, RoundSpec, Verdict};
use judge_grading::Suite;
use judge_sandbox::worker::Meter;
use serde::{Deserialize, Serialize};

/// Processor time for compiling and for starting processes, in addition to that of rounds.
const START: Duration = Duration::from_secs(240);

/// Processor time of a round in addition to the bot's budget: its start-up, which has a separate
/// budget, and the opponent.
const ROUND: Duration = Duration::from_secs(4);

/// Milliseconds of processor time per judge-millisecond, summed over a suite. The emergency stop of
/// a single round allows more; see `judge/docs/security.md`.
const SLOWNESS: u64 = 20;

/// Bytes of journal per round, without logs.
const ROUND_BYTES: u64 = 64 << 10;

/// Bytes of journal for the logs of a testcase; see [`judge_grading::LOG_BYTES`].
const LOG_BYTES: u64 = 2 * judge_grading::LOG_BYTES;

/// Claimed processor time is replaced by measured time above the bound divided by this number. So
/// another machine may be up to this many times as fast as the measuring one.
const DOUBT: u32 = 2;

/// Largest factor between the measurements of the same rounds by two honest machines.
const SPREAD: u32 = 16;

/// Processor time that a machine may need in addition, for compiling a module that another one has
/// already compiled.
const EXTRA: Duration = Duration::from_secs(10);

/// True if two machines cannot both have measured the processor time of the same rounds.
pub fn is_far(one: Duration, other: Duration) -> bool {
    one.max(other) > one.min(other).saturating_mul(SPREAD).saturating_add(EXTRA)
}

/// A round from another machine, with the processor time that it claims.
#[derive(Debug, Clone)]
pub(crate) struct Claim {
    pub(crate) spec: RoundSpec,
    /// Positions of the modules.
    pub(crate) modules: BySeat<Option<usize>>,
    /// Digest of the round's record.
    pub(crate) record: Digest,
    /// Name of the machine.
    pub(crate) machine: String,
    /// Claimed processor time.
    pub(crate) time: Duration,
    /// Time that the bots' fuel amounts to.
    pub(crate) fuel_ms: u64,
}

/// Bounds on the cost of a submission.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bounds {
    /// Processor time of all its workers, compiling included.
    pub processor: Duration,
    /// Journal bytes of all its rounds.
    pub journal_bytes: u64,
}

impl Bounds {
    /// Bounds far above the needs of honest submissions to that suite.
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

/// Cost of a submission so far.
#[derive(Debug)]
pub struct Account {
    /// Counts the processor time of this run.
    pub(crate) meter: Arc<Meter>,
    /// Processor time of earlier runs, from their journal.
    before: Duration,
    /// Milliseconds on the meter that are already in the journal.
    written_ms: AtomicU64,
    /// True if compilation is already charged.
    compiled: AtomicBool,
    written: AtomicU64,
    /// Rounds with a claimed time, which this machine has not measured.
    claims: Mutex<Vec<Claim>>,
    /// Milliseconds that the fuel of the claimed rounds amounts to.
    claimed_ms: AtomicU64,
    /// Held while a claim is measured, so that only one is measured at a time.
    measuring: Mutex<()>,
    bounds: Bounds,
}

impl Account {
    /// An account with the processor time of earlier runs; `before` is none for the first run.
    pub fn new(bounds: Bounds, before: Option<Duration>) -> Account {
        let compiled = AtomicBool::new(before.is_some());
        let before = before.unwrap_or_default();
        let meter = Arc::new(Meter::new(bounds.processor.saturating_sub(before)));
        let [written_ms, written, claimed_ms] = [0, 0, 0].map(AtomicU64::new);
        let (claims, measuring) = (Mutex::default(), Mutex::default());
        Account {
            meter,
            before,
            written_ms,
            compiled,
            written,
            claims,
            claimed_ms,
            measuring,
            bounds,
        }
    }

    /// Adds a round of another machine. A claim never refuses a submission.
    pub(crate) fn claim(&self, claim: Claim) {
        self.claimed_ms.fetch_add(claim.fuel_ms, Ordering::Relaxed);
        self.claims().push(claim);
    }

    /// Removes the largest claim if measured and claimed time together come near the bound. The
    /// caller measures it.
    pub(crate) fn take_doubtful(&self) -> Option<Claim> {
        let mut claims = self.claims();
        let claimed = claims.iter().map(|claim| claim.time);
        let time = claimed.fold(self.before, Duration::saturating_add);
        let time = time.saturating_add(self.meter.used());
        if self.is_over() || time <= self.bounds.processor / DOUBT {
            return None;
        }
        let largest = (0..claims.len()).max_by_key(|at| claims[*at].time)?;
        let claim = claims.swap_remove(largest);
        self.claimed_ms.fetch_sub(claim.fuel_ms, Ordering::Relaxed);
        Some(claim)
    }

    /// Locks the measurement of claims.
    pub(crate) fn turn(&self) -> MutexGuard<'_, ()> {
        self.measuring.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn claims(&self) -> MutexGuard<'_, Vec<Claim>> {
        self.claims.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// True at the first call in a submission's first run: it pays for one compilation. Later ones
    /// are free, because the judge causes them: it dropped the machine code or was restarted.
    pub(crate) fn charge_compiling(&self) -> bool {
        !self.compiled.swap(true, Ordering::Relaxed)
    }

    /// Milliseconds of processor time since the last call, for a store that keeps them with the
    /// round that it adds. A round from another machine counts by its fuel.
    pub fn unwritten_ms(&self) -> u64 {
        let used = u64::try_from(self.meter.used().as_millis()).unwrap_or(u64::MAX);
        let used = used.saturating_add(self.claimed_ms.load(Ordering::Relaxed));
        used.saturating_sub(self.written_ms.fetch_max(used, Ordering::Relaxed))
    }

    /// Processor time of this run, including start-up, compiling and the claims of other machines.
    /// It decides only the order of a queue; verdicts depend on the meter.
    pub fn spent(&self) -> Duration {
        let claims = self.claims();
        let claimed = claims.iter().map(|claim| claim.time);
        claimed.fold(self.meter.used(), Duration::saturating_add)
    }

    /// Adds a round's bytes in the journal.
    pub(crate) fn wrote(&self, bytes: u64) {
        self.written.fetch_add(bytes, Ordering::Relaxed);
    }

    pub(crate) fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// True if no more rounds may be played.
    pub(crate) fn is_exceeded(&self) -> bool {
        self.is_over() || self.written.load(Ordering::Relaxed) > self.bounds.journal_bytes
    }

    /// True if it exceeds its processor time.
    fn is_over(&self) -> bool {
        self.before > self.bounds.processor || self.meter.is_over()
    }

    /// The refusal of a submission that exceeds its bounds.
    pub(crate) fn refusal(&self) -> Option<Refused> {
        if self.is_over() {
            let seconds = self.bounds.processor.as_secs();
            let reason = format!(
                "compiling and playing it took more than {seconds} s of processor time, the bound \
                 for a whole submission"
            );
            let hint = "each of its judge-milliseconds takes many real ones, for example because its loads are scattered \
                        over a large memory; instructors can raise the bound \
                        (`--submission-seconds`)";
            return Some(refused(Verdict::TimeLimitExceeded, Explanation::new(reason, hint)));
        }
        self.is_exceeded().then(|| {
            let mib = self.bounds.journal_bytes >> 20;
            let reason = format!(
                "its rounds need more than {mib} MiB in the journal, the bound for a whole \
                 submission"
            );
            let hint = "log less; instructors can raise the bound (`--submission-mib`)";
            refused(Verdict::OutputLimitExceeded, Explanation::new(reason, hint))
        })
    }
}

fn refused(verdict: Verdict, why: Explanation) -> Refused {
    Refused { verdict, blame: Blame::Bot, why, shows: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounds(seconds: u64, journal_bytes: u64) -> Bounds {
        Bounds { processor: Duration::from_secs(seconds), journal_bytes }
    }

    #[test]
    fn a_full_journal_is_an_output_limit() {
        let account = Account::new(bounds(1, 100), None);
        account.wrote(100);
        assert_eq!(account.refusal(), None);
        account.wrote(1);
        let refused = account.refusal().expect("one byte too much");
        assert_eq!((refused.verdict, refused.blame), (Verdict::OutputLimitExceeded, Blame::Bot));
    }

    #[test]
    fn usage_of_earlier_runs_counts() {
        let verdict = |before_ms| {
            let account = Account::new(bounds(1, 100), Some(Duration::from_millis(before_ms)));
            account.refusal().map(|refused| refused.verdict)
        };
        assert_eq!(verdict(1000), None);
        assert_eq!(verdict(1001), Some(Verdict::TimeLimitExceeded));
    }

    #[test]
    fn compile_time_counts_only_once() {
        let account = Account::new(bounds(1, 100), None);
        assert_eq!([(); 2].map(|()| account.charge_compiling()), [true, false]);
        assert!(!Account::new(bounds(1, 100), Some(Duration::ZERO)).charge_compiling());
    }

    fn claim(seconds: u64) -> Claim {
        Claim {
            spec: RoundSpec {
                game: "mahjong".to_owned(),
                options: judge_core::Options::default(),
                seed: judge_core::Seed(seconds),
                seats: [(); 2]
                    .map(|()| judge_core::SeatSpec::Reference { name: "random".to_owned() }),
                limits: judge_core::Limits::COURSE,
            },
            modules: BySeat::default(),
            record: judge_core::digest(b"a round"),
            machine: "far away".to_owned(),
            time: Duration::from_secs(seconds),
            fuel_ms: 7,
        }
    }

    #[test]
    fn claims_near_a_bound_are_measured_largest_first() {
        let account = Account::new(bounds(100, 100), None);
        account.claim(claim(20));
        account.claim(claim(30));
        assert!(account.take_doubtful().is_none(), "half of the bound");
        assert_eq!(account.unwritten_ms(), 14);
        account.claim(claim(1_000_000));
        assert_eq!((account.refusal(), account.is_exceeded()), (None, false));
        assert_eq!(account.take_doubtful().expect("a large claim").time.as_secs(), 1_000_000);
        assert!(account.take_doubtful().is_none(), "the others are credible");
        account.meter.add(Duration::from_secs(10));
        let measured = || account.take_doubtful().expect("too much together").time.as_secs();
        assert_eq!(measured(), 30);
        account.meter.add(Duration::from_secs(80));
        assert_eq!(measured(), 20);
        assert!(
            account.take_doubtful().is_none() && account.refusal().is_none(),
            "all are measured"
        );
        account.meter.add(Duration::from_secs(11));
        account.claim(claim(1));
        assert!(account.take_doubtful().is_none() && account.refusal().is_some());
    }

    #[test]
    fn measurements_of_honest_machines_are_similar() {
        let ms = Duration::from_millis;
        for (one, other) in [(0, 9_000), (20, 10_000), (10_000, 160_000), (5, 5)] {
            assert!(!is_far(ms(one), ms(other)) && !is_far(ms(other), ms(one)), "{one} {other}");
        }
        for (one, other) in [(0, 11_000), (20, 1_000_000), (10_000, 180_000)] {
            assert!(is_far(ms(one), ms(other)) && is_far(ms(other), ms(one)), "{one} {other}");
        }
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
