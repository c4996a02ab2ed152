//! What asks the server: plain requests over sockets.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Somebody who asks.
pub(crate) struct Client {
    host: String,
    token: String,
}

/// A live page that is open.
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
    fn ask(&self, method: &str, path: &str, head: &str, body: &[u8]) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        let length = body.len();
        let text = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\n{head}\r\nContent-Length: {length}\r\n\
             Connection: close\r\n\r\n",
            self.host
        );
        stream.write_all(text.as_bytes()).unwrap();
        stream.write_all(body).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
    }

    /// Opens a page with a session; how long it took.
    pub(crate) fn page(&self, session: &str, path: &str) -> Duration {
        let begin = Instant::now();
        let (status, body) = self.ask("GET", path, &format!("Cookie: session={session}"), b"");
        assert_eq!(status, 200, "{path}: {body}");
        begin.elapsed()
    }

    /// Hands in a module; its id, and how long it took.
    pub(crate) fn hand_in(&self, module: &[u8]) -> (String, Duration) {
        let begin = Instant::now();
        let path = "/api/v1/courses/ai/suites/small/submissions?name=bot.wasm";
        let (status, body) = self.ask("POST", path, &self.bearer(), module);
        assert_eq!(status, 201, "{body}");
        let told: serde_json::Value = serde_json::from_str(&body).unwrap();
        (told["id"].as_str().unwrap().to_owned(), begin.elapsed())
    }

    fn bearer(&self) -> String {
        format!("Authorization: Bearer {}", self.token)
    }

    /// True if there is nothing to grade.
    pub(crate) fn is_idle(&self) -> bool {
        let (_, text) = self.ask("GET", "/metrics", "Accept: */*", b"");
        text.contains("judge_waiting 0\n") && text.contains("judge_playing 0\n")
    }

    /// Opens the live part of the scoreboard and stays there, on a thread of its own. As its script does,
    /// it fetches the rows again when it is told that they moved, at most every two seconds.
    pub(crate) fn follow_board(self, session: &str) -> Live {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        let text = format!(
            "GET /c/ai/s/small/board/events HTTP/1.1\r\nHost: {}\r\nCookie: session={session}\r\n\r\n",
            self.host
        );
        stream.write_all(text.as_bytes()).unwrap();
        let open = Arc::new(AtomicBool::new(true));
        let (session, still) = (session.to_owned(), Arc::clone(&open));
        let follow = move || {
            let lines = BufReader::new(stream).lines();
            let mut fetched = Instant::now();
            for line in lines.map_while(Result::ok) {
                if line.starts_with("data") && fetched.elapsed() > Duration::from_secs(2) {
                    self.page(&session, "/c/ai/s/small/board/rows");
                    fetched = Instant::now();
                }
            }
            still.store(false, Ordering::Relaxed);
        };
        std::thread::Builder::new().stack_size(256 << 10).spawn(follow).unwrap();
        Live(open)
    }
}
