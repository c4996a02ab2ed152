//! What a submission may cost altogether.

use std::path::Path;

use judge_server::config::Settings;
use judge_store::Role;
use serde_json::Value;

use crate::site::{Site, bot};

/// A module of the corpus of hostile bots.
fn hostile(name: &str) -> Vec<u8> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/adversarial/corpus");
    wat::parse_file(root.join(name).join("bot.wat")).unwrap()
}

/// The result and the whole report of a module, on a server with these settings.
async fn judged(settings: Settings, module: &[u8]) -> (Value, Value) {
    let site = Site::with(settings).await;
    site.grade().await;
    let ada = site.join("Ada", Role::Student).await;
    let tess = site.join("Tess", Role::Instructor).await;
    let page = site.hand_in(&ada, "bot.wasm", module).await.leads_to().to_owned();
    let result = site.result(&ada, page.rsplit('/').next().unwrap()).await;
    let report = site.api(&tess, &format!("/api/v1{page}/report")).await;
    (result, serde_json::from_slice(&report.body).unwrap())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn processor_time_has_a_bound_over_all_rounds() {
    let little = Settings { submission_seconds: Some(1), ..Settings::default() };
    let (result, report) = judged(little, &hostile("c01-infinite-loop")).await;
    assert_eq!(result["state"], "refused", "{result}");
    let refused = report["bots"][0]["refused"].to_string();
    assert!(refused.contains("more than 1 s of processor time"), "{report}");
    // With the suite's own bound it is only the bot's budget that ends.
    let (result, report) = judged(Settings::default(), &hostile("c01-infinite-loop")).await;
    assert_eq!(result["state"], "graded", "{result}");
    assert!(report["bots"][0]["refused"].is_null(), "{report}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rounds_in_the_database_have_a_bound() {
    // It logs as much as it may in each of four rounds.
    let little = Settings { submission_mib: Some(1), ..Settings::default() };
    let flood = hostile("e03-log-flood");
    let (roomy, _) = judged(Settings::default(), &flood).await;
    assert_eq!(roomy["state"], "graded", "{roomy}");
    let (fits, _) = judged(little.clone(), &bot("mahjong-distance")).await;
    assert_eq!(fits["state"], "graded", "an honest one has room: {fits}");
}
