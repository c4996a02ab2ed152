//! The check of a run's meetings against its schedule.

use judge_arena::MeetingNote;

use super::super::FirstProblem;
use crate::contest::Saved;
use crate::contest::tournament::Fixture;

/// Fails if the meetings are not these, in this order.
pub(super) fn check(saved: &Saved, expected: &[Fixture]) -> Result<(), FirstProblem> {
    if expected.is_empty() {
        return Err(FirstProblem::new("shard", "no meeting belongs to this part"));
    }
    let found: Vec<Fixture> = saved.meetings.iter().map(fixture).collect();
    let differ = |number: &usize| found.get(*number) != expected.get(*number);
    match (0..expected.len().max(found.len())).find(differ) {
        None => Ok(()),
        Some(number) => Err(misplaced(saved, number, expected.get(number))),
    }
}

/// The problem of an unexpected meeting.
pub(super) fn misplaced(saved: &Saved, number: usize, expected: Option<&Fixture>) -> FirstProblem {
    let place = format!("meetings[{number}]");
    let names = |fixture: &Fixture| {
        let [a, b] = fixture.players.map(|player| saved.seats[player].name());
        let first = fixture.first + 1;
        format!("cycle {}: `{a}` against `{b}`, from pair {first}", fixture.cycle + 1)
    };
    let found = saved.meetings.get(number).map(fixture);
    let word = |fixture: Option<&Fixture>| fixture.map_or("none".to_owned(), names);
    let what = match expected {
        Some(_) => "not the meeting of the schedule: one is missing or replaced",
        None => "the schedule has no such meeting",
    };
    FirstProblem::new(place, what).with(word(found.as_ref()), word(expected))
}

/// The fixture of a meeting.
pub(super) fn fixture(note: &MeetingNote) -> Fixture {
    Fixture { players: note.players, cycle: note.cycle, first: note.first }
}
