//! Coverage of each interval: the tables of `judge/bench/RESULTS.md`.

use clap::Parser;

#[derive(Parser)]
#[command(about = "Measures how often each interval that the judge prints holds the truth")]
struct Arguments {
    /// Simulated matches or tournaments for each figure.
    #[arg(long, default_value_t = 2000, value_parser = clap::value_parser!(u64).range(100..))]
    runs: u64,
}

fn main() {
    let rows = judge_bench::coverage::measure(Arguments::parse().runs);
    print!("{}", judge_bench::coverage::markdown(&rows));
}
