//! The files to send to students, the list of recipients, and a note on what may be published.

use judge_report::cell;

use super::CourseFolder;
pub(crate) use super::student_zip::StudentPackage;
use crate::Error;
use crate::course::student_zip;

/// The list for the instructor, in the folder of a course, not among the files to send.
const LIST: &str = "send.csv";

/// The note on what may be published.
const README: &str = "README.txt";
const README_TEXT: &str = include_str!("readme.txt");

/// Start of the first line of such a note by any version of the judge.
const README_START: &str = "The results of a course";

/// A row of the list: student, number, address and file. A student without a result has no file.
pub(crate) type Recipient = [Option<String>; 4];

/// Packs a file for each graded student, and writes the list and the note.
pub(crate) fn write<'a>(
    folder: &CourseFolder,
    packages: impl Iterator<Item = StudentPackage<'a>>,
    list: impl Iterator<Item = Recipient>,
) -> Result<(), Error> {
    folder.make(student_zip::FOLDER)?;
    for package in packages {
        student_zip::pack(folder.path(), &package)?;
    }
    write_list(folder, list)?;
    write_readme(folder)
}

/// Writes the note on what may be published. An instructor's own `README.txt` is kept.
fn write_readme(folder: &CourseFolder) -> Result<(), Error> {
    match Error::read(&folder.path().join(README)) {
        Ok(there) if !there.starts_with(README_START.as_bytes()) => Ok(()),
        _ => folder.write(README, README_TEXT),
    }
}

fn write_list(folder: &CourseFolder, list: impl Iterator<Item = Recipient>) -> Result<(), Error> {
    let failed = |error: &dyn std::fmt::Display| Error::Judge(error.to_string());
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(["student", "id", "address", "file"]).map_err(|error| failed(&error))?;
    for row in list {
        let row = row.map(|field| cell(&field.unwrap_or_default()));
        writer.write_record(row).map_err(|error| failed(&error))?;
    }
    let list = writer.into_inner().map_err(|error| failed(&error))?;
    folder.write(LIST, &String::from_utf8_lossy(&list))
}
