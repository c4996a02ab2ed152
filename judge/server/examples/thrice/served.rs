//! Graded by a server, alone or with machines.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use judge_grading::Suite;
use judge_store::{
    Address, NewCourse, NewPerson, NewSubmission, NewSuite, Role, Store, SuiteSettings, Timestamp,
};

use crate::{LOOK, Submission, files, line, run};

/// A program that is built beside this one's folder.
pub(crate) fn program(name: &str) -> PathBuf {
    let own = std::env::current_exe().unwrap();
    let program = own.parent().unwrap().with_file_name(name);
    assert!(
        program.exists(),
        "build it first: `cargo build --release -p judge-server -p judge-fleet`"
    );
    program
}

/// A process, which ends when it is dropped.
struct Running(Child);

impl Running {
    fn start(command: &mut Command, log: &Path) -> Running {
        let log = std::fs::File::create(log).unwrap();
        Running(command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log).spawn().unwrap())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

fn server(data: &Path, options: &[&str]) -> Running {
    let mut command = Command::new(program("judge-server"));
    command.args(["--listen", "127.0.0.1:0", "--data"]).arg(data).args(options);
    Running::start(&mut command, &data.join("log"))
}

/// The mark sheet of a server alone.
pub(crate) fn sheet(data: &Path, database: &Address, course: &[Submission]) -> String {
    run(async {
        let store = filled(database, course).await;
        let _server = server(data, &["--people-play=0"]);
        wait_for_all(&store).await;
        read(&store).await
    })
}

/// A server with four machines.
pub(crate) struct Fleet {
    data: PathBuf,
    url: String,
    machines: Vec<Running>,
}

impl Fleet {
    pub(crate) fn start(data: &Path, url: &str) -> Fleet {
        Fleet { data: data.to_owned(), url: url.to_owned(), machines: Vec::new() }
    }

    /// The mark sheet, with two of the four machines killed on the way.
    pub(crate) fn sheet(mut self, course: &[Submission]) -> String {
        run(async {
            let store = filled(&self.url.parse().unwrap(), course).await;
            let database = self.url.clone();
            let _server = server(&self.data, &["--fleet", "--audit=5", "--database", &database]);
            for number in 1..=4 {
                // The server makes the tables.
                tokio::time::sleep(Duration::from_millis(500)).await;
                self.machines.push(self.machine(number));
            }
            for killed in 1..=2 {
                wait_for_results(&store, course.len() * killed / 3).await;
                drop(self.machines.remove(0));
            }
            wait_for_all(&store).await;
            read(&store).await
        })
    }

    fn machine(&self, number: usize) -> Running {
        let mut command = Command::new(program("judge-worker"));
        command.env("JUDGE_DATABASE", &self.url).arg(format!("--name=machine-{number}"));
        command.args(["--jobs=1", "--lease=5", "--cache"]).arg(self.data.join("cache"));
        Running::start(&mut command, &self.data.join(format!("log-{number}")))
    }
}

/// A database with the course, and all submissions waiting.
async fn filled(database: &Address, course: &[Submission]) -> Store {
    let (store, now) = (Store::open(database).await.unwrap(), Timestamp::now());
    let [slug, title, time_zone] = ["ai", "Play", "UTC"].map(str::to_owned);
    let made = store.create_course(&NewCourse { slug, title, time_zone }, now).await.unwrap();
    let files = files();
    let files = files.iter().map(|(name, text)| (name.as_str(), text.as_str()));
    let files = Suite::from_files("small", files).unwrap();
    let settings = SuiteSettings::default();
    let new = NewSuite { course: &made.id, slug: "small", files: &files, settings };
    let suite = store.create_suite(&new, now).await.unwrap();
    for (name, module) in course {
        let new = NewPerson { name: name.clone(), ..NewPerson::default() };
        let person = store.add_person(&new, now).await.unwrap();
        store.join(&made.id, &person.id, Role::Student, now).await.unwrap();
        let (suite, stored_at_most) = (&suite.id, u64::MAX >> 1);
        let (person, file_name) = (&person.id, "bot.wasm");
        let new = NewSubmission { suite, person, name, file_name, module, stored_at_most };
        store.submit(&new, now).await.unwrap();
    }
    store
}

async fn wait_for_all(store: &Store) {
    loop {
        let queue = store.queue_state(Timestamp::now()).await.unwrap();
        if queue.new == 0 && queue.running == 0 {
            return;
        }
        tokio::time::sleep(LOOK).await;
    }
}

async fn wait_for_results(store: &Store, many: usize) {
    let waiting = |new: u64| usize::try_from(new).unwrap() + many > crate::STUDENTS;
    while waiting(store.queue_state(Timestamp::now()).await.unwrap().new) {
        tokio::time::sleep(LOOK / 4).await;
    }
}

async fn read(store: &Store) -> String {
    let course = store.course_by_slug("ai").await.unwrap().unwrap();
    let suite = store.suite_by_slug(&course.id, "small").await.unwrap().unwrap();
    let rows = store.scoreboard(&suite.id, None).await.unwrap();
    let mut lines: Vec<String> = rows
        .iter()
        .map(|row| {
            let result = &row.result;
            let (points, digest) = (result.points.to_string(), result.digest.to_string());
            line(&row.name, &points, result.score, &digest)
        })
        .collect();
    lines.sort();
    lines.concat()
}
