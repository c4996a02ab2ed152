//! Plays many rounds natively against the opponent `random` and prints the scores of the hunter and
//! of two reference opponents in its seat.
//!
//! `cargo run --release -p mahjong-hunter --example measure-hunter -- [FIRST_SEED [ROUNDS [PLAYERS…]]]`;
//! an argument `key=value` sets a rule switch.

use std::ops::Range;
use std::time::Instant;

use judge_bot::Bot;
use judge_bot::mahjong::{Adapter, round_score};
use judge_core::{Options, Player, PlayerFault, Seat, Seed};
use judge_games::mahjong::GAME;
use judge_games::{Game, GameState};
use judge_referee::{Observer, play, reference};
use mahjong_hunter::Hunter;

/// The hunter as the referee's player.
#[derive(Default)]
struct Native(Adapter<Hunter>);

impl Player for Native {
    fn notice(&mut self, line: &str) -> Result<Option<u64>, PlayerFault> {
        self.0.line(line, &mut String::new());
        Ok(None)
    }

    fn ask(&mut self, line: &str, answer: &mut String) -> Result<Option<u64>, PlayerFault> {
        self.0.line(line, answer);
        Ok(None)
    }
}

/// Counts the calls to seat 1, to compute the size of the wall at the end.
#[derive(Default)]
struct Turns {
    discards: usize,
    last_asked_self_draw: bool,
}

impl Observer for Turns {
    fn called(
        &mut self,
        seat: Seat,
        line: &str,
        answer: Option<&str>,
        _fuel: Option<u64>,
        _state: &dyn GameState,
    ) {
        if seat == Seat::One && answer.is_some() {
            self.discards += usize::from(line == "discard?");
            self.last_asked_self_draw = line.ends_with(" self");
        }
    }

    fn failed(&mut self, _seat: Seat, line: &str, _state: &dyn GameState) {
        panic!("a native player does not fail, but did over `{line}`");
    }
}

impl Turns {
    /// Tiles left in the wall when seat 1 won.
    fn left(&self) -> usize {
        82 - 2 * self.discards - usize::from(self.last_asked_self_draw)
    }
}

/// Sums over the rounds of one player.
#[derive(Default)]
struct Sums {
    rounds: f64,
    score: f64,
    squares: f64,
    wins: f64,
    faan: f64,
    left: f64,
    micros: f64,
}

impl Sums {
    fn with(mut self, other: &Sums) -> Sums {
        self.rounds += other.rounds;
        self.score += other.score;
        self.squares += other.squares;
        self.wins += other.wins;
        self.faan += other.faan;
        self.left += other.left;
        self.micros += other.micros;
        self
    }

    fn add(&mut self, score: i64, turns: &Turns) {
        self.rounds += 1.0;
        self.score += score as f64;
        self.squares += (score as f64).powi(2);
        if score > 0 {
            let faan = (score - turns.left() as i64) / 3;
            assert_eq!(score, round_score(faan as u32, turns.left()), "the wall was miscounted");
            self.wins += 1.0;
            self.faan += faan as f64;
            self.left += turns.left() as f64;
        }
    }

    #[expect(clippy::print_stdout, reason = "this is the program's output")]
    fn print(&self, name: &str) {
        let mean = self.score / self.rounds;
        let error = ((self.squares / self.rounds - mean * mean) / self.rounds).sqrt();
        println!(
            "{name:16} {mean:7.2} ± {error:4.2}  won {:5.1} %  Faan {:5.2}  left {:4.1}  {:7.0} µs/round",
            100.0 * self.wins / self.rounds,
            self.faan / self.wins.max(1.0),
            self.left / self.wins.max(1.0),
            self.micros / self.rounds
        );
    }
}

fn player(name: &str, seed: Seed) -> Box<dyn Player> {
    match name {
        "hunter" => Box::new(Native::default()),
        name => reference(&GAME, name, Seat::One, seed).expect("a known player"),
    }
}

fn round(name: &str, options: &Options, seed: Seed, sums: &mut Sums) {
    let mut state = GAME.start(options, seed).expect("known options");
    let mut one = player(name, seed);
    let mut two = reference(&GAME, "random", Seat::Two, seed).expect("a known player");
    let mut turns = Turns::default();
    let conclusion = play(&GAME, state.as_mut(), [one.as_mut(), two.as_mut()], &mut turns);
    assert!(conclusion.fault.is_none(), "{conclusion:?}");
    sums.add(conclusion.outcome.scores[0], &turns);
}

/// Plays the rounds of these seeds, half of them on a second thread.
fn rounds_of(name: &str, options: &Options, seeds: Range<u64>) -> Sums {
    let half = |odd: u64| {
        let (mut sums, start) = (Sums::default(), Instant::now());
        for seed in seeds.clone().filter(|seed| seed % 2 == odd) {
            round(name, options, Seed(seed), &mut sums);
        }
        sums.micros = start.elapsed().as_secs_f64() * 1e6;
        sums
    };
    std::thread::scope(|scope| {
        let odd = scope.spawn(|| half(1));
        half(0).with(&odd.join().expect("no round panics"))
    })
}

fn main() {
    let (switches, plain): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|argument| argument.contains('='));
    let options: Options = switches
        .iter()
        .filter_map(|switch| switch.split_once('='))
        .map(|(key, value)| (key.to_owned(), value.to_owned()))
        .collect();
    let number = |at: usize, default: u64| {
        plain.get(at).map_or(default, |text| text.parse().expect("a number"))
    };
    let (first, rounds) = (number(0, 1_000_000), number(1, 1_000));
    let all = ["straightforward", "distance", "hunter"];
    let named: Vec<&str> = plain.iter().skip(2).map(String::as_str).collect();
    for name in if named.is_empty() { all.as_slice() } else { &named } {
        rounds_of(name, &options, first..first + rounds).print(name);
    }
}
