//! Processor time of processes, as the system counts it.

use std::time::Duration;

/// Processor time of a process and of its children that have ended.
pub(crate) fn used_by(process: u32) -> Duration {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // The name, in brackets, may contain any characters.
    let rest = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
    let fields: Vec<u64> =
        rest.split_whitespace().map(|field| field.parse().unwrap_or(0)).collect();
    let ticks: u64 = fields.get(11..15).map_or(0, |times| times.iter().sum());
    Duration::from_millis(ticks * 10)
}

/// Processor time of all processes with that command name.
pub(crate) fn of_all(name: &str) -> Duration {
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = processes.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let is_named = |process: &u32| {
        let command = std::fs::read_to_string(format!("/proc/{process}/comm"));
        command.is_ok_and(|command| command.trim() == name)
    };
    numbers.filter(is_named).map(used_by).sum()
}
