//! The tiles on the nodes and the types of the edges: everything that changes in a game.
//! Sets of nodes are one bit a node, so that a position is copied and scored without allocation.

use judge_core::Seat;

use super::{Action, Board, EdgeTypes, Kind};

/// A tile on a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Placed {
    /// The side that placed it.
    pub seat: Seat,
    /// Its kind.
    pub kind: Kind,
    /// Its node.
    pub node: u8,
}

/// The turn to play: its side, and its number of tiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Turn {
    /// Number of the turn, counted from 0; the last is 15.
    pub number: u8,
    /// The side that places: seat 1 in the even turns.
    pub seat: Seat,
    /// Tiles still to place: 1 in the first and the last turn and in the middle of the others,
    /// else 2.
    pub tiles: u8,
}

impl Turn {
    /// The turn to play when so many tiles are placed; `None` after the last one.
    pub fn after(placed: usize) -> Option<Turn> {
        let tiles = match placed {
            1..=28 if placed % 2 == 1 => 2,
            0..=29 => 1,
            _ => return None,
        };
        let number = placed.div_ceil(2) as u8;
        Some(Turn { number, seat: side_of(placed), tiles })
    }
}

/// The side that places tile number `placed`, counted from 0: O, B, B, O, O, B, B, …
pub(super) fn side_of(placed: usize) -> Seat {
    Seat::BOTH[placed.div_ceil(2) % 2]
}

/// A position on some board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    types: EdgeTypes,
    /// The tiles in the order of placing: node, side and kind.
    order: [(u8, Seat, Kind); Board::MAX_NODES],
    len: u8,
    pub(super) sets: Sets,
}

/// The same tiles as sets of nodes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Sets {
    /// Nodes with a tile, by side.
    pub(super) owned: [u64; 2],
    /// Nodes with a Weft.
    pub(super) wefts: u64,
    /// Nodes with a tile that has strength bit 1, 2, 4.
    pub(super) strength: [u64; 3],
    /// Nodes with a leader, by rank.
    pub(super) leaders: [u64; 5],
}

impl Position {
    /// Tiles placed in a whole game.
    pub const TILES: usize = 30;

    /// No tile on any node, and edges of these types.
    pub fn new(types: EdgeTypes) -> Position {
        let nothing = (0, Seat::One, Kind::LeaderA);
        Position { types, order: [nothing; Board::MAX_NODES], len: 0, sets: Sets::default() }
    }

    /// The types of the edges.
    pub fn types(&self) -> &EdgeTypes {
        &self.types
    }

    /// Number of tiles placed.
    pub fn len(&self) -> usize {
        usize::from(self.len)
    }

    /// True if no tile is placed yet.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The tiles, in the order in which they were placed.
    pub fn placed(&self) -> impl Iterator<Item = Placed> {
        let placed = &self.order[..self.len()];
        placed.iter().map(|(node, seat, kind)| Placed { seat: *seat, kind: *kind, node: *node })
    }

    /// The tile on a node.
    pub fn at(&self, node: u8) -> Option<Placed> {
        self.placed().find(|placed| placed.node == node)
    }

    /// The nodes with a tile, one bit each.
    pub fn occupied(&self) -> u64 {
        self.sets.owned[0] | self.sets.owned[1]
    }

    /// The nodes without a tile, one bit each.
    pub fn empty(&self, board: &Board) -> u64 {
        board.all() & !self.occupied()
    }

    /// The turn to play; `None` at the end.
    pub fn turn(&self) -> Option<Turn> {
        Turn::after(self.len())
    }

    /// True if one of the two tiles of a turn is placed.
    pub fn is_half_turn(&self) -> bool {
        !self.is_over() && !self.is_empty() && self.len().is_multiple_of(2)
    }

    /// True if all tiles are placed.
    pub fn is_over(&self) -> bool {
        self.len() >= Position::TILES
    }

    /// Places a tile on a node that exists and is empty.
    pub(super) fn place(&mut self, seat: Seat, kind: Kind, node: u8) {
        let (bit, sets) = (1 << node, &mut self.sets);
        sets.owned[seat.index()] |= bit;
        for (plane, set) in sets.strength.iter_mut().enumerate() {
            *set |= u64::from((kind.strength() >> plane) & 1) << node;
        }
        if let Some(rank) = kind.rank() {
            sets.leaders[rank] |= bit;
        }
        if kind == Kind::Weft {
            sets.wefts |= bit;
        }
        self.order[self.len()] = (node, seat, kind);
        self.len += 1;
    }

    /// Plays an action that is known to be legal: its tiles are placed and its Warps exchange
    /// types, in its order. See [`Position::check`].
    pub fn play_unchecked(&mut self, board: &Board, action: &Action) {
        for placement in action.placements() {
            self.place(action.seat(), placement.kind, placement.node);
            let ends = placement.warp.map(|ends| ends.map(|end| board.edge(placement.node, end)));
            if let Some([Some(one), Some(other)]) = ends {
                self.types.exchange(one, other);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_alternate_as_in_the_rules() {
        let begun = (0..=33).filter(|placed| *placed == 0 || placed % 2 == 1);
        let turns: Vec<_> = begun.filter_map(Turn::after).collect();
        assert_eq!(turns.len(), 16);
        for (number, turn) in turns.iter().enumerate() {
            assert_eq!(usize::from(turn.number), number);
            assert_eq!(turn.seat, Seat::BOTH[number % 2]);
            assert_eq!(turn.tiles, if number % 15 == 0 { 1 } else { 2 });
        }
    }

    #[test]
    fn in_the_middle_of_a_turn_one_tile_is_still_to_place() {
        for placed in (2..=28).step_by(2) {
            let [before, middle] = [placed - 1, placed].map(Turn::after);
            let before = before.expect("a turn");
            assert_eq!(middle, Some(Turn { tiles: 1, ..before }), "{placed}");
        }
        assert_eq!(Turn::after(30), None);
    }

    #[test]
    fn each_tile_has_its_side() {
        let order: String = (0..30).map(|at| crate::agamemnon::side_letter(side_of(at))).collect();
        assert_eq!(order, "OBBOOBBOOBBOOBBOOBBOOBBOOBBOOB");
    }
}
