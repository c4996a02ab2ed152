//! What of a course's results goes to whom: a file for each student, the list of who gets which, and
//! a word on what may be published.

use std::collections::BTreeMap;

use judge_report::{Mark, cell};

use super::CourseFolder;
use super::pages::Submission;
use crate::roll::Student;
use crate::{Error, files, sendable};

/// The list for the instructor, in the folder of a course: not among the files that are sent.
const LIST: &str = "send.csv";

/// The word on what may be published.
const README: &str = "README.txt";
const README_TEXT: &str = include_str!("readme.txt");

/// Packs a file for everybody who was graded, and writes the list and the word on what it is.
pub(super) fn write(
    folder: &CourseFolder,
    submissions: &[Submission<'_>],
    marks: &BTreeMap<String, Mark>,
    student: &dyn Fn(&str) -> Student,
) -> Result<(), Error> {
    folder.make(sendable::FOLDER)?;
    for submission in submissions {
        sendable::pack(folder.path(), &submission.files)?;
    }
    write_list(folder, marks, student)?;
    let readme = folder.path().join(README);
    match std::fs::read(&readme) {
        Ok(there) if there == README_TEXT.as_bytes() || !is_ours(&there) => Ok(()),
        _ => files::write(&readme, README_TEXT),
    }
}

/// True for this word, of whichever judge. A `README.txt` of the instructor's own stays.
fn is_ours(text: &[u8]) -> bool {
    let first = README_TEXT.lines().next().unwrap_or_default();
    text.starts_with(first.as_bytes())
}

/// Writes who gets which file; those who were not graded get none.
fn write_list(
    folder: &CourseFolder,
    marks: &BTreeMap<String, Mark>,
    student: &dyn Fn(&str) -> Student,
) -> Result<(), Error> {
    let failed = |error: &dyn std::fmt::Display| Error::Judge(error.to_string());
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(["student", "id", "address", "file"]).map_err(|error| failed(&error))?;
    for (name, mark) in marks {
        let file = mark.report.as_ref().map(|_| sendable::path(&folder.file_name(name)));
        let address = student(name).address;
        let row = [Some(mark.student.clone()), mark.id.clone(), address, file];
        let row = row.map(|field| cell(&field.unwrap_or_default()));
        writer.write_record(row).map_err(|error| failed(&error))?;
    }
    let list = writer.into_inner().map_err(|error| failed(&error))?;
    folder.write(LIST, &String::from_utf8_lossy(&list))
}
