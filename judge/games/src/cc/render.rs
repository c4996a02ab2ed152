//! The state of a game as text for a terminal.

use super::{Contest, Position, Square};

/// The board with row and column numbers, and what happened last in a sentence. Men are `1` and
/// `2`; `.` is an empty square.
pub(super) fn frame(contest: &Contest) -> String {
    format!("{}  {}\n", board(contest.position()), news(contest))
}

fn board(position: &Position) -> String {
    let size = position.size();
    let cells = |row: u8| -> String {
        let squares = (0..size).filter_map(|column| Square::new(row, column));
        squares
            .map(|square| match position.man_at(square) {
                None => "  .".to_owned(),
                Some(seat) => format!("  {seat}"),
            })
            .collect()
    };
    let columns: String = (0..size).map(|column| format!("{column:3}")).collect();
    let rows: String = (0..size).map(|row| format!("{row:2}{}\n", cells(row))).collect();
    format!("  {columns}\n{rows}")
}

/// The last move, and who is on turn or how the game ended.
fn news(contest: &Contest) -> String {
    let turn = contest.position().turn();
    let last = match contest.last() {
        None => String::new(),
        Some(path) => format!("ply {}: seat {} moved {path}; ", contest.plies(), turn.other()),
    };
    match contest.finish() {
        None => format!("{last}seat {turn} to move"),
        Some(finish) => match finish.winner() {
            None => format!("{last}drawn: {}", finish.reason()),
            Some(winner) => format!("{last}seat {winner} won: {}", finish.reason()),
        },
    }
}
