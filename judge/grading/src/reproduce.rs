//! The command that plays one round again.

use judge_core::{FUEL_PER_MS, Limits, Seed};

use crate::Testcase;

/// Arguments after `judge play BOT.wasm` that repeat a round of `testcase`. `fuel` is the budget
/// that the round was played with.
pub fn play_arguments(testcase: &Testcase, seed: Seed, fuel: u64) -> String {
    let Testcase { game, opponent, seat, options, limits, .. } = testcase;
    let mut arguments =
        vec![format!("--game {game} --seed {seed} --against {opponent} --seat {seat}")];
    arguments.extend(options.iter().map(|(key, value)| format!("--option {key}={value}")));
    if limits.memory_bytes != Limits::COURSE.memory_bytes {
        arguments.push(format!("--memory-kib {}", limits.memory_bytes / 1024));
    }
    match fuel {
        _ if fuel == Limits::COURSE.fuel => {}
        1.. if fuel.is_multiple_of(FUEL_PER_MS) => {
            arguments.push(format!("--time-ms {}", fuel / FUEL_PER_MS));
        }
        _ => arguments.push(format!("--fuel {fuel}")),
    }
    arguments.join(" ")
}
