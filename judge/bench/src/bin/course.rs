//! Grading a whole course with the released binary: wall clock with one worker and with two, and
//! peak memory of judge and workers together. Then a tournament of a hundred bots as JSON.
//!
//! `cargo build --release && cargo run --release -p judge-bench --bin course` (Linux)

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use clap::Parser;
use judge_bench::{resident, resident_alone, root};

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

#[derive(Parser)]
#[command(about = "Grades generated submissions with one worker and with two")]
struct Arguments {
    /// Number of submissions.
    #[arg(long, default_value_t = 300)]
    submissions: usize,
    /// Number of times to grade them with each number of workers; the fastest run counts.
    #[arg(long, default_value_t = 2)]
    repeats: usize,
}

fn main() -> io::Result<()> {
    let arguments = Arguments::parse();
    let judge = root().join("target/release/judge");
    if !judge.exists() {
        eprintln!("`{}` is missing\n\nhint: cargo build --release", judge.display());
        std::process::exit(1);
    }
    let folder = std::env::temp_dir().join(format!("judge-course-{}", std::process::id()));
    let submissions = folder.join("in");
    std::fs::create_dir_all(&submissions)?;
    (0..arguments.submissions).try_for_each(|number| submit(&submissions, number))?;
    let mut fastest = [Duration::MAX; 2];
    let mut memory = [PeakMemory::default(); 2];
    for _ in 0..arguments.repeats {
        // Alternate, so that other load on the machine affects both.
        for workers in [1, 2] {
            let (time, most) = grade(&judge, &folder, workers)?;
            fastest[workers - 1] = fastest[workers - 1].min(time);
            memory[workers - 1] = memory[workers - 1].max(most);
        }
    }
    let tournament = tournament(&judge, &folder)?;
    std::fs::remove_dir_all(&folder)?;
    let [one, two] = fastest;
    println!("{} submissions on the suite `mahjong`", arguments.submissions);
    let mib = |kib: u64| kib as f64 / 1024.0;
    for (workers, (time, most)) in std::iter::zip(1.., std::iter::zip(fastest, memory)) {
        let PeakMemory { parent, all } = most;
        let [parent, all] = [mib(parent), mib(all)];
        println!(
            "  {workers} workers  {time:.1?}, at most {parent:.1} MiB, with workers {all:.1} MiB"
        );
    }
    println!("  two are {:.2} times as fast as one", one.as_secs_f64() / two.as_secs_f64());
    println!("a tournament of {BOTS} bots as JSON");
    println!("  {:.1?}, at most {:.1} MiB", tournament.0, mib(tournament.1.parent));
    Ok(())
}

/// A unique submission, by a custom section with its number.
fn submit(folder: &Path, number: usize) -> io::Result<()> {
    let mut module = std::fs::read(source(number))?;
    let note = number.to_string();
    let name = b"number";
    module.extend([0, (1 + name.len() + note.len()) as u8, name.len() as u8]);
    module.extend(name);
    module.extend(note.as_bytes());
    std::fs::write(folder.join(format!("student-{number:03}.wasm")), module)
}

fn source(number: usize) -> PathBuf {
    if number.is_multiple_of(10) {
        let case = HOSTILE[number / 10 % HOSTILE.len()];
        return root().join("judge/hostile-corpus").join(case).join("bot.wasm");
    }
    let bot = HONEST[number % HONEST.len()];
    root().join("sample-bots/prebuilt").join(bot).with_extension("wasm")
}

/// Wall clock and peak memory of grading all submissions.
fn grade(judge: &Path, folder: &Path, workers: usize) -> io::Result<(Duration, PeakMemory)> {
    let out = folder.join("out");
    let mut command = Command::new(judge);
    command.arg("grade").arg(folder.join("in"));
    command.args(["--suite", "mahjong", "--jobs", &workers.to_string(), "--out"]).arg(&out);
    let measured = watch(&mut command)?;
    std::fs::remove_dir_all(out)?;
    Ok(measured)
}

/// Wall clock and peak memory of a tournament between a hundred different modules.
fn tournament(judge: &Path, folder: &Path) -> io::Result<(Duration, PeakMemory)> {
    let bots = folder.join("bots");
    std::fs::create_dir_all(&bots)?;
    (0..BOTS).try_for_each(|number| submit(&bots, 10 * number + 1))?;
    let mut command = Command::new(judge);
    command.arg("tournament").args(std::fs::read_dir(&bots)?.flatten().map(|bot| bot.path()));
    command.args(["--game", "mahjong", "--rounds", "2", "--seed", "1", "--json"]);
    watch(command.arg(folder.join("tournament.json")))
}

/// Peak resident memory (KiB) of the judge itself, and with its workers.
#[derive(Debug, Clone, Copy, Default)]
struct PeakMemory {
    parent: u64,
    all: u64,
}

impl PeakMemory {
    fn max(self, other: PeakMemory) -> PeakMemory {
        PeakMemory { parent: self.parent.max(other.parent), all: self.all.max(other.all) }
    }
}

/// Wall clock and peak memory of a command.
fn watch(command: &mut Command) -> io::Result<(Duration, PeakMemory)> {
    let begin = Instant::now();
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    let mut most = PeakMemory::default();
    let status = loop {
        most =
            most.max(PeakMemory { parent: resident_alone(child.id()), all: resident(child.id()) });
        if let Some(status) = child.try_wait()? {
            break status;
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    // 1 means that some bot did not pass, as intended.
    assert!(matches!(status.code(), Some(0 | 1)), "the judge ended with {status}");
    Ok((begin.elapsed(), most))
}
