//! The rounds of a course. Each submission's reports are written as soon as it is finished.

use judge_arena::{CourseEvent, FactStore, Run, SubmissionNote};
use judge_core::{Event, GradeReport, Listener, Unit};
use judge_grading::Suite;

use super::assignment::CoursePeople;
use super::reports::KeptReports;
use super::{CourseFolder, Memory, Results, traces};
use crate::Error;
use crate::base::workers::Workers;
use crate::suites;

/// A submission and its result.
pub(crate) struct GradedSubmission {
    /// The name of its file or folder.
    pub(crate) file: String,
    pub(crate) report: GradeReport,
}

/// Plays the rounds that are not in the journal yet, and writes each submission's reports.
pub(super) fn play<'a>(
    run: &Run,
    suite: &'a Suite,
    course: &'a CoursePeople,
    folder: &CourseFolder,
    (memory, workers): (&Memory, &Workers),
    events: &mut dyn Listener,
) -> Result<Results<'a>, Error> {
    let mut results = Results::new(suite, &course.students, &course.findings, &course.late);
    let per_bot: usize = suite.testcases.iter().map(|testcase| testcase.seeds.len()).sum();
    let total = Some((per_bot * course.submitted.len()) as u64);
    events.event(&Event::Started { unit: Unit::Rounds, total })?;
    let load = |number: usize| course.submitted[number].load(suite, memory);
    let mut failed = Ok(());
    judge_arena::course(run, suite, course.submitted.len(), &load, &mut |event| {
        let (number, report) = match event {
            CourseEvent::Event(event) => return Ok(events.event(&event)?),
            CourseEvent::Graded { number, report } => (number, *report),
        };
        let (mut report, submission) = (report, &course.submitted[number]);
        traces::add(&mut report, submission, suite, folder, (run, workers));
        let path = submission.path.file_name().unwrap_or_default();
        let graded = GradedSubmission { file: path.to_string_lossy().into_owned(), report };
        let report = Box::new(graded.report.bots[0].clone());
        // A failure to write one submission's reports does not stop the others.
        match keep(run, suite, folder, graded, &mut results) {
            Ok(()) => events.event(&Event::SubmissionDecided { report })?,
            Err(error) if failed.is_ok() => failed = Err(error),
            Err(_) => {}
        }
        Ok(())
    })?;
    failed?;
    Ok(results)
}

/// Notes the graded submission in the journal, writes its reports, and keeps the result.
pub(crate) fn keep(
    run: &Run,
    suite: &Suite,
    folder: &CourseFolder,
    graded: GradedSubmission,
    results: &mut Results<'_>,
) -> Result<(), Error> {
    let bot = &graded.report.bots[0];
    if let Some(journal) = run.journal() {
        let refused = bot.refused.clone().filter(|_| bot.testcases.is_empty());
        let note = SubmissionNote { file: graded.file.clone(), bot: bot.bot.clone(), refused };
        (journal as &dyn FactStore).keep(bot.bot.name.as_str(), &note)?;
    }
    let reports = reports(suite, folder, &graded);
    for (path, text) in &reports {
        folder.write(path, text)?;
    }
    let bytes = reports.last().map_or(0, |(_, text)| text.len());
    results.add(graded, folder, bytes);
    Ok(())
}

/// The path and content of each report on a submission. The first is the student's, the last is
/// complete.
pub(crate) fn reports(
    suite: &Suite,
    folder: &CourseFolder,
    graded: &GradedSubmission,
) -> Vec<(String, String)> {
    let whole = KeptReports::without_time(graded.report.clone());
    let name = &graded.report.bots[0].bot.name;
    let path = folder.report(name);
    if !suites::has_hidden(suite) {
        return vec![(path, whole.to_json())];
    }
    let shown = whole.for_student();
    vec![(path, shown.to_json()), (folder.full_report(name), whole.to_json())]
}
