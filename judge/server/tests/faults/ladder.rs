//! `kill -9` of the server while its ladder plays.

use judge_core::{Options, Replay, Scoring};
use judge_store::{Arena, NewArena, PairRow, PairState, Store, Timestamp};

use crate::kills::{kills, moment};
use crate::load::{submit, wait_for_all};
use crate::scene::Scene;
use crate::support::running::{Server, bearer};

const ARENA: &str = "/api/v1/courses/ai/arenas/tiles";

/// Most pairs of the test.
const MOST: u32 = 100_000;

async fn make(store: &Store) {
    let course = store.course_by_slug("ai").await.unwrap().unwrap();
    let new = NewArena {
        course: &course.id,
        slug: "tiles",
        title: "Tiles",
        game: "mahjong",
        options: &Options::new(),
        opponents: &["random", "straightforward"],
        anchor: "straightforward",
        scoring: Scoring::Result,
        season: "1",
        ends_at: None,
    };
    store.create_arena(&new, Timestamp::now()).await.unwrap();
}

/// Enters a bot of that student.
fn enter(server: &Server, token: &str, which: usize) {
    let head = [bearer(token), "content-type: application/json".to_owned()];
    let submission = submit(&server.host, &head[..1], which).unwrap();
    wait_for_all(server);
    let entry = format!(r#"{{"name": "bot-{which}", "submission": "{submission}"}}"#);
    let (status, _, text) = server.ask("POST", &format!("{ARENA}/bots"), &head, entry.as_bytes());
    assert_eq!(status, 201, "{text}");
}

async fn pairs(store: &Store) -> (Arena, Vec<PairRow>) {
    let course = store.course_by_slug("ai").await.unwrap().unwrap();
    let arena = store.arena_by_slug(&course.id, "tiles").await.unwrap().unwrap();
    let pairs = store.pairs_of_arena(&arena.id, 0, MOST).await.unwrap();
    (arena, pairs)
}

#[test]
fn pairs_of_a_ladder_count_once_despite_repeated_kills() {
    let scene = Scene::new();
    scene.with_store(async |store| make(&store).await);
    let mut server = scene.start();
    for (which, token) in scene.tokens.iter().enumerate() {
        enter(&server, token, which);
    }
    for number in 0..kills(50) {
        std::thread::sleep(moment(number) / 2);
        server.signal(rustix::process::Signal::KILL);
        server = scene.start();
    }
    assert!(server.signal(rustix::process::Signal::TERM).success());
    scene.with_store(async |store| {
        let (arena, pairs) = pairs(&store).await;
        assert_eq!(i64::try_from(pairs.len()).unwrap(), arena.pairs);
        let done: Vec<&PairRow> =
            pairs.iter().filter(|pair| pair.state == PairState::Done).collect();
        assert_eq!(i64::try_from(done.len()).unwrap(), arena.done);
        assert!(done.len() > scene.tokens.len(), "hardly anything was played: {pairs:?}");
        let failed = pairs.iter().find(|pair| pair.state == PairState::JudgeError);
        assert_eq!(failed, None, "a kill is not counted as a judge error");
        let rated = store.rated_pairs(&arena.id, 1, 0).await.unwrap();
        let order: Vec<i64> = rated.iter().map(|pair| pair.done).collect();
        assert_eq!(order, (1..=arena.done).collect::<Vec<_>>());
        for pair in done {
            assert_eq!(pair.rounds.len(), 2, "{pair:?}");
            for (number, round) in std::iter::zip(1.., &pair.rounds) {
                let Some(file) = store.ladder_record(&pair.id, number).await.unwrap() else {
                    assert!(!round.has_record, "{pair:?}");
                    continue;
                };
                let replay = Replay::read(&file).unwrap();
                assert!(replay.check_seal().is_ok());
                assert_eq!(replay.digest, round.digest);
            }
        }
    });
}
