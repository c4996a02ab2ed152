//! People play against submitted bots.

use std::path::Path;

use axum::body::Body;
use axum::http::header::{CONTENT_TYPE, ORIGIN};
use axum::http::{Method, StatusCode};
use judge_core::{IgnoreEvents, Replay, Seat};
use judge_runner::base::workers::Workers;
use judge_runner::suites;
use judge_runner::verify::{self, Status};
use judge_server::config::Settings;
use judge_server::hosted::variants;
use judge_store::{NewSubmission, NewSuite, Role, SuiteSettings, Timestamp};
use serde_json::{Value, json};

use crate::ladder::{arena, crashing, enter};
use crate::site::{HIDDEN_SEEDS, HIDDEN_WORDS, HOSTNAME, PageReply, SignedIn, Site, bot, request};

/// A site with hosted bots, a person in its course, and the page of their submission.
async fn scene(settings: Settings) -> (Site, SignedIn, String) {
    let site = Site::with(settings).await;
    site.grade().await;
    let ada = site.join("Ada", Role::Student).await;
    let page = site.submit(&ada, "distance.wasm", &bot("mahjong-distance")).await;
    let page = page.leads_to().to_owned();
    (site, ada, page)
}

/// Sends a request like the page for playing.
async fn send(site: &Site, who: Option<&SignedIn>, page: &str, asked: &Value) -> PageReply {
    let request = request(Method::POST, who, &format!("{page}/play"))
        .header(ORIGIN, format!("http://{HOSTNAME}"))
        .header(CONTENT_TYPE, "application/json");
    site.send(request.body(Body::from(asked.to_string())).unwrap()).await
}

/// Sends a request; returns the new state, or the text of a refusal.
async fn ask(site: &Site, who: &SignedIn, page: &str, asked: Value) -> Result<Value, String> {
    let answer = send(site, Some(who), page, &asked).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
    let reply: Value = serde_json::from_slice(&answer.body).unwrap();
    match reply["refused"].as_str() {
        Some(reason) => Err(reason.to_owned()),
        None => Ok(reply["done"].clone()),
    }
}

/// Gives the first legal answer until the round is over.
async fn play_on(site: &Site, who: &SignedIn, page: &str, mut state: Value) -> Value {
    while state["end"].is_null() {
        let text = state["question"]["legal"][0].clone();
        state = ask(site, who, page, json!({ "do": "answer", "text": text })).await.unwrap();
    }
    state
}

/// Verifies a replay by playing it again with its bot.
fn verified(replay: &str, module: &[u8]) {
    let folder = tempfile::tempdir().unwrap();
    let [file, player] = ["round.jsonl", "bot.wasm"].map(|name| folder.path().join(name));
    std::fs::write(&file, replay).unwrap();
    std::fs::write(&player, module).unwrap();
    let mut workers = Workers::of_this_program().unwrap();
    workers.command.program = env!("CARGO_BIN_EXE_judge-server").into();
    let request = verify::Request { file, players: vec![player], ..verify::Request::default() };
    let outcome = verify::run(&request, &workers, &mut IgnoreEvents).unwrap();
    let wrong = outcome.findings.iter().find(|found| found.status == Status::Contradicted);
    assert!(wrong.is_none(), "{wrong:?}");
    assert!(outcome.findings.len() > 2, "{:?}", outcome.findings);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_round_against_the_own_bot_gives_a_genuine_replay() {
    let (site, ada, page) = scene(Settings::default()).await;
    let games = ask(&site, &ada, &page, json!({ "do": "games" })).await.unwrap();
    assert_eq!(games[0]["name"], "mahjong");
    assert_eq!(games[0]["opponents"][0]["name"], "distance");
    let state = ask(&site, &ada, &page, json!({ "do": "state" })).await;
    assert!(state.unwrap_err().contains("no round is under way"));

    let start = json!({ "do": "start", "game": "mahjong", "seat": 1, "seed": "7" });
    let state = ask(&site, &ada, &page, start).await.unwrap();
    assert_eq!((&state["players"], &state["seed"]), (&json!(["human", "distance"]), &Value::Null));
    let legal = state["question"]["legal"].clone();
    let illegal = ask(&site, &ada, &page, json!({ "do": "answer", "text": "nonsense" })).await;
    assert!(illegal.is_err());
    let again = ask(&site, &ada, &page, json!({ "do": "state" })).await.unwrap();
    assert_eq!(again, state, "a refused answer changes nothing");
    let next = ask(&site, &ada, &page, json!({ "do": "answer", "text": legal[0] })).await.unwrap();
    assert_eq!(next["answered"], 1);
    let back = ask(&site, &ada, &page, json!({ "do": "undo" })).await.unwrap();
    assert_eq!(back, state, "taken back");

    let over = play_on(&site, &ada, &page, state).await;
    assert!(over["seed"].is_string() && over["seed"] != "7", "its luck is the server's");
    let replay = ask(&site, &ada, &page, json!({ "do": "replay" })).await.unwrap();
    assert_eq!(replay["digest"], over["end"]["digest"]);
    let text = replay["text"].as_str().unwrap();
    let read = Replay::read(text).unwrap();
    assert_eq!(read.record.digest().to_string(), over["end"]["digest"]);
    let module = bot("mahjong-distance");
    tokio::task::block_in_place(|| verified(text, &module));

    let round = over["end"]["page"].as_str().unwrap();
    let shown = site.get(Some(&ada), round).await;
    assert_eq!(shown.status, StatusCode::OK);
    assert!(shown.text().contains("id=\"moves\"") && shown.text().contains(round));
    assert_eq!(site.get(Some(&ada), &format!("{round}.css")).await.status, StatusCode::OK);
    assert_eq!(site.get(Some(&ada), &format!("{round}.jsonl")).await.text(), text);
    let listed = site.get(Some(&ada), &page).await.text();
    assert!(listed.contains(round) && listed.contains("/play/play.html?submission="), "{listed}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_the_author_plays_against_a_private_bot_and_sees_the_round() {
    let (site, ada, page) = scene(Settings::default()).await;
    let start = json!({ "do": "start", "game": "mahjong", "seat": 2 });
    ask(&site, &ada, &page, start.clone()).await.unwrap();
    let over = ask(&site, &ada, &page, json!({ "do": "resign" })).await.unwrap();
    let round = over["end"]["page"].as_str().unwrap();
    let bob = site.join("Bob", Role::Student).await;
    let teacher = site.join("Tess", Role::Instructor).await;
    assert_eq!(send(&site, Some(&bob), &page, &start).await.status, StatusCode::NOT_FOUND);
    assert_eq!(send(&site, None, &page, &start).await.status, StatusCode::UNAUTHORIZED);
    for file in [round.to_owned(), format!("{round}.jsonl"), format!("{round}.css")] {
        assert_eq!(site.get(Some(&ada), &file).await.status, StatusCode::OK, "{file}");
        for other in [&bob, &teacher] {
            assert_eq!(site.get(Some(other), &file).await.status, StatusCode::NOT_FOUND, "{file}");
        }
    }
    // A form of another site can neither begin nor end a round.
    let foreign = request(Method::POST, Some(&ada), &format!("{page}/play"))
        .header(ORIGIN, "http://evil.example");
    let foreign = site.send(foreign.body(Body::from(start.to_string())).unwrap()).await;
    assert_eq!(foreign.status, StatusCode::FORBIDDEN);
    // Staff may play against it, in a separate round.
    let games = ask(&site, &teacher, &page, json!({ "do": "games" })).await.unwrap().to_string();
    for word in HIDDEN_WORDS {
        assert!(!games.contains(word));
    }
    for seed in HIDDEN_SEEDS {
        assert!(!games.contains(&seed.to_string()));
    }
    assert!(ask(&site, &teacher, &page, json!({ "do": "state" })).await.is_err());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn invalid_requests_to_a_round_are_refused() {
    let (site, ada, page) = scene(Settings::default()).await;
    for strange in [json!("start"), json!({}), json!({ "do": "win" }), json!([1])] {
        let refused = ask(&site, &ada, &page, strange).await.unwrap_err();
        assert!(refused.starts_with("not a request"), "{refused}");
    }
    for (game, seat) in [("cc", 1), ("../mahjong", 1), ("", 2)] {
        let start = json!({ "do": "start", "game": game, "seat": seat });
        let refused = ask(&site, &ada, &page, start).await.unwrap_err();
        assert!(refused.contains("does not play"), "{refused}");
    }
    assert!(ask(&site, &ada, &page, json!({ "do": "start", "game": "mahjong" })).await.is_err());
    let start = json!({ "do": "start", "game": "mahjong", "seat": 1 });
    let state = ask(&site, &ada, &page, start).await.unwrap();
    let check = ask(&site, &ada, &page, json!({ "do": "verify", "text": "x" })).await.unwrap_err();
    assert!(check.contains("not about a round"), "{check}");
    let long = json!({ "do": "answer", "text": "x".repeat(100_000) });
    let long = send(&site, Some(&ada), &page, &long).await;
    assert_eq!(long.status, StatusCode::PAYLOAD_TOO_LARGE);
    let now = ask(&site, &ada, &page, json!({ "do": "state" })).await.unwrap();
    assert_eq!(now, state);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_person_has_one_round_and_the_total_is_limited() {
    let settings = Settings { people_play: Some(1), ..Settings::default() };
    let (site, ada, page) = scene(settings).await;
    let bob = site.join("Bob", Role::Student).await;
    let bobs = site.submit(&bob, "hunter.wasm", &bot("mahjong-hunter")).await;
    let bobs = bobs.leads_to().to_owned();
    let start = json!({ "do": "start", "game": "mahjong", "seat": 1 });
    let first = ask(&site, &ada, &page, start.clone()).await.unwrap();
    let text = first["question"]["legal"][0].clone();
    ask(&site, &ada, &page, json!({ "do": "answer", "text": text })).await.unwrap();
    let second = ask(&site, &ada, &page, start.clone()).await.unwrap();
    assert_eq!(second["answered"], 0, "the one before has made room for it");
    let full = ask(&site, &bob, &bobs, start.clone()).await.unwrap_err();
    assert!(full.contains("too many people"), "{full}");
    // Once it is over, its permit is free, and its state can still be read.
    ask(&site, &ada, &page, json!({ "do": "resign" })).await.unwrap();
    ask(&site, &bob, &bobs, start).await.unwrap();
    let over = ask(&site, &ada, &page, json!({ "do": "state" })).await.unwrap();
    assert_eq!(over["end"]["result"], "loss");
    let more = ask(&site, &ada, &page, json!({ "do": "undo" })).await.unwrap_err();
    assert!(more.contains("the round is over"), "{more}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_game_is_played_with_the_settings_of_its_suite() {
    let site = Site::new().await;
    site.grade().await;
    let ada = site.join("Ada", Role::Student).await;
    let bots = [
        ("agamemnon", "agamemnon-seer"),
        ("amazons", "amazons-surveyor"),
        ("cc", "cc-runner"),
        ("mahjong", "mahjong-distance"),
        ("patchwork", "patchwork-quilter"),
    ];
    for (game, name) in bots {
        let suite = suites::named(Path::new(game), &mut IgnoreEvents).unwrap();
        let (slug, module) = (format!("all-{game}"), bot(name));
        let settings = SuiteSettings::default();
        let new = NewSuite { course: &site.course.id, slug: &slug, files: &suite, settings };
        let new = site.app.store().create_suite(&new, Timestamp::now()).await.unwrap();
        let submission = NewSubmission {
            suite: &new.id,
            person: &ada.person.id,
            name,
            file_name: "bot.wasm",
            module: &module,
            source: None,
            stored_at_most: u64::MAX,
        };
        let submission = site.app.store().submit(&submission, Timestamp::now()).await.unwrap();
        let page = format!("/submissions/{}", submission.id);
        let games = ask(&site, &ada, &page, json!({ "do": "games" })).await.unwrap();
        let expected = variants(&suite);
        assert_eq!(games.as_array().unwrap().len(), expected.len(), "{games}");
        let variant = expected.last().unwrap();
        let start = json!({ "do": "start", "game": variant.key(), "seat": 2 });
        let mut state = ask(&site, &ada, &page, start).await.unwrap();
        assert_eq!(state["options"], json!(variant.options));
        for _ in 0..3 {
            if state["end"].is_null() {
                let text = state["question"]["legal"][0].clone();
                let answer = json!({ "do": "answer", "text": text });
                state = ask(&site, &ada, &page, answer).await.unwrap();
            }
        }
        if state["end"].is_null() {
            ask(&site, &ada, &page, json!({ "do": "resign" })).await.unwrap();
        }
        let replay = ask(&site, &ada, &page, json!({ "do": "replay" })).await.unwrap();
        let text = replay["text"].as_str().unwrap();
        let limits = Replay::read(text).unwrap().record.header.spec.limits;
        assert_eq!(limits, variant.limits);
        tokio::task::block_in_place(|| verified(text, &module));
    }
}

/// A bot that discards the tile that it drew last, and logs a lot.
fn chatty() -> Vec<u8> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../hostile-corpus");
    std::fs::read(corpus.join("e14-log-of-quotes/bot.wasm")).unwrap()
}

/// The bot's log in the replay of a person's round, after checking that the module plays it again
/// in the same way.
async fn log_of(site: &Site, who: &SignedIn, page: &str) -> String {
    let replay = ask(site, who, page, json!({ "do": "replay" })).await.unwrap();
    let text = replay["text"].as_str().unwrap();
    tokio::task::block_in_place(|| verified(text, &chatty()));
    Replay::read(text).unwrap().record.trailer.logs[Seat::One].clone()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn members_play_against_a_public_bot_without_seeing_its_log() {
    let site = Site::new().await;
    site.grade().await;
    let tess = site.join("Tess", Role::Instructor).await;
    let (ada, bob) = (site.join("Ada", Role::Student).await, site.join("Bob", Role::Student).await);
    arena(&site, &tess).await;
    let id = enter(&site, &ada, "Chatty", &chatty()).await;
    let page = format!("/bots/{id}");
    let shown = site.get(Some(&bob), &page).await.leads_to().to_owned();
    assert_eq!(shown, format!("/c/ai/a/tiles/bots/{id}"));
    let link = format!("/play/play.html?bot={id}");
    assert!(site.get(Some(&bob), &shown).await.text().contains(&link));
    let start = json!({ "do": "start", "game": "mahjong", "seat": 2 });
    let state = ask(&site, &bob, &page, start.clone()).await.unwrap();
    assert_eq!(state["players"], json!(["Chatty", "human"]));
    let over = ask(&site, &bob, &page, json!({ "do": "resign" })).await.unwrap();
    assert_eq!(log_of(&site, &bob, &page).await, "");
    let listed = site.get(Some(&bob), &shown).await.text();
    assert!(listed.contains(over["end"]["page"].as_str().unwrap()), "{listed}");
    // Its author gets the log by playing against the submission.
    let own = site.api(&ada, "/api/v1/courses/ai/suites/mahjong/submissions").await;
    let own: Value = serde_json::from_slice(&own.body).unwrap();
    let own = format!("/submissions/{}", own[0]["id"].as_str().unwrap());
    ask(&site, &ada, &own, start.clone()).await.unwrap();
    ask(&site, &ada, &own, json!({ "do": "resign" })).await.unwrap();
    assert!(log_of(&site, &ada, &own).await.starts_with("\"\"\""));
    // Outsiders cannot find the bot, and members cannot once it is withdrawn.
    site.app.store().leave(&site.course.id, &bob.person.id, None, Timestamp::now()).await.unwrap();
    assert_eq!(send(&site, Some(&bob), &page, &start).await.status, StatusCode::NOT_FOUND);
    assert_eq!(site.get(Some(&bob), &page).await.status, StatusCode::NOT_FOUND);
    site.app.store().withdraw_bot(&id.parse().unwrap(), Timestamp::now()).await.unwrap();
    assert_eq!(send(&site, Some(&ada), &page, &start).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_the_author_sees_the_trace_of_a_public_bots_trap() {
    let site = Site::new().await;
    site.grade().await;
    let tess = site.join("Tess", Role::Instructor).await;
    let (ada, bob) = (site.join("Ada", Role::Student).await, site.join("Bob", Role::Student).await);
    arena(&site, &tess).await;
    let id = enter(&site, &ada, "Crash", &crashing()).await;
    let page = format!("/bots/{id}");
    let start = json!({ "do": "start", "game": "mahjong", "seat": 2 });
    let over = ask(&site, &bob, &page, start.clone()).await.unwrap();
    let text = over["end"]["lines"].to_string();
    assert!(text.contains("Runtime error") && !text.contains("unreachable"), "{text}");
    let round = over["end"]["page"].as_str().unwrap();
    for address in [round.to_owned(), format!("{round}.jsonl")] {
        let text = site.get(Some(&bob), &address).await.text();
        assert!(text.contains("Crash") && !text.contains("unreachable"), "{address}: {text}");
    }
    let own = site.api(&ada, "/api/v1/courses/ai/suites/mahjong/submissions").await;
    let own: Value = serde_json::from_slice(&own.body).unwrap();
    let own = format!("/submissions/{}", own[0]["id"].as_str().unwrap());
    let over = ask(&site, &ada, &own, start).await.unwrap();
    assert!(over["end"]["lines"].to_string().contains("unreachable"), "{over}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_malformed_request_is_refused_first() {
    let (site, ada, page) = scene(Settings::default()).await;
    let none = ask(&site, &ada, &page, json!({ "do": "nothing" })).await;
    assert!(none.unwrap_err().starts_with("not a request"));
    let state = ask(&site, &ada, &page, json!({ "do": "state" })).await;
    assert!(state.unwrap_err().contains("no round is under way"));
}

/// Sends a request to the API; returns status and body.
async fn tell(
    site: &Site,
    who: &SignedIn,
    method: Method,
    path: &str,
    body: Option<Value>,
) -> (StatusCode, Value) {
    let request = request(method, None, &format!("/api/v1/{path}"))
        .header("authorization", format!("Bearer {}", who.token))
        .header(CONTENT_TYPE, "application/json");
    let body = body.map_or_else(Body::empty, |body| Body::from(body.to_string()));
    let answer = site.send(request.body(body).unwrap()).await;
    (answer.status, serde_json::from_slice(&answer.body).unwrap_or_default())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_program_can_play_a_round_through_the_api() {
    let (site, ada, page) = scene(Settings::default()).await;
    let id = page.rsplit('/').next().unwrap();
    let get = async |path: &str| tell(&site, &ada, Method::GET, path, None).await;
    let post = async |path: &str, body| tell(&site, &ada, Method::POST, path, Some(body)).await;
    let (status, none) = get("round").await;
    assert_eq!((status, &none["error"]), (StatusCode::NOT_FOUND, &json!("no_round")));

    let start = json!({ "submission": id, "seat": 1 });
    let bob = site.join("Bob", Role::Student).await;
    let other = tell(&site, &bob, Method::POST, "round", Some(start.clone())).await;
    assert_eq!(other.0, StatusCode::NOT_FOUND, "another's submission");
    for wrong in [
        json!({ "seat": 1 }),
        json!({ "submission": id, "bot": id, "seat": 1 }),
        json!({ "submission": id, "seat": 3 }),
        json!({ "submission": id }),
    ] {
        assert_eq!(post("round", wrong.clone()).await.0, StatusCode::BAD_REQUEST, "{wrong}");
    }
    let (status, told) = post("round", json!({ "submission": id, "seat": 1, "game": "go" })).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(told["message"].as_str().unwrap().contains("it plays mahjong"), "{told}");

    let (status, first) = post("round", start).await;
    assert_eq!(status, StatusCode::CREATED, "{first}");
    assert_eq!((&first["players"], &first["seed"]), (&json!(["human", "distance"]), &Value::Null));
    let (status, told) = post("round/answers", json!({ "text": "nonsense" })).await;
    assert_eq!((status, &told["error"]), (StatusCode::UNPROCESSABLE_ENTITY, &json!("refused")));
    assert_eq!(post("round/undo", Value::Null).await.1["error"], "nothing_to_take_back");
    assert_eq!(get("round").await, (StatusCode::OK, first.clone()));
    let mut state = first;
    while state["end"].is_null() {
        let text = state["question"]["legal"][0].clone();
        let (status, next) = post("round/answers", json!({ "text": text })).await;
        assert_eq!(status, StatusCode::OK, "{next}");
        state = next;
    }
    let (status, over) = post("round/answers", json!({ "text": "1" })).await;
    assert_eq!((status, &over["error"]), (StatusCode::CONFLICT, &json!("over")));

    let (_, rounds) = get("rounds").await;
    let round = rounds[0]["id"].as_str().unwrap();
    assert_eq!(state["end"]["page"], format!("/rounds/{round}"));
    assert_eq!(rounds[0]["result"], state["end"]["result"]);
    let path = format!("/api/v1/rounds/{round}/replay");
    let replay = site.api(&ada, &path).await;
    assert!(!replay.header("judge-signature").is_empty());
    let read = Replay::read(&replay.text()).unwrap();
    assert_eq!(read.record.digest().to_string(), state["end"]["digest"]);
    tokio::task::block_in_place(|| verified(&replay.text(), &bot("mahjong-distance")));
    assert_eq!(site.api(&bob, &path).await.status, StatusCode::NOT_FOUND);
    assert_eq!(tell(&site, &bob, Method::GET, "rounds", None).await.1, json!([]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_round_ends_with_the_right_to_play() {
    let (site, ada, page) = scene(Settings::default()).await;
    let (store, now) = (site.app.store(), Timestamp::now());
    let start = json!({ "do": "start", "game": "mahjong", "seat": 1 });
    let resign = json!({ "do": "resign" });
    ask(&site, &ada, &page, start.clone()).await.unwrap();
    assert_eq!(site.api(&ada, "/api/v1/round").await.status, StatusCode::OK);

    store.archive_course(&site.course.id, None, now).await.unwrap();
    assert_ne!(site.api(&ada, "/api/v1/round").await.status, StatusCode::OK, "archived");
    assert_ne!(send(&site, Some(&ada), &page, &resign).await.status, StatusCode::OK, "archived");
    store.bring_back_course(&site.course.id, None).await.unwrap();
    assert_eq!(site.api(&ada, "/api/v1/round").await.status, StatusCode::OK, "it goes on");

    store.leave(&site.course.id, &ada.person.id, None, now).await.unwrap();
    assert_eq!(site.api(&ada, "/api/v1/round").await.status, StatusCode::NOT_FOUND);
    let answer = send(&site, Some(&ada), &page, &resign).await;
    assert_eq!(answer.status, StatusCode::NOT_FOUND);
    assert_eq!(store.human_rounds_of(&ada.person.id).await.unwrap(), []);
}
