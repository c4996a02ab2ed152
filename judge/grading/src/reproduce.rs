//! A repeatable round of a testcase.

use judge_core::{FUEL_PER_MS, Limits, Options, Seat, Seed};

use crate::Testcase;

/// All data for playing a round again, except the bot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repeat {
    /// The game.
    pub game: String,
    /// The rule switches.
    pub options: Options,
    /// The round's seed.
    pub seed: Seed,
    /// The reference opponent.
    pub opponent: String,
    /// The bot's seat.
    pub seat: Seat,
    /// The fuel of the round: the amount that earlier rounds left.
    pub fuel: u64,
    /// The bot's memory, in bytes.
    pub memory_bytes: u64,
}

impl Repeat {
    /// The round of `testcase` with this seed and fuel.
    pub fn new(testcase: &Testcase, seed: Seed, fuel: u64) -> Repeat {
        let Testcase { game, opponent, seat, options, limits, .. } = testcase;
        Repeat {
            game: game.clone(),
            options: options.clone(),
            seed,
            opponent: opponent.clone(),
            seat: *seat,
            fuel,
            memory_bytes: limits.memory_bytes,
        }
    }

    /// The arguments after `judge play BOT.wasm`, as in reports.
    pub fn arguments(&self) -> String {
        let Repeat { game, options, seed, opponent, seat, fuel, memory_bytes } = self;
        let mut arguments =
            vec![format!("--game {game} --seed {seed} --against {opponent} --seat {seat}")];
        arguments.extend(options.iter().map(|(key, value)| format!("--option {key}={value}")));
        if *memory_bytes != Limits::COURSE.memory_bytes {
            arguments.push(format!("--memory-kib {}", memory_bytes / 1024));
        }
        if *fuel != Limits::COURSE.fuel {
            arguments.push(time_argument(*fuel));
        }
        arguments.join(" ")
    }
}

/// The argument that gives a bot that much time, in fuel.
pub fn time_argument(fuel: u64) -> String {
    match fuel {
        1.. if fuel.is_multiple_of(FUEL_PER_MS) => format!("--time-ms {}", fuel / FUEL_PER_MS),
        _ => format!("--fuel {fuel}"),
    }
}

/// [`Repeat::arguments`] for a caller that has no other use for a [`Repeat`].
pub fn play_arguments(testcase: &Testcase, seed: Seed, fuel: u64) -> String {
    Repeat::new(testcase, seed, fuel).arguments()
}
