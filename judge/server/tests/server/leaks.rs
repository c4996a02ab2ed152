//! No page or answer shows a student anything of hidden testcases, or reveals the server's
//! internals.

use std::collections::BTreeSet;

use judge_store::{Role, Timestamp};

use crate::site::{HIDDEN_SEEDS, HIDDEN_WORDS, Site, bot};

/// Texts that no answer may contain.
const INSIDE: [&str; 7] =
    ["SELECT ", "sqlx", "/root/", ".rs:", "panicked", "judge.db", "wasmtime::"];

/// Addresses in a page that lead to the server itself.
fn addresses(page: &str) -> impl Iterator<Item = String> {
    let quoted = ["href=\"", "src=\"", "data-events=\"", "data-self=\"", "data-site=\""];
    let parts = quoted.into_iter().flat_map(|start| page.split(start).skip(1).collect::<Vec<_>>());
    let found = parts.filter_map(|rest| rest.split(['"', '#']).next());
    found.filter(|address| address.starts_with('/')).map(|address| address.replace("&amp;", "&"))
}

fn check(address: &str, text: &str, hidden: bool) {
    for inside in INSIDE {
        assert!(!text.contains(inside), "{address}: {inside}");
    }
    if hidden {
        for seed in HIDDEN_SEEDS {
            assert!(!text.contains(&seed.to_string()), "{address}: a hidden seed");
            assert!(!text.contains(&format!("{seed:x}")), "{address}: a hidden seed");
        }
        for word in HIDDEN_WORDS {
            assert!(!text.contains(word), "{address}: a hidden name or title");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_page_shows_hidden_testcases_to_students() {
    let site = Site::new().await;
    site.grade().await;
    let ada = site.join("Ada", Role::Student).await;
    let teacher = site.join("Tess", Role::Instructor).await;
    let page = site.submit(&ada, "distance.wasm", &bot("mahjong-distance")).await;
    let page = page.leads_to().to_owned();
    let id = page.rsplit('/').next().unwrap();
    let events = format!("{page}/events");
    // During grading, and after it.
    check(&events, &site.get(Some(&ada), &events).await.text(), true);
    site.result(&ada, id).await;

    let mut open = vec!["/".to_owned(), "/me".to_owned(), page.clone(), events];
    open.extend(["", ".jsonl", ".css"].map(|ending| format!("{page}/rounds/1/1{ending}")));
    let mut seen = BTreeSet::new();
    while let Some(address) = open.pop() {
        // This stream never ends.
        if address.ends_with("/scoreboard/events") || !seen.insert(address.clone()) {
            continue;
        }
        let text = site.get(Some(&ada), &address).await.text();
        check(&address, &text, true);
        open.extend(addresses(&text));
    }
    assert!(seen.len() > 15 && seen.iter().any(|one| one.contains("/rounds/0/2")), "{seen:?}");
    for address in [
        "/api/v1/whoami".to_owned(),
        "/api/v1/courses".to_owned(),
        "/api/v1/courses/ai/suites".to_owned(),
        "/api/v1/courses/ai/suites/mahjong/submissions".to_owned(),
        "/api/v1/courses/ai/suites/mahjong/scoreboard".to_owned(),
        format!("/api/v1/submissions/{id}"),
        format!("/api/v1/submissions/{id}/report"),
        "/api/v1/openapi.json".to_owned(),
    ] {
        let answer = site.api(&ada, &address).await;
        assert!(answer.status.is_success(), "{address}");
        check(&address, &answer.text(), true);
    }
    // Proves that the check can fail: staff see hidden testcases.
    let whole = site.api(&teacher, &format!("/api/v1/submissions/{id}/report")).await.text();
    assert!(whole.contains(&HIDDEN_SEEDS[0].to_string()) && whole.contains(HIDDEN_WORDS[1]));
    let replay = site.get(Some(&teacher), &format!("{page}/rounds/1/1.jsonl")).await;
    assert!(replay.text().contains(&HIDDEN_SEEDS[0].to_string()), "{}", replay.text());
}

#[tokio::test]
async fn errors_do_not_reveal_internals() {
    let site = Site::new().await;
    let ada = site.join("Ada", Role::Student).await;
    for address in ["/nothing", "/c/x", "/submissions/x", "/api/v1/nothing", "/metrics", "/join/x"]
    {
        let answer = site.get(Some(&ada), address).await;
        assert!(answer.status.is_client_error(), "{address}: {}", answer.status);
        check(address, &answer.text(), true);
        assert!(!answer.text().contains(env!("CARGO_PKG_VERSION")), "{address}: a version");
        assert!(answer.headers.get("server").is_none(), "{address}");
    }
    for (address, form) in [("/me/language", "language=xx"), ("/me/tokens", "x=y")] {
        let answer = site.post(Some(&ada), address, form).await;
        assert!(answer.status.is_client_error(), "{address}");
        check(address, &answer.text(), true);
    }
    // A failing database does not reveal internals either.
    site.app.store().clone().close().await;
    let answer = site.get(Some(&ada), "/me").await;
    assert!(answer.status.is_server_error());
    check("/me", &answer.text(), true);
    let now = Timestamp::now();
    assert!(site.app.store().queue_state(now).await.is_err(), "it is closed");
}
