//! The pages of a course with several suites: a scoreboard with a tab per suite, and a page per
//! student for all suites.

use askama::Template;

use super::scoreboard::kind;
use super::sheet::{Sheet, tame};
use crate::course::{CourseMark, CourseScoreboard, CourseStudent, SuiteScoreboard};
use crate::scoreboard::{NOT_PLAYED, ScoreboardRow, sign};

impl CourseScoreboard {
    /// Renders the scoreboard as one HTML document.
    pub fn to_html(&self) -> String {
        let styles = [include_str!("course.css")];
        let sheet = Sheet::new(&styles, include_str!("course.js"));
        let title = tame(&self.title);
        let page = BoardPage {
            sheet,
            heading: format!("{title}: scoreboard"),
            title,
            has_open: self.students.iter().any(|place| place.open),
            max_points: self.students.first().map_or("0", |place| &place.max_points).to_owned(),
            suites: self.suites.iter().map(Tab::new).collect(),
            rows: self.ranked().into_iter().map(StudentRow::new).collect(),
        };
        page.render().expect("writing to a text does not fail") + "\n"
    }

    /// Renders the page of one student. It contains nothing about other students.
    pub fn student_page(&self, place: &CourseStudent) -> String {
        let line = |(suite, mark): (&SuiteScoreboard, &Option<CourseMark>)| SuiteLine {
            tab: Tab::head(suite),
            mark: mark.as_ref().map(|mark| ShownMark::new(mark, "../")),
        };
        let (name, title) = (tame(&place.name), tame(&self.title));
        let page = StudentPage {
            sheet: Sheet::new(&[include_str!("course.css")], ""),
            heading: format!("{name}: {title}"),
            name,
            title,
            rank: place.rank,
            of: self.students.len(),
            points: place.points.clone(),
            max_points: place.max_points.clone(),
            open: place.open,
            lines: std::iter::zip(&self.suites, &place.suites).map(line).collect(),
        };
        page.render().expect("writing to a text does not fail") + "\n"
    }

    /// All students, best first; equal ones by name.
    fn ranked(&self) -> Vec<&CourseStudent> {
        let mut ranked: Vec<&CourseStudent> = self.students.iter().collect();
        ranked.sort_by(|one, other| (one.rank, &one.name).cmp(&(other.rank, &other.name)));
        ranked
    }
}

#[derive(Template)]
#[template(path = "course.html")]
struct BoardPage {
    sheet: Sheet,
    heading: String,
    title: String,
    has_open: bool,
    max_points: String,
    suites: Vec<Tab>,
    rows: Vec<StudentRow>,
}

#[derive(Template)]
#[template(path = "course_student.html")]
struct StudentPage {
    sheet: Sheet,
    heading: String,
    name: String,
    title: String,
    rank: usize,
    of: usize,
    points: String,
    max_points: String,
    open: bool,
    lines: Vec<SuiteLine>,
}

/// A suite on a student's page.
struct SuiteLine {
    tab: Tab,
    mark: Option<ShownMark>,
}

/// A suite with its scoreboard.
struct Tab {
    name: String,
    title: String,
    due: Option<String>,
    max_points: String,
    counts: String,
    graded: bool,
    page: Option<String>,
    /// Names and titles of its testcases.
    testcases: Vec<(String, String)>,
    places: Vec<SuiteRow>,
}

/// A student on the scoreboard of a suite.
struct SuiteRow {
    rank: u32,
    name: String,
    page: Option<String>,
    points: String,
    open: bool,
    worst: String,
    /// Class, sign and text for each testcase.
    cells: Vec<(&'static str, &'static str, String)>,
}

/// A student on the scoreboard of the course.
struct StudentRow {
    rank: usize,
    name: String,
    page: String,
    points: String,
    open: bool,
    marks: Vec<Option<ShownMark>>,
}

/// A mark as it is shown.
struct ShownMark {
    kind: &'static str,
    points: String,
    max_points: String,
    counts: String,
    open: bool,
    worst: String,
    late: Option<String>,
    page: Option<String>,
}

impl Tab {
    fn new(suite: &SuiteScoreboard) -> Tab {
        let Some(scoreboard) = &suite.scoreboard else { return Tab::head(suite) };
        let testcases = scoreboard.testcases.iter();
        Tab {
            testcases: testcases.map(|one| (tame(&one.name), tame(&one.title))).collect(),
            places: scoreboard.students.iter().map(SuiteRow::new).collect(),
            ..Tab::head(suite)
        }
    }

    /// Returns the suite without its scoreboard.
    fn head(suite: &SuiteScoreboard) -> Tab {
        Tab {
            name: suite.name.clone(),
            title: tame(&suite.title),
            due: suite.due.as_deref().map(tame),
            max_points: suite.max_points.clone(),
            counts: suite.counts.clone(),
            graded: suite.graded,
            page: suite.page.clone(),
            testcases: Vec::new(),
            places: Vec::new(),
        }
    }
}

impl SuiteRow {
    fn new(place: &ScoreboardRow) -> SuiteRow {
        let cell = |cell: &Option<crate::Cell>| match cell {
            None => ("n", NOT_PLAYED, String::new()),
            Some(cell) => {
                let score = cell.score.map(|score| score.to_string()).unwrap_or_default();
                (kind(cell.verdict), sign(cell.verdict), score)
            }
        };
        SuiteRow {
            rank: place.rank,
            name: tame(&place.name),
            page: place.page.clone(),
            points: place.points.to_string(),
            open: place.is_open(),
            worst: tame(&place.worst_and_late()),
            cells: place.testcases.iter().map(cell).collect(),
        }
    }
}

impl StudentRow {
    fn new(place: &CourseStudent) -> StudentRow {
        let shown = |mark: &CourseMark| ShownMark::new(mark, "");
        StudentRow {
            rank: place.rank,
            name: tame(&place.name),
            page: place.page.clone(),
            points: place.points.clone(),
            open: place.open,
            marks: place.suites.iter().map(|mark| mark.as_ref().map(shown)).collect(),
        }
    }
}

impl ShownMark {
    /// Returns the mark on a page, where `up` leads to the folder of the results.
    fn new(mark: &CourseMark, up: &str) -> ShownMark {
        ShownMark {
            kind: match (mark.open, mark.passed, &mark.page) {
                (true, ..) => "j",
                (_, true, _) => "a",
                (.., Some(_)) => "b",
                (.., None) => "n",
            },
            points: mark.points.clone(),
            max_points: mark.max_points.clone(),
            counts: mark.counts.clone(),
            open: mark.open,
            worst: tame(&mark.worst),
            late: mark.late.as_deref().map(tame),
            page: mark.page.as_ref().map(|page| format!("{up}{page}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::course::tests::scoreboard;

    #[test]
    fn a_page_has_a_tab_for_each_suite_and_no_script() {
        let page = scoreboard().to_html();
        for part in [
            "href=\"#all\"",
            "href=\"#suite-lab1\"",
            "id=\"suite-lab2\"",
            "due 12 &#60;i&#62;November&#60;/i&#62;",
            "Ada &#60;script&#62;",
            "href=\"lab1/scoreboard.html\"",
            "Below threshold; 1 day late: 70 % of 10 points",
            "not graded yet",
        ] {
            assert!(page.contains(part), "{part}\n{page}");
        }
        assert!(!page.contains("<i>November") && !page.contains("Ada <script>"));
    }

    #[test]
    fn a_students_page_names_no_other_student() {
        let scoreboard = scoreboard();
        let [ada, bob] = [0, 1].map(|at| scoreboard.student_page(&scoreboard.students[at]));
        assert!(ada.contains("Ada &#60;script&#62;") && !ada.contains("Bob"), "{ada}");
        assert!(ada.contains("href=\"../lab1/students/x.html\""), "{ada}");
        assert!(ada.contains("0.547") && ada.contains("of 12.5"), "{ada}");
        assert!(
            ada.contains("1 day late: 70 % of 10 points.") && !bob.contains("day late"),
            "{ada}"
        );
        assert!(bob.contains("not final") && !bob.contains("0.547"), "{bob}");
    }
}
