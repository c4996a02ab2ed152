//! The pages for playing in the browser: complete, allowed by the server's policy, and fetched
//! once.

use axum::http::{Method, StatusCode};

use crate::site::{Site, request};

/// Files that a text refers to only by their names.
fn named(text: &str) -> Vec<String> {
    let quoted = text.split(['"', '\'']).map(|part| part.trim_start_matches("./"));
    let is_file = |part: &&str| {
        let endings = [".css", ".html", ".js", ".wasm"];
        !part.contains(['/', ' ', ':', '<']) && endings.iter().any(|ending| part.ends_with(ending))
    };
    quoted.filter(is_file).map(str::to_owned).collect()
}

#[tokio::test]
async fn every_file_of_the_pages_for_playing_exists() {
    let site = Site::new().await;
    assert_eq!(site.get(None, "/play").await.leads_to(), "/play/play.html");
    let with_query = site.get(None, "/play?game=cc&opponent=flood").await;
    assert_eq!(with_query.leads_to(), "/play/play.html?game=cc&opponent=flood");
    let (mut open, mut seen) = (vec!["play.html".to_owned()], Vec::new());
    while let Some(name) = open.pop() {
        if seen.contains(&name) {
            continue;
        }
        let answer = site.get(None, &format!("/play/{name}")).await;
        assert_eq!(answer.status, StatusCode::OK, "{name}");
        assert!(answer.header("content-security-policy").contains("'wasm-unsafe-eval'"));
        if name.ends_with(".wasm") {
            assert_eq!(answer.header("content-type"), "application/wasm");
            assert!(answer.body.starts_with(b"\0asm"));
        } else {
            open.extend(named(&answer.text()));
        }
        seen.push(name);
    }
    for name in ["judge-browser.wasm", "style.css", "verify.html", "verify.js", "worker.js"] {
        assert!(seen.contains(&name.to_owned()), "{name} is not among {seen:?}");
    }
}

#[tokio::test]
async fn cached_files_are_not_sent_again_and_other_paths_are_not_found() {
    let site = Site::new().await;
    let first = site.get(None, "/play/judge-browser.wasm").await;
    let again = request(Method::GET, None, "/play/judge-browser.wasm");
    let again = again.header("if-none-match", first.header("etag"));
    let again = site.send(again.body(axum::body::Body::empty()).unwrap()).await;
    assert_eq!((again.status, again.body.len()), (StatusCode::NOT_MODIFIED, 0));
    for path in ["/play/nothing.js", "/play/..%2fCargo.toml", "/play/%2e%2e/Cargo.toml"] {
        assert_eq!(site.get(None, path).await.status, StatusCode::NOT_FOUND, "{path}");
    }
}
