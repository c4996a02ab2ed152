//! Changes of a scoreboard, sent to the pages that show it.

use std::convert::Infallible;

use axum::extract::{Path, State};
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::Stream;
use futures_util::stream::unfold;
use judge_store::{ScoreboardMode, Suite};
use tokio::sync::watch;

use super::super::Attendance;
use super::{LINES, ScoreboardPage, ScoreboardPageLine, ScoreboardParams};
use crate::App;
use crate::web::{RequestFailure, Viewer};

/// `/c/{course}/s/{suite}/scoreboard/events`: a message whenever the scoreboard changes for the
/// reader. A frozen or hidden one sends none, because not even the moment of a result must be
/// known.
pub(in crate::pages) async fn events(
    State(app): State<App>,
    viewer: Viewer,
    Path((course, suite)): Path<(String, String)>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, RequestFailure> {
    let open = app.hub().streams().open(&viewer.person.id, &viewer.token);
    let open = open.ok_or(RequestFailure::TooMany)?;
    let attendance = Attendance::load(&app, &viewer, &course).await?;
    let suite = attendance.suite(&app, &suite).await?;
    let follower = app.hub().follow_scoreboard(&suite.id);
    let (is_staff, mode) = (attendance.role.is_staff(), suite.settings.scoreboard);
    let seen = match !is_staff && mode == ScoreboardMode::Ahead {
        true => Some(seen(&app, &viewer, &attendance, &suite).await?),
        false => None,
    };
    let moves = is_staff || matches!(mode, ScoreboardMode::Live | ScoreboardMode::Ahead);
    let watched = Watched { app, viewer, attendance, suite, follower, seen };
    let messages = unfold(watched, move |mut watched| async move {
        if !moves {
            return std::future::pending().await;
        }
        watched.moved().await?;
        Some((Ok(Event::default().data("moved")), watched))
    });
    Ok(Sse::new(open.pass_on(messages)).keep_alive(KeepAlive::default()))
}

/// The lines that the reader sees without filters.
async fn seen(
    app: &App,
    viewer: &Viewer,
    attendance: &Attendance,
    suite: &Suite,
) -> Result<Vec<ScoreboardPageLine>, RequestFailure> {
    Ok(ScoreboardPage::load(app, viewer, attendance, suite, &ScoreboardParams::default(), LINES)
        .await?
        .lines)
}

/// An open scoreboard.
struct Watched {
    app: App,
    viewer: Viewer,
    attendance: Attendance,
    suite: Suite,
    follower: watch::Receiver<u64>,
    /// The lines that the reader saw last, if only changes to these count.
    seen: Option<Vec<ScoreboardPageLine>>,
}

impl Watched {
    /// Waits for the next change that the reader can see; none if there will not be another.
    async fn moved(&mut self) -> Option<()> {
        loop {
            self.follower.changed().await.ok()?;
            let Some(before) = &self.seen else { return Some(()) };
            let now = seen(&self.app, &self.viewer, &self.attendance, &self.suite).await.ok()?;
            if now != *before {
                self.seen = Some(now);
                return Some(());
            }
        }
    }
}
