//! The explanation of a fault: a fixed fact if a decision depends on it, otherwise free text. Both
//! are written as a sentence, unchanged since the first version.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Explanation of a fault, for the author of the failed player.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum FaultDetail {
    /// All fuel of the testcase is used up.
    BudgetSpent,
    /// The machine has no memory left for the bot.
    NoMemory,
    /// A person gave up.
    GaveUp,
    /// Any other text. No decision depends on it; `From` converts known sentences to facts.
    Other(String),
}

impl FaultDetail {
    /// All facts.
    const FACTS: [FaultDetail; 3] =
        [FaultDetail::BudgetSpent, FaultDetail::NoMemory, FaultDetail::GaveUp];

    /// The sentence for display and files.
    pub fn as_str(&self) -> &str {
        match self {
            FaultDetail::BudgetSpent => "the testcase's time ran out",
            FaultDetail::NoMemory => "the system has no memory left for the bot",
            FaultDetail::GaveUp => "the player gave up",
            FaultDetail::Other(text) => text,
        }
    }
}

impl From<String> for FaultDetail {
    fn from(text: String) -> FaultDetail {
        let fact = FaultDetail::FACTS.into_iter().find(|fact| fact.as_str() == text);
        fact.unwrap_or(FaultDetail::Other(text))
    }
}

impl From<&str> for FaultDetail {
    fn from(text: &str) -> FaultDetail {
        text.to_owned().into()
    }
}

impl From<FaultDetail> for String {
    fn from(detail: FaultDetail) -> String {
        match detail {
            FaultDetail::Other(text) => text,
            fact => fact.as_str().to_owned(),
        }
    }
}

impl fmt::Display for FaultDetail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sentences in the journals, records and reports of all judges so far.
    #[test]
    fn facts_are_read_and_written_as_the_sentences_of_older_files() {
        for (fact, json) in [
            (FaultDetail::BudgetSpent, r#""the testcase's time ran out""#),
            (FaultDetail::NoMemory, r#""the system has no memory left for the bot""#),
            (FaultDetail::GaveUp, r#""the player gave up""#),
            (FaultDetail::Other("stack overflow".to_owned()), r#""stack overflow""#),
        ] {
            assert_eq!(serde_json::to_string(&fact).expect("JSON"), json);
            assert_eq!(serde_json::from_str::<FaultDetail>(json).expect("a detail"), fact);
        }
    }

    #[test]
    fn a_sentence_around_a_fact_is_not_a_fact() {
        let detail = FaultDetail::from("the testcase's time ran out after `discard?`");
        assert!(matches!(detail, FaultDetail::Other(_)), "{detail:?}");
    }
}
