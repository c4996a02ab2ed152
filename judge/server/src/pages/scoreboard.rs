//! The scoreboard of a suite: pseudonyms for students, names for staff.

mod live;

use askama::Template;
use axum::extract::{Path, Query, State};
use axum::response::Response;
use judge_core::Verdict;
use judge_report::page::kind;
use judge_report::sign;
use judge_store::{
    Audience, BoardRow, Owner, PointsShare, ResultRow, ResultState, ScoreboardMode,
    ScoreboardQuery, Suite, Timestamp,
};
use serde::Deserialize;

use super::Attendance;
use super::course::which_counts;
use super::late;
use super::result::label;
use super::when::CourseClock;
use crate::App;
use crate::web::{PageFrame, RequestFailure, Viewer, shown};
use crate::words::Words;

pub(super) use live::events;

/// Number of lines on a page.
const LINES: u32 = 100;

/// Length of the longest name to search, in characters.
const LONGEST: usize = 100;

/// Query of a scoreboard's address: page and filters.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct ScoreboardParams {
    /// The page, from one.
    #[serde(default)]
    pub page: u64,
    /// Text that names must contain.
    #[serde(default)]
    pub name: String,
    /// Share of the points, as a word of [`PointsShare`]; empty for any.
    #[serde(default)]
    pub standing: String,
    /// Word of the worst verdict, for staff; empty for any.
    #[serde(default)]
    pub verdict: String,
}

impl ScoreboardParams {
    /// Checks the filters and turns them into a query of the store.
    fn query<'a>(
        &'a self,
        name: &'a str,
        is_staff: bool,
    ) -> Result<ScoreboardQuery<'a>, RequestFailure> {
        let wrong = RequestFailure::Bad("error.bad_request");
        let standing = match self.standing.as_str() {
            "" => None,
            word => Some(word.parse::<PointsShare>().map_err(|_| wrong.clone())?),
        };
        let worst = match self.verdict.as_str() {
            "" => None,
            word => Some(verdict(word).filter(|_| is_staff).map(|_| word).ok_or(wrong)?),
        };
        let all = ScoreboardQuery::all(Audience::Staff);
        Ok(ScoreboardQuery { name, standing, worst, ..all })
    }

    /// The name to search, trimmed and without control characters.
    fn wanted(&self) -> String {
        self.name.trim().chars().filter(|letter| !letter.is_control()).take(LONGEST).collect()
    }

    /// The filters as part of an address.
    fn filters(&self) -> String {
        let [name, standing, verdict] = [&self.name, &self.standing, &self.verdict];
        let [name, standing, verdict] = [query(name), query(standing), query(verdict)];
        format!("name={name}&standing={standing}&verdict={verdict}")
    }
}

/// The verdict that has this word in reports.
fn verdict(word: &str) -> Option<Verdict> {
    serde_json::from_value(serde_json::Value::String(word.to_owned())).ok()
}

/// The part of a scoreboard that a reader may see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScoreboardPage {
    /// The lines of one page, the best first.
    pub lines: Vec<ScoreboardPageLine>,
    /// The page that is shown, from one.
    pub page: u64,
    /// Number of pages.
    pub pages: u64,
}

/// A line of a scoreboard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScoreboardPageLine {
    /// Rank; none for staff.
    pub rank: Option<u64>,
    /// Pseudonym, or the real name for staff or if the person shows it.
    pub name: String,
    /// True for the line of the reader or of their group.
    pub is_me: bool,
    /// The whole row, only for staff.
    pub row: BoardRow,
}

impl ScoreboardPage {
    /// A page of `lines` lines of a suite's scoreboard, as the reader may see it. Students do not
    /// see staff on it.
    ///
    /// # Errors
    /// When a filter is not valid, or the database fails.
    pub async fn load(
        app: &App,
        viewer: &Viewer,
        attendance: &Attendance,
        suite: &Suite,
        params: &ScoreboardParams,
        lines: u32,
    ) -> Result<ScoreboardPage, RequestFailure> {
        let (is_staff, now) = (attendance.role.is_staff(), Timestamp::now());
        let wanted = params.wanted();
        let asked = params.query(&wanted, is_staff)?;
        let (audience, until) = match suite.settings.scoreboard {
            _ if is_staff => (Audience::Staff, None),
            ScoreboardMode::Live => (Audience::Members(now), None),
            ScoreboardMode::Ahead => (Audience::Ahead(&viewer.person.id, now), None),
            ScoreboardMode::Frozen => (Audience::Members(now), suite.settings.frozen_at),
            ScoreboardMode::Hidden => {
                return Ok(ScoreboardPage { lines: Vec::new(), page: 1, pages: 1 });
            }
        };
        let asked = ScoreboardQuery { audience, until, most: lines, ..asked };
        let mut page = params.page.max(1);
        let skip = |page: u64| (page - 1).saturating_mul(u64::from(lines));
        let at = async |page| {
            let asked = ScoreboardQuery { skip: skip(page), ..asked };
            let part = app.scoreboards().part(app.store(), app.hub(), suite, &asked).await;
            part.map_err(RequestFailure::internal)
        };
        let mut part = at(page).await?;
        if part.rows.is_empty() && page > 1 {
            // The page is after the last one, perhaps because there are fewer lines than before.
            let total = at(1).await?.total;
            page = total.div_ceil(u64::from(lines)).max(1);
            part = at(page).await?;
        }
        let pages = part.total.div_ceil(u64::from(lines)).max(1);
        let owner = app.store().owner_on(suite, &viewer.person.id).await;
        let owner = owner.map_err(RequestFailure::internal)?;
        let line = |row| ScoreboardPageLine::new(row, &owner, is_staff);
        Ok(ScoreboardPage { lines: part.rows.iter().cloned().map(line).collect(), page, pages })
    }
}

impl ScoreboardPageLine {
    fn new(row: BoardRow, reader: &Owner, is_staff: bool) -> ScoreboardPageLine {
        ScoreboardPageLine {
            rank: row.rank,
            is_me: row.owner == *reader,
            name: match is_staff || row.shows_real_name {
                true => row.name.clone(),
                false => row.pseudonym.clone(),
            },
            row,
        }
    }
}

#[derive(Template)]
#[template(path = "scoreboard.html")]
struct BoardPage {
    frame: PageFrame,
    suite_title: String,
    mode: String,
    counts: &'static str,
    names: Option<String>,
    back: String,
    rows: Vec<RowView>,
    is_staff: bool,
    wanted: String,
    standings: Vec<Choice>,
    verdicts: Vec<Choice>,
    filters: String,
    page: u64,
    pages: u64,
}

/// An option of a filter: its word, its label, and true if it is selected.
type Choice = (String, String, bool);

/// The table only, for the script.
#[derive(Template)]
#[template(path = "scoreboard_rows.html")]
struct Rows {
    frame: PageFrame,
    rows: Vec<RowView>,
    is_staff: bool,
}

struct RowView {
    rank: String,
    name: String,
    link: Option<String>,
    is_me: bool,
    kind: &'static str,
    points: String,
    max_points: String,
    attempts: u64,
    when: String,
    /// Lateness and adjusted points in words, for staff and the author; empty if there are none.
    remarks: String,
    /// Sign and words of the worst verdict, score and passed testcases; only for staff.
    whole: Option<(&'static str, String, i64, String)>,
}

fn row_views(scoreboard: &ScoreboardPage, words: &Words, attendance: &Attendance) -> Vec<RowView> {
    let clock = CourseClock::from_course(&attendance.course);
    scoreboard.lines.iter().map(|line| row_view(line, words, attendance, &clock)).collect()
}

fn row_view(
    line: &ScoreboardPageLine,
    words: &Words,
    attendance: &Attendance,
    clock: &CourseClock,
) -> RowView {
    let is_staff = attendance.role.is_staff();
    let result = &line.row.result;
    let link = (is_staff || line.is_me).then(|| format!("/submissions/{}", result.submission));
    let verdict = verdict(&result.worst);
    let whole = verdict.filter(|_| is_staff).map(|verdict| {
        let passed = format!("{}/{}", result.passed, result.testcases);
        (sign(verdict), label(words, verdict.label()), result.score, passed)
    });
    let public = match result.state {
        ResultState::JudgeError => "j",
        ResultState::Refused => "f",
        ResultState::Graded if result.points >= result.max_points => "a",
        ResultState::Graded => "b",
    };
    RowView {
        rank: line.rank.map_or_else(|| "–".to_owned(), |rank| rank.to_string()),
        name: line.name.clone(),
        link,
        is_me: line.is_me,
        kind: verdict.filter(|_| is_staff).map_or(public, kind),
        points: result.points.to_string(),
        max_points: result.max_points.to_string(),
        attempts: line.row.attempts,
        when: clock.local(result.received_at),
        remarks: if is_staff || line.is_me { remarks(words, result) } else { String::new() },
        whole,
    }
}

/// The lateness of a result, and that its points are adjusted, in words.
fn remarks(words: &Words, result: &ResultRow) -> String {
    let adjusted = result.adjusted.map(|_| words.t("review.remark").to_owned());
    let late = late::lateness(words, result.lateness);
    adjusted.into_iter().chain(late).collect::<Vec<_>>().join(" ")
}

/// Encodes a text for the query of an address.
fn query(text: &str) -> String {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
    let encoded = text.bytes().map(|byte| match plain(&byte) {
        true => char::from(byte).to_string(),
        false => format!("%{byte:02X}"),
    });
    encoded.collect()
}

fn standings(words: &Words, params: &ScoreboardParams) -> Vec<Choice> {
    let choice = |one: &PointsShare| {
        let called = words.find("standing", one.name()).unwrap_or_default();
        (one.name().to_owned(), called.to_owned(), one.name() == params.standing)
    };
    PointsShare::ALL.iter().map(choice).collect()
}

/// The verdicts that staff can filter by.
fn verdicts(words: &Words, params: &ScoreboardParams) -> Vec<Choice> {
    let choice = |one: &Verdict| {
        let word = serde_json::to_value(one).ok()?.as_str()?.to_owned();
        let is_chosen = word == params.verdict;
        Some((word, label(words, one.label()), is_chosen))
    };
    Verdict::ALL.iter().filter_map(choice).collect()
}

/// `/c/{course}/s/{suite}/scoreboard`.
pub(super) async fn page(
    State(app): State<App>,
    viewer: Viewer,
    Path((course, suite)): Path<(String, String)>,
    Query(params): Query<ScoreboardParams>,
) -> Result<Response, RequestFailure> {
    let attendance = Attendance::load(&app, &viewer, &course).await?;
    let suite = attendance.suite(&app, &suite).await?;
    let scoreboard =
        ScoreboardPage::load(&app, &viewer, &attendance, &suite, &params, LINES).await?;
    let words = viewer.language.words();
    let title = format!("{}: {}", words.t("scoreboard.title"), suite.title);
    let is_staff = attendance.role.is_staff();
    shown(&BoardPage {
        frame: PageFrame::new(&viewer, title)
            .in_course(attendance.link())
            .with_script("scoreboard.js"),
        mode: mode(words, &attendance, &suite),
        counts: which_counts(words, suite.settings.counts),
        names: is_staff.then(|| words.t("scoreboard.real_names").to_owned()),
        back: format!("/c/{course}/s/{}", suite.slug),
        suite_title: suite.title,
        rows: row_views(&scoreboard, words, &attendance),
        is_staff,
        standings: standings(words, &params),
        verdicts: if is_staff { verdicts(words, &params) } else { Vec::new() },
        filters: params.filters(),
        wanted: params.name,
        page: scoreboard.page,
        pages: scoreboard.pages,
    })
}

/// Describes the part of the scoreboard that students see now.
fn mode(words: &Words, attendance: &Attendance, suite: &Suite) -> String {
    let clock = CourseClock::from_course(&attendance.course);
    match (suite.settings.scoreboard, suite.settings.frozen_at) {
        (ScoreboardMode::Live, _) => words.t("scoreboard.live").to_owned(),
        (ScoreboardMode::Ahead, _) => words.t("find.ahead").to_owned(),
        (ScoreboardMode::Hidden, _) => words.t("scoreboard.hidden").to_owned(),
        (ScoreboardMode::Frozen, Some(at)) => words.t1("scoreboard.frozen_at", clock.exact(at)),
        (ScoreboardMode::Frozen, None) => words.t("scoreboard.frozen").to_owned(),
    }
}

/// `/c/{course}/s/{suite}/scoreboard/rows`: only the table.
pub(super) async fn rows(
    State(app): State<App>,
    viewer: Viewer,
    Path((course, suite)): Path<(String, String)>,
    Query(params): Query<ScoreboardParams>,
) -> Result<Response, RequestFailure> {
    let attendance = Attendance::load(&app, &viewer, &course).await?;
    let suite = attendance.suite(&app, &suite).await?;
    let scoreboard =
        ScoreboardPage::load(&app, &viewer, &attendance, &suite, &params, LINES).await?;
    let rows = row_views(&scoreboard, viewer.language.words(), &attendance);
    let frame = PageFrame::new(&viewer, "");
    shown(&Rows { frame, rows, is_staff: attendance.role.is_staff() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn query_values_are_percent_encoded() {
        assert_eq!(query("Ada & \"Bob\"=<é>"), "Ada%20%26%20%22Bob%22%3D%3C%C3%A9%3E");
    }

    #[test]
    fn unknown_filters_are_refused_and_only_staff_filter_verdicts() {
        let params = |standing: &str, verdict: &str| {
            let (standing, verdict) = (standing.to_owned(), verdict.to_owned());
            ScoreboardParams { standing, verdict, ..ScoreboardParams::default() }
        };
        assert!(params("all", "").query("", false).is_ok());
        assert!(params("all' OR 1=1--", "").query("", true).is_err());
        assert!(params("", "runtime-error").query("", true).is_ok());
        assert!(params("", "runtime-error").query("", false).is_err());
        assert!(params("", "nothing").query("", true).is_err());
    }
}
