//! Ratings that are brought up to date period by period, by choice instead of the fit of all
//! rounds at once: Glicko-2 (Glickman, "Example of the Glicko-2 system", 2013) and Weng-Lin
//! ("A Bayesian approximation method for online ranking", 2011), as `skillratings` has them.
//!
//! They depend on the order of the periods. Within one, Glicko-2 knows no order, and Weng-Lin that
//! of the games. They take each round for a game of its own.

use skillratings::glicko2::{Glicko2, Glicko2Config};
use skillratings::weng_lin::{WengLin, WengLinConfig};
use skillratings::{Outcomes, Rating as _, RatingPeriodSystem};

use super::estimate::{Estimate, Z};

/// Which of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Online {
    /// Begins with 1500 and a deviation of 350; τ is 0.5.
    Glicko2,
    /// Begins with 25 and an uncertainty of 25/3; β is 25/6.
    WengLin,
}

/// A round of two players.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Game {
    /// Positions in the list of players.
    pub players: [usize; 2],
    /// The first player's half points: 0, 1 or 2.
    pub half_points: u8,
}

/// The ratings of so many players after all periods, with their intervals: 1.96 deviations to
/// each side. Who has no game in a period stays as it was.
pub fn updated(
    system: Online,
    players: usize,
    periods: impl Iterator<Item = Vec<Game>>,
) -> Vec<Estimate> {
    match system {
        Online::Glicko2 => after(&Glicko2::new(Glicko2Config::new()), players, periods),
        Online::WengLin => after(&WengLin::new(WengLinConfig::new()), players, periods),
    }
}

fn after<S: RatingPeriodSystem>(
    system: &S,
    players: usize,
    periods: impl Iterator<Item = Vec<Game>>,
) -> Vec<Estimate> {
    let mut ratings = vec![S::RATING::new(None, None); players];
    periods.for_each(|games| ratings = period(system, &ratings, &games));
    ratings.iter().map(estimate::<S>).collect()
}

/// The ratings after the games of one period, of which each is seen by both players with the
/// ratings from before it.
fn period<S: RatingPeriodSystem>(
    system: &S,
    ratings: &[S::RATING],
    games: &[Game],
) -> Vec<S::RATING> {
    let mut results: Vec<Vec<(S::RATING, Outcomes)>> = vec![Vec::new(); ratings.len()];
    for game in games {
        let [one, other] = game.players;
        results[one].push((ratings[other], outcome(game.half_points)));
        results[other].push((ratings[one], outcome(2 - game.half_points.min(2))));
    }
    let rate = |(rating, results): (&S::RATING, &Vec<_>)| {
        if results.is_empty() { *rating } else { system.rate(rating, results) }
    };
    ratings.iter().zip(&results).map(rate).collect()
}

fn outcome(half_points: u8) -> Outcomes {
    match half_points {
        0 => Outcomes::LOSS,
        1 => Outcomes::DRAW,
        _ => Outcomes::WIN,
    }
}

fn estimate<S: RatingPeriodSystem>(rating: &S::RATING) -> Estimate {
    let (value, margin) = (rating.rating(), Z * rating.uncertainty().unwrap_or(f64::INFINITY));
    Estimate { value, low: value - margin, high: value + margin }
}

#[cfg(test)]
mod tests {
    use skillratings::glicko2::Glicko2Rating;
    use skillratings::weng_lin::WengLinRating;

    use super::*;

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 0.005, "{found} instead of {expected}");
    }

    fn game(one: usize, other: usize, half_points: u8) -> Game {
        Game { players: [one, other], half_points }
    }

    /// The example of Glickman's paper: one win and two losses.
    #[test]
    fn glicko_2_as_published() {
        let rating = |rating, deviation| Glicko2Rating { rating, deviation, volatility: 0.06 };
        let before = [
            rating(1500.0, 200.0),
            rating(1400.0, 30.0),
            rating(1550.0, 100.0),
            rating(1700.0, 300.0),
        ];
        let games = [game(0, 1, 2), game(2, 0, 2), game(0, 3, 0)];
        let after = period(&Glicko2::new(Glicko2Config::new()), &before, &games);
        // The paper rounds on its way.
        let near = |found: f64, expected: f64| assert!((found - expected).abs() < 0.02, "{found}");
        near(after[0].rating, 1464.06);
        near(after[0].deviation, 151.52);
        assert!((after[0].volatility - 0.05999).abs() < 1e-5, "{:?}", after[0]);
        let estimate = estimate::<Glicko2>(&after[0]);
        near(estimate.high, 1464.05 + 1.96 * 151.52);
    }

    /// By hand from the paper's update for two players (its algorithm 1, with Bradley and Terry's
    /// model): p = e^(μᵢ/c) / (e^(μᵢ/c) + e^(μⱼ/c)), c² = σᵢ² + σⱼ² + 2β².
    #[test]
    fn weng_lin_as_published() {
        let before = [
            WengLinRating { rating: 42.0, uncertainty: 1.3 },
            WengLinRating { rating: 25.0, uncertainty: 25.0 / 3.0 },
        ];
        let after = period(&WengLin::new(WengLinConfig::new()), &before, &[game(0, 1, 2)]);
        let squares = [1.69, 625.0 / 9.0];
        let c = (squares[0] + squares[1] + 2.0 * 625.0 / 36.0_f64).sqrt();
        let loses = 1.0 / (1.0 + (17.0 / c).exp());
        let mean = [42.0 + squares[0] / c * loses, 25.0 - squares[1] / c * loses];
        let spread = |at: usize| {
            let eta = (squares[at].sqrt() / c).powi(3) * loses * (1.0 - loses);
            (squares[at] * (1.0 - eta)).sqrt()
        };
        for (at, rating) in after.iter().enumerate() {
            near(rating.rating, mean[at]);
            near(rating.uncertainty, spread(at));
        }
        // As the library's documentation has them.
        near(after[0].rating, 42.03);
        near(after[1].rating, 23.91);
        near(after[1].uncertainty, 8.03);
    }

    #[test]
    fn the_order_of_periods_matters_and_a_pause_does_not() {
        let (won, lost) = (vec![game(0, 1, 2)], vec![game(0, 1, 0)]);
        for system in [Online::Glicko2, Online::WengLin] {
            let rated = |periods: Vec<Vec<Game>>| updated(system, 3, periods.into_iter());
            let there = rated(vec![won.clone(), won.clone(), lost.clone()]);
            let back = rated(vec![lost.clone(), won.clone(), won.clone()]);
            assert!((there[0].value - back[0].value).abs() > 0.1, "{system:?}");
            let pauses = vec![vec![], won.clone(), vec![], won.clone(), lost.clone(), vec![]];
            assert_eq!(rated(pauses), there);
            let start = rated(vec![]);
            assert_eq!(there[2], start[2], "who plays nobody stays where it was");
            assert!(there[0].high - there[0].low < start[0].high - start[0].low);
        }
    }

    #[test]
    fn sweeps_stay_finite() {
        for system in [Online::Glicko2, Online::WengLin] {
            let sweep = std::iter::repeat_n(vec![game(0, 1, 2); 500], 200);
            for rating in updated(system, 2, sweep) {
                assert!(rating.low.is_finite() && rating.high > rating.low, "{rating:?}");
            }
        }
    }
}
