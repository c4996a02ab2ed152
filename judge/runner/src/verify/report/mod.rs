//! The check of a report on grading: first the consequences of its rounds, then the rounds
//! themselves.

mod again;

use judge_core::{BotReport, GradeReport, ReportError, TestcaseReport, Timing};
use judge_grading::{JsonDifference, Suite, Testcase};

use super::{Check, CheckStop, Finding, FirstProblem, NOT_CANONICAL};
use crate::Error;
use crate::base::bundled;
use crate::bots::BotSource;
use crate::suites;

pub(super) fn check(text: &str, check: &mut Check<'_>) -> Result<(), CheckStop> {
    let bots = check.only_bots()?;
    let report = read(text, check)?;
    if report.bots.is_empty() {
        return Err(FirstProblem::new("bots", "a report has at least one bot").into());
    }
    if bots.is_empty() {
        check.note_build(&report.fingerprint);
    } else {
        check.same_build(&report.fingerprint)?;
        check.outcome.checked("the fingerprint is that of this judge");
    }
    let suite = suite(&report, check)?;
    if let Some(difference) = judge_grading::contradiction(&report, suite.as_ref()) {
        return Err(contradicted(&difference).into());
    }
    check.outcome.checked("verdicts, points, sums, digests and seal follow from the rounds");
    note_suite(&report, suite.as_ref(), check);
    check_names(&report, bots, check);
    if !bots.is_empty() {
        again::play(&report, suite.as_ref(), bots, check)?;
        let names: Vec<String> =
            bots.iter().map(|bot| format!("`{}`", bot.path.display())).collect();
        let what = "plays every round again with the same result";
        check.outcome.add(Finding::checked(what).at(names.join(", ")));
    }
    note_hidden(&report, suite.as_ref(), bots, check);
    if report.timing != Timing::default() {
        check.outcome.beside.push("`timing`, the wall clock's figures");
    }
    if report.without_traces() != report {
        check.outcome.beside.push("`trace`, the end of failed rounds");
    }
    Ok(())
}

/// Checks the names of the bots against those of the given files.
fn check_names(report: &GradeReport, bots: &[BotSource], check: &mut Check<'_>) {
    for (number, bot) in (0..).zip(&report.bots) {
        match bots.iter().find(|file| file.submission.bot.sha256 == bot.bot.sha256) {
            None => check.outcome.add(not_played(number, bot)),
            Some(file) => {
                let place = format!("bots[{number}].bot.name");
                check.check_name(&place, &bot.bot.name, &file.path);
            }
        }
    }
}

fn note_suite(report: &GradeReport, suite: Option<&Suite>, check: &mut Check<'_>) {
    let Some(suite) = suite else {
        return check.outcome.add(Finding::unchecked(
            "seeds, thresholds and points of the testcases: name them with `--suite` or \
             `--testcase`",
        ));
    };
    check.outcome.checked(format!(
        "the testcases are those of the suite `{}`: seeds, limits, thresholds and points",
        suite.name
    ));
    if suite.name != report.suite {
        let finding = Finding::unchecked(format!("the name `{}`", report.suite)).at("suite");
        let why = format!("the one that was given is called `{}`", suite.name);
        check.outcome.add(finding.because(why));
    }
}

fn note_hidden(
    report: &GradeReport,
    suite: Option<&Suite>,
    bots: &[BotSource],
    check: &mut Check<'_>,
) {
    let mut cases = report.bots.iter().flat_map(|bot| &bot.testcases);
    let no_secrets = suite.is_some_and(|suite| !suite.locked.is_empty() || suite.absent.is_some());
    let what = if no_secrets {
        "the secret part of the suite is missing"
    } else if cases.any(TestcaseReport::is_withheld) && bots.is_empty() {
        "their rounds are withheld"
    } else {
        return;
    };
    check.outcome.add(Finding::unchecked(what).at("hidden testcases"));
}

fn not_played(number: usize, bot: &BotReport) -> Finding {
    let (name, hash) = (&bot.bot.name, bot.bot.sha256.short());
    let (what, to) = match bot.refused {
        None => ("that its rounds were played this way", " to have it play again"),
        Some(_) => ("that it is refused", ""),
    };
    let why = format!("name its module (SHA-256 {hash}…){to}");
    Finding::unchecked(what).at(format!("bots[{number}] (`{name}`)")).because(why)
}

fn read(text: &str, check: &Check<'_>) -> Result<GradeReport, CheckStop> {
    GradeReport::from_json(text).map_err(|error| match error {
        ReportError::NotCanonical { line, column } => {
            let place = format!("line {line}, column {column}");
            FirstProblem::new(place, NOT_CANONICAL).into()
        }
        error => {
            let what = format!("not a report of `judge grade --json`: {error}");
            Error::input(&check.request.file, &what).into()
        }
    })
}

/// The suite that was graded: the one in the request, or else the bundled one that the report
/// names. Either must match, because a report with forged thresholds could keep the name.
fn suite(report: &GradeReport, check: &mut Check<'_>) -> Result<Option<Suite>, CheckStop> {
    let (suite, whose) = if !check.request.testcases.is_empty() {
        let suite = Suite::of_testcases(&check.request.testcases).map_err(Error::from)?;
        (with_locked(suite, report), "another suite was graded".to_owned())
    } else if let Some(path) = &check.request.suite {
        let suite = suites::named(path, check.events)?;
        let part = suites::part_in_report(suite.clone(), report);
        let suite = part.unwrap_or_else(|| with_locked(suite, report));
        (suite, "another suite was graded".to_owned())
    } else if let Some(part) = suites::bundled_part(report) {
        (part, "another suite was graded".to_owned())
    } else {
        let Some(bundled) = bundled::suite(&report.suite) else { return Ok(None) };
        let what = format!(
            "not the suite `{}` of this judge; name your own suite of that name with \
             `--suite DIR`",
            report.suite
        );
        (bundled.map_err(Error::from)?, what)
    };
    let Some(difference) = judge_grading::unfit(report, &suite) else { return Ok(Some(suite)) };
    let more = judge_grading::other_conditions(report, &suite)
        .filter(|more| more.path != difference.path)
        .map(|JsonDifference { path, sides }| {
            let [told, own] = sides.map(Option::unwrap_or_default);
            format!(" (the first difference: `{path}` is {told}, the suite has {own})")
        });
    Err(differs(&difference, &(whose + &more.unwrap_or_default())).into())
}

/// Adds the hidden testcases whose key or folder is missing to the suite. Reports for students have
/// no rounds there, and students have neither key nor folder.
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

/// A testcase with only the content of a report for students.
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
        credit: told.credit.clone(),
        weight: told.weight,
        extra_credit: !told.extra.is_zero(),
        limits: told.limits,
        options: judge_core::Options::new(),
        shows: told.shows.unwrap_or_default(),
        sha256: told.sha256,
    }
}

fn contradicted(difference: &JsonDifference) -> FirstProblem {
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

fn differs(difference: &JsonDifference, what: &str) -> FirstProblem {
    let [recorded, found] =
        difference.sides.clone().map(|side| side.unwrap_or("nothing".to_owned()));
    FirstProblem::new(&difference.path, what).with(recorded, found)
}
