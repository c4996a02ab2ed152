//! Rows of a list as students, and rows that are not students: staff, and lines that a gradebook
//! has for itself.

use std::collections::{BTreeMap, BTreeSet};

use judge_core::printable;
use judge_grading::{DueDate, NotAMoment};

use super::columns::ListColumns;
use super::platform::{ListOrigin, is_points_possible};
use super::titles::{StudentField, bare};
use crate::base::list_file::ListRow;
use crate::bots::roster::RosterEntry;

/// Roles that are not students', in small letters without spaces and signs.
const STAFF: [&str; 17] = [
    "instructor",
    "teacher",
    "editingteacher",
    "noneditingteacher",
    "ta",
    "hta",
    "headta",
    "teachingassistant",
    "tutor",
    "reader",
    "grader",
    "designer",
    "manager",
    "owner",
    "admin",
    "dozent",
    "trainerin",
];

/// A row of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct StudentRow {
    pub(super) line: u64,
    /// The submission's name, if the row has one.
    pub(super) submission: Option<String>,
    pub(super) student: RosterEntry,
}

/// Reads the student of a row.
pub(super) fn student(row: &ListRow, columns: &ListColumns) -> StudentRow {
    let field = |field| columns.field(row, field);
    let (id, login) = (field(StudentField::Id), field(StudentField::Login));
    let login = login.filter(|login| id.as_ref() != Some(login));
    let student = RosterEntry {
        name: name(row, columns),
        // A login is an id where there is none.
        login: login.clone().filter(|_| id.is_some()),
        id: id.or(login),
        address: field(StudentField::Address),
        group: field(StudentField::Group),
        identifier: field(StudentField::Identifier),
        submitted: field(StudentField::Submitted).filter(|time| time != "-"),
        ..RosterEntry::default()
    };
    StudentRow { line: row.line, submission: field(StudentField::Submission), student }
}

/// Adds the offset to a time of GitHub Classroom's grades, which are in UTC.
pub(super) fn in_utc(row: &mut StudentRow) {
    if let Some(time) = &mut row.student.submitted
        && time.parse::<DueDate>().is_err_and(|error| matches!(error, NotAMoment::NoOffset(_)))
    {
        time.push_str(" UTC");
    }
}

/// The full name, from one column or two.
fn name(row: &ListRow, columns: &ListColumns) -> Option<String> {
    if let Some(name) = columns.field(row, StudentField::Name) {
        return Some(name);
    }
    if let Some(name) = columns.field(row, StudentField::FamilyFirst) {
        return Some(given_first(name));
    }
    let [given, family] =
        [StudentField::Given, StudentField::Family].map(|field| columns.field(row, field));
    match (given, family) {
        // A column `name` may have the full name, although there is one for the given name.
        (Some(given), Some(family)) if is_within(&given, &family) => Some(family),
        (given, family) => {
            let parts: Vec<String> = given.into_iter().chain(family).collect();
            Some(parts.join(" ")).filter(|name| !name.is_empty())
        }
    }
}

/// `Ada King` for `King, Ada`.
fn given_first(name: String) -> String {
    match name.split_once(',') {
        Some((family, given)) if !given.contains(',') => {
            format!("{} {}", given.trim(), family.trim()).trim().to_owned()
        }
        _ => name,
    }
}

fn is_within(given: &str, name: &str) -> bool {
    let name: Vec<&str> = name.split_whitespace().collect();
    name.len() > 1 && given.split_whitespace().all(|word| name.contains(&word))
}

/// The reason why a row is not a student; none for students.
pub(super) fn not_a_student(
    row: &ListRow,
    columns: &ListColumns,
    origin: ListOrigin,
) -> Option<String> {
    if let Some(role) = columns.field(row, StudentField::Role).filter(|role| is_staff(role)) {
        return Some(format!("the role is `{}`", printable(&role, 60)));
    }
    if origin != ListOrigin::Canvas {
        return None;
    }
    let [name, id, identifier] =
        [StudentField::FamilyFirst, StudentField::Id, StudentField::Identifier]
            .map(|field| columns.field(row, field));
    let is_test = |name: &str| ["studenttest", "teststudent"].contains(&&*bare(name));
    let text = match &name {
        Some(name) if is_test(name) && id.is_none() => "Canvas's test student",
        Some(_) if is_points_possible(name.clone()) => "Canvas's points of the assignments",
        None if identifier.is_none() => "Canvas's settings of the assignments",
        _ => return None,
    };
    Some(text.to_owned())
}

/// True if all of a person's roles are staff's.
fn is_staff(roles: &str) -> bool {
    let mut roles = roles.split([',', ';']).map(bare).filter(|role| !role.is_empty());
    roles.all(|role| STAFF.contains(&role.as_str()))
}

/// Keeps a group's submission only in the first row; the other members share it.
pub(super) fn share_submissions(rows: &mut [StudentRow]) {
    let mut seen: BTreeSet<(String, String)> = BTreeSet::new();
    for row in rows {
        let group = row.student.group.clone();
        let submission = row.submission.as_deref().map(|name| without_ending(name).to_owned());
        let Some(both) = group.zip(submission) else { continue };
        if !seen.insert(both) {
            row.submission = None;
        }
    }
}

/// Names of several students in rows without a submission.
pub(super) fn homonyms(rows: &[StudentRow]) -> BTreeSet<String> {
    let (mut once, mut more) = (BTreeSet::new(), BTreeSet::new());
    let open = rows.iter().filter(|row| row.submission.is_none());
    for name in open.filter_map(|row| row.student.name.as_ref()) {
        if !once.insert(name) {
            more.insert(name.clone());
        }
    }
    more
}

impl StudentRow {
    /// The key of the student: the submission's name, or for a row without one the student's name,
    /// number, address or identifier.
    pub(super) fn key(&self, homonyms: &BTreeSet<String>) -> Result<String, String> {
        let StudentRow { submission, student, .. } = self;
        let name = student.name.clone().filter(|name| !homonyms.contains(name));
        let other = || student.id.clone().or_else(|| student.address.clone());
        let other = || other().or_else(|| student.identifier.clone());
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

    /// The student, in blind marking with the identifier as the name.
    pub(super) fn shown(self) -> RosterEntry {
        let RosterEntry { name, identifier, .. } = &self.student;
        let is_word = |text: &&String| text.contains(char::is_alphabetic);
        let name = name.as_ref().or_else(|| identifier.as_ref().filter(is_word)).cloned();
        RosterEntry { name, ..self.student }
    }

    /// A remark on a number that a spreadsheet has rounded, such as `1.2346E+11`.
    pub(super) fn rounded(&self) -> Option<String> {
        let id = self.student.id.as_ref()?;
        let (figures, power) = id.split_once(['E', 'e'])?;
        let is_figure = |byte: u8| byte.is_ascii_digit() || b".,".contains(&byte);
        let are_figures = |text: &str| !text.is_empty() && text.bytes().all(is_figure);
        (are_figures(figures) && power.starts_with('+') && are_figures(&power[1..])).then(|| {
            format!(
                "line {}: a spreadsheet has rounded the id `{}`: format the column as text, and \
                 enter it again",
                self.line,
                printable(id, 60)
            )
        })
    }
}

/// The line of each key, number and address, which must be unique.
#[derive(Default)]
pub(super) struct UniqueLines(BTreeMap<(&'static str, String), u64>);

impl UniqueLines {
    pub(super) fn check(&mut self, row: &StudentRow, key: &str) -> Result<(), String> {
        let StudentRow { line, student, .. } = row;
        let told = [
            ("submission", Some(key.to_owned())),
            ("id", student.id.clone()),
            ("login", student.login.as_ref().map(|text| text.to_lowercase())),
            ("address", student.address.as_ref().map(|text| text.to_lowercase())),
            ("identifier", student.identifier.clone()),
        ];
        for (what, text) in told {
            let Some(text) = text else { continue };
            if let Some(before) = self.0.insert((what, text.clone()), *line) {
                return Err(format!("the {what} `{text}` is already in line {before}"));
            }
        }
        Ok(())
    }
}

/// Removes the extension of a submission's file, even `.WASM`.
pub(crate) fn without_ending(file: &str) -> &str {
    let at = file.len().saturating_sub(".wasm".len());
    match (file.get(..at), file.get(at..)) {
        (Some(name), Some(ending)) if at > 0 && ending.eq_ignore_ascii_case(".wasm") => name,
        _ => file,
    }
}
