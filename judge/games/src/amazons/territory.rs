//! Owners of the empty squares: exactly, where the board is divided into regions, and as an
//! estimate, by the side that reaches a square sooner.

use super::position::{Position, Side};
use super::square::Square;

/// Squares by row; bit = column.
type Rows = [u16; 16];

/// No squares.
const NONE: Rows = [0; 16];

/// Numbers of empty squares by the sides that can reach them in the end: by regions, connected over
/// sides and corners. Squares of regions without an amazon next to them do not count. The rules do
/// not use it; the test vectors call it `territory`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Territory {
    /// In regions next to White's amazons only.
    pub white: u32,
    /// In regions next to Black's amazons only.
    pub black: u32,
    /// In regions next to amazons of both.
    pub contested: u32,
}

impl Territory {
    /// The territory of a position.
    pub fn from_position(position: &Position) -> Territory {
        let Regions { own: [white, black], contested } = Regions::from_position(position);
        let [white, black, contested] = [white, black, contested].map(|rows| count(&rows));
        Territory { white, black, contested }
    }
}

/// The squares that [`Territory`] counts.
#[derive(Default)]
pub(super) struct Regions {
    /// Squares that only White's, only Black's amazons can reach.
    own: [Rows; 2],
    /// Squares that both can reach.
    contested: Rows,
}

impl Regions {
    /// The regions of a position.
    pub(super) fn from_position(position: &Position) -> Regions {
        let [white, black] = amazons(position);
        let mut left = empties(position);
        let mut regions = Regions::default();
        while let Some(row) = left.iter().position(|bits| *bits != 0) {
            let mut seed = NONE;
            seed[row] = left[row] & left[row].wrapping_neg();
            let region = flood(&seed, &left);
            let around = neighbours(&region);
            match (meet(&around, &white), meet(&around, &black)) {
                (true, true) => add(&mut regions.contested, &region),
                (true, false) => add(&mut regions.own[0], &region),
                (false, true) => add(&mut regions.own[1], &region),
                (false, false) => {}
            }
            left = minus(&left, &region);
        }
        regions
    }

    /// The only side that can reach a square.
    pub(super) fn owner(&self, square: Square) -> Option<Side> {
        let holds = |rows: &Rows| rows[usize::from(square.row())] >> square.column() & 1 == 1;
        Side::BOTH.into_iter().find(|side| holds(&self.own[side.index()]))
    }
}

/// An estimate of the position for a side: how many more empty squares its amazons reach in fewer
/// queen's moves than the other side's, in quarters of a square. A square that both reach equally
/// soon counts one quarter for the side on turn. (Lieberum: "An evaluation function for the game
/// of Amazons", 2005, calls the main part t1.)
pub fn estimate(position: &Position, side: Side) -> i32 {
    let [white, black, ties] = race(position).map(|squares| squares as i32);
    let sign = |favoured| if favoured == side { 1 } else { -1 };
    4 * (white - black) * sign(Side::White) + ties * sign(position.to_move())
}

/// Numbers of empty squares that White's amazons and Black's amazons reach in fewer queen's moves
/// than the other side's.
pub fn reached_first(position: &Position) -> [u32; 2] {
    let [white, black, _] = race(position);
    [white, black]
}

/// The numbers of empty squares that White reaches first, that Black reaches first, and that both
/// reach equally soon.
fn race(position: &Position) -> [u32; 3] {
    let empty = empties(position);
    let mut frontiers = amazons(position);
    let mut open = [empty; 2];
    let mut reached = [0; 3];
    while frontiers != [NONE; 2] {
        for (frontier, open) in frontiers.iter_mut().zip(&mut open) {
            *frontier = and(&queen_moves(frontier, &empty, position.size()), open);
            *open = minus(open, frontier);
        }
        // A side is first on those of its new squares that are still open to the other side.
        let [white, black] = &frontiers;
        reached[0] += count(&and(white, &open[1]));
        reached[1] += count(&and(black, &open[0]));
        reached[2] += count(&and(white, black));
    }
    reached
}

/// The empty squares.
fn empties(position: &Position) -> Rows {
    position.rows().map(|taken| !taken)
}

/// The amazons of White and Black.
fn amazons(position: &Position) -> [Rows; 2] {
    Side::BOTH.map(|side| {
        let set = position.amazons(side);
        std::array::from_fn(|row| set.row(row))
    })
}

/// All squares connected with `seed` within `area`, over sides and corners.
fn flood(seed: &Rows, area: &Rows) -> Rows {
    let mut region = *seed;
    loop {
        let grown = and(&neighbours(&region), area);
        if grown == region {
            return region;
        }
        region = grown;
    }
}

/// The squares and those next to them.
fn neighbours(squares: &Rows) -> Rows {
    let wide = squares.map(|bits| bits | bits << 1 | bits >> 1);
    let mut around = wide;
    for row in 1..16 {
        around[row] |= wide[row - 1];
        around[row - 1] |= wide[row];
    }
    around
}

/// The squares that queens on `from` can reach in one move over `empty` squares, of a board with
/// `size` rows.
fn queen_moves(from: &Rows, empty: &Rows, size: u8) -> Rows {
    let size = usize::from(size).min(16);
    let mut reached = NONE;
    for row in 0..size {
        if from[row] != 0 {
            reached[row] = along_row(from[row], empty[row]);
        }
    }
    sweep(from, empty, &mut reached, (1..size).map(|row| (row - 1, row)));
    sweep(from, empty, &mut reached, (1..size).rev().map(|row| (row, row - 1)));
    reached
}

/// Adds the squares in other rows that queens on `from` can go to, towards one end of the board;
/// `steps` are pairs of a row and the next one in that direction.
fn sweep(
    from: &Rows,
    empty: &Rows,
    reached: &mut Rows,
    steps: impl Iterator<Item = (usize, usize)>,
) {
    let [mut straight, mut east, mut west] = [0_u16; 3];
    for (before, row) in steps {
        straight = (straight | from[before]) & empty[row];
        east = (east | from[before]) << 1 & empty[row];
        west = (west | from[before]) >> 1 & empty[row];
        reached[row] |= straight | east | west;
    }
}

/// The squares that rooks on `from` can reach within a row.
fn along_row(from: u16, empty: u16) -> u16 {
    // A carry runs through the empty squares above each start; sums need one bit more.
    let starts = u32::from(from) << 1 & u32::from(empty);
    let sum = u32::from(empty) + starts;
    let up = (u32::from(empty) & !sum | starts) as u16;
    let (mut down, mut way) = (from, empty);
    for shift in [1, 2, 4, 8] {
        down |= down >> shift & way;
        way &= way >> shift;
    }
    up | down & empty
}

fn and(one: &Rows, two: &Rows) -> Rows {
    std::array::from_fn(|row| one[row] & two[row])
}

fn minus(one: &Rows, two: &Rows) -> Rows {
    std::array::from_fn(|row| one[row] & !two[row])
}

fn add(one: &mut Rows, two: &Rows) {
    one.iter_mut().zip(two).for_each(|(one, two)| *one |= two);
}

fn meet(one: &Rows, two: &Rows) -> bool {
    one.iter().zip(two).any(|(one, two)| one & two != 0)
}

fn count(squares: &Rows) -> u32 {
    squares.iter().map(|bits| bits.count_ones()).sum()
}
