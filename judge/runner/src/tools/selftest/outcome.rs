//! The outcome of a self-test: a report per case, as a table and as JSON.

use std::time::Duration;

use judge_core::{Fingerprint, printable};
use serde_json::{Value, json};

use super::case::Case;

/// Line below the sums if the machine was too slow for a case.
const SLOW_HINT: &str = "hint: this machine is too slow or too busy; try again when it is idle, with \
                         `--jobs 1`";

/// The reports of all cases.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// Fingerprint of this build.
    pub fingerprint: Fingerprint,
    /// A report per case, by name.
    pub cases: Vec<CaseReport>,
}

/// The report of one case.
#[derive(Debug, Clone)]
pub struct CaseReport {
    /// Name of the case.
    pub name: String,
    /// The case's description.
    pub about: String,
    /// The expected verdict; none if any verdict that does not blame the judge is right.
    pub expected: Option<String>,
    /// The actual verdicts; there are several if the case has several modules.
    pub got: String,
    /// Wall-clock time of the run that graded only the module.
    pub time: Duration,
    /// Processor time of both runs.
    pub processor: Duration,
    /// Peak memory of the judge or one of its workers; 0 if the system does not report it.
    pub peak_kib: u64,
    /// All deviations from the expected results.
    pub wrong: Vec<String>,
    /// The reason why the machine was too slow for the case, if it was. The other results are then
    /// unknown.
    pub too_slow: Option<String>,
    /// The reason why the case could not be tested on this machine, if any.
    pub not_tried: Option<String>,
}

impl Outcome {
    /// Number of cases with the expected results.
    pub fn passed(&self) -> usize {
        self.cases.len() - self.failed() - self.undecided() - self.not_tried()
    }

    /// Number of cases with other results.
    pub fn failed(&self) -> usize {
        self.cases.iter().filter(|case| !case.wrong.is_empty()).count()
    }

    /// Number of cases that this machine was too slow for.
    pub fn undecided(&self) -> usize {
        self.cases.iter().filter(|case| case.too_slow.is_some()).count()
    }

    /// Number of cases that could not be tested on this machine.
    pub fn not_tried(&self) -> usize {
        self.cases.iter().filter(|case| case.not_tried.is_some()).count()
    }

    /// Formats a row per case, and the sums.
    pub fn to_text(&self) -> String {
        let others = [(self.undecided(), "undecided"), (self.not_tried(), "not tried")];
        let others = others.iter().filter(|(number, _)| *number > 0);
        let sums = [(self.passed(), "as expected"), (self.failed(), "not")];
        let sums: Vec<String> =
            sums.iter().chain(others).map(|(number, what)| format!("{number} {what}")).collect();
        let mut lines = vec![columns("case", "expected", "got", "ms", "MiB")];
        lines.extend(self.cases.iter().flat_map(CaseReport::rows));
        lines.push(sums.join(", "));
        if self.undecided() > 0 {
            lines.push(SLOW_HINT.to_owned());
        }
        lines.iter().map(|line| printable(line, usize::MAX) + "\n").collect()
    }

    /// Renders the reports as JSON.
    pub fn to_json(&self) -> String {
        let value = json!({
            "judge": self.fingerprint.judge,
            "engine": self.fingerprint.engine,
            "passed": self.passed(),
            "failed": self.failed(),
            "undecided": self.undecided(),
            "not_tried": self.not_tried(),
            "cases": self.cases.iter().map(CaseReport::json).collect::<Vec<_>>(),
        });
        format!("{value:#}\n")
    }
}

impl CaseReport {
    /// Creates the report of a case before its test.
    pub(super) fn from_case(case: &Case) -> CaseReport {
        CaseReport {
            name: case.name.clone(),
            about: case.expected.about.clone(),
            expected: case.expected.verdict.clone(),
            got: String::new(),
            time: Duration::ZERO,
            processor: Duration::ZERO,
            peak_kib: 0,
            wrong: Vec::new(),
            too_slow: None,
            not_tried: None,
        }
    }

    fn expected(&self) -> &str {
        self.expected.as_deref().unwrap_or("any")
    }

    fn rows(&self) -> Vec<String> {
        let ms = self.time.as_millis().to_string();
        let memory = match self.peak_kib {
            0 => "-".to_owned(),
            kib => (kib / 1024).to_string(),
        };
        let row = columns(&self.name, self.expected(), &self.got, &ms, &memory);
        let wrong = self.wrong.iter().map(|what| format!("  WRONG: {what}"));
        let too_slow = self.too_slow.iter().map(|reason| format!("  TOO SLOW: {reason}"));
        let not_tried = self.not_tried.iter().map(|reason| format!("  NOT TRIED: {reason}"));
        [row].into_iter().chain(wrong).chain(too_slow).chain(not_tried).collect()
    }

    fn json(&self) -> Value {
        json!({
            "name": self.name,
            "about": self.about,
            "expected": self.expected(),
            "got": self.got,
            "ms": self.time.as_millis() as u64,
            "processor_ms": self.processor.as_millis() as u64,
            "memory_kib": self.peak_kib,
            "wrong": self.wrong,
            "too_slow": self.too_slow,
            "not_tried": self.not_tried,
        })
    }
}

fn columns(case: &str, expected: &str, got: &str, ms: &str, memory: &str) -> String {
    format!("{case:<32} {expected:<21} {got:<21} {ms:>6} {memory:>5}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(wrong: &[&str], too_slow: Option<&str>) -> CaseReport {
        CaseReport {
            name: "a01".to_owned(),
            about: String::new(),
            expected: None,
            got: "accepted".to_owned(),
            time: Duration::from_millis(7),
            processor: Duration::from_millis(9),
            peak_kib: 0,
            wrong: wrong.iter().map(|what| (*what).to_owned()).collect(),
            too_slow: too_slow.map(str::to_owned),
            not_tried: None,
        }
    }

    #[test]
    fn a_skipped_case_is_counted_separately() {
        let not_tried = CaseReport { not_tried: Some("no compiler".to_owned()), ..case(&[], None) };
        let outcome = outcome(vec![case(&[], None), not_tried]);
        assert_eq!((outcome.passed(), outcome.failed(), outcome.undecided()), (1, 0, 0));
        let text = outcome.to_text();
        assert!(text.ends_with("\n  NOT TRIED: no compiler\n1 as expected, 0 not, 1 not tried\n"));
    }

    fn outcome(cases: Vec<CaseReport>) -> Outcome {
        Outcome { fingerprint: crate::base::workers::fingerprint(), cases }
    }

    #[test]
    fn a_case_with_several_mistakes_is_counted_once() {
        let outcome = outcome(vec![case(&[], None), case(&["one", "other\u{7}"], None)]);
        assert_eq!((outcome.passed(), outcome.failed()), (1, 1));
        let text = outcome.to_text();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 6, "{text}");
        assert!(lines[3].starts_with("  WRONG: one") && !text.contains('\u{7}'), "{text}");
        assert_eq!(lines[5], "1 as expected, 1 not");
        let json: Value = serde_json::from_str(&outcome.to_json()).expect("JSON");
        assert_eq!((&json["cases"][1]["expected"], &json["failed"]), (&json!("any"), &json!(1)));
    }

    #[test]
    fn a_slow_machine_is_neither_right_nor_wrong() {
        let outcome = outcome(vec![case(&[], None), case(&[], Some("busy"))]);
        assert_eq!((outcome.passed(), outcome.failed(), outcome.undecided()), (1, 0, 1));
        let text = outcome.to_text();
        assert!(text.contains("\n  TOO SLOW: busy\n1 as expected, 0 not, 1 undecided\nhint: "));
        assert!(!text.contains("WRONG"), "{text}");
        let json: Value = serde_json::from_str(&outcome.to_json()).expect("JSON");
        assert_eq!((&json["undecided"], &json["failed"]), (&json!(1), &json!(0)));
    }
}
