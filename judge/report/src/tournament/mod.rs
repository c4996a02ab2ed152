//! A tournament for display: ranking and details, as a page and as a picture.

mod axis;

pub(crate) use axis::Axis;

use crate::rounds::RoundLine;

/// Result of a tournament.
#[derive(Debug, Clone, Default)]
pub struct Tournament {
    /// The game's name for people.
    pub title: String,
    /// Schedule, for example `round robin`.
    pub format: String,
    /// Setting: rules, seeds.
    pub setting: String,
    /// Explanation of the ratings.
    pub about_ratings: String,
    /// The players, the best one first.
    pub players: Vec<Ranked>,
    /// Rounds that each player won, drew and lost against each other, indexed as `players`.
    pub cross: Vec<Vec<Option<[u64; 3]>>>,
    /// Number of meetings.
    pub meetings: usize,
    /// Number of rounds that count.
    pub rounds: u64,
    /// Effects of seats and openings, a sentence each.
    pub seats: Vec<String>,
    /// Results by opening.
    pub openings: Vec<OpeningRow>,
    /// Notes: meetings that ended early, byes, pairs left out.
    pub remarks: Vec<String>,
    /// Facts about the players and the run: names and values.
    pub facts: Vec<(String, String)>,
    /// The worst rounds of each player, in the order of the command line.
    pub worst: Vec<WorstRounds>,
    /// The command that lists all rounds, ready for a shell.
    pub all_rounds: Option<String>,
}

/// The worst rounds of a player of a tournament.
#[derive(Debug, Clone, Default)]
pub struct WorstRounds {
    /// Name of the player.
    pub name: String,
    /// The rounds, the worst first.
    pub lines: Vec<RoundLine>,
}

/// A player of a tournament.
#[derive(Debug, Clone, Default)]
pub struct Ranked {
    /// Name.
    pub name: String,
    /// The rating.
    pub rating: f64,
    /// The ends of its interval; none for the reference player.
    pub interval: Option<[f64; 2]>,
    /// The player's mean share of the points per meeting.
    pub score: f64,
    /// Rounds won, drawn and lost.
    pub results: [u64; 3],
    /// Share of the points in seat 1 and in seat 2.
    pub seats: [f64; 2],
    /// Rounds that ended with a fault of this player.
    pub faults: u64,
    /// Faults by kind.
    pub kinds: Vec<(String, u64)>,
    /// First fault.
    pub first_fault: Option<String>,
}

/// Result of the rounds with one opening.
#[derive(Debug, Clone, Default)]
pub struct OpeningRow {
    /// A seed with it.
    pub seed: String,
    /// Number of seeds with it.
    pub seeds: u64,
    /// Number of rounds.
    pub rounds: u64,
    /// Share of the points won in seat 1, with the ends of its interval.
    pub seat_one: [f64; 3],
}

impl Ranked {
    /// Formats the rating with the ends of its interval.
    pub(crate) fn rating_text(&self) -> String {
        rating_text(self.rating, self.interval)
    }
}

/// Formats a rating with the ends of its interval: `581 (463 to 715)`. An unknown end is `∞`.
pub fn rating_text(rating: f64, interval: Option<[f64; 2]>) -> String {
    let text = |number: f64| {
        match number {
            f64::INFINITY => "∞".to_owned(),
            f64::NEG_INFINITY => "-∞".to_owned(),
            // Adding 0.0 avoids `-0`.
            number => format!("{:.0}", number.round() + 0.0),
        }
    };
    let ends = interval.map(|[low, high]| format!(" ({} to {})", text(low), text(high)));
    text(rating) + &ends.unwrap_or_default()
}

/// Ratings that differ by less count as equal, because the last digits are rounding errors.
const EQUAL: f64 = 1e-6;

/// Ranks of players with these ratings, best first; equal players share a rank.
pub fn ranks(ratings: &[f64]) -> Vec<usize> {
    let mut ranks: Vec<usize> = Vec::new();
    for (at, rating) in ratings.iter().enumerate() {
        let equal = at > 0 && (ratings[at - 1] - rating).abs() < EQUAL;
        ranks.push(if equal { ranks[at - 1] } else { at + 1 });
    }
    ranks
}

impl Tournament {
    /// All ranks.
    pub(crate) fn ranks(&self) -> Vec<usize> {
        ranks(&self.players.iter().map(|player| player.rating).collect::<Vec<_>>())
    }

    /// The axis of all ratings with their intervals.
    pub(crate) fn axis(&self) -> Axis {
        let ends = self.players.iter().flat_map(|player| {
            let [low, high] = player.interval.unwrap_or([player.rating; 2]);
            [low, player.rating, high]
        });
        Axis::over(ends)
    }
}

#[cfg(test)]
mod tests {
    use super::{ranks, rating_text};

    #[test]
    fn equal_players_share_a_rank() {
        assert_eq!(ranks(&[90.0, 50.0, 50.0 - 1e-9, 7.0]), [1, 2, 2, 4]);
        assert_eq!(ranks(&[]), [0; 0]);
    }

    #[test]
    fn ratings_are_shown_with_their_intervals() {
        assert_eq!(rating_text(-0.2, None), "0");
        assert_eq!(rating_text(581.4, Some([463.0, f64::INFINITY])), "581 (463 to ∞)");
        assert_eq!(rating_text(25.0, Some([-0.4, 30.26])), "25 (0 to 30)");
    }
}
