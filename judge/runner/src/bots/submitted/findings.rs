//! Findings among a course's submissions, which its journal keeps. All notes about submissions can
//! be repeated from the findings and the reports.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::sections::Sections;
use crate::bots::roster::Clues;

/// An entry that is not a submission.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PassedOver {
    /// The name without the extension, like a submission's name.
    pub(crate) name: String,
    /// The file's name.
    pub(crate) file: String,
    /// A description, and what to do about it.
    pub(crate) what: String,
}

/// Submissions of the same program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Alike {
    /// Their names.
    pub(crate) names: Vec<String>,
    /// True if they are identical files, and do not differ even in their custom sections.
    pub(crate) to_the_byte: bool,
}

/// The findings: everything that is not a plain module with one submitter.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Findings {
    /// Files that are not submissions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) passed_over: Vec<PassedOver>,
    /// The module's path in a submitted folder, or the file of a module without the usual
    /// extension.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) modules: BTreeMap<String, String>,
    /// Submissions that state only games that the suite does not have, and those games.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) other_games: BTreeMap<String, String>,
    /// The submitters, if the platform lists them in a separate file.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) people: BTreeMap<String, Vec<Clues>>,
    /// The times of submissions, if the platform lists them in a separate file.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) submitted: BTreeMap<String, String>,
    /// Submissions of the same program.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) alike: Vec<Alike>,
}

impl Findings {
    /// True if there are no findings.
    pub(crate) fn is_empty(&self) -> bool {
        *self == Findings::default()
    }

    /// Clues to the submitters of an entry with that name, at least one.
    pub(crate) fn clues(&self, name: &str) -> Vec<Clues> {
        let known = self.people.get(name).filter(|people| !people.is_empty());
        known.cloned().unwrap_or_else(|| vec![Clues::from_name(name)])
    }

    /// Finds submissions of the same program.
    pub(crate) fn compare(&mut self, all: &BTreeMap<String, Sections>) {
        let mut groups: BTreeMap<_, Vec<&String>> = BTreeMap::new();
        for (name, one) in all {
            groups.entry(*one.program.bytes()).or_default().push(name);
        }
        let several = groups.into_values().filter(|names| names.len() > 1);
        let mut alike: Vec<Alike> = several.map(|names| Alike::new(&names, all)).collect();
        alike.sort_by(|one, other| one.names.cmp(&other.names));
        self.alike = alike;
    }
}

impl Alike {
    fn new(names: &[&String], all: &BTreeMap<String, Sections>) -> Alike {
        let same = |name: &&String| all[*name].sha256 == all[names[0]].sha256;
        Alike {
            to_the_byte: names.iter().all(same),
            names: names.iter().map(|name| (*name).clone()).collect(),
        }
    }
}
