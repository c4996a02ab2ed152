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
    let request =
        Request { judge: "/bin/true".into(), names: vec!["a01".to_owned()], corpus: None };
    let error = run(&request, &mut Heard::default()).unwrap_err().to_string();
    assert!(error.contains("the honest bot is not graded"), "{error}");
}
