//! Warnings of a program that has no log of its own.

use tracing_subscriber::filter::LevelFilter;

/// Tells warnings on the standard error, unless somebody else has taken them over.
pub fn tell_on_stderr() {
    let log = tracing_subscriber::fmt().with_writer(std::io::stderr).with_target(false);
    let _ = log.without_time().with_max_level(LevelFilter::WARN).try_init();
}
