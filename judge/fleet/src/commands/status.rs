//! `judge-worker status`: machines, waiting batches, and alarms, as text or JSON.

use std::error::Error as StdError;

use comfy_table::{Table, presets};
use judge_core::{escaped_json, printable};
use judge_fleet::{Fleet, MachineStatus, Status};
use judge_runner::base::workers;

/// Most characters of a text. The role of machines can write names of any length.
const MOST: usize = 500;

/// Prints the state of the fleet.
pub(crate) async fn status(database: &str, json: bool) -> Result<(), Box<dyn StdError>> {
    let status = Fleet::open(database, &workers::fingerprint()).await?.status().await?;
    if json {
        println!("{}", escaped_json(&serde_json::to_string_pretty(&status)?));
    } else {
        show(&status);
    }
    Ok(())
}

fn show(status: &Status) {
    let (waiting, oldest) = (status.waiting, status.oldest_seconds);
    println!(
        "batches: {} under way, {waiting} waiting, the oldest for {oldest:.0} s",
        status.playing
    );
    if status.machines.is_empty() {
        println!("no machines yet: start `judge-worker` on one");
        return;
    }
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(["machine", "slots", "last seen", "state"]);
    for machine in &status.machines {
        let silent = format!("{:.0} s ago", machine.silent_seconds);
        let slots = machine.slots.to_string();
        table.add_row([plain(&machine.name), slots, silent, plain(&state(machine))]);
    }
    println!("\n{table}");
    for alarm in &status.alarms {
        let [at, machine, what] = [&alarm.at, &alarm.machine, &alarm.what].map(|text| plain(text));
        println!("\nalarm {}, {at}: `{machine}`: {what}", alarm.id);
        for purpose in &alarm.played_for {
            println!("  it has played for {}", plain(purpose));
        }
    }
}

/// A text from the database on one line, without terminal control characters.
fn plain(text: &str) -> String {
    printable(text, MOST)
}

fn state(machine: &MachineStatus) -> String {
    match &machine.distrusted {
        Some(why) => format!("not trusted any more: {why}"),
        None if machine.is_gone() => "gone".to_owned(),
        None if !machine.is_ours => "plays for another version of the judge".to_owned(),
        None => "plays".to_owned(),
    }
}
