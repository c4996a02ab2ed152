//! Results that become visible later, and hidden testcases after the due date. They cannot be
//! accessed before.

use axum::http::{Method, StatusCode};
use futures_util::StreamExt as _;
use judge_server::hub::{CaseNews, Progress};
use judge_store::{HiddenShown, RestShown, Role, SuiteSettings, Timestamp};

use tower::ServiceExt as _;

use crate::site::{SignedIn, Site, bot_with, request};

/// Addresses that show a result to a student, of pages and of the API.
fn ways(who: &SignedIn, id: &str) -> (Vec<String>, Vec<String>) {
    let pages = vec![
        "/".to_owned(),
        "/me".to_owned(),
        "/c/ai".to_owned(),
        "/c/ai/s/mahjong".to_owned(),
        "/c/ai/s/mahjong/scoreboard".to_owned(),
        "/c/ai/s/mahjong/scoreboard/rows".to_owned(),
        format!("/c/ai/people/{}", who.person.id),
        format!("/submissions/{id}"),
        format!("/submissions/{id}/events"),
        format!("/submissions/{id}/rounds/0/1"),
    ];
    let api = vec![
        "/api/v1/courses/ai/suites/mahjong/submissions".to_owned(),
        "/api/v1/courses/ai/suites/mahjong/scoreboard".to_owned(),
        format!("/api/v1/submissions/{id}"),
        format!("/api/v1/submissions/{id}/report"),
    ];
    (pages, api)
}

/// Every answer about a result to a person, each with its address.
async fn all(site: &Site, who: &SignedIn, id: &str) -> Vec<(String, String)> {
    let (pages, api) = ways(who, id);
    let mut texts = Vec::new();
    for address in pages {
        let text = site.get(Some(who), &address).await.text();
        texts.push((address, text));
    }
    for address in api {
        let text = site.api(who, &address).await.text();
        texts.push((address, text));
    }
    texts
}

/// The answers that contain these points.
fn telling(texts: &[(String, String)], points: u32) -> Vec<&str> {
    let ends = [(">", "</b>"), ("", "/10"), ("", "/20"), (":", ".0"), (": ", "<")];
    let forms = ends.map(|(start, end)| format!("{start}{points}{end}"));
    let tells = |text: &String| forms.iter().any(|form| text.contains(form.as_str()));
    texts.iter().filter(|(_, text)| tells(text)).map(|(address, _)| address.as_str()).collect()
}

#[tokio::test]
async fn results_above_the_daily_limit_are_shown_on_the_next_day() {
    let site = Site::new().await;
    let shown_per_day = Some(1);
    let settings = SuiteSettings { shown_per_day, pending_at_most: 9, ..SuiteSettings::default() };
    site.set(settings.clone()).await;
    let (ada, bob) = (site.join("Ada", Role::Student).await, site.join("Bob", Role::Student).await);
    let teacher = site.join("Tess", Role::Instructor).await;
    site.result_of(&ada, 13).await;
    let second = site.result_of(&ada, 17).await;
    let texts = all(&site, &ada, &second).await;
    assert_eq!(telling(&texts, 17), [""; 0]);
    assert!(telling(&texts, 13).len() > 4, "the first result is shown: {:?}", telling(&texts, 13));
    assert_eq!(telling(&all(&site, &bob, &second).await, 17), [""; 0]);
    let page = site.get(Some(&ada), &format!("/submissions/{second}")).await.text();
    assert!(
        page.contains("Graded. The result will be shown at") && page.contains("00:00"),
        "{page}"
    );
    let events = site.get(Some(&ada), &format!("/submissions/{second}/events")).await.text();
    assert!(events.contains("\"finished\":true") && events.contains("\"cases\":[]"), "{events}");
    let status = site.api(&ada, &format!("/api/v1/submissions/{second}")).await;
    let status: serde_json::Value = serde_json::from_slice(&status.body).unwrap();
    assert_eq!(status["state"], "graded", "{status}");
    assert!(status["points"].is_null() && status["details_at"].is_string(), "{status}");
    let report = site.api(&ada, &format!("/api/v1/submissions/{second}/report")).await;
    assert_eq!(report.status, StatusCode::NOT_FOUND);
    let staff = site.get(Some(&teacher), &format!("/submissions/{second}")).await.text();
    assert!(staff.contains("<b>17</b>"), "staff see it at once: {staff}");

    // Shown once the suite is due, which is in the past.
    let due_at = Some(Timestamp::from_millis(1));
    site.set(SuiteSettings { due_at, rest_shown: RestShown::Due, ..settings }).await;
    assert!(telling(&all(&site, &ada, &second).await, 17).len() > 4);
}

/// The first message of a submission's stream, after some progress of the grading.
async fn first_message(site: &Site, who: &SignedIn, id: &str) -> String {
    let case = CaseNews { name: "01-open".into(), verdict: "Accepted".into(), passed: true };
    let progress = Progress { done: 3, total: 4, cases: vec![case], finished: false };
    site.app.hub().publish(&id.parse().unwrap(), progress);
    let open = request(Method::GET, Some(who), &format!("/submissions/{id}/events"));
    let open = open.body(axum::body::Body::empty()).unwrap();
    let stream = site.router.clone().oneshot(open).await.unwrap().into_body();
    let message = stream.into_data_stream().next().await.unwrap().unwrap();
    String::from_utf8(message.to_vec()).unwrap()
}

#[tokio::test]
async fn the_stream_of_a_grading_hides_delayed_results() {
    let site = Site::new().await;
    let ada = site.join("Ada", Role::Student).await;
    let teacher = site.join("Tess", Role::Instructor).await;
    let mut ids = Vec::new();
    for number in 0..2 {
        let page = site.submit(&ada, "bot.wasm", &bot_with("mahjong-distance", number)).await;
        ids.push(page.leads_to().rsplit('/').next().unwrap().to_owned());
    }
    site.set(SuiteSettings { shown_per_day: Some(1), ..SuiteSettings::default() }).await;
    let told = first_message(&site, &ada, &ids[0]).await;
    assert!(told.contains("01-open") && told.contains("\"done\":3"), "{told}");
    let kept = first_message(&site, &ada, &ids[1]).await;
    assert!(kept.contains("\"cases\":[]") && kept.contains("\"done\":0"), "{kept}");
    let staff = first_message(&site, &teacher, &ids[1]).await;
    assert!(staff.contains("01-open"), "{staff}");
}

#[tokio::test]
async fn refused_modules_and_judge_errors_are_delayed_too() {
    let site = Site::new().await;
    let settings = SuiteSettings { shown_per_day: Some(1), ..SuiteSettings::default() };
    site.set(settings).await;
    let ada = site.join("Ada", Role::Student).await;
    site.result_of(&ada, 13).await;
    let (good, bad) = (site.result_of(&ada, 20).await, site.result_of(&ada, 0).await);
    let mut shapes = Vec::new();
    for id in [&good, &bad] {
        let text = site.get(Some(&ada), &format!("/submissions/{id}")).await.text();
        shapes.push(text.replace(id.as_str(), "ID").replace(|c: char| c.is_ascii_digit(), "0"));
    }
    assert_eq!(shapes[0], shapes[1], "one page for every result");
}

#[tokio::test]
async fn hidden_testcases_are_shown_only_after_the_due_date() {
    let site = Site::new().await;
    // 2100-01-01, without the digits that the test searches for.
    let due = Timestamp::from_millis(4_102_444_800_000);
    let hidden_shown = HiddenShown::AfterDue;
    let settings = SuiteSettings { hidden_shown, due_at: Some(due), ..SuiteSettings::default() };
    site.set(settings.clone()).await;
    let ada = site.join("Ada", Role::Student).await;
    let teacher = site.join("Tess", Role::Instructor).await;
    // Ten points of the open testcase, seven of the hidden one.
    let id = site.result_of(&ada, 17).await;
    let texts = all(&site, &ada, &id).await;
    assert_eq!((telling(&texts, 17), telling(&texts, 7)), (vec![], vec![]));
    assert!(telling(&texts, 10).len() > 4, "{:?}", telling(&texts, 10));
    for (address, text) in &texts {
        assert!(!text.contains("02-hidden"), "{address}: {text}");
    }
    let report = site.api(&ada, &format!("/api/v1/submissions/{id}/report")).await.text();
    assert!(report.contains("01-open") && !report.contains("hidden"), "{report}");
    let note = "Points of hidden testcases (1) are not in here";
    let page = async |who| site.get(Some(who), &format!("/submissions/{id}")).await.text();
    assert!(page(&ada).await.contains(note) && !page(&teacher).await.contains(note));
    let staff = site.api(&teacher, &format!("/api/v1/submissions/{id}/report")).await.text();
    assert!(staff.contains("02-hidden"), "{staff}");

    let due_at = Some(Timestamp::from_millis(1));
    site.set(SuiteSettings { due_at, ..settings }).await;
    let report = site.api(&ada, &format!("/api/v1/submissions/{id}/report")).await.text();
    assert!(report.contains("hidden testcases") && !report.contains("02-hidden"), "{report}");
    assert!(!page(&ada).await.contains(note));
    assert!(telling(&all(&site, &ada, &id).await, 17).len() > 4, "the sum is shown");
}

#[tokio::test]
async fn an_instructor_sets_which_results_are_shown_and_when() {
    let site = Site::new().await;
    let teacher = site.join("Tess", Role::Instructor).await;
    let address = "/c/ai/manage/s/mahjong/settings";
    let form = |times: &str| {
        format!("{times}&attempts=&scoreboard=ahead&counts=best&told=2&rest=due&hidden=after_due")
    };
    let before = site.suite().await;
    for (times, why) in [
        ("opens=&due=", "never be shown"),
        ("opens=2100-01-02+10:00&due=2100-01-01+10:00", "due before it opens"),
    ] {
        let refused = site.post(Some(&teacher), address, &form(times)).await;
        assert_eq!(refused.status, StatusCode::CONFLICT);
        assert!(refused.text().contains(why), "{}", refused.text());
        assert_eq!(site.suite().await, before);
    }
    let times = "opens=&due=2100-01-01+10:00";
    site.post(Some(&teacher), address, &form(times)).await.leads_to();
    let suite = site.suite().await;
    assert_eq!(suite.settings.shown_per_day, Some(2));
    assert_eq!(suite.settings.rest_shown, RestShown::Due);
    assert_eq!(suite.settings.hidden_shown, HiddenShown::AfterDue);
    let page = site.get(Some(&teacher), "/c/ai/manage/s/mahjong").await.text();
    for part in [
        "name=\"told\" type=\"number\" min=\"1\" max=\"1000\" value=\"2\"",
        "<option value=\"due\" selected>",
        "<option value=\"after_due\" selected>",
        "<option value=\"ahead\" selected>",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    for wrong in ["told=0", "told=-1", "rest=never", "hidden=always"] {
        let form = format!("{times}&attempts=&scoreboard=live&counts=best&{wrong}");
        let answer = site.post(Some(&teacher), address, &form).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{wrong}");
    }
}
