//! Rule switches and limits on the command line.

use judge_core::{FUEL_PER_MS, Limits};

/// Parses `KEY=VALUE`.
pub(crate) fn option(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').ok_or("expected KEY=VALUE")?;
    Ok((key.to_owned(), value.to_owned()))
}

/// Limits of a bot from `--time-ms` and `--memory-kib`.
pub(crate) fn limits(time_ms: u64, memory_kib: u64) -> Limits {
    let (fuel, memory_bytes) = (time_ms * FUEL_PER_MS, memory_kib * 1024);
    Limits { fuel, memory_bytes, ..Limits::COURSE }
}
