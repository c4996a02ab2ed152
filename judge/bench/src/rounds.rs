//! Plays rounds and measures their time.

use std::time::{Duration, Instant};

use judge_core::{Limits, Options, Player, RoundSpec, Seat, SeatSpec, Seed, Verdict, digest};
use judge_referee::TranscriptObserver;

/// A round of Mahjong: a bot in seat 1 against the random opponent.
pub fn spec(seed: u64) -> RoundSpec {
    RoundSpec {
        game: "mahjong".to_owned(),
        options: Options::new(),
        seed: Seed(seed),
        seats: [
            SeatSpec::Bot { name: "bot".to_owned(), sha256: digest(b"") },
            SeatSpec::Reference { name: "random".to_owned() },
        ],
        limits: Limits::COURSE,
    }
}

/// Plays a round with any player in seat 1, like a worker; returns its score.
///
/// # Panics
/// When the round fails, because measuring it would have no meaning.
pub fn play_round(spec: &RoundSpec, player: &mut dyn Player) -> i64 {
    let (game, mut state) = judge_referee::start(spec).expect("a match that can begin");
    let mut opponent = judge_referee::reference(game, "random", Seat::Two, spec.seed)
        .expect("the random opponent exists");
    let mut observer = TranscriptObserver::default();
    let conclusion =
        judge_referee::play(game, state.as_mut(), [player, opponent.as_mut()], &mut observer);
    assert_eq!(conclusion.fault.map(|fault| fault.verdict), None::<Verdict>);
    conclusion.outcome.score(Seat::One)
}

/// Speed of a measurement.
#[derive(Debug, Clone, Copy)]
pub struct Rate {
    /// Number of rounds.
    pub rounds: u64,
    /// Wall clock.
    pub time: Duration,
    /// Sum of scores: equal sums mean equal games.
    pub score: i64,
}

impl Rate {
    /// Plays the rounds of seeds 0 to `rounds` once.
    pub fn measure(rounds: u64, mut round: impl FnMut(u64) -> i64) -> Rate {
        let begin = Instant::now();
        let score = (0..rounds).map(&mut round).sum();
        Rate { rounds, time: begin.elapsed(), score }
    }

    /// Rounds per second.
    pub fn per_second(&self) -> f64 {
        self.rounds as f64 / self.time.as_secs_f64()
    }
}
