//! The action of a turn, and the check that it is allowed.
//! Legality is the list "Legal iff" of the rules: side, number, kinds, nodes, Warp ends.

use judge_core::Seat;

use super::{Bag, Board, Draw, Kind, Position, side_letter};

/// One tile of an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Placement {
    /// The kind of tile.
    pub kind: Kind,
    /// Its node.
    pub node: u8,
    /// For a Warp: the other ends of the two edges that exchange their types.
    pub warp: Option<[u8; 2]>,
}

/// A side's action in its turn: one or two placements, in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Action {
    seat: Seat,
    first: Placement,
    second: Option<Placement>,
}

impl Action {
    /// An action of one placement, or of two.
    pub fn new(seat: Seat, first: Placement, second: Option<Placement>) -> Action {
        Action { seat, first, second }
    }

    /// The side that places.
    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// The placements in their order.
    pub fn placements(&self) -> impl Iterator<Item = &Placement> {
        [Some(&self.first), self.second.as_ref()].into_iter().flatten()
    }

    /// Number of placements: 1 or 2.
    pub fn tiles(&self) -> usize {
        1 + usize::from(self.second.is_some())
    }
}

/// The reason why a well-formed action is not allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ActionError {
    /// All tiles are placed.
    #[error("the game is over: all tiles are placed")]
    NoTurn,
    /// The position is in the middle of a turn, so the whole turn cannot be played.
    #[error("an action is a whole turn, and a tile of this one is placed already")]
    HalfTurn,
    /// The letter is not that of the side to move.
    #[error("`{}` is not on turn, but `{}`", side_letter(*.0), side_letter(.0.other()))]
    Side(Seat),
    /// Too few or too many tiles.
    #[error("tiles to place in this turn: `{expected}`, found `{found}`")]
    Number {
        /// Tiles in the action.
        found: usize,
        /// Tiles in the turn.
        expected: usize,
    },
    /// The kinds are not the drawn ones.
    #[error("`{0}` is not among the drawn tiles `{1}`, or not so often")]
    NotDrawn(Kind, Draw),
    /// The side has no such tile left.
    #[error("no tile `{0}` is left")]
    NoneLeft(Kind),
    /// The board has no such node.
    #[error("node `{0:02}` does not exist: the last one is `{1:02}`")]
    NoSuchNode(u8, usize),
    /// There is a tile on the node already.
    #[error("node `{0:02}` is occupied")]
    Occupied(u8),
    /// A Warp would take an edge that does not exist.
    #[error("no edge joins `{0:02}` and `{1:02}`")]
    NoEdge(u8, u8),
}

impl Position {
    /// Checks that an action may be played with the drawn tiles.
    ///
    /// # Errors
    /// The first rule that it breaks.
    pub fn check(&self, board: &Board, draw: &Draw, action: &Action) -> Result<(), ActionError> {
        self.check_turn(action)?;
        check_kinds(draw, action)?;
        self.check_places(board, action)
    }

    /// Checks that an action may be played as a whole turn, with some draw from the tiles that the
    /// side has left.
    ///
    /// # Errors
    /// The first rule that it breaks.
    pub fn check_any_draw(&self, board: &Board, action: &Action) -> Result<(), ActionError> {
        if self.is_half_turn() {
            return Err(ActionError::HalfTurn);
        }
        self.check_turn(action)?;
        let mut bag = Bag::from_position(self, action.seat);
        if let Some(none) = action.placements().find(|placement| !bag.take(placement.kind)) {
            return Err(ActionError::NoneLeft(none.kind));
        }
        self.check_places(board, action)
    }

    fn check_turn(&self, action: &Action) -> Result<(), ActionError> {
        let turn = self.turn().ok_or(ActionError::NoTurn)?;
        if action.seat != turn.seat {
            return Err(ActionError::Side(action.seat));
        }
        let (found, expected) = (action.tiles(), usize::from(turn.tiles));
        if found != expected {
            return Err(ActionError::Number { found, expected });
        }
        Ok(())
    }

    /// Nodes exist, are empty and different; the edges of Warps exist.
    fn check_places(&self, board: &Board, action: &Action) -> Result<(), ActionError> {
        let mut empty = self.empty(board);
        for placement in action.placements() {
            let node = placement.node;
            if usize::from(node) >= board.nodes() {
                return Err(ActionError::NoSuchNode(node, board.nodes() - 1));
            }
            if empty >> node & 1 == 0 {
                return Err(ActionError::Occupied(node));
            }
            empty &= !(1 << node);
            let mut ends = placement.warp.into_iter().flatten();
            if let Some(end) = ends.find(|end| board.edge(node, *end).is_none()) {
                return Err(ActionError::NoEdge(node, end));
            }
        }
        Ok(())
    }
}

/// The kinds are exactly the drawn ones, in either order; their number is known to agree.
fn check_kinds(draw: &Draw, action: &Action) -> Result<(), ActionError> {
    let mut drawn: [Option<Kind>; 2] = [draw.get(0), draw.get(1)];
    for placement in action.placements() {
        match drawn.iter_mut().find(|kind| **kind == Some(placement.kind)) {
            Some(kind) => *kind = None,
            None => return Err(ActionError::NotDrawn(placement.kind, *draw)),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::agamemnon::{STANDARD_EDGES, State};

    /// The message that refuses an action after `tiles`, with these tiles drawn.
    fn refusal(tiles: &str, draw: &str, action: &str) -> String {
        let state = State::parse(tiles, STANDARD_EDGES).expect("a state");
        let draw = draw.parse().expect("a draw");
        let action = action.parse().expect("an action");
        let result = state.position.check(&state.board, &draw, &action);
        result.expect_err("not allowed").to_string()
    }

    #[test]
    fn a_refusal_names_the_broken_rule() {
        insta::assert_snapshot!(refusal("", "a", "Ba00"), @"`B` is not on turn, but `O`");
        insta::assert_snapshot!(refusal("Oa00", "ff", "Bf01"), @"tiles to place in this turn: `2`, found `1`");
        insta::assert_snapshot!(refusal("Oa00", "fg", "Bf01Bf02"), @"`f` is not among the drawn tiles `fg`, or not so often");
        insta::assert_snapshot!(refusal("", "a", "Oa32"), @"node `32` does not exist: the last one is `31`");
        insta::assert_snapshot!(refusal("Oa00", "ff", "Bf01Bf00"), @"node `00` is occupied");
        insta::assert_snapshot!(refusal("Oa00", "ff", "Bf01Bf01"), @"node `01` is occupied");
        insta::assert_snapshot!(refusal("", "j", "Oj000001"), @"no edge joins `00` and `00`");
        insta::assert_snapshot!(refusal("", "j", "Oj000199"), @"no edge joins `00` and `99`");
        insta::assert_snapshot!(refusal("Oa00Bf01", "g", "Bf02"), @"`f` is not among the drawn tiles `g`, or not so often");
        insta::assert_snapshot!(refusal("Oa00Bf01", "fg", "Bf02Bg03"), @"tiles to place in this turn: `1`, found `2`");
        let tiles = "Og30Bh11Bf23Oh14Oa04Bb21Ba20Of02Od27Bi13Bc05Of06Og28Bg29Be24Oe00Oj19Bg22Bf07\
                     Oi26Oj09Bj15Bd10Oc03Oi18Bj25Bi31Of16Ob12Bf01";
        insta::assert_snapshot!(refusal(tiles, "f", "Bf08"), @"the game is over: all tiles are placed");
    }

    #[test]
    fn either_order_of_the_drawn_tiles_is_allowed() {
        let state = State::parse("Oa00", STANDARD_EDGES).expect("a state");
        let draw = "fj".parse().expect("a draw");
        for action in ["Bf01Bj020304", "Bj020304Bf01", "Bj020303Bf01"] {
            let action = action.parse().expect("an action");
            assert_eq!(state.position.check(&state.board, &draw, &action), Ok(()));
        }
    }
}
