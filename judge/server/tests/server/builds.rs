//! Sources that the server builds, confined.

use axum::http::StatusCode;
use judge_runner::base::workers::Workers;
use judge_runner::bots::builds::{Cache, UploadBuilder};
use judge_server::config::Settings;
use judge_store::Role;
use serde_json::Value;

use crate::site::{SignedIn, Site};

/// A bot in Python that throws its first tile.
const PYTHON: &str = "\
while True:
    line = input()
    if line == 'win?':
        print('yes')
    elif line.startswith('discard?'):
        print(line.split()[1])
    elif line == 'end':
        break
";

/// A site that builds sources; none where builds cannot be confined, which CI does not allow.
async fn site() -> Option<Site> {
    let site = Site::with(Settings { builds: Some(1), ..Settings::default() }).await;
    let mut workers = Workers::of_this_program().unwrap();
    workers.command.program = env!("CARGO_BIN_EXE_judge-server").into();
    let cache = Cache::at(&site.data().join("builds"));
    match UploadBuilder::open(&workers, cache) {
        Ok(builder) => site.app.builds().open(builder),
        Err(error) if std::env::var_os("CI").is_none() => {
            println!("skipped: {error}");
            return None;
        }
        Err(error) => panic!("{error}"),
    }
    Some(site)
}

fn json(body: &[u8]) -> Value {
    serde_json::from_slice(body).unwrap()
}

/// The points that have been counted against the attempts of a day.
async fn attempts_left(site: &Site, who: &SignedIn) -> Option<u32> {
    let (suite, now) = (site.suite().await.id, judge_store::Timestamp::now());
    site.app.store().attempts_left(&suite, &who.person.id, now).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_source_is_built_and_graded_and_kept_with_its_module() {
    let Some(site) = site().await else { return };
    site.grade().await;
    let (ada, eve) = (site.join("Ada", Role::Student).await, site.join("Eve", Role::Student).await);
    let staff = site.join("Ian", Role::Instructor).await;
    let page = site.submit(&ada, "C:\\bots\\bot.py", PYTHON.as_bytes()).await;
    let page = page.leads_to().to_owned();
    let id = page.rsplit('/').next().unwrap().to_owned();
    let result = site.result(&ada, &id).await;
    assert_eq!((&result["state"], &result["built"]), (&"graded".into(), &true.into()), "{result}");

    let shown = site.get(Some(&ada), &page).await.text();
    assert!(shown.contains(&format!("{page}/source")), "{shown}");
    assert!(shown.contains("elif line.startswith(&#39;discard?&#39;):"), "{shown}");
    let (web, api) = ("/c/ai/manage/s/mahjong/sources.zip", "courses/ai/suites/mahjong/sources");
    for all in
        [site.get(Some(&staff), web).await, site.api(&staff, &format!("/api/v1/{api}")).await]
    {
        let mut all = zip::ZipArchive::new(std::io::Cursor::new(all.body)).unwrap();
        assert_eq!(all.len(), 1);
        let packed = std::io::read_to_string(all.by_name("Ada_.py").unwrap()).unwrap();
        assert_eq!(packed, PYTHON);
    }
    let refused = site.api(&ada, &format!("/api/v1/{api}")).await;
    assert_eq!(refused.status, StatusCode::NOT_FOUND);
    for who in [&ada, &staff] {
        let source = site.get(Some(who), &format!("{page}/source")).await;
        assert_eq!(source.text(), PYTHON);
        assert_eq!(source.header("content-type"), "application/octet-stream");
        let name = format!("attachment; filename=\"{id}.py\"");
        assert_eq!(source.header("content-disposition"), name);
        let module = site.api(who, &format!("/api/v1/submissions/{id}/module")).await;
        assert_eq!(judge_core::digest(&module.body).to_string(), result["sha256"]);
        let source = site.api(who, &format!("/api/v1/submissions/{id}/source")).await;
        assert_eq!(source.text(), PYTHON);
    }
    for part in ["source", "module"] {
        for refused in [
            site.get(Some(&eve), &format!("{page}/{part}")).await,
            site.api(&eve, &format!("/api/v1/submissions/{id}/{part}")).await,
        ] {
            assert_eq!(refused.status, StatusCode::NOT_FOUND, "{part}");
        }
        let refused = site.get(None, &format!("{page}/{part}")).await;
        assert_ne!(refused.status, StatusCode::OK, "{part}");
    }
    // The same source again is the same submission, and its module a submission without a source.
    let again = site.upload(&ada, "bot.py", PYTHON.as_bytes()).await;
    assert_eq!((again.status, &json(&again.body)["id"]), (StatusCode::OK, &id.as_str().into()));
    let module = site.api(&ada, &format!("/api/v1/submissions/{id}/module")).await.body;
    let other = json(&site.upload(&eve, "bot.wasm", &module).await.body);
    assert_eq!((&other["built"], &other["sha256"]), (&false.into(), &result["sha256"]));
    let other = other["id"].as_str().unwrap().to_owned();
    let missing = site.get(Some(&eve), &format!("/submissions/{other}/source")).await;
    assert_eq!(missing.status, StatusCode::NOT_FOUND);
    // A student's data has the source, and erasing the student removes it.
    let data = site.get(Some(&ada), "/me/data.zip").await.body;
    let mut data = zip::ZipArchive::new(std::io::Cursor::new(data)).unwrap();
    let packed = std::io::read_to_string(data.by_name(&format!("sources/{id}.txt")).unwrap());
    assert_eq!(packed.unwrap(), PYTHON);
    let hash = judge_core::digest(PYTHON.as_bytes());
    let now = judge_store::Timestamp::now();
    assert!(site.app.store().module(&hash).await.unwrap().is_some());
    site.app.store().erase_person(&ada.person.id, now).await.unwrap();
    assert!(site.app.store().module(&hash).await.unwrap().is_none());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_source_that_does_not_compile_is_refused_with_its_line_and_no_attempt() {
    let Some(site) = site().await else { return };
    let settings = site.suite().await.settings;
    site.set(judge_store::SuiteSettings { attempts_per_day: Some(1), ..settings }).await;
    let ada = site.join("Ada", Role::Student).await;
    let wrong = b"(module\n  (func (export \"reply\") (i32.add)))\n";
    let page = site.submit(&ada, "bot.wat", wrong).await;
    assert_eq!(page.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", page.text());
    let told = site.upload(&ada, "bot.wat", b"(module\n (fnuc))").await;
    assert_eq!(told.status, StatusCode::UNPROCESSABLE_ENTITY);
    let message = json(&told.body)["message"].as_str().unwrap().to_owned();
    assert!(message.contains("bot.wat") && message.contains(":2:"), "{message}");
    for (file, reason) in [
        ("Bot.java", "files like `Bot.java` are not built here"),
        ("main.rs", "files like `main.rs` are not built here"),
        ("huge.py", "the most is 1 MiB"),
    ] {
        let source = vec![b'#'; if file == "huge.py" { (1 << 20) + 1 } else { 10 }];
        let told = site.upload(&ada, file, &source).await;
        assert_eq!(told.status, StatusCode::UNPROCESSABLE_ENTITY, "{file}");
        assert!(told.text().contains(reason), "{file}: {}", told.text());
    }
    assert_eq!(attempts_left(&site, &ada).await, Some(1));
    assert_eq!(site.upload(&ada, "bot.py", PYTHON.as_bytes()).await.status, StatusCode::CREATED);
    // A client that got no answer can retry, even without an attempt.
    assert_eq!(site.upload(&ada, "bot.py", PYTHON.as_bytes()).await.status, StatusCode::OK);
    // Without an attempt nothing is built.
    let told = site.upload(&ada, "bot.wat", b"(module\n (fnuc))").await;
    assert_eq!(told.status, StatusCode::CONFLICT, "{}", told.text());
    assert_eq!(json(&told.body)["error"], "too_many_today");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pages_list_the_languages_that_the_server_builds() {
    let Some(site) = site().await else { return };
    let ada = site.join("Ada", Role::Student).await;
    for page in ["/start", "/c/ai/s/mahjong"] {
        let text = site.get(Some(&ada), page).await.text();
        assert!(text.contains("JavaScript, Python, WebAssembly text"), "{page}: {text}");
    }
    let other = Site::new().await;
    let bob = other.join("Bob", Role::Student).await;
    assert!(!other.get(Some(&bob), "/start").await.text().contains("id=\"sources\""));
    let told = other.upload(&bob, "bot.py", PYTHON.as_bytes()).await;
    assert_eq!(told.status, StatusCode::UNSUPPORTED_MEDIA_TYPE, "{}", told.text());
}
