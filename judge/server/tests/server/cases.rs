//! Cases of the list of threats that other tests here do not cover, each by its number: `g` for
//! uploads and pages, `h` for leaks.

use std::net::TcpListener;
use std::path::Path;
use std::time::Duration;

use axum::http::StatusCode;
use judge_server::config::Settings;
use judge_store::{Role, SuiteSettings, Timestamp, TokenKind};

use crate::site::{HIDDEN_SEEDS, SignedIn, Site, bot, bot_with};

/// Every file in a folder, with its folders' names.
fn files(folder: &Path, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => files(&path, found),
            false => found.push(path.display().to_string()),
        }
    }
}

#[tokio::test]
async fn g01_file_names_cannot_be_paths() {
    let site = Site::new().await;
    let ada = site.join("Ada", Role::Student).await;
    let mut before = Vec::new();
    files(site.data(), &mut before);
    let long = "x".repeat(300);
    let names = ["../../x", "/etc/passwd", "a%00b", "CON", &long, "a\u{2044}b", "..\\..\\x", "."];
    for (number, name) in (0..).zip(names) {
        let module = bot_with("mahjong-distance", number);
        let page = site.submit(&ada, name, &module).await;
        let page = page.leads_to().to_owned();
        assert_eq!(site.get(Some(&ada), &page).await.status, StatusCode::OK, "{name}");
        let settings = SuiteSettings { pending_at_most: 100, ..SuiteSettings::default() };
        let suite = site.app.store().suite_by_slug(&site.course.id, "mahjong").await.unwrap();
        site.app.store().change_suite(&suite.unwrap().id, &settings).await.unwrap();
    }
    let mut after = Vec::new();
    files(site.data(), &mut after);
    // The database's temporary files may change.
    after.retain(|file| !before.contains(file) && !file.contains("judge.db"));
    assert!(after.is_empty(), "{after:?}");
}

#[tokio::test]
async fn g04_the_address_of_a_replay_cannot_be_a_path() {
    let site = Site::new().await;
    let ada = site.join("Ada", Role::Student).await;
    let page = site.submit(&ada, "x.wasm", &bot("mahjong-distance")).await;
    let page = page.leads_to().to_owned();
    for text in ["..%2f..%2fjudge.db", "%252e%252e%252f", "..%5cx", "1.jsonl%00", "-1", "1e3"] {
        for address in [format!("{page}/rounds/0/{text}"), format!("{page}/rounds/{text}/1")] {
            let answer = site.get(Some(&ada), &address).await;
            let fine = [StatusCode::NOT_FOUND, StatusCode::BAD_REQUEST];
            assert!(fine.contains(&answer.status), "{address}: {}", answer.status);
        }
    }
}

#[tokio::test]
async fn g06_names_are_escaped_in_attributes_and_addresses() {
    let site = Site::new().await;
    let names =
        ["\" onerror=\"x", "javascript:alert(1)", "' onclick='x", "x\" href=\"//evil.example"];
    for name in names {
        let eve = site.join(name, Role::Student).await;
        let page = site.submit(&eve, &format!("{name}.wasm"), &bot("mahjong-distance")).await;
        let page = page.leads_to().to_owned();
        for address in ["/me", "/c/ai", "/c/ai/s/mahjong", &page] {
            let text = site.get(Some(&eve), address).await.text();
            let tags = text.split('<').filter_map(|rest| rest.split('>').next());
            for tag in tags {
                for broken in [" onerror=", " onclick=", "=\"javascript:", "=\"//evil"] {
                    assert!(!tag.contains(broken), "{address}: {tag}");
                }
            }
        }
    }
}

#[tokio::test]
async fn g07_cells_of_a_mark_sheet_cannot_be_formulas() {
    let site = Site::new().await;
    let tess = site.join("Tess", Role::Instructor).await;
    for name in ["=HYPERLINK(\"http://evil.example\")", "+1", "-1+1", "@SUM(1)"] {
        site.join(name, Role::Student).await;
    }
    for sheet in ["marks.csv", "whole-marks.csv"] {
        let sheet = site.get(Some(&tess), &format!("/c/ai/manage/s/mahjong/{sheet}")).await;
        let mut reader = csv::Reader::from_reader(sheet.body.as_slice());
        let mut lines = 0;
        for record in reader.records() {
            lines += 1;
            for cell in &record.unwrap() {
                let formula = cell.starts_with(['=', '+', '@', '\t', '\r']);
                assert!(!formula && !cell.starts_with("-1"), "{cell}");
            }
        }
        assert_eq!(lines, 4);
    }
}

#[tokio::test]
async fn g09_expired_and_foreign_tokens_are_refused() {
    let site = Site::new().await;
    let (ada, bob) = (site.join("Ada", Role::Student).await, site.join("Bob", Role::Student).await);
    let store = site.app.store();
    let begin = Timestamp::now().before(Duration::from_secs(7200));
    let end = begin.after(Duration::from_secs(3600));
    for kind in [TokenKind::Session, TokenKind::Api] {
        let (_, old) = store.new_token(&ada.person.id, kind, "old", end, begin).await.unwrap();
        let secret = old.reveal().to_owned();
        let over = SignedIn { session: secret.clone(), token: secret, ..ada.clone() };
        assert_eq!(site.get(Some(&over), "/me").await.status, StatusCode::UNAUTHORIZED);
        let whoami = site.api(&over, "/api/v1/whoami").await;
        assert_eq!(whoami.status, StatusCode::UNAUTHORIZED);
    }
    // Another person's result shows its own rounds, and nothing of the first.
    let page = site.submit(&ada, "x.wasm", &bot("mahjong-distance")).await;
    let address = format!("/api/v1{}", page.leads_to());
    assert_eq!(site.api(&bob, &address).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn g12_the_server_does_not_visit_addresses_in_texts() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let bait = format!("http://{}/x", listener.local_addr().unwrap());
    let site = Site::new().await;
    let ada = site.join(&bait, Role::Student).await;
    site.submit(&ada, &bait, &bot("mahjong-distance")).await;
    site.submit(&ada, &bait, bait.as_bytes()).await;
    let encoded = bait.replace(':', "%3A").replace('/', "%2F");
    for (address, form) in [
        ("/me/tokens", format!("label={encoded}")),
        ("/me/scoreboard", format!("course=ai&pseudonym={encoded}")),
        ("/join", format!("token={encoded}&name={encoded}")),
    ] {
        site.post(Some(&ada), address, &form).await;
    }
    for address in
        [format!("/join/{encoded}"), format!("/c/ai/s/mahjong/scoreboard?name={encoded}")]
    {
        site.get(Some(&ada), &address).await;
    }
    site.get(Some(&ada), "/c/ai").await;
    let knocked = listener.accept();
    assert!(knocked.is_err_and(|error| error.kind() == std::io::ErrorKind::WouldBlock));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn g15_a_hundred_uploads_of_one_student_do_not_delay_another() {
    let site = Site::with(Settings { pending: Some(5), ..Settings::default() }).await;
    let (eve, bob) = (site.join("Eve", Role::Student).await, site.join("Bob", Role::Student).await);
    let module = bot("mahjong-distance");
    let mut statuses = Vec::new();
    for number in 0..100_u8 {
        // A different module each time, so that each would have to be played.
        let own = [&module[..], &[0, 3, 1, b'n', number]].concat();
        statuses.push(site.upload(&eve, "bot.wasm", &own).await.status);
    }
    let count = |status| statuses.iter().filter(|one| **one == status).count();
    assert_eq!(count(StatusCode::CREATED), 5, "as many wait as may: {statuses:?}");
    assert_eq!(count(StatusCode::CONFLICT), 95, "{statuses:?}");
    let his = site.upload(&bob, "bot.wasm", &bot("mahjong-straightforward")).await;
    assert_eq!(his.status, StatusCode::CREATED);
    let now = Timestamp::now();
    let lease = Duration::from_secs(60);
    let first = site.app.store().next_job("test", lease, now).await.unwrap().unwrap();
    let second = site.app.store().next_job("test", lease, now).await.unwrap().unwrap();
    let both = [first.submission.person, second.submission.person];
    assert!(both.contains(&bob.person.id), "he waits for one of hers at the most: {both:?}");
}

/// A bot that logs every line that it receives, and never answers with a move.
fn talkative() -> Vec<u8> {
    wat::parse_str(
        r#"(module (import "judge" "log" (func $log (param i32 i32)))
        (memory (export "memory") 1)
        (func (export "judge_buffer") (result i32) i32.const 1024)
        (func (export "judge_line") (param $length i32) (result i32)
            (call $log (i32.const 1024) (local.get $length)) i32.const 0))"#,
    )
    .unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn h01_and_h03_logs_of_hidden_rounds_are_not_shown() {
    let site = Site::new().await;
    site.grade().await;
    let ada = site.join("Ada", Role::Student).await;
    let alan = site.join("Alan", Role::Assistant).await;
    let page = site.submit(&ada, "bot.wasm", &talkative()).await.leads_to().to_owned();
    site.result(&ada, page.rsplit('/').next().unwrap()).await;
    // She sees it for the open testcase, and nothing for the hidden one.
    let open = site.get(Some(&ada), &format!("{page}/rounds/0/1.jsonl")).await;
    assert_eq!(open.status, StatusCode::OK, "{}", open.text());
    for ending in ["1", "1.jsonl", "1.css", "2", "1.jsonl?signature"] {
        let address = format!("{page}/rounds/1/{ending}");
        assert_eq!(site.get(Some(&ada), &address).await.status, StatusCode::NOT_FOUND, "{address}");
    }
    let hidden = site.get(Some(&alan), &format!("{page}/rounds/1/1.jsonl")).await;
    let replay = judge_core::Replay::read(&hidden.text()).unwrap();
    assert_eq!(replay.record.header.spec.seed.0, HIDDEN_SEEDS[0], "staff see it");
    // The first line that the bot received in each testcase: her report has only the open one's.
    let report = site.api(&ada, &format!("/api/v1{page}/report")).await.text();
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    let case = &report["bots"][0]["testcases"][1];
    assert_eq!(case["rounds"].as_array().map(Vec::len), Some(0), "{case}");
    for key in ["fuel", "peak_memory_bytes", "score"] {
        assert!(case[key].is_null() || case[key] == 0, "{key}: {case}");
    }
    assert!(case["trace"].is_null() && report["bots"][0]["testcases"][0]["trace"].is_object());
    for (language, line) in [("en", "log: game mahjong"), ("zh", "日志：game mahjong")] {
        site.post(Some(&ada), "/me/language", &format!("language={language}")).await;
        let shown = site.get(Some(&ada), &page).await.text();
        assert_eq!(shown.matches(line).count(), 1, "the open testcase's: {shown}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn h04_the_kind_of_failure_in_a_hidden_testcase_is_not_shown() {
    let site = Site::new().await;
    site.grade().await;
    let ada = site.join("Ada", Role::Student).await;
    let crash = std::fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../hostile-corpus/c01-infinite-loop/bot.wat"),
    );
    let crash = crash
        .unwrap()
        .replace("(func (export \"judge_line\")", "(func $decide (export \"judge_line\")");
    let spins = wat::parse_str(&crash).unwrap();
    let traps = wat::parse_str(crash.replace("(loop $again (br $again))", "unreachable")).unwrap();
    let mut told = Vec::new();
    let mut frames = Vec::new();
    for module in [spins, traps, talkative()] {
        let page = site.submit(&ada, "bot.wasm", &module).await.leads_to().to_owned();
        site.result(&ada, page.rsplit('/').next().unwrap()).await;
        let report = site.api(&ada, &format!("/api/v1{page}/report")).await.text();
        let report: serde_json::Value = serde_json::from_str(&report).unwrap();
        let cases = &report["bots"][0]["testcases"];
        told.push((cases[0]["verdict"].clone(), cases[1].clone()));
        frames.push(cases[0]["trace"]["frames"][0].clone());
    }
    assert_ne!(told[0].0, told[1].0, "the open testcase shows its verdict");
    assert_eq!(told[0].1, told[1].1);
    assert_eq!(told[0].1, told[2].1);
    assert_eq!(frames[..2], ["decide", "decide"], "the function that was running");
}

/// The names of the database statements that a function of a file runs.
fn statements(file: &str, function: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/pages").join(file);
    let text = std::fs::read_to_string(path).unwrap();
    let (_, body) = text.split_once(&format!("async fn {function}(")).unwrap();
    let body = body.split("\n    }\n").next().unwrap().split("\n}\n").next().unwrap();
    let calls = body.split("store().").skip(1);
    calls.map(|rest| rest.split('(').next().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn h04_foreign_and_missing_submissions_get_the_same_answer() {
    // The first statement is the same for both cases, so it does not distinguish them.
    assert_eq!(statements("submission.rs", "access")[0], "submission_seen_by");
    assert_eq!(statements("mod.rs", "load"), ["course_seen_by"]);
    let site = Site::new().await;
    let (ada, bob) = (site.join("Ada", Role::Student).await, site.join("Bob", Role::Student).await);
    let page = site.submit(&ada, "x.wasm", &bot("mahjong-distance")).await;
    let page = page.leads_to().to_owned();
    let nobodys = "/submissions/aaaaaaaaaaaaaaaa".to_owned();
    for ending in ["", "/events", "/rounds/0/1"] {
        let theirs = site.get(Some(&bob), &format!("{page}{ending}")).await;
        let none = site.get(Some(&bob), &format!("{nobodys}{ending}")).await;
        assert_eq!(theirs.status, StatusCode::NOT_FOUND, "{ending}");
        assert_eq!((theirs.status, &theirs.body), (none.status, &none.body), "{ending}");
        assert_eq!(theirs.headers, none.headers, "{ending}");
    }
    site.app.store().leave(&site.course.id, &bob.person.id, None, Timestamp::now()).await.unwrap();
    let (theirs, none) = (site.get(Some(&bob), "/c/ai").await, site.get(Some(&bob), "/c/xy").await);
    assert_eq!((theirs.status, theirs.body), (none.status, none.body));
    assert_eq!(theirs.headers, none.headers);
}

#[tokio::test]
async fn h05_the_number_of_attempts_per_day_is_limited() {
    let site = Site::new().await;
    let ada = site.join("Ada", Role::Student).await;
    let store = site.app.store();
    let suite = store.suite_by_slug(&site.course.id, "mahjong").await.unwrap().unwrap();
    let settings = SuiteSettings { attempts_per_day: Some(2), ..suite.settings };
    store.change_suite(&suite.id, &settings).await.unwrap();
    let mut statuses = Vec::new();
    for number in 0..3 {
        let module = bot_with("mahjong-distance", number);
        statuses.push(site.upload(&ada, "x.wasm", &module).await.status);
    }
    let expected = [StatusCode::CREATED, StatusCode::CREATED, StatusCode::CONFLICT];
    assert_eq!(statuses, expected);
    // An immediate refusal reveals nothing about hidden testcases, and does not use an attempt.
    assert_eq!(site.upload(&ada, "x.wasm", b"no").await.status, StatusCode::UNSUPPORTED_MEDIA_TYPE);
}
