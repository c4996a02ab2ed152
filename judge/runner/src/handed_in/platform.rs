//! What learning platforms put beside submissions: Gradescope's file on who handed in what, and
//! texts that Moodle's students typed into a form.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::Path;

use judge_grading::{Links, open_file};

use crate::roster::{Clues, is_number};

/// The file of Gradescope's export on who handed in what.
pub(crate) const METADATA: &str = "submission_metadata.yml";

/// True for a text of a platform's own form, beside which a file may have been handed in.
pub(crate) fn is_typed_text(name: &str) -> bool {
    name.contains("_assignsubmission_onlinetext")
}

/// Most bytes of that file that are read.
const MOST_BYTES: u64 = 16 << 20;

/// Who handed in which folder of a Gradescope export.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Submitters {
    /// The first submitter of each folder.
    pub(crate) people: BTreeMap<String, Clues>,
    /// Folders that several people handed in together.
    pub(crate) groups: Vec<String>,
}

/// Reads the file of a Gradescope export, if there is one in that folder. Anybody can hand in a file of
/// that name, so it is only believed where it tells of the folders of an export, and all are there.
pub(crate) fn submitters(folder: &Path) -> Submitters {
    let mut bytes = Vec::new();
    let file = open_file(&folder.join(METADATA), Links::Refused);
    let read = file.and_then(|file| file.take(MOST_BYTES).read_to_end(&mut bytes));
    let found = of_text(&String::from_utf8_lossy(&bytes));
    let is_of_export = |name: &String| {
        let number = name.strip_prefix("submission_").unwrap_or_default();
        is_number(number) && folder.join(name).is_dir()
    };
    match read.is_ok() && found.people.keys().all(is_of_export) {
        true => found,
        false => Submitters::default(),
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
    fn a_file_that_somebody_handed_in_decides_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let line = |name: &str| format!("{name}:\n  :submitters:\n  - :sid: '77'\n");
        let told = |text: &[u8]| {
            std::fs::write(folder.path().join(METADATA), text).expect("written");
            submitters(folder.path()).people.len()
        };
        std::fs::create_dir(folder.path().join("submission_1")).expect("made");
        std::fs::create_dir(folder.path().join("ada")).expect("made");
        assert_eq!(told(line("submission_1").as_bytes()), 1);
        assert_eq!(told((line("submission_1") + &line("ada")).as_bytes()), 0);
        assert_eq!(told((line("submission_1") + &line("submission_2")).as_bytes()), 0);
        assert_eq!(told(b"\xff\xfe"), 0);
        #[cfg(unix)]
        {
            std::fs::write(folder.path().join("real"), line("submission_1")).expect("written");
            std::fs::remove_file(folder.path().join(METADATA)).expect("there");
            std::os::unix::fs::symlink("real", folder.path().join(METADATA)).expect("made");
            assert_eq!(submitters(folder.path()), Submitters::default());
        }
    }

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
