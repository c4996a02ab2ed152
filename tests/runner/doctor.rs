//! The doctor as a library call.

use judge_runner::tools::doctor::run;

use crate::workers;

#[test]
fn doctor_reports_every_attempt_and_measure() {
    let outcome = run(&workers()).unwrap();
    assert!(!outcome.measures.is_empty() && !outcome.attempts.is_empty());
    let all = outcome.measures.iter().all(|measure| measure.missing.is_none())
        && outcome.attempts.iter().all(|attempt| attempt.refused);
    assert_eq!(outcome.is_sound(), all);
    let json: serde_json::Value = serde_json::from_str(&outcome.to_json()).unwrap();
    assert_eq!(json["walls"].as_array().unwrap().len(), outcome.measures.len());
}

#[test]
fn doctor_reports_a_program_that_is_not_a_worker() {
    let mut workers = workers();
    workers.command.arguments = vec!["games".into()];
    assert!(run(&workers).is_err());
}
