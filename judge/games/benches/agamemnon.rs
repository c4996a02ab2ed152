//! Frequent calls of referee and bots: scores, reading a state, counting, and whole games.
#![allow(missing_docs, reason = "criterion's macros make undocumented items")]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use judge_core::{Options, Player, RoundResult, Seat, Seed};
use judge_games::agamemnon::{Draw, STANDARD_EDGES, State, perft, score, strings};
use judge_games::{Game, GameState, Step, View, find};

/// Finished games on both boards.
const FINISHED: [(&str, &str, &str); 2] = [
    (
        "standard",
        "Og30Bh11Bf23Oh14Oa04Bb21Ba20Of02Od27Bi13Bc05Of06Og28Bg29Be24Oe00Oj19Bg22Bf07Oi26Oj09Bj15Bd10Oc03Oi18Bj25Bi31Of16Ob12Bf01",
        STANDARD_EDGES,
    ),
    (
        "loom",
        "Oa22Be11Bf03Oh15Ob05Bh10Bi29Og26Og07Ba08Bb09Of30Oj04Bj27Bj12Oe32Oi14Bc13Bf18Od23Of24Bf19Bd17Oj01Of31Bi28Bg25Oi00Oc06Bg02",
        "L0001S0002E0004F0104S0105S0203L0204L0206S0306S0307F0408E0409F0508L0510L0607L0609F0611E0712S0809S0810L0813E0911S0914E1013L1015F1112E1116E1216F1217F1314L1315E1318S1418F1419L1520L1617F1619L1621E1722L1819S1820L1823S1921F1924F2023S2025L2122L2124S2126F2227F2324L2325E2328S2426S2428E2529S2627F2630E2631E2731L2829E2830F2832F2932E3031F3032",
    ),
];

fn positions(c: &mut Criterion) {
    for (name, tiles, edges) in FINISHED {
        let state = State::parse(tiles, edges).expect("a state");
        c.bench_function(&format!("score/{name}"), |b| {
            b.iter(|| score(black_box(&state.board), black_box(&state.position)));
        });
        c.bench_function(&format!("strings/{name}"), |b| {
            b.iter(|| strings(black_box(&state.board), black_box(&state.position)));
        });
        c.bench_function(&format!("parse/{name}"), |b| {
            b.iter(|| State::parse(black_box(tiles), black_box(edges)));
        });
    }
}

fn counting(c: &mut Criterion) {
    let state = State::standard();
    let draws = ["j", "fg"].map(|text| text.parse::<Draw>().expect("a draw"));
    c.bench_function("perft/584040", |b| {
        b.iter(|| perft(&state.board, &state.position, black_box(&draws)));
    });
}

/// The displays of a round, at a question with a Warp and a warrior.
fn showing(c: &mut Criterion) {
    let game = find("agamemnon").expect("registered");
    let state = format!("fj Oa14 {STANDARD_EDGES}");
    let mut running = game.resume(&Options::new(), Seed(1), &state).expect("a state");
    while let Step::Tell(_) = running.step(&mut String::new()) {}
    c.bench_function("legal/17880", |b| b.iter(|| running.legal()));
    c.bench_function("svg", |b| b.iter(|| running.svg(View::Everything)));
    c.bench_function("resume", |b| {
        b.iter(|| game.resume(&Options::new(), Seed(1), black_box(&state)).is_ok());
    });
}

/// Plays a game to its end, as the referee does but without a record.
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

fn games(c: &mut Criterion) {
    let game: &dyn Game = find("agamemnon").expect("registered");
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
}

criterion_group!(benches, positions, counting, showing, games);
criterion_main!(benches);
