//! A reason and a hint, as two fields. They are joined for display and in files, with the hint on a
//! separate line.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The separator between a reason and its hint.
const HINT: &str = "\nhint: ";

/// The reason for a refusal, and a hint.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct Explanation {
    /// The reason.
    pub reason: String,
    /// Advice.
    pub hint: Option<String>,
}

impl Explanation {
    /// A reason with a hint.
    pub fn new(reason: impl Into<String>, hint: impl Into<String>) -> Explanation {
        Explanation { reason: reason.into(), hint: Some(hint.into()) }
    }

    /// A reason without advice.
    pub fn without_hint(reason: impl Into<String>) -> Explanation {
        Explanation { reason: reason.into(), hint: None }
    }
}

/// Splits the recorded form, in which both are joined.
impl From<String> for Explanation {
    fn from(text: String) -> Explanation {
        match text.split_once(HINT) {
            Some((reason, hint)) => Explanation::new(reason, hint),
            None => Explanation::without_hint(text),
        }
    }
}

impl From<Explanation> for String {
    fn from(explanation: Explanation) -> String {
        explanation.to_string()
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)?;
        match &self.hint {
            Some(hint) => write!(f, "{HINT}{hint}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reason_and_hint_are_one_text_in_files() {
        for (explanation, json) in [
            (Explanation::new("no module", "build it"), r#""no module\nhint: build it""#),
            (Explanation::without_hint("no module"), r#""no module""#),
            (Explanation::new("two", "one\nhint: other"), r#""two\nhint: one\nhint: other""#),
        ] {
            assert_eq!(serde_json::to_string(&explanation).expect("JSON"), json);
            assert_eq!(serde_json::from_str::<Explanation>(json).expect("a text"), explanation);
        }
    }
}
