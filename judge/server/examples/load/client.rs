//! Clients of the server: plain requests over sockets.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A client.
pub(crate) struct Client {
    host: String,
    token: String,
}

/// An open live page.
pub(crate) struct Live(Arc<AtomicBool>);

impl Live {
    pub(crate) fn is_open(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl Client {
    pub(crate) fn new(host: &str, token: &str) -> Client {
        Client { host: host.to_owned(), token: token.to_owned() }
    }

    /// Sends a request, and reads status and body.
    fn ask(
        &self,
        method: &str,
        path: &str,
        head: &str,
        body: &[u8],
    ) -> std::io::Result<(u16, String)> {
        let mut stream = TcpStream::connect(&self.host)?;
        let length = body.len();
        let text = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\n{head}\r\nContent-Length: {length}\r\n\
             Connection: close\r\n\r\n",
            self.host
        );
        stream.write_all(text.as_bytes())?;
        stream.write_all(body)?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer)?;
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let (head, body) = answer.split_once("\r\n\r\n").ok_or(ErrorKind::UnexpectedEof)?;
        Ok((head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned()))
    }

    /// Opens a page with a session, and returns the time that it took.
    pub(crate) fn page(&self, session: &str, path: &str) -> std::io::Result<Duration> {
        let begin = Instant::now();
        let (status, body) = self.ask("GET", path, &format!("Cookie: session={session}"), b"")?;
        assert_eq!(status, 200, "{path}: {body}");
        Ok(begin.elapsed())
    }

    /// Submits a module; returns its id and the time that it took.
    pub(crate) fn submit(&self, module: &[u8]) -> (String, Duration) {
        let begin = Instant::now();
        let path = "/api/v1/courses/ai/suites/small/submissions?name=bot.wasm";
        let (status, body) = self.ask("POST", path, &self.bearer(), module).unwrap();
        assert_eq!(status, 201, "{body}");
        let told: serde_json::Value = serde_json::from_str(&body).unwrap();
        (told["id"].as_str().unwrap().to_owned(), begin.elapsed())
    }

    fn bearer(&self) -> String {
        format!("Authorization: Bearer {}", self.token)
    }

    /// True if the server has nothing to grade.
    pub(crate) fn is_idle(&self) -> bool {
        let (_, text) = self.ask("GET", "/metrics", "Accept: */*", b"").unwrap();
        text.contains("judge_waiting 0\n") && text.contains("judge_playing 0\n")
    }

    /// Opens the live part of the scoreboard on a separate thread, and keeps it open. Like the
    /// page's script, it fetches the rows again two to four seconds after a notice that they
    /// changed.
    pub(crate) fn follow_scoreboard(self, session: &str, number: u64) -> Live {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        let text = format!(
            "GET /c/ai/s/small/scoreboard/events HTTP/1.1\r\nHost: {}\r\nCookie: session={session}\r\n\r\n",
            self.host
        );
        stream.write_all(text.as_bytes()).unwrap();
        let open = Arc::new(AtomicBool::new(true));
        let (session, still) = (session.to_owned(), Arc::clone(&open));
        let follow = move || {
            let mut due: Option<Instant> = None;
            for turn in 0.. {
                let left = due.map(|due| due.saturating_duration_since(Instant::now()));
                if left == Some(Duration::ZERO) {
                    match self.page(&session, "/c/ai/s/small/scoreboard/rows") {
                        Ok(_) => due = None,
                        Err(_) => break,
                    }
                    continue;
                }
                stream.set_read_timeout(left).unwrap();
                let mut heard = [0; 4096];
                let Some(length) = arrived(stream.read(&mut heard)) else { break };
                if due.is_none() && heard[..length].windows(4).any(|part| part == b"data") {
                    let spread = (37 * number + 911 * turn) % 2000;
                    due = Some(Instant::now() + Duration::from_millis(2000 + spread));
                }
            }
            still.store(false, Ordering::Relaxed);
        };
        std::thread::Builder::new().stack_size(256 << 10).spawn(follow).unwrap();
        Live(open)
    }
}

/// Number of bytes that arrived, 0 after a timeout; none at the end of the stream.
fn arrived(read: std::io::Result<usize>) -> Option<usize> {
    match read {
        Ok(0) => None,
        Ok(length) => Some(length),
        Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
            Some(0)
        }
        Err(_) => None,
    }
}
