//! Every reader can check the server's files, but the server does not accept them as evidence.

use std::process::Command;

use axum::http::StatusCode;
use judge_server::signatures::{About, PersonNamed, PublicKey};
use judge_store::{NewCourse, NewSubmission, NewSuite, Role, Showing, SuiteSettings, Timestamp};

use crate::site::{PageReply, SignedIn, Site, bot, suite, suite_with};
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
fn check(key: &PublicKey, answer: &PageReply) {
    assert_eq!(answer.status, StatusCode::OK);
    let signature = answer.header("judge-signature");
    let about = key.check(&answer.body, signature).expect(signature);
    assert!(!about.kind.is_empty() && about.lines().len() > 1, "{about:?}");
    let mut other = answer.body.clone();
    other[0] ^= 1;
    assert!(key.check(&other, signature).is_err());
}

/// Grades a submission of Ada's, and returns its address.
async fn graded(site: &Site, ada: &SignedIn) -> String {
    site.grade().await;
    let page = site.submit(ada, "distance.wasm", &bot("mahjong-distance")).await;
    let page = page.leads_to().to_owned();
    site.result(ada, page.rsplit('/').next().unwrap()).await;
    page
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reports_replays_and_mark_sheets_are_signed_but_no_pages() {
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
    // The signature as a separate file, checked by the command.
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
    let person = format!("person: account `{}`, no number, name `Ada`", ada.person.id);
    let origin = [
        &*format!("course: `ai`, id `{}`, title", site.course.id),
        "suite: `mahjong`, id `",
        "generation 1, title `Short`",
        &person,
    ];
    assert!(origin.iter().all(|part| text.contains(part)), "{text}");
    assert_eq!(run(&"0".repeat(64)).0, Some(3), "another key");
    std::fs::write(&file, "{}").unwrap();
    let (code, text) = run(&key.to_string());
    assert!(code == Some(3) && text.contains("does not match"), "{text}");
    // A reader who may not see a file cannot get its signature either.
    let bob = site.join("Bob", Role::Student).await;
    let theirs = site.get(Some(&bob), &format!("{replay}?signature")).await;
    assert_eq!(theirs.status, StatusCode::NOT_FOUND);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_uploaded_report_is_not_accepted_as_a_result() {
    let site = Site::new().await;
    let ada = site.join("Ada", Role::Student).await;
    let page = graded(&site, &ada).await;
    let report = format!("/api/v1{page}/report");
    let before = site.api(&ada, &report).await;
    let mut better: serde_json::Value = serde_json::from_slice(&before.body).unwrap();
    better["bots"][0]["points"] = 1000.into();
    let better = better.to_string().into_bytes();
    // A signed file is not a module to submit, and no other address accepts it.
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

/// The origin in the signature of a submission's report.
async fn origin(site: &Site, who: &SignedIn, id: &str) -> About {
    let report = site.api(who, &format!("/api/v1/submissions/{id}/report")).await;
    assert_eq!(report.status, StatusCode::OK, "{}", report.text());
    key(site).await.check(&report.body, report.header("judge-signature")).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_report_of_another_course_or_person_is_recognised() {
    let site = Site::new().await;
    let (store, now) = (site.app.store(), Timestamp::now());
    let (slug, title) = ("easy".to_owned(), site.course.title.clone());
    let new = NewCourse { slug, title, time_zone: "UTC".to_owned() };
    let easy = store.create_course(&new, now).await.unwrap();
    let files = suite();
    let settings = SuiteSettings::default();
    let new = NewSuite { course: &easy.id, slug: "mahjong", files: &files, settings };
    let imitation = store.create_suite(&new, now).await.unwrap();
    let (ada, eve) = (site.join("Ada", Role::Student).await, site.join("Ada", Role::Student).await);
    store.join(&easy.id, &eve.person.id, Role::Student, now).await.unwrap();
    let eve = site.signed_in(eve.person).await;
    let genuine = site.result_of(&ada, 20).await;
    let own = NewSubmission {
        suite: &imitation.id,
        person: &eve.person.id,
        name: "bot",
        file_name: "bot.wasm",
        module: b"another",
        source: None,
        stored_at_most: u64::MAX,
    };
    let own = store.submit(&own, now).await.unwrap();
    let report = crate::made::report(&own.module, 20, 1);
    store.write_result(&own, 1, &report, now).await.unwrap();
    let (first, second) =
        (origin(&site, &ada, &genuine).await, origin(&site, &eve, own.id.as_str()).await);
    // By name they are the same suite, and a short name can be used again after a deletion.
    let suites = [first.suite, second.suite].map(Option::unwrap);
    assert_eq!(suites[0].slug, suites[1].slug);
    assert_eq!(suites[0].title, suites[1].title);
    assert_eq!(suites[1].id, imitation.id.to_string());
    assert_ne!(suites[0].id, suites[1].id);
    let courses = [first.course, second.course].map(Option::unwrap);
    assert_eq!([&*courses[0].slug, &*courses[1].slug], ["ai", "easy"]);
    assert_eq!(courses[1].id, easy.id.to_string());
    assert_ne!(courses[0].id, courses[1].id);
    let person = |about: Option<PersonNamed>| about.unwrap();
    let (hers, others) = (person(first.person), person(second.person));
    assert_eq!(hers.name, others.name);
    assert_eq!([&hers.id, &others.id], [ada.person.id.as_str(), eve.person.id.as_str()]);
    // Other thresholds start another generation.
    store
        .set_files(&site.suite().await.id, &suite_with(&[1]), Showing::Complete, now)
        .await
        .unwrap();
    let again = store.submission(&genuine.parse().unwrap()).await.unwrap().unwrap();
    let report = crate::made::report(&again.module, 20, 1);
    store.write_result(&again, 2, &report, now).await.unwrap();
    assert_eq!(origin(&site, &ada, &genuine).await.suite.unwrap().generation, 2);
}
