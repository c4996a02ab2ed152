//! A generated course with one worker and with two, and its peak memory; then a tournament of a hundred bots
//! as JSON (Linux).

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use judge_bench::{BenchRow, Goal, judge, resident_alone, root};

use super::Folder;

/// Hostile or broken modules of the corpus, one per ten submissions.
const HOSTILE: [&str; 6] = [
    "c05-grow-spin",
    "c04-mutual-recursion",
    "e04-silent",
    "e08-endless-answer",
    "f13-all-forfeits",
    "e03-log-flood",
];

/// Honest modules, in rotation.
const HONEST: [&str; 3] = ["mahjong-hunter", "mahjong-distance", "mahjong-straightforward"];

/// Number of bots in the tournament.
const BOTS: usize = 100;

/// Most memory of the judge without its workers, in MB.
const MEMORY: Goal = Goal::AtMost(40.0);

pub(crate) fn rows(submissions: usize) -> Result<Vec<BenchRow>, String> {
    let folder = Folder::new("course")?;
    let few = submissions / 4;
    let ((one, _), (two, least)) = (grade(&folder, few, 1)?, grade(&folder, few, 2)?);
    let (_, most) = grade(&folder, submissions, 2)?;
    let memory =
        |what: String, judge| BenchRow { what, judge, unit: "MB", peer: None, goal: MEMORY };
    Ok(vec![
        BenchRow {
            what: format!("a course of {few}, speed of two workers relative to one"),
            judge: one.as_secs_f64() / two.as_secs_f64(),
            unit: "×",
            peer: None,
            goal: Goal::Shown,
        },
        memory(format!("the judge's memory for a course of {few}"), least),
        memory(format!("the judge's memory for a course of {submissions}"), most),
        memory(format!("the same for a tournament of {BOTS} as JSON"), tournament(&folder)?),
    ])
}

/// A unique submission, by a custom section with its number.
fn submit(folder: &Path, number: usize) -> std::io::Result<()> {
    let mut module = std::fs::read(source(number))?;
    let note = number.to_string();
    let name = b"number";
    module.extend([0, (1 + name.len() + note.len()) as u8, name.len() as u8]);
    module.extend(name);
    module.extend(note.as_bytes());
    std::fs::write(folder.join(format!("student-{number:04}.wasm")), module)
}

fn source(number: usize) -> PathBuf {
    if number.is_multiple_of(10) {
        let case = HOSTILE[number / 10 % HOSTILE.len()];
        return root().join("judge/hostile-corpus").join(case).join("bot.wasm");
    }
    let bot = HONEST[number % HONEST.len()];
    root().join("sample-bots/prebuilt").join(bot).with_extension("wasm")
}

/// Wall clock and peak memory of grading so many submissions.
fn grade(folder: &Folder, submissions: usize, workers: usize) -> Result<(Duration, f64), String> {
    let (bots, out) = (folder.path().join("in"), folder.path().join("out"));
    std::fs::create_dir_all(&bots).map_err(super::text)?;
    (0..submissions).try_for_each(|number| submit(&bots, number)).map_err(super::text)?;
    let mut command = Command::new(judge());
    command.arg("grade").arg(&bots);
    command.args(["--suite", "mahjong", "--jobs", &workers.to_string(), "--out"]).arg(&out);
    let measured = watch(&mut command)?;
    [bots, out].iter().try_for_each(std::fs::remove_dir_all).map_err(super::text)?;
    Ok(measured)
}

/// Peak memory of a tournament between different modules.
fn tournament(folder: &Folder) -> Result<f64, String> {
    let bots = folder.path().join("bots");
    std::fs::create_dir_all(&bots).map_err(super::text)?;
    (0..BOTS).try_for_each(|number| submit(&bots, 10 * number + 1)).map_err(super::text)?;
    let mut command = Command::new(judge());
    let files = std::fs::read_dir(&bots).map_err(super::text)?;
    command.arg("tournament").args(files.flatten().map(|bot| bot.path()));
    command.args(["--game", "mahjong", "--rounds", "2", "--seed", "1", "--json"]);
    Ok(watch(command.arg(folder.path().join("tournament.json")))?.1)
}

/// Wall clock of a command, and peak resident memory of its process without children, in MB.
fn watch(command: &mut Command) -> Result<(Duration, f64), String> {
    let begin = Instant::now();
    let command = command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(super::text)?;
    let mut most = 0;
    let status = loop {
        most = most.max(resident_alone(child.id()));
        if let Some(status) = child.try_wait().map_err(super::text)? {
            break status;
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    // 1 means that some bot did not pass, as intended.
    match status.code() {
        Some(0 | 1) => Ok((begin.elapsed(), most as f64 * 1024.0 / 1e6)),
        _ => Err(format!("`{command:?}` ended with {status}")),
    }
}
