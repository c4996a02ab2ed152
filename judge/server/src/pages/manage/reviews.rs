//! The open requests for reviews of a course, and its submissions with adjusted points.

use askama::Template;
use axum::extract::{Path, State};
use axum::response::Response;
use judge_core::printable;
use judge_store::{AdjustedSubmission, OpenReview};

use super::super::Attendance;
use super::super::when::CourseClock;
use crate::App;
use crate::web::{PageFrame, RequestFailure, Viewer, shown};
use crate::words::Words;

/// Number of lines of each list.
const LINES: u32 = 100;

/// Characters of a text in a list.
const START: usize = 200;

#[derive(Template)]
#[template(path = "manage_reviews.html")]
struct ReviewsPage {
    frame: PageFrame,
    slug: String,
    count: String,
    requests: Vec<ListedReview>,
    adjusted: Vec<ListedReview>,
}

/// A line of a list: a request, or an adjustment.
struct ListedReview {
    submission: String,
    when: String,
    who: String,
    file: String,
    suite: String,
    /// Adjusted points and graded points; empty for a request.
    points: String,
    is_older: bool,
    /// The beginning of the request or the reason.
    text: String,
}

/// `/c/{course}/manage/reviews`.
pub(super) async fn page(
    State(app): State<App>,
    viewer: Viewer,
    Path(slug): Path<String>,
) -> Result<Response, RequestFailure> {
    let attendance = Attendance::load(&app, &viewer, &slug).await?.staff()?;
    let (store, course, words) = (app.store(), &attendance.course.id, viewer.language.words());
    let clock = CourseClock::from_course(&attendance.course);
    let count = store.open_review_count(course).await.map_err(RequestFailure::internal)?;
    let open = store.open_reviews(course, LINES).await.map_err(RequestFailure::internal)?;
    let adjusted = store.adjusted_in(course, LINES).await.map_err(RequestFailure::internal)?;
    shown(&ReviewsPage {
        frame: PageFrame::new(&viewer, words.t("review.title")).in_course(attendance.link()),
        slug,
        count: words.t1("review.count", count),
        requests: open.into_iter().map(|one| request(words, &clock, one)).collect(),
        adjusted: adjusted.into_iter().map(|one| adjustment(words, &clock, one)).collect(),
    })
}

fn request(words: &Words, clock: &CourseClock, open: OpenReview) -> ListedReview {
    let OpenReview { review, suite, file_name } = open;
    ListedReview {
        submission: review.submission.to_string(),
        when: clock.local(review.asked_at),
        who: review.asked_by,
        file: file_name,
        suite,
        points: String::new(),
        is_older: false,
        text: match review.request.is_empty() {
            true => words.t("review.erased").to_owned(),
            false => start(&review.request),
        },
    }
}

fn adjustment(words: &Words, clock: &CourseClock, one: AdjustedSubmission) -> ListedReview {
    let latest = one.adjustment;
    let points = latest.points.unwrap_or(latest.graded);
    ListedReview {
        submission: one.submission.to_string(),
        when: clock.local(latest.at),
        who: one.author,
        file: one.file_name,
        suite: one.suite,
        points: words.t2("review.instead", points, latest.graded),
        is_older: one.is_older,
        text: start(&latest.reason),
    }
}

/// The beginning of a text in one line.
fn start(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.chars().count() > START {
        true => printable(&line, START) + "…",
        false => line,
    }
}
