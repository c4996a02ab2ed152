//! Named points at which a test can kill the judge, to check that nothing is lost. They have no
//! effect unless the feature `failpoints` is on.

/// Aborts if the variable `JUDGE_FAILPOINT` is `NAME=N` and this is the N-th call with that name.
#[cfg(feature = "failpoints")]
pub fn reach(name: &str) {
    use std::sync::atomic::{AtomicU64, Ordering};

    static REACHED: AtomicU64 = AtomicU64::new(0);

    let Ok(wanted) = std::env::var("JUDGE_FAILPOINT") else { return };
    let Some((at, number)) = wanted.split_once('=') else { return };
    if at == name && number.parse() == Ok(REACHED.fetch_add(1, Ordering::Relaxed) + 1) {
        // Abort runs no destructors and flushes nothing, like a kill.
        std::process::abort();
    }
}

/// Does nothing: the feature `failpoints` is off.
#[cfg(not(feature = "failpoints"))]
pub fn reach(_name: &str) {}
