//! Reads saved reports, checks their seals, and combines them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use judge_core::{GradeReport, TestcaseReport, Timing};
use judge_report::quoted;

use crate::Error;

/// A report, and the file it was read from.
pub(super) struct Saved {
    pub(super) path: PathBuf,
    pub(super) report: GradeReport,
}

/// Reads a file of `judge grade --json`, or the reports in a folder of `judge grade --out`, by
/// name.
pub(super) fn read(path: &Path) -> Result<Vec<Saved>, Error> {
    if !path.is_dir() {
        return Ok(vec![read_file(path)?]);
    }
    let students = path.join("students");
    let folder = if students.is_dir() { students } else { path.to_owned() };
    let unreadable = |source| Error::Read { path: folder.clone(), source };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(&folder).map_err(unreadable)? {
        let file = entry.map_err(unreadable)?.path();
        if file.extension().is_some_and(|ending| ending == "json") {
            files.push(file);
        }
    }
    files.sort();
    if files.is_empty() {
        let what = format!("no reports in `{}`", folder.display());
        let hint = "a course of `judge grade --out DIR` has them in `DIR/students/`".to_owned();
        return Err(Error::Input { what, hint: Some(hint) });
    }
    files.iter().map(|file| read_file(file)).collect()
}

fn read_file(path: &Path) -> Result<Saved, Error> {
    let no_report = |error: judge_core::ReportError| {
        let what = format!("not a report of `judge grade --json` as it was written: {error}");
        Error::input(path, &what)
    };
    let report = GradeReport::from_json(&Error::read_text(path)?).map_err(no_report)?;
    if let Some(difference) = judge_grading::contradiction(&report, None) {
        let what = format!(
            "`{}` was changed after it was written (`{}` does not follow from the rest of the \
             report)",
            path.display(),
            difference.path
        );
        let hint = format!("`judge verify {}` shows more", quoted(&path.to_string_lossy()));
        return Err(Error::Input { what, hint: Some(hint) });
    }
    Ok(Saved { path: path.to_owned(), report })
}

/// Combines all bots in one report with a new seal. The reports must be comparable: from one judge,
/// on the same testcases.
pub(super) fn merge(saved: Vec<Saved>) -> Result<GradeReport, Error> {
    let mut rest = saved.into_iter();
    let Some(Saved { path: first, report: mut whole }) = rest.next() else {
        return Err(Error::usage("nothing to report", "name a file of `judge grade --json`"));
    };
    let mut alone = true;
    for Saved { path, report } in rest {
        if let Some(what) = unlike(&whole, &report) {
            let what = format!("`{}` and `{}` {what}", first.display(), path.display());
            let hint = "report on them one by one, or put them side by side with `--compare`";
            return Err(Error::Input { what, hint: Some(hint.to_owned()) });
        }
        add(&mut whole, report, &path);
        alone = false;
    }
    // A single report keeps its bytes.
    Ok(if alone { whole } else { GradeReport { timing: Timing::default(), ..whole }.sealed() })
}

/// The reason why two reports cannot be on one scoreboard.
fn unlike(one: &GradeReport, other: &GradeReport) -> Option<&'static str> {
    if one.fingerprint != other.fingerprint {
        return Some("are from different judges, and their results are never mixed");
    }
    let suites = [one, other].map(testcases);
    let differ = !suites.iter().any(BTreeSet::is_empty) && suites[0] != suites[1];
    differ.then_some("are about different testcases")
}

/// The testcases that its bots played; empty if all were refused.
fn testcases(report: &GradeReport) -> BTreeSet<String> {
    let hash = |case: &TestcaseReport| case.sha256.to_string();
    report.bots.iter().flat_map(|bot| bot.testcases.iter().map(hash)).collect()
}

/// Adds the bots. A duplicate name gets its file appended.
fn add(whole: &mut GradeReport, report: GradeReport, path: &Path) {
    for mut bot in report.bots {
        if whole.bots.iter().any(|other| other.bot.name == bot.bot.name) {
            bot.bot.name = format!("{} ({})", bot.bot.name, path.display());
        }
        whole.bots.push(bot);
    }
}
