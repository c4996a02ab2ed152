//! What a user waits for, next to other programs, as a table: `judge/bench/RESULTS.md`.

use clap::Parser;
use judge_bench::table::{Arguments, run};

fn main() -> std::process::ExitCode {
    match run(&Arguments::parse()) {
        Ok(table) => print!("{table}"),
        Err(failure) => {
            eprintln!("error: {failure}");
            return std::process::ExitCode::FAILURE;
        }
    }
    std::process::ExitCode::SUCCESS
}
