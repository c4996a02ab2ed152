//! The results that an instructor has to check. Every missing or zero result is reported with its
//! reason.

use std::collections::BTreeMap;

use judge_core::{BotReport, Verdict, printable};
use judge_report::{Mark, NO_SUBMISSION, cell};

use super::CourseFolder;
use super::assignment_outcome::Notable;
use super::behaviour::SameAnswers;
use super::gradebooks::several_of_one;
use crate::Error;
use crate::base::csv_text::csv_text;
use crate::bots;
use crate::bots::roster::{RosterEntry, nearest_student};
use crate::bots::submitted::{Alike, Findings, PassedOver};

/// Maximum length of an untrusted reason.
const LONGEST: usize = 160;

/// Maximum number of unmatched submissions for which a similar name is suggested.
const MOST_COMPARED: usize = 50;

/// The reason why a submission has no points.
#[derive(Debug, Clone)]
pub(super) enum Failed {
    /// It was refused.
    Refused(String),
    /// It was played, but earned no points.
    NoPoints(&'static str),
}

impl Failed {
    /// Returns the reason, if the submission has no points because of a fault.
    pub(super) fn from_report(bot: &BotReport) -> Option<Failed> {
        if let Some(refused) = &bot.refused {
            // The compiler's output is in the student's report.
            let what = refused.why.reason.lines().next().unwrap_or_default();
            let what = printable(what, LONGEST);
            return Some(Failed::Refused(match refused.verdict {
                // An unreadable file is not a failure of the judge itself.
                Verdict::JudgeError => format!("not graded, no points yet: {what}"),
                verdict => format!("{verdict}: {what}"),
            }));
        }
        let fault = bot.points.is_zero() && bot.worst_verdict().is_fault();
        fault.then(|| Failed::NoPoints(bot.worst_label()))
    }
}

/// The file with all results to check, in the folder of a course.
pub(super) const FILE: &str = "look-at.csv";

/// Writes all results to check; the terminal shows only twenty. Without any, no file is written,
/// unless an earlier run left one.
pub(super) fn write(folder: &CourseFolder, all: &[Notable]) -> Result<(), Error> {
    write_names(folder, FILE, ["who", "why"], all)
}

/// Writes names with a text each. Without any, no file is written, unless an earlier run left one.
pub(super) fn write_names(
    folder: &CourseFolder,
    file: &str,
    header: [&str; 2],
    all: &[Notable],
) -> Result<(), Error> {
    if all.is_empty() && !folder.path().join(file).exists() {
        return Ok(());
    }
    let rows = all.iter().map(|one| [&one.who, &one.why].map(|text| cell(text)));
    folder.write_sheet(file, &csv_text(header, rows)?)
}

/// The data that the reasons come from.
pub(super) struct Summary<'a> {
    pub(super) marks: &'a BTreeMap<String, Mark>,
    pub(super) students: &'a BTreeMap<String, RosterEntry>,
    pub(super) findings: &'a Findings,
    pub(super) failed: &'a BTreeMap<String, Failed>,
    pub(super) judge_errors: &'a [(String, usize)],
    /// Submissions that match no student on the list.
    pub(super) of_nobody: Vec<&'a str>,
    /// The games of the suite.
    pub(super) games: String,
}

impl Summary<'_> {
    /// All results to check with their reasons, most urgent first.
    pub(super) fn look_at(&self, same_answers: &SameAnswers) -> Vec<Notable> {
        let mut all = Vec::new();
        for (name, _) in self.judge_errors {
            let why = match self.failed.get(name) {
                Some(Failed::Refused(why)) => why.clone(),
                _ => "the judge failed: no points yet".to_owned(),
            };
            all.push(self.about(name, why));
        }
        for (name, games) in &self.findings.other_games {
            if self.marks.contains_key(name) {
                let why = bots::for_another_suite(games, &self.games);
                all.push(self.about(name, why));
            }
        }
        all.extend(self.refused());
        all.extend(self.findings.passed_over.iter().map(|one| self.passed_over(one)));
        all.extend(self.of_nobody.iter().enumerate().map(|(at, name)| self.of_nobody(at, name)));
        let graded = self.marks.iter().filter(|(_, mark)| mark.report.is_some());
        for names in several_of_one(graded.map(|(name, _)| name)) {
            let who: Vec<String> = names.iter().map(|name| self.shown(name)).collect();
            let why =
                "several modules of one participant: none of them is in the gradebook's sheet";
            all.push(Notable { who: who.join(", "), why: why.to_owned() });
        }
        all.extend(self.findings.alike.iter().filter_map(|alike| self.alike(alike)));
        for names in same_answers.everywhere() {
            let who: Vec<String> = names.iter().map(|name| self.shown(name)).collect();
            all.push(same_answers.notable(who.join(", ")));
        }
        all.extend(self.without_points());
        all.extend(self.late());
        let missing = self.marks.iter().filter(|(_, mark)| mark.worst == NO_SUBMISSION);
        all.extend(missing.map(|(name, _)| self.about(name, "no submission".to_owned())));
        all
    }

    fn refused(&self) -> impl Iterator<Item = Notable> {
        let is_owed = |name: &str| self.judge_errors.iter().any(|(owed, _)| owed == name);
        self.failed.iter().filter_map(move |(name, failed)| match failed {
            Failed::Refused(why) if !is_owed(name) => Some(self.about(name, why.clone())),
            _ => None,
        })
    }

    fn without_points(&self) -> impl Iterator<Item = Notable> {
        self.failed.iter().filter_map(|(name, failed)| match failed {
            // Already reported with the common reason.
            _ if self.findings.other_games.contains_key(name) => None,
            Failed::NoPoints(worst) => Some(self.about(name, format!("no points: {worst}"))),
            Failed::Refused(_) => None,
        })
    }

    /// Late submissions without points.
    fn late(&self) -> impl Iterator<Item = Notable> {
        let lost = |mark: &Mark| {
            let late = mark.late.as_ref().filter(|late| late.percent == 0)?;
            late.text().filter(|_| !late.earned.is_zero())
        };
        self.marks.iter().filter_map(move |(name, mark)| Some(self.about(name, lost(mark)?)))
    }

    fn passed_over(&self, one: &PassedOver) -> Notable {
        let file = printable(&one.file, 60);
        let why = match self.marks.get(&one.name).map(|mark| mark.report.is_some()) {
            Some(true) => format!("ignored `{file}` next to the graded module"),
            Some(false) => format!("`{file}` is {}", one.what),
            None => format!("matches no student on the list, and is {}", one.what),
        };
        match self.marks.contains_key(&one.name) {
            true => self.about(&one.name, why),
            false => Notable { who: one.file.clone(), why },
        }
    }

    fn of_nobody(&self, at: usize, name: &str) -> Notable {
        let absent = self.marks.iter().filter(|(_, mark)| mark.report.is_none());
        let names = absent.flat_map(|(key, mark)| [key.as_str(), &mark.student]);
        let clues = self.findings.clues(name);
        let near = || nearest_student(name, clues.first()?, names);
        let near = (at < MOST_COMPARED).then(near).flatten();
        let near = near.map(|near| format!("; did you mean `{}`?", printable(&near, 60)));
        self.about(name, format!("matches no student on the list{}", near.unwrap_or_default()))
    }

    /// The graded submissions of the same program.
    fn alike(&self, alike: &Alike) -> Option<Notable> {
        let graded = alike.names.iter().filter(|name| self.marks.contains_key(*name));
        let names: Vec<String> = graded.map(|name| self.shown(name)).collect();
        let why = match alike.to_the_byte {
            true => "the same module",
            false => "modules that differ only in custom sections, such as names",
        };
        (names.len() > 1).then(|| Notable { who: names.join(", "), why: why.to_owned() })
    }

    fn about(&self, name: &str, why: String) -> Notable {
        Notable { who: self.shown(name), why }
    }

    /// The student's name, and the submission's name if it differs.
    fn shown(&self, name: &str) -> String {
        let student = self.students.get(name).and_then(|student| student.name.as_deref());
        match student.filter(|student| *student != name) {
            Some(student) => format!("{student} ({name})"),
            None => name.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use judge_core::{Blame, BotIdentity, Explanation, Refused, digest};

    use super::*;

    #[test]
    fn an_unreadable_file_is_reported_with_the_reason() {
        let bot = BotIdentity { name: "ada".to_owned(), sha256: digest(&[]), author: None };
        let why = Explanation::without_hint("cannot read `in/ada.wasm`: permission denied");
        let (verdict, blame) = (Verdict::JudgeError, Blame::Judge);
        let refused = Refused { verdict, blame, why, shows: None };
        let report = BotReport::new(bot, Some(refused), 10.into(), Vec::new());
        let failed = Failed::from_report(&report).expect("it came to nothing");
        let summary = Summary {
            marks: &BTreeMap::new(),
            students: &BTreeMap::new(),
            findings: &Findings::default(),
            failed: &[("ada".to_owned(), failed)].into(),
            judge_errors: &[("ada".to_owned(), 1)],
            of_nobody: Vec::new(),
            games: String::new(),
        };
        let told = summary.look_at(&SameAnswers::default());
        assert_eq!(told.len(), 1);
        let expected = "not graded, no points yet: cannot read `in/ada.wasm`: permission denied";
        assert_eq!((told[0].who.as_str(), told[0].why.as_str()), ("ada", expected));
    }
}
