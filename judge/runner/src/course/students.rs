//! The list of students of a course.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use judge_core::{Event, Listener, printable};

use crate::Error;
use crate::base::list_file::{ListFile, ListRow};
use crate::bots::roster::{RosterEntry, nearest};
use crate::bots::submitted::NameList;

/// Reads a list of students: CSV with the column `submission`, and optionally `student`, `id`,
/// `address` and `group`. Other columns are ignored, with a warning if one looks misspelt. A
/// malformed line is an error, and so is an empty list.
pub(super) fn read(
    path: &Path,
    events: &mut dyn Listener,
) -> Result<BTreeMap<String, RosterEntry>, Error> {
    let list = ListFile::parse(&Error::read(path)?);
    let list = list.map_err(|error| Error::input(path, &error))?;
    let columns = Columns::from_list(&list).ok_or_else(|| no_column(path, &list.header))?;
    if list.rows.is_empty() {
        let what = format!("`{}` lists no students: it has only a first line", path.display());
        let hint = "add a line for each student, or leave out the list";
        return Err(Error::Input { what, hint: Some(hint.to_owned()) });
    }
    let rows = list.rows.iter().map(|row| (row.line, columns.read(row)));
    let rows = sharing_submissions(rows.collect());
    let remarks = list.remark.iter().cloned().chain(misspelt(&list.header));
    for text in remarks.chain(rows.iter().filter_map(|(line, row)| shortened(*line, row))) {
        let text = format!("`{}`: {text}", path.display());
        events.event(&Event::Warning { text })?;
    }
    let wrong = |line, what| Error::input(path, &format!("line {line}: {what}"));
    let homonyms = homonyms(rows.iter().map(|(_, row)| row));
    let (mut students, mut lines) = (BTreeMap::new(), Lines::default());
    for (line, row) in rows {
        let key = row.key(&homonyms).map_err(|what| wrong(line, what))?;
        lines.check(line, &key, &row.student).map_err(|what| wrong(line, what))?;
        students.insert(key, row.student);
    }
    Ok(students)
}

/// A row of the list.
struct StudentEntry {
    /// The submission's name, if the row has one.
    submission: Option<String>,
    student: RosterEntry,
}

/// Keeps a group's submission only in the first row; the other members share it.
fn sharing_submissions(mut rows: Vec<(u64, StudentEntry)>) -> Vec<(u64, StudentEntry)> {
    let mut seen: BTreeSet<(String, String)> = BTreeSet::new();
    for (_, row) in &mut rows {
        let group = row.student.group.clone();
        let submission = row.submission.as_deref().map(|name| without_ending(name).to_owned());
        let Some(both) = group.zip(submission) else { continue };
        if !seen.insert(both) {
            row.submission = None;
        }
    }
    rows
}

/// A remark on a number that a spreadsheet has rounded, such as `1.2346E+11`.
fn shortened(line: u64, row: &StudentEntry) -> Option<String> {
    let id = row.student.id.as_ref()?;
    let (figures, power) = id.split_once(['E', 'e'])?;
    let are_figures = |text: &str| {
        !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit() || b".,".contains(&byte))
    };
    (are_figures(figures) && power.starts_with('+') && are_figures(&power[1..])).then(|| {
        format!(
            "line {line}: a spreadsheet has rounded the id `{}`: format the column as text, and \
             enter it again",
            printable(id, 60)
        )
    })
}

/// Names of several students in rows without a submission.
fn homonyms<'a>(rows: impl Iterator<Item = &'a StudentEntry>) -> BTreeSet<String> {
    let (mut once, mut more) = (BTreeSet::new(), BTreeSet::new());
    for name in
        rows.filter(|row| row.submission.is_none()).filter_map(|row| row.student.name.as_ref())
    {
        if !once.insert(name) {
            more.insert(name.clone());
        }
    }
    more
}

impl StudentEntry {
    /// The key of the student: the submission's name, or for a row without one the student's name,
    /// number or address.
    fn key(&self, homonyms: &BTreeSet<String>) -> Result<String, String> {
        let StudentEntry { submission, student } = self;
        let name = student.name.clone().filter(|name| !homonyms.contains(name));
        let other = || student.id.clone().or_else(|| student.address.clone());
        match submission.clone().or(name).or_else(other) {
            Some(key) => Ok(without_ending(&key).to_owned()),
            None => Err(match &student.name {
                Some(name) => format!(
                    "several students are called `{name}`: a submission, an id or an address is \
                     needed to distinguish them"
                ),
                None => "no submission, no student and no id".to_owned(),
            }),
        }
    }
}

/// The names of the columns. The names in each line are synonyms.
const COLUMNS: [&[&str]; 4] =
    [&["submission"], &["student"], &["id"], &["address", "email", "e-mail", "email address"]];

/// The column with groups that submit together.
const GROUP: &[&str] = &["group"];

fn no_column(path: &Path, header: &[String]) -> Error {
    let path = path.display();
    let separator = match header {
        [only] => [';', '|'].into_iter().find(|c| only.contains(*c)),
        _ => None,
    };
    let expected = "the columns `submission` and optionally `student`, `id`, `address` and `group`";
    let (what, hint) = match separator {
        Some(separator) => (
            format!("`{path}`: the fields are separated by `{}`", separator.escape_default()),
            format!("expected commas, as in `submission,student,id,address`, and {expected}"),
        ),
        None => {
            let mut found = NameList::default();
            header.iter().for_each(|name| found.push(Path::new(name)));
            let found = if found.is_empty() { "nothing".to_owned() } else { found.to_string() };
            let near = header.iter().find(|name| nearest(name, ["submission"]).is_some());
            let near = near.map(|name| format!("; is `{}` misspelt?", printable(name, 60)));
            let near = near.unwrap_or_default();
            (
                format!("`{path}`: no column `submission`; the first line has {found}{near}"),
                format!(
                    "expected {expected}; a submission has the name of its file, without `.wasm`"
                ),
            )
        }
    };
    Error::Input { what, hint: Some(hint) }
}

/// A remark on each ignored column with a name similar to a missing one.
fn misspelt(header: &[String]) -> Vec<String> {
    let is_one = |title: &str, names: &[&str]| names.iter().any(|n| title.eq_ignore_ascii_case(n));
    let is_there = |names: &&[&str]| header.iter().any(|title| is_one(title, names));
    let missing = COLUMNS.iter().copied().filter(|names| !is_there(names));
    let missing: Vec<&str> = missing.flatten().copied().collect();
    let known = |title: &str| COLUMNS.iter().chain([&GROUP]).any(|names| is_one(title, names));
    let ignored = header.iter().filter(|title| !known(title));
    let told = ignored.filter_map(|title| {
        let near = nearest(title, missing.iter().copied())?;
        let title = printable(title, 60);
        Some(format!("the column `{title}` is ignored; did you mean `{near}`?"))
    });
    told.collect()
}

/// The positions of the columns.
struct Columns {
    submission: usize,
    name: Option<usize>,
    id: Option<usize>,
    address: Option<usize>,
    group: Option<usize>,
}

impl Columns {
    fn from_list(list: &ListFile) -> Option<Columns> {
        let [submission, name, id, address] = COLUMNS.map(|names| list.column(names));
        let group = list.column(GROUP);
        Some(Columns { submission: submission?, name, id, address, group })
    }

    fn read(&self, row: &ListRow) -> StudentEntry {
        let student = RosterEntry {
            name: row.field(self.name),
            id: row.field(self.id),
            address: row.field(self.address),
            group: row.field(self.group),
            ..RosterEntry::default()
        };
        StudentEntry { submission: row.field(Some(self.submission)), student }
    }
}

/// The line of each name, number and address, which must be unique.
#[derive(Default)]
struct Lines(BTreeMap<(&'static str, String), u64>);

impl Lines {
    fn check(&mut self, line: u64, key: &str, student: &RosterEntry) -> Result<(), String> {
        let told = [
            ("submission", Some(key.to_owned())),
            ("id", student.id.clone()),
            ("address", student.address.as_ref().map(|text| text.to_lowercase())),
        ];
        for (what, text) in told {
            let Some(text) = text else { continue };
            if let Some(before) = self.0.insert((what, text.clone()), line) {
                return Err(format!("the {what} `{text}` is already in line {before}"));
            }
        }
        Ok(())
    }
}

/// Removes the extension of a submission's file, even `.WASM`.
pub(super) fn without_ending(file: &str) -> &str {
    let at = file.len().saturating_sub(".wasm".len());
    match (file.get(..at), file.get(at..)) {
        (Some(name), Some(ending)) if at > 0 && ending.eq_ignore_ascii_case(".wasm") => name,
        _ => file,
    }
}

#[cfg(test)]
mod tests {
    use judge_core::IgnoreEvents;

    use super::*;

    #[test]
    fn lists_of_students_say_who_and_complain_by_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("students.csv");
        let read = |text: &str| {
            std::fs::write(&path, text).unwrap();
            super::read(&path, &mut IgnoreEvents).map_err(|failure| failure.to_string())
        };
        let list = read("Submission, group,student,id\na1.wasm,x,\"Ada, L.\",7\nb2,,,\n").unwrap();
        let ada = RosterEntry {
            name: Some("Ada, L.".to_owned()),
            id: Some("7".to_owned()),
            group: Some("x".to_owned()),
            ..RosterEntry::default()
        };
        assert_eq!(list["a1"], ada);
        assert_eq!(list["b2"], RosterEntry::default());
        let absent = read("\u{feff}submission,student,id,Email\n,Nobody,3,n@x\n").unwrap();
        assert_eq!(absent["Nobody"].id.as_deref(), Some("3"));
        assert_eq!(absent["Nobody"].address.as_deref(), Some("n@x"));
        let homonyms = read("submission,student,id\n,Ann,4\n,Ann,5\n,Bob,6\n").unwrap();
        assert_eq!(homonyms.keys().collect::<Vec<_>>(), ["4", "5", "Bob"]);
        for (text, wrong) in [
            ("submission,student\n,Ann\n,Ann\n", "line 2: several students are called `Ann`"),
            ("submission,student\na,\"open,1\nb,B\n", "line 2: a field continues"),
            ("name\nx\n", "no column `submission`"),
            ("name,id\nx,1\n", "no column `submission`; the first line has `name`, `id`"),
            ("submision,id\nx,1\n", "has `submision`, `id`; is `submision` misspelt?"),
            ("submission;student\nx;y\n", "the fields are separated by `;`"),
            ("submission,student\n", "students.csv` lists no students"),
            ("", "no column `submission`"),
            ("submission\nx\nx\n", "line 3: the submission `x` is already in line 2"),
            ("submission,id\nx,7\ny,8\nz,7\n", "line 4: the id `7` is already in line 2"),
            ("submission,address\nx,a@b\ny,A@b\n", "line 3: the address `a@b` is already"),
            (
                "submission,student\na,A\nb,King, Ada\n",
                "line 3: expected 2 fields as in the first line, found 3",
            ),
            ("submission,student\na\n", "line 2: expected 2 fields as in the first line, found 1"),
            ("submission,group\n,x\n", "line 2: no submission, no student"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(wrong), "{error}");
        }
        let header =
            |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        assert_eq!(
            misspelt(&header(&["submission", "group", "Sudent", "adress", "points", "grade"])),
            [
                "the column `Sudent` is ignored; did you mean `student`?",
                "the column `adress` is ignored; did you mean `address`?"
            ]
        );
        assert!(
            misspelt(&header(&["submission", "mails", "Email", "students", "student"])).is_empty()
        );
        let tabs = read("submission\tid\nx\t0012\n").unwrap();
        assert_eq!(tabs["x"].id.as_deref(), Some("0012"));
        let loud = read("submission\nADA.WASM\nä.Wasm\n.wasm\nwasm\n").unwrap();
        assert_eq!(loud.keys().collect::<Vec<_>>(), [".wasm", "ADA", "wasm", "ä"]);
    }

    #[test]
    fn a_submission_in_two_lines_is_one_groups_or_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("students.csv");
        let read = |text: &str| {
            std::fs::write(&path, text).unwrap();
            let mut told = Vec::new();
            let mut events = |event: &Event| {
                if let Event::Warning { text } = event {
                    told.push(text.clone());
                }
                Ok(())
            };
            let list = super::read(&path, &mut events).map_err(|failure| failure.to_string());
            (list, told)
        };
        let (list, told) = read("submission,student,group\nx,Ada,g\nx,Bob,g\nx.wasm,Cy,g\n");
        let list = list.unwrap();
        assert_eq!(list.keys().collect::<Vec<_>>(), ["Bob", "Cy", "x"]);
        assert!(list.values().all(|one| one.group.as_deref() == Some("g")) && told.is_empty());
        let (other, _) = read("submission,student,group\r\nx,Ada,g\r\n\r\nx,Bob,h\r\n");
        assert!(other.unwrap_err().contains("line 4: the submission `x` is already in line 2"));
        let (_, told) = read("submission,id\nx,1.2346E+11\ny,E+7\nz,12E3\n");
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(
            told[0].contains("line 2: a spreadsheet has rounded the id `1.2346E+11`"),
            "{told:?}"
        );
    }
}
