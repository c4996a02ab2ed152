//! Modules' shares of intake's limits, and their cost to compile.

use std::fmt::Write as _;
use std::path::PathBuf;

use judge_sandbox::intake::{Limit, tally};

use crate::trial;

/// Least share of a limit to mention, in percent.
const LEAST: u64 = 5;

/// A row for each file: the cost of compiling, and the limits with the largest shares.
///
/// # Errors
/// When a file cannot be read, or a process cannot be started.
pub(super) fn table(files: &[PathBuf]) -> std::io::Result<String> {
    let mut text = "| module | compiling | share of each limit |\n|---|---|---|\n".to_owned();
    for file in files {
        let module = std::fs::read(file)?;
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let cost = trial::run(&module)?;
        let shares = tally(&module).map_or_else(
            |refusal| first_line(&refusal),
            |tally| {
                let mut shares: Vec<(u64, Limit)> = Limit::ALL
                    .iter()
                    .map(|limit| (tally.seen(*limit) * 100 / limit.most(), *limit))
                    .collect();
                shares.sort_by_key(|(share, _)| std::cmp::Reverse(*share));
                let shares = shares.iter().filter(|(share, _)| *share >= LEAST);
                shares
                    .map(|(share, limit)| format!("{limit:?} {share} %"))
                    .collect::<Vec<_>>()
                    .join(", ")
            },
        );
        // Writing to a string cannot fail.
        let _ = writeln!(text, "| {name} | {cost} | {shares} |");
    }
    Ok(text)
}

fn first_line(refusal: &impl std::fmt::Display) -> String {
    refusal.to_string().lines().next().unwrap_or_default().to_owned()
}
