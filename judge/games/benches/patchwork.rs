//! Frequent calls of referee and bots: generating and making moves, and a whole game.
#![allow(missing_docs, reason = "criterion's macros make undocumented items")]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use judge_core::{Options, Player, RoundResult, Seat, Seed};
use judge_games::patchwork::{Position, Rules, perft};
use judge_games::{Game, GameState, Step, View, find};

/// The circle and the count of the golden vectors.
const CIRCLE: &str = "agCUfWABQDOdMbZEGVLcFeHSIJNTXKPYR";

/// Games of exactly two moves from the start.
const PERFT_2: u64 = 415_973;

/// The position after so many moves, each the middle one of the legal moves.
fn after(moves: usize) -> Position {
    let mut position = Position::new(Rules::default(), CIRCLE.parse().expect("a circle"));
    for _ in 0..moves {
        let middle = position.moves().count() / 2;
        let made = position.moves().nth(middle).expect("not over yet");
        position.play_unchecked(made);
    }
    position
}

fn counting(c: &mut Criterion) {
    let start = after(0);
    c.bench_function("perft/2 (415973, bar 100 ms)", |b| {
        b.iter(|| assert_eq!(perft(black_box(&start), 2), PERFT_2));
    });
}

fn moves(c: &mut Criterion) {
    for (name, position) in [("start", after(0)), ("after_12", after(12))] {
        c.bench_function(&format!("moves/{name}"), |b| {
            b.iter(|| black_box(&position).moves().count());
        });
    }
    let (start, made) = (after(0), "BDCA".parse().expect("a move"));
    c.bench_function("play", |b| {
        b.iter(|| {
            let mut position = *black_box(&start);
            position.play(made).map(|()| position)
        });
    });
}

/// Plays a game to its end, as the referee does but without a record.
fn play(running: &mut dyn GameState, players: &mut [Box<dyn Player>; 2]) -> RoundResult {
    let (mut line, mut answer) = (String::with_capacity(1024), String::with_capacity(64));
    loop {
        line.clear();
        match running.step(&mut line) {
            Step::End(outcome) => return outcome,
            Step::Tell(seat) => {
                players[seat.index()].notice(&line).expect("a sound opponent");
            }
            Step::Ask(seat) => {
                answer.clear();
                players[seat.index()].ask(&line, &mut answer).expect("a sound opponent");
                running.answer(&answer).expect("a legal answer");
            }
        }
    }
}

fn rounds(c: &mut Criterion) {
    let game: &dyn Game = find("patchwork").expect("registered");
    let (options, mut seed) = (Options::new(), 0);
    for first in game.opponents() {
        let second = &game.opponents()[0];
        c.bench_function(&format!("round/{}-{}", first.name, second.name), |b| {
            b.iter(|| {
                seed += 1;
                let mut players =
                    [(first.create)(Seat::One, Seed(seed)), (second.create)(Seat::Two, Seed(seed))];
                let mut running = game.start(&options, Seed(seed)).expect("default options");
                play(&mut *running, &mut players)
            });
        });
    }
}

/// The displays of a round, in the middle of play.
fn showing(c: &mut Criterion) {
    let state = format!("{CIRCLE} BDCAQAAH..");
    let game: &dyn Game = find("patchwork").expect("registered");
    let resume = || game.resume(&Options::new(), Seed(1), &state).expect("a state");
    let mut running = resume();
    while !matches!(running.step(&mut String::new()), Step::Ask(_)) {}
    c.bench_function("resume", |b| b.iter(resume));
    c.bench_function("legal", |b| b.iter(|| running.legal()));
    c.bench_function("svg", |b| b.iter(|| running.svg(View::Everything)));
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20);
    targets = counting, moves, showing, rounds
}
criterion_main!(benches);
