//! The lines of the protocol, spelled out for every tile, so that writing one is a single copy.

use super::Tile;

/// One text per kind of tile, in their order.
type PerTile = [&'static str; Tile::KINDS];

macro_rules! per_tile {
    ($before:literal, $after:literal) => {
        per_tile!(@ $before, $after,
            "1b" "2b" "3b" "4b" "5b" "6b" "7b" "8b" "9b"
            "1c" "2c" "3c" "4c" "5c" "6c" "7c" "8c" "9c"
            "1d" "2d" "3d" "4d" "5d" "6d" "7d" "8d" "9d")
    };
    (@ $before:literal, $after:literal, $($name:literal)*) => {
        [$(concat!($before, $name, $after)),*]
    };
}

/// Only the tile.
pub(super) static NAMES: PerTile = per_tile!("", "");

/// Notice: a tile comes to the hand.
pub(super) static DRAW: PerTile = per_tile!("draw ", "");

/// Notice: the other side threw a tile.
pub(super) static OPPONENT: PerTile = per_tile!("opponent ", "");

/// Question: win by the tile just drawn?
pub(super) static WIN_SELF: PerTile = per_tile!("win? ", " self");

/// Question: win by the tile that the other side just threw?
pub(super) static WIN_DISCARD: PerTile = per_tile!("win? ", " discard");

/// Question: which tile to throw?
pub(super) static DISCARD: &str = "discard?";

/// The content of a line to a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Line {
    /// `draw 3b`
    Draw(Tile),
    /// `opponent 5c`
    Opponent(Tile),
    /// `win? 7d self` or `win? 7d discard`
    Win,
    /// `discard?`
    Discard,
    /// The greeting and the farewell.
    Frame,
}

impl Line {
    /// Reads a line by its first bytes; `None` when it is not a line of this game.
    pub(super) fn read(line: &str) -> Option<Line> {
        let bytes = line.as_bytes();
        let tile_after = |start: &[u8]| {
            let tile = bytes.strip_prefix(start)?;
            Tile::from_bytes(tile.try_into().ok()?)
        };
        match bytes.first()? {
            b'd' if bytes.len() == DISCARD.len() => (line == DISCARD).then_some(Line::Discard),
            b'd' => tile_after(b"draw ").map(Line::Draw),
            b'o' => tile_after(b"opponent ").map(Line::Opponent),
            b'w' => line.starts_with("win? ").then_some(Line::Win),
            _ if line.starts_with("game ") || line.starts_with("end ") => Some(Line::Frame),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_the_spelling_of_the_protocol() {
        let tile: Tile = "7d".parse().expect("a tile");
        assert_eq!(NAMES[tile.index()], "7d");
        assert_eq!(DRAW[tile.index()], "draw 7d");
        assert_eq!(OPPONENT[tile.index()], "opponent 7d");
        assert_eq!(WIN_SELF[tile.index()], "win? 7d self");
        assert_eq!(WIN_DISCARD[tile.index()], "win? 7d discard");
    }

    #[test]
    fn every_written_line_reads_back() {
        for tile in Tile::ALL {
            let index = tile.index();
            assert_eq!(Line::read(DRAW[index]), Some(Line::Draw(tile)));
            assert_eq!(Line::read(OPPONENT[index]), Some(Line::Opponent(tile)));
            assert_eq!(Line::read(WIN_SELF[index]), Some(Line::Win));
            assert_eq!(Line::read(WIN_DISCARD[index]), Some(Line::Win));
        }
        assert_eq!(Line::read(DISCARD), Some(Line::Discard));
        assert_eq!(Line::read("game mahjong seat 1 void_suit=false"), Some(Line::Frame));
        assert_eq!(Line::read("end win 38 0"), Some(Line::Frame));
    }

    #[test]
    fn unknown_lines_are_not_parsed() {
        for line in ["", "draw", "draw 0b", "draw 10b", "opponent", "opponent 5x", "win", "hello"] {
            assert_eq!(Line::read(line), None, "{line}");
        }
    }
}
