//! Processor time, which other programs on a busy machine disturb less than the wall clock.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// What this process has used so far.
pub fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}
