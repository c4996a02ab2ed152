//! Arenas: rules for entering bots, and the order of pairs, of which none is lost or doubled.

use std::time::Duration;

use judge_core::{Options, Scoring, Seed, digest};
use judge_store::{
    Arena, ArenaState, BotStatus, Error, LadderBot, LadderJob, LadderRefusal, MOST_BOTS,
    MOST_CHALLENGES, MOST_CHALLENGES_A_DAY, MOST_CUTS, MOST_RECORDS, NewArena, NewRound, PairKind,
    PairResult, PairState, PersonId, Role, Store, Submission, Suite, SuiteSettings, Timestamp,
};

use crate::made::{self, NOW, later, report, submit};
use crate::support::EmptyDatabase;

crate::on_both! {
    only_its_author_can_enter_a_bot
    a_bots_name_cannot_look_like_another
    a_new_upload_is_a_new_version
    challenges_come_before_rated_pairs_and_are_limited
    a_pair_counts_once_despite_kills
    a_pair_that_fails_three_times_is_given_up
    an_interrupted_pair_is_started_again
    a_share_of_faults_benches_a_bot
    faults_in_one_seat_bench_a_bot_and_leave_the_ratings
    a_bot_that_rarely_fails_is_not_benched
    faults_in_challenges_do_not_bench_a_bot
    challenges_per_person_and_day_are_limited
    only_the_latest_records_of_rated_pairs_are_kept
    a_season_ends_once_and_the_next_begins
    only_members_get_the_module_of_a_public_bot
}

const LEASE: Duration = Duration::from_secs(60);

/// A suite with two students, and an arena of its game.
struct Scene {
    suite: Suite,
    arena: Arena,
    ada: PersonId,
    bob: PersonId,
}

async fn scene(store: &Store) -> Scene {
    let (suite, [ada, bob]) = made::scene(store, SuiteSettings::default()).await;
    let arena = arena(store, &suite, "mahjong", "mahjong").await;
    Scene { suite, arena, ada, bob }
}

async fn arena(store: &Store, suite: &Suite, slug: &str, game: &str) -> Arena {
    let new = NewArena {
        course: &suite.course,
        slug,
        title: "Tiles",
        game,
        options: &Options::from([("wall".to_owned(), "9".to_owned())]),
        opponents: &["random", "distance"],
        anchor: "random",
        scoring: Scoring::Result,
        season: "Season 1",
        ends_at: None,
    };
    store.create_arena(&new, NOW).await.unwrap()
}

/// A submission that was graded.
async fn graded(store: &Store, scene: &Scene, person: &PersonId, module: &[u8]) -> Submission {
    let submission = submit(store, &scene.suite, person, module, NOW).await;
    let told = report(&submission.module, 10, 1);
    store.write_result(&submission, 1, &told, NOW).await.unwrap();
    submission
}

async fn enter(store: &Store, scene: &Scene, person: &PersonId, name: &str) -> LadderBot {
    let submission = graded(store, scene, person, name.as_bytes()).await;
    let entered = store.enter_bot(&scene.arena.id, person, (name, &submission.id), NOW).await;
    entered.unwrap()
}

async fn refused(
    store: &Store,
    arena: &Arena,
    person: &PersonId,
    submission: &Submission,
) -> LadderRefusal {
    let entered = store.enter_bot(&arena.id, person, ("new", &submission.id), NOW).await;
    match entered.unwrap_err() {
        Error::Ladder(refusal) => refusal,
        other => panic!("{other}"),
    }
}

/// The result of a pair: half points of its first side, and the side that failed in each round.
fn result(job: &LadderJob, half_points: [u8; 2], failed: [Option<usize>; 2]) -> PairResult {
    let round = |at: usize| NewRound {
        half_points: half_points[at],
        scores: [3, -1],
        reason: "self draw".to_owned(),
        fault: failed[at].map(|side| (side, "Runtime error".to_owned(), "x".to_owned())),
        plies: 9,
        fuel: [Some(7), None],
        digest: digest(&[at as u8]),
        record: format!("record of round {}", at + 1),
    };
    PairResult {
        seed: job.seed,
        start: u64::MAX,
        judge: "1".to_owned(),
        engine: "none".to_owned(),
        rounds: [round(0), round(1)],
    }
}

/// Stores a rated pair of two bots and finishes it.
async fn rated(store: &Store, scene: &Scene, bots: [&LadderBot; 2], failed: Option<&LadderBot>) {
    let place = (&scene.arena.id, store.arena(&scene.arena.id).await.unwrap().unwrap().season);
    let versions = bots.map(|bot| &bot.newest.id);
    let job = store.begin_rated(place, versions, ("w", LEASE), NOW).await.unwrap().unwrap();
    let side = failed.map(|bot| usize::from(job.sides[0].bot != bot.id));
    let half_points = side.map_or(1, |side| if side == 0 { 0 } else { 2 });
    let told = result(&job, [half_points; 2], [side; 2]);
    assert!(store.finish_pair(&job, &told, NOW).await.unwrap());
}

async fn bot(store: &Store, bot: &LadderBot) -> LadderBot {
    store.ladder_bot(&bot.id).await.unwrap().unwrap()
}

async fn only_its_author_can_enter_a_bot(place: EmptyDatabase) {
    let store = place.open().await;
    let scene = scene(&store).await;
    let hers = graded(&store, &scene, &scene.ada, b"hers").await;
    let waiting = submit(&store, &scene.suite, &scene.ada, b"waiting", NOW).await;
    let Scene { arena, ada, bob, suite } = &scene;
    assert_eq!(refused(&store, arena, bob, &hers).await, LadderRefusal::NotFitting);
    assert_eq!(refused(&store, arena, ada, &waiting).await, LadderRefusal::NotFitting);
    let other_game = self::arena(&store, suite, "cc", "cc").await;
    assert_eq!(refused(&store, &other_game, ada, &hers).await, LadderRefusal::NotFitting);
    let course = store.course(&suite.course).await.unwrap().unwrap();
    let olga = made::member(&store, &course, "Olga", Role::Observer).await;
    assert_eq!(refused(&store, arena, &olga, &hers).await, LadderRefusal::NotAMember);

    let entered = enter(&store, &scene, ada, "Hunter").await;
    assert_eq!((entered.name.as_str(), entered.newest.number), ("Hunter", 1));
    assert_eq!(entered.real_name.as_deref(), Some("Ada"));
    let his = graded(&store, &scene, bob, b"his").await;
    for name in ["Hunter", "hunter", "random"] {
        let taken = store.enter_bot(&arena.id, bob, (name, &his.id), NOW).await.unwrap_err();
        assert!(matches!(taken, Error::Taken { .. }), "{name}: {taken}");
    }
    for name in ["", " ", &"x".repeat(41)] {
        let wrong = store.enter_bot(&arena.id, bob, (name, &his.id), NOW).await.unwrap_err();
        assert!(matches!(wrong, Error::Name { .. }), "{name}: {wrong}");
    }
    for number in 1..MOST_BOTS {
        enter(&store, &scene, ada, &format!("bot {number}")).await;
    }
    let refusal = refused(&store, arena, ada, &hers).await;
    assert_eq!(refusal, LadderRefusal::TooManyBots { allowed: MOST_BOTS });
    store.withdraw_bot(&entered.id, NOW).await.unwrap();
    store.enter_bot(&arena.id, ada, ("new", &hers.id), NOW).await.unwrap();
    let refusal = store.enter_bot(&arena.id, ada, ("hunter", &hers.id), NOW).await.unwrap_err();
    assert!(matches!(refusal, Error::Ladder(LadderRefusal::TooManyBots { .. })), "{refusal}");

    store.change_arena(&arena.id, "Tiles", (ArenaState::Closed, Scoring::Result)).await.unwrap();
    assert_eq!(refused(&store, arena, bob, &his).await, LadderRefusal::NotOpen);
    store.change_arena(&arena.id, "Tiles", (ArenaState::Paused, Scoring::Result)).await.unwrap();
    store.enter_bot(&arena.id, bob, ("his", &his.id), NOW).await.unwrap();
    assert_eq!(store.ladder_bots(&arena.id).await.unwrap().len(), 2 + 6 + 1);
}

async fn a_new_upload_is_a_new_version(place: EmptyDatabase) {
    let store = place.open().await;
    let scene = scene(&store).await;
    let Scene { arena, ada, .. } = &scene;
    let first = enter(&store, &scene, ada, "Hunter").await;
    let same = store.submissions_of(&scene.suite.id, ada).await.unwrap().remove(0);
    let again = store.enter_bot(&arena.id, ada, ("Hunter", &same.id), NOW).await.unwrap_err();
    assert!(matches!(again, Error::Ladder(LadderRefusal::SameModule)), "{again}");
    let better = graded(&store, &scene, ada, b"better").await;
    let second = store.enter_bot(&arena.id, ada, ("hunter", &better.id), later(9)).await.unwrap();
    assert_eq!((&second.id, second.newest.number), (&first.id, 2));
    assert_eq!(second.newest.player, digest(b"better").to_string());
    let versions = store.ladder_versions(&first.id).await.unwrap();
    assert_eq!(versions, [second.newest.clone(), first.newest.clone()]);
    // A withdrawn bot comes back with the same module, as the same version.
    store.withdraw_bot(&first.id, NOW).await.unwrap();
    assert_eq!(bot(&store, &first).await.status, BotStatus::Withdrawn);
    let back = store.enter_bot(&arena.id, ada, ("hunter", &better.id), later(10)).await.unwrap();
    assert_eq!((back.status, &back.newest), (BotStatus::Active, &second.newest));
}

async fn challenges_come_before_rated_pairs_and_are_limited(place: EmptyDatabase) {
    let store = place.open().await;
    let scene = scene(&store).await;
    let Scene { arena, ada, bob, .. } = &scene;
    let (hers, his) =
        (enter(&store, &scene, ada, "hers").await, enter(&store, &scene, bob, "his").await);
    let versions = [&hers.newest.id, &his.newest.id];
    let lost =
        store.begin_rated((&arena.id, 1), versions, ("killed", LEASE), NOW).await.unwrap().unwrap();
    assert_eq!(store.next_pair("w", LEASE, later(1)).await.unwrap(), None, "it is under way");
    let ids = [&hers.id, &his.id];
    for number in 0..MOST_CHALLENGES {
        store.challenge(&arena.id, bob, ids, later(10 + number)).await.unwrap();
    }
    let refusal = |error: Error| match error {
        Error::Ladder(refusal) => refusal,
        other => panic!("{other}"),
    };
    let more = store.challenge(&arena.id, bob, ids, later(20)).await.unwrap_err();
    assert_eq!(refusal(more), LadderRefusal::TooManyChallenges { allowed: MOST_CHALLENGES });
    let itself = store.challenge(&arena.id, ada, [&hers.id; 2], later(20)).await.unwrap_err();
    assert_eq!(refusal(itself), LadderRefusal::NoChallenge);
    store.end_pair_leases("killed").await.unwrap();
    let first = store.next_pair("w", LEASE, later(30)).await.unwrap().unwrap();
    assert_eq!((first.kind, first.attempt), (PairKind::Challenge, 1));
    assert_eq!(first.sides.each_ref().map(|side| &side.bot), ids);
    assert_eq!(first.options, arena.options);
    store.hand_back_pair(&first).await.unwrap();
    let again = store.next_pair("w", LEASE, later(31)).await.unwrap().unwrap();
    assert_eq!((&again.id, again.attempt, again.seed), (&first.id, 1, first.seed));
    // A withdrawn bot cannot be challenged, and its waiting pairs are cancelled.
    store.withdraw_bot(&his.id, later(40)).await.unwrap();
    let gone = store.challenge(&arena.id, ada, ids, later(41)).await.unwrap_err();
    assert_eq!(refusal(gone), LadderRefusal::NoChallenge);
    assert_eq!(store.next_pair("w", LEASE, later(42)).await.unwrap(), None);
    assert_eq!(store.pair(&lost.id).await.unwrap().unwrap().state, PairState::Cancelled);
    let under_way = store.pair(&first.id).await.unwrap().unwrap();
    assert_eq!(under_way.state, PairState::Waiting, "it is played to its end");
    assert!(
        store.finish_pair(&again, &result(&again, [2, 2], [None; 2]), later(50)).await.unwrap()
    );
    let told = store.pair(&again.id).await.unwrap().unwrap();
    assert_eq!((told.state, told.asked_by.as_ref()), (PairState::Done, Some(bob)));
    assert_eq!(told.seed, Some(again.seed.0.to_string()));
    assert_eq!(store.rated_pairs(&arena.id, 1, 0).await.unwrap(), [], "it is not rated");
}

async fn a_pair_counts_once_despite_kills(place: EmptyDatabase) {
    let store = place.open().await;
    let scene = scene(&store).await;
    let Scene { arena, ada, bob, .. } = &scene;
    let (hers, his) =
        (enter(&store, &scene, ada, "hers").await, enter(&store, &scene, bob, "his").await);
    let versions = [&hers.newest.id, &his.newest.id];
    let job =
        store.begin_rated((&arena.id, 1), versions, ("one", LEASE), NOW).await.unwrap().unwrap();
    assert_eq!(store.pairs_under_way(&arena.id, 1).await.unwrap().len(), 1);
    store.renew_pair(&job, LEASE, later(50_000)).await.unwrap();
    assert_eq!(store.next_pair("two", LEASE, later(100_000)).await.unwrap(), None);
    // Its lease runs out, and another worker plays it with the same seed.
    let other = store.next_pair("two", LEASE, later(200_000)).await.unwrap().unwrap();
    assert_eq!((&other.id, other.attempt, other.seed), (&job.id, 2, job.seed));
    assert_ne!(job.seed, Seed(0));
    let told = result(&other, [2, 1], [None, None]);
    assert!(store.finish_pair(&other, &told, later(200_001)).await.unwrap());
    assert!(!store.finish_pair(&job, &told, later(200_002)).await.unwrap(), "it was slow");
    let arena = store.arena(&arena.id).await.unwrap().unwrap();
    assert_eq!((arena.pairs, arena.done), (1, 1));
    let pairs = store.rated_pairs(&arena.id, 1, 0).await.unwrap();
    assert_eq!(pairs.len(), 1);
    assert_eq!((pairs[0].start, pairs[0].done), (u64::MAX, 1));
    assert_eq!(pairs[0].rounds, [(2, None), (1, None)]);
    assert_eq!(store.rated_pairs(&arena.id, 1, 1).await.unwrap(), []);
    assert_eq!(store.pairs_of_bot(&hers.id, 0, 10).await.unwrap().len(), 1);
    assert_eq!(store.pairs_of_arena(&arena.id, 0, 10).await.unwrap()[0].rounds.len(), 2);
    // Two pairs have different seeds.
    let next =
        store.begin_rated((&arena.id, 1), versions, ("one", LEASE), NOW).await.unwrap().unwrap();
    assert_ne!(next.seed, job.seed);
}

async fn a_pair_that_fails_three_times_is_given_up(place: EmptyDatabase) {
    let store = place.open().await;
    let scene = scene(&store).await;
    let Scene { arena, ada, bob, .. } = &scene;
    let (hers, his) =
        (enter(&store, &scene, ada, "hers").await, enter(&store, &scene, bob, "his").await);
    let versions = [&hers.newest.id, &his.newest.id];
    let job =
        store.begin_rated((&arena.id, 1), versions, ("w", LEASE), NOW).await.unwrap().unwrap();
    store.pair_failed(&job).await.unwrap();
    for attempt in 2..=3 {
        let job = store.next_pair("w", LEASE, later(1)).await.unwrap().unwrap();
        assert_eq!(job.attempt, attempt);
        store.pair_failed(&job).await.unwrap();
    }
    assert_eq!(store.next_pair("w", LEASE, later(2)).await.unwrap(), None);
    assert_eq!(store.pair(&job.id).await.unwrap().unwrap().state, PairState::JudgeError);
    assert_eq!(store.rated_pairs(&arena.id, 1, 0).await.unwrap(), []);
    let late = result(&job, [2, 2], [None; 2]);
    assert!(!store.finish_pair(&job, &late, later(3)).await.unwrap(), "it was given up");
}

/// A killed server does not count as a failure of the pair.
async fn an_interrupted_pair_is_started_again(place: EmptyDatabase) {
    let store = place.open().await;
    let scene = scene(&store).await;
    let Scene { arena, ada, bob, .. } = &scene;
    let (hers, his) =
        (enter(&store, &scene, ada, "hers").await, enter(&store, &scene, bob, "his").await);
    let versions = [&hers.newest.id, &his.newest.id];
    let first = store.begin_rated((&arena.id, 1), versions, ("w", LEASE), NOW).await.unwrap();
    for attempt in 2..=MOST_CUTS {
        store.end_pair_leases("w").await.unwrap();
        let job = store.next_pair("w", LEASE, later(1)).await.unwrap().unwrap();
        assert_eq!((job.attempt, &job.id), (attempt, &first.as_ref().unwrap().id));
    }
    store.end_pair_leases("w").await.unwrap();
    assert_eq!(
        store.next_pair("w", LEASE, later(2)).await.unwrap(),
        None,
        "ten times is too often"
    );
}

async fn a_share_of_faults_benches_a_bot(place: EmptyDatabase) {
    let store = place.open().await;
    let scene = scene(&store).await;
    let Scene { arena, ada, bob, .. } = &scene;
    let hers = enter(&store, &scene, ada, "hers").await;
    let his = enter(&store, &scene, bob, "his").await;
    let both = [&hers, &his];
    let status = async || bot(&store, &his).await.status;
    rated(&store, &scene, both, Some(&his)).await;
    rated(&store, &scene, both, Some(&his)).await;
    for _ in 0..7 {
        rated(&store, &scene, both, None).await;
    }
    assert_eq!(status().await, BotStatus::Active, "two faults in a seat are few");
    rated(&store, &scene, both, Some(&his)).await;
    assert_eq!(status().await, BotStatus::Benched(NOW), "three of ten in each seat");
    assert_eq!(bot(&store, &hers).await.status, BotStatus::Active);
    let messages = store.benched_bots(bob).await.unwrap();
    assert_eq!(messages.iter().map(|bot| &bot.id).collect::<Vec<_>>(), [&his.id]);
    assert_eq!(store.benched_bots(ada).await.unwrap(), []);
    // Bringing it back forgets the faults, and three more in a seat bench it again.
    assert!(store.bring_back(&his.id).await.unwrap());
    assert!(!store.bring_back(&his.id).await.unwrap());
    rated(&store, &scene, both, Some(&his)).await;
    rated(&store, &scene, both, Some(&his)).await;
    assert_eq!(status().await, BotStatus::Active);
    rated(&store, &scene, both, Some(&his)).await;
    assert_eq!(status().await, BotStatus::Benched(NOW));
    // A new version also forgets the faults.
    let better = graded(&store, &scene, bob, b"better").await;
    store.enter_bot(&arena.id, bob, ("his", &better.id), NOW).await.unwrap();
    assert_eq!(status().await, BotStatus::Active);
    // A reference opponent that fails stays, and so do replaced versions.
    let bots = store.ladder_bots(&arena.id).await.unwrap();
    let fixed = bots.iter().find(|bot| bot.is_reference()).unwrap();
    for _ in 0..3 {
        rated(&store, &scene, [&hers, fixed], Some(fixed)).await;
        rated(&store, &scene, both, Some(&his)).await;
    }
    assert_eq!(bot(&store, fixed).await.status, BotStatus::Active);
    assert_eq!(status().await, BotStatus::Active);
}

/// A rated pair in which `his`, its second side, fails in these rounds.
async fn rated_with(store: &Store, scene: &Scene, bots: [&LadderBot; 2], fails: [bool; 2]) {
    let versions = bots.map(|bot| &bot.newest.id);
    let place = (&scene.arena.id, 1);
    let job = store.begin_rated(place, versions, ("w", LEASE), NOW).await.unwrap().unwrap();
    let his = usize::from(job.sides[0].bot != bots[1].id);
    let failed = fails.map(|fails| fails.then_some(his));
    let half_points = failed.map(|failed| failed.map_or(1, |side| if side == 0 { 0 } else { 2 }));
    assert!(store.finish_pair(&job, &result(&job, half_points, failed), NOW).await.unwrap());
}

async fn faults_in_one_seat_bench_a_bot_and_leave_the_ratings(place: EmptyDatabase) {
    let store = place.open().await;
    let scene = scene(&store).await;
    let Scene { arena, ada, bob, .. } = &scene;
    let hers = enter(&store, &scene, ada, "hers").await;
    let his = enter(&store, &scene, bob, "his").await;
    let out = async || {
        let versions = store.all_versions(&arena.id).await.unwrap();
        versions.into_iter().find(|one| one.version.id == his.newest.id).unwrap().faults_out
    };
    for number in 1..=3 {
        assert_eq!(bot(&store, &his).await.status, BotStatus::Active, "{number}");
        assert_eq!(out().await, 0);
        let versions = [&hers, &his].map(|bot| &bot.newest.id);
        let place = (&arena.id, 1);
        let job = store.begin_rated(place, versions, ("w", LEASE), NOW).await.unwrap().unwrap();
        let side = usize::from(job.sides[0].bot != his.id);
        // Seat 2 is the first side's in round 2, and the second side's in round 1.
        let failed = if side == 0 { [None, Some(0)] } else { [Some(1), None] };
        let half_points = failed.map(|failed| failed.map_or(1, |side| 2 * side as u8));
        assert!(store.finish_pair(&job, &result(&job, half_points, failed), NOW).await.unwrap());
    }
    assert_eq!(bot(&store, &his).await.status, BotStatus::Benched(NOW));
    assert_eq!(out().await, 3);
    // Coming back does not restore them; withdrawing takes all out.
    assert!(store.bring_back(&his.id).await.unwrap());
    rated_with(&store, &scene, [&hers, &his], [true, false]).await;
    assert_eq!((bot(&store, &his).await.status, out().await), (BotStatus::Active, 3));
    store.withdraw_bot(&his.id, NOW).await.unwrap();
    assert_eq!(out().await, i64::MAX);
    let same = store.submissions_of(&scene.suite.id, bob).await.unwrap().remove(0);
    store.enter_bot(&arena.id, bob, ("his", &same.id), NOW).await.unwrap();
    assert_eq!(out().await, 4, "those before it was withdrawn");
}

async fn a_bot_that_rarely_fails_is_not_benched(place: EmptyDatabase) {
    let store = place.open().await;
    let scene = scene(&store).await;
    let hers = enter(&store, &scene, &scene.ada, "hers").await;
    let his = enter(&store, &scene, &scene.bob, "his").await;
    for number in 0..45 {
        rated_with(&store, &scene, [&hers, &his], [number % 10 == 9, number % 10 == 4]).await;
        assert_eq!(bot(&store, &his).await.status, BotStatus::Active, "{number}");
    }
    // Four of the last twenty rounds failed, but only one in nine of all rounds.
    rated_with(&store, &scene, [&hers, &his], [true, false]).await;
    rated_with(&store, &scene, [&hers, &his], [true, false]).await;
    rated_with(&store, &scene, [&hers, &his], [true, false]).await;
    assert_eq!(bot(&store, &his).await.status, BotStatus::Benched(NOW));
}

/// Asks for a challenge of two bots and plays it; the second one fails in both rounds.
async fn failed_challenge(store: &Store, scene: &Scene, bots: [&LadderBot; 2], at: Timestamp) {
    let ids = bots.map(|bot| &bot.id);
    store.challenge(&scene.arena.id, &scene.ada, ids, at).await.unwrap();
    let job = store.next_pair("w", LEASE, at).await.unwrap().unwrap();
    let told = result(&job, [2, 2], [Some(1); 2]);
    assert!(store.finish_pair(&job, &told, at).await.unwrap());
}

async fn faults_in_challenges_do_not_bench_a_bot(place: EmptyDatabase) {
    let store = place.open().await;
    let scene = scene(&store).await;
    let hers = enter(&store, &scene, &scene.ada, "hers").await;
    let his = enter(&store, &scene, &scene.bob, "his").await;
    rated(&store, &scene, [&hers, &his], Some(&his)).await;
    rated(&store, &scene, [&hers, &his], Some(&his)).await;
    for number in 0..3 {
        failed_challenge(&store, &scene, [&hers, &his], later(number)).await;
    }
    assert_eq!(bot(&store, &his).await.status, BotStatus::Active);
    // Faults in challenges do not remove the benching by rated pairs either.
    rated(&store, &scene, [&hers, &his], Some(&his)).await;
    assert_eq!(bot(&store, &his).await.status, BotStatus::Benched(NOW));
}

async fn challenges_per_person_and_day_are_limited(place: EmptyDatabase) {
    let store = place.open().await;
    let scene = scene(&store).await;
    let Scene { arena, ada, bob, .. } = &scene;
    let hers = enter(&store, &scene, ada, "hers").await;
    let his = enter(&store, &scene, bob, "his").await;
    for number in 0..MOST_CHALLENGES_A_DAY {
        failed_challenge(&store, &scene, [&hers, &his], later(number)).await;
    }
    let ids = [&hers.id, &his.id];
    let more = store.challenge(&arena.id, ada, ids, later(1000)).await.unwrap_err();
    let allowed = MOST_CHALLENGES_A_DAY;
    let expected = LadderRefusal::TooManyChallengesToday { allowed };
    assert!(matches!(more, Error::Ladder(refusal) if refusal == expected));
    store.challenge(&arena.id, bob, ids, later(1000)).await.unwrap();
    let day = 24 * 60 * 60 * 1000;
    store.challenge(&arena.id, ada, ids, later(day)).await.unwrap();
}

async fn only_the_latest_records_of_rated_pairs_are_kept(place: EmptyDatabase) {
    let store = place.open().await;
    let scene = scene(&store).await;
    let Scene { arena, ada, bob, .. } = &scene;
    let hers = enter(&store, &scene, ada, "hers").await;
    let his = enter(&store, &scene, bob, "his").await;
    let asked = store.challenge(&arena.id, bob, [&hers.id, &his.id], NOW).await.unwrap();
    let job = store.next_pair("w", LEASE, NOW).await.unwrap().unwrap();
    store.finish_pair(&job, &result(&job, [2, 0], [None; 2]), NOW).await.unwrap();
    for _ in 0..MOST_RECORDS + 2 {
        rated(&store, &scene, [&his, &hers], None).await;
    }
    let pairs = store.pairs_of_arena(&arena.id, 0, 100).await.unwrap();
    let kept = |kind| {
        let of = pairs.iter().filter(move |pair| pair.kind == kind);
        of.filter(|pair| pair.rounds.iter().all(|round| round.has_record)).count() as i64
    };
    assert_eq!((kept(PairKind::Rated), kept(PairKind::Challenge)), (MOST_RECORDS, 1));
    assert!(pairs[0].rounds[0].has_record, "the newest one");
    let record = store.ladder_record(&asked, 2).await.unwrap();
    assert_eq!(record.as_deref(), Some("record of round 2"));
    let oldest = &pairs[pairs.len() - 2];
    assert_eq!(store.ladder_record(&oldest.id, 1).await.unwrap(), None);
    assert_eq!(oldest.rounds[0].scores, [3, -1], "its result is kept");
    assert_eq!(store.rated_pairs(&arena.id, 1, 0).await.unwrap().len() as i64, MOST_RECORDS + 2);
}

async fn a_season_ends_once_and_the_next_begins(place: EmptyDatabase) {
    let store = place.open().await;
    let scene = scene(&store).await;
    let Scene { arena, ada, bob, .. } = &scene;
    let (hers, his) =
        (enter(&store, &scene, ada, "hers").await, enter(&store, &scene, bob, "his").await);
    rated(&store, &scene, [&hers, &his], None).await;
    let versions = [&hers.newest.id, &his.newest.id];
    let left =
        store.begin_rated((&arena.id, 1), versions, ("w", LEASE), NOW).await.unwrap().unwrap();
    store.change_season(&arena.id, 1, "Autumn", Some(later(10))).await.unwrap();
    let acting = store.acting(None, later(20));
    acting.close_season(&arena.id, 1, later(20)).await.unwrap();
    acting.close_season(&arena.id, 1, later(30)).await.unwrap();
    acting.close_season(&arena.id, 2, later(30)).await.unwrap();
    assert_eq!(store.whole_log(0, 9).await.unwrap().len(), 1, "the other two changed nothing");
    let season = store.season(&arena.id, 1).await.unwrap().unwrap();
    assert_eq!((season.closing, season.ends_at), (Some((later(20), 1)), Some(later(10))));
    let new = graded(&store, &scene, ada, b"new").await;
    assert_eq!(refused(&store, arena, ada, &new).await, LadderRefusal::Ending);
    let end = (false, "[]", "Autumn 2");
    assert!(store.end_season(&arena.id, 1, end, later(40)).await.unwrap());
    assert!(!store.end_season(&arena.id, 1, end, later(50)).await.unwrap());
    let seasons = store.seasons_of(&arena.id).await.unwrap();
    assert_eq!(seasons.iter().map(|one| one.number).collect::<Vec<_>>(), [2, 1]);
    assert_eq!((seasons[1].ended_at, seasons[1].is_told_apart), (Some(later(40)), Some(false)));
    assert_eq!(seasons[1].standings.as_deref(), Some("[]"));
    assert_eq!(store.arena(&arena.id).await.unwrap().unwrap().season, 2);
    assert_eq!(store.pair(&left.id).await.unwrap().unwrap().state, PairState::Cancelled);
    assert_eq!(store.rated_pairs(&arena.id, 2, 0).await.unwrap(), [], "a new season has no pairs");
    let late = store.begin_rated((&arena.id, 1), versions, ("w", LEASE), NOW).await.unwrap();
    assert_eq!(late, None, "an ended season gets no pairs");
    store.enter_bot(&arena.id, ada, ("hers", &new.id), later(60)).await.unwrap();
    rated(&store, &scene, [&bot(&store, &hers).await, &his], None).await;
    assert_eq!(store.rated_pairs(&arena.id, 2, 0).await.unwrap().len(), 1);
    assert_eq!(store.rated_pairs(&arena.id, 1, 0).await.unwrap().len(), 1);
}

async fn a_bots_name_cannot_look_like_another(place: EmptyDatabase) {
    let store = place.open().await;
    let scene = scene(&store).await;
    let Scene { arena, ada, bob, suite } = &scene;
    store.set_pseudonym(&suite.course, ada, "Countess").await.unwrap();
    enter(&store, &scene, ada, "Hunter").await;
    for name in ["Нunter", "h\u{ad}unter", "rаndom", "Аda", "c0untess"] {
        let module = graded(&store, &scene, bob, name.as_bytes()).await;
        let taken = store.enter_bot(&arena.id, bob, (name, &module.id), NOW).await.unwrap_err();
        assert!(matches!(taken, Error::Taken { what: "bot", .. }), "{name}: {taken}");
    }
    for name in ["Bob", "Hunter 2", "H-u-n-t 3"] {
        enter(&store, &scene, bob, name).await;
    }
}

async fn only_members_get_the_module_of_a_public_bot(place: EmptyDatabase) {
    let store = place.open().await;
    let scene = scene(&store).await;
    let Scene { arena, ada, bob, suite } = &scene;
    let hers = enter(&store, &scene, ada, "hers").await;
    let found = store.public_bot(&hers.id, bob).await.unwrap().unwrap();
    assert_eq!((found.name.as_str(), found.game.as_str()), ("hers", "mahjong"));
    assert_eq!(found.module.as_deref(), Some(b"hers".as_slice()));
    let bots = store.ladder_bots(&arena.id).await.unwrap();
    let fixed = bots.iter().find(|bot| bot.is_reference()).unwrap();
    assert_eq!(store.public_bot(&fixed.id, bob).await.unwrap().unwrap().module, None);
    let other = enter(&store, &scene, ada, "other").await;
    store.leave(&suite.course, bob, None, NOW).await.unwrap();
    assert_eq!(store.public_bot(&hers.id, bob).await.unwrap(), None);
    store.withdraw_bot(&hers.id, NOW).await.unwrap();
    assert_eq!(store.public_bot(&hers.id, ada).await.unwrap(), None, "it is public no more");
    // A member who leaves takes their bots along.
    store.leave(&suite.course, ada, None, NOW).await.unwrap();
    assert_eq!(bot(&store, &other).await.status, BotStatus::Withdrawn);
}
