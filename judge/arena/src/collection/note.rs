//! The note at the end of a match or tournament: the rounds that count, and their order. Workers
//! may have played more.

use std::collections::BTreeMap;

use judge_core::SeatSpec;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{Fact, FactStore, Journal, StoreError};

/// Two players and their pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct MeetingNote {
    /// Cycle of a Swiss tournament, counted from 0.
    pub cycle: usize,
    /// The two players, by their positions in the plan: A first.
    pub players: [usize; 2],
    /// Number of the first pair: players that meet again continue with the next seeds.
    pub first: u64,
    /// Number of pairs that were played.
    pub pairs: u64,
}

/// The meetings of a run, in the order of display.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayedNote {
    /// Names of the players, by their positions in the plan.
    pub names: Vec<String>,
    /// The meetings, in the order of the schedule.
    pub meetings: Vec<MeetingNote>,
    /// The request, as its caller gave it.
    pub asked: Value,
}

impl PlayedNote {
    /// Name of the fact in the journal. Each part of a tournament has its own.
    pub const NAME: &str = "played";

    /// Stores it at the end of a run, unless the same note is already stored.
    ///
    /// # Errors
    /// When it cannot be stored.
    pub fn write(&self, journal: &Journal) -> Result<(), StoreError> {
        (journal as &dyn FactStore).keep(&(), self)?;
        Ok(journal.sync()?)
    }

    /// Reads the note of a journal; none for an unfinished run.
    pub fn read(journal: &Journal) -> Option<PlayedNote> {
        (journal as &dyn FactStore).fact(&()).ok().flatten()
    }

    /// Joins the notes of all parts; none unless each part has one.
    pub fn joined(parts: &[Journal]) -> Option<PlayedNote> {
        let notes: Option<Vec<PlayedNote>> = parts.iter().map(PlayedNote::read).collect();
        let mut notes = notes?.into_iter();
        let mut whole = notes.next()?;
        notes.for_each(|note| whole.meetings.extend(note.meetings));
        whole.meetings.sort();
        Some(whole)
    }
}

impl Fact for PlayedNote {
    type About = ();

    fn name((): &()) -> String {
        PlayedNote::NAME.to_owned()
    }
}

/// Identity of a player: the hash of its module or table, or the name of a reference opponent.
pub fn identity(player: &SeatSpec) -> Value {
    match player {
        SeatSpec::Bot { sha256, .. } => json!({"bot": sha256}),
        SeatSpec::Trained { sha256, .. } => json!({"trained": sha256}),
        SeatSpec::Reference { name } | SeatSpec::Human { name } | SeatSpec::Native { name } => {
            json!({"reference": name})
        }
    }
}

/// Meetings by their players, for finding the meeting of a pair of rounds.
#[derive(Debug, Default)]
pub(super) struct Meetings(BTreeMap<[usize; 2], Vec<(usize, MeetingNote)>>);

impl Meetings {
    pub(super) fn new(notes: &[MeetingNote]) -> Meetings {
        let mut meetings: BTreeMap<[usize; 2], Vec<(usize, MeetingNote)>> = BTreeMap::new();
        for (number, note) in notes.iter().enumerate() {
            meetings.entry(sorted(note.players)).or_default().push((number, *note));
        }
        Meetings(meetings)
    }

    /// The number of the meeting with that pair, and its note.
    pub(super) fn find(&self, players: [usize; 2], pair: u64) -> Option<(usize, MeetingNote)> {
        let meetings = self.0.get(&sorted(players))?;
        let holds =
            |note: &MeetingNote| pair.checked_sub(note.first).is_some_and(|at| at < note.pairs);
        meetings.iter().copied().find(|(_, note)| holds(note))
    }
}

/// The two players in ascending order.
pub(super) fn sorted([one, other]: [usize; 2]) -> [usize; 2] {
    [one.min(other), one.max(other)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_meetings_are_distinguished_by_the_pair() {
        let note = |cycle, players, first, pairs| MeetingNote { cycle, players, first, pairs };
        let meetings = Meetings::new(&[note(0, [0, 1], 0, 5), note(1, [1, 0], 5, 3)]);
        let at = |pair| meetings.find([0, 1], pair).map(|(number, _)| number);
        assert_eq!([4, 5, 7, 8].map(at), [Some(0), Some(1), Some(1), None]);
        assert!(meetings.find([0, 2], 0).is_none());
        assert_eq!(meetings.find([1, 0], 5).map(|(_, note)| note.players), Some([1, 0]));
    }
}
