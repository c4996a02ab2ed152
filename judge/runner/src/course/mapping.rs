//! The mapping: the instructor's file with the ids of submissions, for homonyms and for names
//! without information.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use judge_core::{Event, Listener, printable};
use serde::{Deserialize, Serialize};

use super::submissions::FoundSubmissions;
use crate::Error;
use crate::base::list_file::ListFile;
use crate::base::nearest::nearest;
use crate::bots::roster::{RosterEntry, same_without_zeros};
use crate::bots::student_list::without_ending;
use crate::bots::submitted::{Findings, NameList};

/// The file of a mapping, and the suite of the lines that count.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mapping {
    /// A CSV file with the columns `download` and `id`, and optionally `suite`.
    pub path: PathBuf,
    /// The name of the suite in its course, and the names of all suites. Lines of other suites are
    /// ignored. None for a single suite, where all lines count.
    pub suite: Option<(String, Vec<String>)>,
}

/// A line of the mapping.
struct MappingLine {
    line: u64,
    download: String,
    id: String,
    suite: Option<String>,
}

impl Mapping {
    /// Reads the ids, by the names of the submissions.
    pub(super) fn read(
        &self,
        list: &BTreeMap<String, RosterEntry>,
        findings: &Findings,
        found: &FoundSubmissions,
        events: &mut dyn Listener,
    ) -> Result<BTreeMap<String, String>, Error> {
        let wrong =
            |line: u64, what: String| Error::input(&self.path, &format!("line {line}: {what}"));
        let (lines, remark) = self.lines()?;
        let mut ids: BTreeMap<String, (u64, String)> = BTreeMap::new();
        let mut absent = NameList::default();
        let submissions = found.submissions.iter().map(|one| &one.name);
        let others = findings.passed_over.iter().map(|one| &one.name);
        let known: Vec<&String> = submissions.chain(others).collect();
        for MappingLine { line, download, id, suite } in lines {
            self.check_suite(suite.as_deref()).map_err(|what| wrong(line, what))?;
            check_id(list, &id).map_err(|what| wrong(line, what))?;
            let is_of_other = self.suite.as_ref().zip(suite.as_ref());
            if is_of_other.is_some_and(|((own, _), suite)| own != suite) {
                continue;
            }
            // A line without a suite may be about another suite.
            if !known.contains(&&download) && (suite.is_some() || self.suite.is_none()) {
                absent.push(Path::new(&download));
            }
            if let Some((before, _)) = ids.insert(download.clone(), (line, id)) {
                let download = printable(&download, 60);
                return Err(wrong(line, format!("`{download}` is already in line {before}")));
            }
        }
        let absent = (!absent.is_empty()).then(|| format!("not among the submissions: {absent}"));
        for text in remark.into_iter().chain(absent) {
            let text = format!("`{}`: {text}", self.path.display());
            events.event(&Event::Warning { text })?;
        }
        Ok(ids.into_iter().map(|(download, (_, id))| (download, id)).collect())
    }

    fn lines(&self) -> Result<(Vec<MappingLine>, Option<String>), Error> {
        let file = ListFile::parse(&Error::read(&self.path)?);
        let file = file.map_err(|error| Error::input(&self.path, &error))?;
        let [download, id, suite] = ["download", "id", "suite"].map(|name| file.column(&[name]));
        if download.is_none() || id.is_none() {
            let what = "expected the columns `download` and `id`, and optionally `suite`";
            return Err(Error::input(&self.path, &what));
        }
        let line = |row: &crate::base::list_file::ListRow| {
            let both = row.field(download).zip(row.field(id));
            let (download, id) = both.ok_or_else(|| {
                let what = format!("line {}: `download` and `id` are needed", row.line);
                Error::input(&self.path, &what)
            })?;
            let download = without_ending(&download).to_owned();
            Ok(MappingLine { line: row.line, download, id, suite: row.field(suite) })
        };
        let lines = file.rows.iter().map(line).collect::<Result<_, Error>>()?;
        Ok((lines, file.remark))
    }

    fn check_suite(&self, suite: Option<&str>) -> Result<(), String> {
        let (Some((_, all)), Some(suite)) = (&self.suite, suite) else { return Ok(()) };
        match all.iter().any(|name| name == suite) {
            true => Ok(()),
            false => Err(format!(
                "no suite `{}` in the course: it has {}",
                printable(suite, 60),
                all.join(", ")
            )),
        }
    }

    /// The error for a mapping without a list of students.
    pub(super) fn without_list(&self) -> Error {
        let what = format!(
            "`{}` maps submissions to ids, but there is no list of students",
            self.path.display()
        );
        Error::usage(what, "name the list of students: `--students FILE.csv`")
    }
}

/// Refuses an id that is not on the list, and suggests a similar one.
fn check_id(list: &BTreeMap<String, RosterEntry>, id: &str) -> Result<(), String> {
    let ids = || list.values().filter_map(|student| student.id.as_deref());
    if ids().any(|known| known == id) {
        return Ok(());
    }
    let near = ids().find(|known| same_without_zeros(known, id)).or_else(|| nearest(id, ids()));
    let near = near.map(|near| format!("; did you mean `{}`?", printable(near, 60)));
    Err(format!(
        "the id `{}` is not on the list of students{}",
        printable(id, 60),
        near.unwrap_or_default()
    ))
}
