//! The list of a course's students, held against what was handed in: who is who, and never a guess
//! that nobody is told of.

mod clues;
mod matching;
mod nearest;

use serde::{Deserialize, Serialize};

pub(crate) use clues::{Clues, canvas, is_number, moodle};
pub(crate) use matching::Roster;
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
}
