//! Cost of each operator for the compiler: `judge/docs/security.md`.
//!
//! `cargo run --release -p judge-bench --bin operators`

use clap::Parser;
use judge_bench::operators::{Arguments, run};

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
