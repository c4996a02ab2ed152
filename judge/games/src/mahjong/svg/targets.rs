//! Pointing at the hand: the tile to throw. The answer to `win?` is chosen by words.

use super::{LARGE, faces, rack};
use crate::Target;
use crate::mahjong::round::Phase;
use crate::mahjong::{Round, Tile};

/// The tiles of the side that has to throw one.
pub(in crate::mahjong) fn targets(round: &Round) -> Vec<Target> {
    let Phase::Discard(_) = round.phase() else { return Vec::new() };
    let size = [LARGE, faces::height(LARGE)];
    let target = |(tile, at): (Tile, [i32; 2])| Target { part: tile.to_string(), at, size };
    rack::tiles_with_places(round, round.turn()).into_iter().map(target).collect()
}
