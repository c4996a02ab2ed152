//! The platform that a list comes from, recognized by its titles and, for Moodle in any language,
//! by the identifiers in its rows.

use std::collections::BTreeSet;

use super::titles::{StudentField, bare};
use crate::base::list_file::ListFile;
use crate::bots::roster::identifier_parts;

/// The origin of a list of students.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ListOrigin {
    /// The grading worksheet of an assignment in Moodle.
    MoodleWorksheet,
    /// The participants of a course in Moodle, or its gradebook.
    MoodleParticipants,
    /// The gradebook of a course in Canvas.
    Canvas,
    /// The roster or the scores of a course on Gradescope.
    Gradescope,
    /// The roster of a classroom on GitHub Classroom.
    GithubClassroom,
    /// The grades of an assignment on GitHub Classroom.
    GithubGrades,
    /// The roster of a classroom on Classroom 50.
    Classroom50,
    /// Any other list.
    Plain,
}

/// Titles of the first column of Moodle's worksheet.
const IDENTIFIER: [&str; 6] =
    ["identifier", "id", "identificador", "identifiant", "identificatore", "identificatie"];

/// Words of Moodle's identifiers, in letters only.
const PARTICIPANT: [&str; 6] =
    ["participant", "teilnehmerin", "teilnehmer", "participante", "partecipante", "deelnemer"];

/// Titles of the submission's group in Moodle's worksheet.
const TEAM: [&str; 6] = ["group", "gruppe", "grupo", "grup", "groupe", "gruppo"];

impl ListOrigin {
    /// Recognizes the origin of a list.
    pub(super) fn new(list: &ListFile) -> ListOrigin {
        let titles: BTreeSet<String> = list.header.iter().map(|title| bare(title)).collect();
        let has = |all: &[&str]| all.iter().all(|title| titles.contains(*title));
        if identifiers(list).is_some() {
            return ListOrigin::MoodleWorksheet;
        }
        if has(&["submission"]) {
            return ListOrigin::Plain;
        }
        let has_points =
            has(&["section"]) && list.rows.iter().any(|row| is_points_possible(row.field(Some(0))));
        let known: [(ListOrigin, bool); 6] = [
            (
                ListOrigin::Canvas,
                has(&["student", "id"])
                    && (has_points || has(&["sisuserid"]) || has(&["sisloginid"])),
            ),
            (ListOrigin::GithubClassroom, has(&["identifier", "githubusername"])),
            (ListOrigin::GithubGrades, has(&["githubusername", "studentrepositoryname"])),
            (
                ListOrigin::Classroom50,
                has(&["username", "githubid"])
                    || has(&["username", "firstname", "lastname", "email", "section"]),
            ),
            (
                ListOrigin::Gradescope,
                has(&["sid", "email"]) && (has(&["name"]) || has(&["lastname"])),
            ),
            (ListOrigin::MoodleParticipants, is_of_moodle(&titles)),
        ];
        known.into_iter().find(|(_, is_it)| *is_it).map_or(ListOrigin::Plain, |(origin, _)| origin)
    }

    /// The name for people.
    pub(super) fn title(self) -> &'static str {
        match self {
            ListOrigin::MoodleWorksheet => "Moodle's grading worksheet",
            ListOrigin::MoodleParticipants => "Moodle's participants",
            ListOrigin::Canvas => "Canvas's gradebook",
            ListOrigin::Gradescope => "Gradescope's roster",
            ListOrigin::GithubClassroom => "GitHub Classroom's roster",
            ListOrigin::GithubGrades => "GitHub Classroom's grades",
            ListOrigin::Classroom50 => "Classroom 50's roster",
            ListOrigin::Plain => "list of students",
        }
    }

    /// The name in JSON.
    pub(super) fn name(self) -> &'static str {
        match self {
            ListOrigin::MoodleWorksheet => "moodle-worksheet",
            ListOrigin::MoodleParticipants => "moodle-participants",
            ListOrigin::Canvas => "canvas",
            ListOrigin::Gradescope => "gradescope",
            ListOrigin::GithubClassroom => "github-classroom",
            ListOrigin::GithubGrades => "github-classroom-grades",
            ListOrigin::Classroom50 => "classroom50",
            ListOrigin::Plain => "plain",
        }
    }

    /// The field of each column; none for a column that is not used.
    pub(super) fn fields(self, list: &ListFile) -> Vec<Option<StudentField>> {
        let identifiers = identifiers(list).filter(|_| self == ListOrigin::MoodleWorksheet);
        let times = times(list).filter(|_| self == ListOrigin::MoodleWorksheet);
        let field = |(at, title): (usize, &String)| {
            if identifiers == Some(at) {
                return Some(StudentField::Identifier);
            }
            if times == Some(at) {
                return Some(StudentField::Submitted);
            }
            self.field(list, at, &bare(title)).unwrap_or_else(|| StudentField::with_title(title))
        };
        list.header.iter().enumerate().map(field).collect()
    }

    /// The field of a title that has another meaning on this platform; none if it has the usual
    /// one.
    fn field(self, list: &ListFile, at: usize, title: &str) -> Option<Option<StudentField>> {
        match (self, title) {
            (ListOrigin::MoodleWorksheet, title) if TEAM.contains(&title) => {
                Some(Some(StudentField::Group))
            }
            (ListOrigin::Canvas, "student") => Some(Some(StudentField::FamilyFirst)),
            (ListOrigin::Canvas, "id") => Some(Some(StudentField::Identifier)),
            (ListOrigin::Canvas, "sisuserid" | "sisloginid") => None,
            // Assignments may have any name.
            (ListOrigin::Canvas, _) => Some(None),
            (ListOrigin::GithubGrades, "studentrepositoryname") => {
                Some(Some(StudentField::Submission))
            }
            (ListOrigin::GithubGrades, "groupname") => Some(Some(StudentField::Group)),
            (ListOrigin::GithubGrades, "rosteridentifier") => Some(Some(identifier_of(list, at))),
            (ListOrigin::GithubClassroom, "identifier") => Some(Some(identifier_of(list, at))),
            (ListOrigin::GithubClassroom, "name") => {
                let names = list.header.iter().position(|title| bare(title) == "identifier");
                let names = names.is_some_and(|at| identifier_of(list, at) == StudentField::Name);
                Some((!names).then_some(StudentField::Name))
            }
            _ => None,
        }
    }
}

/// The meaning of the identifiers on GitHub Classroom, which the instructor chose.
fn identifier_of(list: &ListFile, at: usize) -> StudentField {
    let all: Vec<String> = list.rows.iter().filter_map(|row| row.field(Some(at))).collect();
    if all.iter().any(|text| text.contains(char::is_whitespace)) {
        return StudentField::Name;
    }
    match !all.is_empty() && all.iter().all(|text| text.contains('@')) {
        true => StudentField::Address,
        false => StudentField::Id,
    }
}

/// The column with the identifiers of Moodle's worksheet: a word and a number in each row.
fn identifiers(list: &ListFile) -> Option<usize> {
    let is_titled = |title: &String| IDENTIFIER.contains(&&*bare(title));
    let at = list.header.iter().position(is_titled)?;
    let mut words = BTreeSet::new();
    for row in &list.rows {
        let Some(identifier) = row.field(Some(at)) else { continue };
        let (word, number) = identifier_parts(&identifier);
        if word.is_empty() || number.is_empty() {
            return None;
        }
        words.insert(bare(word));
    }
    let known = words.iter().all(|word| PARTICIPANT.contains(&word.as_str()));
    let has_times = times(list).is_some();
    let is_one = words.len() == 1 && (known || has_times);
    // A worksheet without students is known by its other columns.
    (is_one || words.is_empty() && has_times).then_some(at)
}

/// The first of two columns such as `Last modified (submission)` and `Last modified (grade)`, which
/// Moodle's worksheet has in every language.
fn times(list: &ListFile) -> Option<usize> {
    let start = |title: &str| Some(title.split_once(" (")?.0.to_owned());
    let starts: Vec<Option<String>> = list.header.iter().map(|title| start(title)).collect();
    (0..starts.len()).find(|at| starts[*at].is_some() && starts[at + 1..].contains(&starts[*at]))
}

/// True for the titles of Moodle's participants: both names, the address, and groups or numbers.
fn is_of_moodle(titles: &BTreeSet<String>) -> bool {
    let fields: Vec<StudentField> =
        titles.iter().filter_map(|title| StudentField::with_title(title)).collect();
    let needed = [StudentField::Given, StudentField::Family, StudentField::Address];
    let more =
        ["groups", "gruppen", "grupos", "grups", "groupes", "gruppi", "idnumber", "idnummer"];
    needed.iter().all(|field| fields.contains(field))
        && more.iter().any(|title| titles.contains(*title))
}

/// True for the title of Canvas's row with the maximum of each assignment.
pub(super) fn is_points_possible(name: Option<String>) -> bool {
    name.is_some_and(|name| bare(&name) == "pointspossible")
}
