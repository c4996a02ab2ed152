//! The real program: from an empty folder to a verdict, equal to that of `judge grade`.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

use judge_core::Nobody;
use judge_runner::grade::{self, Request};
use judge_runner::workers::Workers;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

const PROGRAM: &str = env!("CARGO_BIN_EXE_judge-server");

/// The file that a server's log goes to.
fn log_of(data: &Path) -> PathBuf {
    data.with_extension("log")
}

/// A server that runs.
struct Server {
    child: Child,
    _output: BufReader<ChildStdout>,
    /// `127.0.0.1:12345`.
    host: String,
    /// What it said beside its address.
    link: Option<String>,
}

impl Server {
    fn start(data: &Path) -> Server {
        let known = data.join("server-name").exists();
        let log = File::options().create(true).append(true).open(log_of(data)).unwrap();
        let mut child = Command::new(PROGRAM)
            .args(["--listen", "127.0.0.1:0", "--lanes", "1", "--rate", "1000", "--data"])
            .arg(data)
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let mut line = || {
            let mut line = String::new();
            output.read_line(&mut line).unwrap();
            line.trim_end().to_owned()
        };
        let first = line();
        let host = first.strip_prefix("judge-server listens at http://").expect(&first).to_owned();
        let link = (!known).then(|| {
            line();
            line()
        });
        let link =
            link.map(|link| link.strip_prefix(&format!("http://{host}")).expect(&link).to_owned());
        Server { child, _output: output, host, link }
    }

    /// Sends a request with these lines of its head, and reads status, head and body.
    fn ask(&self, method: &str, path: &str, head: &[String], body: &[u8]) -> (u16, String, String) {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        let mut text = format!("{method} {path} HTTP/1.1\r\nHost: {}\r\n", self.host);
        for line in head {
            text += line;
            text += "\r\n";
        }
        let length = body.len().to_string();
        text.extend(["Content-Length: ", &length, "\r\nConnection: close\r\n\r\n"]);
        stream.write_all(text.as_bytes()).unwrap();
        stream.write_all(body).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let (head, body) = answer.split_once("\r\n\r\n").expect(&answer);
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, head.to_owned(), body.to_owned())
    }

    /// Sends a form with a cookie.
    fn form(&self, cookie: &str, path: &str, form: &str) -> (u16, String, String) {
        let head = [
            format!("Origin: http://{}", self.host),
            "Content-Type: application/x-www-form-urlencoded".to_owned(),
            format!("Cookie: {cookie}"),
        ];
        self.ask("POST", path, &head, form.as_bytes())
    }

    /// Asks as a program.
    fn api(&self, token: &str, method: &str, path: &str, body: &[u8]) -> Value {
        let head = [format!("Authorization: Bearer {token}")];
        let (status, _, text) = self.ask(method, path, &head, body);
        assert!(status < 300, "{path}: {status} {text}");
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
    }

    /// Waits until the submission has a result.
    fn result(&self, token: &str, id: &str) -> Value {
        loop {
            let told = self.api(token, "GET", &format!("/api/v1/submissions/{id}"), b"");
            if told["state"] != "waiting" {
                return told;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    fn signal(&mut self, signal: Signal) -> std::process::ExitStatus {
        let pid = Pid::from_child(&self.child);
        kill_process(pid, signal).unwrap();
        self.child.wait().unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The session in an answer's head.
fn session(head: &str) -> String {
    let line = head.lines().find_map(|line| line.strip_prefix("set-cookie: ")).expect(head);
    line.split(';').next().unwrap().to_owned()
}

/// What stands between the first pair of tags of code.
fn code(page: &str) -> String {
    let (_, rest) = page.split_once("<code>").expect(page);
    rest.split_once("</code>").expect(page).0.to_owned()
}

/// Becomes the first instructor, makes the course `ai` with the suite `mahjong`, and a token.
fn set_up(server: &Server) -> String {
    let link = server.link.clone().expect("the folder was empty");
    let (status, ..) = server.ask("GET", &link, &[], b"");
    assert_eq!(status, 200);
    let form = format!("token={}&name=Tess", link.rsplit('/').next().unwrap());
    let (status, head, _) = server.form("", "/join", &form);
    assert_eq!(status, 303, "{head}");
    let cookie = session(&head);
    let course = "title=Artificial+Play&slug=ai&time_zone=Europe/Berlin";
    assert_eq!(server.form(&cookie, "/courses", course).0, 303);
    let suite = "bundled=mahjong&slug=mahjong&due=";
    assert_eq!(server.form(&cookie, "/c/ai/manage/suites", suite).0, 303);
    code(&server.form(&cookie, "/me/tokens", "label=test").2)
}

fn bot(name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sample-bots/prebuilt");
    root.join(format!("{name}.wasm"))
}

/// The digest that `judge grade` comes to.
fn digest(name: &str) -> String {
    let mut workers = Workers::of_this_program().unwrap();
    workers.command.program = PROGRAM.into();
    let request = Request { bots: vec![bot(name)], ..Request::default() };
    let outcome = grade::run(&request, &workers, &mut Nobody).unwrap();
    outcome.report.bots[0].digest.to_string()
}

#[test]
fn from_an_empty_folder_to_the_verdict_of_the_command_line() {
    let place = tempfile::tempdir().unwrap();
    let data = place.path().join("data");
    let mut server = Server::start(&data);
    let (token, link) = (set_up(&server), server.link.clone().unwrap());
    let module = std::fs::read(bot("mahjong-distance")).unwrap();
    let address = "/api/v1/courses/ai/suites/mahjong/submissions?name=mahjong-distance.wasm";
    let submission = server.api(&token, "POST", address, &module);
    let id = submission["id"].as_str().unwrap().to_owned();
    // Killed while it plays, and started again: nothing that was accepted is lost.
    server.signal(Signal::KILL);
    let mut server = Server::start(&data);
    assert_eq!(server.link, None, "somebody is known");
    let result = server.result(&token, &id);
    assert_eq!(result["state"], "graded", "{result}");
    let report = server.api(&token, "GET", &format!("/api/v1/submissions/{id}/report"), b"");
    assert_eq!(report["bots"][0]["digest"], digest("mahjong-distance"));

    let copy = place.path().join("copy.db");
    let backup = Command::new(PROGRAM).arg("--data").arg(&data).arg("backup").arg(&copy).status();
    assert!(backup.unwrap().success() && copy.metadata().unwrap().len() > 10_000);
    assert!(server.signal(Signal::TERM).success(), "it ends in order");

    let log = std::fs::read_to_string(log_of(&data)).unwrap();
    assert!(log.contains("/join/{token}") && log.contains("graded"), "{log}");
    for secret in [token.as_str(), link.rsplit('/').next().unwrap()] {
        assert!(secret.len() > 40 && !log.contains(secret), "{log}");
    }
}

/// The commands of the documentation that stand under `# as in the tests`.
fn examples() -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/server.md");
    let text = std::fs::read_to_string(path).unwrap();
    let blocks = text.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next());
    let blocks = blocks.filter(|block| block.contains("curl"));
    blocks.map(str::to_owned).collect()
}

#[test]
fn the_commands_of_the_documentation_work() {
    let place = tempfile::tempdir().unwrap();
    let server = Server::start(&place.path().join("data"));
    let token = set_up(&server);
    std::fs::copy(bot("mahjong-straightforward"), place.path().join("bot.wasm")).unwrap();
    let examples = examples();
    assert!(!examples.is_empty());
    for example in examples {
        let run = Command::new("sh")
            .args(["-euc", &example])
            .current_dir(place.path())
            .env("JUDGE_TOKEN", &token)
            .env("JUDGE", format!("http://{}", server.host))
            .output()
            .unwrap();
        let (output, errors) =
            (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
        assert!(run.status.success(), "{example}\n{output}\n{errors}");
        assert!(!output.contains("\"error\""), "{example}\n{output}");
    }
}

#[test]
fn what_is_wrong_with_the_settings_is_told_and_nothing_begins() {
    let place = tempfile::tempdir().unwrap();
    let data = place.path().join("data");
    let check = |arguments: &[&str]| {
        let mut run = Command::new(PROGRAM);
        let output = run_it(run.arg("--check").args(arguments).arg("--data").arg(&data));
        (output.0, output.1 + &output.2)
    };
    let (status, text) = check(&["--listen", "nowhere", "--lanes", "0"]);
    assert_eq!(status, Some(2), "{text}");
    assert!(text.contains("`nowhere`") && text.contains("`lanes` is `0`"), "{text}");
    let (status, text) = check(&["--listen", "127.0.0.1:0"]);
    assert_eq!(status, Some(0), "{text}");
    assert!(text.contains("nothing is wrong") && !data.exists(), "{text}");
}

fn run_it(command: &mut Command) -> (Option<i32>, String, String) {
    let output = command.output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn a_course_and_its_people_can_be_made_without_a_page() {
    let place = tempfile::tempdir().unwrap();
    let data = place.path().join("data");
    let list = place.path().join("list.csv");
    std::fs::write(&list, "student,id,address\nAda,7,ada@example.org\nBob,8,\n").unwrap();
    let run =
        |arguments: &[&str]| run_it(Command::new(PROGRAM).arg("--data").arg(&data).args(arguments));
    let (status, made, errors) =
        run(&["course", "new", "ai", "--title", "Play", "--suite", "mahjong", "--suite", "cc"]);
    assert_eq!(status, Some(0), "{errors}");
    assert!(made.contains("suite mahjong: ") && made.contains("/join/"), "{made}");
    let (status, ..) = run(&["course", "new", "ai", "--title", "Again"]);
    assert_eq!(status, Some(3), "the name is taken");
    let path = list.display().to_string();
    let (status, links, errors) = run(&["invite", "--course", "ai", "--list", &path]);
    assert_eq!((status, links.lines().count()), (Some(0), 3), "{links}{errors}");
    assert!(links.starts_with("student,address,link\nAda,ada@example.org,http://"), "{links}");
    let (status, _, errors) = run(&["invite", "--course", "none"]);
    assert_eq!(status, Some(2), "{errors}");
}

#[test]
fn commands_reach_the_server_that_runs_and_the_data_of_one_that_was_killed() {
    use std::os::unix::fs::PermissionsExt as _;
    let place = tempfile::tempdir().unwrap();
    let data = place.path().join("data");
    std::fs::write(place.path().join("list.csv"), "student\nAda\nBob\n").unwrap();
    let run = |arguments: &[&str]| {
        let mut command = Command::new(PROGRAM);
        run_it(command.current_dir(&place).arg("--data").arg(&data).args(arguments))
    };
    let mut server = Server::start(&data);
    let socket = data.join("control.sock");
    assert_eq!(socket.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    let (status, made, errors) = run(&["course", "new", "ai", "--title", "Play"]);
    assert_eq!(status, Some(0), "{errors}");
    assert!(made.contains(&server.host), "the link is that of the server: {made}");
    let (status, made, errors) = run(&["course", "add-suite", "ai", "--suite", "cc"]);
    assert_eq!(
        (status, made.as_str()),
        (Some(0), "suite cc: Capturing & Conquering\n"),
        "{errors}"
    );
    // The list lies in this process's folder, not in the server's.
    let (status, links, errors) = run(&["invite", "--course", "ai", "--list", "list.csv"]);
    assert_eq!((status, links.lines().count()), (Some(0), 3), "{errors}");
    let link = links.lines().nth(1).unwrap().rsplit('/').next().unwrap();
    assert_eq!(server.ask("GET", &format!("/join/{link}"), &[], b"").0, 200);
    let (status, _, errors) = run(&["invite", "--course", "none"]);
    assert_eq!((status, errors.as_str()), (Some(2), "error: no course `none`\n"));

    server.signal(Signal::KILL);
    assert!(socket.exists());
    let (status, _, errors) = run(&["invite", "--course", "ai"]);
    assert_eq!(status, Some(0), "{errors}");
    let mut server = Server::start(&data);
    assert_eq!(run(&["invite", "--course", "ai"]).0, Some(0));
    assert!(server.signal(Signal::TERM).success());
    assert!(!socket.exists());
}
