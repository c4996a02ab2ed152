//! The files to send in a course with several suites: one per student for all of them, and the list
//! of recipients.

use judge_report::{CourseStudent, Mark};

use super::people::People;
use crate::Error;
use crate::course::send::{write_readme, write_rows};
use crate::course::student_zip::{self, SuiteResult};
use crate::rounds::course_folder::CourseFolder;

/// Packs a file for each student, and writes the list and the note on what may be published. The
/// rows are in the order of the students. The pages must already exist.
pub(super) fn write(
    results: &CourseFolder,
    suites: &[&str],
    people: &People<'_>,
    places: &[CourseStudent],
) -> Result<(), Error> {
    results.make(student_zip::FOLDER)?;
    let mut rows = Vec::new();
    for (place, marks) in std::iter::zip(places, people.marks.values()) {
        let name = file_name(&place.page);
        student_zip::pack_course(results.path(), name, &of_student(suites, marks))?;
        let address = marks.iter().flatten().find_map(|mark| mark.address.clone());
        let file = student_zip::path(name);
        rows.push([Some(place.name.clone()), place.id.clone(), address, Some(file)]);
    }
    write_rows(results, rows.into_iter())?;
    write_readme(results, include_str!("readme.txt"))
}

/// The suites in which a student was graded.
fn of_student<'a>(suites: &[&'a str], marks: &[Option<&'a Mark>]) -> Vec<SuiteResult<'a>> {
    let graded = std::iter::zip(suites, marks).filter_map(|(suite, mark)| {
        Some(SuiteResult { suite, name: file_name((*mark)?.report.as_deref()?) })
    });
    graded.collect()
}

/// The name of a file without folder and extension.
pub(super) fn file_name(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}
