//! Gradings: events, and the part that students see.

use std::path::Path;

use judge_core::{Event, GradeReport, Unit, Verdict};
use judge_runner::grade::{Outcome, Request, run};
use judge_runner::suites::SuiteChoice;

use crate::support::{sample, write};
use crate::{Heard, workers};

/// An open testcase and a hidden one, with three rounds each.
fn suite(folder: &Path) -> SuiteChoice {
    let (public, secret) = (folder.join("suite"), folder.join("secret"));
    std::fs::create_dir_all(&public).unwrap();
    std::fs::create_dir_all(&secret).unwrap();
    write(&public, "suite.toml", "title = \"x\"\n[hidden]\nfolder = \"../secret\"\n");
    for (folder, name, seeds) in
        [(&public, "01-open", "1, 2, 3"), (&secret, "02-secret", "4, 5, 6")]
    {
        let text = format!(
            "title = \"x\"\ngame = \"mahjong\"\nopponent = \"random\"\nseeds = [{seeds}]\n\
             min_score = 1\npoints = 10\n"
        );
        write(folder, &format!("{name}.toml"), text);
    }
    SuiteChoice::Named(public)
}

fn graded(request: &Request) -> (Outcome, Vec<Event>) {
    let mut heard = Heard::default();
    let outcome = run(request, &workers(), &mut heard).unwrap();
    (outcome, heard.0)
}

/// Number of finished rounds of each testcase.
fn rounds(events: &[Event], testcase: &str) -> usize {
    let is_of = |event: &&Event| {
        matches!(event, Event::RoundFinished { round, result: Some(_) }
                 if round.testcase.as_deref() == Some(testcase))
    };
    events.iter().filter(is_of).count()
}

/// The names of the decided testcases, in order.
fn decided(events: &[Event]) -> Vec<&str> {
    let name = |event: &'_ Event| match event {
        Event::TestcaseDecided { report, .. } => Some(report.name.clone()),
        _ => None,
    };
    let names: Vec<String> = events.iter().filter_map(name).collect();
    ["01-open", "02-secret"]
        .into_iter()
        .filter(|name| names.contains(&(*name).to_owned()))
        .collect()
}

#[test]
fn a_grading_sends_an_event_for_each_round_in_its_report() {
    let place = tempfile::tempdir().unwrap();
    let suite = suite(place.path());
    let bots = vec![sample("mahjong-distance"), sample("cc-runner")];
    let (outcome, events) = graded(&Request { bots, suite, ..Request::default() });
    let total = Some(2 * 6);
    let started = events.iter().find(|event| matches!(event, Event::Started { .. }));
    assert_eq!(started, Some(&Event::Started { unit: Unit::Rounds, total }));
    assert_eq!(events.last(), Some(&Event::Finished));
    assert_eq!(rounds(&events, "01-open") + rounds(&events, "02-secret"), 12);
    assert_eq!(decided(&events), ["01-open", "02-secret"]);
    let told = events.iter().find_map(|event| match event {
        Event::Graded { report } => Some(GradeReport::clone(report)),
        _ => None,
    });
    assert_eq!(told, Some(outcome.report.clone()));
    let warned = |event: &Event| matches!(event, Event::Warning { text } if text.contains("cc"));
    assert!(events.iter().any(warned), "it plays another game: {events:?}");
    assert_eq!(outcome.report.bots[0].worst_verdict(), Verdict::Accepted);
    assert!(outcome.has_hidden && outcome.absent.is_none());
    assert!(outcome.timing_text().contains("with 2 workers"), "{}", outcome.timing_text());
}

#[test]
fn events_for_a_student_have_no_hidden_rounds() {
    let place = tempfile::tempdir().unwrap();
    let (bots, suite) = (vec![sample("mahjong-distance")], suite(place.path()));
    let request = Request { bots, suite, for_student: true, ..Request::default() };
    let (outcome, events) = graded(&request);
    assert!(events.contains(&Event::Started { unit: Unit::Rounds, total: Some(3) }));
    assert_eq!((rounds(&events, "01-open"), rounds(&events, "02-secret")), (3, 0));
    assert_eq!(decided(&events), ["01-open"]);
    let whole = &outcome.report.bots[0].testcases[1];
    assert_eq!((whole.name.as_str(), whole.rounds.len()), ("02-secret", 3), "staff have all of it");
    let told = serde_json::to_string(&events).unwrap();
    for round in &whole.rounds {
        assert!(!told.contains(&round.digest.unwrap().to_string()), "{told}");
    }
    assert!(!told.contains(&whole.sha256.to_string()) && told.contains("02-secret"), "{told}");
}

#[test]
fn a_resumed_journal_gives_the_same_report() {
    let place = tempfile::tempdir().unwrap();
    let request = Request {
        bots: vec![sample("mahjong-straightforward")],
        suite: suite(place.path()),
        journal: Some(place.path().join("j")),
        ..Request::default()
    };
    let (first, _) = graded(&request);
    let (again, events) = graded(&Request { resume: true, ..request.clone() });
    assert_eq!(again.report.seal, first.report.seal);
    let text = "resuming: the journal has 6 rounds".to_owned();
    assert!(events.contains(&Event::Note { text }), "{events:?}");
    let error = run(&request, &workers(), &mut Heard::default()).unwrap_err();
    assert!(error.to_string().contains('j'), "a journal is not overwritten: {error}");
}

#[test]
fn a_failing_listener_ends_the_grading() {
    let (bots, suite) = (vec![sample("mahjong-distance")], SuiteChoice::OfTheirGame);
    let request = Request { bots, suite, ..Request::default() };
    let mut events = 0;
    let mut broken = |event: &Event| {
        events += 1;
        match event {
            Event::RoundFinished { .. } => Err(std::io::Error::other("nobody is there")),
            _ => Ok(()),
        }
    };
    let error = run(&request, &workers(), &mut broken).unwrap_err();
    assert!(error.to_string().contains("nobody is there"), "{error}");
}
