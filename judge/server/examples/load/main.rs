//! Load test of a server: `cargo run --release -p judge-server --example load`.
//!
//! A hundred students submit a thousand different modules as fast as the server accepts them, while
//! pages are read and five hundred live pages stay open. Then a scoreboard of a hundred thousand
//! results is read. Nothing may be lost or doubled. The figures are in `judge/docs/server.md`.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a program that measures")]

mod client;
mod figures;
mod fill;

use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use clap::Parser as _;
use judge_runner::base::workers;
use judge_server::{args::Arguments, commands};

use client::Client;
use figures::{Times, memory};
use fill::{FilledServer, STUDENTS, SUBMISSIONS};

/// Live pages that stay open.
const LIVE: usize = 500;

/// Simultaneous readers. Each opens a page, waits a little, and opens the next.
const READERS: usize = 8;

/// Time that a reader waits on a page.
const LOOK: Duration = Duration::from_millis(50);

fn main() -> ExitCode {
    // This program is also the server that it measures, and the server's workers.
    match std::env::args().nth(1).as_deref() {
        Some("worker") => match workers::serve(workers::PROCESSOR_SECONDS) {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => ExitCode::from(4),
        },
        Some("serve-here") => commands::run(Arguments::parse_from(std::env::args().skip(1))),
        _ => measure(),
    }
}

fn measure() -> ExitCode {
    let place = FilledServer::new();
    let (mut server, host) = start(&place);
    let client = |token: &str| Client::new(&host, token);
    println!("{STUDENTS} students, {SUBMISSIONS} submissions, {LIVE} live pages");
    let follow = |one| client(place.token(one)).follow_scoreboard(place.session(one), one as u64);
    let live: Vec<_> = (0..LIVE).map(follow).collect();
    let over = Arc::new(AtomicBool::new(false));
    let ids = Arc::new(Mutex::new(Vec::new()));
    let readers: Vec<_> = (0..READERS)
        .map(|one| {
            let (reader, over, ids) = (client(place.token(one)), over.clone(), ids.clone());
            let page = place.session(one).to_owned();
            thread::spawn(move || read(&reader, &page, &over, &ids, one))
        })
        .collect();
    let begin = Instant::now();
    let submitted = submit(&place, &host, &ids);
    println!("all submitted after {:.1} s; each took {submitted}", begin.elapsed().as_secs_f64());
    let reader = client(place.token(0));
    while !reader.is_idle() {
        thread::sleep(Duration::from_millis(200));
    }
    println!("all graded after {:.1} s", begin.elapsed().as_secs_f64());
    over.store(true, Ordering::Relaxed);
    let mut all = Times::default();
    for reader in readers {
        all.add(reader.join().unwrap());
    }
    println!("pages meanwhile: {all}");
    let open = live.iter().filter(|page| page.is_open()).count();
    println!("live pages still open: {open}");
    println!("memory of the server at its most: {}", memory(server.id()));
    stop(&mut server);
    place.check(&ids.lock().unwrap());
    println!("every submission has exactly one result");
    large_scoreboard(&place);
    ExitCode::SUCCESS
}

/// Measures a scoreboard with very many results.
fn large_scoreboard(place: &FilledServer) {
    place.fill_scoreboard();
    let (mut server, host) = start(place);
    let mut times = Times::default();
    let reader = Client::new(&host, place.token(0));
    for _ in 0..30 {
        times.add(vec![reader.page(place.session(0), "/c/ai/s/large/scoreboard").unwrap()]);
        // The cache holds the lines for a second.
        thread::sleep(Duration::from_millis(1100));
    }
    println!("a page of the scoreboard of {} results: {times}", fill::LARGE);
    println!("memory of the server at its most: {}", memory(server.id()));
    stop(&mut server);
}

/// Reads pages until the end, and returns the duration of each request.
fn read(
    reader: &Client,
    session: &str,
    over: &AtomicBool,
    ids: &Mutex<Vec<String>>,
    number: usize,
) -> Vec<Duration> {
    let mut times = Vec::new();
    for turn in number.. {
        if over.load(Ordering::Relaxed) {
            break;
        }
        // The reader's own page, so that it is not empty.
        let own =
            ids.lock().unwrap().iter().find(|id| id.starts_with(&format!("{number}:"))).cloned();
        let own = own.and_then(|own| Some(own.split_once(':')?.1.to_owned()));
        let page = match (turn % 4, own) {
            (0, Some(own)) => format!("/submissions/{own}"),
            (1, _) => "/c/ai/s/small".to_owned(),
            (2, _) => "/c/ai".to_owned(),
            _ => "/c/ai/s/small/scoreboard".to_owned(),
        };
        times.push(reader.page(session, &page).unwrap());
        thread::sleep(LOOK);
    }
    times
}

/// Submits a module for every student, many at a time.
fn submit(place: &FilledServer, host: &str, ids: &Mutex<Vec<String>>) -> Times {
    let times = Mutex::new(Times::default());
    let next = std::sync::atomic::AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..16 {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= SUBMISSIONS {
                        return;
                    }
                    let student = number % STUDENTS;
                    let client = Client::new(host, place.token(student));
                    let (id, time) = client.submit(&place.module(number));
                    ids.lock().unwrap().push(format!("{student}:{id}"));
                    times.lock().unwrap().add(vec![time]);
                }
            });
        }
    });
    times.into_inner().unwrap()
}

/// Starts the server, and returns its process and address.
fn start(place: &FilledServer) -> (Child, String) {
    use std::io::{BufRead as _, BufReader};
    let program = std::env::current_exe().unwrap();
    let mut server = Command::new(program)
        .args(["serve-here", "--listen", "127.0.0.1:0", "--rate", "10000", "--data"])
        .arg(place.data())
        .stdout(Stdio::piped())
        .stderr(std::fs::File::create(place.data().with_extension("log")).unwrap())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let host = line.trim_end().rsplit('/').next().unwrap().to_owned();
    (server, host)
}

fn stop(server: &mut Child) {
    let pid = rustix::process::Pid::from_child(server);
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
    assert!(server.wait().unwrap().success());
}
