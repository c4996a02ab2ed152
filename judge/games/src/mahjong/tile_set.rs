//! Sets of kinds of tiles.

use super::Tile;

/// A set of kinds of tiles.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct TileSet(u32);

impl TileSet {
    /// No tile.
    pub const EMPTY: TileSet = TileSet(0);

    /// Adds a tile.
    pub fn insert(&mut self, tile: Tile) {
        self.0 |= 1 << tile.index();
    }

    /// True if the tile is in the set.
    pub fn contains(self, tile: Tile) -> bool {
        self.0 >> tile.index() & 1 == 1
    }

    /// Number of tiles.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// True if no tile is in the set.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The tiles in order.
    pub fn iter(self) -> impl Iterator<Item = Tile> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let tile = Tile::from_index(left.trailing_zeros() as usize);
            left &= left.wrapping_sub(1);
            tile
        })
    }
}

impl FromIterator<Tile> for TileSet {
    fn from_iter<I: IntoIterator<Item = Tile>>(tiles: I) -> TileSet {
        let mut set = TileSet::EMPTY;
        tiles.into_iter().for_each(|tile| set.insert(tile));
        set
    }
}

impl std::fmt::Debug for TileSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_has_exactly_the_inserted_tiles() {
        let tiles = ["9d", "1b", "5c", "1b"].map(|name| name.parse::<Tile>().expect("a tile"));
        let set: TileSet = tiles.into_iter().collect();
        assert_eq!(set.len(), 3);
        assert_eq!(format!("{set:?}"), "{1b, 5c, 9d}");
        assert!(Tile::ALL.iter().all(|tile| set.contains(*tile) == tiles.contains(tile)));
        assert!(TileSet::EMPTY.is_empty() && TileSet::EMPTY.iter().next().is_none());
        assert_eq!(
            Tile::ALL.into_iter().collect::<TileSet>().iter().collect::<Vec<_>>(),
            Tile::ALL
        );
    }
}
