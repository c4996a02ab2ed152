//! Who stands where in a tournament, and what of.

use judge_arena::statistics::{self, Estimate, FOR_RATINGS, PairTable, Sample};
use judge_core::{Seat, SeatSpec};
use serde::Serialize;

use super::Meeting;
use crate::contest::Players;

/// All players, the best one first.
pub(super) struct Standing {
    /// A row for each.
    pub(super) rows: Vec<Row>,
}

/// A player's results over all meetings.
#[derive(Debug, Serialize)]
pub(super) struct Row {
    /// The position on the command line.
    pub(super) player: usize,
    /// What it is called.
    pub(super) name: String,
    /// Elo points above the first player of the command line.
    pub(super) rating: Estimate,
    /// Share of the points.
    pub(super) score: f64,
    /// Rounds won, drawn and lost in seat 1 and in seat 2.
    pub(super) seats: [[u64; 3]; 2],
    /// Rounds that ended by its fault.
    pub(super) faults: u64,
    /// What the first of them was.
    pub(super) first_fault: Option<String>,
}

impl Row {
    /// Rounds won, drawn and lost.
    pub(super) fn results(&self) -> [u64; 3] {
        let [one, two] = self.seats;
        std::array::from_fn(|at| one[at] + two[at])
    }
}

/// Share of the points in rounds won, drawn and lost; one half of no rounds.
pub(super) fn share([won, drawn, lost]: [u64; 3]) -> f64 {
    let rounds = won + drawn + lost;
    if rounds == 0 { 0.5 } else { (2 * won + drawn) as f64 / (2 * rounds) as f64 }
}

impl Standing {
    /// Adds the meetings up and rates the players.
    pub(super) fn new(players: &Players, meetings: &[Meeting]) -> Standing {
        let samples: Vec<statistics::Meeting> = meetings
            .iter()
            .map(|meeting| statistics::Meeting {
                players: meeting.players,
                sample: Sample::new(&meeting.tally.table.counts(), FOR_RATINGS),
            })
            .collect();
        let ratings = statistics::fit(players.count(), &samples);
        let mut rows: Vec<Row> = std::iter::zip(0.., ratings)
            .map(|(player, rating)| row(player, &players.seat(player), rating.rating, meetings))
            .collect();
        // Equals stand as they were named.
        rows.sort_by(|one, other| other.rating.value.total_cmp(&one.rating.value));
        Standing { rows }
    }
}

fn row(player: usize, seat: &SeatSpec, rating: Estimate, meetings: &[Meeting]) -> Row {
    let mut table = PairTable::default();
    let (mut faults, mut first_fault) = (0, None);
    for meeting in meetings {
        let Some(at) = meeting.players.iter().position(|one| *one == player) else { continue };
        let own = &meeting.tally.table;
        table.join(&if at == 0 { *own } else { own.mirrored() });
        faults += meeting.tally.faults_of(at);
        first_fault = first_fault.or_else(|| meeting.tally.first_faults[at].clone());
    }
    Row {
        player,
        name: seat.name().to_owned(),
        rating,
        score: share(table.results()),
        seats: Seat::BOTH.map(|seat| table.in_seat(seat)),
        faults,
        first_fault,
    }
}

#[cfg(test)]
mod tests {
    use super::share;

    #[test]
    fn a_draw_is_half_a_point() {
        assert_eq!(share([1, 2, 1]), 0.5);
        assert_eq!(share([3, 0, 1]), 0.75);
        assert_eq!(share([0, 0, 0]), 0.5);
    }
}
