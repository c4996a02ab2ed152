//! Findings: what there is beside plain modules, as a course's journal notes it. Out of it
//! and the reports alone everybody can be told of again.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::sections::Sections;
use crate::bots::roster::Clues;

/// Something among the submissions that is none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PassedOver {
    /// The name without its ending, as a submission would be called.
    pub(crate) name: String,
    /// The file's name.
    pub(crate) file: String,
    /// What it is, and what to do about it.
    pub(crate) what: String,
}

/// Submissions that are one program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Alike {
    /// Their names.
    pub(crate) names: Vec<String>,
    /// True if they are the same to the byte, and not only without their custom sections.
    pub(crate) to_the_byte: bool,
}

/// What was found, as far as it is not plain.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Findings {
    /// Files that are no submissions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) passed_over: Vec<PassedOver>,
    /// For folders the module in them, by its path from there; for modules that are not called like
    /// one their files.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) modules: BTreeMap<String, String>,
    /// Submissions that say they play none of the suite's games, and which they play.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) other_games: BTreeMap<String, String>,
    /// The submitters, where a platform has them in a separate file.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) people: BTreeMap<String, Vec<Clues>>,
    /// Submissions that are one program.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) alike: Vec<Alike>,
}

impl Findings {
    /// True if there is nothing to tell.
    pub(crate) fn is_empty(&self) -> bool {
        *self == Findings::default()
    }

    /// Clues to the submitters of something of that name: to one of them at least.
    pub(crate) fn clues(&self, name: &str) -> Vec<Clues> {
        let known = self.people.get(name).filter(|people| !people.is_empty());
        known.cloned().unwrap_or_else(|| vec![Clues::from_name(name)])
    }

    /// Puts together which submissions are one program.
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
