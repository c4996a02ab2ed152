//! Replays of a testcase's rounds: the page, the style of its pictures, and the file.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Response;
use judge_arena::Run;
use judge_core::RoundRecord;
use judge_runner::base::workers::Workers;
use judge_runner::rounds::graded_rounds;
use judge_store::{RunKey, Timestamp};

use super::replay::{RoundPage, file_headers};
use super::{Access, access};
use crate::App;
use crate::web::{PageFrame, RequestFailure, Viewer, handed_out};

/// `/submissions/{id}/rounds/{case}/{round}`, and the same with `.css` and `.jsonl`. `case` is the
/// testcase's position in the reader's report: a student's report has no rounds of hidden
/// testcases.
pub(super) async fn page(
    State(app): State<App>,
    viewer: Viewer,
    Path((id, case, file)): Path<(String, usize, String)>,
    asked: HeaderMap,
) -> Result<Response, RequestFailure> {
    let (number, ending) = file.split_once('.').unwrap_or((&file, ""));
    let number: u32 = number.parse().map_err(|_| RequestFailure::NotFound)?;
    let access = access(&app, &viewer, &id).await?;
    let found = find_round(&app, &access, case, number).await?;
    let DatabaseRound { generation, identity, record } = found.ok_or(RequestFailure::NotFound)?;
    if ending == "jsonl" {
        let key = format!("{identity} file");
        let drawing = {
            let key = key.clone();
            move || Ok::<_, RequestFailure>(vec![(key, record()?.to_replay())])
        };
        let text = app.drawings().text(&viewer.person.id, &key, drawing).await?.to_string();
        let about = access.about(&app, "replay", generation).await?;
        return Ok(handed_out(about, (file_headers(number), text)));
    }
    let back = format!("/submissions/{id}");
    let page = RoundPage {
        frame: PageFrame::new(&viewer, "").in_course(access.attendance.link()),
        own: format!("{back}/rounds/{case}/{number}"),
        back,
        back_name: "back.submission",
        verify: format!("judge verify round-{number}.jsonl BOT.wasm"),
    };
    page.answer((&app, &viewer), &asked, ending, identity.as_bytes(), record).await
}

/// A round in the database.
struct DatabaseRound<F> {
    /// Generation of the result that it belongs to.
    generation: i64,
    /// Its name, which changes with the round.
    identity: String,
    /// Reads the record from the database, by applying the rules again.
    record: F,
}

/// Finds a round; none if the reader's report has no such round.
async fn find_round(
    app: &App,
    access: &Access,
    case: usize,
    number: u32,
) -> Result<
    Option<DatabaseRound<impl FnOnce() -> Result<RoundRecord, RequestFailure> + Send + use<>>>,
    RequestFailure,
> {
    let (store, submission) = (app.store(), &access.submission);
    let Some((generation, report)) = access.shown(app).await? else { return Ok(None) };
    let Some(bot) = report.bots.into_iter().next() else { return Ok(None) };
    let Some(case) = bot.testcases.into_iter().nth(case) else { return Ok(None) };
    if case.is_withheld() || !case.rounds.iter().any(|round| round.round == number) {
        return Ok(None);
    }
    let suite = store.grading_suite(&submission.suite, generation).await;
    let suite = suite.map_err(RequestFailure::internal)?;
    let (of_suite, module) = (submission.suite.clone(), submission.module);
    let key = RunKey { suite: of_suite, generation, module };
    let rounds = store.rounds(&key, &report.fingerprint, Timestamp::now()).await;
    let rounds = Arc::new(rounds.map_err(RequestFailure::internal)?);
    let (fingerprint, bot) = (report.fingerprint, bot.bot);
    let identity = format!("{key:?} {fingerprint:?} {bot:?} {} {number}", case.name);
    let record = move || {
        let pool = Workers::of_this_program().map_err(RequestFailure::internal)?.pool();
        let run = Run::new(pool.with_fingerprint(fingerprint)).with_store(rounds);
        let found = graded_rounds::record(&run, &suite, &bot, &case, number);
        found.map_err(RequestFailure::internal)?.ok_or(RequestFailure::NotFound)
    };
    Ok(Some(DatabaseRound { generation, identity, record }))
}
