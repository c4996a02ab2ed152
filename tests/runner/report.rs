//! Saved results, merged and compared.

use judge_core::GradeReport;
use judge_runner::verify::results::{self, Outcome, Request};

use crate::support::{large_report, write};

fn merged(results: Vec<std::path::PathBuf>) -> GradeReport {
    match results::run(&Request::Show { results, for_student: false }).unwrap() {
        Outcome::Grading(report) => *report,
        _ => panic!("a report was asked for"),
    }
}

#[test]
fn one_report_is_unchanged_and_two_are_merged() {
    let folder = tempfile::tempdir().unwrap();
    let text = large_report();
    let one = write(folder.path(), "one.json", &text);
    assert_eq!(merged(vec![one.clone()]).to_json(), text);
    let twice = merged(vec![one.clone(), one.clone()]);
    let names: std::collections::BTreeSet<_> =
        twice.bots.iter().map(|bot| bot.bot.name.clone()).collect();
    assert_eq!((twice.bots.len(), names.len()), (600, 600), "each has a name of its own");

    let same = results::run(&Request::Compare { old: one.clone(), new: one.clone() }).unwrap();
    assert!(matches!(same, Outcome::Comparison { same: true, .. }));
    let changed =
        write(folder.path(), "changed.json", text.replacen("\"score\": ", "\"score\": 1", 1));
    let refused = results::run(&Request::Compare { old: one, new: changed });
    assert!(refused.err().unwrap().to_string().contains("changed after it was written"));
}
