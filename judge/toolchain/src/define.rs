//! Constants that a build sets in a source, such as `-D WIDTH=3`.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use crate::{BuildError, Language};

/// Longest name and longest value.
const LONGEST: usize = 200;

/// A constant of a build.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Define {
    /// The name, an identifier.
    pub name: String,
    /// The value.
    pub value: String,
}

/// The text does not define a constant.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DefineError {
    /// The name is not an identifier.
    #[error("`{0}` is not a valid name: use letters, digits and `_`, without a digit at the start")]
    Name(String),
    /// The value is long, or has a character that no compiler takes.
    #[error("the value of `{0}` is longer than {LONGEST} characters, or has control characters")]
    Value(String),
}

impl FromStr for Define {
    type Err = DefineError;

    /// Reads `NAME=VALUE`, or `NAME` for the value 1.
    fn from_str(text: &str) -> Result<Define, DefineError> {
        let (name, value) = text.split_once('=').unwrap_or((text, "1"));
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let starts_well = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        if !starts_well || !name.chars().all(is_part) || name.len() > LONGEST {
            return Err(DefineError::Name(judge_core::printable(name, LONGEST)));
        }
        if value.chars().count() > LONGEST || value.chars().any(char::is_control) {
            return Err(DefineError::Value(name.to_owned()));
        }
        Ok(Define { name: name.to_owned(), value: value.to_owned() })
    }
}

impl fmt::Display for Define {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}={}", self.name, self.value)
    }
}

/// Refuses constants for a language in which a build cannot set any.
///
/// # Errors
/// When there are constants, and the language takes none.
pub(crate) fn check(
    source: &Path,
    language: Language,
    defines: &[Define],
) -> Result<(), BuildError> {
    let Some(hint) = refusal(language).filter(|_| !defines.is_empty()) else { return Ok(()) };
    let what = format!("is in {language}, where `-D` cannot set constants");
    Err(BuildError::source(source, what, hint))
}

fn refusal(language: Language) -> Option<&'static str> {
    match language {
        Language::Zig | Language::Text => {
            Some("write the value into the source; the other languages take `-D`")
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_a_value_or_one() {
        let shown = |text: &str| text.parse::<Define>().map(|define| define.to_string());
        for (text, expected) in
            [("W=3", "W=3"), ("_a1=", "_a1="), ("DEBUG", "DEBUG=1"), ("S=a=b", "S=a=b")]
        {
            assert_eq!(shown(text).as_deref(), Ok(expected));
        }
        for text in ["", "=3", "1A=2", "a b=1", "-DX=1", "é=1", &"n".repeat(LONGEST + 1)] {
            assert!(matches!(shown(text), Err(DefineError::Name(_))), "{text}");
        }
        for value in ["a\nb", "\u{1b}[31m", &"v".repeat(LONGEST + 1)] {
            let value_error = DefineError::Value("W".to_owned());
            assert_eq!(shown(&format!("W={value}")), Err(value_error));
        }
    }
}
