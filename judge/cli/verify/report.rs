//! A report on grading: what its rounds imply, then the rounds themselves.

use judge_core::{BotReport, GradeReport, ReportError, TestcaseReport};
use judge_grading::{Difference, Suite, Testcase};

use super::{
    Arguments, Findings, NOT_CANONICAL, Problem, Stop, hashes, note_other_build, same_build,
};
use crate::bots::BotFile;
use crate::failure::Failure;
use crate::{bundled, grade, worker};

pub(super) fn check(
    text: &str,
    arguments: &Arguments,
    bots: &[BotFile],
    findings: &mut Findings,
) -> Result<(), Stop> {
    findings.kind = "report";
    let report = read(text, arguments)?;
    if bots.is_empty() {
        note_other_build(&report.fingerprint, findings);
    } else {
        same_build(arguments, &report.fingerprint)?;
    }
    let suite = suite(&report, arguments)?;
    if let Some(difference) = judge_grading::contradiction(&report, suite.as_ref()) {
        return Err(contradicted(&difference).into());
    }
    findings.checked("verdicts, points, sums, digests and seal follow from the rounds");
    match &suite {
        Some(suite) => findings.checked(format!(
            "the testcases are those of the suite `{}`: seeds, limits, thresholds and points",
            suite.name
        )),
        None => findings.unchecked(not_held_against_a_suite(&report)),
    }
    for (number, bot) in (0..).zip(&report.bots) {
        if !bots.iter().any(|file| file.submission.bot.sha256 == bot.bot.sha256) {
            findings.unchecked(not_played(number, bot));
        }
    }
    if !bots.is_empty() {
        play_again(&report, suite.as_ref(), arguments, bots)?;
        let names: Vec<String> =
            bots.iter().map(|bot| format!("`{}`", bot.path.display())).collect();
        findings.checked(format!(
            "{}: plays every round again just as the report tells it",
            names.join(", ")
        ));
    }
    let mut withheld = report.bots.iter().flat_map(|bot| &bot.testcases);
    let no_key = suite.as_ref().is_some_and(|suite| !suite.locked.is_empty());
    if no_key {
        findings.unchecked("hidden testcases: what the suite keeps secret is not at hand");
    } else if withheld.any(TestcaseReport::is_withheld) && bots.is_empty() {
        findings.unchecked("hidden testcases: their rounds are withheld");
    }
    findings.unchecked("`timing`: the wall clock's figures differ from run to run");
    Ok(())
}

fn not_held_against_a_suite(report: &GradeReport) -> String {
    let what = "seeds, thresholds and points of the testcases";
    let how = "name them with `--suite` or `--testcase`";
    match bundled::suite(&report.suite) {
        Some(_) => {
            format!("{what}: they are not those of the bundled suite `{}`; {how}", report.suite)
        }
        None => format!("{what}: {how}"),
    }
}

fn not_played(number: usize, bot: &BotReport) -> String {
    let (name, hash) = (&bot.bot.name, bot.bot.sha256.short());
    match bot.refused {
        None => format!(
            "bots[{number}] (`{name}`): that its rounds went so; name its module (SHA-256 {hash}…) \
             to have it play again"
        ),
        Some(_) => format!(
            "bots[{number}] (`{name}`): that it is refused; name its module (SHA-256 {hash}…)"
        ),
    }
}

fn read(text: &str, arguments: &Arguments) -> Result<GradeReport, Stop> {
    GradeReport::from_json(text).map_err(|error| match error {
        ReportError::NotCanonical { line, column } => {
            let place = format!("line {line}, column {column}");
            Problem::new(place, NOT_CANONICAL).into()
        }
        error => {
            let what = format!("not a report of `judge grade --json`: {error}");
            Failure::input(&arguments.file, &what).into()
        }
    })
}

/// The suite that was graded: the one that is named on the command line, which has to fit, or the
/// bundled one, if it does.
fn suite(report: &GradeReport, arguments: &Arguments) -> Result<Option<Suite>, Stop> {
    let named = if !arguments.testcases.is_empty() {
        Suite::of_testcases(&arguments.testcases).map_err(Failure::from)?
    } else if let Some(path) = &arguments.suite {
        grade::named(path)?
    } else {
        let bundled = bundled::suite(&report.suite).and_then(Result::ok);
        return Ok(bundled.filter(|suite| judge_grading::unfit(report, suite).is_none()));
    };
    let named = with_locked(named, report);
    match judge_grading::unfit(report, &named) {
        None => Ok(Some(named)),
        Some(difference) => Err(differs(&difference, "another suite was graded").into()),
    }
}

/// The suite with the hidden testcases whose key or folder is not at hand: reports for students
/// have no rounds there, and students have neither.
fn with_locked(mut suite: Suite, report: &GradeReport) -> Suite {
    if suite.absent.is_some() {
        let told = report.bots.iter().find(|bot| bot.refused.is_none());
        let withheld = told.iter().flat_map(|bot| &bot.testcases).filter(|case| case.is_withheld());
        let known = |name: &str| {
            suite.testcases.iter().chain(&suite.locked).any(|testcase| testcase.name == name)
        };
        let absent: Vec<Testcase> =
            withheld.filter(|case| !known(&case.name)).map(without_seeds).collect();
        suite.locked.extend(absent);
    }
    suite.testcases.extend(suite.locked.iter().cloned());
    suite.testcases.sort_by(|one, other| one.name.cmp(&other.name));
    suite
}

/// A testcase of which no more is known than a report for students tells.
fn without_seeds(told: &TestcaseReport) -> Testcase {
    Testcase {
        name: told.name.clone(),
        title: told.title.clone(),
        game: told.game.clone(),
        opponent: told.opponent.clone(),
        seat: told.seat,
        seeds: Vec::new(),
        rounds: 0,
        hidden: true,
        min_score: told.min_score,
        points: told.max_points,
        limits: told.limits,
        options: judge_core::Options::new(),
        sha256: told.sha256,
    }
}

fn is_locked(suite: &Suite, name: &str) -> bool {
    suite.locked.iter().any(|testcase| testcase.name == name)
}

/// What a bot does without the key, with what is told of the rest: only the open testcases can be
/// played again.
fn completed(mut found: BotReport, told: &BotReport, suite: &Suite) -> BotReport {
    if suite.locked.is_empty() || found.refused.is_some() {
        return found;
    }
    let locked = told.testcases.iter().filter(|testcase| is_locked(suite, &testcase.name));
    found.testcases.extend(locked.cloned());
    found.testcases.sort_by(|one, other| one.name.cmp(&other.name));
    // The sums follow from the testcases, which was looked at before.
    let BotReport { points, max_points, score, passed, digest, .. } = *told;
    BotReport { points, max_points, score, passed, digest, ..found }
}

fn contradicted(difference: &Difference) -> Problem {
    let what = match difference.path.as_str() {
        "seal" => {
            "changed after it was written: a name, a title, the suite, the fingerprint or this seal"
        }
        path if path.ends_with("].digest") && !path.contains("rounds") => {
            "changed after it was written: a figure of this bot's rounds, or this digest"
        }
        _ => "does not follow from the rest of the report",
    };
    differs(difference, what)
}

fn differs(difference: &Difference, what: &str) -> Problem {
    let [recorded, found] =
        difference.sides.clone().map(|side| side.unwrap_or("nothing".to_owned()));
    Problem::new(&difference.path, what).with(recorded, found)
}

/// Grades the given bots again and compares what comes of it.
fn play_again(
    report: &GradeReport,
    suite: Option<&Suite>,
    arguments: &Arguments,
    bots: &[BotFile],
) -> Result<(), Stop> {
    let place = |bot: &BotFile| {
        report.bots.iter().position(|told| told.bot.sha256 == bot.submission.bot.sha256)
    };
    if let Some(stray) = bots.iter().find(|bot| place(bot).is_none()) {
        let told: Vec<String> = report.bots.iter().map(|bot| bot.bot.sha256.to_string()).collect();
        let what = format!("none of the report's bots is `{}`", stray.path.display());
        let found = hashes(std::slice::from_ref(stray));
        return Err(Problem::new("SHA-256 of the bots", what).with(told.join(", "), found).into());
    }
    let Some(suite) = suite else {
        let what = format!("the suite `{}` is not at hand", report.suite);
        return Err(Failure::usage(what, "name it with `--suite DIR` or `--testcase FILE`").into());
    };
    let mut open = suite.clone();
    open.testcases.retain(|testcase| !is_locked(suite, &testcase.name));
    let submissions: Vec<_> = bots.iter().map(|bot| grade::fitting(bot, &open)).collect();
    let pool = worker::pool(arguments.jobs, &arguments.walls)?;
    let again =
        judge_arena::grade(&pool, &open, &submissions, &mut |_| {}).map_err(Failure::from)?;
    worker::warn_of_missing_walls(&pool);
    for (bot, mut found) in std::iter::zip(bots, again.bots) {
        let number = place(bot).unwrap_or_default();
        // The file's name is a label: a renamed bot plays the same.
        found.bot.name.clone_from(&report.bots[number].bot.name);
        if report.bots[number].testcases.iter().any(TestcaseReport::is_withheld) {
            found = judge_grading::for_student(&found);
        }
        let found = completed(found, &report.bots[number], suite);
        if let Some(mut difference) = judge_grading::first_difference(&report.bots[number], &found)
        {
            difference.path = format!("bots[{number}].{}", difference.path);
            return Err(
                differs(&difference, "not what comes of it when the bot plays again").into()
            );
        }
    }
    Ok(())
}
