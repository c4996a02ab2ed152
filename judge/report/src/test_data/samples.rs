//! Results for tests: a bot for each outcome.

use judge_core::{
    Blame, BotIdentity, BotReport, Explanation, FailureTrace, Fault, Fingerprint, GradeReport,
    Limits, Points, Refused, RoundReport, RoundResult, RoundRow, Seat, SeatResult, Seed,
    TestcaseReport, Timing, Verdict, digest,
};

fn testcase(name: &str, verdict: Verdict, score: i64, detail: &str) -> TestcaseReport {
    let passed = verdict == Verdict::Accepted;
    TestcaseReport {
        name: name.to_owned(),
        title: "A testcase".to_owned(),
        game: "mahjong".to_owned(),
        opponent: "random".to_owned(),
        seat: Seat::One,
        sha256: digest(name.as_bytes()),
        verdict,
        blame: verdict.is_fault().then_some(Blame::Bot),
        detail: detail.into(),
        score,
        min_score: 100,
        points: if passed { Points::whole(20) } else { Points::ZERO },
        max_points: Points::whole(20),
        extra: Points::ZERO,
        weight: None,
        credit: None,
        hidden: false,
        shows: None,
        limits: Limits::COURSE,
        fuel: 12_345_678,
        peak_memory_bytes: 131_080,
        rounds: Vec::new(),
        reproduce: (!passed)
            .then(|| "--game mahjong --seed 3 --against random --seat 1".to_owned()),
        trace: (verdict == Verdict::RuntimeError).then(trace),
    }
}

/// The end of a round with a panic, as a hostile author would like it.
fn trace() -> FailureTrace {
    let lines = |lines: &[&str]| lines.iter().map(|&line| line.to_owned()).collect();
    FailureTrace {
        message: Some("panicked at src/main.rs:33: <b>`no`</b> square".to_owned()),
        frames: lines(&["think (src/main.rs:33)", "… 3 functions of the language or the kit"]),
        log: lines(&["::error::x", "12 moves"]),
    }
}

fn bot(name: &str, refused: Option<Refused>, testcases: Vec<TestcaseReport>) -> BotReport {
    BotReport {
        bot: BotIdentity {
            name: name.to_owned(),
            sha256: digest(name.as_bytes()),
            author: Some("A <b>".to_owned()),
        },
        refused,
        points: testcases.iter().map(|case| case.points).sum(),
        max_points: Points::whole(40),
        score: testcases.iter().map(|case| case.score).sum(),
        passed: testcases.iter().filter(|case| case.verdict == Verdict::Accepted).count() as u32,
        testcases,
        digest: digest(b"all"),
    }
}

/// A run with a good bot, one that fails with hostile text, one with a judge error, and one that
/// was refused.
pub(crate) fn report() -> GradeReport {
    let accepted = || testcase("01-easy", Verdict::Accepted, 123, "23 above the threshold");
    let below = testcase("02-hard", Verdict::BelowThreshold, 77, "23 short of the threshold");
    let trap = "round 1, line 9: division by zero in function `\u{1b}[31mx]]>&`\u{7}";
    let broken = testcase("02-hard", Verdict::RuntimeError, 0, trap);
    let mut ours = testcase("02-hard", Verdict::JudgeError, 0, "round 1: the worker ended");
    ours.blame = Some(Blame::Judge);
    let refused = Refused::new(Explanation::new("the file is empty", "build it again"));
    GradeReport {
        version: GradeReport::WHOLE_POINTS,
        fingerprint: Fingerprint { judge: "0.1.0".to_owned(), engine: "engine".to_owned() },
        suite: "samples".to_owned(),
        title: "Samples".to_owned(),
        bots: vec![
            bot("plain", None, vec![accepted(), below]),
            bot("evil\u{1b}[2J", None, vec![accepted(), broken]),
            bot("unlucky", None, vec![accepted(), ours]),
            bot("empty", Some(refused), Vec::new()),
        ],
        seal: digest(b"seal"),
        timing: Timing::default(),
    }
}

/// Texts that attack the program that displays them.
pub(crate) const HOSTILE: [&str; 8] = [
    "::error title=x::y",
    "fine\n  ::set-env name=PATH::/tmp\r\n##[error]no",
    "<img src=x onerror=alert(1)></script><script>alert(2)</script>",
    "=HYPERLINK(\"http://x\",\"a, b\")",
    "a | b\\ | **c** [d](http://x) `e` @everyone",
    "```\n# heading\n\n* list",
    "\u{1b}]8;;http://x\u{7}link\u{1b}[2J\u{202e}gnp.exe",
    "{{constructor}} ${x} %0A::error::z &lt;",
];

/// A run with one bot that has a hostile name and fails with hostile text.
pub(crate) fn hostile(texts: &[&str]) -> GradeReport {
    let mut testcases = Vec::new();
    for (number, text) in texts.iter().enumerate() {
        let mut case = testcase(text, Verdict::RuntimeError, number as i64, text);
        case.title = (*text).to_owned();
        case.reproduce = Some(format!("--option {text}"));
        testcases.push(case);
    }
    let mut report = report();
    let first = texts.first().copied().unwrap_or_default();
    report.bots = vec![bot(first, None, testcases)];
    report.suite = first.to_owned();
    report
}

/// [`hostile`], for a bot that was refused.
pub(crate) fn hostile_refusal(text: &str) -> GradeReport {
    let mut report = hostile(&[text]);
    report.bots = vec![bot(text, Some(Refused::new(text.to_owned().into())), Vec::new())];
    report
}

/// [`report`] with a good and a broken round in each testcase that was played.
pub(crate) fn with_rounds() -> GradeReport {
    let mut report = report();
    let cases = report.bots.iter_mut().flat_map(|bot| &mut bot.testcases);
    cases.for_each(|case| {
        case.rounds = vec![round(1, None), round(2, Some("the stack overflowed"))];
    });
    report
}

fn round(number: u32, broken: Option<&str>) -> RoundReport {
    let fault = broken.map(|detail| Fault {
        seat: Some(Seat::One),
        verdict: Verdict::RuntimeError,
        detail: detail.into(),
        call: Some(8),
    });
    RoundReport {
        round: number,
        seed: Seed(7),
        verdict: fault.as_ref().map_or(Verdict::Accepted, |fault| fault.verdict),
        blame: fault.as_ref().map(|_| Blame::Bot),
        score: 50,
        opponent_score: 40,
        outcome: Some(RoundResult { scores: [50, 40], winner: None, reason: "the end".to_owned() }),
        fault,
        fuel: 1_000_000,
        max_call_fuel: 10_000,
        calls: 12,
        peak_memory_bytes: 131_080,
        digest: Some(digest(b"round")),
    }
}

/// A round of `ada` in seat 1 and the bot `bob` in seat 2 that ended with these scores.
pub(crate) fn round_row(round: u64, a: Seat, scores: [i64; 2]) -> RoundRow {
    let winner = match scores[0].cmp(&scores[1]) {
        std::cmp::Ordering::Greater => Some(Seat::One),
        std::cmp::Ordering::Less => Some(Seat::Two),
        std::cmp::Ordering::Equal => None,
    };
    let result = match winner {
        None => SeatResult::Draw,
        Some(winner) if winner == a => SeatResult::Win,
        Some(_) => SeatResult::Loss,
    };
    RoundRow {
        round,
        meeting: 1,
        pair: Some(round.div_ceil(2)),
        seed: Seed(6 + round.div_ceil(2)),
        opening: "start".to_owned(),
        seat_1: "ada".to_owned(),
        seat_2: "bob".to_owned(),
        sha256_1: None,
        sha256_2: Some(digest(b"bob")),
        a,
        result,
        winner,
        score_1: scores[0],
        score_2: scores[1],
        reason: "wall empty".to_owned(),
        fault: None,
        blame: None,
        detail: None,
        plies: 3,
        fuel_1: None,
        fuel_2: Some(12_345_678),
        memory_1: None,
        memory_2: Some(131_080),
        counts: true,
        course: "00000000000000ab".to_owned(),
        digest: digest(b"record"),
    }
}
