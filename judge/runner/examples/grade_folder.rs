//! Grades every bot in a folder on the suite of its game, and prints each event:
//! `cargo run --example grade_folder -- FOLDER`.
#![allow(clippy::print_stdout, reason = "it is a program")]

use judge_core::Event;
use judge_runner::base::workers::{self, Workers};
use judge_runner::grade::{self, Request};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let argument = std::env::args().nth(1).ok_or("name a folder of bots")?;
    if argument == "worker" {
        return Ok(workers::serve(workers::PROCESSOR_SECONDS)?);
    }
    let entries = std::fs::read_dir(argument)?.map(|entry| entry.map(|entry| entry.path()));
    let mut bots = entries.collect::<Result<Vec<_>, _>>()?;
    bots.sort();
    let mut events = |event: &Event| {
        if let Event::RoundFinished { round, result: Some(result) } = event {
            println!("{}, round {}: {}", round.submission, round.round, result.verdict);
        }
        Ok(())
    };
    let request = Request { bots, ..Request::default() };
    let outcome = grade::run(&request, &Workers::of_this_program()?, &mut events)?;
    print!("{}", judge_report::Format::Text.render(&outcome.report)?);
    Ok(())
}
