//! A tournament as it is shown: who stands where and what of, as a page and as a picture.

mod axis;

pub(crate) use axis::Axis;

/// What came of a tournament.
#[derive(Debug, Clone, Default)]
pub struct Tournament {
    /// The game, for people.
    pub title: String,
    /// Who met whom: `round robin`, for example.
    pub format: String,
    /// What was played: rules, seeds.
    pub setting: String,
    /// What the ratings mean.
    pub about_ratings: String,
    /// Digits after the point of a rating.
    pub decimals: usize,
    /// The players, the best one first.
    pub players: Vec<Ranked>,
    /// Share of the points that each player made against each other, by their places above.
    pub cross: Vec<Vec<Option<f64>>>,
    /// How many met.
    pub meetings: usize,
    /// Rounds that count.
    pub rounds: u64,
    /// What seats and openings have to do with it, a sentence each.
    pub seats: Vec<String>,
    /// Results by opening.
    pub openings: Vec<OpeningRow>,
    /// What else the reader should know: meetings that ended early, byes, pairs left out.
    pub remarks: Vec<String>,
    /// Names and values: who played, with what.
    pub facts: Vec<(String, String)>,
}

/// A player of a tournament.
#[derive(Debug, Clone, Default)]
pub struct Ranked {
    /// What it is called.
    pub name: String,
    /// The rating.
    pub rating: f64,
    /// The ends of its interval; none for the one from whom the others are measured.
    pub interval: Option<[f64; 2]>,
    /// Share of the points.
    pub score: f64,
    /// Rounds won, drawn and lost.
    pub results: [u64; 3],
    /// Share of the points in seat 1 and in seat 2.
    pub seats: [f64; 2],
    /// Rounds that ended by its fault.
    pub faults: u64,
    /// How often it failed how.
    pub kinds: Vec<(String, u64)>,
    /// What the first fault was.
    pub first_fault: Option<String>,
}

/// What came of the rounds with one opening.
#[derive(Debug, Clone, Default)]
pub struct OpeningRow {
    /// A seed with it.
    pub seed: String,
    /// How many seeds have it.
    pub seeds: u64,
    /// Rounds.
    pub rounds: u64,
    /// Share of the points made in seat 1, with the ends of its interval.
    pub seat_one: [f64; 3],
}

impl Ranked {
    /// The rating as text: with half the width of its interval.
    pub(crate) fn rating_text(&self, decimals: usize) -> String {
        // No `-0`.
        let factor = 10_f64.powi(i32::try_from(decimals).unwrap_or(0));
        let value = (self.rating * factor).round() / factor + 0.0;
        match self.interval {
            None => format!("{value:.decimals$}"),
            Some([_, high]) => format!("{value:.decimals$} ± {:.decimals$}", high - self.rating),
        }
    }
}

impl Tournament {
    /// The axis of all ratings with their intervals.
    pub(crate) fn axis(&self) -> Axis {
        let ends = self.players.iter().flat_map(|player| {
            let [low, high] = player.interval.unwrap_or([player.rating; 2]);
            [low, player.rating, high]
        });
        Axis::over(ends)
    }
}
