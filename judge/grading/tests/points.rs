//! The points of a testcase: fractions, weights, extra credit and points by score, as in its file,
//! and the points of a result.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use judge_core::{
    BotIdentity, BotReport, GradeReport, Points, RoundReport, Seed, Shows, TestcaseReport, Timing,
    Verdict, digest,
};
use judge_grading::{RoundInput, RoundSummary, Suite, Testcase, bot_report, contradiction, fold};

fn text(worth: &str) -> String {
    format!("title = \"t\"\ngame = \"amazons\"\nopponent = \"random\"\nseeds = [1]\n{worth}\n")
}

/// The testcase, or the error message with the text that it points at.
fn testcase(worth: &str) -> Result<Testcase, String> {
    let text = text(worth);
    Testcase::parse("01-t.toml", &text).map_err(|error| {
        let span = miette::Diagnostic::labels(&*error).and_then(|mut labels| labels.next());
        match span {
            Some(span) => {
                format!("{error} at `{}`", &text[span.offset()..span.offset() + span.len()])
            }
            None => error.to_string(),
        }
    })
}

fn points(text: &str) -> Points {
    text.parse().unwrap()
}

/// The result of a single round with that score, or of a fault if there is none.
fn result(testcase: &Testcase, score: Option<i64>) -> TestcaseReport {
    let summary = RoundSummary {
        seed: Seed(1),
        budget: testcase.limits.fuel,
        fuel: 1,
        max_call_fuel: 1,
        calls: 1,
        peak_memory_bytes: 1,
        outcome: judge_core::RoundResult {
            scores: [score.unwrap_or_default(), 0],
            winner: None,
            reason: "test".to_owned(),
        },
        fault: score.is_none().then(|| judge_core::Fault {
            seat: Some(judge_core::Seat::One),
            verdict: Verdict::IllegalMove,
            detail: "test".into(),
            call: Some(0),
        }),
        trace: None,
        digest: digest(b"round"),
    };
    fold(testcase, &[RoundInput { seed: Seed(1), summary: Some(&summary) }])
}

const CURVE: &str = "credit = [[0, 0], [400, 2.5], [600, 5]]";

#[test]
fn a_score_between_two_corners_earns_a_part_with_the_calculation() {
    let testcase = testcase(CURVE).unwrap();
    assert_eq!((testcase.min_score, testcase.points), (600, points("5")), "the top of the curve");
    let part = result(&testcase, Some(480));
    assert_eq!((part.verdict, part.points), (Verdict::BelowThreshold, points("3.5")));
    assert_eq!(part.worked_out().unwrap(), "480 between 400 and 600");
    let full = result(&testcase, Some(700));
    assert_eq!((full.verdict, full.points), (Verdict::Accepted, points("5")));
    let fault = result(&testcase, None);
    assert_eq!((fault.verdict, fault.points), (Verdict::IllegalMove, Points::ZERO));
    assert_eq!(fault.worked_out(), None);
}

#[test]
fn weights_and_extra_credit_apply_to_their_testcases() {
    let weighted = testcase(&format!("{CURVE}\nmin_score = 400\nweight = 1.5")).unwrap();
    let part = result(&weighted, Some(480));
    assert_eq!((part.verdict, part.points), (Verdict::Accepted, points("5.25")));
    assert_eq!(part.worked_out().unwrap(), "480 between 400 and 600, weight 1.5");
    let extra = testcase("min_score = 1\npoints = 0.5\nextra_credit = true").unwrap();
    let case = result(&extra, Some(1));
    assert_eq!(
        (case.points, case.max_points, case.extra),
        (points("0.5"), points("0.5"), points("0.5"))
    );
    assert_eq!(case.worked_out().unwrap(), "extra credit");
    assert_eq!(case.counted_points(), Points::ZERO);
}

#[test]
fn mistakes_are_shown_at_their_place() {
    for (worth, expected) in [
        ("min_score = 1\npoints = -1", "at `-1`"),
        ("min_score = 1\npoints = 1.2345", "at `1.2345`"),
        (
            "min_score = 1\npoints = 100000.5",
            "`100000.5` points: expected 0 to 100000 at `100000.5`",
        ),
        ("min_score = 1", "`01-t.toml` has no `points`"),
        ("points = 1", "`01-t.toml` has no `min_score`"),
        ("points = 1\ncredit = [[0, 1]]", "a testcase has `points` or `credit`, not both at `1`"),
        ("credit = []", "a curve without corners at `[]`"),
        ("credit = [[0, 0], [0, 1]]", "the score 0 does not come after 0 at `[0, 1]`"),
        (
            "credit = [[0, 5], [9, 1]]",
            "1 points after 5: a higher score must not earn less at `[9, 1]`",
        ),
        (
            "credit = [[0, 0], [9, 1, 2]]",
            "a corner is two numbers, score and points; found 3 at `[9, 1, 2]`",
        ),
        ("credit = [[0.5, 0]]", "the score `0.5` is not a whole number at `0.5`"),
        (
            "credit = [[0, 0.00001]]",
            "expected 0 to 100000, with at most three decimals at `0.00001`",
        ),
        (
            "credit = [[0, 1]]\nweight = 0",
            "the weight `0`: expected more than 0, up to 1000 at `0`",
        ),
        (
            "min_score = 1\npoints = 2.5\nweight = 0.333",
            "points times 0.333 have more than three decimals at `2.5`",
        ),
        (
            "min_score = 1\npoints = 1000000000000\nweight = 1000",
            "`1000000000000` points times `1000`: expected 0 to 100000 at `1000000000000`",
        ),
        (
            "credit = [[0, 0], [9, 100000]]\nweight = 1.001",
            "`100000` points times `1.001`: expected 0 to 100000 at `[[0, 0], [9, 100000]]`",
        ),
        (
            "credit = [[0, 1], [9, 2]]\nmin_score = 10",
            "full points at 9, but a pass needs 10 at `10`",
        ),
        ("min_score = 1\npoints = 1\nextra = true", "unknown field `extra`"),
    ] {
        let error = testcase(worth).unwrap_err();
        assert!(error.contains(expected), "{worth}: {error}");
    }
}

/// A suite with one plain testcase and one with these points, hidden if requested.
fn suite(head: &str, worth: &str) -> Result<Suite, judge_grading::SuiteError> {
    let plain = text("min_score = 1\npoints = 10");
    let files = [
        ("s/suite.toml".to_owned(), format!("title = \"s\"\n{head}")),
        ("s/01.toml".to_owned(), plain),
        ("s/02.toml".to_owned(), text(worth)),
    ];
    Suite::from_files("s", files.iter().map(|(name, text)| (name.as_str(), text.as_str())))
}

#[test]
fn points_by_score_do_not_reveal_the_score_of_a_hidden_testcase() {
    let hidden = format!("{CURVE}\nhidden = true");
    for head in ["", "[hidden]\nshows = \"points\"", "[hidden]\nshows = \"passed\""] {
        let error = suite(head, &hidden).unwrap_err().to_string();
        assert!(error.contains("would reveal the score of a hidden testcase"), "{head}: {error}");
    }
    assert!(suite("[hidden]\nshows = \"verdict\"", &hidden).is_ok());
    assert!(suite("", CURVE).is_ok());
}

fn report(suite: &Suite, scores: [Option<i64>; 2]) -> GradeReport {
    let cases = std::iter::zip(&suite.testcases, scores);
    let cases = cases.map(|(testcase, score)| result(testcase, score)).collect();
    let bot = BotIdentity { name: "ada".to_owned(), sha256: digest(b"ada"), author: None };
    GradeReport {
        version: GradeReport::VERSION,
        fingerprint: judge_core::Fingerprint { judge: "test".into(), engine: "none".into() },
        suite: suite.name.clone(),
        title: suite.title.clone(),
        bots: vec![bot_report(bot, suite, cases)],
        seal: digest(b""),
        timing: Timing::default(),
    }
    .sealed()
}

#[test]
fn changed_points_in_a_report_are_found() {
    let suite = suite("", &format!("{CURVE}\nweight = 2\nextra_credit = true")).unwrap();
    let whole = report(&suite, [Some(1), Some(480)]);
    let bot = &whole.bots[0];
    assert_eq!((bot.points, bot.max_points), (points("17"), points("10")), "above the maximum");
    assert_eq!(whole.version, 2);
    assert_eq!(contradiction(&whole, Some(&suite)), None);
    assert_eq!(contradiction(&whole, None), None);
    let again = GradeReport::from_json(&whole.to_json()).unwrap();
    assert_eq!(again, whole);
    type Change = fn(&mut BotReport);
    let changes: [(&str, Change); 5] = [
        ("bots[0].testcases[1].points", |bot| bot.testcases[1].points += 1.into()),
        ("bots[0].testcases[1].extra", |bot| bot.testcases[1].extra = Points::ZERO),
        ("bots[0].testcases[1].weight", |bot| bot.testcases[1].weight = None),
        ("bots[0].testcases[1].credit", |bot| bot.testcases[1].credit = None),
        ("bots[0].max_points", |bot| bot.max_points += 10.into()),
    ];
    for (path, change) in changes {
        let mut told = whole.clone();
        change(&mut told.bots[0]);
        let found = contradiction(&told.sealed(), Some(&suite)).unwrap().path;
        assert!(found.starts_with(path), "{path}: {found}");
    }
}

#[test]
fn whole_points_are_written_as_integers() {
    let suite = suite("", "min_score = 5\npoints = 20").unwrap();
    let whole = report(&suite, [Some(1), Some(4)]);
    assert_eq!(whole.version, 1);
    let json = whole.to_json();
    for key in ["extra", "weight", "credit", "10.0"] {
        assert!(!json.contains(key), "{key}: {json}");
    }
}

#[test]
fn hidden_extra_credit_stays_extra_in_the_sum() {
    let hidden = "min_score = 5\npoints = 2.5\nhidden = true\nextra_credit = true";
    let suite = suite("[hidden]\nshows = \"points\"", hidden).unwrap();
    let seen = report(&suite, [Some(1), Some(5)]).for_student().into_report();
    let bot = &seen.bots[0];
    assert_eq!((bot.points, bot.max_points), (points("12.5"), points("10")));
    assert_eq!(
        (bot.testcases[1].max_points, bot.testcases[1].extra),
        (points("2.5"), points("2.5"))
    );
    assert_eq!(bot.testcases[1].shows, Some(Shows::Points));
    assert_eq!(contradiction(&seen, Some(&suite)), None);
    assert_eq!(contradiction(&seen, None), None);
    let rounds: &[RoundReport] = &bot.testcases[1].rounds;
    assert!(rounds.is_empty());
}
