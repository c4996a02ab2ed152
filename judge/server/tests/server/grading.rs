//! From submitting to the result, its pages and replays.

use axum::http::StatusCode;
use judge_store::Role;

use crate::site::{Site, bot};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_handed_in_is_judged_ranked_and_shown() {
    let site = Site::new().await;
    site.grade().await;
    let (ada, bob) = (site.join("Ada", Role::Student).await, site.join("Bob", Role::Student).await);
    let page = site.hand_in(&ada, "distance.wasm", &bot("mahjong-distance")).await;
    let page = page.leads_to().to_owned();
    let id = page.rsplit('/').next().unwrap();
    let result = site.result(&ada, id).await;
    assert_eq!(result["state"], "graded", "{result}");
    assert_eq!(result["max_points"].as_f64(), Some(40.0), "{result}");

    let shown = site.get(Some(&ada), &page).await.text();
    for part in ["01-open", "judge grade distance.wasm", "above the threshold", "/rounds/0/1"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    let events = site.get(Some(&ada), &format!("{page}/events")).await;
    assert!(events.text().contains("\"finished\":true"), "{}", events.text());

    let replay = site.get(Some(&ada), &format!("{page}/rounds/0/1")).await;
    assert_eq!(replay.status, StatusCode::OK, "{}", replay.text());
    let text = replay.text();
    assert!(text.contains("<script src=\"/assets/") && !text.contains("<style>"), "{text}");
    let style = site.get(Some(&ada), &format!("{page}/rounds/0/1.css")).await;
    assert_eq!(style.header("content-type"), "text/css; charset=utf-8");
    assert!(style.text().contains('{'), "{}", style.text());
    let file = site.get(Some(&ada), &format!("{page}/rounds/0/2.jsonl")).await;
    let replay = judge_core::Replay::read(&file.text()).unwrap_or_else(|error| panic!("{error}"));
    assert!(replay.check_seal().is_ok());
    assert_eq!(replay.record.header.spec.seed.0, 6002);
    for missing in ["/rounds/0/3", "/rounds/0/0", "/rounds/7/1", "/rounds/0/1.exe"] {
        let answer = site.get(Some(&ada), &format!("{page}{missing}")).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{missing}");
    }

    // The board has a pseudonym until Ada chooses otherwise.
    let board = "/c/ai/s/mahjong/board";
    assert!(!site.get(Some(&bob), board).await.text().contains("Ada"));
    site.post(Some(&ada), "/me/board", "course=ai&pseudonym=Countess&real=yes").await;
    assert!(site.get(Some(&bob), board).await.text().contains("<bdi>Ada</bdi>"));
    site.post(Some(&ada), "/me/board", "course=ai&pseudonym=Countess").await;
    let seen = site.get(Some(&bob), board).await.text();
    assert!(seen.contains("Countess") && !seen.contains("Ada"), "{seen}");
    assert!(!seen.contains(id), "no way to Ada's submission: {seen}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_same_module_again_has_the_same_digest() {
    let site = Site::new().await;
    site.grade().await;
    let (ada, bob) = (site.join("Ada", Role::Student).await, site.join("Bob", Role::Student).await);
    let mut digests = Vec::new();
    for who in [&ada, &bob] {
        let page = site.hand_in(who, "bot.wasm", &bot("mahjong-straightforward")).await;
        let id = page.leads_to().rsplit('/').next().unwrap().to_owned();
        site.result(who, &id).await;
        let report = site.api(who, &format!("/api/v1/submissions/{id}/report")).await;
        let report: serde_json::Value = serde_json::from_slice(&report.body).unwrap();
        digests.push(report["bots"][0]["digest"].clone());
    }
    assert_eq!(digests[0], digests[1]);
    assert!(digests[0].is_string(), "{digests:?}");
}
