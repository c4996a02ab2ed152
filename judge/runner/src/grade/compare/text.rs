//! A comparison as text for people.

use std::fmt::Write as _;

use judge_core::printable;
use judge_statistics::Estimate;

use super::{Answer, ComparedTestcase, Outcome};

impl Outcome {
    /// Formats the figures for people.
    pub fn to_text(&self) -> String {
        let [old, new] = self.versions.each_ref().map(|name| printable(name, 60));
        let mut text = format!("new {new} against old {old}: {}\n\n", self.setting());
        let names = self.testcases.iter().map(|testcase| printable(&testcase.name, 40));
        let width = names.map(|name| name.chars().count()).max().unwrap_or(0).max(8);
        // Writing to a string cannot fail. The same holds below.
        let _ = writeln!(
            text,
            "{:width$}  {:25}{:25}score difference",
            "testcase", "old passes", "new passes"
        );
        self.testcases.iter().for_each(|testcase| text += &testcase.line(width));
        text += "\n";
        for (name, value) in self.figures() {
            let _ = writeln!(text, "{name:18}  {value}");
        }
        let faults = |version: usize| self.testcases.iter().map(|one| one.faults[version]).sum();
        let faults: [u64; 2] = [faults(0), faults(1)];
        if faults != [0, 0] {
            let [old, new] = faults;
            let _ = writeln!(text, "rounds with faults  {old} -> {new}; each fails its testcase");
        }
        if self.judge_errors > 0 {
            let _ = writeln!(text, "{} seeds are left out: the judge failed", self.judge_errors);
        }
        text + &self.worst_text()
    }

    /// The number of rounds, and the seeds.
    pub(super) fn setting(&self) -> String {
        let (rounds, seed) = (self.rounds, self.seed);
        format!("{rounds} rounds per testcase and version, seeds from {seed}")
    }

    /// Names and values of the main figures.
    pub(super) fn figures(&self) -> Vec<(String, String)> {
        let ([old, new], of) = (self.passed, self.testcases.len());
        let figure = format!("{} a round: {}", figure(&self.difference), self.sentence());
        vec![
            ("score difference".to_owned(), figure),
            ("testcases passed".to_owned(), format!("{old:.2} -> {new:.2} of {of} on average")),
        ]
    }

    /// Formats the answer as a line.
    pub(crate) fn line(&self) -> String {
        let (figure, answer) = (figure(&self.difference), self.sentence());
        format!("score difference {figure} a round: {answer} ({} rounds per testcase)", self.rounds)
    }

    /// The answer as a sentence.
    fn sentence(&self) -> &'static str {
        match self.answer {
            Answer::Better => "the new version is better",
            Answer::Worse => "the new version is worse",
            Answer::Undecided if self.judge_errors == self.rounds => {
                "undecided, as the judge failed on every seed"
            }
            Answer::Undecided if self.difference.low.is_finite() => "undecided",
            Answer::Undecided => "undecided, as every seed gives the same difference",
        }
    }

    fn worst_text(&self) -> String {
        let Some(worst) = self.worst.first() else { return String::new() };
        let [old, new] = worst.scores;
        let (name, seed) = (printable(&worst.testcase, 40), worst.seed);
        format!("largest loss        {old} -> {new} with seed {seed} in {name}\n")
    }
}

impl ComparedTestcase {
    fn line(&self, width: usize) -> String {
        let name = printable(&self.name, 40);
        let [old, new] = self.chance.each_ref().map(|one| one.as_ref().map_or("-".into(), chance));
        let mut line = format!("{name:width$}  {old:25}{new:25}{}", figure(&self.difference));
        if self.faults != [0, 0] {
            let [old, new] = self.faults;
            let _ = write!(line, "; faults {old} -> {new}");
        }
        line + "\n"
    }
}

fn chance(chance: &Estimate) -> String {
    let [value, low, high] =
        [chance.value, chance.low, chance.high].map(|share| judge_report::per_cent(share, 1));
    format!("{value} % ({low} to {high})")
}

pub(super) fn figure(one: &Estimate) -> String {
    match one.low.is_finite() {
        true => format!("{:+.2} ({:+.2} to {:+.2})", one.value, one.low, one.high),
        false => format!("{:+.2} (unknown)", one.value),
    }
}

#[cfg(test)]
mod tests {
    use judge_core::digest;

    use super::*;

    #[test]
    fn a_judge_error_is_not_counted_as_an_equal_difference() {
        let unknown = Estimate { value: 0.0, low: f64::NEG_INFINITY, high: f64::INFINITY };
        let mut outcome = Outcome {
            versions: ["old", "new"].map(str::to_owned),
            sha256: [digest(b""), digest(b"")],
            seed: 1,
            rounds: 25,
            most_rounds: 25,
            looks: 1,
            difference: unknown,
            answer: Answer::Undecided,
            passed: [0.0, 0.0],
            testcases: Vec::new(),
            worst: Vec::new(),
            judge_errors: 24,
        };
        assert_eq!(outcome.sentence(), "undecided, as every seed gives the same difference");
        outcome.judge_errors = 25;
        assert_eq!(outcome.sentence(), "undecided, as the judge failed on every seed");
    }
}
