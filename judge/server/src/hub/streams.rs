//! Live pages. Each is a connection that stays open, so their number per person is bounded.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use judge_store::PersonId;

/// Most live pages of a person at a time.
pub const OF_ONE: usize = 20;

/// Number of open live pages of each person.
#[derive(Debug, Clone, Default)]
pub struct Streams(Arc<Mutex<BTreeMap<PersonId, usize>>>);

/// A live page, closed when it is dropped.
#[derive(Debug)]
pub struct OpenStream {
    streams: Streams,
    person: PersonId,
}

impl Streams {
    /// Opens a live page for that person; none if they have too many.
    pub fn open(&self, person: &PersonId) -> Option<OpenStream> {
        let mut of = self.lock();
        let count = of.get(person).copied().unwrap_or_default();
        if count >= OF_ONE {
            return None;
        }
        of.insert(person.clone(), count + 1);
        Some(OpenStream { streams: self.clone(), person: person.clone() })
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<PersonId, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for OpenStream {
    fn drop(&mut self) {
        let mut of = self.streams.lock();
        if let Some(count) = of.get_mut(&self.person) {
            *count -= 1;
            if *count == 0 {
                of.remove(&self.person);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_has_a_few_and_others_are_not_held_up() {
        let streams = Streams::default();
        let [ada, bob] = ["a", "b"].map(|letter| letter.repeat(16).parse().expect("an id"));
        let mut open: Vec<_> = (0..OF_ONE).map(|_| streams.open(&ada).expect("room")).collect();
        assert!(streams.open(&ada).is_none());
        let other = streams.open(&bob);
        assert!(other.is_some());
        open.pop();
        assert!(streams.open(&ada).is_some(), "one was closed");
        drop((open, other));
        assert!(streams.lock().is_empty());
    }
}
