//! A course of several suites: each student's marks in each, and their sums. The mark sheet, the
//! scoreboard and the students' pages are made from this data.

use std::io::Write;

use crate::Scoreboard;
use crate::text::cell;

/// The results of a course over all its suites.
#[derive(Debug, Clone)]
pub struct CourseBoard {
    /// One line for people.
    pub title: String,
    /// The suites, in the order of the course.
    pub suites: Vec<CourseSuiteBoard>,
    /// All students, in the order of the mark sheet.
    pub students: Vec<CoursePlace>,
}

/// A suite of a course.
#[derive(Debug, Clone)]
pub struct CourseSuiteBoard {
    /// Its name in the course.
    pub name: String,
    /// One line for people.
    pub title: String,
    /// When it is due, in words.
    pub due: Option<String>,
    /// Points on offer.
    pub max_points: String,
    /// The worth of all its points.
    pub counts: String,
    /// True if it was graded: if not, it is left out of all sums.
    pub graded: bool,
    /// Its scoreboard; none without a graded submission.
    pub scoreboard: Option<Scoreboard>,
    /// Address of its scoreboard's page, as seen from the course's.
    pub page: Option<String>,
}

/// A student in a course.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CoursePlace {
    /// Counted from 1; equal ones share it.
    pub rank: usize,
    /// Name.
    pub name: String,
    /// Number or login, if it is known.
    pub id: Option<String>,
    /// The worth of the points of all suites.
    pub points: String,
    /// The worth of all points on offer.
    pub max_points: String,
    /// True if the judge failed in a suite: the points are not known.
    pub open: bool,
    /// The marks in each graded suite, in the order of the course; none in one that was not graded.
    pub suites: Vec<Option<CourseMark>>,
    /// The student's page, as a path from the folder of the results.
    pub page: String,
}

/// A student's mark in one suite of a course.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CourseMark {
    /// Points in the suite.
    pub points: String,
    /// Points on offer in it.
    pub max_points: String,
    /// The worth of these points in the course.
    pub counts: String,
    /// True if the judge failed: neither is known.
    pub open: bool,
    /// True if all testcases were passed.
    pub passed: bool,
    /// The worst that happened, in words.
    pub worst: String,
    /// Address of the student's page in this suite, as seen from the folder of the results.
    pub page: Option<String>,
}

/// Writes the mark sheet of a course.
///
/// # Errors
/// When the output cannot be written.
pub fn write_course_marks(output: impl Write, board: &CourseBoard) -> Result<(), csv::Error> {
    let mut writer = csv::Writer::from_writer(output);
    let mut header: Vec<String> =
        ["student", "id", "points", "max_points", "rank"].map(str::to_owned).into();
    for suite in &board.suites {
        let column = |what: &str| format!("{}_{what}", suite.name);
        header.extend(["points", "max_points", "counts", "worst_verdict"].map(column));
    }
    header.push("page".to_owned());
    writer.write_record(&header)?;
    for place in &board.students {
        writer.write_record(row(place))?;
    }
    Ok(writer.flush()?)
}

fn row(place: &CoursePlace) -> Vec<String> {
    let known = |open: bool, figure: &str| if open { String::new() } else { figure.to_owned() };
    let mut row = vec![
        cell(&place.name),
        place.id.as_deref().map(cell).unwrap_or_default(),
        known(place.open, &place.points),
        place.max_points.clone(),
        place.rank.to_string(),
    ];
    for mark in &place.suites {
        row.extend(match mark {
            Some(mark) => [
                known(mark.open, &mark.points),
                mark.max_points.clone(),
                known(mark.open, &mark.counts),
                cell(&mark.worst),
            ],
            None => [const { String::new() }; 4],
        });
    }
    row.push(cell(&place.page));
    row
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A course of two suites, of which one was graded.
    pub(crate) fn board() -> CourseBoard {
        let suite = |name: &str, graded| CourseSuiteBoard {
            name: name.to_owned(),
            title: "<b>Lab</b>".to_owned(),
            due: Some("12 <i>November</i>".to_owned()),
            max_points: "160".to_owned(),
            counts: "12.5".to_owned(),
            graded,
            scoreboard: None,
            page: graded.then(|| format!("{name}/board.html")),
        };
        let mark = |open| CourseMark {
            points: "7".to_owned(),
            max_points: "160".to_owned(),
            counts: "0.547".to_owned(),
            open,
            passed: false,
            worst: "Below threshold".to_owned(),
            page: Some("lab1/students/x.html".to_owned()),
        };
        let place = |name: &str, open| CoursePlace {
            rank: 1,
            name: name.to_owned(),
            id: Some("=1".to_owned()),
            points: "0.547".to_owned(),
            max_points: "12.5".to_owned(),
            open,
            suites: vec![Some(mark(open)), None],
            page: "students/x.html".to_owned(),
        };
        CourseBoard {
            title: "A & B".to_owned(),
            suites: vec![suite("lab1", true), suite("lab2", false)],
            students: vec![place("Ada <script>", false), place("=Bob", true)],
        }
    }

    #[test]
    fn a_sheet_has_a_row_for_everybody_and_no_mark_that_is_not_known() {
        let mut sheet = Vec::new();
        write_course_marks(&mut sheet, &board()).expect("memory does not run out");
        let sheet = String::from_utf8(sheet).expect("text");
        let expected = "student,id,points,max_points,rank,lab1_points,lab1_max_points,lab1_counts,\
             lab1_worst_verdict,lab2_points,lab2_max_points,lab2_counts,lab2_worst_verdict,page\n\
             Ada <script>,'=1,0.547,12.5,1,7,160,0.547,Below threshold,,,,,students/x.html\n\
             '=Bob,'=1,,12.5,1,,160,,Below threshold,,,,,students/x.html\n";
        assert_eq!(sheet, expected);
    }
}
