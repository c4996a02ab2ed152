//! Warnings of a program without a log, on standard error.

use tracing_subscriber::filter::LevelFilter;

/// Prints warnings on standard error, unless another handler is installed.
pub fn tell_on_stderr() {
    let log = tracing_subscriber::fmt().with_writer(std::io::stderr).with_target(false);
    let _ = log.without_time().with_max_level(LevelFilter::WARN).try_init();
}
