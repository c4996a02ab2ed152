//! A sign for each verdict, so that colours need not be distinguished.

use judge_core::Verdict;

/// Sign of a testcase that was not played.
pub(crate) const NOT_PLAYED: &str = "–";

/// Returns the one-character sign of a verdict.
pub fn sign(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Accepted => "✓",
        Verdict::BelowThreshold => "↓",
        Verdict::TimeLimitExceeded => "T",
        Verdict::MemoryLimitExceeded => "M",
        Verdict::OutputLimitExceeded => "O",
        Verdict::RuntimeError => "R",
        Verdict::IllegalMove => "I",
        Verdict::ProtocolError => "P",
        Verdict::InvalidModule => "X",
        Verdict::Resigned => "G",
        Verdict::JudgeError => "?",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_verdicts_share_a_sign() {
        let mut signs: Vec<&str> = Verdict::ALL.map(sign).to_vec();
        signs.push(NOT_PLAYED);
        signs.sort_unstable();
        signs.dedup();
        assert_eq!(signs.len(), Verdict::ALL.len() + 1);
        assert!(signs.iter().all(|sign| sign.chars().count() == 1));
    }
}
