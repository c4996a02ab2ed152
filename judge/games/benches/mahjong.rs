//! Frequent calls of referee and bots: Faan, distance, and a whole round between opponents.
#![allow(missing_docs, reason = "criterion's macros make undocumented items")]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use judge_core::{Options, Player, Purpose, RoundResult, Seat, Seed};
use judge_games::mahjong::{Hand, Rules, Tile, distance, faan, faan_with, score, useful_tiles};
use judge_games::{Game, GameState, Step, View, find};

/// Hands per benchmark of hands: a result in µs is ns for one hand.
const HANDS: usize = 1000;

/// Hands as they are dealt.
fn random_hands(len: usize) -> Vec<Hand> {
    let mut random = Seed(1).random(Purpose::Chance);
    let mut set: Vec<Tile> = Tile::ALL.into_iter().flat_map(|tile| [tile; 4]).collect();
    let mut deal = || {
        random.shuffle(&mut set);
        Hand::from_tiles(set[..len].iter().copied()).expect("four of each")
    };
    (0..HANDS).map(|_| deal()).collect()
}

/// Hands that win: four random melds and a pair in random suits.
fn winning_hands() -> Vec<Hand> {
    let mut random = Seed(2).random(Purpose::Chance);
    let mut hands = Vec::new();
    while hands.len() < HANDS {
        let mut tiles = Vec::new();
        for block in 0..5 {
            let kind = random.below(27) as usize;
            match (block, random.below(3), kind % 9) {
                (0, ..) => tiles.extend([kind; 2]),
                (_, 1.., 0..=6) => tiles.extend([kind, kind + 1, kind + 2]),
                _ => tiles.extend([kind; 3]),
            }
        }
        hands.extend(Hand::from_tiles(tiles.into_iter().map(|kind| Tile::ALL[kind])));
    }
    hands
}

/// Hands that pass every quick check and still do not win.
fn stubborn_hands() -> Vec<Hand> {
    let near_miss = ["112233445567b999d", "111223344556b777c", "123345567b1112344d"];
    near_miss.iter().cycle().take(HANDS).map(|text| text.parse().expect("a hand")).collect()
}

/// Runs `f` over all hands.
fn each<T>(c: &mut Criterion, name: &str, hands: &[Hand], f: impl Fn(&Hand) -> T) {
    c.bench_function(name, |b| {
        b.iter(|| {
            for hand in black_box(hands) {
                black_box(f(hand));
            }
        });
    });
}

fn scoring(c: &mut Criterion) {
    let rules = Rules::default();
    each(c, "1000 faan/random", &random_hands(14), |hand| faan(hand, &rules));
    each(c, "1000 faan/stubborn", &stubborn_hands(), |hand| faan(hand, &rules));
    each(c, "1000 faan/winning", &winning_hands(), |hand| faan(hand, &rules));
    each(c, "1000 score/winning", &winning_hands(), |hand| score(hand, &rules));
    let tile = Tile::ALL[13];
    each(c, "1000 faan_with/random", &random_hands(13), |hand| {
        faan_with(hand, black_box(tile), &rules)
    });
}

fn distances(c: &mut Criterion) {
    each(c, "1000 distance/random", &random_hands(14), distance);
    each(c, "1000 useful_tiles/random", &random_hands(13), useful_tiles);
}

/// Plays a round to its end, as the referee does but without a record.
fn play(running: &mut dyn GameState, players: &mut [Box<dyn Player>; 2]) -> RoundResult {
    let (mut line, mut answer) = (String::with_capacity(64), String::with_capacity(64));
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
    let game: &dyn Game = find("mahjong").expect("registered");
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
    c.bench_function("round/start", |b| {
        b.iter(|| {
            seed += 1;
            game.start(&options, Seed(seed)).expect("default options")
        });
    });
}

/// The displays of a round, in the middle of play.
fn showing(c: &mut Criterion) {
    let game: &dyn Game = find("mahjong").expect("registered");
    let state = "discard 1 9d 1112345678999c9d 1245789b147c147d 3d8c 4b5b ?";
    let resume = || game.resume(&Options::new(), Seed(1), black_box(state)).expect("a state");
    let running = resume();
    c.bench_function("show/resume", |b| b.iter(resume));
    c.bench_function("show/state", |b| b.iter(|| running.state()));
    c.bench_function("show/legal", |b| b.iter(|| running.legal()));
    c.bench_function("show/perft 3", |b| b.iter(|| running.perft(3)));
    c.bench_function("show/frame", |b| b.iter(|| running.frame(View::Everything)));
    c.bench_function("show/svg", |b| b.iter(|| running.svg(View::Everything)));
}

criterion_group!(benches, scoring, distances, rounds, showing);
criterion_main!(benches);
