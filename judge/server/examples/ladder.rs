//! Measures a ladder: plays thousands of rounds unattended, and compares its ratings with those of
//! `judge tournament` for the same pairs and for other pairs.
//!
//! ```text
//! cargo run --release -p judge-server --example ladder -- PAIRS BOT.wasm...
//! ```
//!
//! Each module is entered by a different person, and the first one also by another person, as a
//! clone. The output is Markdown, for `judge/bench/RESULTS.md`.
#![allow(clippy::print_stdout, reason = "a program that prints tables")]

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::Instant;

use judge_arena::Run;
use judge_core::{IgnoreEvents, Scoring, digest};
use judge_grading::Suite;
use judge_runner::base::workers::{self, Workers};
use judge_runner::bots;
use judge_runner::contest::ladder::{Estimate, LadderRatings, LadderRules, RatedPair, RoundScore};
use judge_runner::contest::tournament;
use judge_runner::suites;
use judge_server::App;
use judge_server::config::Settings;
use judge_server::grading::{Aim, LadderTurn};
use judge_store::{
    Address, Arena, BotStatus, Course, LadderBot, NewArena, NewCourse, NewPerson, NewSubmission,
    NewSuite, PairState, Role, SeasonPair, Store, SuiteSettings, Timestamp, VersionId,
};

type Done<T> = Result<T, Box<dyn Error + Send + Sync>>;

/// Lanes, one for each of the two processors that the figures are from.
const LANES: usize = 2;

/// Rounds of each meeting of the tournament that the ladder is compared with.
const ROUNDS: u64 = 200;

fn main() -> Done<()> {
    if std::env::args().nth(1).as_deref() == Some("worker") {
        return Ok(workers::serve(workers::PROCESSOR_SECONDS)?);
    }
    let mut arguments = std::env::args().skip(1);
    let pairs: i64 = arguments.next().ok_or("how many pairs?")?.parse()?;
    let modules: Vec<PathBuf> = arguments.map(PathBuf::from).collect();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(measure(pairs, &modules))
}

async fn measure(pairs: i64, modules: &[PathBuf]) -> Done<()> {
    let folder = tempfile::tempdir()?;
    let (app, arena) = set_up(folder.path(), modules).await?;
    let begin = Instant::now();
    let workers = Workers::of_this_program()?;
    play(&app, &workers, &arena, pairs).await?;
    let seconds = begin.elapsed().as_secs();
    let (store, arena) = (app.store(), app.store().arena(&arena.id).await?.ok_or("an arena")?);
    println!("{} pairs ({} rounds) in {seconds} s.\n", arena.done, 2 * arena.done);
    check(store, &arena).await?;
    let table = table(&app, &arena).await?;
    let met = met_by_weakest(&app, &arena).await?;
    let played = modules.to_vec();
    let rated = tokio::task::spawn_blocking(move || tournament_of(&workers, &played)).await??;
    print(&table, &rated);
    println!("\nWhom `random` met: {met}.");
    Ok(())
}

/// A course with members who have each submitted a module and entered it.
async fn set_up(folder: &Path, modules: &[PathBuf]) -> Done<(App, Arena)> {
    let settings = Settings { data: Some(folder.to_owned()), ..Settings::default() };
    let config = Settings { lanes: Some(LANES), ..settings }.check()?;
    let store = Store::open(&Address::Sqlite(folder.join("judge.db"))).await?;
    let now = Timestamp::now();
    let (slug, title) = ("ai".to_owned(), "AI".to_owned());
    let new = NewCourse { slug, title, time_zone: "UTC".to_owned() };
    let course = store.create_course(&new, now).await?;
    let setting = LadderRules::read("mahjong", "")?;
    let new = NewArena {
        course: &course.id,
        slug: "tiles",
        title: &setting.title,
        game: &setting.game,
        options: &setting.options,
        opponents: &setting.opponents,
        anchor: setting.anchor,
        scoring: Scoring::Result,
        season: "Season 1",
        ends_at: None,
    };
    let arena = store.create_arena(&new, now).await?;
    let files = suites::named(Path::new("mahjong"), &mut IgnoreEvents)?;
    let settings = SuiteSettings::default();
    let new = NewSuite { course: &course.id, slug: "mahjong", files: &files, settings };
    let suite = store.create_suite(&new, now).await?;
    let run = Workers::of_this_program()?.with_jobs(LANES).run();
    let clone = modules.first().map(|first| (format!("{} (clone)", name(first)), first));
    let all = modules.iter().map(|path| (name(path), path)).chain(clone);
    for (name, path) in all {
        let bytes = std::fs::read(path)?;
        enter(&store, (&course, &suite.id, &arena), (&name, &bytes), (&run, &files)).await?;
    }
    Ok((App::new(config, store), arena))
}

fn name(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

async fn enter(
    store: &Store,
    (course, suite, arena): (&Course, &judge_store::SuiteId, &Arena),
    (name, bytes): (&str, &[u8]),
    (run, files): (&Run, &Suite),
) -> Done<()> {
    let now = Timestamp::now();
    let new = NewPerson { name: name.to_owned(), ..NewPerson::default() };
    let person = store.add_person(&new, now).await?.id;
    store.join(&course.id, &person, Role::Student, now).await?;
    let new = NewSubmission {
        suite,
        person: &person,
        name,
        file_name: name,
        module: bytes,
        source: None,
        stored_at_most: u64::MAX,
    };
    let submission = store.submit(&new, now).await?;
    let (run, files) = (run.clone(), files.clone());
    let bot = bots::submission(name, bytes.to_vec(), &files);
    let report = tokio::task::spawn_blocking(move || {
        judge_arena::grade(&run, &files, &[bot], &mut IgnoreEvents)
    });
    store.write_result(&submission, 1, &report.await??, now).await?;
    store.enter_bot(&arena.id, &person, (name, &submission.id), now).await?;
    Ok(())
}

/// Plays `pairs` pairs on all lanes. Benched bots are brought back regularly, so that their faults
/// continue.
async fn play(app: &App, workers: &Workers, arena: &Arena, pairs: i64) -> Done<()> {
    let mut lanes = Vec::new();
    for lane in 0..LANES {
        let run = workers.clone().with_jobs(1).run();
        let turn = LadderTurn::new(app, &format!("lane {lane}"), run).aiming_at(Aim::Endless);
        let (app, id) = (app.clone(), arena.id.clone());
        lanes.push(tokio::spawn(async move {
            loop {
                let arena = app.store().arena(&id).await.ok().flatten();
                if arena.is_none_or(|arena| arena.pairs >= pairs) || !turn.take().await {
                    return;
                }
            }
        }));
    }
    for lane in lanes {
        lane.await?;
    }
    Ok(())
}

/// Checks that no pair is lost, doubled or unfinished: every number has one pair with a result.
async fn check(store: &Store, arena: &Arena) -> Done<()> {
    let results = store.rated_pairs(&arena.id, arena.season, 0).await?;
    let done: BTreeSet<i64> = results.iter().map(|pair| pair.done).collect();
    let expected: BTreeSet<i64> = (1..=arena.done).collect();
    assert_eq!(done, expected, "each result once, and none missing");
    assert_eq!(arena.pairs, arena.done, "each pair that was begun has a result");
    let (mut seeds, mut skipped) = (BTreeSet::new(), 0);
    loop {
        let some = store.pairs_of_arena(&arena.id, skipped, 500).await?;
        if some.is_empty() {
            break;
        }
        skipped += 500;
        for pair in some {
            assert_eq!(pair.state, PairState::Done);
            assert!(seeds.insert(pair.seed), "a seed comes twice");
        }
    }
    assert_eq!(seeds.len(), results.len());
    Ok(())
}

/// A bot with its ratings: on the ladder, and as a tournament fits the same pairs, with all of them
/// and without those of failing bots, clones and the slow one.
struct LadderLine {
    name: String,
    status: BotStatus,
    pairs: u64,
    faults: u64,
    ladder: [f64; 3],
    fitted: f64,
    /// None for bots that are left out.
    honest: Option<[f64; 3]>,
}

async fn table(app: &App, arena: &Arena) -> Done<Vec<LadderLine>> {
    let table = app.season_cache().table(app.store(), arena).await?;
    let results = app.store().rated_pairs(&arena.id, arena.season, 0).await?;
    let bots: Vec<&LadderBot> = table.lines.iter().map(|line| &line.bot).collect();
    let is_odd = |bot: &LadderBot| {
        ["clone", "abort", "slow", "loop"].iter().any(|part| bot.name.contains(part))
    };
    let players = Players::new(&bots, &arena.anchor);
    let odd: BTreeSet<&VersionId> =
        bots.iter().filter(|bot| is_odd(bot)).map(|bot| &bot.newest.id).collect();
    let honest: Vec<SeasonPair> = results
        .iter()
        .filter(|pair| !pair.versions.iter().any(|one| odd.contains(one)))
        .cloned()
        .collect();
    let fitted = players.fitted(&results);
    let alone = players.ladder(&honest).estimates();
    Ok(table
        .lines
        .iter()
        .map(|line| {
            let player = players.numbers[&line.bot.newest.player];
            LadderLine {
                name: line.bot.name.clone(),
                status: line.bot.status,
                pairs: line.record.pairs,
                faults: line.record.faults,
                ladder: [line.rating.value, line.rating.low, line.rating.high],
                fitted: fitted.value(player),
                honest: (!is_odd(&line.bot)).then(|| {
                    let Estimate { value, low, high } = alone[player];
                    [value, low, high]
                }),
            }
        })
        .collect())
}

/// Compares the results of the weakest fixed point with those that the model expects from its
/// rating, for each opponent: this shows how well one number for each player describes its pairs.
async fn met_by_weakest(app: &App, arena: &Arena) -> Done<String> {
    let table = app.season_cache().table(app.store(), arena).await?;
    let results = app.season_cache().open(app.store(), arena).await?;
    let weakest = table.lines.iter().find(|line| line.bot.name == "random").ok_or("random")?;
    let met = results.met(&weakest.bot.id).into_iter().filter_map(|(other, record)| {
        let other = table.lines.iter().find(|line| line.bot.id == other)?;
        let half_points = 2 * (record.won + record.given) + record.drawn;
        let share = half_points as f64 / (4 * record.pairs) as f64;
        let above = (other.rating.value - weakest.rating.value) / 400.0;
        let expected = 1.0 / (1.0 + 10_f64.powf(above));
        Some(format!(
            "`{}` in {} pairs, {:.1} % of the points (by the ratings {:.1} %)",
            other.bot.name,
            record.pairs,
            100.0 * share,
            100.0 * expected
        ))
    });
    Ok(met.collect::<Vec<_>>().join("; "))
}

/// The rated players, by their numbers.
struct Players {
    numbers: BTreeMap<String, usize>,
    versions: BTreeMap<VersionId, usize>,
}

impl Players {
    fn new(bots: &[&LadderBot], anchor: &str) -> Players {
        let mut numbers: BTreeMap<String, usize> = [(anchor.to_owned(), 0)].into();
        let mut versions = BTreeMap::new();
        for bot in bots {
            let next = numbers.len();
            let player = *numbers.entry(bot.newest.player.clone()).or_insert(next);
            versions.insert(bot.newest.id.clone(), player);
        }
        Players { numbers, versions }
    }

    fn rated(&self, results: &[SeasonPair]) -> Vec<RatedPair> {
        let pair = |pair: &SeasonPair| RatedPair {
            players: pair.versions.each_ref().map(|version| self.versions[version]),
            start: pair.start,
            half_points: pair.rounds.iter().map(|(half_points, _)| half_points).sum(),
            scores: pair.differences.map(RoundScore::Played),
        };
        results.iter().map(pair).collect()
    }

    fn ladder(&self, results: &[SeasonPair]) -> LadderRatings {
        LadderRatings::rate(Scoring::Result, self.numbers.len(), &self.rated(results))
    }

    /// Ratings by the function of `judge tournament`, with a meeting for each two players.
    fn fitted(&self, results: &[SeasonPair]) -> judge_statistics::Ratings {
        let mut meetings: BTreeMap<[usize; 2], Vec<(u64, u8)>> = BTreeMap::new();
        for RatedPair { players: [one, other], start, half_points, .. } in self.rated(results) {
            let (key, points) = match one < other {
                true => ([one, other], half_points),
                false => ([other, one], 4 - half_points),
            };
            meetings.entry(key).or_default().push((start, points));
        }
        let meeting = |(players, pairs)| judge_statistics::RatedMeeting { players, pairs };
        let meetings: Vec<_> = meetings.into_iter().map(meeting).collect();
        judge_statistics::Ratings::fit(self.numbers.len(), &meetings)
    }
}

/// Ratings of a round robin with different seeds, by names; it starts with the anchor.
fn tournament_of(workers: &Workers, modules: &[PathBuf]) -> Done<BTreeMap<String, [f64; 3]>> {
    let mut seen = BTreeSet::new();
    let fixed = ["straightforward", "random", "distance"].map(str::to_owned);
    let mut players = fixed.to_vec();
    for path in modules {
        if seen.insert(digest(&std::fs::read(path)?).to_string()) {
            players.push(path.display().to_string());
        }
    }
    let mut request = tournament::Request::new(players, ROUNDS);
    request.contest.game = Some("mahjong".to_owned());
    let workers = workers.clone().with_jobs(LANES);
    let tournament::Outcome::Finished(done) =
        tournament::run(&request, &workers, &mut IgnoreEvents)?
    else {
        return Err("the tournament was not finished".into());
    };
    let rows = &done.report.ranking.rows;
    let of = |row: &tournament::RankedPlayer| [row.rating.value, row.rating.low, row.rating.high];
    Ok(rows.iter().map(|row| (row.name.clone(), of(row))).collect())
}

fn print(table: &[LadderLine], rated: &BTreeMap<String, [f64; 3]>) {
    println!(
        "| bot | pairs | faults | ladder | same pairs, as a tournament rates | without the odd ones | separate tournament |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|");
    let figures = |[value, low, high]: [f64; 3]| format!("{value:.0} ({low:.0} to {high:.0})");
    for line in table {
        let benched = if matches!(line.status, BotStatus::Benched(_)) { ", benched" } else { "" };
        let own = rated.get(&line.name).map_or_else(|| "–".to_owned(), |rating| figures(*rating));
        println!(
            "| `{}`{benched} | {} | {} | {} | {:.1} | {} | {own} |",
            line.name,
            line.pairs,
            line.faults,
            figures(line.ladder),
            line.fitted,
            line.honest.map_or_else(|| "–".to_owned(), figures),
        );
    }
    let apart = |line: &LadderLine| (line.ladder[0] - line.fitted).abs();
    let known = table.iter().filter(|line| !matches!(line.status, BotStatus::Benched(_)));
    let most = known.map(apart).fold(0.0_f64, f64::max);
    println!(
        "\nLargest difference between the two fits of the same pairs, without \
         benched bots: {most:.2} points."
    );
}
