//! Compares the files in a part's folder with the journals.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::Error;
use crate::base::mark_sheet::{self, SheetLine};
use crate::course::GradedSubmission;
use crate::rounds::course_folder::CourseFolder;

/// Checks that the existing reports in a part's folder follow from the journals.
pub(super) fn same_reports(part: &Path, reports: &[(String, String)]) -> Result<(), Error> {
    for (name, text) in reports {
        let path = part.join(name);
        if path.is_file() && Error::read_text(&path)? != *text {
            let what = format!(
                "`{}`: this report does not follow from the journal of its part: one of them was \
                 changed",
                path.display()
            );
            let hint = "grade the part again; or, if the journal is right, remove the report";
            return Err(Error::Input { what, hint: Some(hint.to_owned()) });
        }
    }
    Ok(())
}

/// Reads the existing mark sheets of the parts.
pub(super) fn sheets(parts: &[PathBuf]) -> Result<BTreeMap<&Path, Vec<SheetLine>>, Error> {
    let there = parts.iter().filter(|part| CourseFolder::at(part).marks().is_file());
    there.map(|part| Ok((part.as_path(), mark_sheet::read(part)?))).collect()
}

/// Checks that a part's mark sheet agrees with the journals about a submission.
pub(super) fn same_marks(
    part: &Path,
    sheet: Option<&Vec<SheetLine>>,
    reports: &[(String, String)],
    graded: &GradedSubmission,
) -> Result<(), Error> {
    let is_of_it = |line: &&SheetLine| line.report() == reports.first().map(|(path, _)| &**path);
    let line = sheet.and_then(|sheet| sheet.iter().find(is_of_it));
    let Some(what) = line.and_then(|line| line.disagrees(&graded.report.for_student().bots[0]))
    else {
        return Ok(());
    };
    let (sheet, name) = (CourseFolder::at(part).marks(), &graded.report.bots[0].bot.name);
    let what = format!(
        "`{}`: the mark of `{name}` does not follow from the journal of its part: {what}",
        sheet.display()
    );
    let hint = "grade the part again; or, if the journal is right, remove the mark sheet";
    Err(Error::Input { what, hint: Some(hint.to_owned()) })
}
