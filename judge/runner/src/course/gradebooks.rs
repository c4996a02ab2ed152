//! Marks for the gradebooks of the learning platforms that the submissions came from.

use std::collections::BTreeMap;

use judge_core::{Event, Listener};
use judge_report::{GradebookLine, LateMark, Mark, write_canvas, write_moodle};

use super::CourseFolder;
use crate::Error;
use crate::bots::roster::{Clues, canvas, moodle};

/// File names of the sheets in the folder of a course.
pub(super) const MOODLE: &str = "moodle.csv";
pub(super) const CANVAS: &str = "canvas.csv";

/// The platform and the student's number, from the name of a submission.
pub(super) fn participant(name: &str) -> Option<(&'static str, String)> {
    let of_moodle = moodle(name).and_then(|clues| Some((MOODLE, clues.number?)));
    of_moodle.or_else(|| canvas(name).and_then(|clues| Some((CANVAS, clues.number?))))
}

/// Finds participants of a platform with several modules. The judge cannot know which module
/// counts, so a gradebook gets none of them.
pub(super) fn several_of_one<'a>(names: impl Iterator<Item = &'a String>) -> Vec<Vec<&'a String>> {
    let mut all: BTreeMap<(&str, String), Vec<&String>> = BTreeMap::new();
    for name in names {
        if let Some(participant) = participant(name) {
            all.entry(participant).or_default().push(name);
        }
    }
    all.into_values().filter(|names| names.len() > 1).collect()
}

/// Writes a sheet for each platform that has submissions now or had them in an earlier run, and
/// returns the files. Marks with a judge error are left out.
pub(super) fn write<'a>(
    folder: &CourseFolder,
    title: &str,
    marks: impl Iterator<Item = (&'a String, &'a Mark)>,
    events: &mut dyn Listener,
) -> Result<Vec<&'static str>, Error> {
    let known: Vec<(&String, &Mark)> =
        marks.filter(|(_, mark)| !mark.open && mark.submission.is_some()).collect();
    let graded = known.iter().filter(|(_, mark)| mark.report.is_some());
    let several = several_of_one(graded.map(|(name, _)| *name));
    let known: Vec<_> =
        known.iter().filter(|(name, _)| !several.iter().flatten().any(|one| one == name)).collect();
    let lines = |clues: fn(&str) -> Option<Clues>| -> Vec<GradebookLine> {
        known.iter().filter_map(|(name, mark)| line(&clues(name)?, mark)).collect()
    };
    let failed = |error: csv::Error| Error::Judge(error.to_string());
    let (of_moodle, of_canvas) = (lines(moodle), lines(canvas));
    let (mut written, mut sheet) = (Vec::new(), Vec::new());
    let is_stale = |file: &str| folder.path().join(file).exists();
    if !of_moodle.is_empty() || is_stale(MOODLE) {
        write_moodle(&mut sheet, &of_moodle).map_err(failed)?;
        folder.write(MOODLE, &String::from_utf8_lossy(&sheet))?;
        written.push(MOODLE);
        if let Some(text) = above_maximum(&of_moodle) {
            events.event(&Event::Warning { text })?;
        }
    }
    if !of_canvas.is_empty() || is_stale(CANVAS) {
        sheet.clear();
        write_canvas(&mut sheet, title, &of_canvas).map_err(failed)?;
        folder.write(CANVAS, &String::from_utf8_lossy(&sheet))?;
        written.push(CANVAS);
    }
    Ok(written)
}

/// The remark on grades above the maximum, which result from extra credit. Moodle does not accept
/// them, but Canvas does.
fn above_maximum(lines: &[GradebookLine]) -> Option<String> {
    let number = lines.iter().filter(|line| line.points > line.max_points).count();
    let grades = if number == 1 { "grade is" } else { "grades are" };
    (number > 0).then(|| {
        format!(
            "`{MOODLE}`: {number} {grades} above the maximum by extra credit: Moodle refuses such \
             grades unless the site allows *Unlimited grades*, or the assignment's maximum is raised"
        )
    })
}

fn line(clues: &Clues, mark: &Mark) -> Option<GradebookLine> {
    Some(GradebookLine {
        student: mark.student.clone(),
        number: clues.number.clone()?,
        address: clues.address.clone(),
        points: mark.points,
        max_points: mark.max_points,
        comment: match mark.late.as_ref().and_then(LateMark::text) {
            Some(late) => format!("{}; {late}", mark.worst),
            None => mark.worst.clone(),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grades_above_the_maximum_are_counted() {
        let line = |points: u32| GradebookLine {
            student: "x".to_owned(),
            number: "1".to_owned(),
            address: None,
            points: points.into(),
            max_points: 10.into(),
            comment: String::new(),
        };
        assert_eq!(above_maximum(&[line(10), line(0)]), None);
        let told = above_maximum(&[line(11), line(10), line(12)]).expect("two are above");
        assert!(told.starts_with("`moodle.csv`: 2 grades are above the maximum"), "{told}");
    }
}
