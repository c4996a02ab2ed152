//! Advice after a failed testcase, one line per verdict.

use judge_core::{TestcaseReport, Verdict};

/// Returns the next step for the bot's author; none after a passed testcase, for a refusal, which
/// has its own hint, and where the rounds are withheld.
pub fn advice(case: &TestcaseReport) -> Option<&'static str> {
    if case.is_withheld() {
        return None;
    }
    Some(match case.verdict {
        Verdict::Accepted | Verdict::InvalidModule | Verdict::Resigned => return None,
        Verdict::BelowThreshold => {
            "watch the worst round, or let `judge explain …` find the moves that cost the points"
        }
        Verdict::TimeLimitExceeded if case.detail.contains("starting up") => {
            "look for an endless loop or a large table outside of all functions"
        }
        Verdict::TimeLimitExceeded if is_of_script(case) => {
            "look for an endless loop in the functions above. If there is none, \
             `judge profile …` shows the lines that took the time"
        }
        Verdict::TimeLimitExceeded => {
            "`judge profile …` shows the function and the move that took the time"
        }
        Verdict::MemoryLimitExceeded => "look for containers that only grow and for large arrays",
        Verdict::OutputLimitExceeded => "print only the answer: remarks belong in the log",
        Verdict::RuntimeError if reads_lines_itself(&case.detail) => {
            "a script does not read or print lines itself: the kit does. Write a function that gets \
             the state and returns a move, and pass it to `run`, as in the script that `judge new \
             --lang python` or `--lang javascript` makes"
        }
        Verdict::RuntimeError if case.detail.contains("ImportError: no module named") => {
            "import files next to your script, or these modules of Python's library: array, \
             bisect, collections, copy, functools, heapq, itertools, math, operator, random, \
             string, time and typing"
        }
        Verdict::RuntimeError if case.detail.contains("MemoryError") => {
            "a script has about 1.3 MiB for its objects: make lists and tables smaller, and look for \
             those that only grow"
        }
        Verdict::RuntimeError if case.detail.contains("IndentationError") => {
            "indent all lines of a block the same way, with only spaces or only tabs: look at that line and \
             the one above it"
        }
        Verdict::RuntimeError if case.detail.contains(".py:") && is_syntax(&case.detail) => {
            "look at that line and the one above it. This Python has no `match`, no `{x!r}` in \
             f-strings, no `[*a]` and no `{**a}`"
        }
        Verdict::RuntimeError if case.detail.contains("the script failed") => {
            "look at the file and line, or at the stack trace in the bot's log (`judge play … --trace`)"
        }
        Verdict::RuntimeError => {
            "look for bad indices, null pointers, endless recursion, division by zero, uncaught \
             exceptions, `abort`"
        }
        Verdict::IllegalMove => {
            "compare the position that your bot believes in with the one in the round's replay, and \
             its board and rules with those in the round's first line (`game …`)"
        }
        Verdict::ProtocolError => {
            "answer each question with one line in the form that the game's protocol asks for"
        }
        Verdict::JudgeError => "grade again: this does not count against the bot",
    })
}

/// True if the script uses the input and output of its language's usual programs, which no kit has.
fn reads_lines_itself(detail: &str) -> bool {
    const USUAL: [&str; 8] =
        ["input", "sys", "stdin", "readline", "readLine", "require", "process", "prompt"];
    let detail = detail.trim_end_matches('`');
    let python = detail.strip_suffix(" isn't defined").unwrap_or(detail);
    let missing = detail.strip_suffix(" is not defined").unwrap_or(python);
    let is_missing = missing != detail || detail.contains("no module named");
    let name = missing.rsplit(' ').next().unwrap_or_default().trim_matches('\'');
    is_missing && USUAL.contains(&name)
}

/// True if the script has a syntax error.
fn is_syntax(detail: &str) -> bool {
    detail.contains("SyntaxError")
}

/// True if functions of a script were running.
fn is_of_script(case: &TestcaseReport) -> bool {
    let frames = case.trace.iter().flat_map(|trace| &trace.frames);
    let mut frames = frames.map(String::as_str);
    frames.any(|frame| [".py:", ".js:"].iter().any(|ending| frame.contains(ending)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_data::samples::report;

    #[test]
    fn whoever_imports_what_is_missing_reads_what_there_is() {
        let report = report();
        let case = report.bots[0].testcases[0].clone();
        let detail =
            "the script failed: `bot.py:1: ImportError: no module named 'json'`".to_owned();
        let case = TestcaseReport { verdict: Verdict::RuntimeError, detail, ..case };
        assert!(advice(&case).is_some_and(|line| line.contains("heapq")), "{case:?}");
    }

    #[test]
    fn advice_fits_what_was_found() {
        let report = report();
        let case = &report.bots[0].testcases[0];
        let told = |verdict: Verdict, detail: &str| {
            let detail = detail.to_owned();
            advice(&TestcaseReport { verdict, detail, ..case.clone() }).unwrap_or_default()
        };
        let syntax = "the script failed: `bot.py:9: SyntaxError: invalid syntax`";
        assert!(told(Verdict::RuntimeError, syntax).contains("`match`"));
        let indent = "the script failed: `bot.py:9: IndentationError: unexpected indent`";
        assert!(told(Verdict::RuntimeError, indent).contains("tabs"));
        let memory = "the script failed: `MemoryError: memory allocation failed`";
        assert!(told(Verdict::RuntimeError, memory).contains("1.3 MiB"));
        let thrown = "the script failed: `bot.js:9: TypeError: not a function`";
        assert!(told(Verdict::RuntimeError, thrown).contains("stack trace"));
        for usual in [
            "the script failed: `b.py:4: NameError: name 'input' isn't defined`",
            "the script failed: `b.py:1: ImportError: no module named 'sys'`",
            "the script failed: `b.js:4: ReferenceError: readline is not defined`",
        ] {
            assert!(told(Verdict::RuntimeError, usual).contains("the kit does"), "{usual}");
        }
        let own = "the script failed: `b.js:4: ReferenceError: processMove is not defined`";
        assert!(told(Verdict::RuntimeError, own).contains("stack trace"), "a name of the author");
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
    fn only_what_was_not_passed_and_may_be_seen_has_advice() {
        let cases = || report().bots.into_iter().flat_map(|bot| bot.testcases);
        for case in cases() {
            assert_eq!(advice(&case).is_none(), case.verdict == Verdict::Accepted, "{case:?}");
            let case = TestcaseReport { hidden: true, ..case };
            assert_eq!(advice(&case), None, "nothing of hidden rounds");
        }
        assert!(cases().any(|case| case.verdict == Verdict::RuntimeError));
    }
}
