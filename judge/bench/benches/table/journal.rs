//! The cost of a round outside the rules: `random` against `straightforward` in Mahjong, played without a
//! journal and with one, resumed, listed, reported and verified.

use std::process::Command;

use judge_bench::{BenchRow, Goal, judge, processor_time};
use judge_core::{BySeat, Limits, Options, RoundSpec, SeatSpec, Seed};

use super::{Folder, succeeded};

const PLAYERS: [&str; 2] = ["random", "straightforward"];

pub(crate) fn rows(rounds: u64) -> Result<Vec<BenchRow>, String> {
    let rules = rules(rounds.min(20_000))?;
    let folder = Folder::new("journal")?;
    let number = rounds.to_string();
    let game = ["--game", "mahjong", "--seed", "1", "--rounds", &number];
    let plain = [&["match"][..], &PLAYERS, &game].concat();
    let kept = [&plain[..], &["--journal", "journal"]].concat();
    // How many times the rules each may take.
    let commands = [
        ("`judge match`, two reference opponents", plain, Goal::Times(3.1)),
        ("the same with a journal", kept.clone(), Goal::Shown),
        ("resumed", [&kept[..], &["--resume"]].concat(), Goal::Times(0.94)),
        ("`judge rounds`", vec!["rounds", "journal", "--format", "csv"], Goal::Times(1.9)),
        ("`judge report`", vec!["report", "journal"], Goal::Times(1.9)),
        ("`judge verify`", vec!["verify", "journal"], Goal::Times(7.5)),
    ];
    let mut rows = Vec::new();
    for (what, words, goal) in commands {
        let (_, time) = succeeded(Command::new(judge()).args(words).current_dir(folder.path()))?;
        let judge = time.as_secs_f64() * 1e6 / rounds as f64;
        let what = format!("{what}, a round of {rounds}");
        let peer = Some(("rules of a Mahjong round", rules));
        rows.push(BenchRow { what, judge, unit: "µs", peer, goal });
    }
    Ok(rows)
}

/// Microseconds of processor time of a Mahjong round by the rules, up to its transcript.
pub(crate) fn rules(rounds: u64) -> Result<f64, String> {
    let spec = |seed| RoundSpec {
        game: "mahjong".to_owned(),
        options: Options::new(),
        seed: Seed(seed),
        seats: PLAYERS.map(|name| SeatSpec::Reference { name: name.to_owned() }),
        limits: Limits::COURSE,
    };
    let before = processor_time();
    for seed in 0..rounds {
        let played = judge_arena::play(&spec(seed), BySeat::default(), &[]);
        std::hint::black_box(played.map_err(super::text)?);
    }
    Ok(processor_time().saturating_sub(before).as_secs_f64() * 1e6 / rounds as f64)
}
