//! A position: amazons, burnt squares, and the side on turn; moves are generated, checked, played
//! and taken back here.

use judge_core::{Random, Seat};

use super::occupancy::{Occupancy, Reach};
use super::square::{Square, SquareSet};

/// One of the two sides. White is seat 1 and moves first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Seat 1.
    White,
    /// Seat 2.
    Black,
}

impl Side {
    /// Both sides, White first.
    pub const BOTH: [Side; 2] = [Side::White, Side::Black];

    /// The opposite side.
    pub fn other(self) -> Side {
        match self {
            Side::White => Side::Black,
            Side::Black => Side::White,
        }
    }

    /// 0 for White, 1 for Black.
    pub fn index(self) -> usize {
        self as usize
    }

    /// The seat that plays it.
    pub fn seat(self) -> Seat {
        Seat::BOTH[self.index()]
    }
}

/// A whole turn: an amazon goes from one square to another and shoots an arrow from there.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move {
    /// The amazon's square before.
    pub from: Square,
    /// The amazon's square afterwards.
    pub to: Square,
    /// The square of its arrow.
    pub arrow: Square,
}

/// The reason why a move is illegal.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// A square that the board does not have.
    #[error("`{0}` is not on this board of {1} columns and rows")]
    OffBoard(Square, u8),
    /// The side on turn has no amazon there.
    #[error("`{0}`: there is no amazon of {1}")]
    NoAmazon(Square, Side),
    /// Amazon or arrow would not go along a row, column or diagonal.
    #[error("`{part}`: {what} goes along a row, column or diagonal, at least one square")]
    NotALine {
        /// `the amazon` or `the arrow`.
        what: &'static str,
        /// The part of the move.
        part: String,
    },
    /// Amazon or arrow would go onto or over an amazon or an arrow.
    #[error("`{part}`: {what} cannot enter or cross `{at}`, which is not empty")]
    Blocked {
        /// `the amazon` or `the arrow`.
        what: &'static str,
        /// The part of the move.
        part: String,
        /// The first square in the way.
        at: Square,
    },
}

/// A position: some 260 bytes of bitboards, so that a copy is cheap and needs no allocation.
#[derive(Clone, PartialEq, Eq)]
pub struct Position {
    occupancy: Occupancy,
    amazons: [SquareSet; 2],
    to_move: Side,
    size: u8,
}

impl Position {
    /// An empty board of `size` columns and rows (4 to 16), White to move.
    pub(super) fn empty(size: u8) -> Position {
        Position {
            occupancy: Occupancy::empty(size),
            amazons: [SquareSet::EMPTY; 2],
            to_move: Side::White,
            size,
        }
    }

    /// Puts an amazon, or an arrow for `None`, on an empty square; `false` when it is not empty.
    pub(super) fn place(&mut self, square: Square, amazon: Option<Side>) -> bool {
        let free = !self.occupancy.contains(square);
        if free {
            self.occupancy.toggle(square);
            amazon.into_iter().for_each(|side| self.amazons[side.index()].toggle(square));
        }
        free
    }

    /// Gives the turn to a side.
    pub(super) fn set_to_move(&mut self, side: Side) {
        self.to_move = side;
    }

    /// Columns, which are as many as rows: 4 to 16.
    pub fn size(&self) -> u8 {
        self.size
    }

    /// The side on turn.
    pub fn to_move(&self) -> Side {
        self.to_move
    }

    /// The amazons of a side.
    pub fn amazons(&self, side: Side) -> SquareSet {
        self.amazons[side.index()]
    }

    /// True if a square holds neither amazon nor arrow; squares off the board are not empty.
    pub fn is_empty(&self, square: Square) -> bool {
        !self.occupancy.contains(square)
    }

    /// The side with an amazon on a square.
    pub fn amazon_at(&self, square: Square) -> Option<Side> {
        Side::BOTH.into_iter().find(|side| self.amazons(*side).contains(square))
    }

    /// The squares that a queen on a square could reach.
    pub fn reach(&self, square: Square) -> Reach {
        self.occupancy.reach(square)
    }

    /// By row, the taken columns as bits, column a as the lowest; outside counts as taken.
    pub fn rows(&self) -> &[u16; 16] {
        self.occupancy.rows()
    }

    /// True if the side on turn can move. A side that can move can also shoot: at least back to the
    /// amazon's old square.
    pub fn can_move(&self) -> bool {
        self.amazons(self.to_move).any(|square| self.reach(square).count() > 0)
    }

    /// Number of squares that the amazons of a side can go to in one move, counted for each amazon.
    pub fn mobility(&self, side: Side) -> u32 {
        self.amazons(side).map(|square| self.reach(square).count()).sum()
    }

    /// The winner, once the side on turn cannot move: it has lost. A draw is impossible.
    pub fn winner(&self) -> Option<Side> {
        (!self.can_move()).then_some(self.to_move.other())
    }

    /// The squares that arrows can reach after an amazon has gone from one square to another.
    pub fn shots(&self, from: Square, to: Square) -> Reach {
        let mut vacated = self.occupancy;
        vacated.toggle(from);
        vacated.reach(to)
    }

    /// Calls `visit` for every legal move until it gives `Some`. Amazons come in the order of
    /// their squares; squares and arrows in the order of [`Reach`].
    pub fn find_move<T>(&self, mut visit: impl FnMut(Move) -> Option<T>) -> Option<T> {
        self.find_shots(|from, to, shots| {
            shots.squares().find_map(|arrow| visit(Move { from, to, arrow }))
        })
    }

    /// Calls `visit` for every legal move, in the order of [`Position::find_move`].
    pub fn each_move(&self, mut visit: impl FnMut(Move)) {
        self.find_move(|candidate| {
            visit(candidate);
            None::<()>
        });
    }

    /// Calls `visit` for every pair of squares that an amazon can go between, with its shots.
    fn find_shots<T>(
        &self,
        mut visit: impl FnMut(Square, Square, Reach) -> Option<T>,
    ) -> Option<T> {
        let mut board = self.occupancy;
        for from in self.amazons(self.to_move) {
            board.toggle(from);
            for to in self.reach(from).squares() {
                if let found @ Some(_) = visit(from, to, board.reach(to)) {
                    return found;
                }
            }
            board.toggle(from);
        }
        None
    }

    /// Number of legal moves.
    pub fn count_moves(&self) -> u32 {
        let mut count = 0;
        self.find_shots(|_, _, shots| {
            count += shots.count();
            None::<()>
        });
        count
    }

    /// Legal move number `n`, counted from 0 in the order of [`Position::find_move`].
    pub fn nth_move(&self, mut n: u32) -> Option<Move> {
        self.find_shots(|from, to, shots| {
            if n < shots.count() {
                return Some(Move { from, to, arrow: shots.square(n) });
            }
            n -= shots.count();
            None
        })
    }

    /// A random move, chosen in three stages: an amazon, a square, an arrow, each evenly among the
    /// possible ones. An amazon that cannot move is removed and another one is drawn. `None`
    /// without a legal move.
    pub fn staged_move(&self, random: &mut Random) -> Option<Move> {
        let mut candidates = self.amazons(self.to_move);
        loop {
            let number = candidates.len();
            if number == 0 {
                return None;
            }
            let from = candidates.nth_square(random.below(number))?;
            let reach = self.reach(from);
            if reach.count() > 0 {
                let to = reach.square(random.below(reach.count()));
                let shots = self.shots(from, to);
                return Some(Move { from, to, arrow: shots.square(random.below(shots.count())) });
            }
            candidates.toggle(from);
        }
    }

    /// Plays staged random moves to the end and returns the winner.
    pub fn play_out(&mut self, random: &mut Random) -> Side {
        while let Some(chosen) = self.staged_move(random) {
            self.play_unchecked(chosen);
        }
        self.to_move.other()
    }

    /// Checks that a move is allowed.
    ///
    /// # Errors
    /// The first rule that it breaks.
    pub fn check(&self, candidate: Move) -> Result<(), MoveError> {
        let Move { from, to, arrow } = candidate;
        if let Some(off) = [from, to, arrow].into_iter().find(|square| !square.is_on(self.size)) {
            return Err(MoveError::OffBoard(off, self.size));
        }
        if !self.amazons(self.to_move).contains(from) {
            return Err(MoveError::NoAmazon(from, self.to_move));
        }
        check_way(self.reach(from), from, to, "the amazon", '-')?;
        check_way(self.shots(from, to), to, arrow, "the arrow", '/')
    }

    /// Plays a move after checking it; a refused move changes nothing.
    ///
    /// # Errors
    /// The first rule that it breaks.
    pub fn play(&mut self, chosen: Move) -> Result<(), MoveError> {
        self.check(chosen)?;
        self.play_unchecked(chosen);
        Ok(())
    }

    /// Plays a move that is known to be legal; any other one corrupts the position.
    pub fn play_unchecked(&mut self, chosen: Move) {
        self.shift(chosen.from, chosen.to);
        self.shoot(chosen.arrow);
    }

    /// Takes back the move that was played last.
    pub fn undo(&mut self, played: Move) {
        self.unshoot(played.arrow);
        self.shift(played.to, played.from);
    }

    /// The first half of a move: the amazon. It also takes the move back.
    pub(super) fn shift(&mut self, from: Square, to: Square) {
        self.occupancy.toggle(from);
        self.occupancy.toggle(to);
        let amazons = &mut self.amazons[self.to_move.index()];
        amazons.toggle(from);
        amazons.toggle(to);
    }

    /// The second half of a move: the arrow, and the turn passes.
    pub(super) fn shoot(&mut self, arrow: Square) {
        self.occupancy.toggle(arrow);
        self.to_move = self.to_move.other();
    }

    /// Takes back [`Position::shoot`].
    pub(super) fn unshoot(&mut self, arrow: Square) {
        self.shoot(arrow);
    }
}

/// Checks that `to` is within `reach` of `from`.
fn check_way(
    reach: Reach,
    from: Square,
    to: Square,
    what: &'static str,
    sign: char,
) -> Result<(), MoveError> {
    let part = || format!("{from}{sign}{to}");
    let Some((direction, steps)) = from.line_to(to) else {
        return Err(MoveError::NotALine { what, part: part() });
    };
    let free = reach.length(direction);
    if steps > free {
        return Err(MoveError::Blocked { what, part: part(), at: from.step(direction, free + 1) });
    }
    Ok(())
}
