//! Moves of positions: generated, counted, checked, taken back.

use judge_core::{Purpose, Seed};
use proptest::prelude::*;

use super::{START, chosen, position};
use crate::amazons::{Direction, MoveError, Position, Side, Square, perft};

/// A position after some random plies on a board of any size, from squares given as numbers.
fn positions() -> impl Strategy<Value = Position> {
    let squares = proptest::collection::btree_set((0..16_u8, 0..16_u8), 2..12);
    (4..=16_u8, squares, 0..60_u32, any::<u64>()).prop_map(|(size, squares, plies, seed)| {
        let mut board = Position::empty(size);
        for (at, (column, row)) in squares.into_iter().enumerate() {
            let square = Square::new(column % size, row % size).expect("on the board");
            board.place(square, Some(Side::BOTH[at % 2]));
        }
        let mut random = Seed(seed).random(Purpose::Chance);
        for _ in 0..plies {
            let Some(next) = board.staged_move(&mut random) else { break };
            board.play_unchecked(next);
        }
        board
    })
}

/// The squares that a queen reaches, one step after the other: slow and plain.
fn walk(board: &Position, from: (i8, i8), vacated: (i8, i8)) -> Vec<(i8, i8)> {
    let steps = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1)];
    let size = board.size() as i8;
    let free = |at: (i8, i8)| {
        let inside = (0..size).contains(&at.0) && (0..size).contains(&at.1);
        inside && (at == vacated || board.is_empty(square(at)))
    };
    let mut reached = Vec::new();
    for (column, row) in steps {
        let mut at = (from.0 + column, from.1 + row);
        while free(at) {
            reached.push(at);
            at = (at.0 + column, at.1 + row);
        }
    }
    reached
}

fn square(at: (i8, i8)) -> Square {
    Square::new(at.0 as u8, at.1 as u8).expect("on the board")
}

/// All moves as text, by [`walk`].
fn walked_moves(board: &Position) -> Vec<String> {
    let mut moves = Vec::new();
    for from in board.amazons(board.to_move()) {
        let home = (from.column() as i8, from.row() as i8);
        for to in walk(board, home, home) {
            for arrow in walk(board, to, home) {
                moves.push(format!("{from}-{}/{}", square(to), square(arrow)));
            }
        }
    }
    moves
}

proptest! {
    #[test]
    fn generated_moves_match_a_step_by_step_search(board in positions()) {
        let mut listed = Vec::new();
        board.each_move(|candidate| listed.push(candidate.to_string()));
        prop_assert_eq!(&listed, &walked_moves(&board));
        prop_assert_eq!(board.count_moves() as usize, listed.len());
        prop_assert_eq!(board.can_move(), !listed.is_empty());
        prop_assert_eq!(perft(&board, 1), listed.len() as u64);
        let nth: Vec<_> = (0..board.count_moves()).filter_map(|n| board.nth_move(n)).collect();
        prop_assert_eq!(nth.iter().map(ToString::to_string).collect::<Vec<_>>(), listed);
        prop_assert_eq!(board.nth_move(board.count_moves()), None);
    }

    #[test]
    fn a_move_can_be_undone(board in positions(), pick in any::<u32>()) {
        if let Some(played) = board.nth_move(pick % board.count_moves().max(1)) {
            let mut after = board.clone();
            prop_assert_eq!(after.play(played), Ok(()));
            prop_assert!(after != board && after.to_move() != board.to_move());
            prop_assert_eq!(after.to_string().parse::<Position>(), Ok(after.clone()));
            after.undo(played);
            prop_assert_eq!(after, board);
        }
    }

    #[test]
    fn the_legality_check_matches_the_generated_moves(
        board in positions(),
        squares in proptest::array::uniform3((0..16_u8, 0..16_u8)),
    ) {
        let [from, to, arrow] =
            squares.map(|(column, row)| Square::new(column, row).expect("below 16"));
        let from = board.amazons(board.to_move()).next().unwrap_or(from);
        let candidate = crate::amazons::Move { from, to, arrow };
        let listed = board.find_move(|listed| (listed == candidate).then_some(())).is_some();
        prop_assert_eq!(board.check(candidate).is_ok(), listed);
    }
}

#[test]
fn a_staged_move_is_even_in_each_stage() {
    // The amazon on a1 has one square and two shots, the one on d1 more; c4 is shut in.
    let board = position("xxwx/xxxx/3x/wx1w w");
    let mut random = Seed(1).random(Purpose::Chance);
    let mut by_amazon = std::collections::BTreeMap::new();
    for _ in 0..4000 {
        let played = board.staged_move(&mut random).expect("a move");
        assert_eq!(board.check(played), Ok(()));
        *by_amazon.entry(played.from.to_string()).or_insert(0) += 1;
    }
    assert_eq!(by_amazon.len(), 2);
    assert!(by_amazon.values().all(|count| (1850..2150).contains(count)), "{by_amazon:?}");
}

#[test]
fn the_side_that_cannot_move_has_lost() {
    let enclosed = position("wx2/xx2/4/3b w");
    assert_eq!((enclosed.count_moves(), enclosed.winner()), (0, Some(Side::Black)));
    let mut random = Seed(1).random(Purpose::Chance);
    assert_eq!(enclosed.staged_move(&mut random), None);
    assert_eq!(enclosed.clone().play_out(&mut random), Side::Black);
    let other = position("wx2/xx2/4/3b b");
    assert_eq!((other.count_moves(), other.winner()), (53, None));
    assert_eq!(position("4/4/4/4 w").winner(), Some(Side::Black), "no amazons");
}

#[test]
fn a_board_of_16_by_16_works() {
    let board = position("16/16/16/16/16/16/16/16/16/16/16/16/16/16/16/w14b w");
    let corner: Square = "a1".parse().expect("a square");
    let reach = board.reach(corner);
    assert_eq!(
        Direction::ALL.map(|direction| reach.length(direction)),
        [14, 0, 15, 0, 15, 0, 0, 0]
    );
    assert_eq!(reach.count(), 44);
    let squares: Vec<Square> = reach.squares().collect();
    assert_eq!(squares, (0..44).map(|n| reach.square(n)).collect::<Vec<_>>());
    assert_eq!(squares.last().map(ToString::to_string).as_deref(), Some("p16"));
    assert_eq!(board.check(chosen("a1-p16/a16")), Ok(()));
}

#[test]
fn a_refusal_names_the_broken_rule() {
    let board = position(START);
    let refused = |text: &str| {
        let mut after = board.clone();
        let error = after.play(chosen(text)).expect_err("illegal").to_string();
        assert_eq!(after, board);
        error
    };
    insta::assert_snapshot!(refused("d1-d7/k7"), @"`k7` is not on this board of 10 columns and rows");
    insta::assert_snapshot!(refused("a7-a6/a7"), @"`a7`: there is no amazon of White");
    insta::assert_snapshot!(refused("e5-e6/e5"), @"`e5`: there is no amazon of White");
    insta::assert_snapshot!(refused("d1-e3/e4"), @"`d1-e3`: the amazon goes along a row, column or diagonal, at least one square");
    insta::assert_snapshot!(refused("d1-d1/d2"), @"`d1-d1`: the amazon goes along a row, column or diagonal, at least one square");
    insta::assert_snapshot!(refused("d1-d10/d9"), @"`d1-d10`: the amazon cannot enter or cross `d10`, which is not empty");
    insta::assert_snapshot!(refused("a4-a8/b8"), @"`a4-a8`: the amazon cannot enter or cross `a7`, which is not empty");
    insta::assert_snapshot!(refused("d1-d7/d7"), @"`d7/d7`: the arrow goes along a row, column or diagonal, at least one square");
    insta::assert_snapshot!(refused("d1-d7/f8"), @"`d7/f8`: the arrow goes along a row, column or diagonal, at least one square");
    insta::assert_snapshot!(refused("d1-d7/j7"), @"`d7/j7`: the arrow cannot enter or cross `j7`, which is not empty");
    assert!(matches!(board.check(chosen("d1-d7/a11")), Err(MoveError::OffBoard(_, 10))));
}
