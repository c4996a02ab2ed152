//! The move generator and the check of single moves agree, all along random games.

use judge_core::{Purpose, Random, Seed};

use super::games::{CIRCLE, start};
use crate::patchwork::{Circle, Move, Orientation, Patch, Placement, Position, Round, Rules};
use crate::{GameState as _, Step};

/// Every possible text of a move.
fn all_moves() -> Vec<Move> {
    let mut moves = vec![Move::Advance];
    for patch in Patch::ordinary().into_iter().chain([Patch::SPECIAL]) {
        for (column, row) in (0..9).flat_map(|row| (0..9).map(move |column| (column, row))) {
            moves.extend(
                Orientation::ALL
                    .map(|orientation| Move::Place(Placement { patch, column, row, orientation })),
            );
        }
    }
    moves
}

fn canonical(made: &Move) -> Move {
    match made {
        Move::Advance => Move::Advance,
        Move::Place(placement) => Move::Place(placement.canonical()),
    }
}

/// Visits the positions of a random game.
fn each_position(seed: u64, mut visit: impl FnMut(&Position)) -> Position {
    let mut random: Random = Seed(seed).random(Purpose::Opening);
    let mut position = Position::new(Rules::default(), Circle::shuffled(Seed(seed)));
    while !position.is_over() {
        visit(&position);
        let moves: Vec<Move> = position.moves().collect();
        let made = moves[random.below(moves.len() as u32) as usize];
        position.play(made).expect("a legal move");
    }
    position
}

#[test]
fn generated_moves_are_the_legal_ones() {
    let all = all_moves();
    for seed in 1..=4 {
        each_position(seed, |position| {
            let mut legal: Vec<Move> =
                all.iter().copied().filter(|made| position.check(*made).is_ok()).collect();
            let mut spellings: Vec<Move> = position.spellings().collect();
            legal.sort_unstable();
            spellings.sort_unstable();
            assert_eq!(spellings, legal);
            let mut shapes: Vec<Move> = legal.iter().map(canonical).collect();
            shapes.sort_unstable();
            shapes.dedup();
            let mut moves: Vec<Move> = position.moves().collect();
            moves.sort_unstable();
            assert_eq!(moves, shapes);
        });
    }
}

#[test]
fn exactly_the_listed_answers_are_accepted() {
    let all = all_moves();
    for moves in ["-", "BDCAQAAHDFAA", &format!("BDCAQAAH{}", ".".repeat(14))] {
        let mut round =
            Round::resume(Rules::default(), &format!("{CIRCLE} {moves}")).expect("a state");
        assert!(matches!(round.step(&mut String::new()), Step::Ask(_)));
        let mut taken: Vec<String> = Vec::new();
        for made in &all {
            if round.clone().answer(&made.to_string()).is_ok() {
                taken.push(canonical(made).to_string());
            }
        }
        taken.sort_unstable();
        taken.dedup();
        assert_eq!(round.legal(), taken);
        assert_eq!(round.perft(1), taken.len() as u64);
    }
}

#[test]
fn every_game_ends_with_consistent_scores() {
    for seed in 1..=200 {
        let end = each_position(seed, |position| {
            let offer = position.offer();
            assert!(offer.iter().all(|patch| position.circle().has(patch)));
            assert!(position.moves().next().is_some());
        });
        assert_eq!(end.moves().count() + end.spellings().count(), 0);
        assert!(end.winner().is_some());
        assert!(all_moves().iter().all(|made| end.check(*made).is_err()));
    }
}

#[test]
fn refused_moves_change_nothing() {
    let mut position = start();
    let before = position;
    for made in all_moves() {
        if position.check(made).is_err() {
            assert!(position.play(made).is_err());
            assert_eq!(position, before);
        }
    }
}
