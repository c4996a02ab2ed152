//! A course with a small suite and three students, and modules with their expected results.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

use judge_core::{IgnoreEvents, digest};
use judge_grading::Suite;
use judge_runner::base::workers::Workers;
use judge_runner::grade::{self, Request};
use judge_runner::suites::SuiteChoice;
use judge_store::{
    Address, Counted, NewCourse, NewPerson, NewSuite, ResultState, Role, Scope, Showing, Store,
    SuiteSettings, Timestamp, TokenKind,
};
use tempfile::TempDir;

use crate::support::running::{PROGRAM, Server, log_of};
use crate::support::{postgres, run};

/// Number of different modules.
const MODULES: usize = 5;

/// A month: lifetime of tokens.
const LONG: Duration = Duration::from_secs(30 * 24 * 3600);

/// A data folder with a course, without a running server.
pub(crate) struct Scene {
    /// Tokens of the students.
    pub(crate) tokens: Vec<String>,
    pub(crate) database: Option<String>,
    folder: TempDir,
}

/// A module, and the digest of its result by the command line.
pub(crate) type GradedModule = (Vec<u8>, String);

impl Scene {
    /// A scene on SQLite.
    pub(crate) fn new() -> Scene {
        Scene::on(None)
    }

    /// A scene in a new database of the PostgreSQL server for tests; none if that is not installed.
    pub(crate) fn on_postgres() -> Option<Scene> {
        Some(Scene::on(Some(postgres::database()?)))
    }

    /// A scene in that database, or in a file.
    pub(crate) fn on(database: Option<String>) -> Scene {
        let folder = tempfile::tempdir().unwrap();
        let mut scene = Scene { tokens: Vec::new(), database, folder };
        std::fs::create_dir(scene.data()).unwrap();
        // With a known name, the server does not print a link for a first instructor.
        std::fs::write(scene.data().join("server-name"), "server-of-the-test\n").unwrap();
        scene.tokens = scene.with_store(async |store| fill(&store).await);
        scene
    }

    /// The server's folder.
    pub(crate) fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// Starts the server.
    pub(crate) fn start(&self) -> Server {
        self.start_by(Command::new(PROGRAM))
    }

    /// Starts the server with a given command.
    pub(crate) fn start_by(&self, command: Command) -> Server {
        self.start_with(command, &[])
    }

    /// Starts the server with a given command and more options.
    pub(crate) fn start_with(&self, command: Command, more: &[&str]) -> Server {
        let mut options = [&["--lanes=2"], more].concat();
        if let Some(database) = &self.database {
            options.extend(["--database", database]);
        }
        Server::spawn(command, &self.data(), &options)
    }

    /// Runs a function on the database while no server uses it.
    pub(crate) fn with_store<T>(&self, what: impl AsyncFnOnce(Store) -> T) -> T {
        run(async {
            let address = match &self.database {
                Some(url) => url.parse().unwrap(),
                None => Address::Sqlite(self.data().join("judge.db")),
            };
            let store = Store::open(&address).await.unwrap();
            let done = what(store.clone()).await;
            store.close().await;
            done
        })
    }

    /// Begins a new generation of the suite.
    pub(crate) fn rejudge(&self) {
        self.with_store(async |store| {
            let suite = suite_in(&store).await;
            store
                .rejudge(&suite.id, &Scope::All, Showing::Complete, Timestamp::now())
                .await
                .unwrap();
        });
    }

    /// Checks that nothing is lost or doubled: every submission, the acknowledged ones among them,
    /// has one result in the present generation, and all its results are those of the command line.
    pub(crate) fn check(&self, acknowledged: &[String]) {
        let found = self.with_store(async |store| results(&store).await);
        for id in acknowledged {
            assert!(found.contains_key(id), "`{id}` was acknowledged, and is lost");
        }
        assert!(!found.is_empty());
    }
}

impl Drop for Scene {
    /// Prints the server's log if the test fails.
    fn drop(&mut self) {
        if std::thread::panicking() {
            let log = std::fs::read_to_string(log_of(&self.data())).unwrap_or_default();
            let troubles = log.lines().filter(|line| !line.contains(" INFO "));
            println!("{}", troubles.collect::<Vec<_>>().join("\n"));
        }
    }
}

/// Every submission by its id, with the number of its results.
async fn results(store: &Store) -> BTreeMap<String, usize> {
    let suite = suite_in(store).await;
    let expected: BTreeMap<String, &String> =
        modules().iter().map(|(module, own)| (digest(module).to_string(), own)).collect();
    let mut found = BTreeMap::new();
    for submission in store.submissions_to(&suite.id, 0, 100_000).await.unwrap() {
        let results = store.results_of(&submission.id).await.unwrap();
        let present = results.iter().filter(|result| result.generation == suite.generation);
        assert_eq!(present.count(), 1, "{submission:?}: {results:?}");
        for result in &results {
            assert_eq!(result.state, ResultState::Graded, "{submission:?}");
            let own = expected[&submission.module.to_string()];
            assert_eq!(result.digest.to_string(), *own, "{submission:?}");
        }
        found.insert(submission.id.to_string(), results.len());
    }
    let state = store.queue_state(Timestamp::now()).await.unwrap();
    assert_eq!((state.new, state.again, state.running), (0, 0, 0));
    found
}

async fn suite_in(store: &Store) -> judge_store::Suite {
    let course = store.course_by_slug("ai").await.unwrap().unwrap();
    store.suite_by_slug(&course.id, "small").await.unwrap().unwrap()
}

/// The files of the suite.
fn files() -> Vec<(String, String)> {
    let case = |seat: u8| {
        let text = format!(
            "title = \"x\"\ngame = \"mahjong\"\nopponent = \"random\"\nseat = {seat}\n\
             seeds = [1, 2, 3]\nmin_score = 100\npoints = 10\n"
        );
        (format!("0{seat}-case.toml"), text)
    };
    vec![("suite.toml".to_owned(), "title = \"Small\"\n".to_owned()), case(1), case(2)]
}

/// Creates the course and its people, and returns their tokens.
async fn fill(store: &Store) -> Vec<String> {
    let now = Timestamp::now();
    let [slug, title, time_zone] = ["ai", "Play", "UTC"].map(str::to_owned);
    let new = NewCourse { slug, title, time_zone };
    let course = store.create_course(&new, now).await.unwrap();
    let files = files();
    let files = files.iter().map(|(name, text)| (name.as_str(), text.as_str()));
    let files = Suite::from_files("small", files).unwrap();
    // With this setting, a module that is not the latest may be submitted again.
    let counts = Counted::Latest;
    let settings = SuiteSettings { pending_at_most: 1000, counts, ..SuiteSettings::default() };
    let new = NewSuite { course: &course.id, slug: "small", files: &files, settings };
    store.create_suite(&new, now).await.unwrap();
    let mut tokens = Vec::new();
    for name in ["Ada", "Bob", "Eve"] {
        let new = NewPerson { name: name.to_owned(), ..NewPerson::default() };
        let person = store.add_person(&new, now).await.unwrap();
        store.join(&course.id, &person.id, Role::Student, now).await.unwrap();
        let end = now.after(LONG);
        let made = store.new_token(&person.id, TokenKind::Api, "test", end, now).await;
        tokens.push(made.unwrap().1.reveal().to_owned());
    }
    tokens
}

/// The modules, graded once by the library of the command line.
pub(crate) fn modules() -> &'static [GradedModule] {
    static MODULES: OnceLock<Vec<GradedModule>> = OnceLock::new();
    MODULES.get_or_init(graded)
}

fn graded() -> Vec<GradedModule> {
    let folder = tempfile::tempdir().unwrap();
    let suite = folder.path().join("small");
    std::fs::create_dir(&suite).unwrap();
    for (name, text) in files() {
        std::fs::write(suite.join(name), text).unwrap();
    }
    let bots: Vec<PathBuf> = (0..MODULES).map(|number| written(folder.path(), number)).collect();
    let mut workers = Workers::of_this_program().unwrap();
    workers.command.program = PROGRAM.into();
    let suite = SuiteChoice::Named(suite);
    let request = Request { bots: bots.clone(), suite, ..Request::default() };
    let report = grade::run(&request, &workers, &mut IgnoreEvents).unwrap().report;
    let read = |path: &PathBuf| std::fs::read(path).unwrap();
    let digests = report.bots.iter().map(|bot| bot.digest.to_string());
    std::iter::zip(bots.iter().map(read), digests).collect()
}

/// A unique module: a sample bot with a number in a section that is never read.
fn written(folder: &Path, number: usize) -> PathBuf {
    let name = ["mahjong-distance", "mahjong-straightforward"][number % 2];
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sample-bots/prebuilt");
    let mut module = std::fs::read(root.join(format!("{name}.wasm"))).unwrap();
    let number = u8::try_from(number).unwrap();
    module.extend([0, 3, 1, b'n', number]);
    let path = folder.join(format!("bot-{number}.wasm"));
    std::fs::write(&path, module).unwrap();
    path
}
