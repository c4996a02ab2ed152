//! Grading by a server, by itself or with machines.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use judge_grading::Suite;
use judge_store::{
    Address, NewCourse, NewPerson, NewSubmission, NewSuite, Role, Store, SuiteSettings, Timestamp,
};

use crate::{LOOK, StudentModule, files, line, run};

/// A program in the folder above this one.
pub(crate) fn program(name: &str) -> PathBuf {
    let own = std::env::current_exe().unwrap();
    let program = own.parent().unwrap().with_file_name(name);
    assert!(
        program.exists(),
        "build it first: `cargo build --release -p judge-server -p judge-fleet`"
    );
    program
}

/// A process, killed on drop.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

/// A server, and its address.
struct Server {
    host: String,
    _process: Running,
}

impl Server {
    fn start(data: &Path, options: &[&str]) -> Server {
        // With a known name, the server prints only its address.
        std::fs::write(data.join("server-name"), "server-of-the-measurement\n").unwrap();
        let mut command = Command::new(program("judge-server"));
        command.args(["--listen", "127.0.0.1:0", "--data"]).arg(data).args(options);
        let log = File::create(data.join("log")).unwrap();
        let mut process = command.stdout(Stdio::piped()).stderr(log).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let host = line.trim_end().rsplit_once("//").map(|(_, host)| host.to_owned());
        Server { host: host.unwrap(), _process: Running(process) }
    }

    /// Submissions that wait or are under way.
    fn unfinished(&self) -> usize {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        write!(stream, "GET /metrics HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", self.host)
            .unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        let figure = |name: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
            line.unwrap().parse::<usize>().unwrap()
        };
        figure("judge_waiting").max(figure("judge_playing"))
    }

    /// Waits until at most `left` submissions are left.
    fn wait_for(&self, left: usize) {
        while self.unfinished() > left {
            std::thread::sleep(LOOK);
        }
    }
}

/// The mark sheet of a server without machines.
pub(crate) fn sheet(data: &Path, database: &Address, course: &[StudentModule]) -> String {
    run(fill(database, course));
    let server = Server::start(data, &[]);
    server.wait_for(0);
    drop(server);
    run(read(database))
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

    /// The mark sheet, with two of the four machines killed during grading.
    pub(crate) fn sheet(mut self, course: &[StudentModule]) -> String {
        let database = self.url.parse().unwrap();
        run(fill(&database, course));
        let options = ["--fleet", "--audit=5", "--database", &self.url];
        let server = Server::start(&self.data, &options);
        for number in 1..=4 {
            self.machines.push(self.machine(number));
        }
        for left in [2, 1] {
            server.wait_for(course.len() * left / 3);
            drop(self.machines.remove(0));
        }
        server.wait_for(0);
        drop(server);
        run(read(&database))
    }

    fn machine(&self, number: usize) -> Running {
        let mut command = Command::new(program("judge-worker"));
        command.env("JUDGE_DATABASE", &self.url).arg(format!("--name=machine-{number}"));
        command.args(["--jobs=1", "--lease=5", "--cache"]).arg(self.data.join("cache"));
        let log = File::create(self.data.join(format!("log-{number}"))).unwrap();
        Running(command.stdout(Stdio::null()).stderr(log).spawn().unwrap())
    }
}

/// Creates the course, with all submissions waiting.
async fn fill(database: &Address, course: &[StudentModule]) {
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
        let new =
            NewSubmission { suite, person, name, file_name, module, source: None, stored_at_most };
        store.submit(&new, now).await.unwrap();
    }
    store.close().await;
}

/// The mark sheet of a course without a running server.
async fn read(database: &Address) -> String {
    let store = Store::open(database).await.unwrap();
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
