//! The test of one case: the module is graded first without a neighbour, then next to an honest
//! bot, which must get its usual result.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use judge_core::printable;
use serde_json::Value;

use super::case::{Case, CaseBot, Expected};
use super::generate;
use super::observer::Observer;
use super::outcome::CaseReport;
use super::process::{Order, ProcessRun};
use crate::Error;

/// A sample bot.
macro_rules! sample {
    ($name:literal) => {
        include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample-bots/prebuilt/", $name))
    };
}

/// The honest bots that must not be harmed, by their games.
const HONEST: [(&str, &[u8]); 2] = [
    ("mahjong", sample!("mahjong-straightforward.wasm")),
    // A program on stdio.
    ("cc", sample!("cc-stdio-c.wasm")),
];

/// Processor time for a run of the honest bot.
const HONEST_PROCESSOR: Duration = Duration::from_secs(60);

/// The judge's text about a worker that got hardly any processor time.
const LATE: &str = "did not reply in time";

/// A source that every compiler of the corpus's languages accepts.
const SOUND: &str = "int main(void) { return 0; }\n";

/// Maximum length of a quoted explanation.
const EXCERPT: usize = 300;

/// A folder for tests, the judge to test, and the process that observes it.
pub(super) struct Bench {
    judge: PathBuf,
    observer: Observer,
    folder: tempfile::TempDir,
    /// The honest bot's digest without a neighbour, by the testcase's text.
    golden: BTreeMap<String, Value>,
    /// The reason why sources with an extension cannot be built, if any.
    unbuilt: BTreeMap<&'static str, Option<String>>,
}

/// The testcase and the honest bot of a case.
#[derive(Clone)]
struct TrialSetup<'a> {
    testcase: String,
    honest: &'a [u8],
    processor: Duration,
    /// True if sources are built.
    builds: bool,
}

/// The reason why a case has no result.
enum Stopped {
    /// The case is invalid, or the judge cannot be run.
    Failed(Error),
    /// The machine could not finish a run.
    TooSlow(String),
    /// The machine cannot build the case's source.
    NotTried(String),
}

impl From<Error> for Stopped {
    fn from(error: Error) -> Stopped {
        Stopped::Failed(error)
    }
}

impl From<std::io::Error> for Stopped {
    fn from(error: std::io::Error) -> Stopped {
        Stopped::Failed(error.into())
    }
}

impl TrialSetup<'_> {
    fn new(case: &Case) -> Result<TrialSetup<'static>, Error> {
        let testcase = case.expected.testcase();
        let game = case.expected.testcase.get("game").map_or(Some("mahjong"), toml::Value::as_str);
        let bot = HONEST.iter().find(|(plays, _)| Some(*plays) == game);
        let (_, honest) =
            bot.ok_or_else(|| Error::input(Path::new(&case.name), &"no honest bot for this game"))?;
        let processor = Duration::from_millis(case.expected.max_processor_ms);
        let builds = case.bot.as_ref().is_some_and(CaseBot::is_source);
        Ok(TrialSetup { testcase, honest, processor, builds })
    }
}

impl Bench {
    /// Starts the observer process.
    ///
    /// # Errors
    /// If a temporary folder or that process cannot be created.
    pub(super) fn new(judge: &Path) -> Result<Bench, Error> {
        let observer = Observer::start(judge)?;
        let folder = tempfile::tempdir()?;
        for part in ["scratch", "outputs"] {
            std::fs::create_dir(folder.path().join(part))?;
        }
        let (golden, unbuilt) = (BTreeMap::new(), BTreeMap::new());
        Ok(Bench { judge: judge.to_owned(), observer, folder, golden, unbuilt })
    }

    /// Tests a case.
    ///
    /// # Errors
    /// If the case is invalid, or the judge cannot be run.
    pub(super) fn try_case(&mut self, case: &Case) -> Result<CaseReport, Error> {
        match self.measure(case) {
            Ok(report) => Ok(report),
            Err(Stopped::TooSlow(reason)) => {
                Ok(CaseReport { too_slow: Some(reason), ..CaseReport::from_case(case) })
            }
            Err(Stopped::NotTried(reason)) => {
                Ok(CaseReport { not_tried: Some(reason), ..CaseReport::from_case(case) })
            }
            Err(Stopped::Failed(error)) => Err(error),
        }
    }

    fn measure(&mut self, case: &Case) -> Result<CaseReport, Stopped> {
        let expected = &case.expected;
        let setting = TrialSetup::new(case)?;
        let honest = self.folder.path().join("honest.wasm");
        std::fs::write(&honest, setting.honest)?;
        let golden = self.golden(&setting, &honest)?;
        if let Some(bot) = case.bot.as_ref().filter(|bot| bot.is_source()) {
            self.can_build(bot.ending, &setting)?;
        }
        let bots = self.write_modules(case, setting.honest)?;
        let (alone, first) = self.grade(&bots, &setting)?;
        let together: Vec<PathBuf> = bots.iter().chain([&honest]).cloned().collect();
        let (neighbour, second) = self.grade(&together, &setting)?;
        for bot in &bots {
            std::fs::remove_file(bot)?;
        }

        let mut wrong: Vec<String> =
            [&alone, &neighbour].iter().flat_map(|ran| bounds(ran, expected)).collect();
        if expected.exit.is_some_and(|exit| alone.code != Some(exit)) {
            wrong.push(format!("exit code {:?}: {}", alone.code, excerpt(&alone.stderr)));
        }
        let (first, second) = (reports(&first), reports(&second));
        let mut got = Vec::new();
        for report in &first {
            judge(report, expected, &mut got, &mut wrong);
        }
        let (last, others) = second.split_last().map_or((&Value::Null, &[][..]), |split| split);
        if first != others || first.len() != bots.len() {
            wrong.push("a different result in the second run".to_owned());
        }
        if last["digest"] != golden {
            wrong.push("the honest bot gets a different result next to it".to_owned());
        }
        Ok(CaseReport {
            got: got.join(", "),
            time: alone.time,
            processor: alone.processor + neighbour.processor,
            peak_kib: alone.peak_kib.max(neighbour.peak_kib),
            wrong,
            ..CaseReport::from_case(case)
        })
    }

    /// Returns the result of the honest bot without a neighbour.
    fn golden(&mut self, setting: &TrialSetup<'_>, honest: &Path) -> Result<Value, Stopped> {
        if let Some(digest) = self.golden.get(&setting.testcase) {
            return Ok(digest.clone());
        }
        let undisturbed =
            TrialSetup { processor: HONEST_PROCESSOR, builds: false, ..setting.clone() };
        let (ran, report) = self.grade(&[honest.to_owned()], &undisturbed)?;
        let digest = report["bots"][0]["digest"].clone();
        if !digest.is_string() {
            let what = format!("the honest bot is not graded: {}", excerpt(&ran.stderr));
            return Err(Error::Judge(what).into());
        }
        self.golden.insert(setting.testcase.clone(), digest.clone());
        Ok(digest)
    }

    /// Builds a sound source to check that sources can be built. Without a compiler, or on a system
    /// without confined builds, such cases are not tested.
    fn can_build(&mut self, ending: &'static str, setting: &TrialSetup<'_>) -> Result<(), Stopped> {
        let known = self.unbuilt.get(ending).cloned();
        let reason = match known {
            Some(reason) => reason,
            None => self.try_sound(ending, setting)?,
        };
        reason.map_or(Ok(()), |reason| Err(Stopped::NotTried(reason)))
    }

    /// The reason why a sound source cannot be built, if any.
    fn try_sound(
        &mut self,
        ending: &'static str,
        setting: &TrialSetup<'_>,
    ) -> Result<Option<String>, Stopped> {
        let sound = self.folder.path().join("sound").with_extension(ending);
        std::fs::write(&sound, SOUND)?;
        let (ran, _) = self.grade(&[sound], setting)?;
        let is_built = matches!(ran.code, Some(0 | 1));
        let reason = (!is_built).then(|| excerpt(without_hints(&ran.stderr)));
        self.unbuilt.insert(ending, reason.clone());
        Ok(reason)
    }

    fn write_modules(&self, case: &Case, honest: &[u8]) -> Result<Vec<PathBuf>, Error> {
        let modules = match (&case.expected.generator, &case.bot) {
            (Some(generator), _) => generate::modules(generator, honest)
                .map_err(|what| Error::input(Path::new(&case.name), &what))?,
            (None, bot) => bot.iter().map(|bot| bot.bytes.clone()).collect(),
        };
        let ending = case.bot.as_ref().map_or("wasm", |bot| bot.ending);
        let path = |number| self.folder.path().join(format!("{number}.{ending}"));
        let paths: Vec<PathBuf> = (0..modules.len()).map(path).collect();
        for (path, module) in std::iter::zip(&paths, &modules) {
            std::fs::write(path, module)?;
        }
        Ok(paths)
    }

    /// Grades bots on a testcase; without a report, the result is null.
    fn grade(
        &mut self,
        bots: &[PathBuf],
        setting: &TrialSetup<'_>,
    ) -> Result<(ProcessRun, Value), Stopped> {
        let folder = self.folder.path();
        let file = folder.join("hostile.toml");
        std::fs::write(&file, &setting.testcase)?;
        let report = folder.join("outputs/report.json");
        let mut arguments: Vec<OsString> = vec!["grade".into()];
        arguments.extend(bots.iter().map(|bot| nearby(bot)));
        arguments.extend([
            // The tested compiler runs in each trial.
            "--no-cache".into(),
            "--testcase".into(),
            file.into(),
            "--json".into(),
            report.clone().into(),
        ]);
        arguments.extend(setting.builds.then(|| "--build".into()));
        let ran = self.observer.run(&Order {
            judge: self.judge.clone().into(),
            arguments,
            scratch: folder.join("scratch").into(),
            outputs: folder.join("outputs").into(),
            processor: setting.processor,
        })?;
        let written = std::fs::read(&report).unwrap_or_default();
        let _ = std::fs::remove_file(report);
        let report = serde_json::from_slice(&written).unwrap_or_default();
        match too_slow(&ran, &report) {
            Some(reason) => Err(Stopped::TooSlow(reason)),
            None => Ok((ran, report)),
        }
    }
}

/// The reason why the machine could not finish a run: the run was killed, or the judge gave up a
/// worker that got no processor time.
fn too_slow(ran: &ProcessRun, report: &Value) -> Option<String> {
    if ran.too_slow.is_some() {
        return ran.too_slow.clone();
    }
    let bots = reports(report);
    let details = bots.iter().map(|report| judged(report)["detail"].as_str());
    let mut said = details.flatten().chain([ran.stderr.as_str()]);
    // A bot's own text does not count, because it cannot make the judge fail.
    (ran.code == Some(4)).then(|| said.find(|text| text.contains(LATE)).map(excerpt))?
}

/// The path of a file in the parent folder of the judge's working folder. It is short, because
/// there can be 1,547 of them, and a Windows command line has at most 32,767 characters.
fn nearby(file: &Path) -> OsString {
    Path::new("..").join(file.file_name().unwrap_or_default()).into()
}

/// The results of the bots, without traces of failures: their functions come from a replay, which
/// is made for a single bot only.
fn reports(report: &Value) -> Vec<Value> {
    let mut bots = report["bots"].as_array().cloned().unwrap_or_default();
    for case in bots.iter_mut().filter_map(|bot| bot["testcases"].as_array_mut()).flatten() {
        if let Some(case) = case.as_object_mut() {
            case.remove("trace");
        }
    }
    bots
}

/// The judge's error without hints.
fn without_hints(stderr: &str) -> &str {
    let error = stderr.find("error: ").map_or(stderr, |at| &stderr[at + "error: ".len()..]);
    error.split_once('\n').map_or(error, |(line, _)| line)
}

/// The part of a bot's report that contains the verdict.
fn judged(report: &Value) -> &Value {
    let refused = &report["refused"];
    if refused.is_null() { &report["testcases"][0] } else { refused }
}

/// Violations of the limits of every run.
fn bounds(ran: &ProcessRun, expected: &Expected) -> Vec<String> {
    let mut wrong = ran.wrong.clone();
    if ran.peak_kib > expected.max_rss_mb * 1024 {
        wrong.push(format!("{} MiB of memory", ran.peak_kib / 1024));
    }
    if ran.code.is_none_or(|code| code >= 4) {
        wrong.push(format!("the judge failed: {}", excerpt(&ran.stderr)));
    }
    wrong
}

/// Compares one bot's report with the expectation, and adds a new verdict to `got`.
fn judge(report: &Value, expected: &Expected, got: &mut Vec<String>, wrong: &mut Vec<String>) {
    let text = |key: &str| judged(report)[key].as_str();
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

#[cfg(test)]
mod tests {
    use judge_sandbox::worker::WorkerError;
    use serde_json::json;

    use super::*;

    fn ran(code: i32, stderr: &str) -> ProcessRun {
        let (time, processor) = (Duration::ZERO, Duration::ZERO);
        let (code, stderr) = (Some(code), stderr.to_owned());
        ProcessRun { code, stderr, time, processor, peak_kib: 0, wrong: Vec::new(), too_slow: None }
    }

    #[test]
    fn a_worker_without_processor_time_is_the_machines_fault() {
        let late = WorkerError::Late(30).to_string();
        let report = json!({ "bots": [{ "testcases": [{ "detail": late }] }] });
        assert_eq!(too_slow(&ran(4, ""), &report), Some(late.clone()));
        assert_eq!(too_slow(&ran(4, &late), &Value::Null), Some(late));
        // A bot logs this text, and the judge fails for another reason.
        assert_eq!(too_slow(&ran(1, ""), &report), None);
        let died = json!({ "bots": [{ "testcases": [{ "detail": "the worker ended" }] }] });
        assert_eq!(too_slow(&ran(4, "the disk is full"), &died), None);
    }
}
