//! Perft, random games, the estimate, the displays of a round, and whole rounds between opponents.
#![allow(missing_docs, reason = "criterion's macros make undocumented items")]

use std::hint::black_box;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use judge_core::{Options, Player, Purpose, Random, RoundResult, Seat, Seed};
use judge_games::amazons::{Position, Side, estimate, perft};
use judge_games::{Game, GameState, Step, View, find};

/// Samples per benchmark of whole rounds.
const MATCHES: usize = 10;

/// Games per benchmark of random games: at 1000 games/s one iteration takes 1 s.
const GAMES: u32 = 1000;

/// The starts of the test vectors.
const STARTS: [(&str, &str); 4] = [
    ("10x10", "3b2b3/10/10/b8b/10/10/w8w/10/10/3w2w3 w"),
    ("8x8", "2b2b2/8/b6b/8/8/w6w/8/2w2w2 w"),
    ("6x6", "2b3/6/b5/5w/6/3w2 w"),
    ("4x4", "1b2/3b/w3/2w1 w"),
];

fn start(at: usize) -> Position {
    STARTS[at].1.parse().expect("a start")
}

fn luck() -> Random {
    Seed(1).random(Purpose::Chance)
}

fn perfts(c: &mut Criterion) {
    let mut group = c.benchmark_group("perft");
    group.sample_size(20);
    for (at, depth) in [(0, 2), (1, 2), (2, 3), (3, 3)] {
        let position = start(at);
        group.bench_function(format!("{}/{depth}", STARTS[at].0), |b| {
            b.iter(|| perft(black_box(&position), depth));
        });
    }
    group.finish();
}

/// Plays games to the end with one way of choosing moves; returns the number of plies.
fn games(start: &Position, mut next: impl FnMut(&mut Position) -> bool) -> u32 {
    let mut plies = 0;
    for _ in 0..GAMES {
        let mut position = start.clone();
        while next(&mut position) {
            plies += 1;
        }
    }
    plies
}

fn random_games(c: &mut Criterion) {
    let mut group = c.benchmark_group("1000 random games");
    group.sample_size(10);
    for (at, (name, _)) in STARTS.iter().enumerate() {
        let (position, mut random) = (start(at), luck());
        group.bench_function(format!("{name}/staged"), |b| {
            b.iter(|| {
                games(&position, |position| {
                    let chosen = position.staged_move(&mut random);
                    chosen.inspect(|chosen| position.play_unchecked(*chosen)).is_some()
                })
            });
        });
    }
    let (position, mut random) = (start(0), luck());
    group.bench_function("10x10/even over all moves, checked", |b| {
        b.iter(|| {
            games(&position, |position| {
                let count = position.count_moves();
                if count == 0 {
                    return false;
                }
                let chosen = position.nth_move(random.below(count)).expect("fewer than counted");
                position.play(chosen).is_ok()
            })
        });
    });
    group.finish();
}

fn single_calls(c: &mut Criterion) {
    let mut middle = start(0);
    let mut random = luck();
    for _ in 0..20 {
        let chosen = middle.staged_move(&mut random).expect("the game lasts");
        middle.play_unchecked(chosen);
    }
    let text = middle.to_string();
    let chosen = middle.nth_move(100).expect("many moves");
    c.bench_function("call/estimate", |b| b.iter(|| estimate(black_box(&middle), Side::White)));
    c.bench_function("call/count_moves", |b| b.iter(|| black_box(&middle).count_moves()));
    c.bench_function("call/check", |b| b.iter(|| black_box(&middle).check(black_box(chosen))));
    c.bench_function("call/position to text", |b| b.iter(|| black_box(&middle).to_string()));
    c.bench_function("call/position from text", |b| {
        b.iter(|| black_box(&text).parse::<Position>());
    });
}

/// The displays of a round at a question after 20 moves.
fn shows(c: &mut Criterion) {
    let game: &dyn Game = find("amazons").expect("registered");
    let mut middle = start(0);
    let mut random = luck();
    for _ in 0..20 {
        middle.play_unchecked(middle.staged_move(&mut random).expect("the game lasts"));
    }
    let state = middle.to_string();
    let resume = || game.resume(&Options::new(), Seed(1), &state).expect("a state");
    let mut running = resume();
    running.step(&mut String::new());
    c.bench_function("show/resume", |b| b.iter(resume));
    c.bench_function("show/legal", |b| b.iter(|| running.legal()));
    c.bench_function("show/standing", |b| b.iter(|| running.standing()));
    c.bench_function("show/svg", |b| b.iter(|| running.svg(View::Everything)));
}

/// Plays a round to its end, as the referee does but without a record.
fn play(running: &mut dyn GameState, players: &mut [Box<dyn Player>; 2]) -> RoundResult {
    let (mut line, mut answer) = (String::with_capacity(512), String::with_capacity(64));
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

fn matches(c: &mut Criterion) {
    let game: &dyn Game = find("amazons").expect("registered");
    let mut group = c.benchmark_group("match");
    group.sample_size(MATCHES);
    let (options, mut seed) = (Options::new(), 0);
    for first in game.opponents() {
        let second = &game.opponents()[0];
        group.bench_function(format!("{}-{}", first.name, second.name), |b| {
            b.iter_batched(
                || {
                    seed += 1;
                    Seed(seed)
                },
                |seed| {
                    let mut players =
                        [(first.create)(Seat::One, seed), (second.create)(Seat::Two, seed)];
                    let mut running = game.start(&options, seed).expect("default options");
                    play(&mut *running, &mut players)
                },
                BatchSize::SmallInput,
            );
        });
    }
    group.finish();
}

criterion_group!(benches, perfts, random_games, single_calls, shows, matches);
criterion_main!(benches);
