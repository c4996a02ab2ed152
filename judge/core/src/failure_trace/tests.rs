//! Traces from the logs of all languages, and their bounds.

use super::*;
use crate::record::tests::sample;
use crate::{Fault, FaultDetail, Seat};

/// The trace of a log, as text.
fn told(log: &str) -> String {
    FailureTrace::of_log(log).lines().join("\n")
}

#[test]
fn a_trace_has_message_functions_and_log_in_this_order() {
    for (log, expected) in [
        (
            "thinking\n\nthread 'main' (1) panicked at src/main.rs:33:9:\nattempt to divide by \
             zero\nnote: run with `RUST_BACKTRACE=1` environment variable\n",
            "panicked at src/main.rs:33: attempt to divide by zero\nlog: thinking",
        ),
        (
            "thread 'main' panicked at src/main.rs:3:9:\nassertion `left == right` failed\n  \
             left: 1\n right: 2\n",
            "panicked at src/main.rs:3: assertion `left == right` failed, left: 1, right: 2",
        ),
        (
            "a\nb\npanic: runtime error: index out of range [3] with length 0\n\ngoroutine 1 \
             [running]:\nmain.think(...)\n\t./main.go:2\nmain.main()\n\t./main.go:3 +0x4\n",
            "panic: runtime error: index out of range [3] with length 0\nat main.think \
             (main.go:2)\nat main.main (main.go:3)\nlog: a\nlog: b",
        ),
        (
            "Assertion failed: x>2 && \"x (must) be: large\" (bot.c: think: 2)\n",
            "assertion failed at bot.c:2: x>2 && \"x (must) be: large\", in `think`",
        ),
        (
            "exception thrown: St13runtime_error: no free square\n",
            "uncaught exception `std::runtime_error`: no free square",
        ),
        ("exception thrown: N3bot4LostE\n", "uncaught exception `bot::Lost`"),
        ("exception thrown: a very large one\n", "uncaught exception `a very large one`"),
        (
            "panic: index out of bounds: index 3, len 1\nCannot print stack trace: debug info \
             unavailable for target\n",
            "panic: index out of bounds: index 3, len 1",
        ),
        ("bot.ts:12:5: Index out of range\n", "abort at bot.ts:12: Index out of range"),
        (
            "hello\nTypeError: cannot read property 'x' of undefined\n    at think (bot.js:3:9)\n    \
             at judgeLine (judge-bot:/run.js:10:3)\n    at answer (judge-bot:/run.js:20)\n",
            "TypeError: cannot read property 'x' of undefined\nat think (bot.js:3)\n… 2 functions \
             of the language or the kit\nlog: hello",
        ),
        (
            "Traceback (most recent call last):\n  File \"judge_bot/run.py\", line 9, in line\n  \
             File \"bot.py\", line 12, in think\nZeroDivisionError: divide by zero\n",
            "ZeroDivisionError: divide by zero\nat think (bot.py:12)\nat line (judge_bot/run.py:9)",
        ),
        ("only text\n@mark e4 red\n\n", "log: only text"),
        ("", ""),
    ] {
        assert_eq!(told(log), expected, "{log}");
    }
}

#[test]
fn only_the_last_failure_of_a_log_is_shown() {
    let log = "Traceback (most recent call last):\n  File \"bot.py\", line 1, in f\nValueError: \
               caught\nmore\nTraceback (most recent call last):\n  File \"bot.py\", line 2, in \
               g\nKeyError: the end\n";
    let trace = FailureTrace::of_log(log);
    assert_eq!(trace.message.as_deref(), Some("KeyError: the end"));
    assert_eq!(trace.frames, ["g (bot.py:2)"]);
}

#[test]
fn an_endless_recursion_is_named() {
    let deep = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let after = |frames: &[String], detail: &str| {
        let mut trace = FailureTrace::default();
        let detail = FaultDetail::from(format!("{detail} in function `dig`"));
        trace.add_frames(frames, &Fault { detail, ..Fault::judge("x") });
        trace
    };
    assert_eq!(after(&deep("leaf"), OVERFLOW).lines(), ["at leaf"]);
    for (frames, expected) in [
        (deep(&"dig ".repeat(20)), "`dig` calls itself"),
        (
            [deep("leaf"), deep(&"dig deeper ".repeat(10))].concat(),
            "`dig` and `deeper` call each other",
        ),
    ] {
        for (detail, recursion) in [(OVERFLOW, ENDLESS), (OUTSIDE, DEEP)] {
            let trace = after(&frames, detail);
            assert_eq!(trace.message, Some(format!("{recursion}: {expected}")));
            assert!(trace.frames.len() <= 3, "{trace:?}");
        }
        // The innermost functions of a deep search look the same.
        for detail in ["the testcase's time ran out", "integer division by zero"] {
            let trace = after(&frames, detail);
            assert_eq!((trace.message, trace.frames.len()), (None, FRAMES + 1), "{detail}");
        }
    }
    let ended = [deep(&"dig ".repeat(12)), deep("main")].concat();
    assert_eq!(after(&ended, OVERFLOW).message, None, "it has a beginning");
    let calls = "main.dig(...)\n\t./main.go:2\n".repeat(20);
    let log = format!("panic: no move\n\ngoroutine 1 [running]:\n{calls}");
    assert!(told(&log).starts_with("panic: no move\nat main.dig"), "{}", told(&log));
    for log in [
        "Traceback (most recent call last):\n  File \"bot.py\", line 2, in dig\nRecursionError: \
         maximum recursion depth exceeded\n",
        "RangeError: Maximum call stack size exceeded\n    at dig (bot.js:2:1)\n    at dig \
         (bot.js:2:1)\n",
    ] {
        assert!(told(log).starts_with("endless recursion ("), "{}", told(log));
    }
}

#[test]
fn runtime_functions_of_a_language_are_folded() {
    let frames = ["abort", "std::process::abort", "__rust_start_panic", "brain::think", "main"];
    let lines = stack::folded(&frames.map(str::to_owned), false).lines;
    assert_eq!(lines, ["… 3 functions of the language or the kit", "brain::think", "main"]);
    let kit = ["take (kit/src/seat.h:2)", "judge_line (kit/src/bot.cpp:13)"].map(str::to_owned);
    assert_eq!(stack::folded(&kit, false).lines.len(), 1);
    let rust = ["<judge_bot::mahjong::Adapter<B> as judge_bot::bot::Bot>::line", "judge_bot::line"];
    assert_eq!(stack::folded(&rust.map(str::to_owned), false).lines.len(), 1);
    let one = ["abort", "think"].map(str::to_owned);
    assert_eq!(stack::folded(&one, false).lines, one);
}

#[test]
fn texts_are_bounded_and_cannot_control_a_terminal() {
    let line = "\u{1b}[31m".repeat(1000);
    let log =
        format!("{}panic: {line}\n\ngoroutine 1 [running]:\n", format!("{line}\n").repeat(50));
    let call = |number| format!("main.f{number}{line}(...)\n\t./{line}.go:2\n");
    let calls: String = (0..100).map(call).collect();
    let mut trace = FailureTrace::of_log(&(log + &calls));
    trace.note_dropped(u64::MAX);
    assert!(trace.is_possible(), "{trace:?}");
    assert!(serde_json::to_string(&trace).expect("JSON").len() < 20_000);
    assert!(trace.lines().iter().all(|line| !line.contains('\u{1b}')));
    assert_eq!((trace.log.len(), trace.frames.len()), (LOG_LINES + 1, FRAMES + 1));
    trace.log.push("more".to_owned());
    assert!(!trace.is_possible());
}

#[test]
fn only_a_bot_that_failed_has_a_trace() {
    let mut record = sample();
    assert_eq!(FailureTrace::of_round(&record), None, "no fault");
    let fault = |seat| Some(Fault { seat, ..Fault::judge("x") });
    record.trailer.fault = fault(Some(Seat::One));
    let trace = FailureTrace::of_round(&record).expect("a log");
    assert_eq!(trace.lines(), ["log: hello"]);
    for seat in [None, Some(Seat::Two)] {
        record.trailer.fault = fault(seat);
        assert_eq!(FailureTrace::of_round(&record), None, "{seat:?}");
    }
}

#[test]
fn a_message_in_the_log_is_the_cause_only_of_a_fault_that_ends_the_bot() {
    let caught = "TypeError: caught\n    at think (bot.js:3:9)\nthinking\n";
    let lines = |verdict: Verdict, detail: &str| {
        let mut record = sample();
        record.trailer.logs[Seat::One] = caught.to_owned();
        let (seat, detail) = (Some(Seat::One), FaultDetail::from(detail.to_owned()));
        record.trailer.fault = Some(Fault { seat, verdict, detail, ..Fault::judge("x") });
        FailureTrace::of_round(&record).expect("a log").lines()
    };
    let log = ["log: TypeError: caught", "log:     at think (bot.js:3:9)", "log: thinking"];
    for verdict in [Verdict::TimeLimitExceeded, Verdict::IllegalMove, Verdict::ProtocolError] {
        assert_eq!(lines(verdict, "x"), log, "{verdict:?}");
    }
    for verdict in [Verdict::RuntimeError, Verdict::MemoryLimitExceeded] {
        assert_eq!(lines(verdict, "x"), ["TypeError: caught", "at think (bot.js:3)"]);
    }
    for verdict in [Verdict::RuntimeError, Verdict::MemoryLimitExceeded] {
        let overflowed = lines(verdict, "stack overflow: too deep a recursion");
        assert_eq!(overflowed[0], "endless recursion");
        assert_eq!(overflowed[1..], log);
    }
}

#[test]
fn an_interrupted_script_names_its_line() {
    let python = "thinking\nTraceback (most recent call last):\n  File \"judge_bot/run.py\", line 9, \
                  in line\n  File \"bot.py\", line 12, in think\nGeneratorExit: \n";
    let script = "InternalError: interrupted\n    at think (bot.js:3:9)\n    at judgeLine \
                  (judge-bot:/run.js:10:3)\n";
    for (log, place) in [(python, "think (bot.py:12)"), (script, "think (bot.js:3)")] {
        let mut trace = FailureTrace { log: vec!["thinking".to_owned()], ..Default::default() };
        trace.add_interrupted(log);
        let expected = format!("in the middle of the call it was at {place}");
        assert_eq!(trace.message, Some(expected));
        assert_eq!((trace.frames[0].as_str(), trace.log.len()), (place, 1));
    }
    let mut trace = FailureTrace::default();
    trace.add_interrupted("thinking");
    assert!(trace.is_empty());
}
