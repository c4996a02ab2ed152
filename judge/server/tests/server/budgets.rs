//! Total cost of a submission.

use std::path::Path;

use judge_server::config::Settings;
use judge_store::{Role, Showing, Timestamp};
use serde_json::Value;

use crate::site::{Site, bot, suite_with};

/// A module of the corpus of hostile bots.
fn hostile(name: &str) -> Vec<u8> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../hostile-corpus");
    wat::parse_file(root.join(name).join("bot.wat")).unwrap()
}

/// The result and the whole report of a module, on a server with these settings.
async fn judged(settings: Settings, module: &[u8]) -> (Value, Value) {
    judged_by(Site::with(settings).await, module).await
}

async fn judged_by(site: Site, module: &[u8]) -> (Value, Value) {
    site.grade().await;
    let ada = site.join("Ada", Role::Student).await;
    let tess = site.join("Tess", Role::Instructor).await;
    let page = site.submit(&ada, "bot.wasm", module).await.leads_to().to_owned();
    let result = site.result(&ada, page.rsplit('/').next().unwrap()).await;
    let report = site.api(&tess, &format!("/api/v1{page}/report")).await;
    (result, serde_json::from_slice(&report.body).unwrap())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_submission_has_a_bound_on_processor_time_over_all_rounds() {
    let little = Settings { submission_seconds: Some(1), ..Settings::default() };
    let (result, report) = judged(little, &hostile("c01-infinite-loop")).await;
    assert_eq!(result["state"], "refused", "{result}");
    let refused = report["bots"][0]["refused"].to_string();
    assert!(refused.contains("more than 1 s of processor time"), "{report}");
    // With the suite's own bound, only the bot's budget is exceeded.
    let (result, report) = judged(Settings::default(), &hostile("c01-infinite-loop")).await;
    assert_eq!(result["state"], "graded", "{result}");
    assert!(report["bots"][0]["refused"].is_null(), "{report}");
}

/// A bot that logs as much as a round keeps, and never answers with a move.
fn loud() -> Vec<u8> {
    wat::parse_str(
        r#"(module (import "judge" "log" (func $log (param i32 i32)))
        (memory (export "memory") 1)
        (func (export "judge_buffer") (result i32) i32.const 1024)
        (func (export "judge_line") (param $length i32) (result i32)
            (call $log (i32.const 0) (i32.const 65536)) i32.const 0))"#,
    )
    .unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_submission_has_a_bound_on_rounds_in_the_database() {
    // Logs of 64 KiB in each of forty rounds are more than a mebibyte.
    let forty: Vec<u64> = (6001..6041).collect();
    for (mebibytes, state) in [(1, "refused"), (100, "graded")] {
        let settings = Settings { submission_mib: Some(mebibytes), ..Settings::default() };
        let site = Site::with(settings).await;
        let (id, now) = (site.suite().await.id, Timestamp::now());
        site.app.store().set_files(&id, &suite_with(&forty), Showing::Complete, now).await.unwrap();
        let (result, report) = judged_by(site, &loud()).await;
        assert_eq!(result["state"], state, "{result}");
        let refused = report["bots"][0]["refused"].to_string();
        assert_eq!(refused.contains("more than 1 MiB in the journal"), mebibytes == 1, "{report}");
    }
    let little = Settings { submission_mib: Some(1), ..Settings::default() };
    let (fits, _) = judged(little, &bot("mahjong-distance")).await;
    assert_eq!(fits["state"], "graded", "an honest one has room: {fits}");
}
