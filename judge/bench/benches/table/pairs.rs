//! Rounds between two light modules in each game, all processes included; in Mahjong also two native processes
//! under a referee in C with the same lines, and scripts against a reference opponent.

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use judge_bench::{BenchRow, Goal, Native, compile_c, judge, root};

use super::{Folder, recorded, succeeded};

/// A game with a light bot, and how many times the rules of a Mahjong round a round may take.
const GAMES: [(&str, &str, f64); 5] = [
    ("mahjong", "mahjong-straightforward", 37.0),
    ("patchwork", "patchwork-first-fit", 42.0),
    ("agamemnon", "agamemnon-crossroads", 42.0),
    ("cc", "cc-runner", 25.0),
    ("amazons", "amazons-open", 208.0),
];

/// Scripts that throw their first tile; with how many times a module's round they may take.
const SCRIPTS: [(&str, f64); 2] =
    [("judge/bench/compare/first-tile.js", 13.0), ("judge/bench/compare/first-tile.py", 23.0)];

pub(crate) fn rows(rounds: u64) -> Result<Vec<BenchRow>, String> {
    let rules = super::journal::rules(20_000)? / 1e3;
    let mut rows = Vec::new();
    for (game, bot, most) in GAMES {
        let bot = format!("sample-bots/prebuilt/{bot}.wasm");
        let judge = milliseconds(game, [&bot, &bot], rounds)?;
        let what = format!("`judge match` of two modules, {game}, a round");
        let peer = Some(("rules of a Mahjong round", rules));
        rows.push(BenchRow { what, judge, unit: "ms", peer, goal: Goal::Times(most) });
    }
    let pipes = pipes(rounds)?;
    let what = "the same, mahjong".to_owned();
    let peer = Some(("two native processes, a referee in C", pipes));
    rows.push(BenchRow { what, judge: rows[0].judge, unit: "ms", peer, goal: Goal::Times(2.0) });
    let module = milliseconds(
        "mahjong",
        ["sample-bots/prebuilt/mahjong-straightforward.wasm", "random"],
        rounds,
    )?;
    for (script, most) in SCRIPTS {
        let judge = milliseconds("mahjong", [script, "random"], rounds)?;
        let what =
            format!("`{}` against `random`, a round", script.rsplit('/').next().unwrap_or(script));
        let (peer, goal) = (Some(("a module in C++", module)), Goal::Times(most));
        rows.push(BenchRow { what, judge, unit: "ms", peer, goal });
    }
    Ok(rows)
}

/// Milliseconds of processor time of a round, without the start and the compilation of modules.
fn milliseconds(game: &str, bots: [&str; 2], rounds: u64) -> Result<f64, String> {
    let matched = |rounds: u64| -> Result<Duration, String> {
        let mut command = Command::new(judge());
        command.arg("match").args(bots).args(["--game", game, "--seed", "1", "--jobs", "1"]);
        Ok(succeeded(command.args(["--rounds", &rounds.to_string()]))?.1)
    };
    let start = matched(2)?;
    let all = matched(rounds)?;
    Ok(all.saturating_sub(start).as_secs_f64() * 1e3 / (rounds - 2) as f64)
}

/// Milliseconds of processor time of a Mahjong round between two native processes under a referee in C.
fn pipes(rounds: u64) -> Result<f64, String> {
    let bot: PathBuf = Native::build("mahjong-straightforward")?.pipe;
    let folder = Folder::new("pipes")?;
    let (file, referee) = (folder.path().join("rounds"), folder.path().join("referee"));
    recorded::record(&bot, rounds, &file)?;
    compile_c(&root().join("judge/bench/compare/referee.c"), &referee)?;
    let time = succeeded(Command::new(&referee).args([&file, &bot, &bot]))?.1;
    Ok(time.as_secs_f64() * 1e3 / rounds as f64)
}
