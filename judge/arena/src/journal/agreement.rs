//! Journals to merge. They must not contradict each other, because only the first one would count.

use std::collections::BTreeMap;

use judge_core::{RoundSpec, Seat};

use super::line::JournalEntry;
use super::{Journal, JournalError, PLAN};

/// Journals that agree on everything that both contain.
#[derive(Debug)]
pub struct Agreed<'a> {
    pub(super) journals: &'a [Journal],
    /// Names of facts that each journal has for itself.
    pub(super) own: &'a [&'a str],
}

impl<'a> Agreed<'a> {
    /// Compares journals, except for the facts in `own`.
    ///
    /// # Errors
    /// When two contradict each other, or one cannot be read.
    pub fn new(journals: &'a [Journal], own: &'a [&'a str]) -> Result<Agreed<'a>, JournalError> {
        let agreed = Agreed { journals, own };
        agreed.check_facts()?;
        agreed.check_rounds()?;
        Ok(agreed)
    }

    /// The facts of a journal that must agree with the others.
    pub(super) fn facts(&self, journal: &Journal) -> Vec<(String, serde_json::Value)> {
        let mut facts = journal.facts();
        // The plan of a part names the part; the merged journal has its own.
        facts.retain(|(name, _)| name != PLAN && !self.own.contains(&name.as_str()));
        facts
    }

    fn check_facts(&self) -> Result<(), JournalError> {
        let mut seen = BTreeMap::new();
        for journal in self.journals {
            for (name, value) in self.facts(journal) {
                let (first, told) = seen.entry(name.clone()).or_insert((journal, value.clone()));
                if *told != value {
                    return Err(contradiction(first, journal, format!("`{name}`")));
                }
            }
        }
        Ok(())
    }

    fn check_rounds(&self) -> Result<(), JournalError> {
        let mut seen = BTreeMap::new();
        for journal in self.journals {
            let places = journal.state().index.rounds.clone();
            for (key, place) in places {
                let Some((first, before)) = seen.insert(key, (journal, place)) else { continue };
                let (one, other) = (Journal::entry(first, before)?, journal.entry(place)?);
                if let Some(what) = difference(&one, &other) {
                    return Err(contradiction(first, journal, what));
                }
            }
        }
        Ok(())
    }
}

/// Describes the round on which two entries with the same key disagree. Names do not matter: they
/// are not in the key, and equal bots may have several.
fn difference(one: &JournalEntry, other: &JournalEntry) -> Option<String> {
    match (one, other) {
        (
            JournalEntry::Round { spec, told, outline, .. },
            JournalEntry::Round { spec: there, told: told_there, outline: outline_there, .. },
        ) => {
            let equal = outline == outline_there && told == told_there;
            (!equal).then(|| {
                let (game, seed) = (&spec.game, spec.seed);
                format!(
                    "the round of {game}, seed {seed}: {}, and {}",
                    players(spec),
                    players(there)
                )
            })
        }
        _ => Some("a line that is not a round".to_owned()),
    }
}

/// The players, by their names in the journal.
fn players(spec: &RoundSpec) -> String {
    let [one, other] = Seat::BOTH.map(|seat| spec.seat(seat).name());
    format!("`{one}` against `{other}`")
}

fn contradiction(first: &Journal, second: &Journal, what: String) -> JournalError {
    let [first, second] = [first, second].map(|journal| journal.path().to_owned());
    JournalError::Contradiction { first, second, what }
}
