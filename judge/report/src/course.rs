//! A course with several suites: each student's marks in each suite, and their sums. The source of
//! the mark sheet, the scoreboard and the students' pages.

use std::io::Write;

use crate::Scoreboard;
use crate::text::cell;

/// The results of a course over all its suites.
#[derive(Debug, Clone)]
pub struct CourseScoreboard {
    /// A one-line title.
    pub title: String,
    /// The suites, in the order of the course.
    pub suites: Vec<SuiteScoreboard>,
    /// All students, in the order of the mark sheet.
    pub students: Vec<CourseStudent>,
}

/// A suite of a course.
#[derive(Debug, Clone)]
pub struct SuiteScoreboard {
    /// The suite's name in the course.
    pub name: String,
    /// A one-line title.
    pub title: String,
    /// The due date.
    pub due: Option<String>,
    /// Points on offer.
    pub max_points: String,
    /// The weight of all its points in the course.
    pub counts: String,
    /// True if it was graded; otherwise no sum includes it.
    pub graded: bool,
    /// Its scoreboard; none without a graded submission.
    pub scoreboard: Option<Scoreboard>,
    /// Address of its scoreboard's page, relative to the course's page.
    pub page: Option<String>,
}

/// A student in a course.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CourseStudent {
    /// Rank, counted from 1; equal students share it.
    pub rank: usize,
    /// The student's name.
    pub name: String,
    /// The student's number or login, if it is known.
    pub id: Option<String>,
    /// The weighted points of all suites.
    pub points: String,
    /// The weighted points on offer.
    pub max_points: String,
    /// True if the judge failed in a suite, so that the points are unknown.
    pub open: bool,
    /// The marks in each suite, in the order of the course; none for a suite that was not graded.
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
    /// The weight of these points in the course.
    pub counts: String,
    /// True if the judge failed, so that the points are unknown.
    pub open: bool,
    /// True if all testcases were passed.
    pub passed: bool,
    /// The worst result, in words.
    pub worst: String,
    /// The lateness and its effect, if the submission is late.
    pub late: Option<String>,
    /// Address of the student's page for this suite, relative to the folder of the results.
    pub page: Option<String>,
}

/// Writes the mark sheet of a course. A suite with a due date has a column about lateness.
///
/// # Errors
/// If the output cannot be written.
pub fn write_course_marks(
    output: impl Write,
    scoreboard: &CourseScoreboard,
) -> Result<(), csv::Error> {
    let mut writer = csv::Writer::from_writer(output);
    let mut header: Vec<String> =
        ["student", "id", "points", "max_points", "rank"].map(str::to_owned).into();
    for suite in &scoreboard.suites {
        let column = |what: &str| format!("{}_{what}", suite.name);
        header.extend(["points", "max_points", "counts", "worst_verdict"].map(column));
        header.extend(suite.due.iter().map(|_| column("late")));
    }
    header.push("page".to_owned());
    writer.write_record(&header)?;
    for place in &scoreboard.students {
        writer.write_record(row(&scoreboard.suites, place))?;
    }
    Ok(writer.flush()?)
}

fn row(suites: &[SuiteScoreboard], place: &CourseStudent) -> Vec<String> {
    let known = |open: bool, figure: &str| if open { String::new() } else { figure.to_owned() };
    let mut row = vec![
        cell(&place.name),
        place.id.as_deref().map(cell).unwrap_or_default(),
        known(place.open, &place.points),
        place.max_points.clone(),
        place.rank.to_string(),
    ];
    for (suite, mark) in std::iter::zip(suites, &place.suites) {
        row.extend(match mark {
            Some(mark) => [
                known(mark.open, &mark.points),
                mark.max_points.clone(),
                known(mark.open, &mark.counts),
                cell(&mark.worst),
            ],
            None => [const { String::new() }; 4],
        });
        let late = mark.as_ref().and_then(|mark| mark.late.as_deref());
        row.extend(suite.due.iter().map(|_| late.map(cell).unwrap_or_default()));
    }
    row.push(cell(&place.page));
    row
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A course with two suites, one of them graded.
    pub(crate) fn scoreboard() -> CourseScoreboard {
        let suite = |name: &str, graded: bool| SuiteScoreboard {
            name: name.to_owned(),
            title: "<b>Lab</b>".to_owned(),
            due: graded.then(|| "12 <i>November</i>".to_owned()),
            max_points: "160".to_owned(),
            counts: "12.5".to_owned(),
            graded,
            scoreboard: None,
            page: graded.then(|| format!("{name}/scoreboard.html")),
        };
        let mark = |open| CourseMark {
            points: "7".to_owned(),
            max_points: "160".to_owned(),
            counts: "0.547".to_owned(),
            open,
            passed: false,
            worst: "Below threshold".to_owned(),
            late: (!open).then(|| "1 day late: 70 % of 10 points".to_owned()),
            page: Some("lab1/students/x.html".to_owned()),
        };
        let place = |name: &str, open| CourseStudent {
            rank: 1,
            name: name.to_owned(),
            id: Some("=1".to_owned()),
            points: "0.547".to_owned(),
            max_points: "12.5".to_owned(),
            open,
            suites: vec![Some(mark(open)), None],
            page: "students/x.html".to_owned(),
        };
        CourseScoreboard {
            title: "A & B".to_owned(),
            suites: vec![suite("lab1", true), suite("lab2", false)],
            students: vec![place("Ada <script>", false), place("=Bob", true)],
        }
    }

    #[test]
    fn a_sheet_has_a_row_per_student_and_no_unknown_marks() {
        let mut sheet = Vec::new();
        write_course_marks(&mut sheet, &scoreboard()).expect("memory does not run out");
        let sheet = String::from_utf8(sheet).expect("text");
        let expected = "student,id,points,max_points,rank,lab1_points,lab1_max_points,lab1_counts,\
             lab1_worst_verdict,lab1_late,lab2_points,lab2_max_points,lab2_counts,lab2_worst_verdict,page\n\
             Ada <script>,'=1,0.547,12.5,1,7,160,0.547,Below threshold,1 day late: 70 % of 10 points,,,,,students/x.html\n\
             '=Bob,'=1,,12.5,1,,160,,Below threshold,,,,,,students/x.html\n";
        assert_eq!(sheet, expected);
    }
}
