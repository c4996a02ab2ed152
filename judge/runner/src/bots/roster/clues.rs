//! Clues to a submission's owner: its name, and the parts that a learning platform adds to it.

use serde::{Deserialize, Serialize};

/// The owner of a submission, as far as its name reveals it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Clues {
    /// The full name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) full_name: Option<String>,
    /// Letters and digits of the name, family name first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) letters: Option<String>,
    /// A number or login.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) number: Option<String>,
    /// An email address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) address: Option<String>,
}

impl Clues {
    /// Parses the name of a file or folder, if a learning platform made it.
    pub(crate) fn from_name(name: &str) -> Clues {
        moodle(name).or_else(|| canvas(name)).unwrap_or_default()
    }
}

/// Parses `Given Family_123456_assignsubmission_file_`. In a flat download the file's name follows.
pub(crate) fn moodle(name: &str) -> Option<Clues> {
    // Canvas adds its part before a name that the student chose, which may look like Moodle's.
    if canvas(name).is_some() {
        return None;
    }
    let (who, _) = name.split_once("_assignsubmission_")?;
    let (full_name, number) = who.rsplit_once('_')?;
    let clues = Clues { full_name: text(full_name), number: text(number), ..Clues::default() };
    (is_number(number) && clues.full_name.is_some()).then_some(clues)
}

/// Parses `familygiven_LATE_1234_5678_bot`: the letters of the name, the user, the submission, the
/// file.
pub(crate) fn canvas(name: &str) -> Option<Clues> {
    let (letters, rest) = name.split_once('_')?;
    let rest = rest.strip_prefix("LATE_").unwrap_or(rest);
    let (number, rest) = rest.split_once('_')?;
    let (submission, _) = rest.split_once('_')?;
    let letters_only = !letters.is_empty() && letters.chars().all(char::is_alphanumeric);
    let clues = Clues { letters: text(letters), number: text(number), ..Clues::default() };
    (letters_only && is_number(number) && is_number(submission)).then_some(clues)
}

/// True for a name that Canvas gave to a submission after its due date.
pub(crate) fn is_late(name: &str) -> bool {
    let rest = name.split_once('_').map_or("", |(_, rest)| rest);
    rest.starts_with("LATE_") && canvas(name).is_some()
}

/// True for digits only.
pub(crate) fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn text(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_of_platforms_have_their_owner() {
        let both = |name: &str| {
            let clues = Clues::from_name(name);
            (clues.full_name.or(clues.letters), clues.number)
        };
        let told = |name: &str, number: &str| (Some(name.to_owned()), Some(number.to_owned()));
        for name in
            ["Ada_L King_123_assignsubmission_file_", "Ada_L King_123_assignsubmission_file_b"]
        {
            assert_eq!(both(name), told("Ada_L King", "123"), "{name}");
        }
        assert_eq!(both("kingada_LATE_12_56_my_bot"), told("kingada", "12"));
        assert_eq!(both("kingada_12_56_bot"), told("kingada", "12"));
        assert_eq!(both("kingada_12_56_x_77_assignsubmission_file_"), told("kingada", "12"));
        assert_eq!(moodle("kingada_12_56_x_77_assignsubmission_file_"), None);
        assert!(is_late("kingada_LATE_12_56_my_bot") && !is_late("kingada_12_56_LATE_bot"));
        assert!(!is_late("ada_LATE_bot"), "a name that the student chose");
        for name in ["ada", "ada_1", "ada_x_2_bot", "ada_1_2", "_1_2_b", "x_assignsubmission_file_"]
        {
            assert_eq!(both(name), (None, None), "{name}");
        }
    }
}
