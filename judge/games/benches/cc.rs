//! Frequent calls of referee, bots and reference opponents: move generation, the check of an
//! answer, and whole games.
#![allow(missing_docs, reason = "criterion's macros make undocumented items")]

use std::hint::black_box;
use std::ops::ControlFlow;

use criterion::{Criterion, criterion_group, criterion_main};
use judge_core::{Options, Player, RoundResult, Seat, Seed};
use judge_games::cc::{Path, Position, perft, visit_paths};
use judge_games::{Game, GameState, Step, View, find};

fn counting(c: &mut Criterion) {
    let start = Position::start(8).expect("an allowed size");
    c.bench_function("perft/8x8 depth 4", |b| {
        b.iter(|| assert_eq!(perft(black_box(&start), 4), 609_422));
    });
    let small = Position::start(6).expect("an allowed size");
    c.bench_function("perft/6x6 depth 4", |b| {
        b.iter(|| assert_eq!(perft(black_box(&small), 4), 103_814));
    });
}

/// One position after a while of play, as text.
fn middle_game() -> Position {
    let game: &dyn Game = find("cc").expect("registered");
    let options = Options::from([("opening".to_owned(), "20".to_owned())]);
    let mut running = game.start(&options, Seed(1)).expect("allowed options");
    let mut line = String::new();
    running.step(&mut line);
    line["move? ".len()..].parse().expect("a position")
}

fn answers(c: &mut Criterion) {
    let position = middle_game();
    let text = position.to_string();
    let mut longest = None::<Path>;
    let _ = visit_paths(&position, |path, _| {
        if longest.is_none_or(|longest| longest.squares().len() < path.squares().len()) {
            longest = Some(*path);
        }
        ControlFlow::Continue(())
    });
    let path = longest.expect("a game that goes on").to_string();
    c.bench_function("position/read", |b| b.iter(|| black_box(&text).parse::<Position>()));
    c.bench_function("position/write", |b| b.iter(|| black_box(&position).to_string()));
    c.bench_function("answer/read and check", |b| {
        b.iter(|| {
            let path: Path = black_box(&path).parse().expect("a path");
            position.check(&path).expect("a legal path")
        });
    });
    c.bench_function("paths/middle game", |b| {
        b.iter(|| {
            let mut count = 0;
            let _ = visit_paths(black_box(&position), |_, _| {
                count += 1;
                ControlFlow::Continue(())
            });
            count
        });
    });
}

/// The displays of a position: its legal answers and its picture.
fn showing(c: &mut Criterion) {
    let game: &dyn Game = find("cc").expect("registered");
    let state = middle_game().to_string();
    let mut running = game.resume(&Options::new(), Seed(1), &state).expect("a state");
    running.step(&mut String::new());
    c.bench_function("show/legal", |b| b.iter(|| black_box(&running).legal()));
    c.bench_function("show/svg", |b| b.iter(|| black_box(&running).svg(View::Everything)));
    c.bench_function("show/resume", |b| {
        b.iter(|| game.resume(&Options::new(), Seed(1), black_box(&state)).is_ok());
    });
}

/// Plays a game to its end, as the referee does but without a record.
fn play(running: &mut dyn GameState, players: &mut [Box<dyn Player>; 2]) -> RoundResult {
    let (mut line, mut answer) = (String::with_capacity(640), String::with_capacity(64));
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

fn games(c: &mut Criterion) {
    let game: &dyn Game = find("cc").expect("registered");
    let (options, mut seed) = (Options::new(), 0);
    let mut group = c.benchmark_group("game");
    group.sample_size(10);
    for first in game.opponents() {
        let second = &game.opponents()[0];
        group.bench_function(format!("{}-{}", first.name, second.name), |b| {
            b.iter(|| {
                seed += 1;
                let mut players =
                    [(first.create)(Seat::One, Seed(seed)), (second.create)(Seat::Two, Seed(seed))];
                let mut running = game.start(&options, Seed(seed)).expect("default options");
                play(&mut *running, &mut players)
            });
        });
    }
    group.finish();
}

criterion_group!(benches, counting, answers, showing, games);
criterion_main!(benches);
