//! The times of submissions: from lists, and from the platforms' exports.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use judge_core::{Event, Listener, printable};
use judge_grading::{DueDate, NotAMoment};

use super::{DatesNote, Submitted};
use crate::Error;
use crate::bots::roster::{Roster, RosterEntry};
use crate::bots::student_list::StudentList;
use crate::bots::submitted::NameList;
use crate::course::survey;

/// Reads the times of submissions from a list.
pub(super) fn times(
    path: &Path,
    submitted: Submitted<'_>,
    mapping: &BTreeMap<String, String>,
    events: &mut dyn Listener,
) -> Result<BTreeMap<String, BTreeSet<String>>, Error> {
    let list = StudentList::read(path)?;
    if !list.has_times() {
        let what = format!("`{}` has no column with the times of submissions", path.display());
        let hint = "a column `submitted` has dates such as `2026-11-23 23:59 +01:00`";
        return Err(Error::Input { what, hint: Some(hint.to_owned()) });
    }
    let roster = Roster::new(list.into_students(events)?).with_mapping(mapping.clone());
    let mut quiet = judge_core::IgnoreEvents;
    let roster = survey::matched(roster, submitted.names, submitted.findings, &mut quiet)?;
    if roster.matched() == 0 {
        let text = format!("`{}`: no line matches a submission", path.display());
        events.event(&Event::Warning { text })?;
    }
    let names: BTreeSet<&String> = submitted.names.iter().collect();
    let students = roster.students().into_iter().filter(|(name, _)| names.contains(name));
    Ok(students.map(|(name, entry)| (name, times_in(&entry))).collect())
}

/// The times of a submission in the rows of its students.
pub(super) fn times_in(entry: &RosterEntry) -> BTreeSet<String> {
    let members = entry.members.values().filter_map(|member| member.submitted.clone());
    entry.submitted.iter().cloned().chain(members).collect()
}

/// The times of submissions, and everything about them that is uncertain.
pub(super) struct KnownTimes<'a> {
    note: &'a DatesNote,
    submitted: Submitted<'a>,
    /// Submissions with texts that are not understood.
    unclear: Vec<[String; 2]>,
    /// The submissions among them with another time.
    replaced: NameList,
    /// Submissions whose students have different times in a list.
    different: NameList,
}

impl KnownTimes<'_> {
    pub(super) fn new<'a>(note: &'a DatesNote, submitted: Submitted<'a>) -> KnownTimes<'a> {
        let [replaced, different] = [NameList::default(), NameList::default()];
        KnownTimes { note, submitted, unclear: Vec::new(), replaced, different }
    }

    /// The time of a submission in milliseconds; none if it is unknown. Of different times in a
    /// list, the latest counts. Local times are compared with the date that the submission is due:
    /// clocks may change before an extension ends.
    pub(super) fn time(&mut self, name: &str, due: DueDate) -> Result<Option<i64>, Error> {
        let unclear = self.unclear.len();
        for texts in self.sources(name) {
            let mut times = BTreeSet::new();
            for text in texts {
                times.extend(self.moment(name, &text, due)?);
            }
            if times.len() > 1 {
                self.different.push(Path::new(name));
            }
            if let Some(latest) = times.pop_last() {
                if self.unclear.len() > unclear {
                    self.replaced.push(Path::new(name));
                }
                return Ok(Some(latest));
            }
        }
        Ok(None)
    }

    /// The texts with the time of a submission: in the separate list, in the list of students, and
    /// in the platform's export. The first source with a time counts.
    fn sources(&self, name: &str) -> [BTreeSet<String>; 3] {
        let DatesNote { times, group_times, .. } = self.note;
        let separate =
            times.get(name).into_iter().chain(group_times.get(name).into_iter().flatten());
        let listed = self.submitted.students.get(name).map(times_in);
        let platform = self.submitted.findings.submitted.get(name);
        [
            separate.cloned().collect(),
            listed.unwrap_or_default(),
            platform.into_iter().cloned().collect(),
        ]
    }

    /// Reads a time; none if the text is not understood.
    fn moment(&mut self, name: &str, text: &str, due: DueDate) -> Result<Option<i64>, Error> {
        match due.submitted(text) {
            Ok(at) => Ok(Some(at)),
            Err(NotAMoment::Other(_)) => {
                self.unclear.push([name, text].map(|text| printable(text, 60)));
                Ok(None)
            }
            Err(error) => {
                let what = format!("the time of the submission `{}`: {error}", printable(name, 60));
                Err(Error::Input { what, hint: Some(NotAMoment::HINT.to_owned()) })
            }
        }
    }

    /// Describes everything that is uncertain.
    pub(super) fn warnings(&self) -> Vec<String> {
        let different = (!self.different.is_empty()).then(|| {
            format!(
                "the students of a submission have different times in the list, and the latest \
                 counts: {}",
                self.different
            )
        });
        self.unclear_text().into_iter().chain(different).collect()
    }

    fn unclear_text(&self) -> Option<String> {
        let [name, text] = self.unclear.first()?;
        let number = self.unclear.len();
        let times = if number == 1 { "time is" } else { "times are" };
        let replaced = match self.replaced.is_empty() {
            true => String::new(),
            false => format!("; another time counts instead for {}", self.replaced),
        };
        Some(format!(
            "{number} {times} not understood, such as `{text}` of `{name}`: export the list in \
             English, or write the times as `2026-11-23 23:59 +01:00`{replaced}"
        ))
    }
}
