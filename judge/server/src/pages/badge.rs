//! Badges: pictures of students' standings for other sites. Any visitor with a badge's address can
//! see it until its owner switches it off.

use askama::Template;
use axum::extract::{Form, Path, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderName};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::{IntoResponse as _, Redirect, Response};
use judge_store::{
    Audience, Badge, BadgeId, BadgeParts, BoardRow, Role, ScoreboardMode, ScoreboardQuery, Suite,
    Timestamp,
};
use serde::Deserialize;

use super::Attendance;
use crate::App;
use crate::web::{Keeper, RequestFailure, Tag, Viewer};

/// Time for which a cache may keep a badge.
const KEPT: HeaderValue = HeaderValue::from_static("public, max-age=300");

const KIND: HeaderValue = HeaderValue::from_static("image/svg+xml; charset=utf-8");

/// Lets other sites embed the picture, which is its purpose.
const FOR_ALL: (HeaderName, HeaderValue) = (
    HeaderName::from_static("cross-origin-resource-policy"),
    HeaderValue::from_static("cross-origin"),
);

/// Widths of a letter and of the margins, in pixels.
const LETTER: usize = 7;
const BLANK: usize = 8;

/// The form: the parts that a badge shows, and the button that switches it off.
#[derive(Deserialize)]
pub(super) struct BadgeForm {
    name: Option<String>,
    points: Option<String>,
    rank: Option<String>,
    off: Option<String>,
}

/// Switches the reader's own badge for a suite on or off.
pub(super) async fn set(
    State(app): State<App>,
    viewer: Viewer,
    Path((course, suite)): Path<(String, String)>,
    Form(form): Form<BadgeForm>,
) -> Result<Response, RequestFailure> {
    let attendance = Attendance::load(&app, &viewer, &course).await?;
    let suite = attendance.suite(&app, &suite).await?;
    if attendance.role != Role::Student {
        return Err(RequestFailure::NotAllowed);
    }
    let (store, person) = (app.store(), &viewer.person.id);
    let [name, points, rank] = [form.name, form.points, form.rank].map(|part| part.is_some());
    let done = match form.off {
        Some(_) => store.hide_badge(&suite.id, person).await,
        None => {
            let parts = BadgeParts { name, points, rank };
            store.show_badge(&suite.id, person, parts, Timestamp::now()).await
        }
    };
    done.map_err(RequestFailure::internal)?;
    Ok(Redirect::to(&format!("/c/{course}/s/{}#badge", suite.slug)).into_response())
}

#[derive(Template)]
#[template(path = "badge.svg")]
struct Picture {
    left: String,
    right: String,
    widths: [usize; 2],
    places: [usize; 2],
}

impl Picture {
    fn new(left: String, right: String) -> Picture {
        let widths = [width(&left), width(&right)];
        let places = [widths[0] / 2, widths[0] + widths[1] / 2];
        Picture { left, right, widths, places }
    }
}

/// Width of a text with margins. Letters beyond ASCII count twice, because they may be wide.
fn width(text: &str) -> usize {
    let letters = text.chars().map(|letter| if letter.is_ascii() { LETTER } else { 2 * LETTER });
    letters.sum::<usize>() + 2 * BLANK
}

/// `/badge/{id}.svg`: a badge, public. A badge that is switched off looks as if it never existed.
pub(super) async fn picture(
    State(app): State<App>,
    Path(file): Path<String>,
    asked: HeaderMap,
) -> Result<Response, RequestFailure> {
    let id = file.strip_suffix(".svg").ok_or(RequestFailure::NotFound)?;
    let id: BadgeId = id.parse().map_err(|_| RequestFailure::NotFound)?;
    let badge = app.store().badge(&id).await.map_err(RequestFailure::internal)?;
    let badge = badge.ok_or(RequestFailure::NotFound)?;
    let suite = app.store().suite(&badge.suite).await.map_err(RequestFailure::internal)?;
    let suite = suite.ok_or(RequestFailure::NotFound)?;
    // A person who left the course has no standing in it.
    let member = app.store().member(&suite.course, &badge.person).await;
    let member = member.map_err(RequestFailure::internal)?.ok_or(RequestFailure::NotFound)?;
    let line = line(&app, &suite, &badge).await?;
    let left = match badge.parts.name {
        true => format!("{}: {}", suite.title, member.pseudonym),
        false => suite.title,
    };
    let right = standing(badge.parts, line.as_ref());
    let tag = Tag::new(&[left.as_bytes(), right.as_bytes()]);
    let mut answer = match tag.is_known(&asked) {
        true => tag.unchanged(Keeper::Anybody),
        false => {
            let picture = Picture::new(left, right).render().map_err(RequestFailure::internal)?;
            tag.on(([(CONTENT_TYPE, KIND)], picture), Keeper::Anybody)
        }
    };
    for (name, value) in [(CACHE_CONTROL, KEPT), FOR_ALL] {
        answer.headers_mut().insert(name, value);
    }
    Ok(answer)
}

/// The line of the owner, or of their group, as other students see it; none if the scoreboard is hidden.
async fn line(app: &App, suite: &Suite, badge: &Badge) -> Result<Option<BoardRow>, RequestFailure> {
    let audience = Audience::Ahead(&badge.person, Timestamp::now());
    let until = match suite.settings.scoreboard {
        ScoreboardMode::Hidden => return Ok(None),
        ScoreboardMode::Frozen => suite.settings.frozen_at,
        ScoreboardMode::Live | ScoreboardMode::Ahead => None,
    };
    let asked = ScoreboardQuery { until, ..ScoreboardQuery::all(audience) };
    let part = app.scoreboards().part(app.store(), app.hub(), suite, &asked).await;
    let part = part.map_err(RequestFailure::internal)?;
    let owner = app.store().owner_on(suite, &badge.person).await;
    let owner = owner.map_err(RequestFailure::internal)?;
    Ok(part.rows.iter().find(|row| row.owner == owner).cloned())
}

/// Points and rank, as far as they are shown. Only digits, because the reader's language is
/// unknown.
fn standing(parts: BadgeParts, line: Option<&BoardRow>) -> String {
    let Some(line) = line else { return "–".to_owned() };
    let result = &line.result;
    let points = parts.points.then(|| format!("{}/{}", result.points, result.max_points));
    let rank = line.rank.filter(|_| parts.rank).map(|rank| format!("#{rank}"));
    let shown: Vec<String> = [points, rank].into_iter().flatten().collect();
    if shown.is_empty() { "–".to_owned() } else { shown.join(" · ") }
}

/// A badge on its owner's page.
pub(super) struct BadgeView {
    /// Path and full address; none if it is off.
    pub(super) place: Option<[String; 2]>,
    pub(super) parts: BadgeParts,
}

impl BadgeView {
    /// The reader's badge for a suite; none for staff and observers, who are not on scoreboards.
    pub(super) async fn load(
        app: &App,
        viewer: &Viewer,
        attendance: &Attendance,
        suite: &Suite,
    ) -> Result<Option<BadgeView>, RequestFailure> {
        if attendance.role != Role::Student || attendance.course.is_archived() {
            return Ok(None);
        }
        let badge = app.store().badge_of(&suite.id, &viewer.person.id).await;
        let badge = badge.map_err(RequestFailure::internal)?;
        let place = |badge: &Badge| {
            let path = format!("/badge/{}.svg", badge.id);
            let address = format!("{}{path}", app.config().base_url());
            [path, address]
        };
        let usual = BadgeParts { points: true, ..BadgeParts::default() };
        Ok(Some(BadgeView {
            place: badge.as_ref().map(place),
            parts: badge.map_or(usual, |badge| badge.parts),
        }))
    }
}
