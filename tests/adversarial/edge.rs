//! C09: a round is played with exactly the fuel that it needs, and not with one unit less, in every
//! run and process.

use crate::support::{Ran, run, sample};

/// Number of repetitions; the sandbox's own tests do the same a hundred times in one process.
const TIMES: u32 = 10;

fn play(bot: &str, fuel: u64) -> Ran {
    let bot = sample(bot);
    let fuel = fuel.to_string();
    run(["play", bot.to_str().unwrap(), "--seed", "3", "--fuel", &fuel, "--trace"])
}

/// Cost of all lines of a trace.
fn cost(trace: &str) -> u64 {
    let costs = trace.lines().filter_map(|line| line.strip_suffix(" fuel)")?.rsplit_once('('));
    costs.map(|(_, fuel)| fuel.parse::<u64>().unwrap()).sum()
}

/// One bot of each transport.
#[test]
fn one_unit_of_fuel_decides_the_verdict() {
    for bot in ["mahjong-straightforward", "cc-stdio-c"] {
        let fuel = cost(&play(bot, 1_000_000_000).stdout);
        assert!(fuel > 1000, "{bot} takes {fuel}");
        let enough = play(bot, fuel);
        assert_eq!(enough.code, 0, "{bot}: {}", enough.stdout);
        let short = play(bot, fuel - 1);
        assert_eq!(short.code, 1, "{bot}: {}", short.stdout);
        assert!(short.stdout.contains("Time limit exceeded"), "{bot}: {}", short.stdout);
        for _ in 1..TIMES {
            assert_eq!(play(bot, fuel).stdout, enough.stdout);
            assert_eq!(play(bot, fuel - 1).stdout, short.stdout);
        }
    }
}
