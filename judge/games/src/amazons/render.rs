//! The state of a round as text for a terminal.

use judge_core::Seat;

use super::Round;
use super::position::{Position, Side};
use super::square::Square;
use crate::Paint;
use crate::paint::seat_words;

/// The board with its coordinates, and a sentence on the last event.
pub(super) fn frame(round: &Round) -> String {
    let position = round.position();
    let rows: String = (0..position.size()).rev().map(|row| board_row(position, row)).collect();
    let columns: Vec<String> =
        (0..position.size()).map(|column| char::from(b'a' + column).to_string()).collect();
    format!("{rows}    {}\n    {}\n", columns.join(" "), news(round))
}

/// One row: its number, and a letter for each square.
fn board_row(position: &Position, row: u8) -> String {
    let squares = (0..position.size()).filter_map(|column| Square::new(column, row));
    let letters: Vec<&str> = squares.map(|square| letter(position, square)).collect();
    format!("{:>3} {}\n", row + 1, letters.join(" "))
}

fn letter(position: &Position, square: Square) -> &'static str {
    match position.amazon_at(square) {
        Some(Side::White) => "W",
        Some(Side::Black) => "B",
        None if position.is_empty(square) => ".",
        None => "x",
    }
}

/// The paint of the amazons by their side; empty squares are faint.
pub(super) fn paint(line: &str, at: usize) -> Option<Paint> {
    if line.get(..3).is_none_or(|row| row.trim().parse::<u8>().is_err()) {
        return seat_words(line, at);
    }
    match line.as_bytes().get(at)? {
        b'W' => Some(Paint::Seat(Seat::One)),
        b'B' => Some(Paint::Seat(Seat::Two)),
        b'.' => Some(Paint::Faint),
        _ => None,
    }
}

/// The last and the next event, in a sentence.
pub(super) fn news(round: &Round) -> String {
    let side = round.position().to_move();
    let next = match round.position().winner() {
        None => format!("{side} to move"),
        Some(winner) => format!("{side} cannot move: {winner} has won"),
    };
    match last(round) {
        None => next,
        Some(last) => format!("{last}; {next}"),
    }
}

/// The move made last, in words.
pub(super) fn last(round: &Round) -> Option<String> {
    let side = round.position().to_move().other();
    round.last().map(|last| format!("move {}, {side}: {last}", round.moves()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amazons_are_painted_by_their_side() {
        let paint = |at| super::paint(" 10 . W B x", at);
        let seat = |seat| Some(Paint::Seat(seat));
        assert_eq!([4, 6, 8].map(paint), [Some(Paint::Faint), seat(Seat::One), seat(Seat::Two)]);
        assert_eq!([0, 1, 10, 99].map(paint), [None; 4]);
        assert_eq!(super::paint("    White to move", 4), None);
    }
}
