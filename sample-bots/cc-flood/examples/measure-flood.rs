//! Plays against a reference opponent: `measure <opponent> <size> <first seed> <games>`.

use judge_bot::Bot as _;
use judge_bot::cc::{Adapter, Seat};
use judge_core::{Options, Player, RoundResult, Seed};
use judge_games::{Game, Step, find};

use cc_flood::Flood;

/// One game, with the bot in that seat.
fn game(opponent: &str, options: &Options, seed: u64, seat: Seat) -> RoundResult {
    let game: &dyn Game = find("cc").expect("a known game");
    let known = game.opponents().iter().find(|info| info.name == opponent);
    let mut other: Box<dyn Player> = (known.expect("an opponent").create)(seat.other(), Seed(seed));
    let mut bot = Adapter::<Flood>::default();
    let mut running = game.start(options, Seed(seed)).expect("allowed options");
    loop {
        let (mut line, mut answer) = (String::new(), String::new());
        match running.step(&mut line) {
            Step::End(outcome) => return outcome,
            Step::Tell(to) if to == seat => bot.line(&line, &mut answer),
            Step::Tell(_) => {
                other.notice(&line).expect("a sound opponent");
            }
            Step::Ask(to) => {
                if to == seat {
                    bot.line(&line, &mut answer);
                } else {
                    other.ask(&line, &mut answer).expect("a sound opponent");
                }
                running.answer(&answer).expect("a legal answer");
            }
        }
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [opponent, size, first, games] = &arguments[..] else {
        eprintln!("usage: measure <opponent> <size> <first seed> <games>");
        std::process::exit(2);
    };
    let options = Options::from([("size".to_owned(), size.clone())]);
    let first: u64 = first.parse().expect("a seed");
    let games: u64 = games.parse().expect("a number");
    for seat in Seat::BOTH {
        let played = (first..first + games).map(|seed| game(opponent, &options, seed, seat));
        let scores: Vec<i64> = played.map(|outcome| outcome.score(seat)).collect();
        println!("seat {seat}: {} of {} points: {scores:?}", scores.iter().sum::<i64>(), 2 * games);
    }
}
