//! The page on which students write, grade and submit bots: its readers, data and files.

use axum::body::Body;
use axum::http::{Method, StatusCode};
use judge_store::{Role, Showing, SuiteSettings, Timestamp};

use crate::retention::unpacked;
use crate::site::{HIDDEN_SEEDS, HIDDEN_WORDS, Site, bot, request, suite_with};

const PAGE: &str = "/c/ai/s/mahjong/write";
const DATA: &str = "/c/ai/s/mahjong/write.json";

#[tokio::test]
async fn the_page_for_writing_has_the_open_testcases_of_the_suite() {
    let site = Site::new().await;
    let ada = site.join("Ada", Role::Student).await;
    let page = site.get(Some(&ada), PAGE).await;
    let text = page.text();
    assert!(text.contains(&format!("data-site=\"{DATA}\"")), "{text}");
    assert!(text.contains("data-submit=\"/c/ai/s/mahjong/submissions\""), "{text}");
    assert!(text.contains("<nav"), "{text}");
    let front = site.get(Some(&ada), "/c/ai/s/mahjong").await.text();
    assert!(front.contains(&format!("href=\"{PAGE}\"")), "{front}");
    let data = site.get(Some(&ada), DATA).await.text();
    assert!(data.contains("01-open.toml") && data.contains("templates"), "{data}");
    for seed in HIDDEN_SEEDS {
        assert!(!data.contains(&seed.to_string()), "a hidden seed");
    }
    for word in HIDDEN_WORDS {
        assert!(!data.contains(word), "{word}");
    }
    for address in [PAGE, DATA] {
        assert_eq!(site.get(None, address).await.status, StatusCode::UNAUTHORIZED, "{address}");
        let other = address.replace("mahjong", "other");
        assert_eq!(site.get(Some(&ada), &other).await.status, StatusCode::NOT_FOUND, "{other}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_result_leads_to_the_suite_that_repeats_it() {
    let site = Site::new().await;
    site.grade().await;
    let (ada, bob) = (site.join("Ada", Role::Student).await, site.join("Bob", Role::Student).await);
    let page = site.submit(&ada, "bot.wasm", &bot("mahjong-straightforward")).await;
    let page = page.leads_to().to_owned();
    site.result(&ada, page.rsplit('/').next().unwrap()).await;
    // A preview of other files changes neither the shown result nor its files.
    let (id, store) = (site.suite().await.id, site.app.store());
    store.set_files(&id, &suite_with(&[1]), Showing::Accepted, Timestamp::now()).await.unwrap();
    let text = site.get(Some(&ada), &page).await.text();
    assert!(text.contains("judge grade bot.wasm --suite=short/"), "{text}");
    let address = format!("{page}/suite.zip");
    assert!(text.contains(&format!("href=\"{address}\"")), "{text}");
    let files = unpacked(&site.get(Some(&ada), &address).await);
    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["short/suite.toml", "short/01-open.toml"], "no hidden testcase");
    assert_eq!(files[0].1, b"title = \"Short\"\n", "nothing of the instructor's");
    assert!(String::from_utf8_lossy(&files[1].1).contains("[6001, 6002]"));
    assert_eq!(site.get(Some(&bob), &address).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn the_download_has_no_testcase_that_is_hidden_in_the_suites_own_folder() {
    let site = Site::new().await;
    let ada = site.join("Ada", Role::Student).await;
    let mut files = suite_with(&[1]).files;
    let open = files[1].1.clone();
    let hidden = format!("hidden = true\n{}", open.replace("[1]", "[555]"));
    files.push(("03-inside.toml".to_owned(), hidden));
    files[0].1 = "title = \"Inside\"\n# comment\n".to_owned();
    let texts = files.iter().map(|(name, text)| (name.as_str(), text.as_str()));
    let suite = judge_grading::Suite::from_files("inside", texts).unwrap();
    let (present, store) = (site.suite().await, site.app.store());
    store.set_files(&present.id, &suite, Showing::Complete, Timestamp::now()).await.unwrap();
    let (new, module) = (Timestamp::now(), b"x");
    let submission = crate::made::new(&present, &ada.person.id, module);
    let submission = store.submit(&submission, new).await.unwrap();
    let report = crate::made::report(&submission.module, 7, 1);
    store.write_result(&submission, 2, &report, new).await.unwrap();
    let address = format!("/submissions/{}/suite.zip", submission.id);
    let zip = unpacked(&site.get(Some(&ada), &address).await);
    let names: Vec<&str> = zip.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["inside/suite.toml", "inside/01-open.toml"]);
    let all: Vec<u8> = zip.iter().flat_map(|(_, bytes)| bytes.clone()).collect();
    let all = String::from_utf8(all).unwrap();
    assert!(!all.contains("555") && !all.contains("comment"), "{all}");
}

#[tokio::test]
async fn the_page_for_writing_has_the_seeds_after_the_suite_opens() {
    let site = Site::new().await;
    let ada = site.join("Ada", Role::Student).await;
    let teacher = site.join("Tess", Role::Instructor).await;
    let now = Timestamp::now().millis();
    let hour = 3_600_000;
    let opens_at = Some(Timestamp::from_millis(now + hour));
    site.set(SuiteSettings { opens_at, ..SuiteSettings::default() }).await;
    let eve = site.join("Eve", Role::Observer).await;
    for address in [PAGE, DATA] {
        for reader in [&ada, &eve] {
            let answer = site.get(Some(reader), address).await;
            assert!(answer.text().contains("The suite opens at "), "{address}: {}", answer.text());
            assert!(!answer.text().contains("6001"), "{address}");
        }
        assert_eq!(site.get(Some(&teacher), address).await.status, StatusCode::OK, "{address}");
    }
    let due_at = Some(Timestamp::from_millis(now - hour));
    site.set(SuiteSettings { due_at, ..SuiteSettings::default() }).await;
    let late = site.get(Some(&ada), PAGE).await.text();
    assert!(late.contains("data-site") && !late.contains("data-submit"), "{late}");
}

#[tokio::test]
async fn files_of_the_page_for_writing_are_compressed() {
    let site = Site::new().await;
    let plain = site.get(None, "/write/judge-grade.wasm").await;
    assert_eq!(plain.header("content-type"), "application/wasm");
    assert!(plain.body.starts_with(b"\0asm"));
    let ask = request(Method::GET, None, "/write/judge-grade.wasm");
    let ask = ask.header("accept-encoding", "gzip, br").body(Body::empty()).unwrap();
    let packed = site.send(ask).await;
    assert_eq!(packed.header("content-encoding"), "gzip");
    assert_eq!(packed.header("vary"), "accept-encoding");
    assert!(packed.body.starts_with(&[0x1f, 0x8b]) && packed.body.len() * 2 < plain.body.len());
    for path in ["/write/index.html", "/write/site.json", "/write/..%2fCargo.toml"] {
        assert_eq!(site.get(None, path).await.status, StatusCode::NOT_FOUND, "{path}");
    }
}
