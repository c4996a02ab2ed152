//! A board with a position on it, and the three levels at which a text may be one: well formed,
//! placeable, and valid (reachable as far as supply and order tell).

use judge_core::Seat;

use super::position::side_of;
use super::{Bag, Board, EdgeTypes, Kind, Mapping, Position, STANDARD_EDGES, loom_edges, notation};

/// A board and a position on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    /// Which nodes are joined.
    pub board: Board,
    /// Tiles, and types of the edges.
    pub position: Position,
}

/// Why two texts are no state.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StateError {
    /// The tile string is not cut into fours.
    #[error("a tile string of {0} characters: expected four for each tile")]
    TilesLength(usize),
    /// Four characters that are no tile.
    #[error("`{0}` is no tile: expected `O` or `B`, a letter `a` to `j` and a node of two digits")]
    Tile(String),
    /// The edge string is not cut into fives.
    #[error("an edge string of {0} characters: expected five for each edge")]
    EdgesLength(usize),
    /// Five characters that are no edge.
    #[error("`{0}` is no edge: expected `S`, `L`, `F` or `E` and two nodes of two digits each")]
    Edge(String),
    /// An edge names a node that no board has.
    #[error("an edge ends at node `{0:02}`: the last one is `32`")]
    NoSuchEdgeNode(u8),
    /// An edge joins a node to itself.
    #[error("an edge joins `{0:02}` to itself")]
    Loop(u8),
    /// Two edges have the same ends.
    #[error("two edges join `{0:02}` and `{1:02}`")]
    JoinedTwice(u8, u8),
    /// More edges than any board has.
    #[error("more than 66 edges")]
    TooManyEdges,
    /// A tile stands on a node that the board does not have.
    #[error("a tile on node `{0:02}`: the last one is `{1:02}`")]
    NoSuchNode(u8, usize),
    /// Two tiles stand on one node.
    #[error("two tiles on node `{0:02}`")]
    Occupied(u8),
    /// More tiles of a kind than the side has.
    #[error("too many tiles `{0}` of one side")]
    Supply(Kind),
    /// A tile is not of the side whose turn it was.
    #[error("tile number {} is not of the side on turn", .0 + 1)]
    Order(usize),
}

impl StateError {
    /// Whether the text was not even well formed.
    pub fn is_malformed(&self) -> bool {
        use StateError::{Edge, EdgesLength, Tile, TilesLength};
        matches!(self, TilesLength(_) | Tile(_) | EdgesLength(_) | Edge(_))
    }
}

impl State {
    /// The empty standard board.
    pub fn standard() -> State {
        State::parse("", STANDARD_EDGES).expect("the standard board is well formed")
    }

    /// The empty Loom under a mapping.
    pub fn loom(mapping: Mapping) -> State {
        State::parse("", &loom_edges(mapping)).expect("the Loom is well formed")
    }

    /// Reads a state: the tile string and the edge string. Tiles need not be in supply or in the
    /// order of the turns; see [`State::check_valid`].
    ///
    /// # Errors
    /// When a text is not well formed or a tile has no node of its own.
    pub fn parse(tiles: &str, edges: &str) -> Result<State, StateError> {
        let (board, types) = Board::parse(edges)?;
        let position = place_all(&board, types, tiles)?;
        Ok(State { board, position })
    }

    /// Whether the tiles are in supply and in the order O, B, B, O, O, B, B, …; a state in the
    /// middle of a turn is valid.
    ///
    /// # Errors
    /// The first tile that is not.
    pub fn check_valid(&self) -> Result<(), StateError> {
        let mut bags = [Bag::full(); 2];
        for (number, placed) in self.position.placed().enumerate() {
            if placed.seat != side_of(number) {
                return Err(StateError::Order(number));
            }
            if !bags[placed.seat.index()].take(placed.kind) {
                return Err(StateError::Supply(placed.kind));
            }
        }
        Ok(())
    }
}

fn place_all(board: &Board, types: EdgeTypes, tiles: &str) -> Result<Position, StateError> {
    let mut position = Position::new(types);
    for tile in notation::tiles(tiles)? {
        let (seat, kind, node): (Seat, Kind, u8) = tile?;
        if usize::from(node) >= board.nodes() {
            return Err(StateError::NoSuchNode(node, board.nodes() - 1));
        }
        if position.occupied() >> node & 1 == 1 {
            return Err(StateError::Occupied(node));
        }
        position.place(seat, kind, node);
    }
    Ok(position)
}

/// Whether both strings are well formed: the first two columns of the course's definition.
///
/// # Errors
/// The first part that is not.
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
    fn messages_name_the_culprit() {
        let standard = STANDARD_EDGES;
        insta::assert_snapshot!(refusal("Oa0", standard), @"a tile string of 3 characters: expected four for each tile");
        insta::assert_snapshot!(refusal("OaB0", standard), @"`OaB0` is no tile: expected `O` or `B`, a letter `a` to `j` and a node of two digits");
        insta::assert_snapshot!(refusal("", "S000"), @"an edge string of 4 characters: expected five for each edge");
        insta::assert_snapshot!(refusal("", "A0001"), @"`A0001` is no edge: expected `S`, `L`, `F` or `E` and two nodes of two digits each");
        insta::assert_snapshot!(refusal("", "S0033"), @"an edge ends at node `33`: the last one is `32`");
        insta::assert_snapshot!(refusal("", "S0404"), @"an edge joins `04` to itself");
        insta::assert_snapshot!(refusal("", "S0001F0100"), @"two edges join `01` and `00`");
        insta::assert_snapshot!(refusal("Oa32", standard), @"a tile on node `32`: the last one is `31`");
        insta::assert_snapshot!(refusal("Oa00Bb00", standard), @"two tiles on node `00`");
        insta::assert_snapshot!(refusal("Oa00Bb01Bb02", standard), @"too many tiles `b` of one side");
        insta::assert_snapshot!(refusal("Oa00Bb01Ob02", standard), @"tile number 3 is not of the side on turn");
        insta::assert_snapshot!(refusal("", &many_edges()), @"more than 66 edges");
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
