//! The reference opponents: strength, and replies to strange lines.

use judge_core::{Options, Player, Seat, Seed, Verdict};

use crate::amazons::GAME;
use crate::amazons::opponents::OPPONENTS;
use crate::conformance::play;
use crate::{Game as _, OpponentInfo};

fn answer(info: &OpponentInfo, seed: u64, line: &str) -> Option<String> {
    let mut answer = String::new();
    let asked = (info.create)(Seat::One, Seed(seed)).ask(line, &mut answer);
    asked.ok().map(|_| answer)
}

#[test]
fn each_opponent_finds_the_only_move() {
    for info in &OPPONENTS {
        let only = answer(info, 1, "move? xxxx/xwxb/xxx1/xxxx b");
        assert_eq!(only.as_deref(), Some("d3-d2/d3"), "{}", info.name);
    }
}

#[test]
fn random_plays_every_move_equally_often() {
    // One amazon, two squares, three moves in all.
    let line = "move? xxxx/xxxx/xxxx/w1x1 w";
    assert_eq!(answer(&OPPONENTS[0], 1, line).as_deref(), Some("a1-b1/a1"));
    let line = "move? xxxx/xxxx/xxxx/w2x w";
    let mut counts = std::collections::BTreeMap::new();
    for seed in 0..3000 {
        *counts.entry(answer(&OPPONENTS[0], seed, line)).or_insert(0) += 1;
    }
    assert_eq!(counts.len(), 4, "{counts:?}");
    assert!(counts.values().all(|count| (680..820).contains(count)), "{counts:?}");
}

#[test]
fn opponents_with_lookahead_enclose_the_other_side() {
    // White's amazon in the corner has one way out, a3: Black goes there.
    for info in OPPONENTS.iter().skip(1) {
        let winning = answer(info, 1, "move? wxxx/1xxx/xb1x/xxxx b");
        assert!(winning.is_some_and(|chosen| chosen.starts_with("b2-a3/")), "{}", info.name);
    }
}

#[test]
fn malformed_lines_are_a_judge_error() {
    for info in &OPPONENTS {
        let mut player = (info.create)(Seat::Two, Seed(1));
        for line in ["game amazons seat 2 size=10", "opponent d1-d7/g7", "end win 1 0"] {
            assert_eq!(player.notice(line), Ok(None));
        }
        for line in ["", "hello", "move? 4/4/4/4 w"] {
            assert_eq!(player.notice(line).expect_err("strange").verdict, Verdict::JudgeError);
        }
        for line in ["", "move?", "move? 4/4 w", "move? 4/4/4/4 w", "opponent d1-d7/g7"] {
            let fault = player.ask(line, &mut String::new()).expect_err("strange");
            assert_eq!(fault.verdict, Verdict::JudgeError, "{}: {line}", info.name);
        }
    }
}

/// Rounds won by the first of two over both seats and some seeds, on a small board.
fn wins(one: &OpponentInfo, two: &OpponentInfo, seeds: u64) -> u64 {
    let options = Options::from([("size".to_owned(), "6".to_owned())]);
    let pairs = (1..=seeds).flat_map(|seed| Seat::BOTH.map(|seat| (Seed(seed), seat)));
    let won = pairs.filter(|(seed, seat)| {
        let mut own = (one.create)(*seat, *seed);
        let mut other = (two.create)(seat.other(), *seed);
        let mut seats: [&mut dyn Player; 2] = [&mut own, &mut other];
        if *seat == Seat::Two {
            seats.reverse();
        }
        let mut running = GAME.start(&options, *seed).expect("known options");
        let played = play(&mut *running, &mut seats).expect("sound opponents");
        played.outcome.winner == Some(*seat)
    });
    won.count() as u64
}

#[test]
fn opponents_are_listed_from_weak_to_strong() {
    for pair in OPPONENTS.windows(2) {
        let won = wins(&pair[1], &pair[0], 4);
        assert!(won > 4, "`{}` won {won} of 8 against `{}`", pair[1].name, pair[0].name);
    }
}
