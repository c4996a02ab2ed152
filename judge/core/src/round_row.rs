//! A played round as a table row: its position in the match or tournament, the players, the result
//! and the cost. The same data for every output format.

use std::cmp::Reverse;

use serde::{Deserialize, Serialize};

use crate::{Digest, Seat, Seed, Verdict};

/// Result of a round for one of its players.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SeatResult {
    /// Lost, by the rules or by a fault.
    Loss,
    /// Neither won nor lost.
    Draw,
    /// Won, by the rules or by the other's fault.
    Win,
}

impl SeatResult {
    /// The result for the other player.
    pub fn mirrored(self) -> SeatResult {
        match self {
            SeatResult::Loss => SeatResult::Win,
            SeatResult::Draw => SeatResult::Draw,
            SeatResult::Win => SeatResult::Loss,
        }
    }

    /// The word in files and messages.
    pub fn label(self) -> &'static str {
        match self {
            SeatResult::Loss => "loss",
            SeatResult::Draw => "draw",
            SeatResult::Win => "win",
        }
    }
}

/// The player or judge at fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Culprit {
    /// The player in seat 1.
    #[serde(rename = "seat-1")]
    SeatOne,
    /// The player in seat 2.
    #[serde(rename = "seat-2")]
    SeatTwo,
    /// The judge; the round does not count.
    Judge,
}

impl Culprit {
    /// The player in the seat of a fault.
    pub fn new(seat: Option<Seat>) -> Culprit {
        match seat {
            Some(Seat::One) => Culprit::SeatOne,
            Some(Seat::Two) => Culprit::SeatTwo,
            None => Culprit::Judge,
        }
    }

    /// The seat that failed; none for the judge.
    pub fn seat(self) -> Option<Seat> {
        match self {
            Culprit::SeatOne => Some(Seat::One),
            Culprit::SeatTwo => Some(Seat::Two),
            Culprit::Judge => None,
        }
    }
}

/// A row of the table of rounds. The fields are the columns of CSV and JSON Lines, in this order;
/// `judge/docs/rounds.md` explains each.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoundRow {
    /// Number in the run, counted from 1.
    pub round: u64,
    /// Number of the two players' meeting, counted from 1.
    pub meeting: u64,
    /// Number of the pair in its meeting, counted from 1; none if rounds do not come in pairs.
    pub pair: Option<u64>,
    /// Source of its luck.
    pub seed: Seed,
    /// The state at the first question, in the game's notation.
    pub opening: String,
    /// Name of the player in seat 1.
    pub seat_1: String,
    /// Name of the player in seat 2.
    pub seat_2: String,
    /// Hash of the module or table in seat 1; none for a reference opponent.
    pub sha256_1: Option<Digest>,
    /// Hash of the module or table in seat 2; none for a reference opponent.
    pub sha256_2: Option<Digest>,
    /// Seat of A, the first player of the meeting.
    pub a: Seat,
    /// Result for A.
    pub result: SeatResult,
    /// The winner; none for a draw.
    pub winner: Option<Seat>,
    /// Score of seat 1. After a fault that of the forfeit, unless the game was already over.
    pub score_1: i64,
    /// Score of seat 2. After a fault that of the forfeit, unless the game was already over.
    pub score_2: i64,
    /// Reason for the end, in the game's words.
    pub reason: String,
    /// The failure that ended it, if one did.
    pub fault: Option<Verdict>,
    /// The party at fault.
    pub blame: Option<Culprit>,
    /// Explanation of the failure.
    pub detail: Option<String>,
    /// Number of answers by both sides.
    pub plies: u64,
    /// Instructions of seat 1; none if they are not counted.
    pub fuel_1: Option<u64>,
    /// Instructions of seat 2; none if they are not counted.
    pub fuel_2: Option<u64>,
    /// Peak memory of seat 1, in bytes; none if it is not measured.
    pub memory_1: Option<u64>,
    /// Peak memory of seat 2, in bytes; none if it is not measured.
    pub memory_2: Option<u64>,
    /// True if it counts: both rounds of its pair were played.
    pub counts: bool,
    /// Equal for rounds with exactly the same lines and answers: 16 hex digits.
    pub course: String,
    /// Digest of the round's record.
    pub digest: Digest,
}

impl RoundRow {
    /// Names of the columns, in order.
    pub const COLUMNS: [&str; 26] = [
        "round", "meeting", "pair", "seed", "opening", "seat_1", "seat_2", "sha256_1", "sha256_2",
        "a", "result", "winner", "score_1", "score_2", "reason", "fault", "blame", "detail",
        "plies", "fuel_1", "fuel_2", "memory_1", "memory_2", "counts", "course", "digest",
    ];

    /// Name of the player in `seat`.
    pub fn name(&self, seat: Seat) -> &str {
        match seat {
            Seat::One => &self.seat_1,
            Seat::Two => &self.seat_2,
        }
    }

    /// Hash of the module or table in `seat`.
    pub fn sha256(&self, seat: Seat) -> Option<Digest> {
        match seat {
            Seat::One => self.sha256_1,
            Seat::Two => self.sha256_2,
        }
    }

    /// Score of `seat`.
    pub fn score(&self, seat: Seat) -> i64 {
        match seat {
            Seat::One => self.score_1,
            Seat::Two => self.score_2,
        }
    }

    /// Instructions of `seat`.
    pub fn fuel(&self, seat: Seat) -> Option<u64> {
        match seat {
            Seat::One => self.fuel_1,
            Seat::Two => self.fuel_2,
        }
    }

    /// Peak memory of `seat`, in bytes.
    pub fn memory(&self, seat: Seat) -> Option<u64> {
        match seat {
            Seat::One => self.memory_1,
            Seat::Two => self.memory_2,
        }
    }

    /// Result for `seat`.
    pub fn result_for(&self, seat: Seat) -> SeatResult {
        if seat == self.a { self.result } else { self.result.mirrored() }
    }

    /// Score of `seat` minus the other's.
    pub fn margin_for(&self, seat: Seat) -> i64 {
        self.score(seat).saturating_sub(self.score(seat.other()))
    }

    /// Sort key for the worst rounds of `seat` first: its faults, then losses by the largest
    /// margin, draws, wins by the smallest margin; ties by number.
    pub fn worst_first(&self, seat: Seat) -> (SeatResult, Reverse<bool>, i64, u64) {
        let failed = self.blame.and_then(Culprit::seat) == Some(seat);
        (self.result_for(seat), Reverse(failed), self.margin_for(seat), self.round)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::digest;

    fn row(round: u64, a: Seat, scores: [i64; 2], blame: Option<Culprit>) -> RoundRow {
        let winner = match scores[0].cmp(&scores[1]) {
            std::cmp::Ordering::Greater => Some(Seat::One),
            std::cmp::Ordering::Less => Some(Seat::Two),
            std::cmp::Ordering::Equal => None,
        };
        let result = match winner {
            None => SeatResult::Draw,
            Some(winner) if winner == a => SeatResult::Win,
            Some(_) => SeatResult::Loss,
        };
        RoundRow {
            round,
            meeting: 1,
            pair: Some(round.div_ceil(2)),
            seed: Seed(7),
            opening: "start".to_owned(),
            seat_1: "ada".to_owned(),
            seat_2: "bob".to_owned(),
            sha256_1: None,
            sha256_2: Some(digest(b"bob")),
            a,
            result,
            winner,
            score_1: scores[0],
            score_2: scores[1],
            reason: "x".to_owned(),
            fault: blame.map(|_| Verdict::RuntimeError),
            blame,
            detail: None,
            plies: 3,
            fuel_1: None,
            fuel_2: Some(5),
            memory_1: None,
            memory_2: Some(6),
            counts: true,
            course: "0".repeat(16),
            digest: digest(b""),
        }
    }

    #[test]
    fn the_worst_rounds_come_first_in_either_seat() {
        let mut rows = [
            row(1, Seat::One, [9, 0], None),
            row(2, Seat::Two, [9, 0], None),
            row(3, Seat::One, [0, 30], None),
            row(4, Seat::Two, [4, 4], None),
            row(5, Seat::One, [0, 1], Some(Culprit::SeatOne)),
            row(6, Seat::Two, [0, 1], Some(Culprit::SeatOne)),
            row(7, Seat::One, [0, 30], None),
        ];
        rows.sort_by_key(|row| row.worst_first(row.a));
        assert_eq!(rows.each_ref().map(|row| row.round), [5, 3, 7, 2, 4, 6, 1]);
        rows.sort_by_key(|row| row.worst_first(row.a.other()));
        assert_eq!(rows.each_ref().map(|row| row.round), [6, 1, 4, 5, 2, 3, 7]);
    }

    #[test]
    fn a_row_reads_back_and_its_fields_are_the_columns() {
        let row = row(1, Seat::Two, [0, 1], Some(Culprit::SeatOne));
        let json = serde_json::to_string(&row).unwrap();
        assert_eq!(serde_json::from_str::<RoundRow>(&json).unwrap(), row);
        let places = RoundRow::COLUMNS.map(|name| json.find(&format!("\"{name}\":")));
        assert!(places.is_sorted() && places.iter().all(Option::is_some), "{json}");
        let count = json.matches("\":").count();
        assert_eq!(count, RoundRow::COLUMNS.len(), "{json}");
        assert!(json.contains(r#""blame":"seat-1""#) && json.contains(r#""winner":2"#), "{json}");
    }

    #[test]
    fn a_win_of_one_player_is_a_loss_of_the_other() {
        let row = row(1, Seat::One, [3, 9], None);
        assert_eq!([Seat::One, Seat::Two].map(|seat| row.margin_for(seat)), [-6, 6]);
        assert_eq!(row.result_for(Seat::One), SeatResult::Loss);
        assert_eq!(row.result_for(Seat::Two), SeatResult::Win);
        assert_eq!(SeatResult::Draw.mirrored(), SeatResult::Draw);
        assert_eq!(Culprit::new(Some(Seat::Two)).seat(), Some(Seat::Two));
        assert_eq!(Culprit::new(None), Culprit::Judge);
    }
}
