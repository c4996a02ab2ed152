//! Contradictions in changed reports.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use judge_core::{
    Blame, BotIdentity, Call, Explanation, Fault, Fingerprint, GradeReport, Limits, PlayerFault,
    REPLAY_VERSION, RecordHeader, RecordTrailer, Refused, RoundRecord, RoundResult, Seat, SeatSpec,
    Shows, TestcaseReport, Timing, Verdict, digest,
};
use judge_grading::{
    BudgetLeft, RoundInput, RoundSummary, Suite, bot_report, contradiction, fold, refused_report,
    unfit,
};
use judge_referee::RoundOutline;

/// A suite of two testcases with a budget of 1000 fuel.
fn suite() -> Suite {
    let text = |game: &str, seat: u8| {
        format!(
            "title = \"Two rounds\"\ngame = \"{game}\"\nopponent = \"random\"\nseat = {seat}\n\
             seeds = [1, 2]\nmin_score = 100\npoints = 10\n"
        )
    };
    let (one, two) = (text("mahjong", 1), text("cc", 2));
    let options = one.clone() + "[options]\nvoid_suit = true\n";
    let files = [
        ("suite.toml", "title = \"Pair\""),
        ("01-one.toml", options.as_str()),
        ("02-two.toml", two.as_str()),
    ];
    let mut suite = Suite::from_files("pair", files).unwrap();
    for testcase in &mut suite.testcases {
        testcase.limits = Limits { fuel: 1000, ..Limits::COURSE };
    }
    suite
}

/// A round in which each of the bot's calls costs `fuel`, played with `budget`.
fn round(suite: &Suite, case: usize, at: usize, score: i64, fuel: u64, budget: u64) -> RoundRecord {
    let testcase = &suite.testcases[case];
    let bot = SeatSpec::Bot { name: "bot".to_owned(), sha256: digest(b"bot") };
    let mut spec = testcase.specs(&bot).nth(at).unwrap();
    spec.limits.fuel = budget;
    let (line, answer) = ("discard?".to_owned(), Some("3b".to_owned()));
    let call = Call { seat: testcase.seat, line, answer, fuel: Some(fuel) };
    let mut scores = [3, 3];
    scores[testcase.seat.index()] = score;
    let outcome = RoundResult { scores, winner: None, reason: "test".into() };
    let fingerprint = Fingerprint { judge: "test".into(), engine: "none".into() };
    RoundRecord {
        header: RecordHeader { replay: REPLAY_VERSION, spec, fingerprint },
        calls: vec![call.clone(), call],
        trailer: RecordTrailer::new(outcome, None),
    }
}

/// The summary of a record for the graded bot.
fn summary(testcase: &judge_grading::Testcase, record: &RoundRecord) -> RoundSummary {
    let spec = &record.header.spec;
    let outline = RoundOutline::new(record);
    RoundSummary::new(testcase.seat, spec.seed, spec.limits.fuel, &outline)
}

/// Three bots: one that plays, one that runs out of time in its second round, one refused.
fn report() -> GradeReport {
    let suite = suite();
    let identity = |name: &str| BotIdentity {
        name: name.to_owned(),
        sha256: digest(name.as_bytes()),
        author: None,
    };
    let bot = |name: &str, out_of_time: bool| {
        let testcases = (0..2).map(|case| {
            let testcase = &suite.testcases[case];
            let mut records =
                [round(&suite, case, 0, 70, 20, 1000), round(&suite, case, 1, 60, 9, 1000)];
            if out_of_time && case == 0 {
                let PlayerFault { verdict, detail } = PlayerFault::out_of_time();
                records[1] = round(&suite, case, 1, 0, 9, 960);
                records[1].trailer.fault =
                    Some(Fault { seat: Some(Seat::One), verdict, detail, call: Some(4) });
            }
            let summaries = records.map(|record| summary(testcase, &record));
            let inputs: Vec<RoundInput<'_>> = std::iter::zip(&testcase.seeds, &summaries)
                .map(|(seed, summary)| RoundInput { seed: *seed, summary: Some(summary) })
                .collect();
            let mut budget = BudgetLeft::full(testcase);
            for summary in &summaries {
                assert_eq!(budget.replay(Some(summary)), None);
                budget.pay(Some(summary));
            }
            fold(testcase, &inputs)
        });
        bot_report(identity(name), &suite, testcases.collect())
    };
    let refused = Refused::new(Explanation::without_hint("the file is empty"));
    GradeReport {
        version: GradeReport::VERSION,
        fingerprint: Fingerprint { judge: "test".into(), engine: "none".into() },
        suite: suite.name.clone(),
        title: suite.title.clone(),
        bots: vec![
            bot("good", false),
            bot("slow", true),
            refused_report(identity("empty"), &suite, refused),
        ],
        seal: digest(b""),
        timing: Timing::default(),
    }
    .sealed()
}

/// The first contradiction after a change, with a valid seal.
fn found(change: impl FnOnce(&mut GradeReport)) -> String {
    let mut report = report();
    change(&mut report);
    contradiction(&report.sealed(), Some(&suite())).map(|found| found.path).unwrap_or_default()
}

#[test]
fn an_honest_report_verifies_with_and_without_its_suite() {
    let report = report();
    assert_eq!(contradiction(&report, Some(&suite())), None);
    assert_eq!(contradiction(&report, None), None);
    assert_eq!(unfit(&report, &suite()), None);
    assert_eq!(GradeReport::from_json(&report.to_json()), Ok(report));
}

#[test]
fn a_figure_that_does_not_follow_is_named() {
    type Change = fn(&mut GradeReport);
    let changes: [(&str, Change); 13] = [
        ("bots[0].testcases[0].rounds[0].score", |r| r.bots[0].testcases[0].rounds[0].score = 71),
        ("bots[0].testcases[1].rounds[0].seed", |r| r.bots[0].testcases[1].rounds[0].seed.0 = 9),
        ("bots[0].testcases[1].fuel", |r| r.bots[0].testcases[1].fuel += 1),
        ("bots[0].testcases[1].score", |r| r.bots[0].testcases[1].score += 1),
        ("bots[0].testcases[1].min_score", |r| r.bots[0].testcases[1].min_score = 0),
        ("bots[1].testcases[0].points", |r| r.bots[1].testcases[0].points = 10.into()),
        ("bots[1].testcases[0].rounds[1].fuel", |r| r.bots[1].testcases[0].rounds[1].fuel = 5),
        ("bots[1].testcases[0].reproduce", |r| r.bots[1].testcases[0].reproduce = None),
        ("bots[1].points", |r| r.bots[1].points = 20.into()),
        ("bots[2].max_points", |r| r.bots[2].max_points = 30.into()),
        ("bots[0].digest", |r| r.bots[0].testcases[0].rounds[0].max_call_fuel = 19),
        ("bots[0].digest", |r| r.bots[0].digest = digest(b"other")),
        ("title", |r| r.title = "Other".to_owned()),
    ];
    for (path, change) in changes {
        assert_eq!(found(change), path);
    }
    // A name is not a figure; only the old seal no longer matches.
    assert_eq!(found(|report| report.bots[0].bot.name = "me".to_owned()), "");
    let mut renamed = report();
    renamed.bots[0].bot.name = "me".to_owned();
    assert_eq!(contradiction(&renamed, None).unwrap().path, "seal");
}

#[test]
fn a_report_has_the_fuel_to_repeat_each_round() {
    // Without the suite the options are unknown, and the command line is not checked.
    let suite = Suite { testcases: suite().testcases[..1].to_vec(), ..suite() };
    let named = |case: &TestcaseReport| {
        let bots = vec![bot_report(report().bots[0].bot.clone(), &suite, vec![case.clone()])];
        let told = GradeReport { bots, ..report() }.sealed();
        contradiction(&told, Some(&suite)).map(|found| found.path)
    };
    let with_fuel = |case: &TestcaseReport, old: &str, new: &str| {
        let command = case.reproduce.as_ref().unwrap();
        assert!(command.ends_with(old), "{command}");
        let reproduce = Some(command.replace(old, new));
        TestcaseReport { reproduce, ..case.clone() }
    };
    let reproduce = Some("bots[0].testcases[0].reproduce".to_owned());
    let slow = &report().bots[1].testcases[0];
    assert_eq!(named(slow), None);
    assert_eq!(named(&with_fuel(slow, "--fuel 960", "--fuel 1000")), reproduce);

    // A round in which the judge failed: its report has the specification.
    let testcase = &suite.testcases[0];
    let mut records = [round(&suite, 0, 0, 70, 20, 1000), round(&suite, 0, 1, 0, 9, 1000)];
    records[1].trailer.fault = Some(Fault::judge("the worker ended"));
    records[1].calls.clear();
    let summaries = records.map(|record| summary(testcase, &record));
    let input = |summary: &RoundSummary| summary.seed;
    let inputs =
        summaries.each_ref().map(|one| RoundInput { seed: input(one), summary: Some(one) });
    let broken = fold(testcase, &inputs);
    assert_eq!(named(&broken), None);
    assert_eq!(named(&with_fuel(&broken, "--fuel 1000", "--fuel 960")), None);
    assert_eq!(named(&with_fuel(&broken, "--fuel 1000", "--fuel 959")), reproduce);
}

#[test]
fn figures_that_would_overflow_are_named() {
    type Change = fn(&mut GradeReport);
    let changes: [(&str, Change); 4] = [
        ("rounds[0].score", |r| r.bots[0].testcases[0].rounds[0].score = i64::MAX),
        ("min_score", |r| r.bots[0].testcases[0].min_score = i64::MIN),
        ("max_points", |r| r.bots[0].testcases[0].max_points = u32::MAX.into()),
        ("rounds[1].fault.call", |r| {
            r.bots[1].testcases[0].rounds[1].fault.as_mut().unwrap().call = Some(u32::MAX);
        }),
    ];
    for (path, change) in changes {
        let mut report = report();
        change(&mut report);
        let found = contradiction(&report.sealed(), None).unwrap();
        assert!(found.path.ends_with(path), "{}", found.path);
        assert!(found.sides[1].as_ref().unwrap().contains(" to "), "{:?}", found.sides);
    }
}

#[test]
fn another_suite_and_missing_rounds_are_named() {
    let mut fewer = report();
    fewer.bots[0].testcases[1].rounds.pop();
    let difference = unfit(&fewer, &suite()).unwrap();
    assert_eq!(difference.path, "bots[0].testcases[1].rounds");
    assert_eq!(difference.sides.map(Option::unwrap), ["1 rounds", "2 rounds"]);
    fewer.bots[0].testcases.pop();
    assert_eq!(unfit(&fewer, &suite()).unwrap().path, "bots[0].testcases");
    let mut other = suite();
    other.testcases.swap(0, 1);
    assert_eq!(unfit(&report(), &other).unwrap().path, "bots[0].testcases[0].sha256");
}

#[test]
fn a_sum_of_missing_hidden_testcases_is_named() {
    let mut forged = report();
    let mut sum = forged.bots[0].testcases[0].clone();
    sum.name = TestcaseReport::SUM_OF_HIDDEN.to_owned();
    (sum.hidden, sum.shows, sum.max_points) = (true, Some(Shows::Points), judge_core::Points::ZERO);
    sum.rounds.clear();
    forged.bots[0].testcases.push(sum);
    let difference = unfit(&forged, &suite()).unwrap();
    assert_eq!(difference.path, "bots[0].testcases[2]");
    let [told, own] = difference.sides.map(Option::unwrap);
    assert_eq!(told, "`hidden testcases`");
    assert!(own.starts_with("not of the suite"), "{own}");
    // If the hidden folder is missing, there may be hidden testcases.
    let absent = Suite { absent: Some("secret".into()), ..suite() };
    assert_eq!(unfit(&forged, &absent), None);
}

#[test]
fn any_changed_byte_except_of_the_wall_clock_is_found() {
    let mut report = report();
    report.bots.truncate(1);
    report.bots[0].testcases.truncate(1);
    let (suite, bot) =
        (Suite { testcases: suite().testcases[..1].to_vec(), ..suite() }, &report.bots[0]);
    report.bots = vec![bot_report(bot.bot.clone(), &suite, bot.testcases.clone())];
    let text = report.sealed().to_json();
    let bytes = text.as_bytes();
    let mut parsed = 0;
    for at in 0..text.find("\"timing\"").unwrap() {
        let edits = [(at + 1, vec![bytes[at] ^ 1]), (at + 1, vec![]), (at, vec![bytes[at]])];
        for (rest, new) in edits {
            let edited = [&bytes[..at], &new, &bytes[rest..]].concat();
            let Ok(edited) = String::from_utf8(edited) else { continue };
            let Ok(told) = GradeReport::from_json(&edited) else { continue };
            if edited != text {
                let named = contradiction(&told, None).expect(&edited);
                assert!(!named.path.is_empty());
                parsed += 1;
            }
        }
    }
    assert!(parsed > 500, "{parsed} edits leave a report that can be read");
}

#[test]
fn an_unreadable_submission_is_only_a_judge_error() {
    let suite = suite();
    let unreadable = |blame| Refused {
        verdict: Verdict::JudgeError,
        blame,
        why: Explanation::without_hint("cannot read `x`"),
        shows: None,
    };
    let with = |refused| {
        let bot = report().bots[0].bot.clone();
        GradeReport { bots: vec![refused_report(bot, &suite, refused)], ..report() }.sealed()
    };
    assert_eq!(contradiction(&with(unreadable(Blame::Judge)), Some(&suite)), None);
    assert!(contradiction(&with(unreadable(Blame::Bot)), Some(&suite)).is_some());
}

#[test]
fn a_report_of_a_submission_beyond_its_bounds_verifies() {
    let suite = suite();
    let shown = |verdict, blame, shows| {
        let bot = report().bots[0].bot.clone();
        let why = Explanation::without_hint("more than 3 s");
        let refused = Refused { verdict, blame, why, shows };
        GradeReport { bots: vec![refused_report(bot, &suite, refused)], ..report() }.sealed()
    };
    let with = |verdict, blame| shown(verdict, blame, None);
    for verdict in [Verdict::TimeLimitExceeded, Verdict::OutputLimitExceeded] {
        assert_eq!(contradiction(&with(verdict, Blame::Bot), Some(&suite)), None, "{verdict}");
        assert!(contradiction(&with(verdict, Blame::Judge), Some(&suite)).is_some(), "{verdict}");
    }
    // A submission as a whole gets no other verdict.
    assert!(contradiction(&with(Verdict::RuntimeError, Blame::Bot), Some(&suite)).is_some());
    // Students see no refusal if rounds are hidden.
    let masked = |shows| shown(Verdict::BelowThreshold, Blame::Bot, shows);
    assert_eq!(contradiction(&masked(Some(Shows::Points)), Some(&suite)), None);
    assert!(contradiction(&masked(None), Some(&suite)).is_some());
}
