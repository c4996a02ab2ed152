//! From submitting to the result, its pages and replays.

use axum::http::StatusCode;
use judge_store::{NewSubmission, NewSuite, Role, Submission, SuiteSettings, Timestamp};

use crate::site::{SignedIn, Site, bot, suite_with};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_submission_is_graded_ranked_and_shown() {
    let site = Site::new().await;
    site.grade().await;
    let (ada, bob) = (site.join("Ada", Role::Student).await, site.join("Bob", Role::Student).await);
    let page = site.submit(&ada, "distance.wasm", &bot("mahjong-distance")).await;
    let page = page.leads_to().to_owned();
    let id = page.rsplit('/').next().unwrap();
    let result = site.result(&ada, id).await;
    assert_eq!(result["state"], "graded", "{result}");
    assert_eq!(result["max_points"].as_f64(), Some(40.0), "{result}");

    let shown = site.get(Some(&ada), &page).await.text();
    for part in ["01-open", "judge grade distance.wasm", "above the threshold", "/rounds/0/1"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    let events = site.get(Some(&ada), &format!("{page}/events")).await;
    assert!(events.text().contains("\"finished\":true"), "{}", events.text());

    let replay = site.get(Some(&ada), &format!("{page}/rounds/0/1")).await;
    assert_eq!(replay.status, StatusCode::OK, "{}", replay.text());
    let text = replay.text();
    assert!(text.contains("<script src=\"/assets/") && !text.contains("<style>"), "{text}");
    assert_eq!(site.app.drawings().drawn(), 1);
    let style = site.get(Some(&ada), &format!("{page}/rounds/0/1.css")).await;
    assert_eq!(style.header("content-type"), "text/css; charset=utf-8");
    assert_eq!(style.header("cache-control"), "private, no-cache");
    // The page's link to the style contains its version, so browsers can keep it forever.
    let own = format!("{page}/rounds/0/1.");
    let (_, version) = text.split_once(&format!("href=\"{own}")).unwrap();
    let kept = format!("{own}{}", version.split('"').next().unwrap());
    for _ in 0..180 {
        let same = site.get(Some(&ada), &kept).await;
        assert_eq!(same.header("cache-control"), "private, max-age=31536000, immutable");
        assert_eq!(same.body, style.body);
    }
    site.get(Some(&ada), &format!("{page}/rounds/0/1")).await;
    assert_eq!(site.app.drawings().drawn(), 1, "a round is drawn once");
    assert!(style.text().contains('{'), "{}", style.text());
    let file = site.get(Some(&ada), &format!("{page}/rounds/0/2.jsonl")).await;
    let replay = judge_core::Replay::read(&file.text()).unwrap_or_else(|error| panic!("{error}"));
    assert!(replay.check_seal().is_ok());
    assert_eq!(replay.record.header.spec.seed.0, 6002);
    for missing in ["/rounds/0/3", "/rounds/0/0", "/rounds/7/1", "/rounds/0/1.exe"] {
        let answer = site.get(Some(&ada), &format!("{page}{missing}")).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{missing}");
    }

    // The scoreboard shows a pseudonym until Ada chooses otherwise.
    let scoreboard = "/c/ai/s/mahjong/scoreboard";
    assert!(!site.get(Some(&bob), scoreboard).await.text().contains("Ada"));
    site.post(Some(&ada), "/me/scoreboard", "course=ai&pseudonym=Countess&real=yes").await;
    assert!(site.get(Some(&bob), scoreboard).await.text().contains("<bdi>Ada</bdi>"));
    site.post(Some(&ada), "/me/scoreboard", "course=ai&pseudonym=Countess").await;
    let seen = site.get(Some(&bob), scoreboard).await.text();
    assert!(seen.contains("Countess") && !seen.contains("Ada"), "{seen}");
    assert!(!seen.contains(id), "no way to Ada's submission: {seen}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_same_module_again_has_the_same_digest() {
    let site = Site::new().await;
    site.grade().await;
    let (ada, bob) = (site.join("Ada", Role::Student).await, site.join("Bob", Role::Student).await);
    let mut digests = Vec::new();
    for who in [&ada, &bob] {
        let page = site.submit(who, "bot.wasm", &bot("mahjong-straightforward")).await;
        let id = page.leads_to().rsplit('/').next().unwrap().to_owned();
        site.result(who, &id).await;
        let report = site.api(who, &format!("/api/v1/submissions/{id}/report")).await;
        let report: serde_json::Value = serde_json::from_slice(&report.body).unwrap();
        digests.push(report["bots"][0]["digest"].clone());
    }
    assert_eq!(digests[0], digests[1]);
    assert!(digests[0].is_string(), "{digests:?}");
}

/// A bot with a start that takes about half of the fuel limit. It never answers with a move.
fn slow_to_start() -> Vec<u8> {
    wat::parse_str(
        r#"(module (memory (export "memory") 1)
        (func (export "judge_buffer") (result i32) (local $turn i32)
            (loop $more
                (local.set $turn (i32.add (local.get $turn) (i32.const 1)))
                (br_if $more (i32.lt_u (local.get $turn) (i32.const 8000000))))
            i32.const 1024)
        (func (export "judge_line") (param i32) (result i32) i32.const 0))"#,
    )
    .unwrap()
}

/// Stores a submission without checking its module.
async fn submit(
    site: &Site,
    suite: &judge_store::Suite,
    who: &SignedIn,
    module: &[u8],
) -> Submission {
    let new = NewSubmission {
        suite: &suite.id,
        person: &who.person.id,
        name: "bot",
        file_name: "bot.wasm",
        module,
        source: None,
        stored_at_most: u64::MAX,
    };
    let submission = site.app.store().submit(&new, Timestamp::now()).await.unwrap();
    site.app.lanes().wake();
    submission
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_long_grading_pauses_for_another_account_and_continues() {
    let site = Site::new().await;
    let (ada, bob) = (site.join("Ada", Role::Student).await, site.join("Bob", Role::Student).await);
    let files = suite_with(&(1..=100).collect::<Vec<_>>());
    let settings = SuiteSettings::default();
    let new = NewSuite { course: &site.course.id, slug: "long", files: &files, settings };
    let long = site.app.store().create_suite(&new, Timestamp::now()).await.unwrap();
    // The default turn is longer than the whole grading.
    site.app.lanes().set_turn_ms(50);
    site.grade().await;
    let hers = submit(&site, &long, &ada, &slow_to_start()).await;
    let store = site.app.store();
    while store.queue_state(Timestamp::now()).await.unwrap().running == 0 {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    // She has the only lane.
    let his = submit(&site, &site.suite().await, &bob, &bot("mahjong-straightforward")).await;
    site.result(&bob, his.id.as_str()).await;
    assert_eq!(store.result(&hers.id).await.unwrap(), None, "hers is not finished");
    assert_eq!(site.result(&ada, hers.id.as_str()).await["state"], "graded");
}
