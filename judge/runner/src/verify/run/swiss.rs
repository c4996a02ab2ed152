//! The meetings of a Swiss tournament, drawn again from the earlier results.

use judge_arena::Swiss;
use serde::Deserialize;

use super::super::FirstProblem;
use super::meetings::{fixture, misplaced};
use super::progress::Progress;
use crate::contest::Saved;
use crate::contest::tournament::Fixture;

/// Fails if a cycle's meetings or its player without an opponent do not follow from the results. If
/// rounds are missing, only the number of meetings is checked.
pub(super) fn check(
    saved: &Saved,
    progress: &Progress<'_>,
    planned: u64,
) -> Result<(), FirstProblem> {
    let players = saved.seats.len();
    let in_cycle = players / 2;
    let cycles = saved.meetings.len() / in_cycle;
    if cycles == 0 || !saved.meetings.len().is_multiple_of(in_cycle) || cycles >= players {
        let what = "the number of meetings does not make whole cycles of these players";
        return Err(FirstProblem::new("meetings", what));
    }
    if !progress.is_whole() {
        return Ok(());
    }
    let byes: Vec<usize> = Deserialize::deserialize(&saved.asked["byes"]).unwrap_or_default();
    let mut swiss = Swiss::new(players);
    let mut expected_byes = Vec::new();
    for cycle in 0..cycles {
        let next = swiss.pair();
        for (at, players) in next.meetings.iter().enumerate() {
            let number = cycle * in_cycle + at;
            let first = u64::from(swiss.met(*players)).saturating_mul(planned);
            let expected = Fixture { players: *players, cycle, first };
            if fixture(&saved.meetings[number]) != expected {
                return Err(misplaced(saved, number, Some(&expected)));
            }
        }
        for (at, players) in next.meetings.iter().enumerate() {
            let [won, drawn, lost] = progress.results(cycle * in_cycle + at);
            swiss.take(*players, 2 * won + drawn, won + drawn + lost);
        }
        expected_byes.extend(next.bye);
    }
    if byes == expected_byes {
        return Ok(());
    }
    let problem = FirstProblem::new("byes", "not the players that the schedule gives no meeting");
    Err(problem.with(format!("{byes:?}"), format!("{expected_byes:?}")))
}
