//! What of a course's results goes to whom: a file for each student, the list of who gets which, and
//! a word on what may be published.

use std::collections::BTreeMap;
use std::path::Path;

use judge_report::{Mark, cell};

use super::CourseFolder;
use super::pages::SubmissionPage;
use crate::Error;
use crate::course::sendable;

/// The list for the instructor, in the folder of a course: not among the files that are sent.
const LIST: &str = "send.csv";

/// The word on what may be published.
const README: &str = "README.txt";
const README_TEXT: &str = include_str!("readme.txt");

/// Packs a file for everybody who was graded, and writes the list and the word on what it is.
pub(super) fn write(
    folder: &CourseFolder,
    submissions: &[SubmissionPage<'_>],
    marks: &BTreeMap<String, Mark>,
) -> Result<(), Error> {
    folder.make(sendable::FOLDER)?;
    for submission in submissions {
        sendable::pack(folder.path(), &submission.files)?;
    }
    write_list(folder, marks)?;
    write_readme(folder, README_TEXT)
}

/// Writes the word on what may be published. A `README.txt` of the instructor's own stays.
pub(crate) fn write_readme(folder: &CourseFolder, text: &str) -> Result<(), Error> {
    // Of whichever judge.
    let first = text.lines().next().unwrap_or_default();
    match Error::read(&folder.path().join(README)) {
        Ok(there) if !there.starts_with(first.as_bytes()) => Ok(()),
        _ => folder.write(README, text),
    }
}

/// Writes who gets which file; those who were not graded get none.
fn write_list(folder: &CourseFolder, marks: &BTreeMap<String, Mark>) -> Result<(), Error> {
    let rows = marks.values().map(|mark| {
        let name = mark.report.as_deref().and_then(|path| Path::new(path).file_stem()?.to_str());
        let file = name.map(sendable::path);
        [Some(mark.student.clone()), mark.id.clone(), mark.address.clone(), file]
    });
    write_rows(folder, rows)
}

/// Writes the list: student, number, address, file.
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
