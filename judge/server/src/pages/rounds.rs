//! Replays: a round of a testcase as a page, its pictures' style, and its file.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Response;
use judge_core::MatchRecord;
use judge_runner::graded_rounds;
use judge_runner::workers::Workers;
use judge_store::{RunKey, Timestamp};

use super::replay::{RoundPage, file_headers};
use super::{Access, access};
use crate::App;
use crate::web::{Failure, Frame, Viewer, handed_out};

/// `/submissions/{id}/rounds/{case}/{round}`, and the same with `.css` and `.jsonl`. The testcase is
/// its place in the report that the reader has: of a hidden one a student's report has no rounds.
pub(super) async fn page(
    State(app): State<App>,
    viewer: Viewer,
    Path((id, case, file)): Path<(String, usize, String)>,
    asked: HeaderMap,
) -> Result<Response, Failure> {
    let (number, ending) = file.split_once('.').unwrap_or((&file, ""));
    let number: u32 = number.parse().map_err(|_| Failure::NotFound)?;
    let access = access(&app, &viewer, &id).await?;
    let record = record(&app, &access, case, number).await?.ok_or(Failure::NotFound)?;
    if ending == "jsonl" {
        return Ok(handed_out((file_headers(number), record.to_replay())));
    }
    let back = format!("/submissions/{id}");
    let page = RoundPage {
        frame: Frame::of(&viewer, "").in_course(access.attendance.link()),
        own: format!("{back}/rounds/{case}/{number}"),
        back,
        back_name: "back.submission",
        verify: format!("judge verify round-{number}.jsonl BOT.wasm"),
    };
    let identity = record.digest().to_string();
    page.answer(&asked, ending, identity.as_bytes(), || Ok(record)).await
}

/// The round as the database has it, if the reader's report tells of it.
async fn record(
    app: &App,
    access: &Access,
    case: usize,
    number: u32,
) -> Result<Option<MatchRecord>, Failure> {
    let (store, submission) = (app.store(), &access.submission);
    let Some(report) = access.report(app).await? else { return Ok(None) };
    let Some(bot) = report.bots.into_iter().next() else { return Ok(None) };
    let Some(case) = bot.testcases.into_iter().nth(case) else { return Ok(None) };
    if case.is_withheld() {
        return Ok(None);
    }
    let result = store.result(&submission.id).await.map_err(Failure::internal)?;
    let Some(result) = result else { return Ok(None) };
    let suite = store.grading_suite(&submission.suite, result.generation).await;
    let suite = suite.map_err(Failure::internal)?;
    let key = RunKey {
        suite: submission.suite.clone(),
        generation: result.generation,
        module: submission.module,
    };
    let rounds = store.rounds(&key, &report.fingerprint, Timestamp::now()).await;
    let rounds = Arc::new(rounds.map_err(Failure::internal)?);
    let identity = bot.bot;
    let found = tokio::task::spawn_blocking(move || {
        let pool = Workers::of_this_program()?.pool();
        let pool =
            judge_arena::Pool { journal: Some(rounds), fingerprint: report.fingerprint, ..pool };
        graded_rounds::record(&pool, &suite, &identity, &case, number)
    });
    found.await.map_err(Failure::internal)?.map_err(Failure::internal)
}
