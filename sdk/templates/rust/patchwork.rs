// judge: game=patchwork
//! A bot for Patchwork in Rust.

use std::io::stdin;

/// Cost, time and income of a patch, and the rows of its shape.
type Patch = (i32, usize, i32, &'static str);

/// The letters of the patches, and the patches in the same order.
const LETTERS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg";
#[rustfmt::skip]
const PATCHES: [Patch; 33] = [
    (2, 1, 0, "#/#"), (1, 3, 0, ".#/##"), (3, 1, 0, ".#/##"), (2, 2, 0, "#/#/#"),
    (3, 2, 1, ".#/##/#."), (2, 2, 0, "#./##/##"), (1, 4, 1, "..#../#####/..#.."),
    (0, 3, 1, ".#./###/.#./.#."), (6, 5, 2, "##/##"), (4, 2, 0, "#./##/##/.#"),
    (2, 2, 0, ".#/##/.#"), (1, 5, 1, "##/.#/.#/##"), (3, 3, 1, "#/#/#/#"), (7, 1, 1, "#####"),
    (3, 4, 1, "#./#./##/#."), (7, 4, 2, "#./##/##/#."), (3, 6, 2, ".#./###/#.#"),
    (2, 1, 0, ".#./.##/##./.#."), (4, 6, 2, ".#/.#/##"), (5, 4, 2, ".#./###/.#."),
    (2, 3, 0, "#.#/###/#.#"), (5, 3, 1, ".#./###/###/.#."), (10, 3, 2, ".#/.#/.#/##"),
    (5, 5, 2, ".#./.#./###"), (10, 5, 3, "##/##/.#/.#"), (1, 2, 0, "##./.#./.#./.##"),
    (4, 2, 1, "#./#./##"), (7, 2, 2, ".#./.#./.#./###"), (10, 4, 3, "#../##./.##"),
    (1, 2, 0, "#.#/###"), (2, 3, 1, ".#/.#/##/#."), (7, 6, 3, ".##/##."), (8, 6, 3, ".##/.##/##."),
];

#[derive(Default)]
struct Game {
    /// Your place in `token`: 0 or 1.
    me: usize,
    /// The order of the patches, as the judge sent it.
    start: String,
    /// The patches left, and the position of the next one after the neutral token.
    circle: String,
    next: usize,
    /// The square of each side on the track of time, and the side that moved last.
    token: [usize; 2],
    last: usize,
    /// Special patches to lay before the next move.
    due: usize,
    /// Your buttons, your income, and your covered squares, by column and row.
    buttons: i32,
    income: i32,
    quilt: [[bool; 9]; 9],
}

/// YOUR STRATEGY: how good it is to buy a patch. The best of the three on offer is bought, unless to
/// advance is better, which is worth 1: a button for each square.
fn value(&(cost, time, income, shape): &Patch) -> f64 {
    let squares = shape.matches('#').count() as i32;
    f64::from(2 * squares + 4 * income - cost) / time as f64
}

/// A special patch `h` covers one square of yours: which?
fn is_good_for_special(game: &Game, column: usize, row: usize) -> bool {
    !game.quilt[column][row]
}

fn choose(game: &Game) -> String {
    let (mut best, mut chosen) = (1.0, ".".to_owned());
    for letter in game.circle.chars().cycle().skip(game.next).take(game.circle.len().min(3)) {
        let patch = &PATCHES[LETTERS.find(letter).expect("a patch")];
        let Some((column, row)) = game.place(patch.3) else { continue };
        if patch.0 <= game.buttons && value(patch) > best {
            best = value(patch);
            chosen = format!("{letter}{}{}A", to_letter(column), to_letter(row));
        }
    }
    eprintln!("{} buttons: {chosen}", game.buttons);
    chosen
}

// What follows keeps track of the game and talks with the judge. `eprintln!` writes to your log.

fn to_letter(at: usize) -> char {
    char::from(b'A' + at as u8)
}

/// The squares of a shape. The bot never turns a patch; if yours does (the fourth letter of a
/// move), turn the shape here.
fn squares(shape: &str, column: usize, row: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
    let rows = shape.split('/').zip(row..);
    rows.flat_map(move |(cells, row)| {
        let covered = cells.chars().zip(column..).filter(|(cell, _)| *cell == '#');
        covered.map(move |(_, column)| (column, row))
    })
}

impl Game {
    /// Where to lay a shape: where most of its sides touch something, so that few holes are left.
    /// Column and row of its top left corner; none if it fits nowhere.
    fn place(&self, shape: &str) -> Option<(usize, usize)> {
        let is_free = |column: usize, row: usize| column < 9 && row < 9 && !self.quilt[column][row];
        let corners = (0..81).rev().map(|at| (at % 9, at / 9));
        let fit = corners.filter(|&(column, row)| {
            squares(shape, column, row).all(|(column, row)| is_free(column, row))
        });
        fit.max_by_key(|&(column, row)| self.touches(shape, column, row))
    }

    /// How many sides of a shape lie against a covered square or the border.
    fn touches(&self, shape: &str, column: usize, row: usize) -> usize {
        let sides = |(column, row): (usize, usize)| {
            [
                column == 0 || self.quilt[column - 1][row],
                column == 8 || self.quilt[column + 1][row],
                row == 0 || self.quilt[column][row - 1],
                row == 8 || self.quilt[column][row + 1],
            ]
        };
        squares(shape, column, row).flat_map(sides).filter(|&touches| touches).count()
    }

    fn advance(&mut self, side: usize, to: usize) {
        let (reached, to) = (self.token[0].max(self.token[1]), to.min(53));
        let specials = [20, 26, 32, 44, 50];
        self.due += specials.iter().filter(|&&at| at > reached && at <= to).count();
        if side == self.me {
            // Every sixth square pays, from 5 on.
            let paid = (to + 1) / 6 - (self.token[side] + 1) / 6;
            self.buttons += self.income * paid as i32;
        }
        self.token[side] = to;
        self.last = side;
    }

    fn on_move(&self) -> usize {
        match self.due > 0 || self.token[0] == self.token[1] {
            true => self.last,
            false => usize::from(self.token[0] > self.token[1]),
        }
    }

    fn buy(&mut self, side: usize, letter: char, column: usize, row: usize) {
        let (cost, time, income, shape) = PATCHES[LETTERS.find(letter).expect("a patch")];
        let at = self.circle.find(letter).expect("it is in the circle");
        self.circle.remove(at);
        self.next = at % self.circle.len().max(1);
        if side == self.me {
            self.buttons -= cost;
            self.income += income;
            for (column, row) in squares(shape, column, row) {
                self.quilt[column][row] = true;
            }
        }
        self.advance(side, self.token[side] + time);
    }

    /// Plays all moves so far, from the start.
    fn replay(&mut self, moves: &str) {
        let (me, start) = (self.me, std::mem::take(&mut self.start));
        let next = (start.find('A').expect("it is in the circle") + 1) % start.len();
        *self = Game { me, circle: start.clone(), start, next, buttons: 5, ..Game::default() };
        let mut rest = moves.trim_matches('-').as_bytes();
        while let Some(&letter) = rest.first() {
            let side = self.on_move();
            if letter == b'.' {
                let to = (self.token[1 - side] + 1).min(53);
                if side == self.me {
                    self.buttons += (to - self.token[side]) as i32;
                }
                self.advance(side, to);
                rest = &rest[1..];
                continue;
            }
            let [column, row] = [rest[1], rest[2]].map(|letter| usize::from(letter - b'A'));
            if letter == b'h' {
                self.due -= 1;
                self.quilt[column][row] |= side == self.me;
            } else {
                self.buy(side, char::from(letter), column, row);
            }
            rest = &rest[4..];
        }
    }

    fn answer(&self) -> String {
        if self.due == 0 {
            return choose(self);
        }
        let squares = (0..9).flat_map(|row| (0..9).map(move |column| (column, row)));
        let mut good = squares.filter(|&(column, row)| is_good_for_special(self, column, row));
        let (column, row) = good.next().expect("some square is empty");
        format!("h{}{}A", to_letter(column), to_letter(row))
    }
}

fn main() {
    let mut game = Game::default();
    for line in stdin().lines().map_while(Result::ok) {
        let words: Vec<&str> = line.split(' ').collect();
        match words[0] {
            "game" => game.me = usize::from(words[3] == "2"),
            "circle" => game.start = words[1].to_owned(),
            "move?" => {
                game.replay(words[1]);
                println!("{}", game.answer());
            }
            _ => {}
        }
    }
}
