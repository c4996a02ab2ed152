//! The real program, running, and a client that sends requests over a socket.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

/// Path of the program.
pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_judge-server");

/// The file that a server's log goes to.
pub(crate) fn log_of(data: &Path) -> PathBuf {
    data.with_extension("log")
}

/// A running server.
pub(crate) struct Server {
    child: Child,
    _output: BufReader<ChildStdout>,
    /// `127.0.0.1:12345`.
    pub(crate) host: String,
    /// Its output in addition to its address.
    pub(crate) link: Option<String>,
}

/// Status, head and body of an answer.
pub(crate) type HttpReply = (u16, String, String);

impl Server {
    /// Starts a server on that folder.
    pub(crate) fn start(data: &Path) -> Server {
        Server::start_with(data, &["--lanes=1"])
    }

    /// Starts a server with more options.
    pub(crate) fn start_with(data: &Path, options: &[&str]) -> Server {
        Server::spawn(Command::new(PROGRAM), data, options)
    }

    /// Starts a server by a command that the arguments are added to.
    pub(crate) fn spawn(mut command: Command, data: &Path, options: &[&str]) -> Server {
        let known = data.join("server-name").exists();
        let log = File::options().create(true).append(true).open(log_of(data)).unwrap();
        let mut child = command
            .args(["--listen", "127.0.0.1:0", "--rate", "1000", "--data"])
            .arg(data)
            .args(options)
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
        let host = first.strip_prefix("judge-server listens at http://");
        let told = || std::fs::read_to_string(log_of(data)).unwrap_or_default();
        let host = host.unwrap_or_else(|| panic!("{first}\n{}", told())).to_owned();
        let link = (!known).then(|| {
            line();
            line()
        });
        let begin = format!("http://{host}");
        let link = link.map(|link| link.strip_prefix(&begin).expect(&link).to_owned());
        Server { child, _output: output, host, link }
    }

    /// Sends a request with these lines of its head, and reads status, head and body.
    pub(crate) fn ask(&self, method: &str, path: &str, head: &[String], body: &[u8]) -> HttpReply {
        ask(&self.host, method, path, head, body).unwrap()
    }

    /// Sends a form with a cookie.
    pub(crate) fn form(&self, cookie: &str, path: &str, form: &str) -> HttpReply {
        let head = [
            format!("Origin: http://{}", self.host),
            "Content-Type: application/x-www-form-urlencoded".to_owned(),
            format!("Cookie: {cookie}"),
        ];
        self.ask("POST", path, &head, form.as_bytes())
    }

    /// Sends a request to the API.
    pub(crate) fn api(&self, token: &str, method: &str, path: &str, body: &[u8]) -> Value {
        let (status, _, text) = self.ask(method, path, &[bearer(token)], body);
        assert!(status < 300, "{path}: {status} {text}");
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
    }

    /// Waits until the submission has a result.
    pub(crate) fn result(&self, token: &str, id: &str) -> Value {
        loop {
            let told = self.api(token, "GET", &format!("/api/v1/submissions/{id}"), b"");
            if told["state"] != "waiting" {
                return told;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    /// Sends a signal, and waits for the end of the process.
    pub(crate) fn signal(&mut self, signal: Signal) -> ExitStatus {
        kill_process(self.pid(), signal).unwrap();
        self.child.wait().unwrap()
    }

    /// Its process.
    pub(crate) fn pid(&self) -> Pid {
        Pid::from_child(&self.child)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The header line with a token.
pub(crate) fn bearer(token: &str) -> String {
    format!("Authorization: Bearer {token}")
}

/// Sends a request to a server that may be killed at any moment.
pub(crate) fn ask(
    host: &str,
    method: &str,
    path: &str,
    head: &[String],
    body: &[u8],
) -> std::io::Result<HttpReply> {
    let mut stream = TcpStream::connect(host)?;
    let mut text = format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\n");
    for line in head {
        text += line;
        text += "\r\n";
    }
    let length = body.len().to_string();
    text.extend(["Content-Length: ", &length, "\r\nConnection: close\r\n\r\n"]);
    stream.write_all(text.as_bytes())?;
    // A server that refuses a body need not read it.
    let sent = stream.write_all(body);
    let mut answer = Vec::new();
    let read = stream.read_to_end(&mut answer);
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let cut = || std::io::Error::from(std::io::ErrorKind::UnexpectedEof);
    let Some((head, body)) = answer.split_once("\r\n\r\n") else {
        sent?;
        read?;
        return Err(cut());
    };
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).ok_or_else(cut)?;
    Ok((status, head.to_owned(), body.to_owned()))
}

/// The session in an answer's headers.
fn session(head: &str) -> String {
    let line = head.lines().find_map(|line| line.strip_prefix("set-cookie: ")).expect(head);
    line.split(';').next().unwrap().to_owned()
}

/// The text of the first `code` element.
fn code(page: &str) -> String {
    let (_, rest) = page.split_once("<code>").expect(page);
    rest.split_once("</code>").expect(page).0.to_owned()
}

/// Becomes the first instructor, creates the course `ai` with the suite `mahjong`, and returns a
/// token.
pub(crate) fn set_up(server: &Server) -> String {
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
