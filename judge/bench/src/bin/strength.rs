//! Strength of the reference opponents of each game: `judge/bench/results/opponents.md`.

use clap::Parser;
use judge_bench::strength::{Arguments, run};

fn main() -> std::process::ExitCode {
    match run(&Arguments::parse()) {
        Ok(text) => print!("{text}"),
        Err(failure) => {
            eprintln!("error: {failure}");
            return std::process::ExitCode::FAILURE;
        }
    }
    std::process::ExitCode::SUCCESS
}
