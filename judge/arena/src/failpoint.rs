//! Named places at which a test can kill the judge, to see that nothing is lost. They do nothing
//! unless the feature `failpoints` is on.

/// Dies here when the variable `JUDGE_FAILPOINT` says `NAME=N` and this is the N-th time that the
/// place of this name is reached.
#[cfg(feature = "failpoints")]
pub fn reach(name: &str) {
    use std::sync::atomic::{AtomicU64, Ordering};

    static REACHED: AtomicU64 = AtomicU64::new(0);

    let Ok(wanted) = std::env::var("JUDGE_FAILPOINT") else { return };
    let Some((at, number)) = wanted.split_once('=') else { return };
    if at == name && number.parse() == Ok(REACHED.fetch_add(1, Ordering::Relaxed) + 1) {
        // No destructor runs and nothing is flushed, as when the process is killed.
        std::process::abort();
    }
}

/// Does nothing: the feature `failpoints` is off.
#[cfg(not(feature = "failpoints"))]
pub fn reach(_name: &str) {}
