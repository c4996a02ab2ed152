//! Students who submit and read pages continuously, even while the server is down.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use serde_json::Value;

use crate::scene::{Scene, modules};
use crate::support::running::{Server, ask, bearer};

/// Address for submissions.
const SUBMISSIONS: &str = "/api/v1/courses/ai/suites/small/submissions?name=bot.wasm";

/// Pages that students read.
const PAGES: [&str; 3] = [
    "/api/v1/courses/ai/suites/small/scoreboard",
    "/api/v1/courses/ai/suites/small/submissions",
    "/api/v1/courses",
];

/// Most submissions of a student between two starts of the server, because each is played.
const MOST: usize = 3;

/// Submissions of a student under steady load, and the pause between them.
const STEADY: (usize, Duration) = (12, Duration::from_millis(100));

/// Students at work.
pub(crate) struct Load {
    over: Arc<AtomicBool>,
    acknowledged: Arc<Mutex<Vec<String>>>,
    students: Vec<JoinHandle<()>>,
}

impl Load {
    /// Starts a thread for each student of the scene. The modules differ from those of earlier
    /// turns.
    pub(crate) fn begin(scene: &Scene, server: &Server, turn: usize) -> Load {
        Load::paced(scene, server, turn, (MOST, Duration::ZERO))
    }

    /// Starts steady load, with submissions for more than a second.
    pub(crate) fn steady(scene: &Scene, server: &Server, turn: usize) -> Load {
        Load::paced(scene, server, turn, STEADY)
    }

    fn paced(scene: &Scene, server: &Server, turn: usize, pace: (usize, Duration)) -> Load {
        let (over, acknowledged) = (Arc::default(), Arc::default());
        let mut load = Load { over, acknowledged, students: Vec::new() };
        for (number, token) in scene.tokens.iter().enumerate() {
            let (host, head) = (server.host.clone(), [bearer(token)]);
            let (over, acknowledged) = (Arc::clone(&load.over), Arc::clone(&load.acknowledged));
            let student = move || {
                for step in 0.. {
                    if over.load(Ordering::Relaxed) {
                        return;
                    }
                    if step < pace.0 {
                        let id = submit(&host, &head, turn + step + number);
                        acknowledged.lock().unwrap().extend(id);
                        std::thread::sleep(pace.1);
                    }
                    for page in PAGES {
                        look_at(&host, &head, page);
                    }
                }
            };
            load.students.push(std::thread::spawn(student));
        }
        load
    }

    /// The ids of the acknowledged submissions so far.
    pub(crate) fn acknowledged(&self) -> Vec<String> {
        self.acknowledged.lock().unwrap().clone()
    }

    /// Lets the students finish, and returns the ids of the acknowledged submissions.
    pub(crate) fn end(self) -> Vec<String> {
        self.over.store(true, Ordering::Relaxed);
        for student in self.students {
            student.join().unwrap();
        }
        std::mem::take(&mut *self.acknowledged.lock().unwrap())
    }
}

/// Submits one of the modules, and returns its id if the whole answer arrived.
pub(crate) fn submit(host: &str, head: &[String], which: usize) -> Option<String> {
    let modules = modules();
    let module = &modules[which % modules.len()].0;
    let (status, _, text) = ask(host, "POST", SUBMISSIONS, head, module).ok()?;
    let told: Value = serde_json::from_str(&text).ok()?;
    // 200 for a module that the same student has submitted before.
    assert!(matches!(status, 200 | 201) || status >= 500, "{status} {text}");
    told["id"].as_str().map(str::to_owned)
}

/// Reads a page. A running server must answer.
fn look_at(host: &str, head: &[String], page: &str) {
    match ask(host, "GET", page, head, b"") {
        Ok((status, _, text)) => assert!(status == 200 || status >= 500, "{page}: {status} {text}"),
        // The server is down.
        Err(_) => std::thread::sleep(Duration::from_millis(20)),
    }
}

/// Waits until the queue is empty.
pub(crate) fn wait_for_all(server: &Server) {
    while !is_idle(server) {
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// True if no submission waits or is under way, by figures that are not from before an outage.
pub(crate) fn is_idle(server: &Server) -> bool {
    let text = metrics(server);
    let figure = |name| figure_in(&text, name);
    figure("judge_database_up") == 1 && figure("judge_waiting") + figure("judge_playing") == 0
}

/// Gradings with a result since the server's start.
pub(crate) fn gradings(server: &Server) -> u64 {
    figure_in(&metrics(server), "judge_gradings_total")
}

/// The server's metrics.
pub(crate) fn metrics(server: &Server) -> String {
    let (status, _, text) = server.ask("GET", "/metrics", &[], b"");
    assert_eq!(status, 200, "{text}");
    text
}

/// Reads one of the metrics.
pub(crate) fn figure_in(text: &str, name: &str) -> u64 {
    let value = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    value.unwrap_or_else(|| panic!("{name}: {text}")).parse().unwrap()
}
