//! Wall clock of one `judge play` from the shell: without a cache of machine code, with an empty one, and
//! with a filled one, next to interpreters of the system. The cases take turns, so that noise affects all
//! alike.

use std::path::Path;
use std::process::Command;

use judge_bench::{BenchRow, Goal, judge};

use super::{Folder, ended, median};

const REPEATS: usize = 11;

/// A bot, its peer, and the goals of the first and of later runs.
struct StartCase {
    bot: &'static str,
    peer: Option<(&'static str, [&'static str; 2])>,
    first: Goal,
    later: Goal,
}

/// The first is the largest sample bot in Rust.
const CASES: [StartCase; 3] = [
    StartCase {
        bot: "sample-bots/prebuilt/mahjong-hunter.wasm",
        peer: None,
        first: Goal::Shown,
        later: Goal::AtMost(40.0),
    },
    StartCase {
        bot: "sdk/templates/javascript/mahjong.js",
        peer: Some(("node", ["-e", ""])),
        first: Goal::Times(3.1),
        later: Goal::Times(1.25),
    },
    StartCase {
        bot: "sdk/templates/python/mahjong.py",
        peer: Some(("python3", ["-c", ""])),
        first: Goal::Times(5.6),
        later: Goal::Times(2.2),
    },
];

pub(crate) fn rows() -> Result<Vec<BenchRow>, String> {
    let folder = Folder::new("start")?;
    let mut times: [[Vec<f64>; 4]; 3] = Default::default();
    for number in 0..REPEATS {
        let empty = folder.path().join(number.to_string());
        for (case, times) in std::iter::zip(&CASES, &mut times) {
            times[0].push(play(case.bot, &empty, &["--no-cache"])?);
            times[1].push(play(case.bot, &empty, &[])?);
            times[2].push(play(case.bot, &empty, &[])?);
            // A peer that is not installed has no figure.
            if let Some((program, options)) = case.peer
                && let Ok(ended) = ended(Command::new(program).args(options))
            {
                times[3].push(ended.wall.as_secs_f64() * 1e3);
            }
        }
    }
    let row = |case: &StartCase, part: &str, judge, peer: f64, goal| {
        let what =
            format!("`judge play {}`, {part}", case.bot.rsplit('/').next().unwrap_or(case.bot));
        let peer = case.peer.filter(|_| peer.is_finite()).map(|(program, _)| (program, peer));
        BenchRow { what, judge, unit: "ms", peer, goal }
    };
    let rows = std::iter::zip(&CASES, times).flat_map(|(case, times)| {
        let [none, first, later, peer] = times.map(median);
        [
            row(case, "no cache", none, peer, Goal::Shown),
            row(case, "first run", first, peer, case.first),
            row(case, "later run", later, peer, case.later),
        ]
    });
    Ok(rows.collect())
}

/// Milliseconds of a round with that cache.
fn play(bot: &str, cache: &Path, more: &[&str]) -> Result<f64, String> {
    let mut command = Command::new(judge());
    command.env("JUDGE_CACHE", cache).args(["play", bot]).args(more);
    let ended = ended(&mut command).map_err(super::text)?;
    Ok(ended.wall.as_secs_f64() * 1e3)
}
