//! The wall: 108 tiles in an order that the seed decides, drawn from the end.

use judge_core::{Purpose, Seed};

use super::{Hand, HandError, Tile};

/// Tiles of the whole set.
const TILES: usize = Tile::KINDS * Tile::COPIES as usize;

/// The tiles still to come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wall {
    tiles: [Tile; TILES],
    left: usize,
}

impl Wall {
    /// The wall of a seed: four of each tile in order (1b 1b 1b 1b 2b … 9d), shuffled with the
    /// seed's stream for the game's own luck.
    pub fn shuffled(seed: Seed) -> Wall {
        let mut tiles = std::array::from_fn(|at| Tile::ALL[at / usize::from(Tile::COPIES)]);
        seed.random(Purpose::Chance).shuffle(&mut tiles);
        Wall { tiles, left: TILES }
    }

    /// A wall of given tiles; the last is drawn first.
    ///
    /// # Errors
    /// When there are more than four of a kind.
    pub fn explicit(order: &[Tile]) -> Result<Wall, HandError> {
        Hand::from_tiles(order.iter().copied())?;
        let mut tiles = [Tile::ALL[0]; TILES];
        tiles[..order.len()].copy_from_slice(order);
        Ok(Wall { tiles, left: order.len() })
    }

    /// Shuffles the tiles left with another seed's stream for the game's own luck.
    pub fn shuffle(&mut self, seed: Seed) {
        seed.random(Purpose::Chance).shuffle(&mut self.tiles[..self.left]);
    }

    /// Takes the last tile.
    pub fn draw(&mut self) -> Option<Tile> {
        let (last, _) = self.tiles().split_last()?;
        let last = *last;
        self.left -= 1;
        Some(last)
    }

    /// Number of tiles left.
    pub fn left(&self) -> usize {
        self.left
    }

    /// The tiles left; the last is drawn next.
    pub fn tiles(&self) -> &[Tile] {
        &self.tiles[..self.left]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mahjong::tests::hands::tiles;

    /// Computed by a program in another language, from the description only.
    const GOLDEN: [(u64, &str); 3] = [
        (
            2022,
            "4c 3b 7b 7d 5d 5b 2d 7c 4c 7c 1d 8c 7d 1c 8b 4b 1c 5c \
             7c 3d 9c 6b 7b 9b 5c 1b 2c 1d 3b 1d 5b 4c 5b 1b 4b 2b \
             4b 6c 6d 2d 9d 3c 2d 6c 2b 8d 2d 6b 2c 9c 9b 8c 8d 9d \
             1b 8c 7b 1b 6b 9d 4d 6c 7d 9b 2c 5d 8b 5d 1c 3c 4d 8d \
             4d 3c 5b 3d 4d 7c 7b 6c 5d 6d 6d 6b 9c 8d 3c 8b 9c 4b \
             6d 3d 2b 1d 8b 5c 4c 9d 3d 2c 3b 5c 1c 3b 8c 7d 9b 2b",
        ),
        (
            0,
            "1b 7d 6c 2c 8d 3b 2d 7d 3c 5b 6c 8b 7b 4d 6b 1c 7d 3b \
             6d 7b 5b 4c 2c 3d 5c 6b 9b 9c 1d 9d 5d 1c 4d 7d 3c 7c \
             4b 5d 6d 6c 4b 2d 8c 8b 8d 3d 9c 3c 6b 5b 6d 2c 2d 2b \
             3d 5b 6c 2b 3b 3d 1b 9c 8d 8b 9d 9b 7c 1c 4b 8d 4d 8c \
             7b 1d 3b 5c 9c 9b 6b 2d 1d 7c 5c 1b 8c 2b 7b 8b 5d 7c \
             4c 1b 5c 4c 1c 1d 9b 2c 8c 4d 5d 2b 9d 6d 3c 9d 4b 4c",
        ),
        (
            u64::MAX,
            "1d 6d 7b 2b 2c 9b 1b 7c 4b 8b 9c 8d 9b 4c 6b 8b 2d 2b \
             3d 2d 5c 8d 5b 5c 7c 4c 1c 2c 3b 9c 6d 5d 4d 4d 8b 3b \
             3d 5d 9d 7c 3b 4d 3c 7b 5b 4b 4b 5b 8c 1c 7b 9d 9c 6b \
             8d 9d 7b 2c 3c 1d 6d 4d 2d 2c 5d 1b 6c 1d 8c 8b 8d 5b \
             8c 3d 4c 9b 1c 5c 7d 4c 3c 2b 7d 6c 9c 2b 7d 1d 5d 3d \
             4b 6d 5c 1b 7c 3b 9d 2d 6b 1b 6c 8c 7d 3c 6b 1c 9b 6c",
        ),
    ];

    #[test]
    fn walls_match_the_documentation() {
        for (seed, expected) in GOLDEN {
            assert_eq!(Wall::shuffled(Seed(seed)).tiles(), tiles(expected), "seed {seed}");
        }
    }

    #[test]
    fn the_readme_has_the_documented_wall() {
        let words: Vec<_> = include_str!("README.md").split_whitespace().collect();
        let golden: Vec<_> = GOLDEN[0].1.split_whitespace().collect();
        assert!(words.windows(TILES).any(|window| window == golden));
    }

    #[test]
    fn a_wall_is_drawn_from_its_end_until_empty() {
        let mut wall = Wall::explicit(&tiles("1b 2b 3b")).expect("a wall");
        assert_eq!(wall.left(), 3);
        let drawn: Vec<_> = std::iter::from_fn(|| wall.draw()).collect();
        assert_eq!(drawn, tiles("3b 2b 1b"));
        assert_eq!((wall.left(), wall.draw()), (0, None));
    }

    #[test]
    fn a_wall_with_a_fifth_copy_is_refused() {
        assert!(Wall::explicit(&tiles("1b 1b 1b 1b 2b 1b")).is_err());
    }

    #[test]
    fn a_shuffled_wall_is_the_whole_set() {
        let wall = Wall::shuffled(Seed(7));
        assert_eq!(Hand::from_tiles(wall.tiles().iter().copied()).expect("four each").len(), TILES);
    }
}
