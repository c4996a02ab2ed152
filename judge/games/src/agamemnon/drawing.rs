//! The net as a drawing of letters: nodes where the picture has them, edges as rows of dots with
//! their types, in letters of the side that wins their string.

use judge_core::Seat;

use super::board::bits;
use super::svg::layout::spot;
use super::{Board, Round, side_letter, strings};

/// Columns of a drawing.
pub(super) const COLUMNS: usize = 78;

/// Rows of a drawing of the standard board and of the Loom, which has more edges to distinguish.
const ROWS: [i32; 2] = [28, 32];

/// Range of the centres of the nodes in the picture: the least and the largest coordinate.
const WIDE: [i32; 2] = [48, 698];
const HIGH: [i32; 2] = [44, 650];

/// Columns to the left and right of the centre of a node, for its tile.
const LEFT: i32 = 2;
const RIGHT: i32 = 1;

/// A column and a row.
type Cell = [i32; 2];

/// The letters of a drawing, row by row.
struct Canvas(Vec<[u8; COLUMNS]>);

impl Canvas {
    fn put(&mut self, [column, row]: Cell, letter: u8) {
        let row = usize::try_from(row).ok().and_then(|row| self.0.get_mut(row));
        let cell = usize::try_from(column).ok().and_then(|column| row?.get_mut(column));
        if let Some(cell) = cell {
            *cell = letter;
        }
    }

    fn rows(&self) -> impl Iterator<Item = String> {
        self.0.iter().map(|row| String::from_utf8_lossy(row).trim_end().to_owned())
    }
}

/// The rows of the drawing: an edge is `.`, or `o` or `b` in a string that O or B wins, with its
/// type in the middle; a node is its number, with its tile before it.
pub(super) fn rows(round: &Round) -> Vec<String> {
    let board = round.board();
    let mut canvas = Canvas(vec![[b' '; COLUMNS]; rows_of(board) as usize]);
    let winners = winners(round);
    for (edge, winner) in winners.iter().enumerate() {
        let letter = winner.map_or('.', side_letter).to_ascii_lowercase();
        path(board, edge).into_iter().for_each(|cell| canvas.put(cell, letter as u8));
    }
    for edge in 0..board.edges() {
        if let Some(cell) = middle(board, edge) {
            canvas.put(cell, round.position().types().get(edge).letter() as u8);
        }
    }
    for node in bits(board.all()) {
        let (from, text) = label(round, node);
        // Spaces around it keep the letters of an edge apart from it.
        let text = format!(" {text} ");
        let cells = (from[0] - 1..).zip(text.bytes());
        cells.for_each(|(column, letter)| canvas.put([column, from[1]], letter));
    }
    canvas.rows().collect()
}

/// The winner of the string of each edge.
fn winners(round: &Round) -> Vec<Option<Seat>> {
    let mut winners = vec![None; round.board().edges()];
    for string in strings(round.board(), round.position()) {
        string.edges.iter().for_each(|edge| winners[*edge] = string.winner);
    }
    winners
}

/// The text at a node, and the cell where it begins.
fn label(round: &Round, node: u8) -> (Cell, String) {
    let [column, row] = at(round.board(), node);
    match round.position().at(node) {
        None => ([column - 1, row], format!("{node:02}")),
        Some(placed) => {
            let side = side_letter(placed.seat);
            ([column - LEFT, row], format!("{side}{}{node:02}", placed.kind))
        }
    }
}

fn rows_of(board: &Board) -> i32 {
    ROWS[usize::from(board.nodes() > usize::from(Board::STANDARD_NODES))]
}

/// The cell of a node.
fn at(board: &Board, node: u8) -> Cell {
    let [x, y] = spot(board, node).at;
    let columns = COLUMNS as i32 - LEFT - RIGHT - 1;
    let column = rounded((x - WIDE[0]) * columns, WIDE[1] - WIDE[0]);
    [LEFT + column, rounded((y - HIGH[0]) * (rows_of(board) - 1), HIGH[1] - HIGH[0])]
}

/// A quotient, rounded to the nearest integer and halves away from zero.
fn rounded(number: i32, by: i32) -> i32 {
    (2 * number + by * number.signum()) / (2 * by)
}

/// The cells from one end of an edge to the other, both of them included.
fn path(board: &Board, edge: usize) -> Vec<Cell> {
    let (one, other) = board.ends()[edge];
    let [from, to] = [one, other].map(|node| at(board, node));
    let by = [to[0] - from[0], to[1] - from[1]];
    let steps = by[0].abs().max(by[1].abs()).max(1);
    let cell = |step| [0, 1].map(|axis| from[axis] + rounded(by[axis] * step, steps));
    (0..=steps).map(cell).collect()
}

/// The cell of an edge that shows its type: the middle of what no tile at its ends can cover, with
/// the spaces around it.
fn middle(board: &Board, edge: usize) -> Option<Cell> {
    let (one, other) = board.ends()[edge];
    let covers = |node: u8, [column, row]: Cell| {
        let [middle, line] = at(board, node);
        row == line && (middle - LEFT - 1..=middle + RIGHT + 1).contains(&column)
    };
    let mut cells = path(board, edge);
    cells.retain(|cell| !covers(one, *cell) && !covers(other, *cell));
    cells.get(cells.len() / 2).copied()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::agamemnon::{Edge2428, Mapping, State};

    fn boards() -> [Board; 2] {
        [State::standard().board, State::loom(Mapping::DEFAULT, Edge2428::A).board]
    }

    #[test]
    fn every_edge_shows_its_type_whatever_is_placed() {
        for board in boards() {
            let tiles = |node| {
                let [column, row] = at(&board, node);
                (column - LEFT..=column + RIGHT).map(move |column| [column, row])
            };
            let mut covered: BTreeSet<Cell> = bits(board.all()).flat_map(tiles).collect();
            assert_eq!(covered.len(), 4 * board.nodes(), "no tiles touch");
            for edge in 0..board.edges() {
                let cell = middle(&board, edge);
                assert!(cell.is_some_and(|cell| covered.insert(cell)), "{:?}", board.ends()[edge]);
            }
            let inside = |[column, row]: &Cell| {
                (0..COLUMNS as i32).contains(column) && (0..rows_of(&board)).contains(row)
            };
            assert!(covered.iter().all(inside));
        }
    }

    #[test]
    fn no_edge_runs_through_another_node() {
        for board in boards() {
            for edge in 0..board.edges() {
                let (one, other) = board.ends()[edge];
                for node in bits(board.all()).filter(|node| ![one, other].contains(node)) {
                    let [column, row] = at(&board, node);
                    let meets = |cell: &Cell| {
                        cell[1] == row && (column - LEFT..=column + RIGHT).contains(&cell[0])
                    };
                    assert!(!path(&board, edge).iter().any(meets), "{one} {other} at {node}");
                }
            }
        }
    }
}
