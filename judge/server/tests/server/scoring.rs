//! The scoring of a ladder: by results, or by scores.

use std::time::Duration;

use axum::http::StatusCode;
use judge_core::{Scoring, digest};
use judge_store::{Arena, LadderBot, NewRound, NewSubmission, PairResult, Role, Timestamp};
use serde_json::json;

use crate::ladder::{arena, ask, tell};
use crate::site::{SignedIn, Site};

const ARENA: &str = "/api/v1/courses/ai/arenas/tiles";

/// A student's bot on the ladder.
async fn enter(site: &Site, arena: &Arena, name: &str) -> LadderBot {
    let (store, now) = (site.app.store(), Timestamp::now());
    let (who, suite) = (site.join(name, Role::Student).await, site.suite().await);
    let new = NewSubmission {
        suite: &suite.id,
        person: &who.person.id,
        name,
        file_name: "bot.wasm",
        module: name.as_bytes(),
        source: None,
        stored_at_most: u64::MAX,
    };
    let submission = store.submit(&new, now).await.unwrap();
    let report = crate::made::report(&submission.module, 5, 1);
    store.write_result(&submission, 1, &report, now).await.unwrap();
    store.enter_bot(&arena.id, &who.person.id, (name, &submission.id), now).await.unwrap()
}

/// Plays pairs in which the first bot wins two rounds of three, each by 40, and the other one by
/// 150.
async fn play(site: &Site, arena: &Arena, [one, other]: [&LadderBot; 2]) {
    let (store, now) = (site.app.store(), Timestamp::now());
    for at in 0..30_u64 {
        let versions = [&one.newest.id, &other.newest.id];
        let lease = ("w", Duration::from_secs(60));
        let place = (&arena.id, arena.season);
        let job = store.begin_rated(place, versions, lease, now).await.unwrap().unwrap();
        // The server decides about the seats.
        let side = job.sides.iter().position(|side| side.name == one.name).unwrap();
        let round = |number: u64| {
            let (winner, points) = match (2 * at + number) % 3 {
                0 => (1 - side, 150),
                _ => (side, 40 + number.cast_signed()),
            };
            NewRound {
                half_points: if winner == 0 { 2 } else { 0 },
                scores: if winner == 0 { [points, 0] } else { [0, points] },
                reason: "self draw".to_owned(),
                fault: None,
                plies: 1,
                fuel: [Some(1), Some(1)],
                digest: digest(&at.to_le_bytes()),
                record: String::new(),
            }
        };
        let rounds = [round(0), round(1)];
        let (judge, engine) = ("test".to_owned(), "none".to_owned());
        let result = PairResult { seed: job.seed, start: at, judge, engine, rounds };
        assert!(store.finish_pair(&job, &result, now).await.unwrap());
    }
}

async fn order(site: &Site, who: &SignedIn, address: &str) -> (String, Vec<String>) {
    let told = ask(site, who, address).await;
    let lines = told["lines"].as_array().unwrap().iter().filter(|line| !line["rank"].is_null());
    let names = lines.map(|line| line["name"].as_str().unwrap().to_owned()).collect();
    (told["scoring"].as_str().unwrap().to_owned(), names)
}

#[tokio::test]
async fn the_scoring_of_a_ladder_decides_which_bot_is_first() {
    let site = Site::new().await;
    let tess = site.join("Tess", Role::Instructor).await;
    arena(&site, &tess).await;
    let store = site.app.store();
    let made = store.arenas_of(&site.course.id).await.unwrap().remove(0);
    assert_eq!(made.scoring, Scoring::Score, "the usual one of Mahjong");
    let (fast, rich) = (enter(&site, &made, "fast").await, enter(&site, &made, "rich").await);
    play(&site, &made, [&fast, &rich]).await;

    let by_score = ("score".to_owned(), vec!["rich".to_owned(), "fast".to_owned()]);
    assert_eq!(order(&site, &tess, ARENA).await, by_score);
    let page = site.get(Some(&tess), "/c/ai/a/tiles").await.text();
    assert!(page.contains("Ranked by score difference."), "{page}");
    assert!(page.contains("Points per round") && page.contains("least squares"), "{page}");
    let chinese = site.get(Some(&tess), "/c/ai/a/tiles?language=zh").await;
    assert_eq!(chinese.status, StatusCode::OK);

    // Only an instructor changes it, to a known word.
    let ada = site.join("Ada", Role::Student).await;
    let change = json!({"scoring": "result"});
    assert_eq!(tell(&site, &ada, ARENA, &change).await.0, StatusCode::NOT_FOUND);
    let (status, _) = tell(&site, &tess, ARENA, &json!({"scoring": "luck"})).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    let (status, told) = tell(&site, &tess, ARENA, &change).await;
    assert_eq!((status, told["scoring"].as_str()), (StatusCode::OK, Some("result")), "{told}");
    let by_result = ("result".to_owned(), vec!["fast".to_owned(), "rich".to_owned()]);
    assert_eq!(order(&site, &tess, ARENA).await, by_result);

    // The table of a past season keeps its scoring.
    let paused = json!({"state": "paused", "scoring": "score"});
    assert_eq!(tell(&site, &tess, ARENA, &paused).await.0, StatusCode::OK);
    let ended = tell(&site, &tess, &format!("{ARENA}/end"), &json!({})).await;
    assert_eq!(ended.0, StatusCode::OK, "{}", ended.1);
    let form = "title=Tiles&state=paused&scoring=result&season=Two&ends=";
    site.post(Some(&tess), "/c/ai/manage/a/tiles", form).await.leads_to();
    assert_eq!(order(&site, &tess, &format!("{ARENA}/seasons/1")).await, by_score);
    let page = site.get(Some(&tess), "/c/ai/a/tiles/seasons/1").await.text();
    assert!(page.contains("Ranked by score difference."), "{page}");
    let page = site.get(Some(&tess), "/c/ai/a/tiles").await.text();
    assert!(page.contains("Ranked by rounds won, drawn and lost."), "{page}");
}
