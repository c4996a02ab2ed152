//! The marks over all assignments of a course, and their files.

mod people;

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::path::Path;

use judge_core::{Event, Listener, Points, Verdict};
use judge_grading::{Share, Weights};
use judge_report::{
    CourseMark, CourseScoreboard, CourseStudent, Mark, NO_SUBMISSION, Scoreboard, SuiteScoreboard,
    write_course_marks,
};

use people::{People, StudentKey};

use super::plan::AssignmentHead;
use super::send::{self, StudentPackage};
use super::{AssignmentOutcome, Notable, OverallMarks};
use crate::Error;
use crate::base::address::encoded;
use crate::base::mark_sheet;
use crate::course::scoreboard;
use crate::course::student_zip::{self, SuiteResult};
use crate::rounds::course_folder::{CourseFolder, FileNames};

/// The scoreboard's file in the folder of the results.
const BOARD: &str = "scoreboard.html";

/// The folder of students' pages in the folder of the results.
const STUDENTS: &str = "students";

/// The assignments of a course that its results show, and the weights of the graded ones.
pub(super) struct CourseContent<'a> {
    pub(super) title: &'a str,
    pub(super) assignments: &'a [AssignmentHead],
    pub(super) weights: &'a Weights,
}

/// Combines the marks of the graded assignments, and writes the mark sheet and the pages over all
/// of them.
pub(super) fn finish(
    results: &CourseFolder,
    course: &CourseContent<'_>,
    graded: &[AssignmentOutcome],
    events: &mut dyn Listener,
) -> Result<OverallMarks, Error> {
    let people = People::new(graded);
    for text in &people.remarks {
        events.event(&Event::Warning { text: text.clone() })?;
    }
    let places = places(course, graded, &people);
    let board = |head| suite_board(results.path(), course, head, graded);
    let scoreboard = CourseScoreboard {
        title: course.title.to_owned(),
        suites: course.assignments.iter().map(board).collect::<Result<_, _>>()?,
        students: places,
    };
    write(results, &scoreboard)?;
    send(results, graded, &people, &scoreboard.students)?;
    let not_yet = course.assignments.iter().filter(|head| !head.graded);
    Ok(OverallMarks {
        title: course.title.to_owned(),
        folder: results.path().to_owned(),
        students: scoreboard.students.len(),
        not_graded: not_yet.map(|head| head.name.clone()).collect(),
        changed: Vec::<Notable>::new(),
    })
}

/// Packs a file for each student, with the results of all assignments. The rows are in the order of
/// the students.
fn send(
    results: &CourseFolder,
    graded: &[AssignmentOutcome],
    people: &People<'_>,
    places: &[CourseStudent],
) -> Result<(), Error> {
    let rows = || std::iter::zip(places, people.marks.values());
    let packages = rows().map(|(place, marks)| {
        let results = std::iter::zip(graded, marks).filter_map(|(outcome, mark)| {
            let name = file_name((*mark)?.report.as_deref()?);
            Some(SuiteResult { suite: outcome.name(), name })
        });
        StudentPackage { name: file_name(&place.page), suites: Some(results.collect()) }
    });
    let list = rows().map(|(place, marks)| {
        let address = marks.iter().flatten().find_map(|mark| mark.address.clone());
        let file = student_zip::path(file_name(&place.page));
        [Some(place.name.clone()), place.id.clone(), address, Some(file)]
    });
    send::write(results, packages, list)
}

/// The name of a file without folder and extension.
fn file_name(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// A student's points over all suites.
struct Total {
    /// The sum; none without any submission.
    points: Option<Share>,
    open: bool,
}

impl Total {
    fn new(weights: &Weights, marks: &[Option<&Mark>]) -> Total {
        let share = |(at, mark): (usize, &Option<&Mark>)| {
            Some(weights.share(at, mark.as_ref()?.points.thousandths()))
        };
        let submitted = marks.iter().flatten().any(|mark| mark.report.is_some());
        let shares = marks.iter().enumerate().filter_map(share);
        Total {
            points: submitted.then(|| weights.sum(shares)),
            open: marks.iter().flatten().any(|mark| mark.open),
        }
    }
}

/// The rows of all students.
fn places(
    course: &CourseContent<'_>,
    graded: &[AssignmentOutcome],
    people: &People<'_>,
) -> Vec<CourseStudent> {
    let weights = course.weights;
    let heads = course.assignments.iter().filter(|head| head.graded);
    let most: Vec<Points> = heads.map(|head| head.max_points).collect();
    let all = weights
        .sum(most.iter().enumerate().map(|(at, points)| weights.share(at, points.thousandths())));
    let totals: Vec<Total> =
        people.marks.values().map(|marks| Total::new(weights, marks)).collect();
    let ranks = ranks(&totals);
    let names = names(people.marks.keys());
    let files = FileNames::new(names.iter().map(String::as_str));
    let place = |(at, (key, marks)): (usize, (&StudentKey, &Vec<Option<&Mark>>))| {
        let first = marks.iter().flatten().next();
        let counts: Vec<Option<CourseMark>> = marks
            .iter()
            .enumerate()
            .map(|(at, mark)| Some(course_mark(weights, at, graded[at].name(), most[at], *mark)))
            .collect();
        CourseStudent {
            rank: ranks[at],
            name: first.map_or_else(|| key.text(), |mark| mark.student.clone()),
            id: marks.iter().flatten().find_map(|mark| mark.id.clone()),
            points: totals[at].points.unwrap_or_else(|| weights.sum([])).to_string(),
            max_points: all.to_string(),
            open: totals[at].open,
            suites: in_order_of_the_course(course, counts),
            page: format!("{STUDENTS}/{}.html", files.name_for(&names[at])),
        }
    };
    people.marks.iter().enumerate().map(place).collect()
}

/// Assigns a unique name to each page.
fn names<'a>(keys: impl Iterator<Item = &'a StudentKey>) -> Vec<String> {
    let mut taken = BTreeSet::new();
    let own = |key: &StudentKey| {
        let mut name = key.text();
        while !taken.insert(name.clone()) {
            name.push('*');
        }
        name
    };
    keys.map(own).collect()
}

/// Ranks by points, from 1. Students without a submission come last.
fn ranks(totals: &[Total]) -> Vec<usize> {
    let mut sorted: Vec<Reverse<Option<Share>>> =
        totals.iter().map(|total| Reverse(total.points)).collect();
    sorted.sort_unstable();
    let rank = |total: &Total| sorted.partition_point(|other| *other < Reverse(total.points)) + 1;
    totals.iter().map(rank).collect()
}

fn course_mark(
    weights: &Weights,
    at: usize,
    suite: &str,
    max_points: Points,
    mark: Option<&Mark>,
) -> CourseMark {
    let points = mark.map(|mark| mark.points).unwrap_or_default();
    let page = mark.and_then(|mark| mark.report.as_deref()?.strip_suffix(".json"));
    CourseMark {
        points: points.to_string(),
        max_points: mark.map_or(max_points, |mark| mark.max_points).to_string(),
        counts: weights.share(at, points.thousandths()).to_string(),
        open: mark.is_some_and(|mark| mark.open),
        passed: mark.is_some_and(|mark| mark.worst == Verdict::Accepted.label()),
        worst: mark.map_or(NO_SUBMISSION, |mark| &mark.worst).to_owned(),
        late: mark.and_then(|mark| mark.late.as_ref()?.text()),
        page: page.map(|page| {
            let parts: Vec<String> = page.split('/').map(encoded).collect();
            format!("{suite}/{}.html", parts.join("/"))
        }),
    }
}

/// Spreads the marks of the graded suites to the positions of all suites.
fn in_order_of_the_course(
    course: &CourseContent<'_>,
    graded: Vec<Option<CourseMark>>,
) -> Vec<Option<CourseMark>> {
    let mut graded = graded.into_iter();
    let place = |is_graded: bool| if is_graded { graded.next().flatten() } else { None };
    course.assignments.iter().map(|head| head.graded).map(place).collect()
}

/// Reads the scoreboard of an assignment from its results.
fn suite_board(
    out: &Path,
    course: &CourseContent<'_>,
    head: &AssignmentHead,
    graded: &[AssignmentOutcome],
) -> Result<SuiteScoreboard, Error> {
    let place = graded.iter().position(|one| one.name() == head.name);
    let has_board = place.is_some_and(|at| graded[at].graded > 0);
    let scoreboard = has_board.then(|| board_of(out, &head.name)).transpose()?;
    let counts = match (place, &head.weight) {
        (Some(at), _) => course.weights.share(at, head.max_points.thousandths()).to_string(),
        (None, Some(weight)) => weight.clone(),
        (None, None) => head.max_points.to_string(),
    };
    Ok(SuiteScoreboard {
        name: head.name.clone(),
        title: head.title.clone(),
        due: head.due.clone(),
        max_points: head.max_points.to_string(),
        counts,
        graded: head.graded,
        scoreboard,
        page: has_board.then(|| format!("{}/{BOARD}", head.name)),
    })
}

fn board_of(out: &Path, name: &str) -> Result<Scoreboard, Error> {
    let request = scoreboard::Request {
        results: vec![out.join(name)],
        page_folder: out.to_owned(),
        pseudonyms: None,
    };
    Ok(scoreboard::run(&request)?.scoreboard)
}

fn write(results: &CourseFolder, scoreboard: &CourseScoreboard) -> Result<(), Error> {
    results.make(STUDENTS)?;
    let before = pages_before(results.path());
    let mut written = BTreeSet::new();
    for place in &scoreboard.students {
        results.write(&place.page, &scoreboard.student_page(place))?;
        written.insert(place.page.as_str());
    }
    results.write(BOARD, &scoreboard.to_html())?;
    let failed = |error: csv::Error| Error::Judge(error.to_string());
    let mut sheet = Vec::new();
    write_course_marks(&mut sheet, scoreboard).map_err(failed)?;
    results.write_sheet(mark_sheet::FILE, &String::from_utf8_lossy(&sheet))?;
    // Remove the files of students who are no longer in the course.
    for page in before.iter().filter(|page| !written.contains(page.as_str())) {
        for file in [page.clone(), student_zip::path(file_name(page))] {
            let _ = std::fs::remove_file(results.path().join(file));
        }
    }
    Ok(())
}

/// The students' pages of the last run, from its mark sheet.
fn pages_before(out: &Path) -> Vec<String> {
    let Ok(text) = Error::read_text(&out.join(mark_sheet::FILE)) else { return Vec::new() };
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let last = |record: csv::StringRecord| record.iter().next_back().map(str::to_owned);
    let pages = reader.records().flatten().filter_map(last);
    let is_page = |page: &String| {
        let name = page.strip_prefix("students/").and_then(|rest| rest.strip_suffix(".html"));
        name.is_some_and(|name| !name.contains(['/', '\\']))
    };
    pages.filter(is_page).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_student_has_a_separate_page() {
        let ada = || "ada".to_owned();
        let keys =
            [StudentKey::Listed(ada()), StudentKey::Name(ada()), StudentKey::Alone(0, ada())];
        assert_eq!(names(keys.iter()), ["ada", "ada*", "ada #1"]);
    }

    #[test]
    fn equal_students_share_a_rank_and_missing_submissions_are_last() {
        let weights = Weights::new(&[(None, 10_000)]).expect("weights");
        let total = |points: Option<u64>| Total {
            points: points.map(|points| weights.share(0, points)),
            open: false,
        };
        let totals = [Some(5), None, Some(7), Some(5), Some(0), None].map(total);
        assert_eq!(ranks(&totals), [2, 5, 1, 2, 4, 5]);
    }
}
