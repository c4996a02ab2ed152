//! Lists of students as learning platforms and spreadsheets write them: recognized by their titles,
//! and mapped to one form.

mod columns;
mod describe;
mod platform;
mod rows;
mod titles;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use judge_core::{Event, Listener};

use crate::Error;
use crate::base::list_file::ListFile;
use crate::bots::roster::{Clues, RosterEntry};
use crate::bots::submitted::platform as export;
use columns::ListColumns;
use platform::ListOrigin;
pub(crate) use rows::without_ending;
use rows::{StudentRow, UniqueLines};
use titles::StudentField;

/// A list of students, and everything in it that is not one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StudentList {
    path: PathBuf,
    origin: ListOrigin,
    file: ListFile,
    columns: ListColumns,
    /// Students in the order of their lines, with the keys of their submissions.
    students: Vec<(String, StudentRow)>,
    /// Rows that are not students.
    left_out: Vec<LineRemark>,
    /// Lines that cannot be used.
    wrong: Vec<LineRemark>,
    /// Remarks on the file and its columns.
    remarks: Vec<String>,
}

/// A remark on a line of a list.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct LineRemark {
    /// The number of the line, counted from 1.
    pub line: u64,
    /// The remark.
    pub what: String,
}

/// A student on a list, for other programs than gradings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedStudent {
    /// The number of the line, counted from 1; 0 in a file without lines.
    pub line: u64,
    /// The name; without one, the platform's identifier, the number or the address.
    pub name: String,
    /// The number or login.
    pub id: Option<String>,
    /// The email address.
    pub address: Option<String>,
    /// The group that submits together.
    pub group: Option<String>,
}

impl ListedStudent {
    fn new(row: StudentRow) -> ListedStudent {
        let line = row.line;
        let RosterEntry { name, id, address, group, identifier, .. } = row.shown();
        let name = name.or(identifier).or_else(|| id.clone()).or_else(|| address.clone());
        ListedStudent { line, name: name.unwrap_or_default(), id, address, group }
    }

    /// The groups in a Gradescope export: the submitters of each submission of several people in
    /// `submission_metadata.yml`, with the submission's folder as the name of the group. Empty for
    /// another text.
    #[must_use]
    pub fn of_gradescope(text: &str) -> Vec<ListedStudent> {
        let groups = export::submitters_in(text).people.into_iter();
        let groups = groups.filter(|(_, people)| people.len() > 1);
        let member = |folder: &str, one: Clues| {
            let name = one.full_name.or_else(|| one.number.clone()).or_else(|| one.address.clone());
            ListedStudent {
                line: 0,
                name: name.unwrap_or_default(),
                id: one.number,
                address: one.address,
                group: Some(folder.to_owned()),
            }
        };
        let members = groups
            .flat_map(|(folder, people)| people.into_iter().map(move |one| member(&folder, one)));
        members.collect()
    }
}

impl StudentList {
    /// Reads a list of students. Malformed lines do not stop it.
    ///
    /// # Errors
    /// If the file cannot be read or is not a text, no column identifies a student, or two columns
    /// could hold the same property.
    pub fn read(path: &Path) -> Result<StudentList, Error> {
        StudentList::parse(path, &Error::read(path)?)
    }

    /// Reads a list of students from the bytes of a file. Malformed lines do not stop it.
    ///
    /// # Errors
    /// As [`StudentList::read`].
    pub fn parse(path: &Path, bytes: &[u8]) -> Result<StudentList, Error> {
        let parsed = ListFile::parse_all(bytes);
        let (file, malformed) = parsed.map_err(|error| Error::input(path, &error))?;
        if file.header.is_empty() && malformed.is_empty() {
            let what = format!("`{}` is empty", path.display());
            let hint = "export the list again; its first line has the titles of the columns";
            return Err(Error::Input { what, hint: Some(hint.to_owned()) });
        }
        let origin = ListOrigin::new(&file);
        let columns = ListColumns::new(path, &file, origin)?;
        let mut list = StudentList {
            path: path.to_owned(),
            origin,
            remarks: file.remark.iter().chain(&columns.remarks).cloned().collect(),
            file,
            columns,
            students: Vec::new(),
            left_out: Vec::new(),
            wrong: malformed.into_iter().map(LineRemark::from).collect(),
        };
        list.take_rows();
        Ok(list)
    }

    fn take_rows(&mut self) {
        let mut rows = Vec::new();
        for row in &self.file.rows {
            match rows::not_a_student(row, &self.columns, self.origin) {
                Some(what) => self.left_out.push(LineRemark { line: row.line, what }),
                None => rows.push(rows::student(row, &self.columns)),
            }
        }
        if self.origin == ListOrigin::GithubGrades {
            rows.iter_mut().for_each(rows::in_utc);
        }
        rows::share_submissions(&mut rows);
        self.remarks.extend(rows.iter().filter_map(StudentRow::rounded));
        let (homonyms, mut lines) = (rows::homonyms(&rows), UniqueLines::default());
        for row in rows {
            let key = row.key(&homonyms);
            let checked = key.and_then(|key| lines.check(&row, &key).map(|()| key));
            match checked {
                Ok(key) => self.students.push((key, row)),
                Err(what) => self.wrong.push(LineRemark { line: row.line, what }),
            }
        }
        self.wrong.sort_by_key(|remark| remark.line);
    }

    /// The students by the keys of their submissions.
    ///
    /// # Errors
    /// If a line cannot be used, or students are missing.
    pub(crate) fn into_students(
        self,
        events: &mut dyn Listener,
    ) -> Result<BTreeMap<String, RosterEntry>, Error> {
        if let Some(LineRemark { line, what }) = self.wrong.first() {
            return Err(Error::input(&self.path, &format!("line {line}: {what}")));
        }
        if self.students.is_empty() {
            return Err(self.without_students());
        }
        let path = self.path.display();
        for text in &self.remarks {
            events.event(&Event::Warning { text: format!("`{path}`: {text}") })?;
        }
        if let Some(text) = self.summary() {
            events.event(&Event::Note { text })?;
        }
        Ok(self.students.into_iter().map(|(key, row)| (key, row.shown())).collect())
    }

    /// The error for a list without students; none if there are some.
    #[must_use]
    pub fn without_students_error(&self) -> Option<Error> {
        (self.students.is_empty() && self.wrong.is_empty()).then(|| self.without_students())
    }

    fn without_students(&self) -> Error {
        let path = self.path.display();
        let why = match self.left_out.len() {
            0 => "it has only a first line".to_owned(),
            1 => "its only row is not a student".to_owned(),
            rows => format!("none of its {rows} rows is a student"),
        };
        let what = format!("`{path}` lists no students: {why}");
        let hint = "add a line for each student, or leave out the list";
        Error::Input { what, hint: Some(hint.to_owned()) }
    }

    /// True if a column has the times of submissions.
    #[must_use]
    pub(crate) fn has_times(&self) -> bool {
        self.columns.has(StudentField::Submitted)
    }

    /// The students in the order of their lines.
    pub fn students(&self) -> impl Iterator<Item = ListedStudent> {
        self.students.iter().map(|(_, row)| ListedStudent::new(row.clone()))
    }

    /// The titles of the columns that are used, with the property that each was read as.
    #[must_use]
    pub fn used_columns(&self) -> Vec<(&str, &'static str)> {
        let titles = self.file.header.iter().enumerate();
        let used = titles.filter_map(|(at, title)| Some((title, self.columns.at(at)?)));
        used.map(|(title, field)| (title.as_str(), field.title())).collect()
    }

    /// The list's origin, encoding and separator, in a line.
    #[must_use]
    pub fn form(&self) -> String {
        let ListFile { encoding, separator, .. } = &self.file;
        format!("{}, in {encoding}, separated by {separator}", self.origin.title())
    }

    /// Lines that cannot be used, in order.
    #[must_use]
    pub fn wrong(&self) -> &[LineRemark] {
        &self.wrong
    }

    /// Rows that are not students, in order.
    #[must_use]
    pub fn left_out(&self) -> &[LineRemark] {
        &self.left_out
    }

    /// Remarks on the file and its columns.
    #[must_use]
    pub fn remarks(&self) -> &[String] {
        &self.remarks
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl From<crate::base::list_file::ListError> for LineRemark {
    fn from(error: crate::base::list_file::ListError) -> LineRemark {
        match error {
            crate::base::list_file::ListError::Line { line, what } => LineRemark { line, what },
            other => LineRemark { line: 1, what: other.to_string() },
        }
    }
}

#[cfg(test)]
mod tests;
