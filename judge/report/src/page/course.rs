//! The pages of a course with several suites: a scoreboard with a tab per suite, and a page per
//! student for all suites.

use askama::Template;

use super::scoreboard::kind;
use super::sheet::{Sheet, tame};
use crate::course::{CourseMark, CourseScoreboard, CourseStudent, SuiteScoreboard};
use crate::scoreboard::{Cell, NOT_PLAYED, ScoreboardRow, sign};

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
            students: self.ranked(),
        };
        page.render().expect("writing to a text does not fail") + "\n"
    }

    /// Renders the page of one student. It contains nothing about other students.
    pub fn student_page(&self, place: &CourseStudent) -> String {
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
            lines: std::iter::zip(&self.suites, &place.suites).map(SuiteLine::new).collect(),
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
struct BoardPage<'a> {
    sheet: Sheet,
    heading: String,
    title: String,
    has_open: bool,
    max_points: String,
    suites: Vec<Tab<'a>>,
    students: Vec<&'a CourseStudent>,
}

#[derive(Template)]
#[template(path = "course_student.html")]
struct StudentPage<'a> {
    sheet: Sheet,
    heading: String,
    name: String,
    title: String,
    rank: usize,
    of: usize,
    points: String,
    max_points: String,
    open: bool,
    lines: Vec<SuiteLine<'a>>,
}

/// A suite on a student's page.
struct SuiteLine<'a> {
    tab: Tab<'a>,
    mark: Option<&'a CourseMark>,
}

impl<'a> SuiteLine<'a> {
    fn new((suite, mark): (&'a SuiteScoreboard, &'a Option<CourseMark>)) -> SuiteLine<'a> {
        SuiteLine { tab: Tab::head(suite), mark: mark.as_ref() }
    }
}

/// A suite with its scoreboard.
struct Tab<'a> {
    name: String,
    title: String,
    due: Option<String>,
    max_points: String,
    counts: String,
    graded: bool,
    page: Option<String>,
    /// Names and titles of its testcases.
    testcases: Vec<(String, String)>,
    students: &'a [ScoreboardRow],
}

impl Tab<'_> {
    fn new(suite: &SuiteScoreboard) -> Tab<'_> {
        let Some(scoreboard) = &suite.scoreboard else { return Tab::head(suite) };
        let testcases = scoreboard.testcases.iter();
        Tab {
            testcases: testcases.map(|one| (tame(&one.name), tame(&one.title))).collect(),
            students: &scoreboard.students,
            ..Tab::head(suite)
        }
    }

    /// Returns the suite without its scoreboard.
    fn head(suite: &SuiteScoreboard) -> Tab<'_> {
        Tab {
            name: suite.name.clone(),
            title: tame(&suite.title),
            due: suite.due.as_deref().map(tame),
            max_points: suite.max_points.clone(),
            counts: suite.counts.clone(),
            graded: suite.graded,
            page: suite.page.clone(),
            testcases: Vec::new(),
            students: &[],
        }
    }
}

impl Cell {
    /// The class of the cell.
    fn kind(&self) -> &'static str {
        kind(self.verdict)
    }

    fn sign(&self) -> &'static str {
        sign(self.verdict)
    }

    fn shown_score(&self) -> String {
        self.score.map(|score| score.to_string()).unwrap_or_default()
    }
}

impl ScoreboardRow {
    fn shown_name(&self) -> String {
        tame(&self.name)
    }

    fn shown_worst(&self) -> String {
        tame(&self.worst_and_late())
    }
}

impl CourseStudent {
    fn shown_name(&self) -> String {
        tame(&self.name)
    }
}

impl CourseMark {
    /// The class of its cell.
    fn kind(&self) -> &'static str {
        match (self.open, self.passed, &self.page) {
            (true, ..) => "j",
            (_, true, _) => "a",
            (.., Some(_)) => "b",
            (.., None) => "n",
        }
    }

    fn shown_worst(&self) -> String {
        tame(&self.worst)
    }

    fn shown_late(&self) -> Option<String> {
        self.late.as_deref().map(tame)
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
