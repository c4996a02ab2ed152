//! Compares `smart` and `random` of Capturing & Conquering with the original's players: repeats the
//! published measurements of the original's author under the same rules.

use std::time::Duration;

use indicatif::{ParallelProgressIterator, ProgressBar};
use judge_core::{Options, Seat, Seed};
use judge_statistics::{Sum, share};
use rayon::ThreadPool;
use rayon::prelude::*;
use serde_json::{Value, json};

use super::figures::{give_or_take, milliseconds, per_cent};
use super::play::{GameSetting, PlayError, PlayedGame};
use super::report::{FigureTable, StrengthReport};

/// A measurement of the original, on 6x6 without random moves before the game.
struct Original {
    /// The players of the seats, by the names of our opponents.
    seats: [&'static str; 2],
    games: u64,
    /// Games won by seat 1, and by seat 2.
    won: [u64; 2],
    plies: Plies,
    seconds_a_game: f64,
    /// True if all games are equal, so that one is enough.
    repeats: bool,
}

/// Lengths of games.
struct Plies {
    mean: f64,
    shortest: u64,
    longest: u64,
}

/// The tables in the README of yuwei97910/CC-Board-Game. (Its page also speaks of about 20 s for a
/// game with the smart player.)
const ORIGINALS: [Original; 4] = [
    Original {
        seats: ["random", "random"],
        games: 1000,
        won: [510, 490],
        plies: Plies { mean: 32.8, shortest: 5, longest: 71 },
        seconds_a_game: 0.10,
        repeats: false,
    },
    Original {
        seats: ["smart", "random"],
        games: 50,
        won: [33, 17],
        plies: Plies { mean: 26.9, shortest: 12, longest: 45 },
        seconds_a_game: 154.9,
        repeats: false,
    },
    Original {
        seats: ["random", "smart"],
        games: 50,
        won: [19, 30],
        plies: Plies { mean: 28.5, shortest: 14, longest: 45 },
        seconds_a_game: 177.8,
        repeats: false,
    },
    Original {
        seats: ["smart", "smart"],
        games: 50,
        won: [0, 50],
        plies: Plies { mean: 20.0, shortest: 20, longest: 20 },
        seconds_a_game: 150.0,
        repeats: true,
    },
];

/// Our games of one measurement.
#[derive(Default)]
struct Ours {
    games: u64,
    won: [u64; 2],
    plies: Sum,
    shortest: Option<u64>,
    longest: u64,
    /// Time of both players together.
    time: Duration,
}

impl Ours {
    fn add(&mut self, played: &PlayedGame) {
        self.games += 1;
        for seat in Seat::BOTH {
            self.won[seat.index()] += u64::from(played.outcome.winner == Some(seat));
        }
        self.plies.add(i64::try_from(played.answers).unwrap_or(i64::MAX));
        self.shortest = Some(self.shortest.unwrap_or(u64::MAX).min(played.answers));
        self.longest = self.longest.max(played.answers);
        self.time += played.times.iter().sum::<Duration>();
    }
}

/// Plays `games` games of each measurement with luck in it, on seeds from `seed` on.
///
/// # Errors
/// When an opponent failed.
pub(super) fn fidelity(
    games: u64,
    seed: u64,
    threads: &ThreadPool,
    progress: &ProgressBar,
) -> Result<StrengthReport, PlayError> {
    let rules = [("size", "6"), ("opening", "0")];
    let options: Options = rules.map(|(key, value)| (key.to_owned(), value.to_owned())).into();
    let setting = GameSetting::new("cc", options)?;
    let mut measured = Vec::new();
    for original in &ORIGINALS {
        let seeds: Vec<Seed> = (0..if original.repeats { 1 } else { games })
            .map(|game| Seed(seed.wrapping_add(game)))
            .collect();
        progress.reset();
        progress.set_length(seeds.len() as u64);
        let played: Vec<Result<PlayedGame, PlayError>> = threads.install(|| {
            let seeds = seeds.par_iter().progress_with(progress.clone());
            seeds.map(|seed| setting.play(original.seats, *seed)).collect()
        });
        let mut ours = Ours::default();
        for game in played {
            ours.add(&game?);
        }
        measured.push((original, ours));
    }
    Ok(report(seed, &measured))
}

fn report(seed: u64, measured: &[(&Original, Ours)]) -> StrengthReport {
    StrengthReport {
        title: format!("Capturing & Conquering, `size=6`, `opening=0`, seeds from {seed} on."),
        tables: vec![results(measured)],
        times: times(measured),
        json: json!({
            "game": "cc",
            "options": { "size": "6", "opening": "0" },
            "seed": seed,
            "matches": measured.iter().map(match_json).collect::<Vec<_>>(),
            "timing": measured.iter().map(timing_json).collect::<Vec<_>>(),
        }),
    }
}

fn results(measured: &[(&Original, Ours)]) -> FigureTable {
    let mut table = FigureTable::new(&[
        "seat 1 – seat 2",
        "whose",
        "games",
        "won by seat 1, %",
        "won by seat 2, %",
        "drawn",
        "plies",
        "from",
        "to",
    ]);
    for (original, ours) in measured {
        let row = |whose: &str, games: u64, won: [u64; 2], plies: [String; 3]| {
            let mut row = vec![versus(original), whose.to_owned(), games.to_string()];
            row.extend(won.map(|won| wins(won, games, original.repeats)));
            row.push((games - won[0] - won[1]).to_string());
            row.extend(plies);
            row
        };
        let Plies { mean, shortest, longest } = &original.plies;
        let theirs = [format!("{mean:.1}"), shortest.to_string(), longest.to_string()];
        let shortest = ours.shortest.unwrap_or(0).to_string();
        let plies = [length(ours), shortest, ours.longest.to_string()];
        table.row(row("ours", ours.games, ours.won, plies));
        table.row(row("original", original.games, original.won, theirs));
    }
    table
}

/// Repeated games leave nothing to estimate.
fn wins(won: u64, games: u64, repeats: bool) -> String {
    if repeats {
        return format!("{:.1}", 100.0 * won as f64 / games as f64);
    }
    per_cent(&share(won, games))
}

fn length(ours: &Ours) -> String {
    let plies = ours.plies.mean(1.0);
    if ours.games < 2 { format!("{:.1}", plies.value) } else { give_or_take(&plies, 1) }
}

fn times(measured: &[(&Original, Ours)]) -> FigureTable {
    let mut table =
        FigureTable::new(&["seat 1 – seat 2", "ms a game", "original, s a game", "times as fast"]);
    for (original, ours) in measured {
        let ms = milliseconds(ours.time, ours.games);
        table.row(vec![
            versus(original),
            format!("{ms:.2}"),
            format!("{:.1}", original.seconds_a_game),
            format!("{:.0}", 1000.0 * original.seconds_a_game / ms),
        ]);
    }
    table
}

fn versus(original: &Original) -> String {
    let [one, two] = original.seats;
    format!("`{one}` – `{two}`")
}

fn match_json((original, ours): &(&Original, Ours)) -> Value {
    json!({
        "seats": original.seats,
        "ours": {
            "games": ours.games,
            "won": ours.won,
            "seat_one": share(ours.won[0], ours.games),
            "plies": ours.plies.mean(1.0),
            "shortest": ours.shortest,
            "longest": ours.longest,
        },
        "original": {
            "games": original.games,
            "won": original.won,
            "seat_one": share(original.won[0], original.games),
            "plies": original.plies.mean,
            "shortest": original.plies.shortest,
            "longest": original.plies.longest,
        },
    })
}

fn timing_json((original, ours): &(&Original, Ours)) -> Value {
    json!({
        "seats": original.seats,
        "ms_a_game": milliseconds(ours.time, ours.games),
        "original_seconds_a_game": original.seconds_a_game,
    })
}
