//! Every reader can check the server's files, and they are no evidence to the server itself.

use std::process::Command;

use axum::http::StatusCode;
use judge_server::signatures::PublicKey;
use judge_store::Role;

use crate::site::{Answer, Site, Somebody, bot};
use crate::support::running::PROGRAM;

/// The server's public key.
async fn key(site: &Site) -> PublicKey {
    let told: serde_json::Value =
        serde_json::from_slice(&site.get(None, "/api/v1/key").await.body).unwrap();
    assert_eq!(told["algorithm"], "ed25519");
    let page = site.get(None, "/key").await.text();
    assert!(page.contains(told["key"].as_str().unwrap()), "{page}");
    told["key"].as_str().unwrap().parse().unwrap()
}

/// Checks the signature in the head of an answer.
fn check(key: &PublicKey, answer: &Answer) {
    assert_eq!(answer.status, StatusCode::OK);
    let signature = answer.header("judge-signature");
    assert_eq!(key.check(&answer.body, signature), Ok(()), "{signature}");
    let mut other = answer.body.clone();
    other[0] ^= 1;
    assert!(key.check(&other, signature).is_err());
}

/// A site with a submission of Ada's that was graded; its address.
async fn graded(site: &Site, ada: &Somebody) -> String {
    site.grade().await;
    let page = site.hand_in(ada, "distance.wasm", &bot("mahjong-distance")).await;
    let page = page.leads_to().to_owned();
    site.result(ada, page.rsplit('/').next().unwrap()).await;
    page
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reports_replays_and_mark_sheets_are_signed_and_pages_are_not() {
    let site = Site::new().await;
    let key = key(&site).await;
    let ada = site.join("Ada", Role::Student).await;
    let tess = site.join("Tess", Role::Instructor).await;
    let page = graded(&site, &ada).await;
    let report = format!("/api/v1{page}/report");
    for who in [&ada, &tess] {
        check(&key, &site.api(who, &report).await);
    }
    let replay = format!("{page}/rounds/0/1.jsonl");
    check(&key, &site.get(Some(&ada), &replay).await);
    let marks = "/c/ai/manage/s/mahjong/marks.csv";
    check(&key, &site.get(Some(&tess), marks).await);
    for other in [page.as_str(), "/me"] {
        assert_eq!(site.get(Some(&ada), other).await.header("judge-signature"), "", "{other}");
    }
    // By itself, for a reader who keeps files: the command's check.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("round-1.jsonl");
    std::fs::write(&file, site.get(Some(&ada), &replay).await.body).unwrap();
    let alone = site.get(Some(&ada), &format!("{replay}?signature")).await;
    assert_eq!(alone.header("content-type"), "text/plain; charset=utf-8");
    std::fs::write(folder.path().join("round-1.jsonl.sig"), &alone.body).unwrap();
    let run = |key: &str| {
        let mut command = Command::new(PROGRAM);
        let output = command.arg("check-signature").arg(&file).args(["--key", key]).output();
        let output = output.unwrap();
        let text = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8(text).unwrap())
    };
    let (code, text) = run(&key.to_string());
    assert_eq!(code, Some(0), "{text}");
    assert_eq!(run(&"0".repeat(64)).0, Some(3), "another key");
    std::fs::write(&file, "{}").unwrap();
    let (code, text) = run(&key.to_string());
    assert!(code == Some(3) && text.contains("does not fit"), "{text}");
    // A reader who may not see a file gets no signature of it either.
    let bob = site.join("Bob", Role::Student).await;
    let theirs = site.get(Some(&bob), &format!("{replay}?signature")).await;
    assert_eq!(theirs.status, StatusCode::NOT_FOUND);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_that_comes_back_is_evidence() {
    let site = Site::new().await;
    let ada = site.join("Ada", Role::Student).await;
    let page = graded(&site, &ada).await;
    let report = format!("/api/v1{page}/report");
    let before = site.api(&ada, &report).await;
    let mut better: serde_json::Value = serde_json::from_slice(&before.body).unwrap();
    better["bots"][0]["points"] = 1000.into();
    let better = better.to_string().into_bytes();
    // As a submission it is not a module, and no address accepts it in another way.
    for file in [&before.body, &better] {
        let answer = site.upload(&ada, "report.json", file).await;
        assert_eq!(answer.status, StatusCode::UNSUPPORTED_MEDIA_TYPE, "{}", answer.text());
    }
    let replay = format!("{page}/rounds/0/1.jsonl");
    for address in [&report, &replay, &page] {
        let answer = site.post(Some(&ada), address, "report=x").await;
        assert_eq!(answer.status, StatusCode::METHOD_NOT_ALLOWED, "{address}");
    }
    assert_eq!(site.api(&ada, &report).await.body, before.body);
}
