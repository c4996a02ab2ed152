//! What to do next after a testcase that was not passed, in a line for each verdict.

use judge_core::{TestcaseReport, Verdict};

/// The next step for whoever wrote the bot; none after a passed testcase, for a refusal, which has a
/// hint of its own, and where the rounds are not told.
pub fn advice(case: &TestcaseReport) -> Option<&'static str> {
    if case.is_withheld() {
        return None;
    }
    Some(match case.verdict {
        Verdict::Accepted | Verdict::InvalidModule | Verdict::Resigned => return None,
        Verdict::BelowThreshold => "watch the worst round and find the move that cost the points",
        Verdict::TimeLimitExceeded => {
            "find the most expensive call: `judge play … --trace` shows the cost of each"
        }
        Verdict::MemoryLimitExceeded => "look for containers that only grow and for large arrays",
        Verdict::OutputLimitExceeded => {
            "answer with the answer alone, and print less: remarks belong in the log"
        }
        Verdict::RuntimeError if case.detail.contains("ImportError: no module named") => {
            "import files beside your own, or what there is of Python's library: array, bisect, \
             collections, copy, functools, heapq, itertools, math, operator, random, string, time \
             and typing"
        }
        Verdict::RuntimeError if case.detail.contains("the script failed") => {
            "look at the file and line: what is different from other places where scripts run is in \
             the book, under *Scripts*"
        }
        Verdict::RuntimeError => {
            "look for bad indices, null pointers, endless recursion, division by zero, `abort`"
        }
        Verdict::IllegalMove => {
            "compare the position that your bot believes in with the one in the round's replay"
        }
        Verdict::ProtocolError => {
            "answer each question with one line in the form that the game's protocol asks for"
        }
        Verdict::JudgeError => "grade again: this counts against nobody",
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::report;

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
