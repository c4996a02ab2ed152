//! The board of the search: cells with a margin, so that no search has to check for the edge, and
//! the men of both sides as lists.

use judge_bot::cc::{Position, Seat, Square};

/// Cells of a row, with a margin that a jump cannot cross.
const STRIDE: usize = 20;

/// Rows and columns of the margin.
const MARGIN: usize = 2;

/// Most men of a side at the start, on a board of 16 by 16.
const MEN: usize = 36;

/// All eight ways, as differences of cells.
pub(crate) const WAYS: [isize; 8] = [-20, 1, -19, 21, 20, -1, 19, -21];

/// Row and column of each cell, the most frequent look-up.
const PLACES: [[u8; 2]; STRIDE * STRIDE] = {
    let mut places = [[0; 2]; STRIDE * STRIDE];
    let mut at = 0;
    while at < places.len() {
        places[at] = [(at / STRIDE) as u8, (at % STRIDE) as u8];
        at += 1;
    }
    places
};

/// A cell by number.
pub(crate) type At = u16;

/// The content of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Cell {
    Empty,
    Man(Seat),
    Edge,
}

/// The effect of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Move {
    pub(crate) from: At,
    pub(crate) to: At,
    pub(crate) captured: Option<At>,
}

/// A position.
#[derive(Clone)]
pub(crate) struct Board {
    cells: [Cell; STRIDE * STRIDE],
    men: [[At; MEN]; 2],
    counts: [u8; 2],
    pub(crate) turn: Seat,
    size: u8,
    /// A key that differs between positions, for the table.
    pub(crate) key: u64,
}

/// The cell of a square.
pub(crate) fn cell(square: Square) -> At {
    ((usize::from(square.row()) + MARGIN) * STRIDE + usize::from(square.column()) + MARGIN) as At
}

/// The cell at that distance from another; ways do not lead out of the margin.
pub(crate) fn along(at: At, way: isize) -> At {
    at.wrapping_add_signed(way as i16)
}

/// The number that a man on a cell adds to the key: any mixing is good (here, of SplitMix64).
fn key(seat: Seat, at: At) -> u64 {
    let mixed = (u64::from(at) * 2 + seat.index() as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

impl Board {
    /// The board of a position. It has room for the men of a start, and no position has more.
    pub(crate) fn new(position: &Position) -> Board {
        let mut board = Board {
            cells: [Cell::Edge; STRIDE * STRIDE],
            men: [[0; MEN]; 2],
            counts: [0; 2],
            turn: position.turn(),
            size: position.size(),
            key: 0,
        };
        for row in 0..position.size() {
            for column in 0..position.size() {
                if let Some(square) = Square::new(row, column) {
                    board.put(cell(square), position.man_at(square));
                }
            }
        }
        board
    }

    fn put(&mut self, at: At, man: Option<Seat>) {
        self.cells[usize::from(at)] = Cell::Empty;
        let Some(seat) = man else { return };
        let count = &mut self.counts[seat.index()];
        if let Some(place) = self.men[seat.index()].get_mut(usize::from(*count)) {
            *place = at;
            *count += 1;
            self.cells[usize::from(at)] = Cell::Man(seat);
            self.key ^= key(seat, at);
        }
    }

    pub(crate) fn at(&self, at: At) -> Cell {
        self.cells[usize::from(at)]
    }

    /// The cells of a side's men.
    pub(crate) fn men(&self, seat: Seat) -> &[At] {
        &self.men[seat.index()][..usize::from(self.counts[seat.index()])]
    }

    /// Number of men of both sides.
    pub(crate) fn all(&self) -> u32 {
        self.counts.into_iter().map(u32::from).sum()
    }

    /// The corner that a side runs to.
    pub(crate) fn target(&self, seat: Seat) -> At {
        let last = usize::from(self.size) - 1;
        let offset = if seat == Seat::One { last } else { 0 };
        ((MARGIN + offset) * (STRIDE + 1)) as At
    }

    /// Rows and columns between two cells.
    pub(crate) fn apart(one: At, other: At) -> [i32; 2] {
        let [one, other] = [one, other].map(|at| PLACES[usize::from(at)]);
        [0, 1].map(|axis| i32::from(one[axis].abs_diff(other[axis])))
    }

    /// True if the side that has just moved has won.
    pub(crate) fn lost(&self) -> bool {
        let mover = self.turn.other();
        self.counts[self.turn.index()] <= 1 || self.at(self.target(mover)) == Cell::Man(mover)
    }

    /// The board after a move.
    pub(crate) fn after(&self, change: Move) -> Board {
        let mut next = self.clone();
        let (own, other) = (self.turn, self.turn.other());
        next.cells[usize::from(change.from)] = Cell::Empty;
        let men = &mut next.men[own.index()][..usize::from(next.counts[own.index()])];
        if let Some(man) = men.iter_mut().find(|man| **man == change.from) {
            *man = change.to;
        }
        if let Some(captured) = change.captured {
            next.remove(other, captured);
        }
        next.cells[usize::from(change.to)] = Cell::Man(own);
        next.key ^= key(own, change.from) ^ key(own, change.to);
        next.turn = other;
        next
    }

    fn remove(&mut self, seat: Seat, at: At) {
        let count = usize::from(self.counts[seat.index()]);
        let men = &mut self.men[seat.index()][..count];
        if let Some(place) = men.iter().position(|man| *man == at) {
            men.swap(place, count - 1);
            self.counts[seat.index()] -= 1;
            self.cells[usize::from(at)] = Cell::Empty;
            self.key ^= key(seat, at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_gives_the_board_of_the_position_after_it() {
        let mut position = Position::start(8).expect("an allowed size");
        for choice in 0..12 {
            let board = Board::new(&position);
            let all = judge_bot::cc::changes(&position);
            let change = *all.iter().nth(choice * 7 % all.len()).expect("one of them");
            let made = board.after(Move {
                from: cell(change.from),
                to: cell(change.to),
                captured: change.captured.map(cell),
            });
            position = position.after(change);
            let expected = Board::new(&position);
            assert_eq!(
                (made.key, made.counts, made.turn),
                (expected.key, expected.counts, expected.turn)
            );
            assert_eq!(made.cells, expected.cells);
        }
    }

    #[test]
    fn corners_and_distances() {
        let board = Board::new(&Position::start(6).expect("an allowed size"));
        let corner = |row, column| cell(Square::new(row, column).expect("a square"));
        assert_eq!(
            [Seat::One, Seat::Two].map(|seat| board.target(seat)),
            [corner(5, 5), corner(0, 0)]
        );
        assert_eq!(Board::apart(corner(1, 4), corner(5, 2)), [4, 2]);
        assert!(!board.lost());
    }
}
