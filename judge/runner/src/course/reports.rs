//! Reports of a course in progress, kept in memory for the pages at the end.

use std::borrow::Cow;
use std::collections::BTreeMap;

use judge_core::{GradeReport, Timing};

use super::CourseFolder;
use crate::Error;

/// Maximum size of the reports in memory, as JSON. A course may have thousands of submissions with
/// many rounds each, and the judge's memory must not grow with them.
const MOST: usize = 64 << 20;

/// Complete reports by submission name, as many as fit.
pub(super) struct KeptReports {
    reports: BTreeMap<String, GradeReport>,
    room: usize,
}

impl KeptReports {
    pub(super) fn new() -> KeptReports {
        KeptReports { reports: BTreeMap::new(), room: MOST }
    }

    /// Removes the times from a report, so that two runs give the same bytes.
    pub(super) fn without_time(report: GradeReport) -> GradeReport {
        GradeReport { timing: Timing::default(), ..report }
    }

    /// Keeps a report with this size as JSON, if there is room.
    pub(super) fn keep(&mut self, report: GradeReport, bytes: usize) {
        let Some(room) = self.room.checked_sub(bytes) else { return };
        self.room = room;
        let name = report.bots[0].bot.name.clone();
        self.reports.insert(name, KeptReports::without_time(report));
    }

    /// Returns the complete report on a submission. A report that did not fit is read back, from
    /// `full/` if testcases are hidden, otherwise from the students' folder.
    pub(super) fn whole(
        &self,
        folder: &CourseFolder,
        name: &str,
        hidden: bool,
    ) -> Result<Cow<'_, GradeReport>, Error> {
        if let Some(report) = self.reports.get(name) {
            return Ok(Cow::Borrowed(report));
        }
        let path = if hidden { folder.full_report(name) } else { folder.report(name) };
        let file = folder.path().join(path);
        let text = Error::read_text(&file)?;
        let report = GradeReport::from_json(&text).map_err(|error| Error::input(&file, &error))?;
        Ok(Cow::Owned(report))
    }
}

#[cfg(test)]
mod tests {
    use judge_core::{BotIdentity, BotReport, Fingerprint, digest};

    use super::*;

    fn report(name: &str) -> GradeReport {
        let bot = BotIdentity { name: name.to_owned(), sha256: digest(b"x"), author: None };
        GradeReport {
            version: GradeReport::VERSION,
            fingerprint: Fingerprint { judge: "x".to_owned(), engine: "y".to_owned() },
            suite: "s".to_owned(),
            title: "t".to_owned(),
            bots: vec![BotReport::new(bot, None, 10.into(), Vec::new())],
            seal: digest(&[]),
            timing: Timing { wall_us: 7, ..Timing::default() },
        }
        .sealed()
    }

    #[test]
    fn reports_beyond_the_memory_limit_are_read_back_unchanged() {
        let place = tempfile::tempdir().expect("a folder");
        let folder = CourseFolder::create(place.path()).expect("it can be made");
        let mut kept = KeptReports::new();
        kept.keep(report("ada"), MOST - 1);
        kept.keep(report("bob"), 2);
        let read = |name| kept.whole(&folder, name, false);
        assert!(matches!(read("ada"), Ok(Cow::Borrowed(_))));
        assert!(read("bob").is_err(), "there was no room, and it was not written");
        let bob = KeptReports::without_time(report("bob"));
        folder.write(&folder.report("bob"), &bob.to_json()).expect("it can be written");
        assert_eq!(read("bob").expect("it is there").into_owned(), bob);
    }
}
