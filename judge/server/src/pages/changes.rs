//! The differences between a submitted source and the one before it.

use std::time::Duration;

use askama::Template;
use axum::extract::{Path, State};
use axum::response::Response;
use judge_core::printable;
use judge_store::Submission;
use similar::{ChangeTag, TextDiff};

use super::files::short_source;
use super::submission::{Access, access};
use super::when::CourseClock;
use crate::App;
use crate::web::{PageFrame, RequestFailure, Viewer, shown};

/// Unchanged lines around a change.
const AROUND: usize = 3;

/// Time after which the search for a shorter list of changes ends.
const SEARCH: Duration = Duration::from_millis(50);

#[derive(Template)]
#[template(path = "changes.html")]
struct Changes {
    frame: PageFrame,
    /// Address of the submission's page.
    page: String,
    /// Address and moment of the earlier one.
    before: (String, String),
    file: String,
    parts: Vec<Vec<ChangedLine>>,
}

/// A line of a part that changed.
struct ChangedLine {
    /// `+` for a new line, `-` for an old one, a space for one in both.
    sign: char,
    /// Its number; of an old line, in the old source.
    number: usize,
    text: String,
}

/// The latest earlier submission of a source by the same student or group; none for a module.
///
/// # Errors
/// When the database fails.
pub(super) async fn before(
    app: &App,
    access: &Access,
) -> Result<Option<Submission>, RequestFailure> {
    let Access { submission, .. } = access;
    if submission.source.is_none() {
        return Ok(None);
    }
    let all = app.store().submissions_of(&submission.suite, &submission.person).await;
    let is_earlier = |one: &Submission| {
        one.owner == submission.owner
            && one.source.is_some()
            && (one.received_at, &one.id) < (submission.received_at, &submission.id)
    };
    let earlier = all.map_err(RequestFailure::internal)?.into_iter().filter(is_earlier);
    Ok(earlier.max_by(|a, b| (a.received_at, &a.id).cmp(&(b.received_at, &b.id))))
}

/// `/submissions/{id}/changes`.
pub(super) async fn page(
    State(app): State<App>,
    viewer: Viewer,
    Path(id): Path<String>,
) -> Result<Response, RequestFailure> {
    let new = access(&app, &viewer, &id).await?;
    let old = before(&app, &new).await?.ok_or(RequestFailure::NotFound)?;
    // The reader may have lost the right to see it in the meantime.
    let old = access(&app, &viewer, old.id.as_str()).await?;
    let sources =
        (short_source(&app, &old.submission).await?, short_source(&app, &new.submission).await?);
    let (Some(old_text), Some(new_text)) = sources else {
        return Err(RequestFailure::Refused("refusal.source_not_shown", String::new()));
    };
    let parts = tokio::task::spawn_blocking(move || parts(&old_text, &new_text)).await;
    let words = viewer.language.words();
    let clock = CourseClock::from_course(&new.attendance.course);
    shown(&Changes {
        frame: PageFrame::new(&viewer, words.t("changes.title").to_owned())
            .in_course(new.attendance.link()),
        page: format!("/submissions/{}", new.submission.id),
        before: (
            format!("/submissions/{}", old.submission.id),
            clock.exact(old.submission.received_at),
        ),
        file: new.submission.file_name.clone(),
        parts: parts.map_err(RequestFailure::internal)?,
    })
}

/// The changed parts of a text, with lines around them. The ends of lines do not count.
fn parts(old: &str, new: &str) -> Vec<Vec<ChangedLine>> {
    let [old, new] =
        [old, new].map(|text| text.lines().map(|line| format!("{line}\n")).collect::<String>());
    let difference = TextDiff::configure().timeout(SEARCH).diff_lines(&old, &new);
    let groups = difference.grouped_ops(AROUND);
    let lines = |group: &Vec<similar::DiffOp>| {
        let changes = group.iter().flat_map(|change| difference.iter_changes(change));
        changes
            .map(|change| {
                let sign = match change.tag() {
                    ChangeTag::Insert => '+',
                    ChangeTag::Delete => '-',
                    ChangeTag::Equal => ' ',
                };
                let index = change.new_index().or(change.old_index()).unwrap_or_default();
                let line = change.value().trim_end_matches('\n');
                // A tab instead of spaces is a change that readers have to see.
                let text = printable(&line.replace('\t', "⇥   "), usize::MAX);
                ChangedLine { sign, number: index + 1, text }
            })
            .collect()
    };
    groups.iter().map(lines).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown_parts(old: &str, new: &str) -> Vec<String> {
        let line = |line: &ChangedLine| format!("{}{} {}", line.sign, line.number, line.text);
        let part = |part: &Vec<ChangedLine>| part.iter().map(line).collect::<Vec<_>>().join("|");
        parts(old, new).iter().map(part).collect()
    }

    #[test]
    fn changed_lines_have_their_neighbours() {
        assert_eq!(shown_parts("a\nb", "a\nb"), [""; 0]);
        assert_eq!(shown_parts("a\nb\nc", "a\nx\nc"), [" 1 a|-2 b|+2 x| 3 c"]);
        assert_eq!(shown_parts("a\nb", "a\nb\nc"), [" 1 a| 2 b|+3 c"], "the last line is the same");
        assert_eq!(shown_parts("a\r\nb\r\n", "a\nb"), [""; 0]);
        assert_eq!(shown_parts("    a", "\ta"), ["-1     a|+1 ⇥   a"]);
        assert_eq!(shown_parts("\\u{7}", "\u{7}"), ["-1 \\u{7}|+1 \\u{7}"]);
        let long: Vec<String> = (1..=20).map(|number| number.to_string()).collect();
        let mut new = long.clone();
        new.remove(0);
        new.push("end".to_owned());
        let parts = shown_parts(&long.join("\n"), &(new.join("\n") + "\n"));
        assert_eq!(parts[0], "-1 1| 1 2| 2 3| 3 4");
        assert!(parts.len() == 2 && parts[1].ends_with("+20 end"), "{parts:?}");
    }

    #[test]
    fn long_sources_without_a_common_line_are_compared() {
        let lines = |sign: &str| (0..16_000).map(|at| format!("{sign}{at}\n")).collect::<String>();
        let (old, new) = (lines("a"), lines("b"));
        assert_eq!(parts(&old, &new)[0].len(), 32_000);
    }
}
