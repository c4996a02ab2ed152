//! Courses: events, results, and joined parts.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use judge_core::{Event, IgnoreEvents, Listener, Unit};
use judge_runner::Error;
use judge_runner::base::shard::Shard;
use judge_runner::base::workers::Workers;
use judge_runner::course::merge;
use judge_runner::course::scoreboard;
use judge_runner::course::{
    self, AssignmentOutcome, Assignments, GradingOptions, PagedRounds, Request,
};
use judge_sandbox::worker::WorkerCommand;

use crate::support::{sample, write};
use crate::{Heard, workers};

/// Grades a course with one assignment.
fn run(
    request: &Request,
    workers: &Workers,
    events: &mut dyn Listener,
) -> Result<AssignmentOutcome, Error> {
    course::run(request, workers, events).map(only)
}

/// The only assignment.
fn only(outcome: course::Outcome) -> AssignmentOutcome {
    let [one] = <[_; 1]>::try_from(outcome.assignments).unwrap();
    one
}

struct RunnerCourse(tempfile::TempDir);

impl RunnerCourse {
    /// Three submissions, including one invalid module, and a suite of one testcase.
    fn new() -> RunnerCourse {
        let course = RunnerCourse(tempfile::tempdir().unwrap());
        for folder in ["suite", "in"] {
            std::fs::create_dir(course.path(folder)).unwrap();
        }
        let testcase = "title = \"x\"\ngame = \"mahjong\"\nopponent = \"random\"\n\
                        seeds = [1, 2, 3]\nmin_score = 1\npoints = 10\n";
        write(&course.path("suite"), "suite.toml", "title = \"Small\"\n");
        write(&course.path("suite"), "01-only.toml", testcase);
        for (name, bot) in [("ada", "mahjong-distance"), ("bob", "mahjong-straightforward")] {
            std::fs::copy(sample(bot), course.path(&format!("in/{name}.wasm"))).unwrap();
        }
        write(&course.path("in"), "eve.wasm", "not a module");
        course
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn request(&self, out: &str) -> Request {
        Request {
            assignments: self.assignments("suite"),
            out: self.path(out),
            students: None,
            mapping: None,
            options: GradingOptions::default(),
        }
    }

    fn assignments(&self, suite: &str) -> Assignments {
        let (submissions, suite) = (vec![self.path("in")], self.path(suite));
        Assignments::One { submissions, suite, late: None }
    }

    fn resumed(&self, out: &str) -> Request {
        let options = GradingOptions { resume: true, ..GradingOptions::default() };
        Request { options, ..self.request(out) }
    }
}

/// Every file in a folder and below, except the journal.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = PathBuf::from(path.file_name().unwrap());
        if path.is_dir() {
            let below = files(&path).into_iter();
            found.extend(below.map(|(file, text)| (name.join(file), text)));
        } else if !path.ends_with("journal.jsonl") {
            found.insert(name, std::fs::read(&path).unwrap());
        }
    }
    found
}

#[test]
fn a_course_sends_an_event_for_each_written_report() {
    let course = RunnerCourse::new();
    let (mut decided, mut events) = (Vec::new(), Vec::new());
    let mut listener = |event: &Event| {
        if let Event::SubmissionDecided { report } = event {
            let report = format!("students/{}.json", report.bot.name);
            assert!(course.path("out").join(&report).is_file(), "{report}");
            decided.push(report);
        }
        events.push(event.clone());
        Ok(())
    };
    let outcome = run(&course.request("out"), &workers(), &mut listener).unwrap();
    decided.sort();
    assert_eq!(decided, ["students/ada.json", "students/bob.json", "students/eve.json"]);
    assert!(events.contains(&Event::Started { unit: Unit::Rounds, total: Some(9) }));
    let of = |pick: fn(&Event) -> bool| events.iter().filter(|event| pick(event)).count();
    assert_eq!(of(|event| matches!(event, Event::RoundStarted { .. })), 6);
    assert_eq!(of(|event| matches!(event, Event::RoundFinished { .. })), 6);
    assert_eq!(of(|event| matches!(event, Event::TestcaseDecided { .. })), 2);
    assert_eq!(events.last(), Some(&Event::Finished));
    assert_eq!((outcome.graded, outcome.missing, outcome.pages.open), (3, 0, 0));
    assert_eq!(outcome.judge_errors, []);
    assert!(outcome.to_text().starts_with("3 submissions graded on `suite`"));
}

/// Workers that end before they reply: every round to play is a failure of the judge.
fn no_workers() -> Workers {
    let workers = workers();
    let command = WorkerCommand { program: "/bin/false".into(), ..workers.command };
    Workers { command, ..workers }
}

/// The notes of a run.
fn notes(heard: &Heard) -> Vec<&str> {
    let note = |event: &'_ Event| matches!(event, Event::Note { .. });
    let notes = heard.0.iter().filter(|event| note(event));
    notes.map(|event| if let Event::Note { text } = event { text } else { "" }).collect()
}

#[test]
fn a_changed_threshold_rescores_without_playing() {
    let course = RunnerCourse::new();
    run(&course.request("out"), &workers(), &mut IgnoreEvents).unwrap();
    let testcase = course.path("suite/01-only.toml");
    let text = std::fs::read_to_string(&testcase).unwrap();
    let again = course.resumed("out");
    let resumed = || {
        let mut heard = Heard::default();
        let outcome = run(&again, &no_workers(), &mut heard).unwrap();
        (outcome, heard)
    };
    let (outcome, heard) = resumed();
    assert_eq!((outcome.changed.len(), notes(&heard).len()), (0, 1), "nothing changed");
    let curve = "credit = [[0, 0.5], [999999, 0.5], [1000000, 5]]\nmin_score = 900000";
    let changed = text.replace("min_score = 1", curve).replace("points = 10\n", "");
    std::fs::write(&testcase, changed.replace("\"x\"", "\"y\"")).unwrap();
    let (outcome, heard) = resumed();
    let told = notes(&heard);
    for line in [
        "`01-only.toml`: `min_score` 1 -> 900000 (scored again)",
        "`01-only.toml`: `title` \"x\" -> \"y\" (scored again)",
        "`01-only.toml`: `points` 10 -> (none) (scored again)",
    ] {
        assert!(told.contains(&line), "{told:?}");
    }
    assert_eq!(outcome.judge_errors, []);
    let changed: Vec<String> =
        outcome.changed.iter().map(|one| format!("{}: {}", one.who, one.why)).collect();
    let expected = "points 10 -> 0.5, max_points 10 -> 5, worst Accepted -> Below threshold, \
                    01-only 10 -> 0.5";
    assert_eq!(
        changed,
        [format!("ada: {expected}"), format!("bob: {expected}"), "eve: max_points 10 -> 5".into()]
    );
    assert!(outcome.to_text().contains("marks changed since the last run: 3 students\n  ada: "));
    run(&course.request("fresh"), &workers(), &mut IgnoreEvents).unwrap();
    assert_eq!(files(&course.path("out")), files(&course.path("fresh")));
}

#[test]
fn a_changed_seed_plays_only_its_round() {
    let course = RunnerCourse::new();
    let testcase = course.path("suite/01-only.toml");
    let text = std::fs::read_to_string(&testcase).unwrap();
    std::fs::write(course.path("suite/02-more.toml"), &text).unwrap();
    run(&course.request("out"), &workers(), &mut IgnoreEvents).unwrap();
    std::fs::write(&testcase, text.replace("[1, 2, 3]", "[1, 2, 4]")).unwrap();
    let again = course.resumed("out");
    let mut heard = Heard::default();
    let outcome = run(&again, &no_workers(), &mut heard).unwrap();
    let told = "`01-only.toml`: `seeds` [1, 2, 3] -> [1, 2, 4] (played where it differs)";
    assert!(notes(&heard).contains(&told), "{:?}", notes(&heard));
    let mut owed = outcome.judge_errors;
    owed.sort();
    let expected = [("ada".to_owned(), 1), ("bob".to_owned(), 1)];
    assert_eq!(owed, expected, "one round each, and they cannot be played");
    assert_eq!(run(&again, &workers(), &mut IgnoreEvents).unwrap().judge_errors, []);
    run(&course.request("fresh"), &workers(), &mut IgnoreEvents).unwrap();
    assert_eq!(files(&course.path("out")), files(&course.path("fresh")));
}

#[test]
fn rescored_parts_merge_and_parts_of_another_suite_are_refused() {
    let course = RunnerCourse::new();
    let part = |number, resume| {
        let shard = Some(Shard { number, of: 2 });
        let options = GradingOptions { shard, resume, ..GradingOptions::default() };
        let request = Request { options, ..course.request(&format!("part-{number}")) };
        run(&request, &workers(), &mut IgnoreEvents)
    };
    for number in [1, 2] {
        part(number, false).unwrap();
    }
    let testcase = course.path("suite/01-only.toml");
    let text = std::fs::read_to_string(&testcase).unwrap();
    std::fs::write(&testcase, text.replace("points = 10", "points = 12")).unwrap();
    part(1, true).unwrap();
    let parts = vec![course.path("part-1"), course.path("part-2")];
    let (out, pages) = (course.path("joined"), PagedRounds::None);
    let request = merge::Request { parts, out, pages, byte_order_mark: false };
    let error = merge::run(&request, &mut IgnoreEvents).unwrap_err().to_string();
    assert!(error.contains("`testcases.01-only` differs from the first"), "{error}");
    part(2, true).unwrap();
    merge::run(&request, &mut IgnoreEvents).unwrap();
    run(&course.request("fresh"), &workers(), &mut IgnoreEvents).unwrap();
    assert_eq!(files(&course.path("joined")), files(&course.path("fresh")));
    std::fs::rename(course.path("suite"), course.path("other")).unwrap();
    let other = Request { assignments: course.assignments("other"), ..course.resumed("fresh") };
    let error = run(&other, &workers(), &mut IgnoreEvents).unwrap_err();
    assert!(error.to_string().contains("belongs to another run: "), "{error}");
}

#[test]
fn merged_parts_equal_the_whole_byte_for_byte() {
    let course = RunnerCourse::new();
    let pages = PagedRounds::All;
    let options = GradingOptions { pages, ..GradingOptions::default() };
    let whole = Request { options, ..course.request("whole") };
    let one_run = run(&whole, &workers(), &mut IgnoreEvents).unwrap();
    for (number, out) in [(1, "one"), (2, "two")] {
        let shard = Some(Shard { number, of: 2 });
        let options = GradingOptions { shard, ..GradingOptions::default() };
        run(&Request { options, ..course.request(out) }, &workers(), &mut IgnoreEvents).unwrap();
    }
    let parts = vec![course.path("two"), course.path("one")];
    let request =
        merge::Request { parts, out: course.path("joined"), pages, byte_order_mark: false };
    let mut heard = Heard::default();
    let joined = only(merge::run(&request, &mut heard).unwrap());
    assert_eq!(heard.0.last(), Some(&Event::Finished));
    assert_eq!((joined.graded, joined.pages), (one_run.graded, one_run.pages));
    assert_eq!((joined.pages.open, joined.pages.hidden), (6, 0));
    assert_eq!(files(&course.path("joined")), files(&course.path("whole")));
    // One part of two is not a whole course.
    let lone = merge::Request { parts: vec![course.path("one")], ..request };
    let error = merge::run(&lone, &mut IgnoreEvents).unwrap_err().to_string();
    assert!(error.contains("the parts are 1/2; expected 1/2, 2/2"), "{error}");
}

#[test]
fn a_judge_error_gives_no_mark() {
    let course = RunnerCourse::new();
    let bob = course.path("in/bob.wasm");
    // It exists when it is found, and is gone when it is read.
    let mut listener = |event: &Event| match event {
        Event::Started { .. } if bob.exists() => std::fs::remove_file(&bob),
        _ => Ok(()),
    };
    let outcome = run(&course.request("out"), &workers(), &mut listener).unwrap();
    let told = "bob: not graded, no points yet: cannot read `";
    assert!(outcome.to_text().contains(told), "{}", outcome.to_text());
    let mut reader = csv::Reader::from_path(course.path("out/marks.csv")).unwrap();
    let rows = reader.deserialize().map(|row| row.unwrap());
    let rows: Vec<BTreeMap<String, String>> = rows.collect();
    let row = rows.iter().find(|row| row["student"] == "bob").unwrap();
    let fields = ["points", "score", "01-only", "worst_verdict"].map(|key| row[key].as_str());
    assert_eq!(fields, ["", "", "", "Judge error"]);
    let request = scoreboard::Request {
        results: vec![course.path("out")],
        page_folder: course.path("out"),
        pseudonyms: None,
    };
    let board = scoreboard::run(&request).unwrap().scoreboard.to_text(None, false);
    assert!(board.contains("at least 0/10"), "{board}");
}
