//! Verdicts, and the party at fault.

use serde::{Deserialize, Serialize};

use crate::{FaultDetail, Seat};

/// The verdict on a round or testcase. The set is closed, and its spelling is an interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Played to the end; for a testcase: the score reached the threshold.
    Accepted,
    /// Played to the end, but the score is below the testcase's threshold.
    BelowThreshold,
    /// The fuel of the testcase, or of the module's start-up, ran out.
    TimeLimitExceeded,
    /// The module asked for more memory than its limit, and then failed.
    MemoryLimitExceeded,
    /// More or longer output than allowed.
    OutputLimitExceeded,
    /// The module trapped.
    RuntimeError,
    /// An answer that is a move, but not one that the rules allow now.
    IllegalMove,
    /// An answer of another kind than the question asks for.
    ProtocolError,
    /// The file is not a module that the judge runs.
    InvalidModule,
    /// A person gave up. No bot and no reference opponent can.
    Resigned,
    /// The judge failed. Never counted against a bot: run it again.
    JudgeError,
}

impl Verdict {
    /// All verdicts, in the order of the documentation.
    pub const ALL: [Verdict; 11] = [
        Verdict::Accepted,
        Verdict::BelowThreshold,
        Verdict::TimeLimitExceeded,
        Verdict::MemoryLimitExceeded,
        Verdict::OutputLimitExceeded,
        Verdict::RuntimeError,
        Verdict::IllegalMove,
        Verdict::ProtocolError,
        Verdict::InvalidModule,
        Verdict::Resigned,
        Verdict::JudgeError,
    ];

    /// The verdict for display.
    pub fn label(self) -> &'static str {
        match self {
            Verdict::Accepted => "Accepted",
            Verdict::BelowThreshold => "Below threshold",
            Verdict::TimeLimitExceeded => "Time limit exceeded",
            Verdict::MemoryLimitExceeded => "Memory limit exceeded",
            Verdict::OutputLimitExceeded => "Output limit exceeded",
            Verdict::RuntimeError => "Runtime error",
            Verdict::IllegalMove => "Illegal move",
            Verdict::ProtocolError => "Protocol error",
            Verdict::InvalidModule => "Invalid module",
            Verdict::Resigned => "Resigned",
            Verdict::JudgeError => "Judge error",
        }
    }

    /// True if the verdict means a failure, as opposed to a low or high score.
    pub fn is_fault(self) -> bool {
        !matches!(self, Verdict::Accepted | Verdict::BelowThreshold)
    }
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.label())
    }
}

/// The party to blame for a verdict, seen from the graded bot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Blame {
    /// The graded bot.
    Bot,
    /// The other player.
    Opponent,
    /// The judge itself, or the machine it runs on.
    Judge,
}

impl std::fmt::Display for Blame {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Blame::Bot => "bot",
            Blame::Opponent => "opponent",
            Blame::Judge => "judge",
        })
    }
}

/// The reason why a player could not answer, before its seat and call are known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{verdict}: {detail}")]
pub struct PlayerFault {
    /// The kind of failure.
    pub verdict: Verdict,
    /// One line for the player's author.
    pub detail: FaultDetail,
}

impl PlayerFault {
    /// A fault with a one-line explanation.
    pub fn new(verdict: Verdict, detail: impl Into<FaultDetail>) -> PlayerFault {
        PlayerFault { verdict, detail: detail.into() }
    }

    /// The testcase's fuel ran out. The sandbox reports this within a round, grading over all
    /// rounds.
    pub fn out_of_time() -> PlayerFault {
        PlayerFault::new(Verdict::TimeLimitExceeded, FaultDetail::BudgetSpent)
    }

    /// The machine has no memory left for the bot: the judge's failure.
    pub fn no_memory() -> PlayerFault {
        PlayerFault::new(Verdict::JudgeError, FaultDetail::NoMemory)
    }

    /// A person gave up.
    pub fn resigned() -> PlayerFault {
        PlayerFault::new(Verdict::Resigned, FaultDetail::GaveUp)
    }

    /// The same fault, with the moment when it happened. Fixed facts stay unchanged.
    pub fn with_moment(self, when: &str) -> PlayerFault {
        match self.detail {
            FaultDetail::Other(text) => PlayerFault::new(self.verdict, format!("{text} {when}")),
            detail => PlayerFault { detail, ..self },
        }
    }
}

/// The failure that ended a round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// The seat that failed; `None` when it was the judge.
    pub seat: Option<Seat>,
    /// The kind of failure.
    pub verdict: Verdict,
    /// One line for the author of the failed player.
    pub detail: FaultDetail,
    /// The call at which it happened, counted from 0 over both seats; none before the first.
    pub call: Option<u32>,
}

impl Fault {
    /// A failure of the judge, for which neither seat is at fault.
    pub fn judge(detail: impl Into<FaultDetail>) -> Fault {
        Fault { seat: None, verdict: Verdict::JudgeError, detail: detail.into(), call: None }
    }

    /// True if the testcase's whole fuel is used up, as opposed to a module's start-up fuel.
    pub fn spent_the_budget(&self) -> bool {
        self.verdict == Verdict::TimeLimitExceeded && self.detail == FaultDetail::BudgetSpent
    }

    /// The party to blame, seen from the bot in seat `graded`.
    pub fn blame(&self, graded: Seat) -> Blame {
        match self.seat {
            None => Blame::Judge,
            Some(seat) if seat == graded => Blame::Bot,
            Some(_) => Blame::Opponent,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blame_is_seen_from_the_graded_seat() {
        let fault = Fault { seat: Some(Seat::Two), ..Fault::judge("x") };
        assert_eq!(fault.blame(Seat::One), Blame::Opponent);
        assert_eq!(fault.blame(Seat::Two), Blame::Bot);
        assert_eq!(Fault::judge("x").blame(Seat::One), Blame::Judge);
    }

    #[test]
    fn only_the_two_score_verdicts_are_not_faults() {
        let calm: Vec<_> = Verdict::ALL.into_iter().filter(|v| !v.is_fault()).collect();
        assert_eq!(calm, [Verdict::Accepted, Verdict::BelowThreshold]);
    }

    #[test]
    fn the_time_of_a_fault_is_in_its_text_but_not_in_its_facts() {
        let words = PlayerFault::new(Verdict::RuntimeError, "stack overflow");
        assert_eq!(words.with_moment("after `x`").detail.as_str(), "stack overflow after `x`");
        for fact in [PlayerFault::no_memory(), PlayerFault::out_of_time()] {
            assert_eq!(fact.clone().with_moment("while starting up"), fact);
        }
    }
}
