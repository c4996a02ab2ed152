//! The source of a submission on its page, with comments of staff on its lines.

use std::mem;

use axum::extract::{Form, Path, State};
use axum::response::{IntoResponse as _, Redirect, Response};
use judge_store::{Comment, Role, Timestamp};
use serde::Deserialize;

use super::files::shown_source;
use super::home::not_fitting;
use super::submission::{Access, access, submission_page};
use super::when::CourseClock;
use crate::App;
use crate::web::{Fields, RequestFailure, Typed, Viewer, filled};
use crate::words::Words;

/// The comments that a reader may see. Students see them together with the result.
///
/// # Errors
/// When the database fails.
pub async fn comments(app: &App, access: &Access) -> Result<Vec<Comment>, RequestFailure> {
    if access.visible_result(app).await?.row().is_none() && !access.attendance.role.is_staff() {
        return Ok(Vec::new());
    }
    app.store().comments_on(&access.submission.id).await.map_err(RequestFailure::internal)
}

/// Comments on a line in the name of the reader.
///
/// # Errors
/// When the reader is not staff, there is no such line, the rules forbid it, or the database fails.
pub async fn add_comment(
    app: &App,
    viewer: &Viewer,
    access: &Access,
    (line, text): (u32, &str),
) -> Result<(), RequestFailure> {
    if !access.attendance.role.is_staff() {
        return Err(RequestFailure::NotAllowed);
    }
    let source = shown_source(app, &access.submission).await?;
    let source = source.ok_or(RequestFailure::Refused("refusal.no_source", String::new()))?;
    let last = source.lines().count();
    if line == 0 || usize::try_from(line).is_ok_and(|line| line > last) {
        return Err(RequestFailure::Refused("refusal.no_line", last.to_string()));
    }
    let (id, by) = (&access.submission.id, &viewer.person.id);
    let added = viewer.acting(app).add_comment(id, (line, text), by, Timestamp::now()).await;
    added.map_err(not_fitting)?;
    tracing::info!(submission = %id, "a source was commented on");
    Ok(())
}

/// Removes a comment in the name of the reader.
///
/// # Errors
/// When the reader is neither its author nor an instructor, or the database fails.
pub async fn remove_comment(
    app: &App,
    viewer: &Viewer,
    access: &Access,
    comment: &str,
) -> Result<(), RequestFailure> {
    let comment = comment.parse().map_err(|_| RequestFailure::NotFound)?;
    let which = (&access.submission.id, &comment);
    let removed = viewer.acting(app).remove_comment(which, &viewer.person.id).await;
    removed.map_err(not_fitting)
}

/// The part of a submission's page with its source.
pub(super) struct SourceSection {
    pub(super) blocks: Vec<SourceBlock>,
    /// Number of comments.
    pub(super) comments: usize,
    /// True if the reader may comment.
    pub(super) may_comment: bool,
    /// Number of the line in the form for a comment.
    pub(super) line: String,
}

/// Lines of a source, and the comments on the last of them.
pub(super) struct SourceBlock {
    /// Numbers and texts.
    pub(super) lines: Vec<(u32, String)>,
    pub(super) comments: Vec<CommentView>,
}

/// A comment.
pub(super) struct CommentView {
    pub(super) id: String,
    /// Line, author and time.
    pub(super) by: String,
    pub(super) text: String,
    /// True if the reader may remove it.
    pub(super) may_remove: bool,
}

impl SourceSection {
    /// The section with this line in the form; none for a module, and for a source that is long or not
    /// text.
    pub(super) async fn load(
        app: &App,
        viewer: &Viewer,
        access: &Access,
        line: Option<u32>,
    ) -> Result<Option<SourceSection>, RequestFailure> {
        let Some(text) = shown_source(app, &access.submission).await? else { return Ok(None) };
        let comments = comments(app, access).await?;
        let attendance = &access.attendance;
        let is_open = !attendance.course.is_archived();
        let clock = CourseClock::from_course(&attendance.course);
        let view = |comment: &Comment| CommentView {
            may_remove: is_open
                && attendance.role.is_staff()
                && (attendance.role == Role::Instructor || comment.by == viewer.person.id),
            ..CommentView::new(viewer.language.words(), &clock, comment)
        };
        Ok(Some(SourceSection {
            comments: comments.len(),
            may_comment: is_open && attendance.role.is_staff(),
            line: line.map(|line| line.to_string()).unwrap_or_default(),
            blocks: blocks(&text, &comments, view),
        }))
    }
}

impl CommentView {
    fn new(words: &Words, clock: &CourseClock, comment: &Comment) -> CommentView {
        let (by, at) = (&comment.by_name, clock.local(comment.at));
        CommentView {
            id: comment.id.to_string(),
            by: words.t2("comment.by", comment.line, words.t2("review.by", by, at)),
            text: comment.text.clone(),
            may_remove: false,
        }
    }
}

/// A source in blocks that each end with a line that has comments, or with the last line.
fn blocks(
    text: &str,
    comments: &[Comment],
    view: impl Fn(&Comment) -> CommentView,
) -> Vec<SourceBlock> {
    let (mut blocks, mut lines) = (Vec::new(), Vec::new());
    for (number, line) in (1..).zip(text.lines()) {
        lines.push((number, line.to_owned()));
        let here = comments.iter().filter(|comment| comment.line == number);
        let comments: Vec<CommentView> = here.map(&view).collect();
        if !comments.is_empty() {
            blocks.push(SourceBlock { lines: mem::take(&mut lines), comments });
        }
    }
    if !lines.is_empty() {
        blocks.push(SourceBlock { lines, comments: Vec::new() });
    }
    blocks
}

/// A comment of a form.
#[derive(Deserialize)]
struct CommentForm {
    line: String,
    text: String,
}

/// `/submissions/{id}/comments`: comments on a line.
pub(super) async fn comment(
    State(app): State<App>,
    viewer: Viewer,
    Path(id): Path<String>,
    Form(fields): Form<Fields>,
) -> Result<Response, RequestFailure> {
    let access = access(&app, &viewer, &id).await?;
    let CommentForm { line, text } = filled(&fields)?;
    // Not a number: no source has this line.
    let line = line.trim().parse().unwrap_or_default();
    match add_comment(&app, &viewer, &access, (line, &text)).await {
        Ok(()) => Ok(back(&access)),
        Err(failure) => {
            let typed = Typed::read(failure, "comment", fields, &viewer)?;
            submission_page(&app, &viewer, &access, (typed, None)).await
        }
    }
}

/// `/submissions/{id}/comments/{comment}/remove`: removes a comment.
pub(super) async fn remove(
    State(app): State<App>,
    viewer: Viewer,
    Path((id, comment)): Path<(String, String)>,
) -> Result<Response, RequestFailure> {
    let access = access(&app, &viewer, &id).await?;
    remove_comment(&app, &viewer, &access, &comment).await?;
    Ok(back(&access))
}

fn back(access: &Access) -> Response {
    Redirect::to(&format!("/submissions/{}#code", access.submission.id)).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_below_their_lines() {
        let id = "a".repeat(16);
        let comment = |line| Comment {
            id: id.parse().unwrap(),
            line,
            by: id.parse().unwrap(),
            by_name: "Alan".to_owned(),
            at: Timestamp::now(),
            text: line.to_string(),
        };
        let view = |comment: &Comment| CommentView {
            id: String::new(),
            by: String::new(),
            text: comment.text.clone(),
            may_remove: false,
        };
        let shown = |lines: &[u32]| -> Vec<(usize, usize)> {
            let comments: Vec<Comment> = lines.iter().map(|line| comment(*line)).collect();
            let blocks = blocks("a\nb\n\nd", &comments, view);
            blocks.iter().map(|block| (block.lines.len(), block.comments.len())).collect()
        };
        assert_eq!(shown(&[]), [(4, 0)]);
        assert_eq!(shown(&[2, 2, 4]), [(2, 2), (2, 1)]);
        assert_eq!(shown(&[1]), [(1, 1), (3, 0)]);
    }
}
