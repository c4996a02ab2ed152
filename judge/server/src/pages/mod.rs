//! The pages. Each has a handler, the data of its template, and the template in `pages/`.

mod accounts;
mod arena;
mod badge;
mod changes;
mod chart;
mod course;
mod files;
mod health;
mod home;
mod key;
mod late;
mod log;
mod lti;
mod manage;
mod me;
mod play;
mod replay;
mod result;
mod review;
mod rounds;
mod scoreboard;
mod sign_in;
mod source;
mod start;
mod submission;
mod submit;
mod versus;
mod visible_result;
mod when;
mod write;

use axum::Router;
use axum::routing::{get, post};
use judge_store::{Course, CourseId, Role, Suite};

use crate::App;
use crate::sign_on::RETURN;
use crate::web::{CourseLink, RequestFailure, Viewer};

pub use accounts::{data_of, erased, known};
pub use arena::{
    InArena, NewLadder, author_name, change_arena, close_season, create_arena, enter_bot,
    request_challenge,
};
pub use files::{module_file, source_file};
pub use health::{metrics, ready};
pub use lti::launches;
pub use manage::{
    CopyForm, GroupChange, SentColumn, change_groups, copied, decide_grading, delete_course,
    delete_suite, grade_again, grading_preview, groups_and_others, send_marks, set_archived,
    sources_of,
};
pub use review::{SeenAdjustment, adjust_points, adjustments, answer_review, request_review};
pub use scoreboard::{ScoreboardPage, ScoreboardPageLine, ScoreboardParams};
pub use source::{add_comment, comments, remove_comment};
pub use submission::{Access, access};
pub use submit::{UploadOutcome, accept, refusal};
pub use versus::{BeginFailure, Opposite, begin_round, go_on_round};
pub use visible_result::VisibleResult;

/// A reader's membership of a course.
#[derive(Debug, Clone)]
pub struct Attendance {
    /// The course.
    pub course: Course,
    /// The role.
    pub role: Role,
}

impl Attendance {
    /// The reader in the course with that slug. For others the course does not seem to exist.
    ///
    /// # Errors
    /// When the course does not exist, or the reader is not in it.
    pub async fn load(
        app: &App,
        viewer: &Viewer,
        slug: &str,
    ) -> Result<Attendance, RequestFailure> {
        plain(slug)?;
        let found = app.store().course_seen_by(slug, &viewer.token).await;
        let (course, role) =
            found.map_err(RequestFailure::internal)?.ok_or(RequestFailure::NotFound)?;
        Ok(Attendance { course, role })
    }

    /// The reader in the course with that id.
    ///
    /// # Errors
    /// When the course does not exist, or the reader is not in it.
    pub async fn by_id(
        app: &App,
        viewer: &Viewer,
        id: &CourseId,
    ) -> Result<Attendance, RequestFailure> {
        let found = app.store().course_seen_by_id(id, &viewer.token).await;
        let (course, role) =
            found.map_err(RequestFailure::internal)?.ok_or(RequestFailure::NotFound)?;
        Ok(Attendance { course, role })
    }

    /// The course in the navigation of a page.
    pub fn link(&self) -> CourseLink {
        CourseLink {
            slug: self.course.slug.clone(),
            title: self.course.title.clone(),
            staff: self.role.is_staff(),
            archived: self.course.is_archived(),
        }
    }

    /// Requires staff. For others the page does not seem to exist.
    ///
    /// # Errors
    /// When the reader is not staff.
    pub fn staff(self) -> Result<Attendance, RequestFailure> {
        if self.role.is_staff() { Ok(self) } else { Err(RequestFailure::NotFound) }
    }

    /// Requires an instructor.
    ///
    /// # Errors
    /// When the reader is not an instructor: assistants may see the page, but not use its forms;
    /// for others it does not seem to exist.
    pub fn instructor(self) -> Result<Attendance, RequestFailure> {
        match self.role {
            Role::Instructor => Ok(self),
            Role::Assistant => Err(RequestFailure::NotAllowed),
            Role::Student | Role::Observer => Err(RequestFailure::NotFound),
        }
    }

    /// Requires a course that is not archived. The database refuses changes by itself; this is for
    /// requests that begin something else.
    ///
    /// # Errors
    /// When the course is archived.
    pub fn open(&self) -> Result<(), RequestFailure> {
        if self.course.is_archived() { Err(RequestFailure::archived()) } else { Ok(()) }
    }

    /// True for an instructor of a course that is not archived, who sees the forms of its pages.
    pub fn may_change(&self) -> bool {
        self.role == Role::Instructor && !self.course.is_archived()
    }

    /// A suite of the course.
    ///
    /// # Errors
    /// When it does not exist.
    pub async fn suite(&self, app: &App, slug: &str) -> Result<Suite, RequestFailure> {
        plain(slug)?;
        let suite = app.store().suite_by_slug(&self.course.id, slug).await;
        suite.map_err(RequestFailure::internal)?.ok_or(RequestFailure::NotFound)
    }
}

/// Checks that a text can be a short name for URLs, because some databases reject some characters.
fn plain(slug: &str) -> Result<(), RequestFailure> {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    if slug.bytes().all(fits) { Ok(()) } else { Err(RequestFailure::NotFound) }
}

/// Pages that read, and small forms.
pub fn routes() -> Router<App> {
    Router::new()
        .route("/", get(home::home))
        .route("/courses", post(home::create_course))
        .route("/sign-out", post(home::sign_out))
        .route("/sign-in", get(sign_in::leave))
        .route(RETURN, get(sign_in::back))
        .route("/me/sign-in", get(sign_in::link))
        .route("/me/sign-in/unlink", post(sign_in::unlink))
        .route("/key", get(key::page))
        .route("/log", get(log::whole))
        .route("/accounts", get(accounts::page))
        .route("/accounts/{person}/data.zip", get(accounts::export))
        .route("/accounts/{person}/erase", post(accounts::erase))
        .route("/me", get(me::page))
        .route("/me/data.zip", get(accounts::own))
        .route("/me/language", post(me::set_language))
        .route("/me/mail", post(me::set_mail))
        .route("/me/scoreboard", post(me::set_scoreboard))
        .route("/me/tokens", post(me::make_token))
        .route("/me/tokens/{id}/revoke", post(me::revoke))
        .route("/c/{course}", get(course::page))
        .route("/c/{course}/people/{person}", get(course::person))
        .route("/c/{course}/s/{suite}", get(course::suite))
        .route("/c/{course}/s/{suite}/write", get(write::page))
        .route("/c/{course}/s/{suite}/write.json", get(write::data))
        .route("/c/{course}/s/{suite}/scoreboard", get(scoreboard::page))
        .route("/c/{course}/s/{suite}/scoreboard/rows", get(scoreboard::rows))
        .route("/c/{course}/s/{suite}/scoreboard/events", get(scoreboard::events))
        .route("/c/{course}/s/{suite}/badge", post(badge::set))
        .route("/badge/{file}", get(badge::picture))
        .route("/submissions/{id}", get(submission::page))
        .route("/submissions/{id}/events", get(submission::events))
        .route("/submissions/{id}/module", get(files::module))
        .route("/submissions/{id}/source", get(files::source))
        .route("/submissions/{id}/suite.zip", get(files::suite))
        .route("/submissions/{id}/rounds/{case}/{round}", get(rounds::page))
        .route("/submissions/{id}/reviews", post(review::ask))
        .route("/submissions/{id}/reviews/{review}/answer", post(review::answer))
        .route("/submissions/{id}/points", post(review::adjust))
        .route("/submissions/{id}/changes", get(changes::page))
        .route("/submissions/{id}/comments", post(source::comment))
        .route("/submissions/{id}/comments/{comment}/remove", post(source::remove))
        .route("/submissions/{id}/play", post(versus::ask))
        .route("/bots/{id}", get(versus::public_page))
        .route("/bots/{id}/play", post(versus::ask_public))
        .route("/rounds/{file}", get(versus::round))
        .route("/start", get(start::page))
        .route("/start/kits/{file}", get(start::kit))
        .route("/start/bots/{file}", get(start::bot))
        .route("/start/rules/{file}", get(start::rules))
        .route("/play/play.html", get(play::page))
        .route("/play/verify.html", get(play::page))
        .merge(lti::routes())
        .merge(arena::routes())
        .merge(manage::routes())
}

/// Forms with a module in them.
pub fn uploads() -> Router<App> {
    Router::new()
        .route("/c/{course}/s/{suite}/submissions", get(submit::again).post(submit::form))
        .merge(manage::uploads())
}

/// Forms that work without a session and check secrets.
pub fn doors() -> Router<App> {
    Router::new().route("/join/{token}", get(home::join_page)).route("/join", post(home::join))
}
