//! Merges the parts of a course with several assignments.

use judge_core::Listener;

use super::{Parts, Request};
use crate::Error;
use crate::course::described::Described;
use crate::course::overall::{self, CourseContent};
use crate::course::part::CoursePart;
use crate::course::several::refuse_other_results;
use crate::course::{AssignmentOutcome, Outcome, Overall};
use crate::rounds::course_folder::CourseFolder;

/// Merges every assignment, and combines the results.
pub(super) fn run(request: &Request, events: &mut dyn Listener) -> Result<Outcome, Error> {
    let (course, described) = same_course(request)?;
    let weights = course.weights(&request.parts[0])?;
    refuse_other_results(&request.out)?;
    let results = CourseFolder::at(&request.out);
    results.refuse_links()?;
    let graded = course.assignments.iter().filter(|head| head.graded);
    // All refusals come before the first file.
    let parts = graded.map(|head| {
        let folders: Vec<_> = request.parts.iter().map(|part| part.join(&head.name)).collect();
        Ok((head.name.clone(), Parts::read(&folders)?))
    });
    let mut assignments = Vec::new();
    for (name, parts) in parts.collect::<Result<Vec<_>, Error>>()? {
        let outcome = parts.merge(request, &request.out.join(&name), events)?;
        let keys = course.keys(&name);
        assignments.push(AssignmentOutcome { keys, in_course: Some(name), ..outcome });
    }
    let (title, heads) = (course.title.as_str(), course.assignments.as_slice());
    let content = CourseContent { title, assignments: heads, weights: &weights };
    let pages = results.clone().for_spreadsheets(request.byte_order_mark);
    let marks = overall::finish(&pages, &content, &assignments, events)?;
    described.write(&results)?;
    Ok(Outcome { assignments, overall: Overall::Marks(marks) })
}

/// Checks that all parts are from the same course, and returns the first.
fn same_course(request: &Request) -> Result<(CoursePart, Described), Error> {
    let read = |folder: &std::path::PathBuf| {
        let described = Described::read(&CourseFolder::at(folder));
        let missing = || Error::input(folder, &"the description of the course is missing");
        Ok((CoursePart::read(folder)?, described.ok_or_else(missing)?))
    };
    let parts = request.parts.iter().map(read).collect::<Result<Vec<_>, Error>>()?;
    let mut all = std::iter::zip(&request.parts, parts);
    let (_, (first, described)) =
        all.next().ok_or_else(|| Error::usage("no parts", "name them"))?;
    for (folder, (part, other)) in all {
        if !part.is_of_same_course(&first) || other != described {
            let what = format!(
                "`{}`: this part was graded with another course file or list than the first",
                folder.display()
            );
            let hint = "grade all parts again with the same files";
            return Err(Error::Input { what, hint: Some(hint.to_owned()) });
        }
    }
    Ok((first, described))
}
