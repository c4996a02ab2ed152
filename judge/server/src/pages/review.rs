//! Reviews and adjusted points: their part of a submission's page, its forms, and notices.

use std::time::Duration;

use axum::extract::{Form, Path, State};
use axum::response::{IntoResponse as _, Redirect, Response};
use judge_core::Points;
use judge_store::{Adjustment, MOST_REVIEWS, Review, ReviewRefusal, Role, Timestamp};
use serde::Deserialize;

use super::home::not_fitting;
use super::submission::{Access, access, submission_page};
use super::when::CourseClock;
use crate::App;
use crate::web::{Fields, RequestFailure, Typed, Viewer, filled};
use crate::words::Words;

/// Time for which pages show a notice.
const NOTICED: Duration = Duration::from_secs(14 * 24 * 60 * 60);

/// Refusals after which the page has no form to correct.
const WITHOUT_FORM: [&str; 4] = [
    "refusal.review_open",
    "refusal.review_answered",
    "refusal.review_many",
    "refusal.review_no_result",
];

/// An adjustment as a reader sees it.
#[derive(Debug, Clone)]
pub struct SeenAdjustment {
    /// The adjustment.
    pub adjustment: Adjustment,
    /// True if the reader may see the points now.
    pub shows_points: bool,
    /// True if the submission was graded again after it.
    pub is_older: bool,
}

/// The adjustments of a submission as a reader may see them, the newest first. Students see none
/// before the result, and no points before those of hidden testcases.
///
/// # Errors
/// When the database fails.
pub async fn adjustments(
    app: &App,
    access: &Access,
) -> Result<Vec<SeenAdjustment>, RequestFailure> {
    let told = access.visible_result(app).await?;
    let Some(row) = told.row() else { return Ok(Vec::new()) };
    let is_staff = access.attendance.role.is_staff();
    let shows_points = is_staff || !access.suite.keeps_hidden(Timestamp::now());
    let all = app.store().adjustments_of(&access.submission.id).await;
    let seen = |adjustment: Adjustment| SeenAdjustment {
        shows_points,
        is_older: adjustment.generation < row.generation,
        adjustment,
    };
    Ok(all.map_err(RequestFailure::internal)?.into_iter().map(seen).collect())
}

/// Requests a review in the name of the reader.
///
/// # Errors
/// When the rules forbid it, or the database fails.
pub async fn request_review(
    app: &App,
    viewer: &Viewer,
    access: &Access,
    text: &str,
) -> Result<(), RequestFailure> {
    let (id, by) = (&access.submission.id, &viewer.person.id);
    let asked = app.store().request_review((id, by), text, Timestamp::now()).await;
    let review = asked.map_err(not_fitting)?;
    tracing::info!(%review, submission = %access.submission.id, "a review was requested");
    Ok(())
}

/// Answers a request in the name of the reader.
///
/// # Errors
/// When the reader is not staff, the rules forbid it, or the database fails.
pub async fn answer_review(
    app: &App,
    viewer: &Viewer,
    access: &Access,
    (review, text): (&str, &str),
) -> Result<(), RequestFailure> {
    if !access.attendance.role.is_staff() {
        return Err(RequestFailure::NotAllowed);
    }
    let review = review.parse().map_err(|_| RequestFailure::NotFound)?;
    let (which, by) = ((&access.submission.id, &review), &viewer.person.id);
    let answered = viewer.acting(app).answer_review(which, by, text, Timestamp::now()).await;
    answered.map_err(not_fitting)?;
    tracing::info!(%review, submission = %access.submission.id, "a review was answered");
    Ok(())
}

/// Adjusts the points of a submission in the name of the reader, or takes the adjustment back.
///
/// # Errors
/// When the reader is not an instructor, the rules forbid it, or the database fails.
pub async fn adjust_points(
    app: &App,
    viewer: &Viewer,
    access: &Access,
    new: (Option<Points>, &str),
) -> Result<(), RequestFailure> {
    if access.attendance.role != Role::Instructor {
        return Err(RequestFailure::NotAllowed);
    }
    let (id, by) = (&access.submission.id, &viewer.person.id);
    let adjusted = viewer.acting(app).adjust_points(id, new, by, Timestamp::now()).await;
    adjusted.map_err(not_fitting)?;
    tracing::info!(submission = %id, "points were adjusted");
    app.scoreboards().forget();
    app.hub().board_moved(&access.suite.id);
    Ok(())
}

/// The failure for a refusal of the store.
pub(super) fn refused(refusal: &ReviewRefusal) -> RequestFailure {
    let refused = |key, value: &dyn ToString| RequestFailure::Refused(key, value.to_string());
    match refusal {
        ReviewRefusal::NotAStudent | ReviewRefusal::NotAllowed => RequestFailure::NotAllowed,
        ReviewRefusal::NoText => RequestFailure::Bad("error.no_text"),
        ReviewRefusal::NoResult => refused("refusal.review_no_result", &""),
        ReviewRefusal::AlreadyOpen => refused("refusal.review_open", &""),
        ReviewRefusal::Answered => refused("refusal.review_answered", &""),
        ReviewRefusal::NoSource => refused("refusal.no_source", &""),
        ReviewRefusal::TooManyComments { allowed } => refused("refusal.comments_many", allowed),
        ReviewRefusal::NotAdjusted => refused("refusal.points_not_adjusted", &""),
        ReviewRefusal::TooMany { allowed } => refused("refusal.review_many", allowed),
        ReviewRefusal::TooManyOpen { allowed } => refused("refusal.review_many_open", allowed),
        ReviewRefusal::TooLong { allowed } => refused("refusal.review_long", allowed),
        ReviewRefusal::TooManyPoints { allowed } => refused("refusal.points_many", allowed),
        ReviewRefusal::TooManyAdjustments { allowed } => refused("refusal.points_often", allowed),
    }
}

/// The part of a submission's page about reviews and adjusted points.
pub(super) struct ReviewSection {
    pub(super) id: String,
    pub(super) reviews: Vec<ReviewView>,
    /// The points that count, if they are adjusted and the reader may see them.
    pub(super) counts: Option<String>,
    pub(super) adjustments: Vec<AdjustmentView>,
    /// True if the latest adjustment is older than the result.
    pub(super) is_older: bool,
    /// True for a student who may request a review now.
    pub(super) asks: bool,
    /// Note for a student who may not request another review.
    pub(super) no_more: Option<String>,
    /// The open request that the reader may answer.
    pub(super) answers: Option<String>,
    /// True if the reader may adjust points.
    pub(super) adjusts: bool,
    /// True if there is an adjustment to take back.
    pub(super) takes_back: bool,
}

/// A request with its answer.
pub(super) struct ReviewView {
    /// Author and time.
    pub(super) asked: String,
    pub(super) request: String,
    /// Author and time of the answer, and its text.
    pub(super) answer: Option<(String, String)>,
}

/// An adjustment.
pub(super) struct AdjustmentView {
    pub(super) points: String,
    /// Author and time.
    pub(super) by: String,
    pub(super) reason: String,
}

impl ReviewSection {
    pub(super) async fn load(
        app: &App,
        words: &Words,
        access: &Access,
    ) -> Result<ReviewSection, RequestFailure> {
        let Access { submission, attendance, .. } = access;
        let clock = CourseClock::from_course(&attendance.course);
        let reviews = app.store().reviews_of(&submission.id).await;
        let reviews = reviews.map_err(RequestFailure::internal)?;
        let adjustments = adjustments(app, access).await?;
        let told = access.visible_result(app).await?;
        let (role, is_open) = (attendance.role, !attendance.course.is_archived());
        let open = reviews.iter().find(|review| review.answer.is_none());
        let is_full = i64::try_from(reviews.len()).unwrap_or(i64::MAX) >= MOST_REVIEWS;
        let could_ask = is_open && role == Role::Student && told.row().is_some() && open.is_none();
        let latest = adjustments.first();
        let adjusted = told.row().and_then(|row| row.adjusted);
        let view = |one: &SeenAdjustment| AdjustmentView::new(words, &clock, one, role);
        Ok(ReviewSection {
            id: submission.id.to_string(),
            counts: adjusted.map(|points| points.to_string()),
            is_older: latest.is_some_and(|one| one.is_older && one.adjustment.points.is_some()),
            adjustments: adjustments.iter().map(view).collect(),
            asks: could_ask && !is_full,
            no_more: (could_ask && is_full).then(|| words.t1("review.no_more", MOST_REVIEWS)),
            answers: open.filter(|_| is_open && role.is_staff()).map(|one| one.id.to_string()),
            adjusts: attendance.may_change() && told.row().is_some(),
            takes_back: adjusted.is_some(),
            reviews: reviews.iter().map(|one| ReviewView::new(words, &clock, one)).collect(),
        })
    }

    /// True if there is nothing to show.
    pub(super) fn is_empty(&self) -> bool {
        self.reviews.is_empty() && !self.asks
    }
}

impl ReviewView {
    fn new(words: &Words, clock: &CourseClock, review: &Review) -> ReviewView {
        let answer = review.answer.as_ref().map(|answer| {
            let by = words.t2("review.answered", &answer.by, clock.local(answer.at));
            (by, answer.text.clone())
        });
        ReviewView {
            asked: words.t2("review.asked", &review.asked_by, clock.local(review.asked_at)),
            request: match review.request.is_empty() {
                true => words.t("review.erased").to_owned(),
                false => review.request.clone(),
            },
            answer,
        }
    }
}

impl AdjustmentView {
    fn new(
        words: &Words,
        clock: &CourseClock,
        seen: &SeenAdjustment,
        role: Role,
    ) -> AdjustmentView {
        let Adjustment { points, graded, by, at, reason, .. } = &seen.adjustment;
        let points = match points {
            None => words.t("review.taken_back").to_owned(),
            Some(_) if !seen.shows_points => words.t("review.later").to_owned(),
            Some(points) if role.is_staff() => words.t2("review.instead", points, graded),
            Some(points) => words.many("review.points_many", points),
        };
        AdjustmentView {
            points,
            by: words.t2("review.by", by, clock.local(*at)),
            reason: reason.clone(),
        }
    }
}

/// Notices of recent answers and adjustments for the reader, with the page of the submission: those
/// of a course, or of all courses.
pub(super) async fn notices(
    app: &App,
    viewer: &Viewer,
    course: Option<&str>,
) -> Result<Vec<(String, String)>, RequestFailure> {
    let (words, now) = (viewer.language.words(), Timestamp::now());
    let found = app.store().review_notices(&viewer.person.id, now.before(NOTICED), now).await;
    let mut notices = Vec::new();
    for notice in found.map_err(RequestFailure::internal)? {
        if course.is_some_and(|course| course != notice.course) {
            continue;
        }
        let about = |key, part| {
            let link = format!("/submissions/{}#{part}", notice.submission);
            (link, words.t2(key, &notice.file_name, &notice.suite))
        };
        notices.extend(notice.answered_at.map(|_| about("review.notice_answer", "review")));
        notices.extend(notice.commented_at.map(|_| about("comment.notice", "code")));
        notices.extend(notice.adjusted_at.map(|_| about("review.notice_points", "review")));
    }
    Ok(notices)
}

/// A text of a form.
#[derive(Deserialize)]
struct TextForm {
    text: String,
}

/// New points of a form. The button that takes an adjustment back has a name.
#[derive(Deserialize)]
struct PointsForm {
    #[serde(default)]
    points: String,
    reason: String,
    #[serde(default)]
    back: Option<String>,
}

/// `/submissions/{id}/reviews`: requests a review.
pub(super) async fn ask(
    State(app): State<App>,
    viewer: Viewer,
    Path(id): Path<String>,
    Form(fields): Form<Fields>,
) -> Result<Response, RequestFailure> {
    let access = access(&app, &viewer, &id).await?;
    let TextForm { text } = filled(&fields)?;
    let asked = request_review(&app, &viewer, &access, &text).await;
    answered(&app, &viewer, &access, asked, ("ask", fields)).await
}

/// `/submissions/{id}/reviews/{review}/answer`: answers a request.
pub(super) async fn answer(
    State(app): State<App>,
    viewer: Viewer,
    Path((id, review)): Path<(String, String)>,
    Form(fields): Form<Fields>,
) -> Result<Response, RequestFailure> {
    let access = access(&app, &viewer, &id).await?;
    let TextForm { text } = filled(&fields)?;
    let done = answer_review(&app, &viewer, &access, (&review, &text)).await;
    answered(&app, &viewer, &access, done, ("answer", fields)).await
}

/// `/submissions/{id}/points`: adjusts points, or takes the adjustment back.
pub(super) async fn adjust(
    State(app): State<App>,
    viewer: Viewer,
    Path(id): Path<String>,
    Form(fields): Form<Fields>,
) -> Result<Response, RequestFailure> {
    let access = access(&app, &viewer, &id).await?;
    let form: PointsForm = filled(&fields)?;
    let points = match form.back.is_some() {
        true => Ok(None),
        false => form.points.trim().parse().map(Some),
    };
    let done = match points {
        Ok(points) => adjust_points(&app, &viewer, &access, (points, &form.reason)).await,
        Err(_) => Err(RequestFailure::Bad("error.points")),
    };
    answered(&app, &viewer, &access, done, ("adjust", fields)).await
}

/// Leads back to the submission's page, or shows it with the refused form.
async fn answered(
    app: &App,
    viewer: &Viewer,
    access: &Access,
    done: Result<(), RequestFailure>,
    (form, fields): (&'static str, Fields),
) -> Result<Response, RequestFailure> {
    match done {
        Ok(()) => {
            let address = format!("/submissions/{}#review", access.submission.id);
            Ok(Redirect::to(&address).into_response())
        }
        // The page would have no form any more.
        Err(failure @ RequestFailure::Refused(why, _)) if WITHOUT_FORM.contains(&why) => {
            Err(failure)
        }
        Err(failure) => {
            let typed = Typed::read(failure, form, fields, viewer)?;
            submission_page(app, viewer, access, (typed, None)).await
        }
    }
}
