//! One case tried: the module is graded alone, then next to an honest bot, which must get what it
//! always gets.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use judge_core::printable;
use serde_json::Value;

use super::case::{Case, Expected};
use super::generate;
use super::outcome::CaseReport;
use super::process::{self, Ran};
use crate::Error;

/// A sample bot.
macro_rules! sample {
    ($name:literal) => {
        include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample-bots/prebuilt/", $name))
    };
}

/// The bots that must not be harmed, by the game that they play.
const HONEST: [(&str, &[u8]); 2] = [
    ("mahjong", sample!("mahjong-straightforward.wasm")),
    // A program on stdio.
    ("cc", sample!("cc-stdio-c.wasm")),
];

/// Wall-clock time of the honest bot alone.
const HONEST_DEADLINE: Duration = Duration::from_secs(60);

/// Most characters of an explanation that are quoted.
const EXCERPT: usize = 300;

/// A folder for trials, and the judge that is tried.
pub(super) struct Bench {
    judge: PathBuf,
    folder: tempfile::TempDir,
    /// The honest bot's digest when it is graded alone, by the text of the testcase.
    golden: BTreeMap<String, Value>,
}

/// The testcase and the honest bot of a case.
struct Setting<'a> {
    testcase: String,
    honest: &'a [u8],
    deadline: Duration,
}

impl Setting<'_> {
    fn new(case: &Case) -> Result<Setting<'static>, Error> {
        let testcase = case.expected.testcase();
        let game = case.expected.testcase.get("game").map_or(Some("mahjong"), toml::Value::as_str);
        let bot = HONEST.iter().find(|(plays, _)| Some(*plays) == game);
        let (_, honest) = bot.ok_or_else(|| {
            Error::input(Path::new(&case.name), &"there is no honest bot for this game")
        })?;
        let deadline = Duration::from_millis(case.expected.max_wall_ms);
        Ok(Setting { testcase, honest, deadline })
    }
}

impl Bench {
    pub(super) fn new(judge: &Path) -> Result<Bench, Error> {
        let folder = tempfile::tempdir()?;
        for part in ["scratch", "outputs"] {
            std::fs::create_dir(folder.path().join(part))?;
        }
        Ok(Bench { judge: judge.to_owned(), folder, golden: BTreeMap::new() })
    }

    /// Tries a case.
    ///
    /// # Errors
    /// When the case makes no sense, or the judge cannot be run at all.
    pub(super) fn try_case(&mut self, case: &Case) -> Result<CaseReport, Error> {
        let expected = &case.expected;
        let setting = Setting::new(case)?;
        let honest = self.folder.path().join("honest.wasm");
        std::fs::write(&honest, setting.honest)?;
        let golden = self.golden(&setting, &honest)?;
        let bots = self.write_modules(case, setting.honest)?;
        let (alone, first) = self.grade(&bots, &setting.testcase, setting.deadline)?;
        let together: Vec<PathBuf> = bots.iter().chain([&honest]).cloned().collect();
        let (beside, second) = self.grade(&together, &setting.testcase, setting.deadline)?;
        for bot in &bots {
            std::fs::remove_file(bot)?;
        }

        let mut wrong: Vec<String> =
            [&alone, &beside].iter().flat_map(|ran| bounds(ran, expected)).collect();
        if expected.exit.is_some_and(|exit| alone.code != Some(exit)) {
            wrong.push(format!("exit code {:?}: {}", alone.code, excerpt(&alone.stderr)));
        }
        let (first, second) = (reports(&first), reports(&second));
        let mut got = Vec::new();
        for report in first {
            judge(report, expected, &mut got, &mut wrong);
        }
        let (last, others) = second.split_last().map_or((&Value::Null, &[][..]), |split| split);
        if first != others || first.len() != bots.len() {
            wrong.push("another result in the second run".to_owned());
        }
        if last["digest"] != golden {
            wrong.push("the honest bot beside it gets another result".to_owned());
        }
        let peak_kib = alone.peak_kib.max(beside.peak_kib);
        Ok(CaseReport {
            name: case.name.clone(),
            about: expected.about.clone(),
            expected: expected.verdict.clone(),
            got: got.join(", "),
            time: alone.time,
            peak_kib,
            wrong,
        })
    }

    /// The result of the undisturbed honest bot.
    fn golden(&mut self, setting: &Setting<'_>, honest: &Path) -> Result<Value, Error> {
        if let Some(digest) = self.golden.get(&setting.testcase) {
            return Ok(digest.clone());
        }
        let (ran, report) = self.grade(&[honest.to_owned()], &setting.testcase, HONEST_DEADLINE)?;
        let digest = report["bots"][0]["digest"].clone();
        if !digest.is_string() {
            let what = format!("the honest bot is not graded: {}", excerpt(&ran.stderr));
            return Err(Error::Judge(what));
        }
        self.golden.insert(setting.testcase.clone(), digest.clone());
        Ok(digest)
    }

    fn write_modules(&self, case: &Case, honest: &[u8]) -> Result<Vec<PathBuf>, Error> {
        let modules = match (&case.expected.generator, &case.module) {
            (Some(generator), _) => generate::modules(generator, honest)
                .map_err(|what| Error::input(Path::new(&case.name), &what))?,
            (None, module) => module.iter().cloned().collect(),
        };
        let path = |number| self.folder.path().join(format!("{number}.wasm"));
        let paths: Vec<PathBuf> = (0..modules.len()).map(path).collect();
        for (path, module) in std::iter::zip(&paths, &modules) {
            std::fs::write(path, module)?;
        }
        Ok(paths)
    }

    /// Grades bots on a testcase; the report is null when there is none.
    fn grade(
        &self,
        bots: &[PathBuf],
        testcase: &str,
        deadline: Duration,
    ) -> Result<(Ran, Value), Error> {
        let folder = self.folder.path();
        let file = folder.join("hostile.toml");
        std::fs::write(&file, testcase)?;
        let report = folder.join("outputs/report.json");
        let mut arguments: Vec<OsString> = vec!["grade".into()];
        arguments.extend(bots.iter().map(|bot| nearby(bot)));
        arguments.extend([
            "--testcase".into(),
            file.into(),
            "--json".into(),
            report.clone().into(),
        ]);
        let ran = process::run(
            &self.judge,
            &arguments,
            &folder.join("scratch"),
            &folder.join("outputs"),
            deadline,
        )?;
        let written = std::fs::read(&report).unwrap_or_default();
        let _ = std::fs::remove_file(report);
        Ok((ran, serde_json::from_slice(&written).unwrap_or_default()))
    }
}

/// A file in the folder beside the one that the judge runs in, in few letters: there can be 1,547 of
/// them, and a command line of Windows ends after 32,767 characters.
fn nearby(file: &Path) -> OsString {
    Path::new("..").join(file.file_name().unwrap_or_default()).into()
}

fn reports(report: &Value) -> &[Value] {
    report["bots"].as_array().map_or(&[], Vec::as_slice)
}

/// Violations of what holds for every run.
fn bounds(ran: &Ran, expected: &Expected) -> Vec<String> {
    let mut wrong = ran.wrong.clone();
    if ran.peak_kib > expected.max_rss_mb * 1024 {
        wrong.push(format!("{} MiB of memory", ran.peak_kib / 1024));
    }
    if ran.code.is_none_or(|code| code >= 4) {
        wrong.push(format!("the judge failed: {}", excerpt(&ran.stderr)));
    }
    wrong
}

/// Compares one bot's report with what is expected; notes a verdict that was not seen before.
fn judge(report: &Value, expected: &Expected, got: &mut Vec<String>, wrong: &mut Vec<String>) {
    let refused = &report["refused"];
    let judged = if refused.is_null() { &report["testcases"][0] } else { refused };
    let text = |key: &str| judged[key].as_str();
    let (verdict, detail) = (text("verdict").unwrap_or("none"), text("detail").unwrap_or(""));
    if !got.iter().any(|seen| seen == verdict) {
        got.push(verdict.to_owned());
    }
    let blame_fits = match &expected.verdict {
        Some(_) => text("blame") == expected.blame.as_deref(),
        None => text("blame") != Some("judge"),
    };
    let verdict_fits = expected.verdict.as_deref().is_none_or(|expected| verdict == expected);
    let says = expected.says.iter().all(|words| detail.contains(words));
    if !(verdict_fits && blame_fits && says) {
        let blame = text("blame").unwrap_or("nobody");
        wrong.push(format!("`{verdict}`, blaming {blame}: {}", excerpt(detail)));
    }
}

fn excerpt(text: &str) -> String {
    printable(text.trim(), EXCERPT)
}
