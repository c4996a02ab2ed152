//! The files to send to students, the list of recipients, and a note on what may be published.

use std::collections::BTreeMap;
use std::path::Path;

use judge_report::{Mark, cell};

use super::CourseFolder;
use super::pages::SubmissionPage;
use crate::Error;
use crate::course::student_zip;

/// The list for the instructor, in the folder of a course, not among the files to send.
const LIST: &str = "send.csv";

/// The note on what may be published.
const README: &str = "README.txt";
const README_TEXT: &str = include_str!("readme.txt");

/// Packs a file for each graded student, and writes the list and the note.
pub(super) fn write(
    folder: &CourseFolder,
    submissions: &[SubmissionPage<'_>],
    marks: &BTreeMap<String, Mark>,
) -> Result<(), Error> {
    folder.make(student_zip::FOLDER)?;
    for submission in submissions {
        student_zip::pack(folder.path(), &submission.files)?;
    }
    write_list(folder, marks)?;
    write_readme(folder, README_TEXT)
}

/// Writes the note on what may be published. An instructor's own `README.txt` is kept.
pub(crate) fn write_readme(folder: &CourseFolder, text: &str) -> Result<(), Error> {
    // The first line identifies a note of any version of the judge.
    let first = text.lines().next().unwrap_or_default();
    match Error::read(&folder.path().join(README)) {
        Ok(there) if !there.starts_with(first.as_bytes()) => Ok(()),
        _ => folder.write(README, text),
    }
}

/// Writes the list of students and their files; students without a result have no file.
fn write_list(folder: &CourseFolder, marks: &BTreeMap<String, Mark>) -> Result<(), Error> {
    let rows = marks.values().map(|mark| {
        let name = mark.report.as_deref().and_then(|path| Path::new(path).file_stem()?.to_str());
        let file = name.map(student_zip::path);
        [Some(mark.student.clone()), mark.id.clone(), mark.address.clone(), file]
    });
    write_rows(folder, rows)
}

/// Writes the list with the columns student, number, address and file.
pub(crate) fn write_rows(
    folder: &CourseFolder,
    rows: impl Iterator<Item = [Option<String>; 4]>,
) -> Result<(), Error> {
    let failed = |error: &dyn std::fmt::Display| Error::Judge(error.to_string());
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(["student", "id", "address", "file"]).map_err(|error| failed(&error))?;
    for row in rows {
        let row = row.map(|field| cell(&field.unwrap_or_default()));
        writer.write_record(row).map_err(|error| failed(&error))?;
    }
    let list = writer.into_inner().map_err(|error| failed(&error))?;
    folder.write(LIST, &String::from_utf8_lossy(&list))
}
