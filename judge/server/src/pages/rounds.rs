//! Replays: a round of a testcase as a page, its pictures' style, and its file.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{Html, IntoResponse as _, Response};
use judge_core::MatchRecord;
use judge_runner::graded_rounds::{self, Beside, LinkedPage, Links};
use judge_runner::workers::Workers;
use judge_store::{RunKey, Timestamp};

use super::{Access, access};
use crate::App;
use crate::web::{Assets, Failure, Viewer, handed_out};

/// `/submissions/{id}/rounds/{case}/{round}`, and the same with `.css` and `.jsonl`. The testcase is
/// its place in the report that the reader has: of a hidden one a student's report has no rounds.
pub(super) async fn page(
    State(app): State<App>,
    viewer: Viewer,
    Path((id, case, file)): Path<(String, usize, String)>,
) -> Result<Response, Failure> {
    let (number, ending) = file.split_once('.').unwrap_or((&file, ""));
    let number: u32 = number.parse().map_err(|_| Failure::NotFound)?;
    let access = access(&app, &viewer, &id).await?;
    let record = record(&app, &access, case, number).await?.ok_or(Failure::NotFound)?;
    if ending == "jsonl" {
        let name = format!("attachment; filename=\"round-{number}.jsonl\"");
        let kind = "application/jsonl; charset=utf-8".to_owned();
        let headers = [(CONTENT_TYPE, kind), (CONTENT_DISPOSITION, name)];
        return Ok(handed_out((headers, record.to_replay())));
    }
    let address = format!("/submissions/{id}");
    let drawn = tokio::task::spawn_blocking(move || drawn(&record, &address, case, number)).await;
    let drawn = drawn.map_err(Failure::internal)?.map_err(Failure::internal)?;
    match ending {
        "" => Ok(Html(drawn.html).into_response()),
        "css" => Ok(([(CONTENT_TYPE, "text/css; charset=utf-8")], drawn.style).into_response()),
        _ => Err(Failure::NotFound),
    }
}

fn drawn(
    record: &MatchRecord,
    address: &str,
    case: usize,
    number: u32,
) -> Result<LinkedPage, judge_runner::Error> {
    let own = format!("{address}/rounds/{case}/{number}");
    let links = Links {
        styles: vec![Assets::url("round.css"), format!("{own}.css")],
        script: Assets::url("round.js"),
    };
    let beside = Beside {
        file: format!("{own}.jsonl"),
        back: address.to_owned(),
        back_name: "the submission",
    };
    let verify = format!("judge verify round-{number}.jsonl BOT.wasm");
    graded_rounds::page(record, &verify, beside, links)
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
