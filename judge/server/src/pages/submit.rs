//! Submitting: the form, and the parts that it shares with the API.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::multipart::MultipartError;
use axum::extract::{FromRequest as _, Multipart, Path, Request, State};
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse as _, Redirect, Response};
use judge_core::{Blame, Explanation, digest, printable};
use judge_runner::bots::builds::{UploadBuilder, is_source_name};
use judge_store::{Error, NewSubmission, StoreRefusal, Submission, SubmissionId, Suite, Timestamp};

use super::Attendance;
use super::course::{RefusedUpload, suite_page};
use super::home::not_fitting;
use super::submission::entries;
use super::when::CourseClock;
use crate::App;
use crate::builds::{BuildFailure, forget_derived};
use crate::translate::translate;
use crate::uploads::{MAGIC, Upload, ends_early};
use crate::web::{RequestFailure, Viewer, shown_as};

/// Name of a bot with a nameless file.
const NAMELESS: &str = "bot";

/// Longest name of a bot, in characters.
const LONGEST: usize = 60;

/// Most lines of a compiler on a page.
const MOST_LINES: usize = 60;

/// Time after which a client no longer waits for a build. Requests end somewhat later.
const LONG_BUILD: Duration = Duration::from_secs(45);

/// The result of an upload.
#[derive(Debug)]
pub enum UploadOutcome {
    /// The module is stored and will be graded.
    Accepted(Submission),
    /// The same person has already submitted it. This does not use an attempt.
    Before(SubmissionId),
    /// Intake refuses it, or its source cannot be built.
    Refused(ModuleRefusal),
    /// Its source is still being built, and is stored afterwards.
    Building,
}

/// A module that intake refuses or a source that cannot be built, with the status of the answer.
#[derive(Debug)]
pub struct ModuleRefusal {
    /// The reason, with a hint.
    pub why: Explanation,
    /// 415 for a file that is not a module, 422 for a module that cannot be played.
    pub status: StatusCode,
}

/// The multipart form of a suite's page.
pub(super) async fn form(
    State(app): State<App>,
    viewer: Viewer,
    Path((course, suite)): Path<(String, String)>,
    request: Request,
) -> Result<Response, RequestFailure> {
    // A person who may not submit is refused before the body is read.
    let attendance = Attendance::load(&app, &viewer, &course).await?;
    attendance.open()?;
    let suite = attendance.suite(&app, &suite).await?;
    let form = Multipart::from_request(request, &app).await;
    let mut form = form.map_err(|_| RequestFailure::Bad("error.no_file"))?;
    let Some((file_name, upload)) = file(&app, &viewer, &mut form).await? else {
        return Err(RequestFailure::Bad("error.no_file"));
    };
    match accept(&app, &viewer, &attendance, &suite, &file_name, upload).await? {
        UploadOutcome::Accepted(submission) => {
            Ok(Redirect::to(&format!("/submissions/{}", submission.id)).into_response())
        }
        UploadOutcome::Refused(refused) => {
            let words = viewer.language.words();
            let tame = |text: &str| printable(&translate(words, text), 1000);
            let Explanation { reason, hint } = refused.why;
            let (reason, output) = with_output(&reason);
            let (reason, hint) = (tame(reason), hint.as_deref().map(tame));
            let problem = RefusedUpload { reason, output, hint, before: None };
            let page = suite_page(&app, &viewer, &attendance, suite, Some(problem)).await?;
            shown_as(refused.status, &page)
        }
        UploadOutcome::Building => {
            let words = viewer.language.words();
            let (reason, hint) = (words.t("submit.building"), words.t("submit.building_hint"));
            let (reason, hint) = (reason.to_owned(), Some(hint.to_owned()));
            let problem = RefusedUpload { reason, output: None, hint, before: None };
            let page = suite_page(&app, &viewer, &attendance, suite, Some(problem)).await?;
            shown_as(StatusCode::ACCEPTED, &page)
        }
        UploadOutcome::Before(id) => {
            let reason = earlier_submission(&app, &viewer, &attendance, &suite, &id).await?;
            let before = Some(format!("/submissions/{id}"));
            let problem = RefusedUpload { reason, output: None, hint: None, before };
            let page = suite_page(&app, &viewer, &attendance, suite, Some(problem)).await?;
            shown_as(StatusCode::CONFLICT, &page)
        }
    }
}

/// A message, and the lines of a compiler below it.
fn with_output(text: &str) -> (&str, Option<String>) {
    let Some((message, output)) = text.split_once('\n') else { return (text, None) };
    let lines = output.lines().take(MOST_LINES);
    let lines = lines.map(|line| printable(line.strip_prefix("| ").unwrap_or(line), 300));
    (message, Some(lines.collect::<Vec<_>>().join("\n")))
}

/// The earlier submission of the same module, and its result.
///
/// # Errors
/// When the database fails.
async fn earlier_submission(
    app: &App,
    viewer: &Viewer,
    attendance: &Attendance,
    suite: &Suite,
    id: &SubmissionId,
) -> Result<String, RequestFailure> {
    let before = app.store().submission(id).await.map_err(RequestFailure::internal)?;
    let before = before.ok_or(RequestFailure::NotFound)?;
    let words = viewer.language.words();
    let entry = entries(app, words, attendance, suite, std::slice::from_ref(&before)).await?;
    let result = entry.into_iter().map(|entry| format!("{} {}", entry.state, entry.points));
    let result = result.collect::<String>();
    let when = CourseClock::from_course(&attendance.course).exact(before.received_at);
    Ok(words.t2("submit.before", when, result.trim()))
}

/// Opening the address of the form's answer, for example after a refusal, shows the form.
pub(super) async fn again(uri: Uri) -> Redirect {
    Redirect::to(uri.path().trim_end_matches("/submissions"))
}

/// The file in the form: the first field named `module`. Others are ignored.
async fn file<'a>(
    app: &'a App,
    viewer: &Viewer,
    form: &mut Multipart,
) -> Result<Option<(String, Upload<'a>)>, RequestFailure> {
    let failed = |error: MultipartError| match error.status() {
        StatusCode::PAYLOAD_TOO_LARGE => RequestFailure::TooLarge,
        _ => RequestFailure::Bad("error.bad_request"),
    };
    // Bounded, because a form could have ten thousand parts.
    for _ in 0..8 {
        let Some(mut field) = form.next_field().await.map_err(failed)? else { return Ok(None) };
        if field.name() == Some("module") {
            let name = field.file_name().unwrap_or_default().to_owned();
            let mut upload = app.uploads().begin(&viewer.person.id).await?;
            while let Some(chunk) = field.chunk().await.map_err(failed)? {
                upload.add(&chunk).await?;
            }
            return Ok(Some((name, upload)));
        }
    }
    Err(RequestFailure::Bad("error.bad_request"))
}

/// Accepts a module, or a source if the server builds sources. Intake inspects the module at once
/// and may refuse it. An accepted submission is stored when this returns, and will be graded.
///
/// # Errors
/// When the rules of the course do not allow it, or the server fails.
pub async fn accept(
    app: &App,
    viewer: &Viewer,
    attendance: &Attendance,
    suite: &Suite,
    file_name: &str,
    upload: Upload<'_>,
) -> Result<UploadOutcome, RequestFailure> {
    let accepted = Accepted {
        app: app.clone(),
        viewer: viewer.clone(),
        attendance: attendance.clone(),
        suite: suite.clone(),
        file_name: file_name.to_owned(),
        at: Timestamp::now(),
    };
    // It holds the permit to read until the module is in the database.
    let arrived = upload.end().await?;
    let file = tokio::task::spawn_blocking(arrived.reader()).await;
    let file = file.map_err(RequestFailure::internal)??;
    match app.builds().builder(file_name) {
        None => accepted.module(file, None).await,
        Some(builder) => {
            drop(arrived);
            accepted.source(builder, file).await
        }
    }
}

/// A file that has arrived, to be submitted.
struct Accepted {
    app: App,
    viewer: Viewer,
    attendance: Attendance,
    suite: Suite,
    file_name: String,
    /// When it arrived. A build does not make it late.
    at: Timestamp,
}

impl Accepted {
    /// Builds a source and stores both. If that takes long, it continues without the client.
    async fn source(
        self,
        builder: Arc<UploadBuilder>,
        source: Vec<u8>,
    ) -> Result<UploadOutcome, RequestFailure> {
        // A build costs time, so the suite's rules come first.
        let (store, suite, person) = (self.app.store(), &self.suite.id, &self.viewer.person.id);
        match store.may_submit(suite, person, (&digest(&source), &self.file_name), self.at).await {
            Ok(()) => {}
            Err(Error::Refused(StoreRefusal::SubmittedBefore { submission, .. })) => {
                return Ok(UploadOutcome::Before(submission));
            }
            Err(error) => return Err(refusal(&self.attendance, error)),
        }
        let built = tokio::spawn(async move {
            let (person, file) = (&self.viewer.person.id, (self.file_name.clone(), source.clone()));
            let built = self.app.builds().module(builder, person, file).await;
            self.check_session().await?;
            match built {
                Ok(module) => self.module(module, Some(source)).await,
                Err(BuildFailure::Refused(refused)) if refused.blame != Blame::Judge => {
                    let (why, status) = (refused.why, StatusCode::UNPROCESSABLE_ENTITY);
                    Ok(UploadOutcome::Refused(ModuleRefusal { why, status }))
                }
                Err(BuildFailure::TooMany(_)) => {
                    Err(RequestFailure::Refused("refusal.building", String::new()))
                }
                Err(failure) => Err(RequestFailure::internal(failure)),
            }
        });
        match tokio::time::timeout(LONG_BUILD, built).await {
            Ok(outcome) => outcome.map_err(RequestFailure::internal)?,
            Err(_) => Ok(UploadOutcome::Building),
        }
    }

    /// Checks that the session or token was not ended during the build. The person may have been
    /// erased, so that files of the build are removed.
    async fn check_session(&self) -> Result<(), RequestFailure> {
        let tokens = self.app.store().tokens_of(&self.viewer.person.id, Timestamp::now()).await;
        let tokens = tokens.map_err(RequestFailure::internal)?;
        match tokens.iter().any(|token| token.id == self.viewer.token) {
            true => Ok(()),
            false => {
                forget_derived(&self.app.config().data);
                Err(RequestFailure::SignIn)
            }
        }
    }

    /// Stores a module, and the source that it was built from.
    async fn module(
        &self,
        module: Vec<u8>,
        source: Option<Vec<u8>>,
    ) -> Result<UploadOutcome, RequestFailure> {
        let (store, suite) = (self.app.store(), &self.suite);
        let grading = store.grading_suite(&suite.id, suite.generation).await;
        let grading = grading.map_err(not_fitting)?;
        let name = name_of(&self.file_name);
        let looked_at = {
            let name = name.clone();
            move || judge_runner::bots::offered(&name, module, &grading)
        };
        let bot = tokio::task::spawn_blocking(looked_at).await.map_err(RequestFailure::internal)?;
        if let Some(refused) = bot.refused {
            return Ok(UploadOutcome::Refused(self.refused_module(&bot.module, refused.why)));
        }
        let new = NewSubmission {
            suite: &suite.id,
            person: &self.viewer.person.id,
            name: &name,
            file_name: &self.file_name,
            module: &bot.module,
            source: source.as_deref(),
            stored_at_most: self.app.config().stored_at_most,
        };
        let submission = match store.submit(&new, self.at).await {
            Ok(submission) => submission,
            Err(Error::Refused(StoreRefusal::SubmittedBefore { submission, .. })) => {
                return Ok(UploadOutcome::Before(submission));
            }
            Err(error) => return Err(refusal(&self.attendance, error)),
        };
        self.app.instruments().submissions.inc();
        self.app.lanes().wake();
        tracing::info!(submission = %submission.id, suite = %suite.id, "submitted");
        Ok(UploadOutcome::Accepted(submission))
    }

    /// The refusal of a module, with another reason if the file ends early.
    fn refused_module(&self, module: &[u8], why: Explanation) -> ModuleRefusal {
        let status = match module.starts_with(MAGIC) {
            true => StatusCode::UNPROCESSABLE_ENTITY,
            false => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        };
        let words = self.viewer.language.words();
        let cut = || Explanation::new(words.t("submit.cut"), words.t("submit.cut_hint"));
        let cut = ends_early(module).then(cut);
        ModuleRefusal { why: cut.unwrap_or(why), status }
    }
}

/// The name of a bot: its file name without folders, and without the extension of a module or a
/// source. It never becomes a path.
fn name_of(file_name: &str) -> String {
    let last = file_name.rsplit(['/', '\\']).next().unwrap_or_default();
    let stem = match last.rsplit_once('.') {
        Some((stem, ending)) if ending.eq_ignore_ascii_case("wasm") => stem,
        Some((stem, _)) if is_source_name(last) => stem,
        _ => last,
    };
    let short: String = printable(stem.trim(), LONGEST).chars().take(LONGEST).collect();
    if short.trim_matches('.').is_empty() { NAMELESS.to_owned() } else { short }
}

/// The failure for a refusal by the rules of a suite, with times by the course's clock.
pub fn refusal(attendance: &Attendance, error: Error) -> RequestFailure {
    // Its suite may have been deleted in the meantime.
    let Error::Refused(refusal) = error else { return not_fitting(error) };
    let clock = CourseClock::from_course(&attendance.course);
    match refusal {
        StoreRefusal::NotAMember => RequestFailure::NotAllowed,
        StoreRefusal::NotOpenYet { opens_at } => {
            RequestFailure::Refused("refusal.not_open", clock.exact(opens_at))
        }
        StoreRefusal::PastDue { due_at } => {
            RequestFailure::Refused("refusal.past_due", clock.exact(due_at))
        }
        StoreRefusal::TooManyToday { next, .. } => {
            RequestFailure::Refused("refusal.too_many_today", clock.exact(next))
        }
        StoreRefusal::SubmittedBefore { received_at, .. } => {
            RequestFailure::Refused("refusal.submitted_before", clock.exact(received_at))
        }
        StoreRefusal::TooMuchStored { allowed } => {
            RequestFailure::Refused("refusal.too_much_stored", (allowed >> 20).to_string())
        }
        StoreRefusal::TooManyPending { allowed } => {
            RequestFailure::Refused("refusal.too_many_pending", allowed.to_string())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_of_a_compiler_are_below_the_message() {
        assert_eq!(with_output("it is empty"), ("it is empty", None));
        let text = "`b.c` does not compile\n| b.c:1:1: error: \u{202e}x\n|     1 | y";
        let output = "b.c:1:1: error: \\u{202e}x\n    1 | y".to_owned();
        assert_eq!(with_output(text), ("`b.c` does not compile", Some(output)));
    }

    #[test]
    fn a_file_name_loses_paths_and_control_characters() {
        for (file, name) in [
            ("my-bot.wasm", "my-bot"),
            ("C:\\bots\\my bot.WASM", "my bot"),
            ("../../etc/passwd", "passwd"),
            ("..", "bot"),
            ("", "bot"),
            (".wasm", "bot"),
            ("brain.CPP", "brain"),
            ("bot.v2.py", "bot.v2"),
            ("notes.txt", "notes.txt"),
        ] {
            assert_eq!(name_of(file), name, "{file}");
        }
        assert!(name_of(&"x".repeat(300)).chars().count() <= LONGEST);
        assert!(!name_of("a\u{202e}b\0.wasm").contains(['\u{202e}', '\0']));
    }
}
