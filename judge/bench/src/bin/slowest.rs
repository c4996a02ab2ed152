//! The slowest module that intake accepts: `judge/docs/security.md`.
//!
//! `cargo run --release -p judge-bench --bin slowest -- --seed 1`

use clap::Parser;
use judge_bench::slowest::{Arguments, run};

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
