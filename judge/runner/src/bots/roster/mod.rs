//! The list of a course's students, matched to the submissions. Every guess is reported.

mod clues;
mod groups;
mod homonyms;
mod matching;
mod nearest;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub(crate) use clues::{Clues, canvas, is_number, moodle};
pub(crate) use matching::{Roster, same_without_zeros};
pub(crate) use nearest::{nearest, nearest_student};

/// A student as the list has them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RosterEntry {
    /// Their name, to be shown instead of the submission's.
    pub(crate) name: Option<String>,
    /// Their number or login.
    pub(crate) id: Option<String>,
    /// Their address for mail; journals of lists without addresses have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) address: Option<String>,
    /// Name of the group that they submit with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) group: Option<String>,
    /// Other students of the submission, by the keys of their marks.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) members: BTreeMap<String, RosterEntry>,
}

impl From<Clues> for RosterEntry {
    fn from(clues: Clues) -> RosterEntry {
        let Clues { full_name: name, number: id, address, .. } = clues;
        RosterEntry { name, id, address, ..RosterEntry::default() }
    }
}
