//! Students who hand in and look at pages all the time, whatever becomes of the server.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use serde_json::Value;

use crate::scene::{Scene, modules};
use crate::support::running::{Server, ask, bearer};

/// Where modules go.
const SUBMISSIONS: &str = "/api/v1/courses/ai/suites/small/submissions?name=bot.wasm";

/// What students look at.
const PAGES: [&str; 3] = [
    "/api/v1/courses/ai/suites/small/scoreboard",
    "/api/v1/courses/ai/suites/small/submissions",
    "/api/v1/courses",
];

/// Most submissions of a student between two starts of the server: each of them is played.
const MOST: usize = 3;

/// Submissions of a student who continues to submit, and the pause between two of them.
const STEADY: (usize, Duration) = (12, Duration::from_millis(100));

/// Students at work.
pub(crate) struct Load {
    over: Arc<AtomicBool>,
    acknowledged: Arc<Mutex<Vec<String>>>,
    students: Vec<JoinHandle<()>>,
}

impl Load {
    /// Lets each student of the scene work with that server, one different from what they did in the
    /// turns before.
    pub(crate) fn begin(scene: &Scene, server: &Server, turn: usize) -> Load {
        Load::paced(scene, server, turn, (MOST, Duration::ZERO))
    }

    /// The same with submissions for more than a second.
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
                        let id = hand_in(&host, &head, turn + step + number);
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

    /// The ids of the submissions that were acknowledged up to now.
    pub(crate) fn acknowledged(&self) -> Vec<String> {
        self.acknowledged.lock().unwrap().clone()
    }

    /// Lets them finish what they do; the ids of what was acknowledged.
    pub(crate) fn end(self) -> Vec<String> {
        self.over.store(true, Ordering::Relaxed);
        for student in self.students {
            student.join().unwrap();
        }
        std::mem::take(&mut *self.acknowledged.lock().unwrap())
    }
}

/// Hands in one of the modules; its id, if the whole answer arrived.
pub(crate) fn hand_in(host: &str, head: &[String], which: usize) -> Option<String> {
    let modules = modules();
    let module = &modules[which % modules.len()].0;
    let (status, _, text) = ask(host, "POST", SUBMISSIONS, head, module).ok()?;
    let told: Value = serde_json::from_str(&text).ok()?;
    // 200 for a module that the same student has handed in before.
    assert!(matches!(status, 200 | 201) || status >= 500, "{status} {text}");
    told["id"].as_str().map(str::to_owned)
}

/// Looks at a page; a server that is there has to answer it.
fn look_at(host: &str, head: &[String], page: &str) {
    match ask(host, "GET", page, head, b"") {
        Ok((status, _, text)) => assert!(status == 200 || status >= 500, "{page}: {status} {text}"),
        // The server is gone.
        Err(_) => std::thread::sleep(Duration::from_millis(20)),
    }
}

/// Waits until there is nothing to grade.
pub(crate) fn wait_for_all(server: &Server) {
    while !is_idle(server) {
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// True if nothing waits and nothing is played.
pub(crate) fn is_idle(server: &Server) -> bool {
    figure(server, "judge_waiting") == 0 && figure(server, "judge_playing") == 0
}

/// Gradings that came to a result since the server started.
pub(crate) fn gradings(server: &Server) -> u64 {
    figure(server, "judge_gradings_total")
}

/// One of the server's own figures.
fn figure(server: &Server, name: &str) -> u64 {
    let (status, _, text) = server.ask("GET", "/metrics", &[], b"");
    assert_eq!(status, 200, "{text}");
    let value = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    value.unwrap_or_else(|| panic!("{name}: {text}")).parse().unwrap()
}
