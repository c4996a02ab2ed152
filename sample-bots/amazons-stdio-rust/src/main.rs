//! The Game of the Amazons with nothing but the standard library: an ordinary program that reads
//! lines and prints lines. It looks one move ahead, at the squares that it can go to.

mod board;

use board::{Board, Square};

fn main() -> std::io::Result<()> {
    let mut line = String::new();
    while std::io::stdin().read_line(&mut line)? > 0 {
        let mut words = line.split_whitespace();
        match (words.next(), words.next(), words.next()) {
            (Some("move?"), Some(board), Some(side)) => {
                println!("{}", answer(Board::parse(board), side));
            }
            (Some("end"), ..) => break,
            // The board of a question holds all facts that the bot needs.
            _ => {}
        }
        line.clear();
    }
    Ok(())
}

/// The best move for `side`, `w` or `b`, as text.
fn answer(mut board: Board, side: &str) -> String {
    let (own, other) = if side == "w" { ('w', 'b') } else { ('b', 'w') };
    let theirs = board.amazons(other);
    let mut best = None;
    for from in board.amazons(own) {
        let ways_out = board.reach(from);
        board.set(from, '.');
        for to in ways_out {
            let room = board.reach(to);
            // Prefers the square with most room, and the arrow nearest to one of theirs.
            for arrow in &room {
                let nearest = theirs.iter().map(|amazon| distance(*amazon, *arrow)).min();
                let value = (room.len() as i32) - 3 * nearest.unwrap_or(0);
                if best.as_ref().is_none_or(|(most, _)| value > *most) {
                    best = Some((value, (from, to, *arrow)));
                }
            }
        }
        board.set(from, own);
    }
    let (_, (from, to, arrow)) = best.expect("asked only when there is a move");
    format!("{}-{}/{}", name(from), name(to), name(arrow))
}

/// Steps of a king.
fn distance(one: Square, two: Square) -> i32 {
    (one.0 - two.0).abs().max((one.1 - two.1).abs())
}

/// `a1`, …
fn name((row, column): Square) -> String {
    let letter = char::from(b'a' + column as u8);
    format!("{letter}{}", row + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_is_read_from_the_highest_row_down() {
        let board = Board::parse("1b9x/12/w11");
        assert_eq!(board.amazons('b'), [(2, 1)]);
        assert_eq!(board.amazons('w'), [(0, 0)]);
        assert_eq!(board.get((2, 11)), Some('x'));
        assert_eq!(board.get((3, 0)), None);
    }

    #[test]
    fn the_only_move_is_found() {
        assert_eq!(answer(Board::parse("xx/w1"), "w"), "a1-b1/a1");
    }

    #[test]
    fn the_arrow_falls_next_to_an_enemy() {
        let played = answer(Board::parse("6/4b1/6/6/6/w5"), "w");
        assert!(
            ["f5", "e6", "f6", "d4", "e4", "f4", "d5", "d6"].contains(&&played[6..]),
            "{played}"
        );
    }
}
