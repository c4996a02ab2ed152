//! A board with a position on it, and the three levels at which a text may be one: well formed,
//! placeable, and valid (reachable as far as supply and order show).

use judge_core::Seat;

use super::position::side_of;
use super::{
    Bag, Board, Edge2428, EdgeTypes, Kind, Mapping, Position, STANDARD_EDGES, loom_edges, notation,
    side_letter,
};

/// A board and a position on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    /// The nodes and edges.
    pub board: Board,
    /// Tiles, and types of the edges.
    pub position: Position,
}

/// The reason why two texts are not a state. Tiles and edges are numbered from 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StateError {
    /// The length of the tile string is not a multiple of four.
    #[error("a tile string of {0} characters: expected four for each tile")]
    TilesLength(usize),
    /// Four characters that do not name a tile.
    #[error(
        "tile {0}: expected `O` or `B`, a letter `a` to `j` and a node of two digits, found `{1}`"
    )]
    Tile(usize, String),
    /// The length of the edge string is not a multiple of five.
    #[error("an edge string of {0} characters: expected five for each edge")]
    EdgesLength(usize),
    /// Five characters that do not name an edge.
    #[error(
        "edge {0}: expected `S`, `L`, `F` or `E` and two nodes of two digits each, found `{1}`"
    )]
    Edge(usize, String),
    /// An edge names a node that no board has.
    #[error("edge {0} ends at node `{1:02}`: the last one is `{2:02}`")]
    NoSuchEdgeNode(usize, u8, usize),
    /// An edge joins a node to itself.
    #[error("edge {0} joins `{1:02}` to itself")]
    Loop(usize, u8),
    /// Two edges have the same ends.
    #[error("edge {0} joins `{1:02}` and `{2:02}`, like an edge before it")]
    JoinedTwice(usize, u8, u8),
    /// More edges than any board has.
    #[error("edges: `{0}`, more than the 66 of the largest board")]
    TooManyEdges(usize),
    /// A tile is on a node that the board does not have.
    #[error("tile {0} is on node `{1:02}`: the last one is `{2:02}`")]
    NoSuchNode(usize, u8, usize),
    /// Two tiles are on one node.
    #[error("tile {0} is on node `{1:02}`, which is occupied")]
    Occupied(usize, u8),
    /// More tiles of a kind than the side has.
    #[error("tile {0}: its side has no `{1}` left")]
    Supply(usize, Kind),
    /// A tile is of this side, but the other was on turn.
    #[error("tile {number} is of `{}`, but `{}` was on turn", side_letter(*.found), side_letter(.found.other()))]
    Order {
        /// Number of the tile.
        number: usize,
        /// Its side.
        found: Seat,
    },
}

impl StateError {
    /// True if the text was not even well formed.
    pub fn is_malformed(&self) -> bool {
        use StateError::{Edge, EdgesLength, Tile, TilesLength};
        matches!(self, TilesLength(_) | Tile(..) | EdgesLength(_) | Edge(..))
    }
}

impl State {
    /// The empty standard board.
    pub fn standard() -> State {
        State::parse("", STANDARD_EDGES).expect("the standard board is well formed")
    }

    /// The empty Loom under a mapping, with edge 2428 of this class.
    pub fn loom(mapping: Mapping, edge_2428: Edge2428) -> State {
        State::parse("", &loom_edges(mapping, edge_2428)).expect("the Loom is well formed")
    }

    /// Reads a state: the tile string and the edge string. Tiles need not be in supply or in the
    /// order of the turns; see [`State::check_valid`].
    ///
    /// # Errors
    /// When a text is not well formed, a node does not exist, or two tiles share one.
    pub fn parse(tiles: &str, edges: &str) -> Result<State, StateError> {
        let (board, types) = Board::parse(edges)?;
        let position = place_all(&board, types, tiles)?;
        Ok(State { board, position })
    }

    /// Checks that the tiles are in supply and in the order O, B, B, O, O, B, B, …; a state in the
    /// middle of a turn is valid.
    ///
    /// # Errors
    /// The first tile that breaks one of these rules.
    pub fn check_valid(&self) -> Result<(), StateError> {
        self.position.check_valid()
    }
}

impl Position {
    /// See [`State::check_valid`].
    pub(super) fn check_valid(&self) -> Result<(), StateError> {
        let mut bags = [Bag::full(); 2];
        for (before, placed) in self.placed().enumerate() {
            if placed.seat != side_of(before) {
                return Err(StateError::Order { number: before + 1, found: placed.seat });
            }
            if !bags[placed.seat.index()].take(placed.kind) {
                return Err(StateError::Supply(before + 1, placed.kind));
            }
        }
        Ok(())
    }
}

fn place_all(board: &Board, types: EdgeTypes, tiles: &str) -> Result<Position, StateError> {
    let mut position = Position::new(types);
    for (number, tile) in (1..).zip(notation::tiles(tiles)?) {
        let (seat, kind, node): (Seat, Kind, u8) = tile?;
        if usize::from(node) >= board.nodes() {
            return Err(StateError::NoSuchNode(number, node, board.nodes() - 1));
        }
        if position.occupied() >> node & 1 == 1 {
            return Err(StateError::Occupied(number, node));
        }
        position.place(seat, kind, node);
    }
    Ok(position)
}

/// Checks that both strings are well formed: the first two columns of the course's definition.
///
/// # Errors
/// The first malformed part.
pub fn check_well_formed(tiles: &str, edges: &str) -> Result<(), StateError> {
    notation::tiles(tiles)?.try_for_each(|tile| tile.map(|_| ()))?;
    notation::edges(edges)?.try_for_each(|edge| edge.map(|_| ()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(tiles: &str, edges: &str) -> String {
        let valid = State::parse(tiles, edges).and_then(|state| state.check_valid());
        valid.expect_err("no valid state").to_string()
    }

    #[test]
    fn error_messages_name_the_wrong_part() {
        let standard = STANDARD_EDGES;
        insta::assert_snapshot!(refusal("Oa0", standard), @"a tile string of 3 characters: expected four for each tile");
        insta::assert_snapshot!(refusal("OaB0", standard), @"tile 1: expected `O` or `B`, a letter `a` to `j` and a node of two digits, found `OaB0`");
        insta::assert_snapshot!(refusal("", "S000"), @"an edge string of 4 characters: expected five for each edge");
        insta::assert_snapshot!(refusal("", "A0001"), @"edge 1: expected `S`, `L`, `F` or `E` and two nodes of two digits each, found `A0001`");
        insta::assert_snapshot!(refusal("", "S0033"), @"edge 1 ends at node `33`: the last one is `32`");
        insta::assert_snapshot!(refusal("", "S0404"), @"edge 1 joins `04` to itself");
        insta::assert_snapshot!(refusal("", "S0001F0100"), @"edge 2 joins `01` and `00`, like an edge before it");
        insta::assert_snapshot!(refusal("Oa32", standard), @"tile 1 is on node `32`: the last one is `31`");
        insta::assert_snapshot!(refusal("Oa00Bb00", standard), @"tile 2 is on node `00`, which is occupied");
        insta::assert_snapshot!(refusal("Oa00Bb01Bb02", standard), @"tile 3: its side has no `b` left");
        insta::assert_snapshot!(refusal("Oa00Bb01Ob02", standard), @"tile 3 is of `O`, but `B` was on turn");
        insta::assert_snapshot!(refusal("", &many_edges()), @"edges: `67`, more than the 66 of the largest board");
    }

    /// 67 edges.
    fn many_edges() -> String {
        let pairs = (0..32).flat_map(|one| (one + 1..33).map(move |other| (one, other)));
        pairs.take(67).map(|(one, other)| format!("S{one:02}{other:02}")).collect()
    }

    #[test]
    fn states_are_printed_as_they_were_read() {
        for (tiles, edges) in [("Oa00Bj31Bi07", STANDARD_EDGES), ("", ""), ("Oa05", "E0201S3201")] {
            let state = State::parse(tiles, edges).expect("a state");
            assert_eq!((state.tiles_text().as_str(), state.edges_text().as_str()), (tiles, edges));
        }
    }
}
