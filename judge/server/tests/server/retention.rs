//! Exports, erasure, deletion and the log, by role.

use std::io::{Cursor, Read as _};
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::http::{Method, StatusCode};
use judge_server::config::Settings;
use judge_server::retention;
use judge_store::{NewPerson, NewSubmission, NewSuite, Role, SuiteSettings, Timestamp};
use serde_json::{Value, json};
use tower::ServiceExt as _;
use zip::ZipArchive;

use crate::ladder::{ask, tell};
use crate::site::{HIDDEN_SEEDS, HIDDEN_WORDS, PageReply, SignedIn, Site, request, suite};

const NOT_FOUND: StatusCode = StatusCode::NOT_FOUND;

async fn administrator(site: &Site) -> SignedIn {
    let new = NewPerson { name: "Root".to_owned(), is_administrator: true, ..NewPerson::default() };
    let person = site.app.store().add_person(&new, Timestamp::now()).await.unwrap();
    site.signed_in(person).await
}

/// The files of a zip file by their names.
pub(crate) fn unpacked(reply: &PageReply) -> Vec<(String, Vec<u8>)> {
    assert_eq!(reply.status, StatusCode::OK, "{}", reply.text());
    let mut zip = ZipArchive::new(Cursor::new(&reply.body)).unwrap();
    let many = zip.len();
    let file = |at| {
        let mut file = zip.by_index(at).unwrap();
        let (name, mut bytes) = (file.name().unwrap().into_owned(), Vec::new());
        file.read_to_end(&mut bytes).unwrap();
        (name, bytes)
    };
    (0..many).map(file).collect()
}

#[tokio::test]
async fn an_export_has_only_data_that_the_person_may_see() {
    let site = Site::new().await;
    let (ada, bob) = (site.join("Ada", Role::Student).await, site.join("Bob", Role::Student).await);
    let id = site.result_of(&ada, 15).await;
    site.result_of(&bob, 5).await;
    // The same module in another suite.
    let store = site.app.store();
    let module = store.submission(&id.parse().unwrap()).await.unwrap().unwrap().module;
    let bytes = store.module(&module).await.unwrap().unwrap();
    let other = NewSuite {
        course: &site.course.id,
        slug: "other",
        files: &suite(),
        settings: SuiteSettings::default(),
    };
    let other = store.create_suite(&other, Timestamp::now()).await.unwrap();
    let again = NewSubmission {
        suite: &other.id,
        person: &ada.person.id,
        name: "bot",
        file_name: "bot.wasm",
        module: &bytes,
        source: None,
        stored_at_most: u64::MAX,
    };
    store.submit(&again, Timestamp::now()).await.unwrap();
    for reply in
        [site.get(Some(&ada), "/me/data.zip").await, site.api(&ada, "/api/v1/me/data").await]
    {
        assert_eq!(reply.header("cache-control"), "no-store");
        let files = unpacked(&reply);
        let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
        assert!(names.contains(&"account.json"), "{names:?}");
        let modules = names.iter().filter(|name| name.starts_with("modules/"));
        assert_eq!(modules.copied().collect::<Vec<_>>(), [format!("modules/{module}.wasm")]);
        assert!(names.contains(&format!("reports/{id}.json").as_str()), "{names:?}");
        let whole: Vec<u8> = files.iter().flat_map(|(_, bytes)| bytes.clone()).collect();
        let whole = String::from_utf8_lossy(&whole);
        assert!(whole.contains("Ada") && !whole.contains("Bob"), "{whole}");
        let seeds = HIDDEN_SEEDS.map(|seed| seed.to_string());
        for hidden in HIDDEN_WORDS.iter().copied().chain(seeds.iter().map(String::as_str)) {
            assert!(!whole.contains(hidden), "{hidden}");
        }
        let account = files.iter().find(|(name, _)| name == "account.json").unwrap();
        let account: Value = serde_json::from_slice(&account.1).unwrap();
        assert_eq!(account["results"][0]["submission"], id.as_str());
        let submissions = account["submissions"].as_array().unwrap();
        assert_eq!(submissions.len(), 2);
        assert!(submissions.iter().all(|one| one["module"] == module.to_string().as_str()));
        assert_eq!(account["account"][0]["name"], "Ada");
    }
    assert_eq!(site.get(None, "/me/data.zip").await.status, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn an_account_gets_one_export_at_a_time() {
    let site = Site::new().await;
    let mut people = Vec::new();
    for name in ["Ada", "Bob", "Eve"] {
        people.push(site.join(name, Role::Student).await);
    }
    let begun = async |who: &SignedIn| {
        let request = request(Method::GET, Some(who), "/me/data.zip").body(Body::empty()).unwrap();
        site.router.clone().oneshot(request).await.unwrap()
    };
    // These clients have read nothing yet, and do not delay others.
    let mut answers = Vec::new();
    for who in &people {
        let answer = begun(who).await;
        assert_eq!(answer.status(), StatusCode::OK);
        answers.push(answer);
    }
    for address in ["/me/data.zip", "/api/v1/me/data"] {
        let more = match address.starts_with("/api") {
            true => site.api(&people[0], address).await,
            false => site.get(Some(&people[0]), address).await,
        };
        assert_eq!(more.status, StatusCode::TOO_MANY_REQUESTS, "{address}");
    }
    let answer = answers.remove(0);
    let length = answer.headers()["content-length"].to_str().unwrap().to_owned();
    let whole = to_bytes(answer.into_body(), 1 << 20).await.unwrap();
    assert_eq!(whole.len().to_string(), length);
    assert_eq!(site.get(Some(&people[0]), "/me/data.zip").await.status, StatusCode::OK);
    // A client that disconnects does not keep its turn.
    drop(answers);
    assert_eq!(site.get(Some(&people[1]), "/me/data.zip").await.status, StatusCode::OK);
}

#[tokio::test]
async fn only_administrators_export_and_erase_others() {
    let site = Site::new().await;
    let root = administrator(&site).await;
    let ada = site.join("Ada", Role::Student).await;
    let tess = site.join("Tess", Role::Instructor).await;
    site.result_of(&ada, 15).await;
    let id = &ada.person.id;
    let (data, erase) = (format!("/accounts/{id}/data.zip"), format!("/accounts/{id}/erase"));
    let api = format!("/api/v1/people/{id}");
    for other in [&ada, &tess] {
        for address in ["/accounts", "/accounts?q=a", "/log", &data] {
            assert_eq!(site.get(Some(other), address).await.status, NOT_FOUND, "{address}");
        }
        assert_eq!(site.post(Some(other), &erase, "sure=yes").await.status, NOT_FOUND);
        for address in [format!("{api}/data"), "/api/v1/log".to_owned()] {
            assert_eq!(site.api(other, &address).await.status, NOT_FOUND, "{address}");
        }
        assert_eq!(tell(&site, other, &format!("{api}/erase"), &json!({})).await.0, NOT_FOUND);
    }
    let page = site.get(Some(&root), "/accounts?q=ada").await.text();
    assert!(page.contains(&erase) && !page.contains("Tess"), "{page}");
    assert!(site.get(Some(&root), "/accounts?q=%25").await.text().contains("No account matches"));
    assert!(!unpacked(&site.get(Some(&root), &data).await).is_empty());
    assert!(!unpacked(&site.api(&root, &format!("{api}/data")).await).is_empty());
    assert_eq!(site.post(Some(&root), &erase, "").await.status, StatusCode::BAD_REQUEST);

    site.post(Some(&root), &erase, "sure=yes").await.leads_to();
    assert_eq!(site.get(Some(&ada), "/me").await.status, StatusCode::UNAUTHORIZED);
    let people = site.get(Some(&tess), "/c/ai/manage/people").await.text();
    assert!(!people.contains("<bdi>Ada</bdi>"), "{people}");
    let only = format!("/api/v1/people/{}/erase", tess.person.id);
    let (status, told) = tell(&site, &root, &only, &json!({})).await;
    assert_eq!((status, told["error"].as_str()), (StatusCode::CONFLICT, Some("only_instructor")));
    let log = ask(&site, &root, "/api/v1/log").await;
    let acts: Vec<&str> =
        log.as_array().unwrap().iter().map(|one| one["act"].as_str().unwrap()).collect();
    assert_eq!(acts, ["person_erased", "person_exported", "person_exported"]);
    assert_eq!((&log[0]["by_name"], &log[0]["person"]), (&json!("Root"), &json!("(erased)")));
    assert!(site.get(Some(&root), "/log").await.text().contains("erased a person"));
}

#[tokio::test]
async fn instructors_delete_suites_and_the_archived_course() {
    let site = Site::new().await;
    let tess = site.join("Tess", Role::Instructor).await;
    let alan = site.join("Alan", Role::Assistant).await;
    let ada = site.join("Ada", Role::Student).await;
    let id = site.result_of(&ada, 15).await;
    let suite = "/c/ai/manage/s/mahjong/delete";
    assert_eq!(site.post(Some(&ada), suite, "name=mahjong").await.status, NOT_FOUND);
    assert_eq!(site.post(Some(&alan), suite, "name=mahjong").await.status, StatusCode::FORBIDDEN);
    let wrong = site.post(Some(&tess), suite, "name=mah").await;
    assert_eq!(wrong.status, StatusCode::CONFLICT);
    assert!(wrong.text().contains("type mahjong"), "{}", wrong.text());
    let page = site.get(Some(&tess), "/c/ai/manage/s/mahjong").await.text();
    assert!(page.contains(suite), "{page}");
    assert_eq!(site.post(Some(&tess), suite, "name=mahjong").await.leads_to(), "/c/ai/manage");
    assert_eq!(site.get(Some(&ada), &format!("/submissions/{id}")).await.status, NOT_FOUND);
    assert_eq!(site.get(Some(&ada), "/c/ai/s/mahjong").await.status, NOT_FOUND);
    assert_eq!(site.get(Some(&ada), "/c/ai").await.status, StatusCode::OK);

    let course = "/c/ai/manage/delete";
    assert_eq!(site.post(Some(&alan), course, "name=ai").await.status, StatusCode::FORBIDDEN);
    let open = site.post(Some(&tess), course, "name=ai").await;
    assert_eq!(open.status, StatusCode::CONFLICT);
    assert!(open.text().contains("Archive it first"), "{}", open.text());
    site.post(Some(&tess), "/c/ai/manage/archive", "sure=yes").await.leads_to();
    let page = site.get(Some(&tess), "/c/ai/manage/archive").await.text();
    assert!(page.contains(course), "{page}");
    assert_eq!(site.post(Some(&tess), course, "name=ai").await.leads_to(), "/");
    assert_eq!(site.get(Some(&tess), "/c/ai").await.status, NOT_FOUND);
    assert_eq!(site.get(Some(&ada), "/me").await.status, StatusCode::OK, "accounts stay");
}

#[tokio::test]
async fn the_api_deletes_like_the_pages() {
    let site = Site::new().await;
    let tess = site.join("Tess", Role::Instructor).await;
    let ada = site.join("Ada", Role::Student).await;
    let (suite, course) = ("/api/v1/courses/ai/suites/mahjong/delete", "/api/v1/courses/ai/delete");
    for address in [suite, course] {
        assert_eq!(tell(&site, &ada, address, &json!({})).await.0, NOT_FOUND);
    }
    assert_eq!(tell(&site, &tess, suite, &json!({})).await.0, StatusCode::NO_CONTENT);
    assert_eq!(tell(&site, &tess, suite, &json!({})).await.0, NOT_FOUND);
    let (status, told) = tell(&site, &tess, course, &json!({})).await;
    assert_eq!((status, told["error"].as_str()), (StatusCode::CONFLICT, Some("not_archived")));
    tell(&site, &tess, "/api/v1/courses/ai/archive", &json!({})).await;
    assert_eq!(tell(&site, &tess, course, &json!({})).await.0, StatusCode::NO_CONTENT);
    assert_eq!(ask(&site, &tess, "/api/v1/courses").await, json!([]));
}

/// Forms of staff, each with its act in the log.
const ACTS: [(&str, &str, &str); 12] = [
    ("settings", "title=Other&time_zone=UTC", "course_changed"),
    ("webhook", "webhook=", "webhook_set"),
    ("suites", "bundled=cc&slug=cc&due=2099-01-01", "suite_added"),
    (
        "s/cc/settings",
        "opens=&due=2099-01-02&attempts=3&scoreboard=live&counts=best&told=&rest=due&hidden=files\
         &late=refuse&percent=10&free=0&grace=0",
        "suite_changed",
    ),
    ("s/cc/rejudge", "which=all&sure=yes", "rejudged"),
    ("people/{ada}/extension", "suite=cc&due=2099-02-01", "extended"),
    ("people/{ada}", "role=observer", "role_changed"),
    ("people/{ada}/sign-out", "", "signed_out"),
    ("people/{ada}/link", "", "invited"),
    ("invitations/revoke", "sure=yes", "links_revoked"),
    ("arenas", "game=mahjong&slug=tiles", "arena_created"),
    ("people/{ada}", "role=none", "member_removed"),
];

#[tokio::test]
async fn every_act_of_staff_is_in_the_log_and_only_instructors_read_it() {
    let site = Site::new().await;
    let tess = site.join("Tess", Role::Instructor).await;
    let ada = site.join("Ada", Role::Student).await;
    let fill = |text: &str| text.replace("{ada}", ada.person.id.as_str());
    for (address, form, act) in ACTS {
        let address = format!("/c/ai/manage/{}", fill(address));
        let reply = site.post(Some(&tess), &address, form).await;
        assert!(reply.status.as_u16() < 400, "{address}: {} {}", reply.status, reply.text());
        let log = ask(&site, &tess, "/api/v1/courses/ai/log").await;
        let acts: Vec<&Value> = log.as_array().unwrap().iter().map(|one| &one["act"]).collect();
        assert!(acts.contains(&&json!(act)), "{address}: {acts:?}");
        assert!(log.as_array().unwrap().iter().all(|one| one["by_name"] == "Tess"), "{log}");
    }
    let log = ask(&site, &tess, "/api/v1/courses/ai/log").await;
    let settings = log.as_array().unwrap().iter().find(|one| one["act"] == "suite_changed");
    let detail = settings.unwrap()["detail"].as_str().unwrap();
    assert!(detail.contains("attempts_per_day: any -> 3"), "{detail}");
    let page = site.get(Some(&tess), "/c/ai/manage/log").await.text();
    assert!(page.contains("changed settings of a suite") && page.contains("Tess"), "{page}");
    assert!(site.get(Some(&tess), "/c/ai/manage").await.text().contains("/c/ai/manage/log"));
    for (name, role, status) in [
        ("Alan", Role::Assistant, StatusCode::FORBIDDEN),
        ("Bob", Role::Student, NOT_FOUND),
        ("Olga", Role::Observer, NOT_FOUND),
    ] {
        let other = site.join(name, role).await;
        assert_eq!(site.get(Some(&other), "/c/ai/manage/log").await.status, status, "{name}");
        assert_eq!(site.api(&other, "/api/v1/courses/ai/log").await.status, status, "{name}");
    }
}

#[tokio::test]
async fn the_retention_periods_of_the_settings_are_applied() {
    let settings = Settings { archived_days: Some(10), log_days: Some(20), ..Settings::default() };
    let site = Site::with(settings).await;
    let tess = site.join("Tess", Role::Instructor).await;
    site.post(Some(&tess), "/c/ai/manage/archive", "sure=yes").await.leads_to();
    let days = |days: u64| Timestamp::now().after(Duration::from_secs(days * 24 * 60 * 60));
    retention::apply(&site.app, days(9)).await.unwrap();
    assert!(site.app.store().course(&site.course.id).await.unwrap().is_some());
    retention::apply(&site.app, days(11)).await.unwrap();
    assert_eq!(site.app.store().course(&site.course.id).await.unwrap(), None);
    let person = site.app.store().person(&tess.person.id).await.unwrap().unwrap();
    assert_eq!(person.name, judge_store::ERASED);
    assert!(site.app.store().whole_log(0, 9).await.unwrap().len() > 1);
    retention::apply(&site.app, days(32)).await.unwrap();
    assert_eq!(site.app.store().whole_log(0, 9).await.unwrap(), []);
}
