// judge: game=patchwork
//! A bot for Patchwork in Rust.

use std::io::stdin;

/// The patches, and the time that each takes.
const LETTERS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg";
const TIMES: &str = "131222435225314461643335522242366";

#[derive(Default)]
struct Game {
    /// Your place in `token`: 0 or 1.
    me: usize,
    /// The order of the patches.
    circle: String,
    /// The square of each side on the track of time, and the side that moved last.
    token: [usize; 2],
    last: usize,
    /// Special patches to lay before the next move.
    due: usize,
    /// Your covered squares, by column and row.
    quilt: [[bool; 9]; 9],
}

/// YOUR STRATEGY: a move. `.` advances to the square after the other side's token. To buy, answer
/// with four letters: patch, column, row, orientation, such as `BDCA`. The rules, the prices and
/// the shapes are in RULES.md; the order of the patches is in `game.circle`. Until you change this,
/// the bot buys nothing and passes no testcase.
fn choose(game: &Game) -> String {
    eprintln!("{} patches in the circle", game.circle.len());
    ".".to_owned()
}

/// A special patch `h` covers one square of yours: which?
fn is_good_for_special(game: &Game, column: usize, row: usize) -> bool {
    !game.quilt[column][row]
}

// What follows keeps track of the game and talks with the judge. `eprintln!` writes to your log.

impl Game {
    fn advance(&mut self, side: usize, to: usize) {
        let (reached, to) = (self.token[0].max(self.token[1]), to.min(53));
        let specials = [20, 26, 32, 44, 50];
        self.due += specials.iter().filter(|&&at| at > reached && at <= to).count();
        self.token[side] = to;
        self.last = side;
    }

    fn on_move(&self) -> usize {
        match self.due > 0 || self.token[0] == self.token[1] {
            true => self.last,
            false => usize::from(self.token[0] > self.token[1]),
        }
    }

    /// Plays all moves so far, from the start.
    fn replay(&mut self, moves: &str) {
        (self.token, self.last, self.due) = ([0; 2], 0, 0);
        let mut rest = moves.trim_matches('-').as_bytes();
        while let Some(&letter) = rest.first() {
            let side = self.on_move();
            match letter {
                b'.' => self.advance(side, self.token[1 - side] + 1),
                b'h' => {
                    self.due -= 1;
                    let square = [rest[1], rest[2]].map(|letter| usize::from(letter - b'A'));
                    self.quilt[square[0]][square[1]] |= side == self.me;
                }
                _ => {
                    let at = LETTERS.find(char::from(letter)).expect("a patch");
                    let time = usize::from(TIMES.as_bytes()[at] - b'0');
                    self.advance(side, self.token[side] + time);
                }
            }
            rest = &rest[if letter == b'.' { 1 } else { 4 }..];
        }
    }

    fn answer(&self) -> String {
        if self.due == 0 {
            return choose(self);
        }
        let squares = (0..9).flat_map(|row| (0..9).map(move |column| (column, row)));
        let mut good = squares.filter(|&(column, row)| is_good_for_special(self, column, row));
        let (column, row) = good.next().expect("some square is empty");
        let letter = |at: usize| char::from(b'A' + at as u8);
        format!("h{}{}A", letter(column), letter(row))
    }
}

fn main() {
    let mut game = Game::default();
    for line in stdin().lines().map_while(Result::ok) {
        let words: Vec<&str> = line.split(' ').collect();
        match words[0] {
            "game" => game.me = usize::from(words[3] == "2"),
            "circle" => game.circle = words[1].to_owned(),
            "move?" => {
                game.replay(words[1]);
                println!("{}", game.answer());
            }
            _ => {}
        }
    }
}
