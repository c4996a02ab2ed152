//! The first page, invitations, and sign-out.

use askama::Template;
use axum::extract::{Form, Path, State};
use axum::http::HeaderMap;
use axum::http::header::SET_COOKIE;
use axum::response::{IntoResponse as _, Redirect, Response};
use judge_store::{
    AccessRefusal, Error, Invitation, InvitationFault, NewCourse, Role, Store, Timestamp, Visitor,
};
use serde::Deserialize;

use super::review::refused;
use crate::App;
use crate::web::{
    Fields, PageFrame, RequestFailure, Typed, Viewer, cleared, cookie, filled, session_end, shown,
};
use crate::words::Language;

#[derive(Template)]
#[template(path = "home.html")]
struct Home {
    frame: PageFrame,
    courses: Vec<CourseEntry>,
    archived: Vec<CourseEntry>,
    makes_courses: bool,
    /// Name of the issuer of single sign-on, if there is one.
    sign_on: Option<String>,
    typed: Typed,
}

struct CourseEntry {
    slug: String,
    title: String,
    role: String,
}

/// `/`: the reader's courses.
pub(super) async fn home(
    State(app): State<App>,
    headers: HeaderMap,
    viewer: Option<Viewer>,
) -> Result<Response, RequestFailure> {
    let Some(viewer) = viewer else {
        let language = Language::preferred(&headers);
        let title = language.words().t("home.title").to_owned();
        let frame = PageFrame::bare(language, title);
        let sign_on = app.sign_on().map(|sign_on| sign_on.name().to_owned());
        let typed = Typed::default();
        let (courses, archived) = (Vec::new(), Vec::new());
        return shown(&Home { frame, courses, archived, makes_courses: false, sign_on, typed });
    };
    courses(&app, &viewer, Typed::default()).await
}

/// The first page for a signed-in person.
async fn courses(app: &App, viewer: &Viewer, typed: Typed) -> Result<Response, RequestFailure> {
    let words = viewer.language.words();
    let courses =
        app.store().courses_of(&viewer.person.id).await.map_err(RequestFailure::internal)?;
    let (archived, courses): (Vec<_>, Vec<_>) =
        courses.into_iter().partition(|(course, _)| course.is_archived());
    let entry = |(course, role): (judge_store::Course, Role)| CourseEntry {
        slug: course.slug,
        title: course.title,
        role: words.find("role", role.name()).unwrap_or_default().to_owned(),
    };
    let page = Home {
        frame: PageFrame::new(viewer, words.t("home.courses")),
        courses: courses.into_iter().map(entry).collect(),
        archived: archived.into_iter().map(entry).collect(),
        makes_courses: viewer.person.is_administrator,
        sign_on: None,
        typed,
    };
    page.typed.shown(&page)
}

/// The form for a new course.
#[derive(Deserialize)]
pub(super) struct CourseForm {
    title: String,
    slug: String,
    time_zone: String,
}

/// Creates a course with the reader as its instructor.
pub(super) async fn create_course(
    State(app): State<App>,
    viewer: Viewer,
    Form(fields): Form<Fields>,
) -> Result<Response, RequestFailure> {
    if !viewer.person.is_administrator {
        return Err(RequestFailure::NotAllowed);
    }
    match created(&app, &viewer, &fields).await {
        Ok(slug) => Ok(Redirect::to(&format!("/c/{slug}/manage")).into_response()),
        Err(failure) => {
            let typed = Typed::read(failure, "course", fields, &viewer)?;
            courses(&app, &viewer, typed).await
        }
    }
}

/// Creates a course, and returns its slug.
async fn created(app: &App, viewer: &Viewer, fields: &Fields) -> Result<String, RequestFailure> {
    let now = Timestamp::now();
    let CourseForm { title, slug, time_zone } = filled(fields)?;
    let new = NewCourse { slug, title, time_zone };
    let course = viewer.acting(app).create_course_of(&viewer.person.id, &new, now).await;
    Ok(course.map_err(not_fitting)?.slug)
}

/// The failure for a refusal or an error of the store.
pub(super) fn not_fitting(error: Error) -> RequestFailure {
    match error {
        Error::RoleName { .. } => RequestFailure::Bad("error.role_name"),
        Error::Taken { what: "name", .. } => RequestFailure::Bad("error.same_name"),
        Error::Taken { what: "pseudonym" | "bot", .. } => RequestFailure::Bad("error.name_alike"),
        Error::Taken { what: "number", value } => {
            RequestFailure::Refused("refusal.number_taken", value)
        }
        Error::Taken { .. } => RequestFailure::Bad("error.taken"),
        Error::Name { what: "pseudonym" | "bot" | "name", .. } => {
            RequestFailure::Bad("error.unseen")
        }
        Error::GroupFull { allowed } => {
            RequestFailure::Refused("refusal.group_full", allowed.to_string())
        }
        Error::Missing {
            what:
                "group"
                | "student"
                | "submission"
                | "review"
                | "comment"
                | "suite"
                | "generation of the suite",
            ..
        } => RequestFailure::NotFound,
        Error::Review(refusal) => refused(&refusal),
        Error::Access(refusal) => not_allowed(&refusal),
        Error::Invitation(fault) => unusable(fault),
        Error::Name { .. } => RequestFailure::Bad("error.name"),
        Error::TimeZone { .. } => RequestFailure::Bad("error.time_zone"),
        Error::Time { .. } => RequestFailure::Bad("error.time"),
        Error::Suite(_) => RequestFailure::Bad("error.suite"),
        Error::Shift { .. } => RequestFailure::Bad("error.shift"),
        Error::NoDueDate => RequestFailure::Bad("error.no_due"),
        Error::Date { .. } => RequestFailure::Bad("error.date"),
        Error::NotArchived => RequestFailure::Refused("refusal.not_archived", String::new()),
        other => RequestFailure::internal(other),
    }
}

/// The failure for a change that the rules about accounts forbid.
fn not_allowed(refusal: &AccessRefusal) -> RequestFailure {
    match refusal {
        AccessRefusal::NotAnInstructor => RequestFailure::NotAllowed,
        AccessRefusal::SignedOut => RequestFailure::SignIn,
        AccessRefusal::TooManyTokens { allowed } => {
            RequestFailure::Refused("refusal.too_many_tokens", allowed.to_string())
        }
        AccessRefusal::OnlyInstructor { course } => {
            RequestFailure::Refused("refusal.only_instructor", course.clone())
        }
        AccessRefusal::OnlyAdministrator => {
            RequestFailure::Refused("refusal.only_administrator", String::new())
        }
        AccessRefusal::LinkedAlready => {
            RequestFailure::Refused("refusal.sign_on_taken", String::new())
        }
    }
}

#[derive(Template)]
#[template(path = "join.html")]
struct Join {
    frame: PageFrame,
    invited: String,
    token: String,
    /// Name of the person whom the invitation is for, if there is one.
    name: Option<String>,
    /// True if only the person's own session can accept it, and the reader is not signed in.
    needs_session: bool,
    /// The issuer of single sign-on, if there is one.
    sign_on: Option<String>,
}

/// `/join/{token}`: shows an invitation. Opening it does not use it up, because mail programs open
/// links.
pub(super) async fn join_page(
    State(app): State<App>,
    Path(token): Path<String>,
    headers: HeaderMap,
    viewer: Option<Viewer>,
) -> Result<Response, RequestFailure> {
    let language =
        viewer.as_ref().map_or_else(|| Language::preferred(&headers), |one| one.language);
    let words = language.words();
    let found = app.store().invitation(&token, Timestamp::now()).await;
    let invitation = found.map_err(not_fitting)?;
    let course = match &invitation.course {
        Some(id) => app.store().course(id).await.map_err(RequestFailure::internal)?,
        None => None,
    };
    let role = words.find("role", invitation.role.name()).unwrap_or_default();
    let invited = match &course {
        Some(course) => words.t2("join.to_course", &course.title, role),
        None => words.t("join.to_server").to_owned(),
    };
    let signs_in = app.store().signs_in(&invitation, Timestamp::now()).await;
    let signs_in = signs_in.map_err(RequestFailure::internal)?;
    let needs_session = viewer.is_none() && invitation.person.is_some() && !signs_in;
    let title = words.t("join.title").to_owned();
    let frame = match &viewer {
        Some(viewer) => PageFrame::new(viewer, title),
        None => PageFrame::bare(language, title),
    };
    let sign_on = app.sign_on().map(|sign_on| sign_on.name().to_owned());
    let name = name_for(app.store(), &invitation).await?;
    shown(&Join { frame, invited, token, name, needs_session, sign_on })
}

/// The name of the person whom an invitation is for, as the course wrote it. The account may have
/// another name, which the course learns once the person accepts.
async fn name_for(
    store: &Store,
    invitation: &Invitation,
) -> Result<Option<String>, RequestFailure> {
    let Some(id) = &invitation.person else { return Ok(None) };
    if let Some(listed) = &invitation.listed {
        return Ok(Some(listed.name.clone()));
    }
    let person = match &invitation.course {
        Some(course) => store.person_in(course, id).await,
        None => store.person(id).await,
    };
    Ok(person.map_err(RequestFailure::internal)?.map(|person| person.name))
}

fn unusable(fault: InvitationFault) -> RequestFailure {
    RequestFailure::Refused(
        match fault {
            InvitationFault::SignedOut => return RequestFailure::SignIn,
            InvitationFault::NeedsOwnSession => "refusal.invitation_needs_session",
            InvitationFault::Unknown => "refusal.invitation_unknown",
            InvitationFault::Used => "refusal.invitation_used",
            InvitationFault::Expired => "refusal.invitation_expired",
            InvitationFault::Revoked => "refusal.invitation_revoked",
            InvitationFault::ForAnother => "refusal.invitation_of_another",
        },
        String::new(),
    )
}

/// The form that accepts an invitation.
#[derive(Deserialize)]
pub(super) struct JoinForm {
    token: String,
    #[serde(default)]
    name: String,
}

/// Accepts an invitation. A browser without a session gets one. The session is always new, so an
/// attacker cannot have prepared it.
pub(super) async fn join(
    State(app): State<App>,
    viewer: Option<Viewer>,
    Form(form): Form<JoinForm>,
) -> Result<Response, RequestFailure> {
    let (store, now) = (app.store(), Timestamp::now());
    let visitor = match &viewer {
        Some(viewer) => Visitor::SignedIn { person: &viewer.person.id, session: &viewer.token },
        None => {
            let session_ends_at = session_end(app.config(), now);
            Visitor::SignedOut { name: &form.name, session_ends_at }
        }
    };
    let invited = store.use_invitation(&form.token, visitor, now).await;
    let invited = invited.map_err(not_fitting)?;
    app.scoreboards().forget();
    let course = match &invited.course {
        Some(id) => store.course(id).await.map_err(RequestFailure::internal)?,
        None => None,
    };
    let target = course.map_or_else(|| "/".to_owned(), |course| format!("/c/{}", course.slug));
    let mut response = Redirect::to(&target).into_response();
    if let Some(session) = &invited.session {
        let cookie = cookie(app.config(), session.reveal());
        response.headers_mut().insert(SET_COOKIE, cookie);
    }
    Ok(response)
}

/// Ends the session, here and in the browser.
pub(super) async fn sign_out(
    State(app): State<App>,
    viewer: Viewer,
) -> Result<Response, RequestFailure> {
    let ended = app.store().revoke(&viewer.person.id, &viewer.token, Timestamp::now()).await;
    ended.map_err(RequestFailure::internal)?;
    Ok(([(SET_COOKIE, cleared(app.config()))], Redirect::to("/")).into_response())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_that_were_deleted_in_the_meantime_are_not_found() {
        for what in ["suite", "generation of the suite", "submission", "comment"] {
            let failure = not_fitting(Error::Missing { what, value: "x".to_owned() });
            assert!(matches!(failure, RequestFailure::NotFound), "{what}");
        }
    }
}
