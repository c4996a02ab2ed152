//! Measures the statements that pages wait for, at a hundred thousand results: `cargo bench -p
//! judge-store`.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a program that measures")]

#[path = "../tests/support/mod.rs"]
#[allow(dead_code, reason = "what tests need and this does not")]
mod support;

use std::time::{Duration, Instant};

use judge_store::{
    Address, Counted, NewCourse, NewPerson, NewSuite, Role, Store, Suite, SuiteSettings, Timestamp,
};
use sqlx::{AnyConnection, Connection as _};

use support::EmptyDatabase;

const PEOPLE: i64 = 500;
const RESULTS: i64 = 100_000;

const SUBMISSION: &str = "INSERT INTO submission \
    (id, suite, person, module, generation, name, file_name, received_at, of_day, day_ends_at, \
    late_days, late_percent, owner) \
    VALUES ($1, $2, $3, 'm', 1, 'bot', 'bot.wasm', $4, 0, 0, 0, 100, $3)";
const RESULT: &str = "INSERT INTO result (submission, generation, suite, person, received_at, \
    is_first, state, points, max_points, score, passed, testcases, worst, verdicts, digest, fuel, \
    graded_at, open_points, open_max_points, of_day, day_ends_at, late_days, late_percent, \
    earned_points, earned_open_points, owner) VALUES ($1, 1, $2, $3, $4, 1, 'graded', $5, 20000, 5, 1, 2, \
    'below-threshold', '{}', $6, 1000000, $4, $5, 20000, 0, 0, 0, 100, $5, $5)";
const MODULE: &str = "INSERT INTO module (hash, size, bytes, received_at) VALUES ('m', 0, $1, 0)";

fn main() {
    support::run(async {
        measure("SQLite", &EmptyDatabase::sqlite()).await;
    });
    match EmptyDatabase::postgres() {
        Some(place) => support::run(measure("PostgreSQL", &place)),
        None => println!("PostgreSQL is not installed"),
    }
}

async fn measure(name: &str, place: &EmptyDatabase) {
    let store = place.open().await;
    let (suite, people) = scene(&store).await;
    let begin = Instant::now();
    fill(place, &suite, &people).await;
    println!("{name}: {RESULTS} results of {PEOPLE} people, there after {:?}", begin.elapsed());
    let best = async || store.scoreboard(&suite.id, None).await.unwrap().len();
    report("the scoreboard, best results", best).await;
    let latest = SuiteSettings { counts: Counted::Latest, ..SuiteSettings::default() };
    store.change_suite(&suite.id, &latest).await.unwrap();
    report("the scoreboard, latest results", best).await;
    let one = async || store.results_of_person(&suite.id, &people[7]).await.unwrap().len();
    report("a person's results", one).await;
    let now = Timestamp::from_millis(RESULTS);
    let lease = Duration::from_secs(60);
    let next = async || usize::from(store.next_job("w", lease, now).await.unwrap().is_some());
    report("the next job, with nothing to do", next).await;
    store.close().await;
}

async fn report(what: &str, mut ask: impl AsyncFnMut() -> usize) {
    let rows = ask().await;
    let mut times = Vec::new();
    for _ in 0..9 {
        let begin = Instant::now();
        ask().await;
        times.push(begin.elapsed());
    }
    times.sort();
    println!("  {what}: {rows} rows, median {:?}, longest {:?}", times[4], times[8]);
}

async fn scene(store: &Store) -> (Suite, Vec<judge_store::PersonId>) {
    let now = Timestamp::from_millis(0);
    let new = NewCourse { slug: "c".into(), title: "C".into(), time_zone: "UTC".into() };
    let course = store.create_course(&new, now).await.unwrap();
    let case = "title = 'x'\ngame = 'mahjong'\nopponent = 'random'\nseeds = [1]\nmin_score = 1\n\
                points = 20\n";
    let files = [("suite.toml", "title = 'x'"), ("01.toml", case)];
    let files = judge_grading::Suite::from_files("x", files).unwrap();
    let settings = SuiteSettings::default();
    let new = NewSuite { course: &course.id, slug: "s", files: &files, settings };
    let suite = store.create_suite(&new, now).await.unwrap();
    let mut people = Vec::new();
    for number in 0..PEOPLE {
        let person = NewPerson { name: number.to_string(), ..NewPerson::default() };
        let person = store.add_person(&person, now).await.unwrap();
        store.join(&course.id, &person.id, Role::Student, now).await.unwrap();
        people.push(person.id);
    }
    (suite, people)
}

/// Fills the tables directly, because a hundred thousand commits would take minutes.
async fn fill(place: &EmptyDatabase, suite: &Suite, people: &[judge_store::PersonId]) {
    let url = match &place.address {
        Address::Sqlite(path) => format!("sqlite://{}", path.display()),
        Address::Postgres(url) => url.clone(),
    };
    let mut connection = AnyConnection::connect(&url).await.unwrap();
    let mut all = connection.begin().await.unwrap();
    sqlx::query(MODULE).bind(vec![0_u8]).execute(&mut *all).await.unwrap();
    for number in 0..RESULTS {
        let id = "a".repeat(10) + &base32(number);
        let person = &people[(number * 7919 % PEOPLE) as usize];
        let query = sqlx::query(SUBMISSION).bind(&id).bind(suite.id.as_str());
        query.bind(person.as_str()).bind(number).execute(&mut *all).await.unwrap();
        let query = sqlx::query(RESULT).bind(&id).bind(suite.id.as_str()).bind(person.as_str());
        let query = query.bind(number).bind(number * 104_729 % 20_000);
        query.bind("0".repeat(64)).execute(&mut *all).await.unwrap();
    }
    all.commit().await.unwrap();
    if matches!(place.address, Address::Postgres(_)) {
        // The server does this by itself within a minute.
        sqlx::raw_sql("ANALYZE").execute(&mut connection).await.unwrap();
    }
}

/// Six characters of an id.
fn base32(mut number: i64) -> String {
    let mut text = String::new();
    for _ in 0..6 {
        text.push(char::from(b"abcdefghijklmnopqrstuvwxyz234567"[(number % 32) as usize]));
        number /= 32;
    }
    text
}
