//! Plays rounds natively against a reference opponent, each seed from both seats, and prints the
//! number of wins and the time of a move.
//!
//! `cargo run --release -p amazons-surveyor --example measure-surveyor -- OPPONENT [SEEDS [SIZE]]`

use std::time::{Duration, Instant};

use amazons_surveyor::Surveyor;
use judge_bot::Bot;
use judge_bot::amazons::Adapter;
use judge_core::{Options, Player, PlayerFault, Seat, Seed};
use judge_games::amazons::GAME;
use judge_games::{Game, Step};

/// The bot as a player, with the time that its moves took.
#[derive(Default)]
struct Native {
    bot: Adapter<Surveyor>,
    moves: u32,
    time: Duration,
}

impl Player for Native {
    fn notice(&mut self, line: &str) -> Result<Option<u64>, PlayerFault> {
        self.bot.line(line, &mut String::new());
        Ok(None)
    }

    fn ask(&mut self, line: &str, answer: &mut String) -> Result<Option<u64>, PlayerFault> {
        let begin = Instant::now();
        self.bot.line(line, answer);
        self.time += begin.elapsed();
        self.moves += 1;
        Ok(None)
    }
}

/// True if the bot wins a round from a seat.
fn wins(native: &mut Native, opponent: &str, size: &str, seed: Seed, seat: Seat) -> bool {
    let options = Options::from([("size".to_owned(), size.to_owned())]);
    let mut running = GAME.start(&options, seed).expect("a standard size");
    let known = GAME.opponents().iter().find(|info| info.name == opponent);
    let mut other = (known.expect("a reference opponent").create)(seat.other(), seed);
    let mut line = String::new();
    loop {
        line.clear();
        let player = |to: Seat| to == seat;
        match running.step(&mut line) {
            Step::End(outcome) => return outcome.winner == Some(seat),
            Step::Tell(to) if player(to) => drop(native.notice(&line)),
            Step::Tell(_) => drop(other.notice(&line)),
            Step::Ask(to) => {
                let mut answer = String::new();
                let asked: &mut dyn Player = if player(to) { native } else { &mut *other };
                asked.ask(&line, &mut answer).expect("a sound player");
                running.answer(&answer).expect("a legal move");
            }
        }
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let argument =
        |at: usize, otherwise: &str| arguments.get(at).map_or(otherwise, String::as_str).to_owned();
    let (opponent, size) = (argument(0, "alphabeta"), argument(2, "10"));
    let seeds: u64 = argument(1, "20").parse().expect("a number of seeds");
    let mut native = Native::default();
    let matches = (1..=seeds).flat_map(|seed| Seat::BOTH.map(|seat| (Seed(seed), seat)));
    let won = matches.filter(|(seed, seat)| wins(&mut native, &opponent, &size, *seed, *seat));
    let won = won.count();
    let each = native.time / native.moves.max(1);
    println!("won {won} of {} against `{opponent}`, {each:?} a move", 2 * seeds);
}
