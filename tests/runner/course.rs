//! Courses: their events, their results, and parts that are joined.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use judge_core::{Event, Nobody, Unit};
use judge_runner::bounds::SubmissionBounds;
use judge_runner::course::{Pages, Request, run};
use judge_runner::{merge, scoreboard, shard::Shard};

use crate::support::{sample, write};
use crate::{Heard, workers};

struct Course(tempfile::TempDir);

impl Course {
    /// Three submissions, one of which is no module, and a suite of one testcase.
    fn new() -> Course {
        let course = Course(tempfile::tempdir().unwrap());
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
            submissions: vec![self.path("in")],
            suite: self.path("suite"),
            out: self.path(out),
            students: None,
            allow_unmatched: false,
            resume: false,
            shard: None,
            pages: Pages::None,
            bounds: SubmissionBounds::default(),
            reload_every: None,
        }
    }
}

/// Every file in a folder and those below, but for the journal.
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
fn a_course_tells_of_each_submission_when_its_report_is_written() {
    let course = Course::new();
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

#[test]
fn joined_parts_are_the_whole_to_the_byte() {
    let course = Course::new();
    let pages = Pages::All;
    let whole = Request { pages, ..course.request("whole") };
    let one_run = run(&whole, &workers(), &mut Nobody).unwrap();
    for (number, out) in [(1, "one"), (2, "two")] {
        let shard = Some(Shard { number, of: 2 });
        run(&Request { shard, ..course.request(out) }, &workers(), &mut Nobody).unwrap();
    }
    let parts = vec![course.path("two"), course.path("one")];
    let request = merge::Request { parts, out: course.path("joined"), pages };
    let mut heard = Heard::default();
    let joined = merge::run(&request, &mut heard).unwrap();
    assert_eq!(heard.0.last(), Some(&Event::Finished));
    assert_eq!((joined.graded, joined.pages), (one_run.graded, one_run.pages));
    assert_eq!((joined.pages.open, joined.pages.hidden), (6, 0));
    assert_eq!(files(&course.path("joined")), files(&course.path("whole")));
    // One part of two is not a course.
    let lone = merge::Request { parts: vec![course.path("one")], ..request };
    let error = merge::run(&lone, &mut Nobody).unwrap_err().to_string();
    assert!(error.contains("the parts are 1/2; expected 1/2, 2/2"), "{error}");
}

#[test]
fn a_failure_of_the_judge_is_no_mark() {
    let course = Course::new();
    let bob = course.path("in/bob.wasm");
    // It is there when it is found, and gone when it is to be read.
    let mut listener = |event: &Event| match event {
        Event::Started { .. } if bob.exists() => std::fs::remove_file(&bob),
        _ => Ok(()),
    };
    let outcome = run(&course.request("out"), &workers(), &mut listener).unwrap();
    let told = "bob: the judge failed: no points yet";
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
