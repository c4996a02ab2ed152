// judge: game=amazons
//! A bot for Amazons in Rust.

use std::io::stdin;

/// Squares in a row of the board, with its border.
const WIDE: usize = 18;

/// The directions in which an amazon goes and shoots.
const DIRECTIONS: [isize; 8] = [1, -1, 18, -18, 19, -19, 17, -17];

struct Board {
    /// `w` and `b` are amazons, `x` is burnt, `.` is empty, a space is outside.
    squares: [u8; WIDE * WIDE],
    me: u8,
}

#[derive(Clone, Copy)]
struct Move {
    from: usize,
    to: usize,
    arrow: usize,
}

/// YOUR STRATEGY: how good this move is. The best one is played. The board is as after the move.
fn value(board: &Board, one: Move) -> usize {
    board.reach(one.to).len()
}

// What follows finds the moves and talks with the judge. `eprintln!` writes to your log.

impl Board {
    /// The board of a question: its rows from the highest down, and the side to move.
    fn read(rows: &str, me: &str) -> Board {
        let mut squares = [b' '; WIDE * WIDE];
        let count = rows.split('/').count();
        for (number, row) in rows.split('/').enumerate() {
            let (mut at, mut empty) = ((count - number) * WIDE + 1, 0);
            for letter in row.bytes().chain([b'/']) {
                if letter.is_ascii_digit() {
                    empty = 10 * empty + usize::from(letter - b'0');
                    continue;
                }
                squares[at..at + empty].fill(b'.');
                at += empty;
                empty = 0;
                if letter != b'/' {
                    squares[at] = letter;
                    at += 1;
                }
            }
        }
        Board { squares, me: me.as_bytes()[0] }
    }

    /// The squares that can be reached from this one in a straight line.
    fn reach(&self, from: usize) -> Vec<usize> {
        let mut found = Vec::new();
        for direction in DIRECTIONS {
            let mut square = from.wrapping_add_signed(direction);
            while self.squares[square] == b'.' {
                found.push(square);
                square = square.wrapping_add_signed(direction);
            }
        }
        found
    }

    fn moves(&mut self) -> Vec<Move> {
        let mut found = Vec::new();
        for from in
            (0..self.squares.len()).filter(|&at| self.squares[at] == self.me).collect::<Vec<_>>()
        {
            for to in self.reach(from) {
                self.squares[from] = b'.';
                found.extend(self.reach(to).into_iter().map(|arrow| Move { from, to, arrow }));
                self.squares[from] = self.me;
            }
        }
        found
    }

    /// The value of a move.
    fn try_out(&mut self, one: Move) -> usize {
        let before = self.squares;
        self.squares[one.from] = b'.';
        self.squares[one.to] = self.me;
        self.squares[one.arrow] = b'x';
        let found = value(self, one);
        self.squares = before;
        found
    }
}

fn name(square: usize) -> String {
    format!("{}{}", char::from(b'a' + (square % WIDE) as u8 - 1), square / WIDE)
}

fn main() {
    for line in stdin().lines().map_while(Result::ok) {
        let words: Vec<&str> = line.split(' ').collect();
        if words[0] == "move?" {
            let mut board = Board::read(words[1], words[2]);
            let moves = board.moves();
            let best = moves.into_iter().max_by_key(|one| board.try_out(*one));
            let Move { from, to, arrow } = best.expect("asked only if there is a move");
            println!("{}-{}/{}", name(from), name(to), name(arrow));
        }
    }
}
