// judge: game=cc
//! A bot for Capturing & Conquering in Rust.

use std::io::stdin;

#[derive(Clone, Copy, PartialEq)]
enum Square {
    Empty,
    Mine,
    Theirs,
}

struct Position {
    /// Rows of squares.
    board: Vec<Vec<Square>>,
    /// 1 if you run down and right, -1 if you run up and left.
    forward: i32,
}

#[derive(Clone, Copy)]
struct Move {
    from: (i32, i32),
    to: (i32, i32),
    takes: bool,
}

/// YOUR STRATEGY: how good this move is. The best one is played.
fn value(position: &Position, one: Move) -> i32 {
    let run = position.forward * (one.to.0 + one.to.1 - one.from.0 - one.from.1);
    2 * run + if one.takes { 5 } else { 0 }
}

// What follows finds the moves and talks with the judge. `eprintln!` writes to your log.

impl Position {
    fn read(text: &str) -> Position {
        let digits = text.as_bytes();
        let size = (5..=16).find(|size| 1 + 2 * size * size >= digits.len()).expect("5 to 16 rows");
        let square = |at: usize| match (digits[1 + 2 * at], digits[2 + 2 * at]) {
            (_, b'0') => Square::Empty,
            (owner, _) if owner == digits[0] => Square::Mine,
            _ => Square::Theirs,
        };
        let row = |row| (0..size).map(|column| square(row * size + column)).collect();
        let forward = if digits[0] == b'0' { 1 } else { -1 };
        Position { board: (0..size).map(row).collect(), forward }
    }

    /// The content of a square; nothing outside of the board.
    fn at(&self, (row, column): (i32, i32)) -> Option<Square> {
        let row = self.board.get(usize::try_from(row).ok()?)?;
        row.get(usize::try_from(column).ok()?).copied()
    }

    /// Steps and single jumps; a chain, such as `0,1>2,3>2,5`, is allowed as well.
    fn moves(&self) -> Vec<Move> {
        let mut found = Vec::new();
        let size = self.board.len() as i32;
        let all = (0..size).flat_map(|row| (0..size).map(move |column| (row, column)));
        for from in all.filter(|&square| self.at(square) == Some(Square::Mine)) {
            for way in (0..9).filter(|&way| way != 4) {
                let (down, right) = (way / 3 - 1, way % 3 - 1);
                let next = (from.0 + down, from.1 + right);
                let behind = (next.0 + down, next.1 + right);
                let is_step = down * self.forward >= 0 && right * self.forward >= 0;
                match (self.at(next), self.at(behind)) {
                    (Some(Square::Empty), _) if is_step => {
                        found.push(Move { from, to: next, takes: false });
                    }
                    (Some(Square::Mine), Some(Square::Empty)) => {
                        found.push(Move { from, to: behind, takes: false });
                    }
                    (Some(Square::Theirs), Some(Square::Empty)) => {
                        found.push(Move { from, to: behind, takes: true });
                    }
                    _ => {}
                }
            }
        }
        found
    }
}

fn main() {
    for line in stdin().lines().map_while(Result::ok) {
        if let Some(text) = line.strip_prefix("move? ") {
            let position = Position::read(text);
            let best = position.moves().into_iter().max_by_key(|one| value(&position, *one));
            let Move { from, to, .. } = best.expect("asked only if there is a move");
            println!("{},{}>{},{}", from.0, from.1, to.0, to.1);
        }
    }
}
