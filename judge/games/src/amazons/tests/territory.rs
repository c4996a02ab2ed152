//! Regions, and the estimate against plain search.

use super::{START, position};
use crate::amazons::{Position, Side, Square, Territory, estimate};

fn territory(text: &str) -> [u32; 3] {
    let Territory { white, black, contested } = Territory::from_position(&position(text));
    [white, black, contested]
}

#[test]
fn a_region_belongs_to_the_sides_that_touch_it() {
    assert_eq!(territory(START), [0, 0, 92]);
    assert_eq!(territory("wx2/xx2/4/3b w"), [0, 11, 0], "the corner a4 is shut in");
    assert_eq!(territory("w1x1/1xx1/xxxx/3b w"), [2, 3, 0], "d4 and d3 are out of reach");
    assert_eq!(territory("w1xb/1x2/x3/4 b"), [0, 0, 11], "corners connect");
    assert_eq!(territory("4/4/4/4 w"), [0, 0, 0]);
    let wide = "w15/16/16/16/16/16/16/16/16/16/16/16/16/16/16/16 w";
    assert_eq!(territory(wide), [255, 0, 0]);
}

/// Queen's moves from the amazons of a side to each square, searched square by square.
fn distances(board: &Position, side: Side) -> Vec<u32> {
    let mut found = vec![u32::MAX; 256];
    let mut frontier: Vec<Square> = board.amazons(side).collect();
    for distance in 1.. {
        let next: Vec<Square> =
            frontier.iter().flat_map(|square| board.reach(*square).squares()).collect();
        frontier = Vec::new();
        for square in next {
            if found[square.index()] == u32::MAX {
                found[square.index()] = distance;
                frontier.push(square);
            }
        }
        if frontier.is_empty() {
            break;
        }
    }
    found
}

/// The estimate by its definition.
fn estimate_by_search(board: &Position, side: Side) -> i32 {
    let [own, others] = [side, side.other()].map(|side| distances(board, side));
    let tie = if board.to_move() == side { 1 } else { -1 };
    let value = |(own, other): (&u32, &u32)| match own.cmp(other) {
        std::cmp::Ordering::Less => 4,
        std::cmp::Ordering::Greater => -4,
        std::cmp::Ordering::Equal if *own == u32::MAX => 0,
        std::cmp::Ordering::Equal => tie,
    };
    own.iter().zip(&others).map(value).sum()
}

#[test]
fn the_estimate_matches_a_plain_search() {
    let mut random = judge_core::Seed(1).random(judge_core::Purpose::Chance);
    let starts = [
        START,
        "2b2b2/8/b6b/8/8/w6w/8/2w2w2 w",
        "1b2/3b/w3/2w1 w",
        "16/5b10/16/16/12b3/16/16/16/16/16/16/16/2w13/16/16/9w6 b",
    ];
    for start in starts {
        let mut board = position(start);
        while let Some(next) = board.staged_move(&mut random) {
            for side in Side::BOTH {
                assert_eq!(estimate(&board, side), estimate_by_search(&board, side), "{board}");
            }
            board.play_unchecked(next);
        }
    }
}
