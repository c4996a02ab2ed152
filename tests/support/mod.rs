//! Shared parts of the tests of the whole program: the binary, the sample bots, temporary files.
#![allow(dead_code, reason = "each test binary uses its part of this")]

pub(crate) mod folder;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The judge under test, without the environment's variables for colors and summaries.
/// `JUDGE_BINARY` names another build of it, such as the released one.
pub(crate) fn judge() -> Command {
    let other = std::env::var_os("JUDGE_BINARY");
    let mut command = Command::new(other.unwrap_or_else(|| env!("CARGO_BIN_EXE_judge").into()));
    command.current_dir(root()).env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
    command.env_remove("GITHUB_STEP_SUMMARY");
    // Modules built from sources are kept in the tests' own folder.
    command.env("JUDGE_CACHE", Path::new(env!("CARGO_TARGET_TMPDIR")).join("builds"));
    command
}

/// Set by `JUDGE_TESTS=all`. Tests that take minutes then run completely; otherwise they do only a
/// part.
pub(crate) fn all_tests() -> bool {
    std::env::var_os("JUDGE_TESTS").is_some_and(|which| which == "all")
}

/// The repository's folder.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A bundled sample bot.
pub(crate) fn sample(name: &str) -> PathBuf {
    root().join("sample-bots/prebuilt").join(name).with_extension("wasm")
}

/// A bot, as text, that answers every question with an empty line.
pub(crate) const SILENT_BOT: &str = r#"(module (memory (export "memory") 1)
    (func (export "judge_buffer") (result i32) i32.const 0)
    (func (export "judge_line") (param i32) (result i32) i32.const 0))"#;

/// A bot for Mahjong, as text, that discards the drawn tile and logs: `begin` during start-up, the
/// first byte of a euro sign at each `draw`, the other bytes and the tile at each `discard?`, and
/// `bye`.
#[allow(dead_code, reason = "not every test needs it")]
pub(crate) const LOGGER: &str = include_str!("logger.wat");

/// The output and the exit code of a finished command.
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    /// Without the warning about missing walls.
    pub(crate) stderr: String,
    /// True if that warning was printed.
    pub(crate) lacks_walls: bool,
}

impl Ran {
    /// Parses standard output as JSON.
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("{error}\n{}\n{}", self.stdout, self.stderr))
    }
}

impl From<Output> for Ran {
    fn from(Output { status, stdout, stderr }: Output) -> Ran {
        let stderr = String::from_utf8(stderr).unwrap();
        let (warnings, rest): (Vec<&str>, Vec<&str>) = stderr
            .split_inclusive('\n')
            .partition(|line| line.starts_with("warning: bots are not fully isolated"));
        Ran {
            code: status.code().unwrap_or(-1),
            stdout: String::from_utf8(stdout).unwrap(),
            stderr: rest.concat(),
            lacks_walls: !warnings.is_empty(),
        }
    }
}

/// Runs the judge to its end.
pub(crate) fn run<I: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = I>) -> Ran {
    judge().args(arguments).output().unwrap().into()
}

/// Runs the judge to its end, with a text on standard input.
pub(crate) fn run_with_input<I: AsRef<std::ffi::OsStr>>(
    arguments: impl IntoIterator<Item = I>,
    text: &str,
) -> Ran {
    let mut command = judge();
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let text = text.to_owned();
    // A command that ends early does not read the rest.
    let writer = std::thread::spawn(move || drop(input.write_all(text.as_bytes())));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output.into()
}

/// Checks that a text contains all of these lines.
#[track_caller]
pub(crate) fn says(text: &str, lines: &[&str]) {
    for line in lines {
        assert!(text.contains(line), "`{line}` is missing in:\n{text}");
    }
}

/// Writes a file into a temporary folder and returns its path.
pub(crate) fn write(folder: &Path, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, content).unwrap();
    path
}

/// A report on 300 bots and 40 testcases with all kinds of verdicts, as a judge would write it.
pub(crate) fn large_report() -> String {
    use judge_core::{BotIdentity, BotReport, Fingerprint, GradeReport, Timing, digest};
    let bot = |number: usize| BotReport {
        bot: BotIdentity {
            name: format!("student {number:03} of a longer name"),
            sha256: digest(&number.to_le_bytes()),
            author: None,
        },
        refused: None,
        points: 0.into(),
        max_points: 400.into(),
        score: 0,
        passed: 0,
        testcases: (0..40).map(|at| large_case(number, at)).collect(),
        digest: digest(b""),
    };
    let report = GradeReport {
        version: GradeReport::VERSION,
        fingerprint: Fingerprint { judge: "0.1.0".to_owned(), engine: "engine".to_owned() },
        suite: "large".to_owned(),
        title: "A large course".to_owned(),
        bots: (0..300).map(|number| bot(number).for_student()).collect(),
        seal: digest(b""),
        timing: Timing::default(),
    };
    report.sealed().to_json()
}

/// A result from the bot's strength and some luck, both by number.
fn large_case(number: usize, at: usize) -> judge_core::TestcaseReport {
    use judge_core::{Blame, Limits, Seat, TestcaseReport, Verdict, digest};
    let luck = (number * 7919 + at * 104_729 + number * at * 31) % 1000;
    let score = (2 * number + luck) as i64;
    let faults = [
        Verdict::TimeLimitExceeded,
        Verdict::MemoryLimitExceeded,
        Verdict::RuntimeError,
        Verdict::IllegalMove,
        Verdict::ProtocolError,
    ];
    let min_score = 350 + 20 * at as i64;
    let verdict = match luck % 17 {
        0 => faults[(number + at) % faults.len()],
        _ if score >= min_score => Verdict::Accepted,
        _ => Verdict::BelowThreshold,
    };
    let score = if verdict.is_fault() { 0 } else { score };
    let name = format!("{:02}-testcase", at + 1);
    TestcaseReport {
        sha256: digest(name.as_bytes()),
        title: "One of many".to_owned(),
        name,
        game: "mahjong".to_owned(),
        opponent: "random".to_owned(),
        seat: Seat::One,
        verdict,
        blame: verdict.is_fault().then_some(Blame::Bot),
        detail: "hidden".to_owned(),
        score,
        min_score,
        points: if verdict == Verdict::Accepted { 10 } else { 0 }.into(),
        max_points: 10.into(),
        extra: 0.into(),
        weight: None,
        credit: None,
        hidden: true,
        // Like older judges: with verdict and score.
        shows: None,
        limits: Limits::COURSE,
        fuel: 0,
        peak_memory_bytes: 0,
        rounds: Vec::new(),
        reproduce: None,
        trace: None,
    }
}
