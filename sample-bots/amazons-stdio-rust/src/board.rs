//! The board of a question, and the squares that queens can reach on it.

/// Row and column, the lowest row first.
pub type Square = (i32, i32);

const WAYS: [(i32, i32); 8] =
    [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

/// Rows from the lowest up; `.`, `w`, `b` or `x` in each square.
#[derive(Debug)]
pub struct Board {
    rows: Vec<Vec<char>>,
}

impl Board {
    /// Reads `3b2b3/…/3w2w3`, the highest row first. A number is so many empty squares.
    pub fn parse(text: &str) -> Board {
        Board { rows: text.split('/').rev().map(parse_row).collect() }
    }

    pub fn get(&self, (row, column): Square) -> Option<char> {
        let row = self.rows.get(usize::try_from(row).ok()?)?;
        row.get(usize::try_from(column).ok()?).copied()
    }

    pub fn set(&mut self, (row, column): Square, what: char) {
        self.rows[row as usize][column as usize] = what;
    }

    /// The squares of a side's amazons.
    pub fn amazons(&self, side: char) -> Vec<Square> {
        let squares = self.rows.iter().enumerate().flat_map(|(row, squares)| {
            (0..squares.len()).map(move |column| (row as i32, column as i32))
        });
        squares.filter(|square| self.get(*square) == Some(side)).collect()
    }

    /// The squares that a queen on `from` can go to, or shoot at.
    pub fn reach(&self, from: Square) -> Vec<Square> {
        let mut squares = Vec::new();
        for (up, right) in WAYS {
            let mut to = (from.0 + up, from.1 + right);
            while self.get(to) == Some('.') {
                squares.push(to);
                to = (to.0 + up, to.1 + right);
            }
        }
        squares
    }
}

fn parse_row(text: &str) -> Vec<char> {
    let mut row = Vec::new();
    let mut empty = 0;
    for letter in text.chars() {
        if let Some(digit) = letter.to_digit(10) {
            empty = 10 * empty + digit;
            continue;
        }
        row.extend((0..std::mem::take(&mut empty)).map(|_| '.'));
        row.push(letter);
    }
    row.extend((0..empty).map(|_| '.'));
    row
}
