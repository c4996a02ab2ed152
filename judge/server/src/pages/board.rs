//! The scoreboard of a suite: pseudonyms for students, names for staff.

use std::convert::Infallible;

use askama::Template;
use axum::extract::{Path, Query, State};
use axum::response::Response;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::Stream;
use futures_util::stream::unfold;
use judge_report::page::kind;
use judge_report::sign;
use judge_store::{BoardMode, BoardRow, ResultState, Role, Suite};
use serde::Deserialize;

use super::Attendance;
use super::result::label;
use super::when::Clock;
use crate::App;
use crate::web::{Failure, Frame, Viewer, shown};
use crate::words::Words;

/// Lines of a page.
const LINES: usize = 100;

/// Which part of the scoreboard is looked at.
#[derive(Debug, Default, Deserialize)]
pub struct Looks {
    #[serde(default)]
    page: usize,
    #[serde(default)]
    name: String,
}

/// A scoreboard as somebody may see it.
#[derive(Debug)]
pub struct Board {
    /// Its lines, the best first.
    pub lines: Vec<BoardLine>,
    /// True if it is hidden from whoever looks.
    pub is_hidden: bool,
}

/// A line of a scoreboard.
#[derive(Debug)]
pub struct BoardLine {
    /// Place; none for staff who try it out.
    pub rank: Option<u64>,
    /// Pseudonym, or the real name for staff and of those who show it.
    pub name: String,
    /// True if it is the line of whoever looks.
    pub is_me: bool,
    /// The row, all of which is for staff.
    pub row: BoardRow,
}

impl Board {
    /// The scoreboard of a suite as somebody may see it. Students do not see staff on it.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn of(
        app: &App,
        viewer: &Viewer,
        attendance: &Attendance,
        suite: &Suite,
    ) -> Result<Board, Failure> {
        let is_staff = attendance.role.is_staff();
        let until = match suite.settings.board {
            BoardMode::Hidden if !is_staff => {
                return Ok(Board { lines: Vec::new(), is_hidden: true });
            }
            BoardMode::Frozen if !is_staff => suite.settings.frozen_at,
            _ => None,
        };
        let rows = app.store().scoreboard(&suite.id, until).await.map_err(Failure::internal)?;
        let seen = rows.into_iter().filter(|row| is_staff || row.role == Role::Student);
        let line = |row: BoardRow| BoardLine {
            rank: row.rank,
            is_me: row.result.person == viewer.person.id,
            name: match is_staff || row.shows_real_name {
                true => row.name.clone(),
                false => row.pseudonym.clone(),
            },
            row,
        };
        Ok(Board { lines: seen.map(line).collect(), is_hidden: false })
    }
}

#[derive(Template)]
#[template(path = "board.html")]
struct BoardPage {
    frame: Frame,
    suite_title: String,
    mode: String,
    names: Option<String>,
    back: String,
    rows: Vec<RowView>,
    is_staff: bool,
    wanted: String,
    wanted_query: String,
    page: usize,
    pages: usize,
}

/// The table alone, for the script.
#[derive(Template)]
#[template(path = "board_rows.html")]
struct Rows {
    frame: Frame,
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
    /// Sign and words of the worst verdict, score and passed testcases: for staff.
    whole: Option<(&'static str, String, i64, String)>,
}

/// The lines of one page of the scoreboard, and how many pages there are.
struct Part {
    rows: Vec<RowView>,
    page: usize,
    pages: usize,
}

fn part(board: &Board, looks: &Looks, words: &Words, attendance: &Attendance) -> Part {
    let clock = Clock::of(&attendance.course);
    let wanted = looks.name.trim().to_lowercase();
    let fits = |line: &&BoardLine| line.name.to_lowercase().contains(&wanted);
    let lines: Vec<&BoardLine> = board.lines.iter().filter(fits).collect();
    let pages = lines.len().div_ceil(LINES).max(1);
    let page = looks.page.clamp(1, pages);
    let rows = lines.into_iter().skip((page - 1) * LINES).take(LINES);
    let rows = rows.map(|line| row_view(line, words, attendance, &clock)).collect();
    Part { rows, page, pages }
}

fn row_view(line: &BoardLine, words: &Words, attendance: &Attendance, clock: &Clock) -> RowView {
    let is_staff = attendance.role.is_staff();
    let result = &line.row.result;
    let link = (is_staff || line.is_me).then(|| format!("/submissions/{}", result.submission));
    let verdict: Option<judge_core::Verdict> =
        serde_json::from_value(serde_json::Value::String(result.worst.clone())).ok();
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
        whole,
    }
}

/// A text as it stands in an address.
fn query(text: &str) -> String {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
    let encoded = text.bytes().map(|byte| match plain(&byte) {
        true => char::from(byte).to_string(),
        false => format!("%{byte:02X}"),
    });
    encoded.collect()
}

/// `/c/{course}/s/{suite}/board`.
pub(super) async fn page(
    State(app): State<App>,
    viewer: Viewer,
    Path((course, suite)): Path<(String, String)>,
    Query(looks): Query<Looks>,
) -> Result<Response, Failure> {
    let attendance = Attendance::of(&app, &viewer, &course).await?;
    let suite = attendance.suite(&app, &suite).await?;
    let board = Board::of(&app, &viewer, &attendance, &suite).await?;
    let words = viewer.language.words();
    let Part { rows, page, pages } = part(&board, &looks, words, &attendance);
    let title = format!("{}: {}", words.t("board.title"), suite.title);
    let is_staff = attendance.role.is_staff();
    shown(&BoardPage {
        frame: Frame::of(&viewer, title).in_course(attendance.link()).with_script("board.js"),
        mode: mode(words, &attendance, &suite),
        names: is_staff.then(|| words.t("board.real_names").to_owned()),
        back: format!("/c/{course}/s/{}", suite.slug),
        suite_title: suite.title,
        rows,
        is_staff,
        wanted_query: query(&looks.name),
        wanted: looks.name,
        page,
        pages,
    })
}

/// What students see at this time.
fn mode(words: &Words, attendance: &Attendance, suite: &Suite) -> String {
    let clock = Clock::of(&attendance.course);
    match (suite.settings.board, suite.settings.frozen_at) {
        (BoardMode::Live, _) => words.t("board.live").to_owned(),
        (BoardMode::Hidden, _) => words.t("board.hidden").to_owned(),
        (BoardMode::Frozen, Some(at)) => words.t1("board.frozen_at", clock.exact(at)),
        (BoardMode::Frozen, None) => words.t("board.frozen").to_owned(),
    }
}

/// `/c/{course}/s/{suite}/board/rows`: the table alone.
pub(super) async fn rows(
    State(app): State<App>,
    viewer: Viewer,
    Path((course, suite)): Path<(String, String)>,
    Query(looks): Query<Looks>,
) -> Result<Response, Failure> {
    let attendance = Attendance::of(&app, &viewer, &course).await?;
    let suite = attendance.suite(&app, &suite).await?;
    let board = Board::of(&app, &viewer, &attendance, &suite).await?;
    let rows = part(&board, &looks, viewer.language.words(), &attendance).rows;
    let frame = Frame::of(&viewer, "");
    shown(&Rows { frame, rows, is_staff: attendance.role.is_staff() })
}

/// `/c/{course}/s/{suite}/board/events`: a message whenever the scoreboard changes for whoever
/// looks. One that stands still says nothing: when results come in is not to be told either.
pub(super) async fn events(
    State(app): State<App>,
    viewer: Viewer,
    Path((course, suite)): Path<(String, String)>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Failure> {
    let attendance = Attendance::of(&app, &viewer, &course).await?;
    let suite = attendance.suite(&app, &suite).await?;
    let moves = attendance.role.is_staff() || suite.settings.board == BoardMode::Live;
    let follower = app.hub().follow_board(&suite.id);
    let messages = unfold(follower, move |mut follower| async move {
        if !moves {
            return std::future::pending().await;
        }
        follower.changed().await.ok()?;
        Some((Ok(Event::default().data("moved")), follower))
    });
    Ok(Sse::new(messages).keep_alive(KeepAlive::default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_leaves_its_place_in_an_address() {
        assert_eq!(query("Ada & \"Bob\"=<é>"), "Ada%20%26%20%22Bob%22%3D%3C%C3%A9%3E");
    }
}
