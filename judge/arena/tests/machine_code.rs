//! A module compiled to different machine code plays the same round: the same answers with the same
//! fuel and memory.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::{Path, PathBuf};

use judge_arena::play;
use judge_core::{Limits, Options, RoundSpec, Seat, SeatSpec, Seed, Transcript, digest};
use judge_sandbox::{Compiled, Sandbox};

/// Every prebuilt sample bot.
fn modules() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sample-bots/prebuilt");
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut modules: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|end| end == "wasm")).collect();
    modules.sort();
    modules
}

/// Transcript of a bot in that seat against the weakest reference opponent.
fn transcript(sandbox: &Sandbox, module: &[u8], seat: Seat) -> Transcript {
    let compiled = Compiled::new(sandbox, module).unwrap();
    let game = compiled.info().manifest.games[0].clone();
    let opponent = judge_referee::find(&game).unwrap().opponents()[0].name.to_owned();
    let bot = SeatSpec::Bot { name: "bot".to_owned(), sha256: digest(module) };
    let mut seats = [bot, SeatSpec::Reference { name: opponent }];
    let mut seated = [Some(&compiled), None];
    if seat == Seat::Two {
        seats.reverse();
        seated.reverse();
    }
    let options = Options::new();
    let spec = RoundSpec { game, options, seed: Seed(2022), seats, limits: Limits::COURSE };
    play(&spec, seated.into(), &[]).unwrap().transcript
}

#[test]
fn cached_machine_code_changes_no_result() {
    let engines = [Sandbox::new().unwrap(), Sandbox::without_optimising().unwrap()];
    let modules = modules();
    assert!(modules.len() >= 12, "{modules:?}");
    for path in modules {
        let module = std::fs::read(&path).unwrap();
        for seat in Seat::BOTH {
            let [one, other] = engines.each_ref().map(|engine| transcript(engine, &module, seat));
            assert!(one.fault.is_none() && !one.seat(seat).fuel.is_empty(), "{path:?}: {one:?}");
            assert_eq!(one, other, "{} in seat {seat}", path.display());
        }
    }
}
