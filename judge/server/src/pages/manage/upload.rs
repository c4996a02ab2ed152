//! Upload of an instructor's suite.

use axum::extract::{Multipart, Path, State};
use axum::response::{IntoResponse as _, Redirect, Response};
use judge_core::printable;
use judge_grading::{Secrets, Suite as GradingSuite};
use judge_runner::suites;
use judge_store::{NewSuite, Showing, SuiteSettings, Timestamp};

use super::super::Attendance;
use super::super::home::not_fitting;
use super::manage_page;
use crate::App;
use crate::web::{Fields, RequestFailure, Typed, Viewer};

/// Most files of a suite.
const MOST: usize = 500;

/// The parts of the form.
#[derive(Default)]
struct Parts {
    slug: String,
    files: Vec<(String, String)>,
    hidden: Vec<(String, String)>,
    key: Option<String>,
    /// True if the files of a suite with submissions may be replaced.
    replaces: bool,
    /// True if the new results are shown only when an instructor accepts them.
    is_held: bool,
}

/// Adds a suite, or changes the files of the one with that name, which grades all submissions
/// again.
pub(super) async fn upload(
    State(app): State<App>,
    viewer: Viewer,
    Path(slug): Path<String>,
    mut form: Multipart,
) -> Result<Response, RequestFailure> {
    let attendance = Attendance::load(&app, &viewer, &slug).await?.instructor()?;
    let parts = Parts::read(&mut form).await?;
    match taken(&app, &viewer, &attendance, &parts).await {
        Ok(()) => Ok(Redirect::to(&format!("/c/{slug}/manage/s/{}", parts.slug)).into_response()),
        Err(failure) => {
            // A page cannot fill in file fields again.
            let fields = Fields::from([("slug".to_owned(), parts.slug)]);
            let typed = Typed::read(failure, "upload", fields, &viewer)?;
            manage_page(&app, &viewer, &attendance, typed).await
        }
    }
}

async fn taken(
    app: &App,
    viewer: &Viewer,
    attendance: &Attendance,
    parts: &Parts,
) -> Result<(), RequestFailure> {
    let files = parts.suite()?;
    let (store, course, now) = (viewer.acting(app), &attendance.course.id, Timestamp::now());
    let known = store.suite_by_slug(course, &parts.slug).await.map_err(RequestFailure::internal)?;
    if let Some(known) = known {
        let many = store.submission_count(&known.id).await.map_err(RequestFailure::internal)?;
        if many > 0 && !parts.replaces {
            return Err(RequestFailure::Refused("refusal.suite_exists", many.to_string()));
        }
        store
            .set_files(&known.id, &files, Showing::with_preview(parts.is_held), now)
            .await
            .map_err(not_fitting)?;
    } else {
        let pending_at_most = app.config().pending;
        let settings = SuiteSettings { pending_at_most, ..SuiteSettings::default() };
        let new = NewSuite { course, slug: &parts.slug, files: &files, settings };
        store.create_suite(&new, now).await.map_err(not_fitting)?;
    }
    app.lanes().wake();
    Ok(())
}

impl Parts {
    async fn read(form: &mut Multipart) -> Result<Parts, RequestFailure> {
        let mut parts = Parts::default();
        for _ in 0..MOST {
            let field =
                form.next_field().await.map_err(|_| RequestFailure::Bad("error.bad_request"))?;
            let Some(field) = field else { return Ok(parts) };
            let part = field.name().unwrap_or_default().to_owned();
            let path = field.file_name().unwrap_or_default().to_owned();
            let name = path.rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
            let text = field.text().await.map_err(|_| RequestFailure::TooLarge)?;
            match part.as_str() {
                "slug" => parts.slug = text,
                "files" if !name.is_empty() => parts.files.push((name, text)),
                "hidden" if !name.is_empty() => parts.hidden.push((name, text)),
                "replace" => parts.replaces = text == "yes",
                "held" => parts.is_held = text == "yes",
                "key" if !text.trim().is_empty() => parts.key = Some(text),
                _ => {}
            }
        }
        Err(RequestFailure::TooLarge)
    }

    fn suite(&self) -> Result<GradingSuite, RequestFailure> {
        let wrong = |what: String| RequestFailure::Refused("refusal.suite", printable(&what, 2000));
        let key = self.key.as_deref().map(|text| text.trim().parse()).transpose();
        let key = key.map_err(|error: judge_grading::NotAKey| wrong(error.to_string()))?;
        let files = self.files.iter().map(|(name, text)| (name.as_str(), text.as_str()));
        let secrets = Secrets { key, files: self.hidden.clone() };
        let suite = GradingSuite::with_secrets(&self.slug, files, secrets);
        let suite = suite.map_err(|error| wrong(error.to_string()))?;
        suites::check_whole(&suite).map_err(|error| wrong(error.with_hint()))?;
        Ok(suite)
    }
}
