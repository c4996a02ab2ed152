//! The part of a result that students may see: the only type that student formats and pages accept,
//! and the only module that creates it.

use std::ops::Deref;

use serde::Serialize;

use crate::{
    Blame, BotReport, Explanation, GradeReport, Limits, Points, Refused, Seat, Shows,
    TestcaseReport, Timing, Verdict, digest,
};

/// A report in which hidden rounds affect only the part that the suite shows. Only
/// [`GradeReport::for_student`] creates it, so that a text for students is never made from a whole
/// report by mistake.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct StudentReport(GradeReport);

/// One bot of a [`StudentReport`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StudentBot<'a>(&'a BotReport);

impl StudentReport {
    /// Its bots, in the report's order.
    pub fn bots(&self) -> impl Iterator<Item = StudentBot<'_>> {
        self.0.bots.iter().map(StudentBot)
    }

    /// Converts it to a plain report, for functions that accept whole ones too.
    pub fn into_report(self) -> GradeReport {
        self.0
    }
}

impl Deref for StudentReport {
    type Target = GradeReport;

    fn deref(&self) -> &GradeReport {
        &self.0
    }
}

impl Deref for StudentBot<'_> {
    type Target = BotReport;

    fn deref(&self) -> &BotReport {
        self.0
    }
}

impl GradeReport {
    /// A student's view of the report. Applying it twice changes nothing.
    pub fn for_student(&self) -> StudentReport {
        if !self.bots.iter().any(BotReport::has_hidden) {
            return StudentReport(self.clone());
        }
        let bots = self.bots.iter().map(BotReport::for_student).collect();
        // The sums of the clock include hidden rounds.
        StudentReport(GradeReport { bots, timing: Timing::default(), ..self.clone() }.sealed())
    }
}

impl BotReport {
    /// A student's view of the results: without rounds of hidden testcases or sums that include
    /// them. The digest covers only the visible part. Use this for comparisons, and a
    /// [`StudentReport`] for display.
    pub fn for_student(&self) -> BotReport {
        if !self.has_hidden() {
            return self.clone();
        }
        let (bot, refused) = (self.bot.clone(), self.refused.as_ref().map(Refused::for_student));
        BotReport::new(bot, refused, self.max_points, for_student(&self.testcases))
    }

    /// True if rounds of hidden testcases affect it.
    fn has_hidden(&self) -> bool {
        let refused = self.refused.as_ref().is_some_and(|refused| refused.shows.is_some());
        refused || self.testcases.iter().any(|case| case.hidden)
    }
}

/// The text for students about a submission that exceeded its bounds, perhaps in hidden rounds.
fn beyond_bounds() -> Explanation {
    Explanation::new(
        "the submission as a whole went beyond its bounds, and nothing of it counts",
        "let it compute less and log less; your instructor can see which bound was exceeded",
    )
}

impl Refused {
    /// A student's view of the refusal. The name of the exceeded bound would reveal something about
    /// hidden rounds.
    fn for_student(&self) -> Refused {
        match self.shows {
            None | Some(Shows::Verdict) => self.clone(),
            Some(Shows::Passed | Shows::Points) => {
                Refused { verdict: Verdict::BelowThreshold, why: beyond_bounds(), ..self.clone() }
            }
        }
    }
}

impl TestcaseReport {
    /// The part that students see. A report without rounds shows the verdict.
    fn visibility(&self) -> Shows {
        let older = if self.rounds.is_empty() { Shows::Verdict } else { Shows::default() };
        self.shows.unwrap_or(older)
    }

    /// A hidden testcase without any data that reveals its rounds.
    fn withheld(&self) -> TestcaseReport {
        TestcaseReport {
            detail: "hidden".to_owned(),
            // The hash of a file with guessable seeds would confirm a guess.
            sha256: digest(b"hidden"),
            fuel: 0,
            peak_memory_bytes: 0,
            rounds: Vec::new(),
            reproduce: None,
            trace: None,
            shows: self.shows.map(|_| self.visibility()),
            ..self.clone()
        }
    }

    /// A hidden testcase that shows only whether it passed. It also shows a failure of the judge,
    /// which counts against no bot.
    fn masked(&self) -> TestcaseReport {
        let verdict = match self.verdict {
            Verdict::Accepted | Verdict::JudgeError => self.verdict,
            _ => Verdict::BelowThreshold,
        };
        let blame = (verdict == Verdict::JudgeError).then_some(Blame::Judge);
        let shows = Some(self.visibility());
        TestcaseReport { verdict, blame, score: 0, shows, ..self.withheld() }
    }

    /// Combines all hidden testcases of a suite.
    fn sum_of_hidden(cases: &[&TestcaseReport]) -> Option<TestcaseReport> {
        let first = cases.first()?;
        let title = match cases {
            [one] if one.is_sum_of_hidden() => one.title.clone(),
            [_] => "1 testcase".to_owned(),
            several => format!("{} testcases", several.len()),
        };
        let sum = |pick: fn(&TestcaseReport) -> Points| {
            cases.iter().map(|case| pick(case)).sum::<Points>()
        };
        let (points, max_points) = (sum(|case| case.points), sum(|case| case.max_points));
        let failed = cases.iter().any(|case| case.verdict == Verdict::JudgeError);
        let verdict = match failed {
            true => Verdict::JudgeError,
            false if points == max_points => Verdict::Accepted,
            false => Verdict::BelowThreshold,
        };
        let case = TestcaseReport { verdict, shows: Some(Shows::Points), ..first.masked() };
        Some(TestcaseReport {
            name: TestcaseReport::SUM_OF_HIDDEN.to_owned(),
            title,
            opponent: String::new(),
            seat: Seat::One,
            blame: failed.then_some(Blame::Judge),
            min_score: 0,
            points,
            max_points,
            extra: sum(|case| case.extra),
            // This belongs to a single testcase, not to the sum.
            weight: None,
            credit: None,
            limits: Limits::COURSE,
            ..case
        })
    }
}

/// A student's view of the testcases.
fn for_student(testcases: &[TestcaseReport]) -> Vec<TestcaseReport> {
    let in_sum = |case: &&TestcaseReport| case.hidden && case.visibility() == Shows::Points;
    let single =
        testcases.iter().filter(|case| !in_sum(case)).map(|case| match case.visibility() {
            _ if !case.hidden => case.clone(),
            Shows::Verdict => case.withheld(),
            Shows::Passed | Shows::Points => case.masked(),
        });
    let summed: Vec<&TestcaseReport> = testcases.iter().filter(in_sum).collect();
    single.chain(TestcaseReport::sum_of_hidden(&summed)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BotIdentity, FailureTrace, RoundReport, Seed};

    fn case(name: &str, verdict: Verdict, shows: Option<Shows>) -> TestcaseReport {
        TestcaseReport {
            name: name.to_owned(),
            title: "x".to_owned(),
            game: "mahjong".to_owned(),
            opponent: "random".to_owned(),
            seat: Seat::Two,
            sha256: digest(name.as_bytes()),
            verdict,
            blame: verdict.is_fault().then_some(Blame::Bot),
            detail: format!("why {verdict}"),
            score: 77,
            min_score: 50,
            points: if verdict == Verdict::Accepted { Points::whole(10) } else { Points::ZERO },
            max_points: Points::whole(10),
            extra: Points::ZERO,
            weight: None,
            credit: None,
            hidden: shows.is_some(),
            shows,
            limits: Limits::COURSE,
            fuel: 5,
            peak_memory_bytes: 6,
            rounds: vec![RoundReport {
                round: 1,
                seed: Seed(7),
                verdict,
                blame: None,
                score: 77,
                opponent_score: 0,
                outcome: None,
                fault: None,
                fuel: 5,
                max_call_fuel: 5,
                calls: 1,
                peak_memory_bytes: 6,
                digest: None,
            }],
            reproduce: Some("--seed 7".to_owned()),
            trace: Some(trace("said in the round")),
        }
    }

    fn trace(text: &str) -> FailureTrace {
        FailureTrace { log: vec![text.to_owned()], ..FailureTrace::default() }
    }

    fn bot(testcases: Vec<TestcaseReport>) -> BotReport {
        let bot = BotIdentity { name: "ada".into(), sha256: digest(b"ada"), author: None };
        BotReport::new(bot, None, Points::whole(10 * testcases.len() as u32), testcases)
    }

    #[test]
    fn students_see_the_same_for_every_way_to_fail() {
        let of = |verdict, shows| {
            let open = case("01-open", Verdict::Accepted, None);
            bot(vec![open, case("02-hidden", verdict, Some(shows))]).for_student()
        };
        let failures = Verdict::ALL.into_iter().filter(|verdict| {
            !matches!(verdict, Verdict::Accepted | Verdict::JudgeError | Verdict::BelowThreshold)
        });
        for verdict in failures {
            for shows in [Shows::Passed, Shows::Points] {
                assert_eq!(of(verdict, shows), of(Verdict::BelowThreshold, shows), "{verdict}");
            }
            assert_eq!(of(verdict, Shows::Verdict).worst_label(), verdict.label());
        }
        let shown = of(Verdict::RuntimeError, Shows::Passed);
        assert_eq!(
            (shown.score, shown.points, shown.worst_label()),
            (77, Points::whole(10), "Not passed")
        );
        assert_eq!(shown.testcases[1].label(), "Not passed");
    }

    #[test]
    fn an_exceeded_bound_is_not_shown_with_hidden_rounds() {
        let of = |verdict, shows| {
            let bot = bot(Vec::new()).bot;
            let why = Explanation::without_hint(format!("why {verdict}"));
            let refused = Refused { verdict, blame: Blame::Bot, why, shows };
            BotReport::new(bot, Some(refused), Points::whole(10), Vec::new()).for_student()
        };
        use Verdict::{OutputLimitExceeded, TimeLimitExceeded};
        for shows in [Shows::Passed, Shows::Points] {
            let shown = of(TimeLimitExceeded, Some(shows));
            assert_eq!(shown, of(OutputLimitExceeded, Some(shows)));
            assert_eq!((shown.worst_label(), shown.for_student()), ("Not passed", shown.clone()));
        }
        for shows in [None, Some(Shows::Verdict)] {
            assert_eq!(of(TimeLimitExceeded, shows).worst_label(), "Time limit exceeded");
        }
    }

    #[test]
    fn hiding_a_report_for_students_twice_changes_nothing() {
        for shows in Shows::ALL {
            let hidden = |name, verdict| case(name, verdict, Some(shows));
            let whole = bot(vec![
                hidden("01", Verdict::Accepted),
                hidden("02", Verdict::TimeLimitExceeded),
                hidden("03", Verdict::JudgeError),
            ]);
            let shown = whole.for_student();
            assert_eq!(shown.for_student(), shown, "{shows:?}");
            assert_eq!((shown.points, shown.max_points), (Points::whole(10), Points::whole(30)));
            assert_eq!(shown.worst_verdict(), Verdict::JudgeError, "which is owed");
            let json = serde_json::to_string(&shown).expect("JSON");
            for withheld in ["--seed", "why", "trace", "said"] {
                assert!(!json.contains(withheld), "{json}");
            }
        }
    }

    #[test]
    fn the_sum_of_hidden_testcases_hides_which_were_passed() {
        let of = |verdicts: [Verdict; 3]| {
            let cases = (1..).zip(verdicts);
            let cases = cases.map(|(n, v)| case(&format!("0{n}"), v, Some(Shows::Points)));
            bot(cases.collect()).for_student()
        };
        use Verdict::{Accepted, BelowThreshold, MemoryLimitExceeded};
        let one = of([Accepted, BelowThreshold, MemoryLimitExceeded]);
        assert_eq!(one, of([BelowThreshold, MemoryLimitExceeded, Accepted]));
        assert_eq!(one.testcases.len(), 1);
        assert_eq!(one.testcases[0].title, "3 testcases");
        assert_eq!(of([Accepted; 3]).worst_label(), "Accepted");
    }

    #[test]
    fn the_visibility_is_not_part_of_a_digest() {
        let digests = [None, Some(Shows::Points), Some(Shows::Verdict)].map(|shows| {
            let case =
                TestcaseReport { shows, ..case("01", Verdict::RuntimeError, Some(Shows::Passed)) };
            bot(vec![case]).digest
        });
        assert!(digests.iter().all(|digest| *digest == digests[0]));
    }

    #[test]
    fn traces_change_no_digest_and_no_seal() {
        let of = |trace: Option<FailureTrace>| {
            let case = TestcaseReport { trace, ..case("01", Verdict::RuntimeError, None) };
            let report = GradeReport {
                version: 1,
                fingerprint: crate::Fingerprint { judge: "0".into(), engine: "0".into() },
                suite: "s".to_owned(),
                title: "t".to_owned(),
                bots: vec![bot(vec![case])],
                seal: digest(b""),
                timing: Timing::default(),
            };
            report.sealed()
        };
        let (none, some) = (of(None), of(Some(trace("one"))));
        assert_eq!(none.seal, some.seal);
        assert_eq!(none.bots[0].digest, some.bots[0].digest);
        assert_eq!(some.without_traces(), none);
        assert!(!none.to_json().contains("trace"), "only where there is one");
        let read = GradeReport::from_json(&some.to_json()).expect("the same bytes");
        assert_eq!((read.seal, read), (some.seal, some));
    }
}
