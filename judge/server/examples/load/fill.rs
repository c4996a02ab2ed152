//! A course with many students, created in the database before the server starts.

use std::path::{Path, PathBuf};
use std::time::Duration;

use judge_grading::Suite;
use judge_store::{
    Address, NewCourse, NewPerson, NewSuite, PersonId, ResultState, Role, Store, SuiteSettings,
    Timestamp, TokenKind,
};
use sqlx::{AnyConnection, Connection as _};
use tempfile::TempDir;

/// Students of the course.
pub(crate) const STUDENTS: usize = 100;

/// Modules that they submit in total.
pub(crate) const SUBMISSIONS: usize = 1000;

/// Results on the large scoreboard.
pub(crate) const LARGE: usize = 100_000;

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

/// A folder with the data, and the secrets of the students.
pub(crate) struct FilledServer {
    folder: TempDir,
    people: Vec<(PersonId, String, String)>,
    bot: Vec<u8>,
}

impl FilledServer {
    pub(crate) fn new() -> FilledServer {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sample-bots/prebuilt");
        let bot = std::fs::read(root.join("mahjong-distance.wasm")).unwrap();
        let mut place =
            FilledServer { folder: tempfile::tempdir().unwrap(), people: Vec::new(), bot };
        std::fs::create_dir(place.data()).unwrap();
        place.people = wait(async {
            let store = place.store().await;
            let people = people(&store).await;
            store.close().await;
            people
        });
        place
    }

    pub(crate) fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    async fn store(&self) -> Store {
        Store::open(&Address::Sqlite(self.data().join("judge.db"))).await.unwrap()
    }

    /// A student's API token.
    pub(crate) fn token(&self, student: usize) -> &str {
        &self.people[student % STUDENTS].2
    }

    /// A student's session.
    pub(crate) fn session(&self, student: usize) -> &str {
        &self.people[student % STUDENTS].1
    }

    /// A unique module: a sample bot with a number in a section that is never read.
    pub(crate) fn module(&self, number: usize) -> Vec<u8> {
        let number = u32::try_from(number).unwrap().to_le_bytes();
        [&self.bot[..], &[0, 6, 1, b'n'], &number].concat()
    }

    /// Checks that each of these submissions exists and has one result.
    pub(crate) fn check(&self, ids: &[String]) {
        wait(async {
            let store = self.store().await;
            assert_eq!(ids.len(), SUBMISSIONS);
            for id in ids {
                let id = id.split_once(':').unwrap().1.parse().unwrap();
                let results = store.results_of(&id).await.unwrap();
                assert_eq!(results.len(), 1, "{id}");
                assert_eq!(results[0].state, ResultState::Graded, "{id}");
            }
            let suite = store.suite_by_slug(&course(&store).await, "small").await.unwrap().unwrap();
            assert_eq!(store.submissions_to(&suite.id, 0, 9999).await.unwrap().len(), SUBMISSIONS);
            store.close().await;
        });
    }

    /// Fills another suite's scoreboard directly, because so many commits would take minutes.
    pub(crate) fn fill_scoreboard(&self) {
        wait(async {
            let store = self.store().await;
            let suite = suite(&store, &course(&store).await, "large").await;
            store.close().await;
            let url = format!("sqlite://{}", self.data().join("judge.db").display());
            let mut connection = AnyConnection::connect(&url).await.unwrap();
            let mut all = connection.begin().await.unwrap();
            sqlx::query(MODULE).bind(vec![0_u8]).execute(&mut *all).await.unwrap();
            for number in 0..LARGE {
                let (id, at) = ("a".repeat(10) + &base32(number), i64::try_from(number).unwrap());
                let person = &self.people[number * 7919 % STUDENTS].0;
                let query = sqlx::query(SUBMISSION).bind(&id).bind(suite.as_str());
                query.bind(person.as_str()).bind(at).execute(&mut *all).await.unwrap();
                let query = sqlx::query(RESULT).bind(&id).bind(suite.as_str());
                let query = query.bind(person.as_str()).bind(at).bind(at * 104_729 % 20_000);
                query.bind("0".repeat(64)).execute(&mut *all).await.unwrap();
            }
            all.commit().await.unwrap();
        });
    }
}

fn wait<T>(what: impl Future<Output = T>) -> T {
    sqlx::any::install_default_drivers();
    tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap().block_on(what)
}

async fn course(store: &Store) -> judge_store::CourseId {
    store.course_by_slug("ai").await.unwrap().unwrap().id
}

/// A suite of two testcases with two rounds each.
async fn suite(store: &Store, course: &judge_store::CourseId, slug: &str) -> judge_store::SuiteId {
    let case = |seat: u8| {
        format!(
            "title = 'x'\ngame = 'mahjong'\nopponent = 'random'\nseat = {seat}\nseeds = [1, 2]\n\
             min_score = 50\npoints = 10\n"
        )
    };
    let (one, two) = (case(1), case(2));
    let files = [("suite.toml", "title = 'Load'"), ("01.toml", &one), ("02.toml", &two)];
    let files = Suite::from_files("load", files).unwrap();
    let settings = SuiteSettings { pending_at_most: 1000, ..SuiteSettings::default() };
    let new = NewSuite { course, slug, files: &files, settings };
    store.create_suite(&new, Timestamp::now()).await.unwrap().id
}

/// Creates the course, and returns its students with their sessions and tokens.
async fn people(store: &Store) -> Vec<(PersonId, String, String)> {
    let now = Timestamp::now();
    let [slug, title, time_zone] = ["ai", "Load", "UTC"].map(str::to_owned);
    let new = NewCourse { slug, title, time_zone };
    let course = store.create_course(&new, now).await.unwrap().id;
    suite(store, &course, "small").await;
    let mut people = Vec::new();
    for number in 0..STUDENTS {
        let new = NewPerson { name: format!("Student {number}"), ..NewPerson::default() };
        let person = store.add_person(&new, now).await.unwrap().id;
        store.join(&course, &person, Role::Student, now).await.unwrap();
        let end = now.after(Duration::from_secs(24 * 3600));
        let secret = async |kind| {
            let made = store.new_token(&person, kind, "load", end, now).await.unwrap();
            made.1.reveal().to_owned()
        };
        let (session, token) = (secret(TokenKind::Session).await, secret(TokenKind::Api).await);
        people.push((person, session, token));
    }
    people
}

/// Six characters of an id.
fn base32(mut number: usize) -> String {
    let mut text = String::new();
    for _ in 0..6 {
        text.push(char::from(b"abcdefghijklmnopqrstuvwxyz234567"[number % 32]));
        number /= 32;
    }
    text
}
