//! Simulation of a large fleet: 10,000 workers and a million submissions a day, as discrete events.
//! No clock is read and nothing waits, so the same settings give the same tables: `cargo run
//! --release -p judge-fleet --example simulate`.
#![allow(clippy::print_stdout, reason = "a program that shows tables")]

mod database;
mod events;
mod fleet;
mod load;
mod storm;

use clap::Parser;
use comfy_table::{Table, presets};

use crate::database::{CAUSES, Cause};
use crate::events::{HOUR, MINUTE, MS, SECOND, Time, percentile};
use crate::fleet::{Asking, Loss, Outcome, SimulationSettings, simulate};
use crate::load::{DAY, DEADLINE};
use crate::storm::{Pauses, Storm, storm};

/// Simulates a large fleet.
#[derive(Debug, Clone, Parser)]
struct Settings {
    /// Seed of all randomness
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Batches that are played at a time, over all machines
    #[arg(long, default_value_t = 10_000)]
    workers: usize,
    /// Batches that one machine plays at a time
    #[arg(long, default_value_t = 8)]
    slots: usize,
    /// Submissions a day
    #[arg(long, default_value_t = 1_000_000)]
    submissions: u64,
    /// Batches of about ten seconds in each submission
    #[arg(long, default_value_t = 6)]
    batches: u64,
    /// The database's time for all statements of a batch, in milliseconds
    #[arg(long, default_value_t = 3.0)]
    database_ms: f64,
    /// The database's time for a statement that finds nothing, a renewal or a heartbeat, in
    /// milliseconds
    #[arg(long, default_value_t = 0.15)]
    statement_ms: f64,
    /// The database's time to pass a hint on to one of those who listen, in microseconds
    #[arg(long, default_value_t = 10)]
    notify_us: u64,
    /// The database's time for a new connection, in milliseconds
    #[arg(long, default_value_t = 5.0)]
    connect_ms: f64,
    /// Processors of the database
    #[arg(long, default_value_t = 8)]
    processors: usize,
    /// Time to read the result of a batch and to play it by the rules, in milliseconds
    #[arg(long, default_value_t = 10.0)]
    read_ms: f64,
    /// Processes that hand out and read, each on one processor
    #[arg(long, default_value_t = 1)]
    readers: usize,
    /// Losses of each machine per day
    #[arg(long, default_value_t = 1.0)]
    losses: f64,
}

fn main() {
    let settings = Settings::parse();
    println!("## A day, and the two hours around the deadline\n");
    let mut table = new_table(&[
        "scenario",
        "wait for a worker, half",
        "99 %",
        "result, half",
        "99 %",
        "database, mean",
        "busiest minute",
        "recovered after",
        "played twice",
        "told late",
    ]);
    let mut demands = Vec::new();
    for (name, plan) in plans(&settings) {
        let outcome = simulate(&plan);
        table.add_row(row(name, &outcome));
        demands.push((name, outcome));
    }
    println!("{table}\n\n## What the database does in the busiest minute, in processors\n");
    println!("{}\n\n## All machines come back within a second\n", demand_table(&demands));
    println!("{}", storm_table(&settings));
}

fn new_table(header: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN).set_header(header.iter().copied());
    table
}

/// Milliseconds as the simulation counts time.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few milliseconds")]
fn ms(milliseconds: f64) -> Time {
    (milliseconds * 1000.0) as Time
}

/// The simulated plans, by name.
fn plans(settings: &Settings) -> Vec<(&'static str, SimulationSettings)> {
    let day = SimulationSettings {
        seed: settings.seed,
        machines: settings.workers / settings.slots.max(1),
        slots: settings.slots.max(1),
        submissions: settings.submissions,
        batches: settings.batches,
        play: 10 * SECOND,
        from: 0,
        until: DAY,
        job: ms(settings.database_ms),
        statement: ms(settings.statement_ms),
        notify: settings.notify_us,
        processors: settings.processors,
        asking: Asking::EachSlot,
        read: ms(settings.read_ms),
        readers: settings.readers,
        losses_a_day: settings.losses,
        loss: None,
    };
    let readers = 8 * settings.readers;
    let more = SimulationSettings { readers, ..day.clone() };
    let asks = SimulationSettings { asking: Asking::EachMachine, ..more.clone() };
    let evening = |from: &SimulationSettings| SimulationSettings {
        from: DEADLINE - HOUR,
        until: DEADLINE + HOUR,
        losses_a_day: 0.0,
        ..from.clone()
    };
    let (play, batches, read) = (2 * SECOND, 5 * settings.batches, asks.read / 5);
    let short = SimulationSettings { play, batches, read, ..evening(&asks) };
    let part = Loss { at: DEADLINE - 20 * MINUTE, part: 3, is_cut: false, back_after: 30 * MINUTE };
    let cut = Loss { is_cut: true, back_after: 90 * SECOND, ..part };
    let losing = |loss: Loss| SimulationSettings { loss: Some(loss), ..evening(&asks) };
    vec![
        ("A: a day, current settings", day),
        ("B: A, eight processes that read", more.clone()),
        ("C: B, and machines ask once a second", asks.clone()),
        ("D: the deadline as in B", evening(&more)),
        ("E: the deadline as in C", evening(&asks)),
        ("F: E, batches of 2 s", short),
        ("G: E, a third of the machines lost for 30 min", losing(part)),
        ("H: E, a third of the machines cut off for 90 s", losing(cut)),
    ]
}

fn row(name: &str, outcome: &Outcome) -> Vec<String> {
    let per_cent = |part: f64| format!("{:.0} %", 100.0 * part);
    let (waits, results) = (&outcome.waits, &outcome.results);
    let recovered = outcome.recovered.map_or_else(|| "–".to_owned(), seconds);
    let mut result = seconds(percentile(results, 99));
    if outcome.open > 0 {
        result = format!("{result}; {} open at the end", outcome.open);
    }
    vec![
        name.to_owned(),
        seconds(percentile(waits, 50)),
        seconds(percentile(waits, 99)),
        seconds(percentile(results, 50)),
        result,
        per_cent(outcome.database.mean()),
        per_cent(outcome.database.busiest().1),
        recovered,
        outcome.twice.to_string(),
        outcome.late.to_string(),
    ]
}

/// Times below this are shown in seconds.
const TWO_MINUTES: Time = 2 * MINUTE;

/// A time in words.
fn seconds(time: Time) -> String {
    match time {
        ..SECOND => format!("{} ms", time / MS),
        SECOND..TWO_MINUTES => format!("{}.{} s", time / SECOND, time % SECOND / (100 * MS)),
        _ => format!("{} min", time / MINUTE),
    }
}

fn demand_table(outcomes: &[(&str, Outcome)]) -> Table {
    let mut header = vec!["scenario"];
    header.extend(CAUSES.iter().map(|cause| cause.name()));
    let mut table = new_table(&header);
    for (name, outcome) in outcomes {
        let minute = outcome.database.busiest().0;
        let demand = |cause: &Cause| format!("{:.2}", outcome.database.demand(minute, *cause));
        let mut row = vec![(*name).to_owned()];
        row.extend(CAUSES.iter().map(demand));
        table.add_row(row);
    }
    table
}

fn storm_table(settings: &Settings) -> Table {
    let mut table = new_table(&[
        "machines",
        "pauses",
        "all are back after",
        "tries that failed",
        "a statement waits, 99 %",
        "at most",
    ]);
    let few = settings.workers / settings.slots.max(1);
    for machines in [few, settings.workers] {
        for (name, pauses) in
            [("always half a second", Pauses::Fixed), ("exponential, with jitter", Pauses::Growing)]
        {
            let set = Storm {
                seed: settings.seed,
                machines,
                outage: 2 * MINUTE,
                connect: 3 * ms(settings.connect_ms),
                processors: settings.processors,
                pauses,
            };
            let end = storm(&set);
            table.add_row([
                machines.to_string(),
                name.to_owned(),
                seconds(end.back_after),
                end.failed.to_string(),
                seconds(percentile(&end.delays, 99)),
                seconds(percentile(&end.delays, 100)),
            ]);
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_shown_in_a_fitting_unit() {
        assert_eq!(seconds(1_500), "1 ms");
        assert_eq!(seconds(61 * SECOND), "61.0 s");
        assert_eq!(seconds(121 * SECOND), "2 min");
        assert_eq!(seconds(2 * SECOND + 345 * MS), "2.3 s");
    }
}
