//! Facts in a course's journal that are not about single submissions. Together with the rounds they
//! determine all results.

use std::collections::BTreeMap;

use judge_arena::Fact;
use serde::{Deserialize, Serialize};

use crate::bots::roster::RosterEntry;
use crate::bots::submitted::Findings;

/// The list of students, by the names of their submissions.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct StudentsNote(pub(crate) BTreeMap<String, RosterEntry>);

/// The names of all submissions of the course.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct CourseNote(pub(crate) Vec<String>);

/// The names of the submissions in this journal, which has the whole course or a part of it.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SubmissionsNote(pub(crate) Vec<String>);

impl Fact for StudentsNote {
    type About = ();

    fn name((): &()) -> String {
        "students".to_owned()
    }
}

impl Fact for CourseNote {
    type About = ();

    fn name((): &()) -> String {
        "course".to_owned()
    }
}

impl Fact for SubmissionsNote {
    type About = ();

    fn name((): &()) -> String {
        "submissions".to_owned()
    }
}

/// Further findings among the submissions.
impl Fact for Findings {
    type About = ();

    fn name((): &()) -> String {
        "found".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use judge_arena::{FactStore, Facts, Journal, SubmissionNote, SuiteNote};
    use judge_core::{BotIdentity, digest};
    use judge_grading::Secrets;
    use serde_json::{Value, json};

    use super::*;
    use crate::Error;

    fn journal(folder: &tempfile::TempDir) -> Journal {
        let path = folder.path().join("journal.jsonl");
        let fingerprint = crate::base::workers::fingerprint();
        Journal::create(&path, fingerprint, Value::Null).expect("a new one")
    }

    /// The names and values must stay as in the journals of all earlier judges.
    #[test]
    fn facts_have_the_keys_and_bytes_of_older_journals() {
        let folder = tempfile::tempdir().expect("a folder");
        let journal = journal(&folder);
        let store: &dyn FactStore = &journal;
        let students = [(
            "ada".to_owned(),
            RosterEntry { name: Some("Ada".to_owned()), ..RosterEntry::default() },
        )];
        let names = || vec!["ada".to_owned()];
        let bot = BotIdentity { name: "ada".to_owned(), sha256: digest(b"x"), author: None };
        let note = SubmissionNote { file: "ada.wasm".to_owned(), bot, refused: None };
        let secrets = Secrets::default();
        let files = vec![("suite.toml".to_owned(), "title".to_owned())];
        let suite = SuiteNote::from_files("x", files, secrets);
        store.keep(&(), &StudentsNote(students.into())).expect("room");
        store.keep(&(), &CourseNote(names())).expect("room");
        store.keep(&(), &SubmissionsNote(names())).expect("room");
        store.keep("ada", &note).expect("room");
        store.keep(&(), &suite).expect("room");
        let text = std::fs::read_to_string(journal.path()).expect("a journal");
        let entry = |line: &'_ str| line.split(",\"link\"").next().unwrap_or_default().to_owned();
        let facts: Vec<String> = text.lines().skip(1).map(entry).collect();
        insta::assert_snapshot!(facts.join("\n"), @r#"
        {"entry":{"fact":{"name":"students","value":{"ada":{"id":null,"name":"Ada"}}}}
        {"entry":{"fact":{"name":"course","value":["ada"]}}
        {"entry":{"fact":{"name":"submissions","value":["ada"]}}
        {"entry":{"fact":{"name":"submission ada","value":{"bot":{"name":"ada","sha256":"2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"},"file":"ada.wasm","refused":null}}}
        {"entry":{"fact":{"name":"suite","value":{"files":[["suite.toml","title"]],"name":"x","secrets":{"files":[],"key":null}}}}
        "#);
    }

    #[test]
    fn a_malformed_fact_is_reported_by_name() {
        let folder = tempfile::tempdir().expect("a folder");
        let journal = journal(&folder);
        journal.note("course", &json!({"ada": 1})).expect("room");
        let facts = Facts::read(&journal).expect("facts");
        let error = facts.get::<CourseNote>(&()).expect_err("no list").to_string();
        assert!(error.contains("the fact `course` cannot be read: "), "{error}");
        assert!(facts.get::<SubmissionsNote>(&()).expect("none").is_none());
        let error = Error::from(facts.need::<SubmissionsNote>(&()).expect_err("missing"));
        assert!(error.to_string().ends_with("lacks the fact `submissions`"), "{error}");
        assert!(error.hint().is_some());
    }
}
