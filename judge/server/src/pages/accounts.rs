//! Accounts of the server, for administrators: search, export and erasure. Every person also gets
//! their own data.

use askama::Template;
use axum::extract::{Form, Path, Query, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_TYPE};
use axum::response::{IntoResponse as _, Redirect, Response};
use judge_store::{PersonId, Timestamp};
use serde::Deserialize;

use super::home::not_fitting;
use crate::App;
use crate::builds::forget_derived;
use crate::own_data::{ExportError, FILE, body, pack};
use crate::web::{PageFrame, RequestFailure, Viewer, shown};

/// Most people on the page.
const FOUND: u32 = 50;

#[derive(Template)]
#[template(path = "accounts.html")]
struct AccountsPage {
    frame: PageFrame,
    searched: String,
    /// Id, name, address and courses of each person.
    found: Vec<(String, String, String, String)>,
}

/// Requires an administrator. For others the page does not seem to exist.
pub(super) fn administrator(viewer: &Viewer) -> Result<(), RequestFailure> {
    if viewer.person.is_administrator { Ok(()) } else { Err(RequestFailure::NotFound) }
}

/// A search by a part of a name or address.
#[derive(Debug, Default, Deserialize)]
pub(super) struct SearchQuery {
    #[serde(default)]
    q: String,
}

/// `/accounts`.
pub(super) async fn page(
    State(app): State<App>,
    viewer: Viewer,
    Query(SearchQuery { q }): Query<SearchQuery>,
) -> Result<Response, RequestFailure> {
    administrator(&viewer)?;
    let mut found = Vec::new();
    if !q.trim().is_empty() {
        let people = app.store().people_like(&q, FOUND).await.map_err(RequestFailure::internal)?;
        for person in people {
            let courses = app.store().courses_of(&person.id).await;
            let courses = courses.map_err(RequestFailure::internal)?.into_iter();
            let courses: Vec<String> = courses.map(|(course, _)| course.slug).collect();
            let address = person.address.unwrap_or_default();
            found.push((person.id.to_string(), person.name, address, courses.join(", ")));
        }
    }
    let frame = PageFrame::new(&viewer, viewer.language.words().t("accounts.title"));
    shown(&AccountsPage { frame, searched: q, found })
}

/// `/me/data.zip`: the reader's own data.
pub(super) async fn own(
    State(app): State<App>,
    viewer: Viewer,
) -> Result<Response, RequestFailure> {
    data_of(&app, &viewer, &viewer.person.id).await
}

/// `/accounts/{person}/data.zip`.
pub(super) async fn export(
    State(app): State<App>,
    viewer: Viewer,
    Path(person): Path<String>,
) -> Result<Response, RequestFailure> {
    administrator(&viewer)?;
    let person = known(&app, &person).await?;
    data_of(&app, &viewer, &person).await
}

/// The data of a person as a file. A reader gets one file at a time.
///
/// # Errors
/// When another file is under way to this reader, or the database fails.
pub async fn data_of(
    app: &App,
    viewer: &Viewer,
    person: &PersonId,
) -> Result<Response, RequestFailure> {
    let mut turn = app.exports().turn(&viewer.person.id).await?;
    let packed = pack(&viewer.acting(app), person, Timestamp::now()).await;
    let bytes = packed.map_err(|error| match error {
        ExportError::Store(error) => RequestFailure::internal(error),
        error => RequestFailure::internal(error),
    })?;
    // A slow reader does not delay others.
    turn.make_room();
    let name = format!("attachment; filename=\"{FILE}\"");
    let headers = [
        (CONTENT_TYPE, "application/zip".to_owned()),
        (CONTENT_DISPOSITION, name),
        (CONTENT_LENGTH, bytes.len().to_string()),
        (CACHE_CONTROL, "no-store".to_owned()),
    ];
    Ok((headers, body(bytes, turn)).into_response())
}

/// The confirmation of an erasure.
#[derive(Deserialize)]
pub(super) struct SureForm {
    sure: Option<String>,
}

/// Handles the form that erases a person.
pub(super) async fn erase(
    State(app): State<App>,
    viewer: Viewer,
    Path(person): Path<String>,
    Form(form): Form<SureForm>,
) -> Result<Response, RequestFailure> {
    administrator(&viewer)?;
    if form.sure.as_deref() != Some("yes") {
        return Err(RequestFailure::Bad("error.bad_request"));
    }
    erased(&app, &viewer, &person).await?;
    Ok(Redirect::to("/accounts").into_response())
}

/// Erases a person's data in the name of an administrator.
///
/// # Errors
/// When the reader is not one, there is no such person, they are the only instructor of a course, or the
/// database fails.
pub async fn erased(app: &App, viewer: &Viewer, person: &str) -> Result<(), RequestFailure> {
    administrator(viewer)?;
    let person = known(app, person).await?;
    let done = viewer.acting(app).erase_person(&person, Timestamp::now()).await;
    done.map_err(not_fitting)?;
    forget_derived(&app.config().data);
    tracing::info!(%person, "a person was erased");
    app.scoreboards().forget();
    Ok(())
}

/// A person that exists.
///
/// # Errors
/// When there is none, or the database fails.
pub async fn known(app: &App, person: &str) -> Result<PersonId, RequestFailure> {
    let id: PersonId = person.parse().map_err(|_| RequestFailure::NotFound)?;
    let found = app.store().person(&id).await.map_err(RequestFailure::internal)?;
    Ok(found.ok_or(RequestFailure::NotFound)?.id)
}
