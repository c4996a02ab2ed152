//! The worst modules so far: the slowest, and those that need most memory.

use std::cmp::Reverse;
use std::fmt;

use super::genome::Genome;
use crate::trial::Trial;

/// A module and its result.
pub(super) type RatedModule = (Trial, Genome);

/// Number of modules of each kind that are kept.
const KEPT: usize = 10;

/// The worst of each kind, worst first.
#[derive(Default)]
pub(super) struct Best {
    pub(super) slowest: Vec<RatedModule>,
    pub(super) hungriest: Vec<RatedModule>,
    /// Number of modules tried, and number accepted by intake.
    pub(super) tried: u32,
    pub(super) taken: u32,
}

impl Best {
    pub(super) fn note(&mut self, found: &RatedModule) {
        self.tried += 1;
        if found.0 == Trial::Refused {
            return;
        }
        self.taken += 1;
        keep(&mut self.slowest, found, |trial| trial.time());
        keep(&mut self.hungriest, found, |trial| trial.peak_kib());
    }
}

fn keep<Key: Ord>(list: &mut Vec<RatedModule>, found: &RatedModule, key: impl Fn(&Trial) -> Key) {
    list.push(found.clone());
    list.sort_by_key(|(trial, _)| Reverse(key(trial)));
    list.truncate(KEPT);
}

impl fmt::Display for Best {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} modules tried, {} taken by intake", self.tried, self.taken)?;
        for (title, list) in [("slowest", &self.slowest), ("most memory", &self.hungriest)] {
            writeln!(f, "\n{title}")?;
            for (trial, genome) in list {
                writeln!(f, "{trial}: {genome}")?;
            }
        }
        Ok(())
    }
}
