//! Access rights. A page without access looks like a missing one.

use axum::body::Body;
use axum::http::header::{CONTENT_TYPE, ORIGIN};
use axum::http::{Method, StatusCode};
use judge_store::{Role, Timestamp};

use crate::site::{HOSTNAME, Site, bot, request};

#[tokio::test]
async fn a_student_cannot_see_submissions_of_others() {
    let site = Site::new().await;
    let (ada, bob) = (site.join("Ada", Role::Student).await, site.join("Bob", Role::Student).await);
    let observer = site.join("Olga", Role::Observer).await;
    let assistant = site.join("Alan", Role::Assistant).await;
    let page = site.submit(&ada, "distance.wasm", &bot("mahjong-distance")).await;
    let page = page.leads_to().to_owned();
    for ending in ["", "/events", "/rounds/0/1", "/rounds/0/1.css", "/rounds/0/1.jsonl"] {
        let address = format!("{page}{ending}");
        for other in [&bob, &observer] {
            let answer = site.get(Some(other), &address).await;
            assert_eq!(answer.status, StatusCode::NOT_FOUND, "{address}");
        }
        let nobody = site.get(None, &address).await;
        assert_eq!(nobody.status, StatusCode::UNAUTHORIZED, "{address}");
    }
    for ending in ["", "/report", "/module", "/source"] {
        let address = format!("/api/v1{page}{ending}");
        assert_eq!(site.api(&bob, &address).await.status, StatusCode::NOT_FOUND, "{address}");
    }
    let person = format!("/c/ai/people/{}", ada.person.id);
    assert_eq!(site.get(Some(&bob), &person).await.status, StatusCode::NOT_FOUND);
    for allowed in [&ada, &assistant] {
        assert_eq!(site.get(Some(allowed), &page).await.status, StatusCode::OK);
        assert_eq!(site.get(Some(allowed), &person).await.status, StatusCode::OK);
    }
}

#[tokio::test]
async fn a_course_is_not_found_for_non_members() {
    let site = Site::new().await;
    let ada = site.join("Ada", Role::Student).await;
    site.app.store().leave(&site.course.id, &ada.person.id, None, Timestamp::now()).await.unwrap();
    for address in ["/c/ai", "/c/ai/s/mahjong", "/c/ai/s/mahjong/scoreboard", "/c/nothing"] {
        let answer = site.get(Some(&ada), address).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{address}");
    }
    let handed_in = site.submit(&ada, "x.wasm", &bot("mahjong-distance")).await;
    assert_eq!(handed_in.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn staff_pages_refuse_students_and_changes_by_assistants() {
    let site = Site::new().await;
    let (ada, alan) =
        (site.join("Ada", Role::Student).await, site.join("Alan", Role::Assistant).await);
    let reads = [
        "/c/ai/manage",
        "/c/ai/manage/people",
        "/c/ai/manage/s/mahjong",
        "/c/ai/manage/s/mahjong/submissions",
        "/c/ai/manage/s/mahjong/marks.csv",
        "/c/ai/manage/s/mahjong/whole-marks.csv",
        "/c/ai/manage/s/mahjong/sources.zip",
    ];
    for address in reads {
        let answer = site.get(Some(&ada), address).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{address}");
        assert_eq!(site.get(Some(&alan), address).await.status, StatusCode::OK, "{address}");
    }
    let settings = "opens=&due=&attempts=&scoreboard=hidden&counts=best";
    let changes = [
        ("/c/ai/manage/suites", "bundled=cc&slug=cc"),
        ("/c/ai/manage/invitations", "role=instructor&names="),
        ("/c/ai/manage/s/mahjong/settings", settings),
        ("/c/ai/manage/s/mahjong/rejudge", "which=all&sure=yes"),
        ("/c/ai/manage/s/mahjong/preview/accept", "generation=1"),
        ("/c/ai/manage/s/mahjong/preview/discard", "generation=1"),
    ];
    for (address, form) in changes {
        let student = site.post(Some(&ada), address, form).await;
        assert_eq!(student.status, StatusCode::NOT_FOUND, "{address}");
        let assistant = site.post(Some(&alan), address, form).await;
        assert_eq!(assistant.status, StatusCode::FORBIDDEN, "{address}");
    }
    let course = "title=Mine&slug=mine&time_zone=UTC";
    assert_eq!(site.post(Some(&alan), "/courses", course).await.status, StatusCode::FORBIDDEN);
}

/// Sends a request with side effects, with the session's cookie and this origin.
async fn from(site: &Site, who: &crate::site::SignedIn, origin: Option<&str>) -> StatusCode {
    let mut request = request(Method::POST, Some(who), "/me/language")
        .header(CONTENT_TYPE, "application/x-www-form-urlencoded");
    if let Some(origin) = origin {
        request = request.header(ORIGIN, origin);
    }
    site.send(request.body(Body::from("language=zh")).unwrap()).await.status
}

#[tokio::test]
async fn a_form_sent_from_another_site_is_refused() {
    let site = Site::new().await;
    let ada = site.join("Ada", Role::Student).await;
    let own = format!("http://{HOSTNAME}");
    for foreign in [None, Some("null"), Some("http://evil.example"), Some("http://judge.test.evil")]
    {
        assert_eq!(from(&site, &ada, foreign).await, StatusCode::FORBIDDEN, "{foreign:?}");
    }
    assert_eq!(site.app.store().person(&ada.person.id).await.unwrap().unwrap().language, None);
    assert_eq!(from(&site, &ada, Some(&own)).await, StatusCode::SEE_OTHER);
    assert!(site.get(Some(&ada), "/me").await.text().contains("排行榜上的名称"));
}

#[tokio::test]
async fn a_token_next_to_a_cookie_does_not_skip_the_origin_check() {
    let site = Site::new().await;
    let ada = site.join("Ada", Role::Student).await;
    let request = request(Method::POST, Some(&ada), "/me/language")
        .header("authorization", "Bearer made-up")
        .header(CONTENT_TYPE, "application/x-www-form-urlencoded");
    let answer = site.send(request.body(Body::from("language=zh")).unwrap()).await;
    assert_eq!(answer.status, StatusCode::FORBIDDEN);
}
