//! Ladders: from entering a bot to its place in the table, its pairs and their replays.

use axum::body::Body;
use axum::http::header::{CONTENT_TYPE, HOST};
use axum::http::{Request, StatusCode};
use judge_store::{Role, Timestamp, Zone};
use serde_json::{Value, json};

use crate::site::{HOSTNAME, SignedIn, Site, bot, bot_with};

/// A bot that only traps.
pub(crate) fn crashing() -> Vec<u8> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    std::fs::read(root.join("../hostile-corpus/abort/bot.wasm")).unwrap()
}

const ARENA: &str = "/api/v1/courses/ai/arenas/tiles";

pub(crate) async fn ask(site: &Site, who: &SignedIn, address: &str) -> Value {
    let answer = site.api(who, address).await;
    assert_eq!(answer.status, StatusCode::OK, "{address}: {}", answer.text());
    serde_json::from_slice(&answer.body).unwrap()
}

pub(crate) async fn tell(
    site: &Site,
    who: &SignedIn,
    address: &str,
    body: &Value,
) -> (StatusCode, Value) {
    let request = Request::post(address)
        .header(HOST, HOSTNAME)
        .header(CONTENT_TYPE, "application/json")
        .header("authorization", format!("Bearer {}", who.token));
    let answer = site.send(request.body(Body::from(body.to_string())).unwrap()).await;
    (answer.status, serde_json::from_slice(&answer.body).unwrap_or_default())
}

/// An arena of the course's game.
pub(crate) async fn arena(site: &Site, tess: &SignedIn) {
    let new = json!({"game": "mahjong", "slug": "tiles", "season": "Autumn 1"});
    let (status, made) = tell(site, tess, "/api/v1/courses/ai/arenas", &new).await;
    assert_eq!(status, StatusCode::CREATED, "{made}");
    assert_eq!(made["anchor"], "straightforward");
}

/// Submits a module, enters it once it is graded, and returns the bot's id.
pub(crate) async fn enter(site: &Site, who: &SignedIn, name: &str, module: &[u8]) -> String {
    let page = site.submit(who, &format!("{name}.wasm"), module).await;
    let id = page.leads_to().rsplit('/').next().unwrap().to_owned();
    assert_eq!(site.result(who, &id).await["state"], "graded");
    let entry = json!({"name": name, "submission": id});
    let (status, made) = tell(site, who, &format!("{ARENA}/bots"), &entry).await;
    assert_eq!(status, StatusCode::CREATED, "{made}");
    made["id"].as_str().unwrap().to_owned()
}

/// Waits until the ladder satisfies a condition.
async fn ladder(site: &Site, who: &SignedIn, wanted: impl Fn(&Value) -> bool) -> Value {
    loop {
        let told = ask(site, who, ARENA).await;
        if wanted(&told) {
            return told;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
}

fn line<'a>(ladder: &'a Value, name: &str) -> &'a Value {
    let lines = ladder["lines"].as_array().unwrap();
    lines.iter().find(|line| line["name"] == name).unwrap_or_else(|| panic!("{name}: {ladder}"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn entered_bots_play_and_are_ranked() {
    let site = Site::new().await;
    site.grade().await;
    let tess = site.join("Tess", Role::Instructor).await;
    let (ada, bob) = (site.join("Ada", Role::Student).await, site.join("Bob", Role::Student).await);
    let carl = site.join("Carl", Role::Student).await;
    arena(&site, &tess).await;
    let hunter = enter(&site, &ada, "Hunter", &bot("mahjong-hunter")).await;
    let simple = enter(&site, &bob, "Simple", &bot("mahjong-straightforward")).await;
    enter(&site, &carl, "Near", &bot("mahjong-distance")).await;
    // The difference between these two is large, so a dozen pairs nearly always show it, and
    // further pairs do.
    let is_ranked = |told: &Value| {
        let pairs = |name| line(told, name)["record"]["pairs"].as_u64();
        let rank = |name| line(told, name)["rank"].as_u64();
        ["Hunter", "Near", "Simple"].into_iter().all(|name| pairs(name) >= Some(12))
            && rank("Near") < rank("Simple")
    };
    let told = ladder(&site, &bob, is_ranked).await;
    assert_eq!(line(&told, "straightforward")["rank"], Value::Null, "a fixed point");
    assert_eq!(line(&told, "straightforward")["rating"], 0.0);
    assert!(line(&told, "Simple")["is_mine"].as_bool().unwrap());

    // A challenge is played at once, and is not rated.
    let challenge = json!({"one": simple, "other": hunter});
    let (status, asked) = tell(&site, &bob, &format!("{ARENA}/challenges"), &challenge).await;
    assert_eq!((status, asked["kind"].as_str()), (StatusCode::CREATED, Some("challenge")));
    assert_eq!(asked["seed"], Value::Null, "the seed is not public yet");
    let address = format!("{ARENA}/pairs/{}", asked["id"].as_str().unwrap());
    let pair = loop {
        let pair = ask(&site, &ada, &address).await;
        if pair["state"] != "waiting" {
            break pair;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    };
    assert_eq!(pair["state"], "done", "{pair}");
    let seed: u64 = pair["seed"].as_str().unwrap().parse().unwrap();
    for round in [1, 2] {
        let file = site.api(&ada, &format!("{address}/rounds/{round}")).await.text();
        let replay = judge_core::Replay::read(&file).unwrap();
        assert!(replay.check_seal().is_ok());
        let spec = &replay.record.header.spec;
        assert_eq!((spec.seed.0, spec.limits.log_bytes), (seed, 0));
        assert_eq!(spec.seats[round - 1].name(), "Simple");
        assert!(replay.record.trailer.logs.iter().all(String::is_empty));
        assert_eq!(pair["rounds"][round - 1]["digest"], replay.digest.to_string());
    }

    // The pages show the same, with pseudonyms, and link to the replays.
    let table = site.get(Some(&bob), "/c/ai/a/tiles").await.text();
    for part in ["<bdi>Hunter</bdi>", "straightforward", "Autumn 1", "class=\"me\""] {
        assert!(table.contains(part), "{part}: {table}");
    }
    assert!(!table.contains("Ada"), "{table}");
    let own = format!("/c/ai/a/tiles/pairs/{}", asked["id"].as_str().unwrap());
    let page = site.get(Some(&carl), &own).await.text();
    assert!(page.contains(&format!("{own}/1")) && page.contains(&seed.to_string()), "{page}");
    for (ending, kind) in
        [("/1", "text/html"), ("/2.css", "text/css"), ("/2.jsonl", "application/jsonl")]
    {
        let answer = site.get(Some(&carl), &format!("{own}{ending}")).await;
        assert!(answer.header("content-type").starts_with(kind), "{ending}: {}", answer.text());
    }
    let page = site.get(Some(&bob), &format!("/c/ai/a/tiles/bots/{hunter}")).await;
    assert_eq!(page.status, StatusCode::OK);
    assert!(!page.text().contains("/submissions/"), "another's submission: {}", page.text());
    let page = site.get(Some(&ada), &format!("/c/ai/a/tiles/bots/{hunter}")).await.text();
    assert!(page.contains("/submissions/") && page.contains("Simple"), "{page}");
    let front = site.get(Some(&bob), "/c/ai").await.text();
    assert!(front.contains("/c/ai/a/tiles"), "{front}");

    // The final table of a season is kept.
    let paused = json!({"state": "paused"});
    let asks = async || {
        let page = site.get(Some(&bob), &format!("/c/ai/a/tiles/bots/{hunter}")).await.text();
        page.contains("/challenges\"")
    };
    assert!(asks().await);
    assert_eq!(tell(&site, &tess, ARENA, &paused).await.0, StatusCode::OK);
    assert!(!asks().await, "no challenge while it is paused");
    let (status, _) = tell(&site, &tess, &format!("{ARENA}/end"), &Value::Null).await;
    assert_eq!(status, StatusCode::OK);
    let frozen = ask(&site, &bob, &format!("{ARENA}/seasons/1")).await;
    assert!(line(&frozen, "Hunter")["rank"].is_u64(), "{frozen}");
    assert!(frozen["season"]["is_told_apart"].is_boolean(), "{frozen}");
    let next = ask(&site, &bob, ARENA).await;
    assert_eq!((&next["season"]["title"], &next["pairs"]), (&json!("Autumn 2"), &json!(0)));
    let page = site.get(Some(&bob), "/c/ai/a/tiles/seasons/1").await.text();
    assert!(page.contains("Hunter") && page.contains("separated"), "{page}");
    // Its pairs show that the season is closed, with the date.
    let store = site.app.store();
    let arena = store.arena_by_slug(&site.course.id, "tiles").await.unwrap().unwrap();
    let season = store.season(&arena.id, 1).await.unwrap().unwrap();
    let ended = Zone::new("Asia/Shanghai").unwrap().local(season.ended_at.unwrap());
    assert!(page.contains("Season closed") && page.contains("Ended "), "{page}");
    assert!(
        page.contains("Latest pairs of Autumn 1 (closed)") && page.contains("/pairs/"),
        "{page}"
    );
    let front = site.get(Some(&bob), "/c/ai/a/tiles").await.text();
    let mark = format!("Autumn 1, closed on {ended}");
    assert!(front.contains(&mark) && !front.contains("Season closed"), "{mark}: {front}");
    let pair = page.split("/pairs/").nth(1).unwrap().split('"').next().unwrap();
    let pair = site.get(Some(&bob), &format!("/c/ai/a/tiles/pairs/{pair}")).await.text();
    assert!(pair.contains(&mark), "{pair}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_submission_waits_for_at_most_one_pair_of_a_ladder() {
    let site = Site::new().await;
    site.grade().await;
    let tess = site.join("Tess", Role::Instructor).await;
    let (ada, bob) = (site.join("Ada", Role::Student).await, site.join("Bob", Role::Student).await);
    arena(&site, &tess).await;
    // Pairs of one account's bots may fill all lanes.
    enter(&site, &ada, "Hunter", &bot("mahjong-hunter")).await;
    enter(&site, &ada, "Near", &bot("mahjong-distance")).await;
    let pairs_of = |told: &Value| line(told, "Hunter")["record"]["pairs"].as_u64();
    ladder(&site, &bob, |told| pairs_of(told) >= Some(2)).await;
    let store = site.app.store();
    let arena = store.arena_by_slug(&site.course.id, "tiles").await.unwrap().unwrap();
    for number in 1..=3 {
        let told = ladder(&site, &bob, |_| true).await;
        let module = bot_with("mahjong-distance", number);
        let page = site.submit(&bob, "bob.wasm", &module).await;
        let id = page.leads_to().rsplit('/').next().unwrap().to_owned();
        assert_eq!(site.result(&bob, &id).await["state"], "graded");
        let id = id.parse().unwrap();
        let submission = store.submission(&id).await.unwrap().unwrap();
        let graded_at = store.result(&id).await.unwrap().unwrap().graded_at;
        let pairs = store.pairs_of_arena(&arena.id, 0, 1000).await.unwrap();
        let meanwhile = pairs
            .iter()
            .filter(|one| one.asked_at > submission.received_at && one.asked_at < graded_at);
        // The lane may just have found the queue empty.
        assert!(meanwhile.count() <= 1, "submission {number}: {pairs:?}");
        // The ladder continues.
        ladder(&site, &bob, |now| now["pairs"].as_u64() > told["pairs"].as_u64()).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_season_ends_after_its_date_when_the_top_ranks_are_clear() {
    let site = Site::new().await;
    site.grade().await;
    let tess = site.join("Tess", Role::Instructor).await;
    let ada = site.join("Ada", Role::Student).await;
    arena(&site, &tess).await;
    enter(&site, &ada, "Near", &bot("mahjong-distance")).await;
    let store = site.app.store();
    let arena = store.arena_by_slug(&site.course.id, "tiles").await.unwrap().unwrap();
    let now = Timestamp::now();
    // Due from the start, before a lane can play: it must not end without pairs.
    store.change_season(&arena.id, 1, "Autumn 1", Some(now)).await.unwrap();
    let begun = |told: &Value| told["season"]["title"] == "Autumn 2";
    assert!(line(&ladder(&site, &ada, begun).await, "Near")["rank"].is_null());
    let told = ask(&site, &ada, &format!("{ARENA}/seasons/1")).await;
    assert!(line(&told, "Near")["rank"].is_u64(), "{told}");
    let pairs = line(&told, "Near")["record"]["pairs"].as_u64().unwrap();
    // One bot with only fixed points as opponents: its rank is known as soon as its rating is.
    assert!(pairs > 0 && pairs <= 500, "{told}");
    assert!(told["season"]["is_told_apart"].is_boolean(), "{told}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_failing_bot_is_benched_and_its_author_is_notified() {
    let site = Site::new().await;
    site.grade().await;
    let tess = site.join("Tess", Role::Instructor).await;
    let (ada, bob) = (site.join("Ada", Role::Student).await, site.join("Bob", Role::Student).await);
    arena(&site, &tess).await;
    enter(&site, &ada, "Near", &bot("mahjong-distance")).await;
    let crash = enter(&site, &bob, "Crash", &crashing()).await;
    let benched = |told: &Value| line(told, "Crash")["status"] == "benched";
    let told = ladder(&site, &ada, benched).await;
    let record = &line(&told, "Crash")["record"];
    assert_eq!((record["won"].as_u64(), record["lost"].as_u64()), (Some(0), Some(0)), "{record}");
    assert!(record["faults"].as_u64() >= Some(5), "{record}");
    assert_eq!(line(&told, "Crash")["rank"], Value::Null);

    let own = format!("/c/ai/a/tiles/bots/{crash}");
    let message = "has been benched";
    for address in ["/c/ai", "/c/ai/a/tiles", "/me"] {
        assert!(site.get(Some(&bob), address).await.text().contains(message), "{address}");
        assert!(!site.get(Some(&ada), address).await.text().contains(message), "{address}");
    }
    assert!(site.get(Some(&bob), &own).await.text().contains(&format!("{own}/back")));
    assert!(!site.get(Some(&ada), &own).await.text().contains(&format!("{own}/back")));
    // Only the author sees the trap's message, even in the replay.
    let pairs = ask(&site, &ada, &format!("{ARENA}/pairs?bot={crash}")).await;
    let address = format!("/c/ai/a/tiles/pairs/{}", pairs[0]["id"].as_str().unwrap());
    let inside = "unreachable";
    let told = site.get(Some(&bob), &address).await.text();
    assert!(told.contains(&format!("<code>{inside}</code> reached")), "{told}");
    for ending in ["", "/1", "/1.jsonl"] {
        let answer = site.get(Some(&ada), &format!("{address}{ending}")).await;
        assert_eq!(answer.status, StatusCode::OK);
        assert!(!answer.text().contains(inside), "{ending}: {}", answer.text());
        assert!(answer.text().contains("Runtime error"), "{ending}: {}", answer.text());
    }
    let others = site.post(Some(&ada), &format!("{own}/back"), "").await;
    assert_eq!(others.status, StatusCode::FORBIDDEN);
    site.post(Some(&bob), &format!("{own}/back"), "").await;
    // After five more faults, it is benched again.
    let again = |told: &Value| {
        benched(told) && line(told, "Crash")["record"]["faults"].as_u64() >= Some(10)
    };
    ladder(&site, &ada, again).await;
}

#[tokio::test]
async fn each_role_sees_and_changes_only_its_part_of_a_ladder() {
    let site = Site::new().await;
    let tess = site.join("Tess", Role::Instructor).await;
    let alan = site.join("Alan", Role::Assistant).await;
    let (ada, olga) =
        (site.join("Ada", Role::Student).await, site.join("Olga", Role::Observer).await);
    let new = "game=mahjong&slug=tiles&title=&season=&ends=&options=";
    let made = |who| site.post(Some(who), "/c/ai/manage/arenas", new);
    assert_eq!(made(&ada).await.status, StatusCode::NOT_FOUND);
    assert_eq!(made(&alan).await.status, StatusCode::FORBIDDEN);
    assert_eq!(made(&tess).await.leads_to(), "/c/ai/a/tiles");
    assert_eq!(made(&tess).await.status, StatusCode::BAD_REQUEST, "the name is taken");
    let wrong = "game=cc&slug=cc&options=opening=0";
    let wrong = site.post(Some(&tess), "/c/ai/manage/arenas", wrong).await;
    assert_eq!(wrong.status, StatusCode::CONFLICT);
    assert!(wrong.text().contains("seed changes nothing"), "{}", wrong.text());

    let manage = "/c/ai/manage/a/tiles";
    assert_eq!(site.get(Some(&ada), manage).await.status, StatusCode::NOT_FOUND);
    assert_eq!(site.get(Some(&alan), manage).await.status, StatusCode::OK);
    let change = "title=Tiles&state=paused&season=One&ends=";
    assert_eq!(site.post(Some(&ada), manage, change).await.status, StatusCode::NOT_FOUND);
    assert_eq!(site.post(Some(&alan), manage, change).await.status, StatusCode::FORBIDDEN);
    site.post(Some(&tess), manage, change).await.leads_to();
    let end = format!("{manage}/end");
    assert_eq!(site.post(Some(&ada), &end, "").await.status, StatusCode::NOT_FOUND);
    let page = site.get(Some(&ada), "/c/ai/a/tiles").await.text();
    assert!(page.contains("The arena is paused.") && page.contains("One"), "{page}");

    // An observer can only watch.
    assert_eq!(site.get(Some(&olga), "/c/ai/a/tiles").await.status, StatusCode::OK);
    let own = site.submit(&ada, "x.wasm", &bot("mahjong-distance")).await;
    let id = own.leads_to().rsplit('/').next().unwrap().to_owned();
    let entry = json!({"name": "x", "submission": id});
    let (status, told) = tell(&site, &olga, &format!("{ARENA}/bots"), &entry).await;
    assert_eq!(
        (status, told["error"].as_str()),
        (StatusCode::CONFLICT, Some("ladder_not_fitting"))
    );
    let (status, told) = tell(&site, &ada, &format!("{ARENA}/bots"), &entry).await;
    assert_eq!(
        (status, told["error"].as_str()),
        (StatusCode::CONFLICT, Some("ladder_not_fitting"))
    );
    let (status, _) = tell(&site, &ada, &format!("{ARENA}/bots"), &json!({"name": 7})).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);

    // For strangers none of it exists.
    site.app.store().leave(&site.course.id, &ada.person.id, None, Timestamp::now()).await.unwrap();
    for address in ["/c/ai/a/tiles", "/c/ai/a/nothing", "/c/ai/a/tiles/seasons/1"] {
        assert_eq!(site.get(Some(&ada), address).await.status, StatusCode::NOT_FOUND, "{address}");
    }
    assert_eq!(site.api(&ada, ARENA).await.status, StatusCode::NOT_FOUND);
}
