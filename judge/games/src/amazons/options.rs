//! The rule switches as text: board, start and opening, in a testcase's options and in the bots'
//! first line.

use judge_core::Options;

use super::position::{Position, Side};
use super::square::{MAX_SIZE, MIN_SIZE, Square, SquareSet};
use crate::text::number;
use crate::{OptionError, OptionInfo};

/// The value for the usual squares of a board.
const STANDARD: &str = "standard";

/// Most random plies at the beginning.
const MAX_OPENING: u8 = 8;

/// All switches, in the order of the first line to bots.
pub(super) static OPTIONS: [OptionInfo; 4] = [
    OptionInfo {
        key: "size",
        default: "10",
        summary: "columns, which are as many as rows: an integer from 4 to 16",
    },
    OptionInfo {
        key: "white",
        default: STANDARD,
        summary: "where White's amazons start, as `a4,d1,g1,j4`; `standard` for sizes 4, 5, 6, 8, 10",
    },
    OptionInfo {
        key: "black",
        default: STANDARD,
        summary: "where Black's amazons start, as `a7,d10,g10,j7`; `standard` as for `white`",
    },
    OptionInfo {
        key: "opening",
        default: "2",
        summary: "random plies before the first question: 0, 2, 4, 6 or 8",
    },
];

/// Start squares of White and Black by size of the board (`README.md`: 10 is the game's
/// own, the others are conventions).
const STARTS: [(u8, [&str; 2]); 5] = [
    (4, ["a2,c1", "b4,d3"]),
    (5, ["a2,b1,d1,e2", "a4,b5,d5,e4"]),
    (6, ["d1,f3", "a4,c6"]),
    (8, ["a3,c1,f1,h3", "a6,c8,f8,h6"]),
    (10, ["a4,d1,g1,j4", "a7,d10,g10,j7"]),
];

/// The set-up of a round from the options.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Setup {
    /// The position before the opening, White to move.
    pub(super) start: Position,
    /// Random plies before the first question; even.
    pub(super) opening: u8,
}

/// Reads the options. The caller refuses unknown keys.
pub(super) fn parse(options: &Options) -> Result<Setup, OptionError> {
    let value =
        |at: usize| options.get(OPTIONS[at].key).map_or(OPTIONS[at].default, String::as_str);
    let size = number(value(0))
        .filter(|size| (MIN_SIZE..=MAX_SIZE).contains(size))
        .ok_or_else(|| refused(0, value(0), "an integer from 4 to 16"))?;
    let mut start = Position::empty(size);
    for side in Side::BOTH {
        place(&mut start, side, value(1 + side.index()))?;
    }
    let opening = number(value(3))
        .filter(|plies| *plies <= MAX_OPENING && plies % 2 == 0)
        .ok_or_else(|| refused(3, value(3), "0, 2, 4, 6 or 8"))?;
    Ok(Setup { start, opening })
}

/// Puts the amazons of a side on the squares of a list.
fn place(start: &mut Position, side: Side, value: &str) -> Result<(), OptionError> {
    let key = 1 + side.index();
    let list = if value == STANDARD { standard(start.size(), side) } else { Some(value) };
    let list = list.ok_or_else(|| {
        refused(key, value, "a list of squares: only sizes 4, 5, 6, 8 and 10 have a standard")
    })?;
    for text in list.split(',') {
        let square: Option<Square> = text.parse().ok();
        let placed = square.filter(|square| square.is_on(start.size()));
        if !placed.is_some_and(|square| start.place(square, Some(side))) {
            const EXPECTED: &str = "`standard` or different squares of the board as `a4,d1,g1,j4`";
            return Err(refused(key, value, EXPECTED));
        }
    }
    Ok(())
}

/// The sizes of the boards that have usual squares, smallest first.
pub(super) fn standard_sizes() -> impl Iterator<Item = u8> {
    STARTS.iter().map(|(size, _)| *size)
}

fn standard(size: u8, side: Side) -> Option<&'static str> {
    let known = STARTS.iter().find(|(known, _)| *known == size);
    known.map(|(_, lists)| lists[side.index()])
}

fn refused(at: usize, value: &str, expected: &'static str) -> OptionError {
    OptionError::Value { key: OPTIONS[at].key, value: value.to_owned(), expected }
}

/// All switches as `key=value`, in the order of [`OPTIONS`], the squares spelled out.
pub(super) fn facts(setup: &Setup) -> String {
    let [white, black] = Side::BOTH.map(|side| squares(setup.start.amazons(side)));
    let (size, opening) = (setup.start.size(), setup.opening);
    format!("size={size} white={white} black={black} opening={opening}")
}

/// A list of squares by column, as starts are usually written.
pub(super) fn squares(set: SquareSet) -> String {
    let mut squares: Vec<Square> = set.collect();
    squares.sort_by_key(|square| (square.column(), square.row()));
    squares.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}
