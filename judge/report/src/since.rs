//! Differences between a new version of a bot and the previous one, paired by seed. The text is
//! short, for the loop of edit, build and test.

use std::cmp::Ordering;

use judge_core::{Blame, BotReport, Points, RoundReport, TestcaseReport, Verdict};

use crate::shell::see_again;
use crate::text::{tame_and_short, tame_in_one_line};
use crate::units::fuel_as_ms;
use crate::words::score;

/// Display options.
#[derive(Debug, Clone, Copy)]
pub struct SinceLooks<'a> {
    /// Maximum number of rounds per testcase.
    pub rounds: usize,
    /// True if the text has colours.
    pub color: bool,
    /// The bot's name in commands, ready for a shell.
    pub file: &'a str,
}

/// Describes the differences between two results on the same testcases: a paragraph for each
/// testcase that changed, and the sums.
pub fn since(old: &BotReport, new: &BotReport, looks: &SinceLooks<'_>) -> String {
    let pairs = || std::iter::zip(&old.testcases, &new.testcases);
    let (mut text, mut told) = (String::new(), Vec::new());
    for (old, new) in pairs() {
        text += &testcase(old, new, looks, &mut told);
    }
    let mut rounds = ChangeCounts::default();
    pairs().for_each(|(old, new)| rounds.add(&changes(old, new)));
    let fuel = [old, new].map(|bot| bot.testcases.iter().map(|case| case.fuel).sum());
    if text.is_empty() {
        let cost =
            time(fuel).map_or_else(|| ", nor the time".to_owned(), |time| format!("; {time}"));
        return format!("nothing changed: no verdict, score or fault{cost}\n");
    }
    let sums = [
        format!("{} of {}", points_then_now(old.points, new.points), new.max_points),
        then_now("score", old.score, new.score),
    ];
    let sums = sums.into_iter().chain(time(fuel)).collect::<Vec<_>>().join(", ");
    let better = (new.points, new.score).cmp(&(old.points, old.score));
    text += &painted(&format!("{} {sums}", sign(better)), better, looks.color);
    format!("{text}\n  rounds: {}\n", rounds.text())
}

/// Counts of rounds by outcome.
#[derive(Default)]
struct ChangeCounts {
    better: usize,
    worse: usize,
    other: usize,
    same: usize,
}

impl ChangeCounts {
    fn add(&mut self, changes: &[RoundChange<'_>]) {
        for change in changes {
            match change.better() {
                _ if change.is_none() => self.same += 1,
                Ordering::Greater => self.better += 1,
                Ordering::Less => self.worse += 1,
                Ordering::Equal => self.other += 1,
            }
        }
    }

    fn text(&self) -> String {
        let ChangeCounts { better, worse, other, same } = self;
        let all = [
            (better, "better"),
            (worse, "worse"),
            (other, "otherwise changed"),
            (same, "the same"),
        ];
        let parts = all.into_iter().filter(|(number, _)| **number > 0);
        parts.map(|(number, word)| format!("{number} {word}")).collect::<Vec<_>>().join(", ")
    }
}

/// A round in the old and the new result.
struct RoundChange<'a> {
    old: &'a RoundReport,
    new: &'a RoundReport,
}

/// Pairs the rounds of a testcase, which have the same seeds in both results.
fn changes<'a>(old: &'a TestcaseReport, new: &'a TestcaseReport) -> Vec<RoundChange<'a>> {
    std::iter::zip(&old.rounds, &new.rounds).map(|(old, new)| RoundChange { old, new }).collect()
}

impl<'a> RoundChange<'a> {
    /// True if score and fault are unchanged.
    fn is_none(&self) -> bool {
        let detail = |round: &'a RoundReport| round.fault.as_ref().map(|fault| &fault.detail);
        let seen = |round: &'a RoundReport| (round.verdict, round.score, detail(round));
        seen(self.old) == seen(self.new)
    }

    /// Compares the new round with the old one. A round without the bot's fault is better, then the
    /// larger score. A judge error makes them equal.
    fn better(&self) -> Ordering {
        let of_judge = |round: &RoundReport| round.blame == Some(Blame::Judge);
        if of_judge(self.old) || of_judge(self.new) {
            return Ordering::Equal;
        }
        let value = |round: &RoundReport| (round.blame != Some(Blame::Bot), round.score);
        value(self.new).cmp(&value(self.old))
    }

    /// The order of the lines: new faults, then the largest losses, then the largest gains.
    fn urgency(&self) -> (bool, Ordering, std::cmp::Reverse<u64>) {
        let broke = self.better() == Ordering::Less && self.new.blame == Some(Blame::Bot);
        (!broke, self.better(), std::cmp::Reverse(self.new.score.abs_diff(self.old.score)))
    }

    /// The new fault, without its position in the round.
    fn fault(&self) -> Option<ToldFault<'a>> {
        self.new.fault.as_ref().map(|fault| (fault.verdict, fault.detail.as_str()))
    }

    /// The round in one line. A fault that was shown before is not repeated.
    fn line(&self, is_told: bool) -> String {
        let (old, new) = (ended(self.old), ended(self.new));
        let by = match self.new.blame.or(self.old.blame) {
            None => format!(" ({:+})", self.new.score.saturating_sub(self.old.score)),
            Some(_) => String::new(),
        };
        let fault = self.new.fault.as_ref().map(|fault| {
            if is_told {
                return ", as above".to_owned();
            }
            let line =
                fault.call.map(|call| format!("line {} of the protocol: ", u64::from(call) + 1));
            let detail = tame_in_one_line(&tame_and_short(fault.detail.as_str()));
            format!(": {}{detail}", line.unwrap_or_default())
        });
        let (round, seed) = (self.new.round, self.new.seed);
        format!("round {round}, seed {seed}: {old} -> {new}{by}{}", fault.unwrap_or_default())
    }
}

/// A fault that was shown: its verdict and description.
type ToldFault<'a> = (Verdict, &'a str);

/// Rounds that share one line because they changed in the same way. The line shows the first of
/// them.
struct AlikeChanges<'a>(Vec<RoundChange<'a>>);

/// Groups the rounds with the same fault and the same direction of change, at the position of the
/// first.
fn grouped(changes: Vec<RoundChange<'_>>) -> Vec<AlikeChanges<'_>> {
    let mut groups: Vec<AlikeChanges<'_>> = Vec::new();
    for change in changes {
        let alike = |AlikeChanges(group): &&mut AlikeChanges<'_>| {
            change.fault().is_some()
                && (group[0].fault(), group[0].better()) == (change.fault(), change.better())
        };
        match groups.iter_mut().find(alike) {
            Some(AlikeChanges(group)) => group.push(change),
            None => groups.push(AlikeChanges(vec![change])),
        }
    }
    groups
}

impl<'a> AlikeChanges<'a> {
    /// The group's line. It describes a fault only the first time.
    fn line(&self, told: &mut Vec<ToldFault<'a>>, color: bool) -> String {
        let first = &self.0[0];
        let fault = first.fault();
        let is_told = fault.is_some_and(|fault| told.contains(&fault));
        let more = match self.0.len() - 1 {
            0 => String::new(),
            1 => "; the same in 1 more round".to_owned(),
            more => format!("; the same in {more} more rounds"),
        };
        told.extend(fault.filter(|_| !is_told));
        painted(&format!("{}{more}", first.line(is_told)), first.better(), color)
    }
}

/// The score of a round, or its fault.
fn ended(round: &RoundReport) -> String {
    match (round.verdict, &round.outcome) {
        (Verdict::Accepted, _) => round.score.to_string(),
        (_, None) => "not played".to_owned(),
        (verdict, Some(_)) => verdict.to_string(),
    }
}

/// The lines of a testcase; empty if it is unchanged.
fn testcase<'a>(
    old: &'a TestcaseReport,
    new: &'a TestcaseReport,
    looks: &SinceLooks<'_>,
    told: &mut Vec<ToldFault<'a>>,
) -> String {
    let SinceLooks { rounds: most, color, file } = *looks;
    let mut changed = changes(old, new);
    changed.retain(|change| !change.is_none());
    if changed.is_empty() && old.verdict == new.verdict && old.score == new.score {
        return String::new();
    }
    changed.sort_by_key(RoundChange::urgency);
    let better = (new.points, new.score).cmp(&(old.points, old.score));
    let mut lines = vec![painted(&heading(old, new, better), better, color)];
    let mut shown = grouped(changed);
    let rest: Vec<RoundChange<'_>> = shown
        .split_off(most.min(shown.len()))
        .into_iter()
        .flat_map(|AlikeChanges(group)| group)
        .collect();
    lines.extend(shown.iter().map(|group| format!("    {}", group.line(told, color))));
    lines.extend(rest_of_rounds(&rest, most > 0));
    let again = new.reproduce.as_ref().filter(|_| new.verdict != old.verdict);
    lines.extend(again.map(|again| {
        let command = see_again(file, &tame_in_one_line(again));
        format!("    see it again: {command}")
    }));
    lines.iter().flat_map(|line| [line, "\n"]).collect()
}

/// A line with the number of further rounds, if there are any.
fn rest_of_rounds(changed: &[RoundChange<'_>], others_shown: bool) -> Option<String> {
    let mut tally = ChangeCounts::default();
    tally.add(changed);
    let (number, more) = (changed.len(), if others_shown { " more" } else { "" });
    let plural = if number == 1 { "" } else { "s" };
    (number > 0).then(|| format!("    {number}{more} round{plural}: {}", tally.text()))
}

fn heading(old: &TestcaseReport, new: &TestcaseReport, better: Ordering) -> String {
    let verdict = match old.label() == new.label() {
        true => new.label().to_owned(),
        false => format!("{} -> {}", old.label(), new.label()),
    };
    let parts = [
        Some(verdict),
        score(old).zip(score(new)).map(|([old, ..], [new, ..])| then_now("score", old, new)),
        Some(points_then_now(old.points, new.points)),
        time([old.fuel, new.fuel]),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    format!("{} {}: {}", sign(better), tame_in_one_line(&new.name), parts.join(", "))
}

/// Formats a figure such as `points 0 -> 20 (+20)`, or `points 20` if it is unchanged.
fn then_now(what: &str, old: i64, new: i64) -> String {
    match i128::from(new) - i128::from(old) {
        0 => format!("{what} {new}"),
        by => format!("{what} {old} -> {new} ({by:+})"),
    }
}

/// [`then_now`] for points.
fn points_then_now(old: Points, new: Points) -> String {
    match new.change_from(old) {
        _ if old == new => format!("points {new}"),
        by => format!("points {old} -> {new} ({by})"),
    }
}

/// Formats times such as `time 54.7 ms -> 60.1 ms (+9 %)`; none if they look the same.
fn time([old, new]: [u64; 2]) -> Option<String> {
    let by = match (i128::from(old), i128::from(new)) {
        (0, _) => String::new(),
        (old, new) if new >= 10 * old => format!(" ({} times)", new / old),
        (old, new) => match (new - old) * 100 / old {
            0 => " (< 1 %)".to_owned(),
            by => format!(" ({by:+} %)"),
        },
    };
    let [old, new] = [old, new].map(fuel_as_ms);
    (old != new).then(|| format!("time {old} -> {new}{by}"))
}

/// The sign of a change, for output without colours.
fn sign(better: Ordering) -> &'static str {
    match better {
        Ordering::Greater => "+",
        Ordering::Less => "-",
        Ordering::Equal => "=",
    }
}

fn painted(text: &str, better: Ordering, color: bool) -> String {
    match better {
        Ordering::Greater if color => format!("\u{1b}[32m{text}\u{1b}[0m"),
        Ordering::Less if color => format!("\u{1b}[31m{text}\u{1b}[0m"),
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use judge_core::{Fault, Seat};

    use super::*;
    use crate::test_data::samples::{HOSTILE, with_rounds};

    /// A bot with two testcases, each with a good and a broken round.
    fn bot() -> BotReport {
        with_rounds().bots.remove(0)
    }

    fn told(old: &BotReport, new: &BotReport, rounds: usize, color: bool) -> String {
        since(old, new, &SinceLooks { rounds, color, file: "'my bot.wasm'" })
    }

    /// Repairs the second round of a testcase and gives it this score.
    fn repaired(case: &mut TestcaseReport, score: i64) {
        let round = &mut case.rounds[1];
        (round.verdict, round.blame, round.fault, round.score) =
            (Verdict::Accepted, None, None, score);
    }

    #[test]
    fn equal_results_are_one_line_and_fuel_is_not_a_change() {
        let same = told(&bot(), &bot(), 3, true);
        assert_eq!(same, "nothing changed: no verdict, score or fault, nor the time\n");
        let mut dearer = bot();
        dearer.testcases[0].fuel *= 2;
        let text = told(&bot(), &dearer, 3, true);
        let expected =
            "nothing changed: no verdict, score or fault; time 24.6 ms -> 37.0 ms (+50 %)\n";
        assert_eq!(text, expected);
        assert_eq!(
            time([1_000_000, 276_999_999]).as_deref(),
            Some("time 1.000 ms -> 276.9 ms (276 times)")
        );
        assert_eq!(time([0, u64::MAX]).map(|text| text.contains('(')), Some(false));
        assert_eq!(time([7, 7]), None);
        assert_eq!(time([54_700_000, 54_700_001]), None, "both show as 54.7 ms");
        assert_eq!(
            time([54_799_999, 54_800_000]).as_deref(),
            Some("time 54.7 ms -> 54.8 ms (< 1 %)")
        );
        assert_eq!(
            time([54_800_000, 54_700_000]).as_deref(),
            Some("time 54.8 ms -> 54.7 ms (< 1 %)")
        );
    }

    #[test]
    fn better_and_worse_testcases_are_listed_with_their_rounds() {
        let mut new = bot();
        (new.points, new.score) = (40.into(), 250);
        let case = &mut new.testcases[1];
        (case.verdict, case.score, case.points, case.fuel) =
            (Verdict::Accepted, 127, 20.into(), 9_000_000);
        case.reproduce = None;
        repaired(case, 77);
        insta::assert_snapshot!(told(&bot(), &new, 3, false), @r"
        + 02-hard: Below threshold -> Accepted, score 77 -> 127 (+50), points 0 -> 20 (+20), time 12.3 ms -> 9.000 ms (-27 %)
            round 2, seed 7: Runtime error -> 77
        + points 20 -> 40 (+20) of 40, score 200 -> 250 (+50), time 24.6 ms -> 21.3 ms (-13 %)
          rounds: 1 better, 3 the same
        ");
        insta::assert_snapshot!(told(&new, &bot(), 3, false), @r"
        - 02-hard: Accepted -> Below threshold, score 127 -> 77 (-50), points 20 -> 0 (-20), time 9.000 ms -> 12.3 ms (+37 %)
            round 2, seed 7: 77 -> Runtime error: line 9 of the protocol: the stack overflowed
            see it again: judge play 'my bot.wasm' --game mahjong --seed 3 --against random --seat 1 --html round.html
        - points 40 -> 20 (-20) of 40, score 250 -> 200 (-50), time 21.3 ms -> 24.6 ms (+15 %)
          rounds: 1 worse, 3 the same
        ");
    }

    #[test]
    fn newly_failing_rounds_come_first() {
        let (mut old, mut new) = (bot(), bot());
        for bot in [&mut old, &mut new] {
            let case = &mut bot.testcases[0];
            repaired(case, 50);
            case.rounds = (1..=6)
                .map(|number| RoundReport { round: number, ..case.rounds[1].clone() })
                .collect();
        }
        let case = &mut new.testcases[0];
        case.rounds[0].score = 60;
        case.rounds[1].score = 10;
        case.rounds[2].score = 45;
        case.rounds[3] = RoundReport { round: 4, ..bot().testcases[0].rounds[1].clone() };
        case.rounds[4].score = 51;
        let text = told(&old, &new, 2, false);
        let rounds: Vec<&str> = text.lines().filter(|line| line.starts_with("    ")).collect();
        assert!(
            rounds[0].contains(
                "round 4, seed 7: 50 -> Runtime error: line 9 of the protocol: the stack"
            ),
            "{text}"
        );
        assert!(rounds[1].contains("round 2, seed 7: 50 -> 10 (-40)"), "{text}");
        assert_eq!(rounds[2], "    3 more rounds: 2 better, 1 worse");
        assert!(text.ends_with("rounds: 2 better, 3 worse, 3 the same\n"), "{text}");
        let none = told(&old, &new, 0, false);
        assert!(none.contains("\n    5 rounds: 2 better, 3 worse\n"), "{none}");
    }

    #[test]
    fn a_fault_is_printed_once_with_its_rounds() {
        let (mut old, mut new) = (bot(), bot());
        for (bot, broken) in [(&mut old, false), (&mut new, true)] {
            for case in &mut bot.testcases {
                let round = case.rounds[1].clone();
                case.rounds =
                    (1..=5).map(|number| RoundReport { round: number, ..round.clone() }).collect();
                for round in case.rounds.iter_mut().filter(|round| !broken || round.round == 4) {
                    (round.verdict, round.blame, round.fault) = (Verdict::Accepted, None, None);
                    round.score = 50 + i64::from(broken);
                }
            }
        }
        let other = new.testcases[1].rounds[2].fault.as_mut().expect("broken");
        other.detail = "another one".into();
        // The same fault at another line is still the same fault.
        new.testcases[0].rounds[1].fault.as_mut().expect("broken").call = Some(99);
        let lines = |most| -> String {
            let text = told(&old, &new, most, false);
            let rounds = text.lines().filter(|line| line.starts_with("    "));
            rounds.map(|line| line.trim().to_owned() + "\n").collect()
        };
        insta::assert_snapshot!(lines(3), @r"
        round 1, seed 7: 50 -> Runtime error: line 9 of the protocol: the stack overflowed; the same in 3 more rounds
        round 4, seed 7: 50 -> 51 (+1)
        round 1, seed 7: 50 -> Runtime error, as above; the same in 2 more rounds
        round 3, seed 7: 50 -> Runtime error: line 9 of the protocol: another one
        round 4, seed 7: 50 -> 51 (+1)
        ");
        insta::assert_snapshot!(lines(1), @r"
        round 1, seed 7: 50 -> Runtime error: line 9 of the protocol: the stack overflowed; the same in 3 more rounds
        1 more round: 1 better
        round 1, seed 7: 50 -> Runtime error, as above; the same in 2 more rounds
        2 more rounds: 1 better, 1 worse
        ");
    }

    #[test]
    fn judge_errors_are_neither_better_nor_worse() {
        let mut new = bot();
        let round = &mut new.testcases[0].rounds[0];
        (round.verdict, round.blame) = (Verdict::JudgeError, Some(Blame::Judge));
        round.score = 0;
        let text = told(&bot(), &new, 3, false);
        assert!(text.contains("1 otherwise changed"), "{text}");
    }

    #[test]
    fn colours_are_optional_and_never_come_from_bots() {
        let mut new = bot();
        for (case, text) in std::iter::zip(&mut new.testcases, HOSTILE) {
            let fault = Fault {
                seat: Some(Seat::One),
                verdict: Verdict::RuntimeError,
                detail: text.into(),
                call: None,
            };
            case.rounds[0].fault = Some(fault);
            case.rounds[0].verdict = Verdict::RuntimeError;
            case.rounds[0].blame = Some(Blame::Bot);
        }
        new.testcases[1].rounds[1].fault.as_mut().expect("broken").detail = HOSTILE[6].into();
        let plain = told(&bot(), &new, 9, false);
        assert!(plain.chars().all(|c| c == '\n' || !judge_core::steers(c)), "{plain:?}");
        let colored = told(&bot(), &new, 9, true);
        let bare =
            colored.replace("\u{1b}[31m", "").replace("\u{1b}[32m", "").replace("\u{1b}[0m", "");
        assert_eq!(bare, plain);
        assert_ne!(colored, plain);
    }
}
