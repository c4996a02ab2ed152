//! The check whether a written path is a move of a position, and the reason if not. The work
//! depends on the path's length, not on the number of moves of the position.

use super::moves::Chain;
use super::square::{MAX_SIZE, steps};
use super::{Change, Path, Position, Square};

/// The reason why a path is not a move.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{path}`: {reason}")]
pub struct IllegalPath {
    /// The path as text.
    pub path: String,
    /// The rule that it breaks.
    pub reason: Breach,
}

/// The rule that a path breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Breach {
    /// The game has ended.
    #[error("the game is over")]
    Over,
    /// A square of the path is off the board; the last row and column have this number.
    #[error("`{0}` is not on the board: rows and columns are 0 to {1}")]
    OffBoard(Square, u8),
    /// The start square is empty.
    #[error("there is no man on `{0}`")]
    NoMan(Square),
    /// The other side's man is on the start square.
    #[error("the man on `{0}` is the other side's")]
    NotYours(Square),
    /// A step leads to a square that is taken.
    #[error("`{0}` is occupied")]
    Occupied(Square),
    /// A step leads away from the target.
    #[error("the step from `{0}` to `{1}` does not go towards the target")]
    Backwards(Square, Square),
    /// A step follows or precedes another step or a jump.
    #[error("from `{0}` to `{1}` is a step, which cannot be part of a chain")]
    StepInChain(Square, Square),
    /// Two squares that are neither a step nor a jump apart.
    #[error("from `{0}` to `{1}` is neither a step nor a jump")]
    Distance(Square, Square),
    /// A jump goes over an empty square.
    #[error("there is no man on `{0}` to jump over")]
    NothingToJump(Square),
    /// A jump goes over a square that was jumped over before.
    #[error("`{0}` cannot be jumped over twice")]
    JumpedTwice(Square),
    /// A chain lands where it began.
    #[error("a chain cannot come back to its start `{0}`")]
    BackAtStart(Square),
}

impl Position {
    /// The effect of a path, if it is a move of the side on turn.
    ///
    /// # Errors
    /// The first rule that it breaks.
    pub fn check(&self, path: &Path) -> Result<Change, IllegalPath> {
        let checked = match self.ending() {
            Some(_) => Err(Breach::Over),
            None => self.check_squares(path.squares()),
        };
        checked.map_err(|reason| IllegalPath { path: path.to_string(), reason })
    }

    fn check_squares(&self, squares: &[Square]) -> Result<Change, Breach> {
        if let Some(square) = squares.iter().find(|square| !square.is_on(self.size())) {
            return Err(Breach::OffBoard(*square, self.size() - 1));
        }
        let [from, .., to] = *squares else { return Err(Breach::Distance(squares[0], squares[0])) };
        match self.man_at(from) {
            None => return Err(Breach::NoMan(from)),
            Some(seat) if seat != self.turn() => return Err(Breach::NotYours(from)),
            Some(_) => {}
        }
        if squares.len() == 2 && from.distance(to) == 1 {
            return self.check_step(from, to);
        }
        Ok(Change { from, to, captured: self.check_chain(squares)? })
    }

    fn check_step(&self, from: Square, to: Square) -> Result<Change, Breach> {
        let forward = steps(self.turn()).into_iter();
        if !forward.filter_map(|step| from.next(step, self.size())).any(|next| next == to) {
            return Err(Breach::Backwards(from, to));
        }
        if self.man_at(to).is_some() {
            return Err(Breach::Occupied(to));
        }
        Ok(Change { from, to, captured: None })
    }

    /// The man that a chain captures.
    fn check_chain(&self, squares: &[Square]) -> Result<Option<Square>, Breach> {
        let start = squares[0];
        let mut chain = Chain::new(self);
        let mut jumped = super::Squares::EMPTY;
        for hop in squares.windows(2) {
            let over = jumped_square(hop[0], hop[1])?;
            if jumped.contains(over) {
                return Err(Breach::JumpedTwice(over));
            }
            if !chain.can_jump_over(over) {
                return Err(Breach::NothingToJump(over));
            }
            if hop[1] == start {
                return Err(Breach::BackAtStart(start));
            }
            if !chain.is_free(hop[1]) {
                return Err(Breach::Occupied(hop[1]));
            }
            jumped.insert(over);
            chain = chain.after(over, self.men(self.turn().other()));
        }
        Ok(chain.captured)
    }
}

/// The square between the two of a jump.
fn jumped_square(from: Square, to: Square) -> Result<Square, Breach> {
    let even = |one: u8, other: u8| one.abs_diff(other).is_multiple_of(2);
    match from.distance(to) {
        1 => Err(Breach::StepInChain(from, to)),
        2 if even(from.row(), to.row()) && even(from.column(), to.column()) => {
            let middle = |one: u8, other: u8| one.midpoint(other);
            let index =
                middle(from.row(), to.row()) * MAX_SIZE + middle(from.column(), to.column());
            Ok(Square::from_index(index))
        }
        _ => Err(Breach::Distance(from, to)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cc::tests::set_up;

    /// On `cc-047`'s board: own men on 1,1 and 3,0, enemies on 2,2, 2,4 and 4,4.
    fn refused(path: &str) -> String {
        let position = set_up(6, &["1,1", "3,0"], &["2,2", "2,4", "4,4"]);
        position.check(&path.parse().expect("a path")).expect_err("no move").to_string()
    }

    #[test]
    fn refusals_name_the_rule() {
        insta::assert_snapshot!(refused("1,1>1,6"), @"`1,1>1,6`: `1,6` is not on the board: rows and columns are 0 to 5");
        insta::assert_snapshot!(refused("0,0>1,0"), @"`0,0>1,0`: there is no man on `0,0`");
        insta::assert_snapshot!(refused("2,2>3,3"), @"`2,2>3,3`: the man on `2,2` is the other side's");
        insta::assert_snapshot!(refused("1,1>2,2"), @"`1,1>2,2`: `2,2` is occupied");
        insta::assert_snapshot!(refused("1,1>0,1"), @"`1,1>0,1`: the step from `1,1` to `0,1` does not go towards the target");
        insta::assert_snapshot!(refused("1,1>2,0"), @"`1,1>2,0`: the step from `1,1` to `2,0` does not go towards the target");
        insta::assert_snapshot!(refused("1,1>1,2>1,3"), @"`1,1>1,2>1,3`: from `1,1` to `1,2` is a step, which cannot be part of a chain");
        insta::assert_snapshot!(refused("1,1>3,3>3,4"), @"`1,1>3,3>3,4`: from `3,3` to `3,4` is a step, which cannot be part of a chain");
        insta::assert_snapshot!(refused("1,1>2,3"), @"`1,1>2,3`: from `1,1` to `2,3` is neither a step nor a jump");
        insta::assert_snapshot!(refused("1,1>4,4"), @"`1,1>4,4`: from `1,1` to `4,4` is neither a step nor a jump");
        insta::assert_snapshot!(refused("1,1>1,1"), @"`1,1>1,1`: from `1,1` to `1,1` is neither a step nor a jump");
        insta::assert_snapshot!(refused("1,1>3,1"), @"`1,1>3,1`: there is no man on `2,1` to jump over");
        insta::assert_snapshot!(refused("1,1>3,3>1,5>3,3"), @"`1,1>3,3>1,5>3,3`: `2,4` cannot be jumped over twice");
    }

    #[test]
    fn chains_can_end_anywhere_except_at_their_start() {
        let ring = set_up(8, &["2,2", "2,3", "3,4", "4,3", "3,2"], &["7,7", "4,5"]);
        let refused = |path: &str| {
            let path = path.parse().expect("a path");
            ring.check(&path).expect_err("no move").to_string()
        };
        insta::assert_snapshot!(refused("2,2>2,4>4,4>4,2>2,2"), @"`2,2>2,4>4,4>4,2>2,2`: a chain cannot come back to its start `2,2`");
        insta::assert_snapshot!(refused("2,3>4,5"), @"`2,3>4,5`: `4,5` is occupied");
    }

    #[test]
    fn nothing_is_legal_once_the_game_is_over() {
        let before = set_up(6, &["1,1", "0,0"], &["2,2"]);
        let men = judge_core::Seat::BOTH.map(|seat| *before.men(seat));
        let over = Position::new(6, men, judge_core::Seat::Two).expect("a position");
        let path: Path = "2,2>2,1".parse().expect("a path");
        assert_eq!(over.check(&path).expect_err("over").to_string(), "`2,2>2,1`: the game is over");
    }
}
