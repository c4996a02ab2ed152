//! A position: the men of both sides, and the side on turn.

use judge_core::Seat;

use super::moves::has_move;
use super::square::MAX_SIZE;
use super::{Change, Square, Squares};

/// Fewest rows and columns of a board.
pub(super) const MIN_SIZE: u8 = 5;

/// A position on a board of 5 to 16 rows and columns. It has no memory of earlier moves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    men: [Squares; 2],
    size: u8,
    turn: Seat,
}

/// The end of a game by the rules; after it no move can be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// This side has a man on its target.
    Target(Seat),
    /// This side has taken all men of the other but one.
    LastMan(Seat),
    /// Both sides have one man: drawn. Only a position that was set up can end like this.
    OneEach,
    /// The side on turn cannot move: drawn.
    Blocked,
}

impl Ending {
    /// The winner; none for a draw.
    pub fn winner(self) -> Option<Seat> {
        match self {
            Ending::Target(winner) | Ending::LastMan(winner) => Some(winner),
            Ending::OneEach | Ending::Blocked => None,
        }
    }

    /// The end, in a few words.
    pub fn reason(self) -> &'static str {
        match self {
            Ending::Target(_) => "target",
            Ending::LastMan(_) => "last man",
            Ending::OneEach => "one man each",
            Ending::Blocked => "blocked",
        }
    }
}

/// A position that cannot be set up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// The board is too small or too large.
    #[error("a board of size `{0}`: expected 5 to 16")]
    Size(u8),
    /// A man is beyond the edge.
    #[error("`{0}` is not on the board of size `{1}`")]
    OffBoard(Square, u8),
    /// Men of both sides are on one square.
    #[error("`{0}` holds a man of both sides")]
    Shared(Square),
    /// A side has no man.
    #[error("seat `{0}` has no man")]
    NoMan(Seat),
}

impl Position {
    /// The position from which games start: a triangle of men in each corner, `size / 2` long
    /// (rounded down). The original gives men only for sizes 6 and 8; this is their rule.
    ///
    /// # Errors
    /// When the size is not 5 to 16.
    pub fn start(size: u8) -> Result<Position, SetupError> {
        check_size(size)?;
        let corner = || all_squares(size).filter(|at| at.row() + at.column() < size / 2);
        let reflected = |at: Square| Square::new(size - 1 - at.row(), size - 1 - at.column());
        let men = [corner().collect(), corner().filter_map(reflected).collect()];
        Ok(Position { men, size, turn: Seat::One })
    }

    /// Any position: the men of seat 1 and of seat 2, and the side on turn.
    ///
    /// # Errors
    /// When the size is not 5 to 16, a man is off the board or shares its square, or a side has
    /// none.
    pub fn new(size: u8, men: [Squares; 2], turn: Seat) -> Result<Position, SetupError> {
        check_size(size)?;
        if let Some(at) = men[0].union(&men[1]).iter().find(|at| !at.is_on(size)) {
            return Err(SetupError::OffBoard(at, size));
        }
        if let Some(at) = men[0].iter().find(|at| men[1].contains(*at)) {
            return Err(SetupError::Shared(at));
        }
        match Seat::BOTH.into_iter().find(|seat| men[seat.index()].is_empty()) {
            Some(seat) => Err(SetupError::NoMan(seat)),
            None => Ok(Position { men, size, turn }),
        }
    }

    /// Rows and columns of the board.
    pub fn size(&self) -> u8 {
        self.size
    }

    /// The side on turn.
    pub fn turn(&self) -> Seat {
        self.turn
    }

    /// The squares of a side's men.
    pub fn men(&self, seat: Seat) -> &Squares {
        &self.men[seat.index()]
    }

    /// All squares that hold a man.
    pub fn occupied(&self) -> Squares {
        self.men[0].union(&self.men[1])
    }

    /// The corner that a side runs to.
    pub fn target(&self, seat: Seat) -> Square {
        Square::target(seat, self.size)
    }

    /// The side with a man on a square; `None` when it is empty.
    pub fn man_at(&self, square: Square) -> Option<Seat> {
        Seat::BOTH.into_iter().find(|seat| self.men(*seat).contains(square))
    }

    /// The position after a change, which must be one that the rules list for this position: it
    /// is not checked again.
    #[must_use]
    pub fn after(&self, change: Change) -> Position {
        let mut next = *self;
        let (own, other) = (self.turn.index(), self.turn.other().index());
        next.men[own].remove(change.from);
        next.men[own].insert(change.to);
        if let Some(captured) = change.captured {
            next.men[other].remove(captured);
        }
        next.turn = self.turn.other();
        next
    }

    /// The end of the game, if it is over. Only the side that has just moved can have won.
    pub fn ending(&self) -> Option<Ending> {
        let decided = self.decided();
        if decided.is_none() && !has_move(self) {
            return Some(Ending::Blocked);
        }
        decided
    }

    /// The end of the game, without a check that the side on turn can move: much less work than
    /// [`Position::ending`].
    pub fn decided(&self) -> Option<Ending> {
        let mover = self.turn.other();
        if self.men(mover).contains(Square::target(mover, self.size)) {
            return Some(Ending::Target(mover));
        }
        match (self.men(self.turn).len(), self.men(mover).len()) {
            (1, 1) => Some(Ending::OneEach),
            (1, _) => Some(Ending::LastMan(mover)),
            _ => None,
        }
    }
}

fn check_size(size: u8) -> Result<(), SetupError> {
    let allowed = (MIN_SIZE..=MAX_SIZE).contains(&size);
    if allowed { Ok(()) } else { Err(SetupError::Size(size)) }
}

/// Every square of a board, row by row.
pub(super) fn all_squares(size: u8) -> impl Iterator<Item = Square> {
    (0..size).flat_map(move |row| (0..size).filter_map(move |column| Square::new(row, column)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cc::tests::set_up;

    #[test]
    fn starts_are_triangles_in_opposite_corners() {
        let men = [(5, 3), (6, 6), (7, 6), (8, 10), (9, 10), (16, 36)];
        for (size, expected) in men {
            let start = Position::start(size).expect("an allowed size");
            assert_eq!(Seat::BOTH.map(|seat| start.men(seat).len()), [expected; 2], "{size}");
            assert_eq!(start.man_at(Square::target(Seat::One, size)), Some(Seat::Two));
            assert_eq!(start.man_at(Square::target(Seat::Two, size)), Some(Seat::One));
            assert_eq!(start.ending(), None);
        }
        assert_eq!(Position::start(4), Err(SetupError::Size(4)));
        assert_eq!(Position::start(17), Err(SetupError::Size(17)));
    }

    /// The end after `path` by seat 1.
    fn ending(size: u8, men: [&[&str]; 2], path: &str) -> Option<Ending> {
        let position = set_up(size, men[0], men[1]);
        let path = path.parse().expect("a path");
        position.after(position.check(&path).expect("a legal path")).ending()
    }

    #[test]
    fn ends_are_checked_in_the_documented_order() {
        let target = Some(Ending::Target(Seat::One));
        assert_eq!(ending(6, [&["4,4", "0,0"], &["1,1", "2,1"]], "4,4>5,5"), target);
        // Both by the target and by the last man: the target comes first.
        assert_eq!(ending(6, [&["3,3", "0,0"], &["4,4", "2,1"]], "3,3>5,5"), target);
        let last = Some(Ending::LastMan(Seat::One));
        assert_eq!(ending(6, [&["1,1", "0,0"], &["2,2", "0,5"]], "1,1>3,3"), last);
        assert_eq!(set_up(6, &["1,1"], &["2,2"]).ending(), Some(Ending::OneEach));
        assert_eq!(set_up(6, &["1,1"], &["2,2", "0,5"]).ending(), Some(Ending::LastMan(Seat::Two)));
        // Men on the target of the side on turn were there before, so the game is not over.
        assert_eq!(set_up(6, &["5,5", "0,0"], &["2,2", "3,0"]).ending(), None);
        // Only the last square of a chain counts.
        let through: [&[&str]; 2] = [&["3,3", "0,0", "4,5"], &["4,4", "2,1", "1,0"]];
        assert_eq!(ending(6, through, "3,3>5,5>3,5"), None);
    }

    #[test]
    fn a_side_without_a_move_draws() {
        let blocked = set_up(6, &["5,3", "4,5"], &["5,5", "5,4"]);
        assert_eq!(blocked.ending(), Some(Ending::Blocked));
        assert_eq!((Ending::Blocked.winner(), Ending::Blocked.reason()), (None, "blocked"));
    }

    #[test]
    fn impossible_positions_are_refused() {
        let men = |text: &str| -> Squares {
            text.split_whitespace().map(|square| square.parse().expect("a square")).collect()
        };
        let refused = |size, one: &str, two: &str| {
            let position = Position::new(size, [men(one), men(two)], Seat::One);
            position.expect_err("impossible").to_string()
        };
        insta::assert_snapshot!(refused(4, "0,0", "3,3"), @"a board of size `4`: expected 5 to 16");
        insta::assert_snapshot!(refused(6, "0,0", "6,3"), @"`6,3` is not on the board of size `6`");
        insta::assert_snapshot!(refused(6, "0,0 1,1", "1,1"), @"`1,1` holds a man of both sides");
        insta::assert_snapshot!(refused(6, "0,0", ""), @"seat `2` has no man");
    }
}
