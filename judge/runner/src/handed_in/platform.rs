//! What learning platforms put beside submissions: Gradescope's file on who handed in what, and
//! texts that Moodle's students typed into a form.

use std::collections::BTreeMap;
use std::path::Path;

use crate::Error;
use crate::roll::Clues;

/// The file of Gradescope's export on who handed in what.
pub(crate) const METADATA: &str = "submission_metadata.yml";

/// True if it is a text of a platform's own form, beside which a file may have been handed in.
pub(crate) fn is_typed_text(name: &str) -> bool {
    name.contains("_assignsubmission_onlinetext")
}

/// Who handed in which folder of a Gradescope export.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Submitters {
    /// The first submitter of each folder.
    pub(crate) people: BTreeMap<String, Clues>,
    /// Folders that several people handed in together.
    pub(crate) groups: Vec<String>,
}

/// Reads the file of a Gradescope export, if there is one in that folder.
pub(crate) fn submitters(folder: &Path) -> Result<Submitters, Error> {
    let path = folder.join(METADATA);
    match path.is_file() {
        true => Ok(of_text(&Error::read_text(&path)?)),
        false => Ok(Submitters::default()),
    }
}

/// The part of the file that tells of people: `:submitters:` with `:name:`, `:sid:` and `:email:`.
/// Lines of anything else are passed over.
fn of_text(text: &str) -> Submitters {
    let mut found = Submitters::default();
    let (mut submission, mut among) = (None, false);
    for line in text.lines() {
        let begins = line.chars().next().is_some_and(char::is_alphanumeric);
        if begins {
            submission = line.trim_end().strip_suffix(':');
            among = false;
        }
        let Some(name) = submission else { continue };
        // Fields of a submission stand two characters from the left, those of people further in.
        if line.starts_with("  :") {
            among = line.trim_end() == "  :submitters:";
        } else if among {
            found.take(name, line.trim_start());
        }
    }
    found
}

impl Submitters {
    fn take(&mut self, submission: &str, line: &str) {
        if line.starts_with("- ") && self.people.contains_key(submission) {
            if !self.groups.iter().any(|group| group == submission) {
                self.groups.push(submission.to_owned());
            }
            return;
        }
        // The others of a group follow the first.
        if self.groups.iter().any(|group| group == submission) {
            return;
        }
        let field = line.strip_prefix("- ").unwrap_or(line).trim_start();
        let person = self.people.entry(submission.to_owned()).or_default();
        let Some((key, value)) = field.split_once(": ") else { return };
        let value = Some(unquoted(value.trim())).filter(|value| !value.is_empty());
        match key {
            ":name" => person.full_name = value,
            ":sid" => person.number = value,
            ":email" => person.address = value,
            _ => {}
        }
    }
}

/// A text without the quotes that it may stand in.
fn unquoted(text: &str) -> String {
    let inner = |quote: char| text.strip_prefix(quote)?.strip_suffix(quote);
    match (inner('\''), inner('"')) {
        (Some(inner), _) => inner.replace("''", "'"),
        (None, Some(inner)) => inner.replace("\\\"", "\""),
        (None, None) => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gradescope_says_who_handed_in_what() {
        let text = "---\nsubmission_12:\n  :submitters:\n  - :name: Ada 'L' King\n    :sid: '0471'\n    \
                    :email: ada@uni.edu\n  :created_at: 2026-01-02\n  :results:\n    :name: nobody\n\
                    submission_13:\n  :submitters:\n  - :name: Bob O'Neil\n    :sid: ''\n  - :name: Cat\n    \
                    :sid: '7'\n  :score: 1.0\n";
        let found = of_text(text);
        let ada = &found.people["submission_12"];
        assert_eq!(ada.full_name.as_deref(), Some("Ada 'L' King"));
        assert_eq!(ada.number.as_deref(), Some("0471"));
        assert_eq!(ada.address.as_deref(), Some("ada@uni.edu"));
        let bob = &found.people["submission_13"];
        assert_eq!((bob.full_name.as_deref(), bob.number.as_deref()), (Some("Bob O'Neil"), None));
        assert_eq!(found.groups, ["submission_13"]);
        assert_eq!(of_text("nonsense\n\u{0}:::\n- :name: x\n"), Submitters::default());
    }
}
