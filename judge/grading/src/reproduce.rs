//! The command that plays one round again.

use judge_core::{FUEL_PER_MS, Limits, Seed};

use crate::Testcase;

/// Arguments after `judge play BOT.wasm` that repeat a round of `testcase`. `fuel` is the budget
/// that the round was played with.
pub fn play_arguments(testcase: &Testcase, seed: Seed, fuel: u64) -> String {
    let mut arguments = format!(
        "--game {} --seed {seed} --against {} --seat {}",
        testcase.game, testcase.opponent, testcase.seat
    );
    for (key, value) in &testcase.options {
        arguments.push_str(&format!(" --option {key}={value}"));
    }
    let limits = &testcase.limits;
    if limits.memory_bytes != Limits::COURSE.memory_bytes {
        arguments.push_str(&format!(" --memory-kib {}", limits.memory_bytes / 1024));
    }
    if fuel != Limits::COURSE.fuel {
        if fuel.is_multiple_of(FUEL_PER_MS) {
            arguments.push_str(&format!(" --time-ms {}", fuel / FUEL_PER_MS));
        } else {
            arguments.push_str(&format!(" --fuel {fuel}"));
        }
    }
    arguments
}
