//! A simulation of a ladder with a bot that crashes. No rating moves by more than its interval.

use std::time::Duration;

use judge_core::{Purpose, Scoring, Seed, digest};
use judge_runner::contest::ladder::{
    Goal, LadderEntrant, LadderRatings, LadderRules, RatedPair, RoundScore, choose,
};
use judge_store::{
    Arena, BotStatus, LadderBot, LadderJob, NewArena, NewRound, NewSubmission, PairResult, Role,
    SeasonPair, Timestamp,
};

use crate::site::Site;

/// Number of pairs with the bot that crashes.
const PAIRS: u64 = 240;

/// Strengths of the bots of people; chances to win a round follow from them. The last one belongs
/// to the bot that crashes, which is a clone of the strongest.
const BOTS: [(&str, f64); 6] =
    [("ada", 1.4), ("bob", 0.7), ("carl", 0.3), ("dora", -0.2), ("emil", 1.0), ("clone", 1.4)];

/// True if the clone fails, by its seat (1 or 2) and the number of its pair, from 1.
type Fails = fn(i64, u64) -> bool;

struct Scene {
    site: Site,
    arena: Arena,
    /// Number of pairs that the clone has played.
    of_clone: u64,
}

impl Scene {
    async fn new(scoring: Scoring) -> Scene {
        let site = Site::new().await;
        let setting = LadderRules::read("mahjong", "").unwrap();
        let new = NewArena {
            course: &site.course.id,
            slug: "tiles",
            title: "Tiles",
            game: &setting.game,
            options: &setting.options,
            opponents: &setting.opponents,
            anchor: setting.anchor,
            scoring,
            season: "Season 1",
            ends_at: None,
        };
        let arena = site.app.store().create_arena(&new, Timestamp::now()).await.unwrap();
        for (name, _) in BOTS {
            enter(&site, &arena, name).await;
        }
        Scene { site, arena, of_clone: 0 }
    }

    async fn bots(&self) -> Vec<LadderBot> {
        self.site.app.store().ladder_bots(&self.arena.id).await.unwrap()
    }

    /// Chooses a pair as a lane does, plays it by chance, and writes its result; false if there is
    /// no pair to play.
    async fn play(&mut self, at: u64, fails: Fails) -> bool {
        let store = self.site.app.store();
        let bots = self.bots().await;
        let bots: Vec<&LadderBot> =
            bots.iter().filter(|bot| bot.status == BotStatus::Active).collect();
        let results = self.site.app.season_cache().open(store, &self.arena).await.unwrap();
        let entrant = |bot: &&LadderBot| LadderEntrant {
            player: results.player(&bot.newest.id).unwrap(),
            author: bot.person.as_ref().map(ToString::to_string),
            pairs: results.record(&bot.newest.id).pairs,
        };
        let entrants: Vec<LadderEntrant> = bots.iter().map(entrant).collect();
        let Some(two) = choose(results.ladder(), &entrants, &[], &Goal::Endless) else {
            return false;
        };
        drop(results);
        let versions = two.map(|at| &bots[at].newest.id);
        let (lease, now) = (("w", Duration::from_secs(60)), Timestamp::now());
        let place = (&self.arena.id, self.arena.season);
        let job = store.begin_rated(place, versions, lease, now).await.unwrap().unwrap();
        let of_clone = self.of_clone + u64::from(job.sides.iter().any(|side| side.name == "clone"));
        let result = result(&job, at, |seat| fails(seat, of_clone));
        assert!(store.finish_pair(&job, &result, now).await.unwrap());
        self.of_clone = of_clone;
        true
    }

    /// Compares the ratings of all bots except the clone with those from the same pairs without the
    /// clone's.
    async fn compare(&self) {
        let store = self.site.app.store();
        let table = self.site.app.season_cache().table(store, &self.arena).await.unwrap();
        let results = store.rated_pairs(&self.arena.id, 1, 0).await.unwrap();
        let clone = table.lines.iter().find(|line| line.bot.name == "clone").unwrap();
        let player = |pair: &SeasonPair, side: usize| {
            let version = &pair.versions[side];
            table.lines.iter().find(|line| line.bot.newest.id == *version).unwrap().player
        };
        let honest = results.iter().filter(|pair| !pair.versions.contains(&clone.bot.newest.id));
        let honest = honest.map(|pair| RatedPair {
            players: [player(pair, 0), player(pair, 1)],
            start: pair.start,
            half_points: pair.rounds.iter().map(|(half_points, _)| half_points).sum(),
            scores: pair.differences.map(RoundScore::Played),
        });
        let honest: Vec<RatedPair> = honest.collect();
        let players = 1 + table.lines.iter().map(|line| line.player).max().unwrap();
        let alone = LadderRatings::rate(self.arena.scoring, players, &honest).estimates();
        for line in table.lines.iter().filter(|line| line.bot.name != "clone") {
            let (name, shown, alone) = (&line.bot.name, line.rating, alone[line.player]);
            let line = format!("{name}: {shown:?}, without the clone {alone:?}");
            println!("{line}");
            let half = (alone.high - alone.low) / 2.0;
            assert!((shown.value - alone.value).abs() <= half, "{line}");
        }
    }
}

/// A graded submission of a new student, entered in the arena.
async fn enter(site: &Site, arena: &Arena, name: &str) {
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
    let entered = store.enter_bot(&arena.id, &who.person.id, (name, &submission.id), now).await;
    entered.unwrap();
}

fn strength(name: &str) -> f64 {
    let known = BOTS.iter().find(|(one, _)| *one == name).map(|(_, strength)| *strength);
    // Reference opponents.
    known.unwrap_or(if name == "random" { -1.5 } else { 0.0 })
}

/// Both rounds of a pair by chance. The first side has seat 1 in round 1 and seat 2 in round 2.
fn result(job: &LadderJob, at: u64, fails: impl Fn(i64) -> bool) -> PairResult {
    let mut random = Seed(at).random(Purpose::Chance);
    let [one, other] = job.sides.each_ref().map(|side| strength(&side.name));
    let clone = job.sides.iter().position(|side| side.name == "clone");
    let mut round = |number: i64| {
        let chance = 1.0 / (1.0 + (other - one).exp());
        let won = f64::from(random.below(10_000)) < chance * 1e4;
        let points = 20 + i64::from(random.below(60));
        let seat = |side: usize| if (side == 0) == (number == 1) { 1 } else { 2 };
        let failed = clone.filter(|side| fails(seat(*side)));
        let half_points = failed.map_or(2 * u8::from(won), |side| if side == 0 { 0 } else { 2 });
        NewRound {
            half_points,
            scores: if half_points == 2 { [points, 0] } else { [0, points] },
            reason: "by chance".to_owned(),
            fault: failed.map(|side| (side, "Runtime error".to_owned(), String::new())),
            plies: 1,
            fuel: [Some(1), Some(1)],
            digest: digest(&at.to_le_bytes()),
            record: String::new(),
        }
    };
    let rounds = [round(1), round(2)];
    let (judge, engine) = ("test".to_owned(), "none".to_owned());
    PairResult { seed: job.seed, start: at, judge, engine, rounds }
}

/// Plays a ladder with a clone that fails like this. Returns the clone's final status.
async fn simulate(scoring: Scoring, fails: Fails) -> BotStatus {
    let mut scene = Scene::new(scoring).await;
    for at in 0..PAIRS {
        assert!(scene.play(at, fails).await, "there is a pair to play");
    }
    scene.compare().await;
    scene.bots().await.into_iter().find(|bot| bot.name == "clone").unwrap().status
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_clone_failing_in_one_seat_is_benched_without_moving_ratings() {
    for scoring in Scoring::ALL {
        let ended = simulate(scoring, |seat, _| seat == 2).await;
        assert!(matches!(ended, BotStatus::Benched(_)), "{ended:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_clone_failing_every_third_round_is_benched() {
    for scoring in Scoring::ALL {
        let ended = simulate(scoring, |_, pair| pair % 3 == 0).await;
        assert!(matches!(ended, BotStatus::Benched(_)), "{ended:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_clone_rarely_failing_in_one_seat_moves_no_rating() {
    for scoring in Scoring::ALL {
        let ended = simulate(scoring, |seat, pair| seat == 2 && pair % 12 == 0).await;
        assert_eq!(ended, BotStatus::Active, "one in twelve is not enough");
    }
}
