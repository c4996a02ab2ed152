//! Advice after a failed testcase, one line per verdict.

use judge_core::{Fault, Limits, RoundReport, TestcaseReport, Verdict};

use crate::script_advice::{SCRIPT, advice_on_script};
use crate::text::tame_in_one_line;
use crate::units::kib;

/// Returns the next step for the bot's author; none after a passed testcase, for a refusal, which
/// has its own hint, and where the rounds are withheld.
pub fn advice(case: &TestcaseReport) -> Option<&'static str> {
    failed_call(case)?.advice()
}

/// The failure of a testcase with visible rounds.
fn failed_call(case: &TestcaseReport) -> Option<FailedCall<'_>> {
    if case.is_withheld() {
        return None;
    }
    let frames = case.trace.as_ref().map(|trace| trace.frames.as_slice()).unwrap_or_default();
    let message = case.trace.as_ref().and_then(|trace| trace.message.as_deref());
    let time = time_pattern(case);
    Some(FailedCall { verdict: case.verdict, detail: &case.detail, message, frames, time })
}

/// [`advice`] with the figures of the testcase.
pub(crate) fn advice_with_figures(case: &TestcaseReport) -> Option<String> {
    failed_call(case)?.advice_under(&case.limits)
}

/// The command that finds the cause of a failed testcase, with a title: the moves that cost its
/// points, or the functions that took its time. `file` is already quoted. None if the testcase has
/// no such cause, or its rounds are withheld.
pub fn search(case: &TestcaseReport, file: &str) -> Option<(&'static str, String)> {
    let (title, command) = match case.verdict {
        Verdict::BelowThreshold => ("costly moves", "explain"),
        Verdict::TimeLimitExceeded if !case.detail.contains(STARTING) => {
            ("where the time goes", "profile")
        }
        _ => return None,
    };
    let arguments = tame_in_one_line(case.reproduce.as_ref()?);
    Some((title, format!("judge {command} {file} {arguments}")))
}

/// A word of the fault of a bot that takes too long to start.
const STARTING: &str = "starting up";

/// The failure of a bot in a round, or of a testcase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FailedCall<'a> {
    /// The verdict.
    pub verdict: Verdict,
    /// The reason.
    pub detail: &'a str,
    /// The message of the language's runtime, such as that of a panic.
    pub message: Option<&'a str>,
    /// The functions that were running, as far as they are shown.
    pub frames: &'a [String],
    /// The use of the time, if it ran out.
    pub time: TimePattern,
}

/// The use of the time that ran out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TimePattern {
    /// Many calls took it.
    #[default]
    Spread,
    /// A single call took nearly all of it: see [`FailedCall::is_endless`].
    OneCall,
    /// It ran out in a round with many times the calls of the others.
    LongRound,
}

impl FailedCall<'_> {
    /// Returns the next step for the bot's author, if there is one.
    pub fn advice(&self) -> Option<&'static str> {
        let detail = self.detail;
        Some(match self.verdict {
            Verdict::Accepted | Verdict::InvalidModule | Verdict::Resigned => return None,
            Verdict::BelowThreshold => {
                "watch the worst round, or let `judge explain` find the moves that cost the points"
            }
            Verdict::TimeLimitExceeded => self.advice_on_time(),
            Verdict::MemoryLimitExceeded => {
                "look for containers that only grow and for large arrays"
            }
            Verdict::OutputLimitExceeded => "print only the answer: remarks belong in the log",
            Verdict::RuntimeError if detail.contains(SCRIPT) => advice_on_script(detail),
            Verdict::RuntimeError => {
                let is_ended = ENDED.iter().any(|words| detail.contains(words));
                let known = self.message.filter(|_| is_ended).and_then(advice_on_message);
                known.unwrap_or_else(|| advice_on_trap(detail))
            }
            Verdict::IllegalMove => {
                "compare the position that your bot believes in with the one in the round's replay, \
                 and its board and rules with those in the round's first line (`game …`)"
            }
            Verdict::ProtocolError => advice_on_answer(detail),
            Verdict::JudgeError => "grade again: this does not count against the bot",
        })
    }

    /// [`FailedCall::advice`] with the limit that was reached.
    pub fn advice_under(&self, limits: &Limits) -> Option<String> {
        let advice = self.advice()?;
        Some(match self.verdict {
            Verdict::MemoryLimitExceeded => {
                format!("the limit is {}: {advice}", kib(limits.memory_bytes))
            }
            _ => advice.to_owned(),
        })
    }

    /// True if the call in which the time ran out took at least half of all time, and ten times as
    /// much as the `longest` other call.
    pub fn is_endless(fuel: u64, longest: u64, limit: u64) -> bool {
        fuel >= limit / 2 && fuel / 10 >= longest
    }

    /// True if the functions are those of a script.
    fn shows_lines(&self) -> bool {
        let is_line = |frame: &String| [".py:", ".js:"].iter().any(|end| frame.contains(end));
        self.frames.iter().any(is_line)
    }

    fn advice_on_time(&self) -> &'static str {
        match (self.time, self.shows_lines()) {
            _ if self.detail.contains(STARTING) => {
                "look for an endless loop or a large table outside of all functions"
            }
            (TimePattern::LongRound, _) => {
                "this round had many times the moves of the others: look for moves that only go back \
                 and forth, which `judge play` shows"
            }
            (TimePattern::OneCall, true) => {
                "this looks like an endless loop, in the functions above: a single call took nearly \
                 all of the time"
            }
            (TimePattern::OneCall, false) => {
                "this looks like an endless loop: a single call took nearly all of the time. `judge \
                 profile` shows its function"
            }
            (TimePattern::Spread, true) => {
                "look for an endless loop in the functions above. If there is none, `judge profile` \
                 shows the lines that took the time"
            }
            (TimePattern::Spread, false) => {
                "`judge profile` shows the function and the move that took the time"
            }
        }
    }
}

/// Words of a fault of an answer, and the next step.
const ANSWERS: [(&str, &str); 6] = [
    (
        "all else belongs on standard error",
        "print remarks to standard error, whose lines are in the log: `std::cerr`, `eprintln!`, \
         `println` of Go, `console.error`",
    ),
    ("without a line end", "end each answer with a line break, as `std::endl` and `println!` do"),
    (
        "(or without a flush)",
        "print an answer to this question, and end it with a line break: output without one is kept \
         until it is flushed",
    ),
    (
        "judge_buffer` returned",
        "return the address of a static array of bytes, which the judge writes lines into",
    ),
    ("which is not a question", "answer only lines with a question mark after their first word"),
    (
        "judge_line` returned",
        "return the length of the answer, and 0 for a line that is not a question",
    ),
];

fn advice_on_answer(detail: &str) -> &'static str {
    let known = ANSWERS.iter().find(|(words, _)| detail.contains(words));
    known.map_or(
        "answer each question with one line in the form that the game's protocol asks for",
        |(_, advice)| advice,
    )
}

/// Words of traps by which a program ends itself. Its message then has the reason.
const ENDED: [&str; 2] = ["`unreachable` reached", "exit code"];

/// Words of a runtime's message, and the next step.
const MESSAGES: [(&str, &str); 11] = [
    ("not supported on this platform", UNSUPPORTED),
    ("kind: Unsupported", UNSUPPORTED),
    ("kind: NotFound", UNSUPPORTED),
    ("out of bounds", OUT_OF_BOUNDS),
    ("index out of range", OUT_OF_BOUNDS),
    ("out_of_range: vector", OUT_OF_BOUNDS),
    (
        "on a `None` value",
        "look at the line of the message: test the value with `if let` or `match` before you unwrap it",
    ),
    ("on an `Err` value", "look at the line in the message, which names the unhandled error"),
    ("divide by zero", "check the divisor of each `/` and `%` before you divide: it was 0"),
    ("nil pointer", "look at the line of the message: a pointer or map was used before it was set"),
    ("panicked at", "look at the line of the message"),
];

const UNSUPPORTED: &str =
    "a bot has no files, no network, no threads and no processes: leave out that call";

const OUT_OF_BOUNDS: &str =
    "look at the line of the message: an index has to be smaller than the length";

fn advice_on_message(message: &str) -> Option<&'static str> {
    MESSAGES.iter().find(|(words, _)| message.contains(words)).map(|(_, advice)| *advice)
}

/// Words of a trap's text, and the next step.
const TRAPS: [(&str, &str); 8] = [
    ("division by zero", "check the divisor of each `/` and `%` before you divide: it was 0"),
    (
        "access outside of the memory",
        "look for an index outside of its array, a null or dangling pointer or iterator, and large \
         arrays in a function that calls itself",
    ),
    ("stack overflow", "look for the condition that should end the recursion: it was never met"),
    (
        "call through",
        "look for a function pointer that is not set, and a virtual call of an object that is gone",
    ),
    (
        "integer overflow",
        "look for the smallest integer divided by -1, and for a float that is too large for an integer",
    ),
    (
        "float that is not an integer",
        "check a float before it becomes an integer: it was not a number, or too large",
    ),
    (
        "`unreachable` reached",
        "the program ended itself: look for a failed assertion, a panic, an exception that nobody \
         catches (`at`, `stoi`, `unwrap`), and a function that ends without `return`",
    ),
    ("exit code", "look for the call that ends the program, or an error after which it gives up"),
];

fn advice_on_trap(detail: &str) -> &'static str {
    let known = TRAPS.iter().find(|(words, _)| detail.contains(words));
    known.map_or(
        "look for bad indices, null pointers, endless recursion, division by zero, uncaught \
         exceptions, `abort`",
        |(_, advice)| advice,
    )
}

/// Calls of a round from which on it can be called long.
const MANY_CALLS: u32 = 200;

/// The use of the testcase's time.
fn time_pattern(case: &TestcaseReport) -> TimePattern {
    let is_last = |round: &&RoundReport| round.fault.as_ref().is_some_and(Fault::spent_the_budget);
    let Some(last) = case.rounds.iter().find(is_last) else { return TimePattern::Spread };
    let others = case.rounds.iter().filter(|round| !is_last(round)).map(|round| round.calls);
    // Rounds that were not played have no calls.
    let usual = others.filter(|calls| *calls > 0).max().unwrap_or(u32::MAX);
    if last.calls >= MANY_CALLS && last.calls / 5 >= usual {
        return TimePattern::LongRound;
    }
    match looks_endless(case, last) {
        true => TimePattern::OneCall,
        false => TimePattern::Spread,
    }
}

/// True if a single call took nearly all of the testcase's time.
fn looks_endless(case: &TestcaseReport, last: &RoundReport) -> bool {
    let longest = case.rounds.iter().map(|round| round.max_call_fuel).max().unwrap_or(0);
    // The report has no cost for a call that did not end.
    let others = last.max_call_fuel.saturating_mul(u64::from(last.calls.saturating_sub(1)));
    let fuel = last.fuel.saturating_sub(others);
    FailedCall::is_endless(fuel, longest, case.limits.fuel)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_data::samples::{report, with_rounds};

    #[test]
    fn advice_matches_the_failure() {
        let report = report();
        let case = &report.bots[0].testcases[0];
        let told = |verdict: Verdict, detail: &str| {
            let detail = detail.to_owned();
            advice(&TestcaseReport { verdict, detail, ..case.clone() }).unwrap_or_default()
        };
        let script = "the script failed: `bot.py:9: SyntaxError: invalid syntax`";
        assert!(told(Verdict::RuntimeError, script).contains("`match`"));
        let start = "still starting up after 100 ms: it has not asked for its first line";
        assert!(told(Verdict::TimeLimitExceeded, start).contains("outside of all functions"));
        assert!(told(Verdict::TimeLimitExceeded, "").contains("judge profile"));
        let frames = vec!["at choose (bot.py:31)".to_owned()];
        let trace = Some(judge_core::FailureTrace { frames, ..Default::default() });
        let verdict = Verdict::TimeLimitExceeded;
        let case = TestcaseReport { verdict, trace, ..case.clone() };
        assert!(advice(&case).is_some_and(|line| line.contains("endless loop in the functions")));
    }

    #[test]
    fn the_advice_after_a_trap_names_its_cause() {
        let told = |detail: &str| {
            let verdict = Verdict::RuntimeError;
            let time = TimePattern::Spread;
            let call = FailedCall { verdict, detail, message: None, frames: &[], time };
            call.advice().unwrap_or_default()
        };
        for (detail, part) in [
            ("integer division by zero in function `think`", "divisor"),
            ("access outside of the memory", "index outside of its array"),
            ("stack overflow: too deep a recursion", "end the recursion"),
            (
                "access to a table outside of its elements, or a call through a wrong pointer",
                "virtual",
            ),
            ("call through a null function pointer", "virtual"),
            ("call through a function pointer of another type", "virtual"),
            ("integer overflow in a division or conversion", "divided by -1"),
            ("conversion of a float that is not an integer", "not a number"),
            ("aborted: `unreachable` reached (abort, a failed assertion, …)", "ended itself"),
            ("ended with exit code 3 after 2 answers", "ends the program"),
            ("ended before it answered", "bad indices"),
        ] {
            assert!(told(detail).contains(part), "{detail}: {}", told(detail));
        }
    }

    #[test]
    fn the_advice_after_a_panic_follows_its_message() {
        let told = |message: &str| {
            let (verdict, detail) = (Verdict::RuntimeError, "aborted: `unreachable` reached");
            let (message, time) = (Some(message), TimePattern::Spread);
            let call = FailedCall { verdict, detail, message, frames: &[], time };
            call.advice().unwrap_or_default()
        };
        for (message, part) in [
            (
                "panicked at src/main.rs:3: index out of bounds: the len is 3 but the index is 5",
                "length",
            ),
            ("panic: runtime error: index out of range [5] with length 3", "length"),
            ("terminating due to uncaught exception of type std::out_of_range: vector", "length"),
            ("panicked at a.rs:1: called `Option::unwrap()` on a `None` value", "`if let`"),
            ("panicked at a.rs:1: called `Result::unwrap()` on an `Err` value: X", "unhandled"),
            ("panicked at a.rs:1: attempt to divide by zero", "divisor"),
            ("panicked at a.rs:1: operation not supported on this platform", "no threads"),
            ("panicked at a.rs:1: failed to spawn thread: Os { kind: Unsupported }", "no threads"),
            ("panicked at a.rs:1: on an `Err` value: Os { kind: NotFound }", "no files"),
            ("panicked at a.rs:1: not done yet", "line of the message"),
            ("assertion failed: x > 0 (bot.c: main: 3)", "ended itself"),
        ] {
            assert!(told(message).contains(part), "{message}: {}", told(message));
        }
    }

    #[test]
    fn the_advice_after_a_wrong_answer_follows_its_fault() {
        let told = |detail: &str| advice_on_answer(detail);
        for (detail, part) in [
            (
                "printed two lines, `a` and `b`, in answer to `q`: only answers are printed, one line \
              each; all else belongs on standard error",
                "eprintln!",
            ),
            (
                "printed `a` in answer to `q`, without a line end: did you forget `\\n`?",
                "std::endl",
            ),
            ("no answer to `q`: asked for the next line instead (or without a flush)", "flushed"),
            ("`judge_buffer` returned 9, but 65536 bytes from there do not fit", "static array"),
            ("`judge_line` returned -1: expected the answer's length", "length of the answer"),
            ("answered `x` to `begin`, which is not a question", "question mark"),
            ("answered `x` to `move?`: not a move", "form that the game's protocol"),
        ] {
            assert!(told(detail).contains(part), "{detail}: {}", told(detail));
        }
    }

    #[test]
    fn call_that_took_nearly_all_of_the_time_looks_endless() {
        let report = with_rounds();
        let mut cases = report.bots.iter().flat_map(|bot| &bot.testcases);
        let case = cases.find(|case| !case.rounds.is_empty()).expect("a case with rounds");
        let of = |calls: u32, longest: u64, spent: u64| {
            let out = judge_core::PlayerFault::out_of_time();
            let fault = Fault {
                seat: Some(case.seat),
                verdict: out.verdict,
                detail: out.detail,
                call: Some(calls),
            };
            let round = RoundReport {
                verdict: Verdict::TimeLimitExceeded,
                fault: Some(fault),
                fuel: spent,
                max_call_fuel: longest,
                calls,
                ..case.rounds[0].clone()
            };
            let verdict = Verdict::TimeLimitExceeded;
            let case = TestcaseReport { verdict, rounds: vec![round], ..case.clone() };
            advice(&case).is_some_and(|line| line.contains("looks like an endless loop"))
        };
        let limit = case.limits.fuel;
        assert!(of(1, 0, limit), "in its first call");
        assert!(of(11, limit / 100, limit), "after ten short calls");
        assert!(!of(11, limit / 12, limit), "all calls are long");
        assert!(!of(3, limit / 5, limit), "not ten times as long as the others");
        assert!(!of(1, 0, limit / 3), "earlier rounds took most of the time");
    }

    #[test]
    fn a_round_with_many_times_the_moves_of_the_others_is_named() {
        let report = with_rounds();
        let mut cases = report.bots.iter().flat_map(|bot| &bot.testcases);
        let case = cases.find(|case| !case.rounds.is_empty()).expect("a case with rounds");
        let told = |calls: u32, usual: u32| {
            let out = judge_core::PlayerFault::out_of_time();
            let (verdict, detail) = (out.verdict, out.detail);
            let fault = Fault { seat: Some(case.seat), verdict, detail, call: Some(calls) };
            let other = RoundReport { calls: usual, fault: None, ..case.rounds[0].clone() };
            let last = RoundReport { calls, fault: Some(fault), verdict, ..other.clone() };
            let case = TestcaseReport { verdict, rounds: vec![other, last], ..case.clone() };
            advice(&case).unwrap_or_default()
        };
        assert!(told(651, 20).contains("back and forth"), "{}", told(651, 20));
        assert!(!told(651, 200).contains("back and forth"), "all rounds are long");
        assert!(!told(60, 5).contains("back and forth"), "short");
        assert!(!told(651, 0).contains("back and forth"), "no other round was played");
    }

    #[test]
    fn the_advice_on_memory_names_the_limit() {
        let report = report();
        let verdict = Verdict::MemoryLimitExceeded;
        let case = TestcaseReport { verdict, ..report.bots[0].testcases[0].clone() };
        let kib = kib(case.limits.memory_bytes);
        let advice = advice_with_figures(&case).unwrap_or_default();
        assert!(advice.starts_with(&format!("the limit is {kib}: look for ")), "{advice}");
    }

    #[test]
    fn only_failed_visible_testcases_have_advice() {
        let cases = || report().bots.into_iter().flat_map(|bot| bot.testcases);
        for case in cases() {
            assert_eq!(advice(&case).is_none(), case.verdict == Verdict::Accepted, "{case:?}");
            let case = TestcaseReport { hidden: true, ..case };
            assert_eq!(advice(&case), None, "nothing of hidden rounds");
        }
        assert!(cases().any(|case| case.verdict == Verdict::RuntimeError));
    }
}
