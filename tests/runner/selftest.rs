//! The selftest of a judge that the caller names.

use judge_core::{Event, Unit};
use judge_runner::selftest::{Request, run};

use crate::Heard;
use crate::support::judge;

#[test]
fn cases_are_reported_one_by_one() {
    let request = Request {
        judge: judge().get_program().into(),
        names: vec!["a01".to_owned()],
        corpus: None,
        jobs: Some(1),
    };
    let mut heard = Heard::default();
    let outcome = run(&request, &mut heard).unwrap();
    assert_eq!((outcome.passed(), outcome.failed()), (1, 0), "{}", outcome.to_text());
    assert_eq!(outcome.cases[0].got, "invalid-module");
    let expected = [
        Event::Started { unit: Unit::Cases, total: Some(1) },
        Event::Progress { done: 1, standing: None },
        Event::Finished,
    ];
    assert_eq!(heard.0, expected);
}

#[cfg(unix)]
#[test]
fn a_judge_that_grades_nothing_is_told() {
    let (judge, names) = ("/bin/true".into(), vec!["a01".to_owned()]);
    let request = Request { judge, names, corpus: None, jobs: None };
    let error = run(&request, &mut Heard::default()).unwrap_err().to_string();
    assert!(error.contains("the honest bot is not graded"), "{error}");
}

/// However many cases run beside each other, and whichever ends first: the reports are in the order of
/// the cases, each once.
#[test]
fn cases_beside_each_other_are_reported_in_their_order() {
    let names = ["a01", "a02", "a05", "a06"].map(str::to_owned).to_vec();
    let tried = |jobs| {
        let names = names.clone();
        let judge = judge().get_program().into();
        let request = Request { judge, names, corpus: None, jobs: Some(jobs) };
        let mut heard = Heard::default();
        let outcome = run(&request, &mut heard).unwrap();
        assert_eq!(outcome.failed(), 0, "{}", outcome.to_text());
        assert_eq!(heard.0.len(), outcome.cases.len() + 2, "each case is told once");
        let cases = outcome.cases.into_iter();
        cases.map(|case| (case.name, case.got)).collect::<Vec<_>>()
    };
    let alone = tried(1);
    assert!(alone.len() >= 4 && alone.is_sorted());
    assert_eq!(tried(3), alone);
}
