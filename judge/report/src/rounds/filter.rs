//! A filter for the rows of a table of rounds, and the player from whom the results are seen.

use judge_core::{RoundRow, Seat, SeatResult};

use crate::same_name;

/// Minimum length of a hash prefix that names a player.
const SHORTEST_HASH: usize = 8;

/// Conditions on a row. An absent one always holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RoundFilter {
    /// A player: a name, or the beginning of a module's or table's hash. Rows are seen from this
    /// player's side; by default from A's.
    pub player: Option<String>,
    /// The player's opponent, named in the same way. Without a player, rows are seen from the other
    /// side.
    pub against: Option<String>,
    /// Result for the player.
    pub result: Option<SeatResult>,
    /// The beginning of the opening.
    pub opening: Option<String>,
    /// Minimum number of answers.
    pub min_plies: Option<u64>,
    /// Maximum number of answers.
    pub max_plies: Option<u64>,
    /// Only rounds that ended with a fault of a player or of the judge.
    pub fault: bool,
}

impl RoundFilter {
    /// The seat that the row is seen from, if the row passes the filter. A player in both seats is
    /// A.
    pub fn seat(&self, row: &RoundRow) -> Option<Seat> {
        let seats = [row.a, row.a.other()];
        let fits = |wanted: &Option<String>, seat: Seat| {
            wanted.as_ref().is_none_or(|player| is_called(row, seat, player))
        };
        let meets = |seat: &Seat| fits(&self.player, *seat) && fits(&self.against, seat.other());
        let seat = seats.into_iter().find(meets)?;
        self.takes(row, seat).then_some(seat)
    }

    fn takes(&self, row: &RoundRow, seat: Seat) -> bool {
        let opens = |opening: &String| row.opening.starts_with(opening.as_str());
        self.result.is_none_or(|result| result == row.result_for(seat))
            && self.opening.as_ref().is_none_or(opens)
            && self.min_plies.is_none_or(|least| row.plies >= least)
            && self.max_plies.is_none_or(|most| row.plies <= most)
            && (!self.fault || row.fault.is_some())
    }
}

fn is_called(row: &RoundRow, seat: Seat, player: &str) -> bool {
    let hash = row.sha256(seat).map(|sha256| sha256.to_string());
    let is_hash = player.len() >= SHORTEST_HASH;
    same_name(row.name(seat), player)
        || is_hash && hash.is_some_and(|hash| hash.starts_with(&player.to_ascii_lowercase()))
}

#[cfg(test)]
mod tests {
    use judge_core::{Culprit, Verdict, digest};

    use super::*;
    use crate::test_data::samples::round_row;

    fn seats(filter: &RoundFilter) -> Vec<Option<Seat>> {
        let mut failed = round_row(3, Seat::One, [0, 1]);
        failed.fault = Some(Verdict::RuntimeError);
        failed.blame = Some(Culprit::SeatOne);
        failed.plies = 9;
        let rows = [round_row(1, Seat::One, [5, 2]), round_row(2, Seat::Two, [5, 2]), failed];
        rows.iter().map(|row| filter.seat(row)).collect()
    }

    fn text(text: &str) -> Option<String> {
        Some(text.to_owned())
    }

    #[test]
    fn the_default_filter_takes_all_rounds_of_the_first_player() {
        let all = [Some(Seat::One), Some(Seat::Two), Some(Seat::One)];
        assert_eq!(seats(&RoundFilter::default()), all);
    }

    #[test]
    fn players_are_named_by_name_or_hash_and_see_their_own_result() {
        // In every row `ada` has seat 1 and `bob` has seat 2.
        let wanted = |player: &str, result| {
            seats(&RoundFilter { player: text(player), result, ..Default::default() })
        };
        assert_eq!(wanted("bob", None), [Some(Seat::Two); 3]);
        let lost = [Some(Seat::Two), Some(Seat::Two), None];
        assert_eq!(wanted("bob", Some(SeatResult::Loss)), lost);
        let hash = digest(b"bob").to_string().to_uppercase();
        assert_eq!(wanted(&hash[..8], Some(SeatResult::Loss)), lost);
        assert_eq!(wanted(&hash[..7], None), [None; 3], "too short to be a hash");
        assert_eq!(wanted("carol", None), [None; 3]);
        let against =
            |name: &str| seats(&RoundFilter { against: text(name), ..Default::default() });
        assert_eq!(against("bob"), [Some(Seat::One); 3]);
        assert_eq!(against("carol"), [None; 3]);
        let itself =
            RoundFilter { player: text("ada"), against: text("ada"), ..Default::default() };
        assert_eq!(seats(&itself), [None; 3]);
    }

    #[test]
    fn rounds_are_filtered_by_opening_length_and_fault() {
        let default = RoundFilter::default;
        let none = [None; 3];
        assert_eq!(seats(&RoundFilter { opening: text("other"), ..default() }), none);
        assert_ne!(seats(&RoundFilter { opening: text("sta"), ..default() }), none);
        let long = [None, None, Some(Seat::One)];
        assert_eq!(seats(&RoundFilter { min_plies: Some(9), ..default() }), long);
        assert_eq!(seats(&RoundFilter { min_plies: Some(10), ..default() }), none);
        let short = [Some(Seat::One), Some(Seat::Two), None];
        assert_eq!(seats(&RoundFilter { max_plies: Some(8), ..default() }), short);
        assert_eq!(seats(&RoundFilter { fault: true, ..default() }), long);
    }
}
