//! The list of a course's students, matched to submissions. Every guess is reported.

mod clues;
mod groups;
mod homonyms;
mod identifier;
mod logins;
mod matching;
mod nearest_student;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub(crate) use clues::{Clues, canvas, is_late, is_number, moodle};
pub(crate) use identifier::identifier_parts;
pub(crate) use matching::{Roster, same_without_zeros};
pub(crate) use nearest_student::nearest_student;

/// A student on the list.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RosterEntry {
    /// The student's name, to show instead of the submission's.
    pub(crate) name: Option<String>,
    /// The student's number or login.
    pub(crate) id: Option<String>,
    /// The student's email address. Older journals do not have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) address: Option<String>,
    /// The name of the student's group.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) group: Option<String>,
    /// The login, if it is not the id: names of repositories end with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) login: Option<String>,
    /// The learning platform's identifier: `Participant 12` of a Moodle worksheet, or a number of
    /// Canvas. Names in a download contain its number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) identifier: Option<String>,
    /// The time of the submission, as the platform or the instructor wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) submitted: Option<String>,
    /// Further students of the submission, by the keys of their marks.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) members: BTreeMap<String, RosterEntry>,
}

impl From<Clues> for RosterEntry {
    fn from(clues: Clues) -> RosterEntry {
        let Clues { full_name: name, number: id, address, .. } = clues;
        RosterEntry { name, id, address, ..RosterEntry::default() }
    }
}
