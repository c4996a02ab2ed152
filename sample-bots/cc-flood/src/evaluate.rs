//! The value of a position at the end of the search.

use judge_bot::cc::Seat;

use crate::board::{Board, Cell};

/// A man.
const MAN: i32 = 60;

/// A man at home in the corner, where no man can land before it is taken.
const GUARD: i32 = 40;

/// A row or column by which the foremost man is nearer to its corner.
const NEAREST: i32 = 6;

/// Value for the side on turn.
pub(crate) fn evaluate(board: &Board) -> i32 {
    side(board, board.turn) - side(board, board.turn.other())
}

fn side(board: &Board, seat: Seat) -> i32 {
    let (goal, home) = (board.target(seat), board.target(seat.other()));
    let (mut sum, mut nearest) = (0, i32::MAX);
    for man in board.men(seat) {
        let [rows, columns] = Board::apart(*man, goal);
        sum += MAN - rows - columns;
        nearest = nearest.min(rows.max(columns));
    }
    let guard = if board.at(home) == Cell::Man(seat) { GUARD } else { 0 };
    sum + guard - NEAREST * nearest
}

#[cfg(test)]
mod tests {
    use judge_bot::cc::Position;

    use super::*;

    /// Size 5; the men as pairs of row and column.
    fn value(one: &[(u8, u8)], two: &[(u8, u8)]) -> i32 {
        let set = |men: &[(u8, u8)]| {
            men.iter()
                .filter_map(|(row, column)| judge_bot::cc::Square::new(*row, *column))
                .collect()
        };
        let position = Position::new(5, [set(one), set(two)], Seat::One).expect("a position");
        evaluate(&Board::new(&position))
    }

    #[test]
    fn the_start_is_even() {
        assert_eq!(evaluate(&Board::new(&Position::start(8).expect("an allowed size"))), 0);
    }

    #[test]
    fn men_guards_and_ways_count() {
        let even = value(&[(0, 0), (1, 1)], &[(4, 4), (3, 3)]);
        assert_eq!(even, 0);
        assert!(value(&[(0, 0), (2, 2)], &[(4, 4), (3, 3)]) > even);
        assert!(value(&[(1, 0), (1, 1)], &[(4, 4), (3, 3)]) < even);
        assert!(value(&[(0, 0), (1, 1), (0, 1)], &[(4, 4), (3, 3)]) > even);
    }
}
