//! Checks that a part of an assignment is complete and belongs to the same course as the other parts.

use judge_arena::{Fact, Facts, Journal, SubmissionNote};

use crate::Error;
use crate::base::shards::plan_of;
use crate::course::{CourseNote, StudentsNote, SubmissionsNote};

/// The hint for an incomplete part.
const RESUME: &str = "continue it with `--resume` and the same arguments";

/// A part, as its journal describes it.
pub(super) struct AssignmentPart<'a> {
    journal: &'a Journal,
    facts: Facts,
}

impl AssignmentPart<'_> {
    /// Reads the facts in a journal.
    pub(super) fn new(journal: &Journal) -> Result<AssignmentPart<'_>, Error> {
        Ok(AssignmentPart { journal, facts: Facts::read(journal)? })
    }

    /// The names of its submissions, which must all be finished.
    pub(super) fn finished(&self) -> Result<Vec<String>, Error> {
        let names = self.facts.get::<SubmissionsNote>(&())?;
        let SubmissionsNote(names) =
            names.ok_or_else(|| self.unfinished("it has no submissions yet"))?;
        for name in &names {
            if self.facts.get::<SubmissionNote>(name)?.is_none() {
                return Err(self.unfinished(&format!("`{name}` is not graded yet")));
            }
        }
        Ok(names)
    }

    /// Checks that the part has exactly its own submissions, so that none is missing and none comes
    /// from two parts.
    pub(super) fn has_its_own(&self) -> Result<(), Error> {
        let (shard, _) = plan_of(self.journal, "course")?;
        let CourseNote(all) = self.facts.get(&())?.unwrap_or_default();
        let all = all.into_iter().enumerate();
        let own: Vec<String> =
            all.filter(|(number, _)| shard.takes(*number)).map(|(_, name)| name).collect();
        let SubmissionsNote(found) = self.facts.get(&())?.unwrap_or_default();
        let Some(stray) = (own.iter().find(|name| !found.contains(name)))
            .or_else(|| found.iter().find(|name| !own.contains(name)))
        else {
            return Ok(());
        };
        let what = format!(
            "`{}`: `{stray}` is not among the submissions that belong to part {shard}, or is \
             missing there",
            self.journal.path().display()
        );
        Err(Error::Input { what, hint: Some(RESUME.to_owned()) })
    }

    fn unfinished(&self, what: &str) -> Error {
        let path = self.journal.path().display();
        let what = format!("`{path}`: this part is not finished: {what}");
        Error::Input { what, hint: Some(RESUME.to_owned()) }
    }
}

/// Checks that all parts have the same list of submissions and of students. A file that arrived
/// later would have moved others from one part to another.
pub(super) fn same_course(parts: &[AssignmentPart<'_>]) -> Result<(), Error> {
    for part in parts {
        has_same::<CourseNote>(&parts[0], part, "submissions")?;
        has_same::<StudentsNote>(&parts[0], part, "students")?;
    }
    Ok(())
}

/// Checks that two parts have the same fact.
fn has_same<F: Fact<About = ()> + PartialEq>(
    first: &AssignmentPart<'_>,
    part: &AssignmentPart<'_>,
    of_what: &str,
) -> Result<(), Error> {
    if first.facts.get::<F>(&())? == part.facts.get::<F>(&())? {
        return Ok(());
    }
    let path = part.journal.path().display();
    let what = format!("`{path}`: this part was graded with other {of_what} than the first");
    let hint = "grade all parts again with the same files";
    Err(Error::Input { what, hint: Some(hint.to_owned()) })
}
