//! Files that learning platforms add to submissions: Gradescope's list of submitters and times, and
//! texts that Moodle's students typed into a form.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::Path;

use judge_core::printable;
use judge_grading::{Links, open_file};
use judge_report::composed;

use crate::bots::roster::{Clues, is_number};

/// The list of submitters in a Gradescope export.
pub(crate) const METADATA: &str = "submission_metadata.yml";

/// True for a text from a platform's form. The student may have submitted a file in addition.
pub(crate) fn is_typed_text(name: &str) -> bool {
    name.contains("_assignsubmission_onlinetext")
}

/// Maximum number of bytes to read of that file.
const MOST_BYTES: u64 = 16 << 20;

/// The submitters by folder of a Gradescope export.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Submitters {
    /// The submitters of each folder; for a group, all its members.
    pub(crate) people: BTreeMap<String, Vec<Clues>>,
    /// The time of each submission, as it is in the list.
    pub(crate) submitted: BTreeMap<String, String>,
    /// Remarks on repeated entries.
    pub(crate) remarks: Vec<String>,
}

/// Reads the list of submitters in a folder, if it is a Gradescope export. Any student can submit a
/// file with that name, so it only counts if it lists folders of an export that all exist.
pub(crate) fn submitters(folder: &Path) -> Submitters {
    let mut bytes = Vec::new();
    let file = open_file(&folder.join(METADATA), Links::Refused);
    let read = file.and_then(|file| file.take(MOST_BYTES).read_to_end(&mut bytes));
    let found = submitters_in(&String::from_utf8_lossy(&bytes));
    let is_of_export = |name: &String| {
        let number = name.strip_prefix("submission_").unwrap_or_default();
        is_number(number) && folder.join(name).is_dir()
    };
    match read.is_ok() && found.people.keys().all(is_of_export) {
        true => found,
        false => Submitters::default(),
    }
}

/// Parses the parts of the list about people and times: `:submitters:` with `:name:`, `:sid:` and
/// `:email:`, and `:created_at:`. Other lines are ignored.
pub(crate) fn submitters_in(text: &str) -> Submitters {
    let mut found = Submitters::default();
    let (mut submission, mut among) = (None, false);
    for line in text.lines() {
        let begins = line.chars().next().is_some_and(char::is_alphanumeric);
        if begins {
            submission = line.trim_end().strip_suffix(':').filter(|name| found.is_new(name));
            among = false;
        }
        let Some(name) = submission else { continue };
        // Fields of a submission are indented by two characters, those of people by more.
        if line.starts_with("  :") {
            among = line.trim_end() == "  :submitters:";
            if let Some(time) = line.strip_prefix("  :created_at: ") {
                let time = unquoted(time.trim());
                found.submitted.entry(name.to_owned()).or_insert(time);
            }
        } else if among {
            found.take(name, line.trim_start());
        }
    }
    found.tell_of_repetitions();
    found
}

impl Submitters {
    /// True for the first entry of a submission.
    fn is_new(&mut self, name: &str) -> bool {
        let is_new = !self.people.contains_key(name);
        if !is_new {
            let name = printable(name, 60);
            self.remarks.push(format!("`{METADATA}` has `{name}` twice; the first entry counts"));
        }
        is_new
    }

    fn take(&mut self, submission: &str, line: &str) {
        let people = self.people.entry(submission.to_owned()).or_default();
        if line.starts_with("- ") || people.is_empty() {
            people.push(Clues::default());
        }
        let Some(person) = people.last_mut() else { return };
        let field = line.strip_prefix("- ").unwrap_or(line).trim_start();
        let Some((key, value)) = field.split_once(": ") else { return };
        let value = Some(unquoted(value.trim())).filter(|value| !value.is_empty());
        let value = value.map(|value| composed(&value).into_owned());
        match key {
            ":name" => person.full_name = value,
            ":sid" => person.number = value,
            ":email" => person.address = value,
            _ => {}
        }
    }

    /// Removes repeated members of a group, and reports people with several submissions.
    fn tell_of_repetitions(&mut self) {
        let mut first: BTreeMap<String, &String> = BTreeMap::new();
        for (submission, people) in &mut self.people {
            let mut seen: Vec<Clues> = Vec::new();
            for person in std::mem::take(people) {
                if seen.iter().any(|other| is_same(other, &person)) {
                    let (who, submission) = (shown(&person), printable(submission, 60));
                    self.remarks.push(format!("`{who}` is in the group of `{submission}` twice"));
                    continue;
                }
                seen.push(person);
            }
            for person in &seen {
                let key = person.number.as_ref().or(person.address.as_ref());
                let Some(before) = key.and_then(|key| first.insert(key.clone(), submission)) else {
                    continue;
                };
                let who = shown(person);
                self.remarks.push(format!("`{who}` submitted `{before}` and `{submission}`"));
            }
            *people = seen;
        }
    }
}

/// True for two entries of the same person.
fn is_same(one: &Clues, other: &Clues) -> bool {
    let same = |one: &Option<String>, other: &Option<String>| one.is_some() && one == other;
    same(&one.number, &other.number) || same(&one.address, &other.address) || one == other
}

fn shown(person: &Clues) -> String {
    let known = person.full_name.as_ref().or(person.number.as_ref()).or(person.address.as_ref());
    printable(known.map_or("", String::as_str), 60)
}

/// Removes the quotes around a text.
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
    fn a_submitted_file_does_not_choose_the_platform() {
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
    fn the_metadata_of_gradescope_names_the_submitters() {
        let text = "---\nsubmission_12:\n  :submitters:\n  - :name: Ada 'L' King\n    :sid: '0471'\n    \
                    :email: ada@uni.edu\n  :created_at: 2026-01-02 03:04:05.678901234 -08:00\n  :results:\n    :name: nobody\n\
                    submission_13:\n  :submitters:\n  - :name: Bob O'Neil\n    :sid: ''\n  - :name: Cat\n    \
                    :sid: '7'\n  :score: 1.0\n";
        let found = submitters_in(text);
        let ada = &found.people["submission_12"][0];
        assert_eq!(ada.full_name.as_deref(), Some("Ada 'L' King"));
        assert_eq!(found.submitted["submission_12"], "2026-01-02 03:04:05.678901234 -08:00");
        assert_eq!(found.submitted.len(), 1);
        assert_eq!(ada.number.as_deref(), Some("0471"));
        assert_eq!(ada.address.as_deref(), Some("ada@uni.edu"));
        let [bob, cat] = found.people["submission_13"].as_slice() else { panic!("{found:?}") };
        assert_eq!((bob.full_name.as_deref(), bob.number.as_deref()), (Some("Bob O'Neil"), None));
        assert_eq!((cat.full_name.as_deref(), cat.number.as_deref()), (Some("Cat"), Some("7")));
        assert_eq!((found.people["submission_12"].len(), found.remarks.len()), (1, 0));
        assert_eq!(submitters_in("nonsense\n\u{0}:::\n- :name: x\n"), Submitters::default());
    }

    #[test]
    fn duplicate_entries_in_the_metadata_are_reported() {
        let entry = |name: &str, sids: &[u32]| {
            let people = sids.iter().map(|sid| format!("  - :name: N{sid}\n    :sid: '{sid}'\n"));
            format!("submission_{name}:\n  :submitters:\n{}", people.collect::<String>())
        };
        let text = entry("1", &[7, 8, 7]) + &entry("2", &[8]) + &entry("1", &[9]);
        let found = submitters_in(&text);
        assert_eq!(found.people["submission_1"].len(), 2, "{found:?}");
        assert_eq!(
            found.remarks,
            [
                "`submission_metadata.yml` has `submission_1` twice; the first entry counts",
                "`N7` is in the group of `submission_1` twice",
                "`N8` submitted `submission_1` and `submission_2`",
            ]
        );
    }
}
