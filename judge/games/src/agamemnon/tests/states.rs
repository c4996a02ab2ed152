//! States for property tests.

use judge_core::Seat;
use proptest::prelude::*;

use crate::agamemnon::{Edge2428, Kind, Mapping, STANDARD_EDGES, State, loom_edges, side_letter};

/// Any tiles on either board with any types: more than are possible in a game.
pub(in crate::agamemnon) fn state() -> impl Strategy<Value = State> {
    let board = prop_oneof![
        Just(STANDARD_EDGES.to_owned()),
        Just(loom_edges(Mapping::DEFAULT, Edge2428::A)),
    ];
    let tiles = prop::collection::vec(prop::option::of((0..2_usize, 0..10_usize)), 32);
    let types = prop::collection::vec(0..4_usize, 66);
    (board, tiles, types).prop_map(|(board, tiles, types)| {
        let retyped = board.as_bytes().chunks(5).zip(types).map(|(edge, kind)| {
            format!("{}{}", ["S", "L", "F", "E"][kind], String::from_utf8_lossy(&edge[1..]))
        });
        let placed = tiles.iter().enumerate().filter_map(|(node, tile)| {
            let (seat, kind) = (*tile)?;
            Some(format!("{}{}{node:02}", side_letter(Seat::BOTH[seat]), Kind::ALL[kind]))
        });
        let (tiles, edges) = (placed.collect::<String>(), retyped.collect::<String>());
        State::parse(&tiles, &edges).expect("one tile a node")
    })
}
