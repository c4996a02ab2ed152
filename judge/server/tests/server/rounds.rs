//! Pages of rounds and the pages for playing: in the reader's language, with a link back to the
//! course, and drawn once.

use axum::body::Body;
use axum::http::header::{ACCEPT_LANGUAGE, IF_NONE_MATCH};
use axum::http::{Method, StatusCode};
use judge_store::Role;

use crate::site::{PageReply, SignedIn, Site, bot, request};

/// Grades a submission of Ada's, and returns the address of its first round.
async fn graded(site: &Site, who: &SignedIn) -> String {
    site.grade().await;
    let sent = site.submit(who, "distance.wasm", &bot("mahjong-distance")).await;
    let page = sent.leads_to().to_owned();
    site.result(who, page.rsplit('/').next().unwrap()).await;
    format!("{page}/rounds/0/1")
}

/// Requests an answer that the browser already has.
async fn again(site: &Site, who: &SignedIn, address: &str, tag: &str) -> PageReply {
    let request = request(Method::GET, Some(who), address).header(IF_NONE_MATCH, tag);
    site.send(request.body(Body::empty()).unwrap()).await
}

#[tokio::test]
async fn a_round_page_is_in_the_readers_language_with_a_back_link() {
    let site = Site::new().await;
    let ada = site.join("Ada", Role::Student).await;
    let round = graded(&site, &ada).await;
    let english = site.get(Some(&ada), &round).await.text();
    for text in ["<html lang=\"en\">", "<h2>Moves</h2>", "href=\"/c/ai\"", "Manage", "Ada"] {
        assert_eq!(english.contains(text), text != "Manage", "{text}");
    }
    site.post(Some(&ada), "/me/language", "language=zh").await;
    let chinese = site.get(Some(&ada), &round).await.text();
    for text in ["<html lang=\"zh\">", "<h2>着法</h2>", "href=\"/c/ai\"", "这次提交", "座位 1"]
    {
        assert!(chinese.contains(text), "{text}");
    }
    for text in
        ["Moves", "Playback", "Seen by", ">seat 1", "See also", "round.js", "the submission"]
    {
        assert!(!chinese.contains(text), "{text}");
    }
    let (_, script) = chinese.rsplit_once("<script src=\"").unwrap();
    let script = site.get(None, script.split('"').next().unwrap()).await;
    assert!(script.text().contains("\"没有往来。\""));
    assert!(!script.text().contains("No lines were exchanged"));
}

#[tokio::test]
async fn a_round_page_is_cached_only_by_the_readers_browser() {
    let site = Site::new().await;
    let (ada, bob) = (site.join("Ada", Role::Student).await, site.join("Bob", Role::Student).await);
    let tess = site.join("Tess", Role::Instructor).await;
    let round = graded(&site, &ada).await;
    for (address, for_others) in
        [(round.clone(), StatusCode::OK), (format!("{round}.css"), StatusCode::NOT_MODIFIED)]
    {
        let first = site.get(Some(&ada), &address).await;
        assert_eq!(first.header("cache-control"), "private, no-cache");
        assert!(first.header("vary").contains("cookie"));
        let tag = first.header("etag").to_owned();
        assert!(tag.len() > 20 && !first.body.is_empty(), "{tag}");
        let kept = again(&site, &ada, &address, &tag).await;
        assert_eq!((kept.status, kept.body.len()), (StatusCode::NOT_MODIFIED, 0));
        assert_eq!(kept.header("cache-control"), "private, no-cache");
        assert_eq!(again(&site, &bob, &address, &tag).await.status, StatusCode::NOT_FOUND);
        let staff = again(&site, &tess, &address, &tag).await;
        assert_eq!(
            staff.status, for_others,
            "the navigation is the reader's own, the style is not"
        );
        site.post(Some(&ada), "/me/language", "language=zh").await;
        assert_eq!(again(&site, &ada, &address, &tag).await.status, for_others);
        site.post(Some(&ada), "/me/language", "language=en").await;
    }
    let [page, style] = [round.clone(), format!("{round}.css")];
    let tags = [site.get(Some(&ada), &page).await, site.get(Some(&ada), &style).await];
    assert_ne!(tags[0].header("etag"), tags[1].header("etag"));
}

#[tokio::test]
async fn the_pages_for_playing_are_part_of_the_site() {
    let site = Site::new().await;
    let ada = site.join("Ada", Role::Student).await;
    let page = site.get(Some(&ada), "/play/play.html?game=mahjong&course=ai").await.text();
    assert!(page.contains("href=\"/c/ai\"") && page.contains("href=\"/me\""), "{page}");
    assert!(page.contains("<h1>Play a round</h1>") && page.contains("href=\"#main\""));
    let stranger = site.get(None, "/play/play.html?course=ai").await;
    assert_eq!(stranger.status, StatusCode::OK);
    assert!(!stranger.text().contains("/c/ai"), "nothing of a course for strangers");
    for name in ["play.html", "verify.html"] {
        let request = request(Method::GET, None, &format!("/play/{name}"));
        let request = request.header(ACCEPT_LANGUAGE, "zh-CN").body(Body::empty()).unwrap();
        let page = site.send(request).await.text();
        assert!(page.contains("<html lang=\"zh\">"), "{page}");
        assert!(!page.contains("replay") || !page.contains("Check a replay"), "{page}");
    }
    let words = site.get(None, "/play/words-zh.json").await;
    assert_eq!(words.header("content-type"), "application/json");
    let words: serde_json::Value = serde_json::from_slice(&words.body).unwrap();
    assert_eq!(words["You have won."], "你赢了。");
}
