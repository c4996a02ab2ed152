//! Late submissions of a course: the lateness of each, from its time and the dates of the suite.
//! Reports and digests do not depend on it.

mod times;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use judge_arena::{Fact, Facts};
use judge_core::{Event, Lateness, Listener, Points, printable};
use judge_grading::{CourseFile, DueDate, LatePolicy, LateRules, SuiteDates};
use judge_report::LateMark;
use serde::{Deserialize, Serialize};

use super::results::students_of;
use crate::Error;
use crate::bots::roster::{RosterEntry, canvas, is_late};
use crate::bots::submitted::{Findings, NameList};
use times::{KnownTimes, times, times_in};

/// The file with the dates of a suite and its rules for late submissions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DatesFile {
    /// The file: `late.toml`, or a course file.
    pub path: PathBuf,
    /// The name of the suite in the course file; none for `late.toml`.
    pub suite: Option<String>,
}

impl DatesFile {
    /// The dates of a course with one suite.
    pub(super) fn of_one_suite(path: &Path) -> DatesFile {
        DatesFile { path: path.to_owned(), suite: None }
    }

    /// The files that the lateness of submissions depends on.
    pub(super) fn files(&self) -> Vec<PathBuf> {
        // Without a valid file, only its correction leads to another grading.
        let times = self.read().ok().and_then(|dates| dates.times);
        [self.path.clone()].into_iter().chain(times).collect()
    }

    /// Reads the dates.
    pub(super) fn read(&self) -> Result<SuiteDates, Error> {
        let Some(name) = &self.suite else { return Ok(SuiteDates::read(&self.path)?) };
        let suites = CourseFile::read(&self.path)?.suites;
        let suite = suites.into_iter().find(|suite| suite.name == *name);
        // The file may have changed since the run began.
        let missing = || Error::input(&self.path, &format!("no suite is called `{name}`"));
        Ok(suite.ok_or_else(missing)?.dates)
    }

    /// True if submissions to several suites can be late, which have one list of students. Its
    /// times could be those of any of the suites.
    pub(super) fn has_common_list(&self) -> Result<bool, Error> {
        if self.suite.is_none() {
            return Ok(false);
        }
        let suites = CourseFile::read(&self.path)?.suites;
        Ok(suites.iter().filter(|suite| suite.dates.in_force().is_some()).count() > 1)
    }
}

/// The dates of a suite, and the times of submissions from a separate list, in a course's journal.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct DatesNote {
    dates: SuiteDates,
    /// Times by submission, as they are in the list.
    times: BTreeMap<String, String>,
    /// Times by submission, where the rows of a group have different ones.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    group_times: BTreeMap<String, BTreeSet<String>>,
}

impl Fact for DatesNote {
    type About = ();

    fn name((): &()) -> String {
        "dates".to_owned()
    }
}

/// The lateness of a submission, before its points are known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LateRuling {
    what: String,
    percent: u32,
}

/// The lateness of all submissions, by name; empty for a suite without a due date or rules.
pub(crate) type LateRulings = BTreeMap<String, LateRuling>;

impl LateRuling {
    /// The mark for a submission that earned these points.
    pub(crate) fn mark(&self, earned: Points) -> LateMark {
        LateMark { what: self.what.clone(), percent: self.percent, earned }
    }

    fn on_time() -> LateRuling {
        LateRuling { what: String::new(), percent: Lateness::ON_TIME.percent }
    }

    fn new(rules: LateRules, due: DueDate, at: i64) -> LateRuling {
        let Lateness { days, percent } = rules.lateness_without_refusal(due.millis, at);
        let late = match days {
            0 => return LateRuling::on_time(),
            1 => "1 day late".to_owned(),
            days => format!("{days} days late"),
        };
        LateRuling { what: late + refused(rules), percent }
    }

    /// The ruling for a submission that the platform only calls late.
    fn without_time(rules: LateRules) -> LateRuling {
        LateRuling { what: format!("late{}", refused(rules)), percent: 0 }
    }
}

fn refused(rules: LateRules) -> &'static str {
    if rules.policy == LatePolicy::Refuse { ", not accepted" } else { "" }
}

/// The submissions of a course, with their students and times.
#[derive(Clone, Copy)]
pub(crate) struct Submitted<'a> {
    pub(crate) names: &'a [String],
    pub(crate) students: &'a BTreeMap<String, RosterEntry>,
    pub(crate) findings: &'a Findings,
}

impl DatesNote {
    /// Reads the dates of a suite, and the list of times if they name one.
    pub(super) fn read(
        file: &DatesFile,
        submitted: Submitted<'_>,
        mapping: &BTreeMap<String, String>,
        events: &mut dyn Listener,
    ) -> Result<DatesNote, Error> {
        let dates = file.read()?;
        let has_times = |student: &RosterEntry| !times_in(student).is_empty();
        if dates.in_force().is_some()
            && dates.times.is_none()
            && file.has_common_list()?
            && submitted.students.values().any(has_times)
        {
            let text = COMMON_TIMES.to_owned();
            events.event(&Event::Warning { text })?;
        }
        let path = dates.times.clone().filter(|_| dates.in_force().is_some());
        let times = path.map(|path| times(&path, submitted, mapping, events)).transpose()?;
        let mut note = DatesNote { dates, ..DatesNote::default() };
        for (name, mut texts) in times.unwrap_or_default() {
            if texts.len() > 1 {
                note.group_times.insert(name, texts);
            } else {
                note.times.extend(texts.pop_first().map(|text| (name, text)));
            }
        }
        Ok(note)
    }

    /// True if submissions can be late.
    pub(super) fn is_in_force(&self) -> bool {
        self.dates.in_force().is_some()
    }

    /// The note in a journal.
    pub(crate) fn noted(facts: &Facts) -> Result<Option<DatesNote>, Error> {
        Ok(facts.get(&())?)
    }

    /// The lateness of each submission. Warns about everything that is uncertain.
    pub(crate) fn rulings(
        &self,
        submitted: Submitted<'_>,
        events: &mut dyn Listener,
    ) -> Result<LateRulings, Error> {
        let Some((due, rules)) = self.dates.in_force() else { return Ok(LateRulings::new()) };
        let extensions = extended(&self.dates.extensions, submitted, events)?;
        let mut times = KnownTimes::new(self, submitted);
        let (mut rulings, mut unknown, mut open) = (BTreeMap::new(), 0, NameList::default());
        for name in submitted.names {
            let extended = extensions.get(name).copied();
            let due = extended.unwrap_or(due);
            let ruling = match times.time(name, due)? {
                Some(at) => LateRuling::new(rules, due, at),
                None if !is_late(name) => {
                    // Canvas marks all submissions that are late.
                    unknown += usize::from(canvas(name).is_none());
                    LateRuling::on_time()
                }
                None => {
                    // The platform knows neither extensions nor the grace period.
                    let is_enough = extended.is_none() && rules.grace_minutes == 0;
                    if !is_enough || rules.policy == LatePolicy::PerDay {
                        open.push(Path::new(name));
                    }
                    LateRuling::without_time(rules)
                }
            };
            rulings.insert(name.clone(), ruling);
        }
        if !open.is_empty() {
            return Err(times_needed(&open));
        }
        for text in times.warnings() {
            events.event(&Event::Warning { text })?;
        }
        if let Some(text) = unknown_text(unknown, rulings.len()) {
            events.event(&Event::Note { text })?;
        }
        Ok(rulings)
    }
}

/// The rulings for all submissions of a course, from the facts in its journal.
pub(crate) fn rulings_of(
    facts: &Facts,
    submitted: Submitted<'_>,
    events: &mut dyn Listener,
) -> Result<LateRulings, Error> {
    DatesNote::noted(facts)?.unwrap_or_default().rulings(submitted, events)
}

/// The warning about times in a list for several suites with due dates.
pub(super) const COMMON_TIMES: &str = "the times of submissions in the list of students are ignored, because several suites \
     have due dates; name a list with the times of this suite with `times = \"FILE\"` next to its `due`";

/// Removes the times from a list of students, and returns true if it had any.
pub(super) fn remove_times(students: &mut BTreeMap<String, RosterEntry>) -> bool {
    let mut had_times = false;
    for student in students.values_mut() {
        had_times |= student.submitted.take().is_some();
        had_times |= remove_times(&mut student.members);
    }
    had_times
}

/// Further text of the note on submissions without a known time.
const HOW_TO_GIVE_TIMES: &str = "times are read from Gradescope's export, and from a list with a column of times: Moodle's \
     grading worksheet, GitHub Classroom's grades, or a CSV file with the columns `submission` and \
     `submitted`; name it with `--students`, or with `times = \"FILE\"` next to `due`";

fn unknown_text(unknown: usize, all: usize) -> Option<String> {
    let submissions = match (unknown, all) {
        (0, _) => return None,
        (1, 1) => "the submission has no known time and counts as on time".to_owned(),
        (1, _) => "1 submission has no known time and counts as on time".to_owned(),
        (some, all) if some == all => {
            "no submission has a known time, and all count as on time".to_owned()
        }
        (some, _) => format!("{some} submissions have no known time and count as on time"),
    };
    Some(format!("{submissions}; {HOW_TO_GIVE_TIMES}"))
}

fn times_needed(open: &NameList) -> Error {
    let what = format!(
        "Canvas marks these submissions as late, but does not say by how much: {open}; that is needed for \
         `per_day`, for a grace period (`grace_minutes`), and for students with an extension"
    );
    let hint = "write the times into a CSV file with the columns `submission` and `submitted` \
                (`2026-11-23 23:59 +01:00`), and name it with `times = \"FILE\"` next to `due`";
    Error::Input { what, hint: Some(hint.to_owned()) }
}

/// The later due dates of submissions. For a submission of several students, the latest counts.
fn extended(
    extensions: &BTreeMap<String, DueDate>,
    submitted: Submitted<'_>,
    events: &mut dyn Listener,
) -> Result<BTreeMap<String, DueDate>, Error> {
    let Submitted { names, students, findings } = submitted;
    let keys: BTreeSet<&String> = names.iter().chain(students.keys()).collect();
    let (mut found, mut absent) = (BTreeMap::new(), NameList::default());
    for (who, due) in extensions {
        let (mut owners, mut is_group) = (BTreeSet::new(), names.contains(who));
        for name in &keys {
            for (key, student) in students_of(students, findings, name) {
                is_group |= student.group.as_deref() == Some(who);
                if key == *who || *name == who || is_called(&student, who) {
                    owners.insert(key);
                    let extended = found.entry((*name).clone()).or_insert(*due);
                    *extended = (*extended).max(*due);
                }
            }
        }
        match owners.len() {
            0 => absent.push(Path::new(who)),
            number @ 2.. if !is_group => return Err(ambiguous(who, number)),
            _ => {}
        }
    }
    if !absent.is_empty() {
        let text = format!("extensions without a student or submission: {absent}");
        events.event(&Event::Warning { text })?;
    }
    Ok(found)
}

/// True if a student or the student's group has that name, id, login or address.
fn is_called(student: &RosterEntry, who: &str) -> bool {
    let RosterEntry { name, id, login, address, group, .. } = student;
    let exact = [name, id, login, group].into_iter().flatten().any(|text| text == who);
    exact || address.as_ref().is_some_and(|address| address.eq_ignore_ascii_case(who))
}

fn ambiguous(who: &str, number: usize) -> Error {
    let what = format!("the extension of `{}` could be for {number} students", printable(who, 60));
    let hint = "name the student by id, address or submission";
    Error::Input { what, hint: Some(hint.to_owned()) }
}
