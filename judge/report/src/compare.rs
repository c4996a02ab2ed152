//! A comparison of two runs: the changes for each bot and testcase, and their reasons if the
//! reports show them.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::BTreeMap;

use judge_core::{BotReport, Fingerprint, GradeReport, Points, TestcaseReport, Verdict};

use crate::composed;
use crate::text::tame_in_one_line;

/// The differences between two runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comparison {
    /// Text with a paragraph for each result that changed, and the sums.
    pub text: String,
    /// True if all bots have the same verdicts, scores and points.
    pub same: bool,
}

/// A bot's result, with the conditions of its grading.
#[derive(Clone, Copy)]
struct GradedBot<'a> {
    bot: &'a BotReport,
    fingerprint: &'a Fingerprint,
}

/// Compares two runs, or two courses with a report per student. Bots are matched by name, except
/// that two single bots are always compared.
pub fn compare(old: &[GradeReport], new: &[GradeReport]) -> Comparison {
    let (old, mut new) = (by_name(old), by_name(new));
    let lone = old.len() == 1 && new.len() == 1;
    let mut sums = OutcomeCounts::default();
    let mut text = String::new();
    for (key, old) in old {
        let found = if lone { new.pop_first().map(|(_, new)| new) } else { new.remove(&key) };
        match found {
            Some(new) => text += &sums.of_both(old, new),
            None => text += &sums.of_one(old, "gone"),
        }
    }
    for graded in new.into_values() {
        text += &sums.of_one(graded, "new");
    }
    let same = sums.changed == [0; 5];
    text += &sums.text(lone);
    Comparison { text, same }
}

/// Bots by name, and for equal names by order.
fn by_name(reports: &[GradeReport]) -> BTreeMap<(Cow<'_, str>, usize), GradedBot<'_>> {
    let mut found = BTreeMap::new();
    for report in reports {
        for bot in &report.bots {
            let name = composed(&bot.bot.name);
            let before = found.range((name.clone(), 0)..=(name.clone(), usize::MAX)).count();
            found.insert((name, before), GradedBot { bot, fingerprint: &report.fingerprint });
        }
    }
    found
}

/// Counts of bots by outcome.
#[derive(Default)]
struct OutcomeCounts {
    same: usize,
    /// Number of bots that gained, lost, changed otherwise, are new, and are gone.
    changed: [usize; 5],
}

impl OutcomeCounts {
    const WORDS: [&str; 5] = ["gained", "lost", "changed otherwise", "new", "gone"];

    fn count(&mut self, word: &str) {
        let at = OutcomeCounts::WORDS.iter().position(|one| *one == word);
        self.changed[at.expect("one of the words")] += 1;
    }

    fn of_one(&mut self, graded: GradedBot<'_>, word: &str) -> String {
        self.count(word);
        let bot = graded.bot;
        let name = tame_in_one_line(&bot.bot.name);
        format!("{name}: {word}; {}/{} points\n", bot.points, bot.max_points)
    }

    fn of_both(&mut self, old: GradedBot<'_>, new: GradedBot<'_>) -> String {
        let lines = testcases(old.bot, new.bot);
        let [before, after] = [old.bot, new.bot].map(|bot| (bot.points, bot.score));
        if lines.is_empty() && before == after && refusal(old.bot) == refusal(new.bot) {
            self.same += 1;
            return String::new();
        }
        self.count(match after.cmp(&before) {
            Ordering::Greater => "gained",
            Ordering::Less => "lost",
            Ordering::Equal => "changed otherwise",
        });
        let why = reasons(old, new).join("; ");
        let mut text = format!("{}  why: {why}\n", heading(old.bot, new.bot));
        text.extend(lines.iter().map(|line| format!("  {line}\n")));
        text
    }

    fn text(&self, lone: bool) -> String {
        if lone && self.same == 1 {
            return "the same verdicts, scores and points\n".to_owned();
        }
        let changed =
            std::iter::zip(self.changed, OutcomeCounts::WORDS).filter(|(number, _)| *number > 0);
        let mut sums: Vec<String> =
            changed.map(|(number, word)| format!("{number} {word}")).collect();
        if self.same > 0 || sums.is_empty() {
            sums.push(format!("{} the same", self.same));
        }
        if lone { String::new() } else { sums.join(", ") + "\n" }
    }
}

fn refusal(bot: &BotReport) -> Option<Verdict> {
    bot.refused.as_ref().map(|refused| refused.verdict)
}

fn heading(old: &BotReport, new: &BotReport) -> String {
    let mut parts = vec![points_change("points", old.points, new.points)];
    parts.push(points_change("of", old.max_points, new.max_points));
    parts.push(change("score", old.score, new.score));
    let changes: Vec<String> = parts.into_iter().flatten().collect();
    let changes =
        if changes.is_empty() { "the same points".to_owned() } else { changes.join(", ") };
    format!("{}: {changes}\n", tame_in_one_line(&new.bot.name))
}

/// Formats a change, such as `points 0 -> 20 (+20)`; none without one.
fn change(what: &str, old: i64, new: i64) -> Option<String> {
    let by = i128::from(new) - i128::from(old);
    (by != 0).then(|| format!("{what} {old} -> {new} ({by:+})"))
}

/// [`change`] for points.
fn points_change(what: &str, old: Points, new: Points) -> Option<String> {
    (old != new).then(|| format!("{what} {old} -> {new} ({})", new.change_from(old)))
}

/// Formats a difference, such as `verdict Accepted -> Resigned`; none without one.
fn differ(what: &str, old: &str, new: &str) -> Option<String> {
    (old != new).then(|| format!("{what}{old} -> {new}"))
}

/// Possible reasons for a difference between two results.
fn reasons(old: GradedBot<'_>, new: GradedBot<'_>) -> Vec<String> {
    let modules = [old, new].map(|graded| graded.bot.bot.sha256.short());
    let judges = [old, new].map(|graded| &graded.fingerprint.judge);
    let engines = [old, new].map(|graded| &graded.fingerprint.engine);
    let failed = |graded: GradedBot<'_>| graded.bot.worst_verdict() == Verdict::JudgeError;
    let reasons = [
        (old.bot.bot.sha256 != new.bot.bot.sha256)
            .then(|| format!("another module ({}… -> {}…)", modules[0], modules[1])),
        differ("another judge (", judges[0], judges[1]).map(|text| tame_in_one_line(&text) + ")"),
        differ("another engine (", engines[0], engines[1])
            .map(|text| tame_in_one_line(&text) + ")"),
        (!same_testcases(old.bot, new.bot)).then(|| "other testcases".to_owned()),
        (failed(old) || failed(new)).then(|| "the judge failed in one of them".to_owned()),
    ];
    let reasons: Vec<String> = reasons.into_iter().flatten().collect();
    if reasons.is_empty() {
        let riddle = "nothing that decides a result changed, so one of the two reports is wrong; \
                      check with `judge verify REPORT BOT.wasm`";
        return vec![riddle.to_owned()];
    }
    reasons
}

/// True if both played the same testcases, or one of them was refused and played none.
fn same_testcases(old: &BotReport, new: &BotReport) -> bool {
    let hashes = |bot: &BotReport| bot.testcases.iter().map(|case| case.sha256).collect::<Vec<_>>();
    old.refused.is_some() || new.refused.is_some() || hashes(old) == hashes(new)
}

/// A line for each testcase with a different result.
fn testcases(old: &BotReport, new: &BotReport) -> Vec<String> {
    let (old, mut new) = (numbered(old), numbered(new));
    let of_old = old.into_iter().map(|(key, case)| (Some(case), new.remove(&key)));
    let pairs: Vec<_> = of_old.collect();
    let added = new.into_values().map(|case| (None, Some(case)));
    pairs.into_iter().chain(added).filter_map(|(old, new)| testcase(old, new)).collect()
}

/// Testcases by name, and for equal names by order.
fn numbered(bot: &BotReport) -> BTreeMap<(&str, usize), &TestcaseReport> {
    let mut found = BTreeMap::new();
    for case in &bot.testcases {
        let name = case.name.as_str();
        let before = found.range((name, 0)..=(name, usize::MAX)).count();
        found.insert((name, before), case);
    }
    found
}

fn testcase(old: Option<&TestcaseReport>, new: Option<&TestcaseReport>) -> Option<String> {
    let name = tame_in_one_line(&old.or(new)?.name);
    let verdict = |case: Option<&TestcaseReport>| case.map_or("not played", TestcaseReport::label);
    let score = |case: Option<&TestcaseReport>| case.map_or(0, |case| case.score);
    let points = |case: Option<&TestcaseReport>| case.map_or(Points::ZERO, |case| case.points);
    let threshold = |case: Option<&TestcaseReport>| case.map(|case| case.min_score);
    let changes = [
        differ("", verdict(old), verdict(new)),
        change("score", score(old), score(new)),
        points_change("points", points(old), points(new)),
        match (threshold(old), threshold(new)) {
            (Some(old), Some(new)) => change("needed", old, new),
            _ => None,
        },
    ];
    let changes: Vec<String> = changes.into_iter().flatten().collect();
    let same_file = old.is_none()
        || new.is_none()
        || old.map(|case| case.sha256) == new.map(|case| case.sha256);
    let file = if same_file { "" } else { "; another testcase file" };
    (!changes.is_empty()).then(|| format!("{name}: {}{file}", changes.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_data::samples::report;

    /// Returns the report after this change.
    fn changed(change: impl FnOnce(&mut GradeReport)) -> Vec<GradeReport> {
        let mut report = report();
        change(&mut report);
        vec![report]
    }

    #[test]
    fn equal_runs_are_the_same_despite_different_fuel() {
        let dearer = changed(|report| report.bots[0].testcases[0].fuel += 1);
        let found = compare(&[report()], &dearer);
        assert_eq!((found.text.as_str(), found.same), ("4 the same\n", true));
    }

    #[test]
    fn a_better_module_is_reported_with_its_testcases() {
        let better = changed(|report| {
            let bot = &mut report.bots[0];
            bot.bot.sha256 = judge_core::digest(b"another");
            (bot.points, bot.score, bot.passed) = (40.into(), 246, 2);
            let case = &mut bot.testcases[1];
            (case.verdict, case.score, case.points) = (Verdict::Accepted, 123, 20.into());
            report.bots.pop();
        });
        let found = compare(&[report()], &better);
        insta::assert_snapshot!(found.text, @r"
        empty: gone; 0/40 points
        plain: points 20 -> 40 (+20), score 200 -> 246 (+46)
          why: another module (a116c9ed… -> ae448ac8…)
          02-hard: Below threshold -> Accepted, score 77 -> 123 (+46), points 0 -> 20 (+20)
        1 gained, 1 gone, 2 the same
        ");
        assert!(!found.same);
    }

    #[test]
    fn an_unexplained_difference_is_reported_as_untrue() {
        let forged = changed(|report| {
            report.bots[1].points += 1.into();
            report.bots[1].testcases[1].points += 1.into();
        });
        let text = compare(&[report()], &forged).text;
        assert!(text.contains("so one of the two reports is wrong"), "{text}");
    }

    #[test]
    fn another_judge_or_testcase_explains_a_difference() {
        let later = changed(|report| {
            report.fingerprint.judge = "0.2.0".to_owned();
            let case = &mut report.bots[0].testcases[1];
            case.sha256 = judge_core::digest(b"easier");
            (case.verdict, case.min_score) = (Verdict::Accepted, 70);
        });
        let text = compare(&[report()], &later).text;
        assert!(text.contains("why: another judge (0.1.0 -> 0.2.0); other testcases\n"), "{text}");
        let line =
            "02-hard: Below threshold -> Accepted, needed 100 -> 70 (-30); another testcase file";
        assert!(text.contains(line), "{text}");
    }

    #[test]
    fn single_bots_are_compared_under_any_name() {
        let one = |name: &str| {
            changed(|report| {
                report.bots.truncate(1);
                report.bots[0].bot.name = name.to_owned();
            })
        };
        let found = compare(&one("mine"), &one("mine-2"));
        assert_eq!(
            (found.text.as_str(), found.same),
            ("the same verdicts, scores and points\n", true)
        );
        let doubled = changed(|report| {
            let again = report.bots[0].testcases.clone();
            report.bots[0].testcases.extend(again);
            report.bots[0].testcases[3].score = 5;
        });
        assert_eq!(compare(&doubled, &doubled).text, "4 the same\n", "testcases of one name");
        let twice = [one("mine"), one("mine")].concat();
        assert_eq!(compare(&twice, &twice).text, "2 the same\n");
        assert_eq!(
            compare(&twice, &one("mine")).text,
            "mine: gone; 20/40 points\n1 gone, 1 the same\n"
        );
    }
}
