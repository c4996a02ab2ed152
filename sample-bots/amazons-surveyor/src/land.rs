//! The survey of a position: which side reaches the empty squares sooner, by queen's moves and by
//! single steps. A word has both sides at once, White in the low half, Black in the high one.

use judge_bot::amazons::{Position, Side};

/// By row, the columns of both sides as bits.
type Lanes = [u64; 16];

/// No squares.
const NONE: Lanes = [0; 16];

/// The half of a word that is White's.
const WHITE: u64 = 0xffff_ffff;

/// The race by queen's moves.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Queens {
    /// Squares that White reaches in fewer moves, minus those that Black does.
    pub(crate) first: i32,
    /// Squares that both reach equally soon.
    pub(crate) ties: i32,
    /// Squares that one side reaches just one move later than the other.
    pub(crate) near: i32,
    /// Sum over the squares of 64 halved for each move to them; White's minus Black's.
    pub(crate) presence: i32,
}

/// The race by single steps.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Kings {
    /// Squares that White reaches in fewer steps, minus those that Black does.
    pub(crate) first: i32,
    /// Sum over the squares of the steps by which they are less than [`FAR`] away; White's minus
    /// Black's.
    pub(crate) lead: i32,
}

/// Steps from which on a square counts as far away; farther squares are not searched.
const FAR: i32 = 8;

/// The parts of a position that a survey uses.
pub(crate) struct Land {
    rows: usize,
    empty: Lanes,
    amazons: Lanes,
}

impl Land {
    /// The land of a position.
    pub(crate) fn from_position(position: &Position) -> Land {
        let rows = usize::from(position.size()).min(16);
        let (mut empty, mut amazons) = (NONE, NONE);
        let sets = Side::BOTH.map(|side| position.amazons(side));
        for (row, taken) in position.rows().iter().enumerate().take(rows) {
            empty[row] = u64::from(!taken) | u64::from(!taken) << 32;
            amazons[row] = u64::from(sets[0].row(row)) | u64::from(sets[1].row(row)) << 32;
        }
        Land { rows, empty, amazons }
    }

    /// Runs the race by queen's moves.
    pub(crate) fn queens(&self) -> Queens {
        let mut race = Queens::default();
        let (mut unseen, mut before, mut front) = (self.empty, NONE, self.amazons);
        for moves in 1.. {
            let mut new = self.queen_moves(&front);
            if !self.take(&mut new, &mut unseen) {
                break;
            }
            for pair in 0..self.rows.div_ceil(2) {
                let [new, unseen, before] = [&new, &unseen, &before].map(|all| paired(all, pair));
                race.first += difference(new & unseen.rotate_left(32));
                race.ties += (new & new.rotate_left(32) & WHITE).count_ones() as i32;
                race.near += (new & before.rotate_left(32)).count_ones() as i32;
                race.presence += difference(new) * (64 >> moves.min(7));
            }
            (before, front) = (new, new);
        }
        race
    }

    /// Runs the race by single steps.
    pub(crate) fn kings(&self) -> Kings {
        let mut race = Kings::default();
        let (mut unseen, mut front) = (self.empty, self.amazons);
        for steps in 1..FAR {
            front = self.steps(&front);
            if !self.take(&mut front, &mut unseen) {
                break;
            }
            for pair in 0..self.rows.div_ceil(2) {
                let [new, unseen] = [&front, &unseen].map(|all| paired(all, pair));
                race.first += difference(new & unseen.rotate_left(32));
                race.lead += difference(new) * (FAR - steps);
            }
        }
        race
    }

    /// Keeps only the unseen squares of `new`, and marks them as seen; true if there are any.
    fn take(&self, new: &mut Lanes, unseen: &mut Lanes) -> bool {
        let mut any = 0;
        for (new, unseen) in new.iter_mut().zip(unseen).take(self.rows) {
            *new &= *unseen;
            *unseen &= !*new;
            any |= *new;
        }
        any != 0
    }

    /// The squares of the amazons of both sides and those next to them, including taken ones.
    fn steps(&self, from: &Lanes) -> Lanes {
        let mut reached = NONE;
        let mut below = 0;
        let mut here = wide(from[0]);
        for (row, reached) in reached.iter_mut().enumerate().take(self.rows) {
            let above = from.get(row + 1).map_or(0, |row| wide(*row));
            *reached = below | here | above;
            (below, here) = (here, above);
        }
        reached
    }

    /// The squares that queens of both sides can reach in one move.
    fn queen_moves(&self, from: &Lanes) -> Lanes {
        let mut reached = NONE;
        for row in 0..self.rows {
            if from[row] != 0 {
                reached[row] = along_row(from[row], self.empty[row]);
            }
        }
        self.sweep(from, &mut reached, (1..self.rows).map(|row| (row - 1, row)));
        self.sweep(from, &mut reached, (1..self.rows).rev().map(|row| (row, row - 1)));
        reached
    }

    /// Adds the squares that queens can reach towards one end of the board; `steps` are pairs of a
    /// row and the next one in that direction.
    fn sweep(
        &self,
        from: &Lanes,
        reached: &mut Lanes,
        steps: impl Iterator<Item = (usize, usize)>,
    ) {
        let [mut straight, mut east, mut west] = [0_u64; 3];
        for (before, row) in steps {
            let (start, empty) = (from[before & 15], self.empty[row & 15]);
            straight = (straight | start) & empty;
            east = (east | start) << 1 & empty;
            west = (west | start) >> 1 & empty;
            reached[row & 15] |= straight | east | west;
        }
    }
}

/// Squares and their neighbours in a row; bits that leave a half of a word are not squares.
fn wide(row: u64) -> u64 {
    row | row << 1 | row >> 1
}

/// Two rows in one word, to be counted together.
fn paired(all: &Lanes, pair: usize) -> u64 {
    let pair = pair & 7;
    all[2 * pair] | all[2 * pair + 1] << 16
}

/// Bits of White minus those of Black.
fn difference(lanes: u64) -> i32 {
    (lanes & WHITE).count_ones() as i32 - (lanes >> 32).count_ones() as i32
}

/// The squares that rooks can reach within a row. Carries go to the 16 free bits of either half.
fn along_row(from: u64, empty: u64) -> u64 {
    // A carry runs through the empty squares above each start.
    let starts = from << 1 & empty;
    let up = empty & !(empty + starts) | starts;
    let (mut down, mut way) = (from, empty);
    for shift in [1, 2, 4, 8] {
        down |= down >> shift & way;
        way &= way >> shift;
    }
    up | down & empty
}

#[cfg(test)]
mod tests {
    use judge_bot::amazons::{estimate, reached_first};
    use judge_core::{Purpose, Seed};

    use super::*;

    /// Positions of a random game on a board of that start.
    fn game(start: &str) -> Vec<Position> {
        let mut position: Position = start.parse().expect("a start");
        let mut random = Seed(7).random(Purpose::Chance);
        let mut positions = vec![position.clone()];
        while let Some(next) = position.staged_move(&mut random) {
            position.play_unchecked(next);
            positions.push(position.clone());
        }
        positions
    }

    const STARTS: [&str; 3] = [
        "1b2/3b/w3/2w1 w",
        "3b2b3/10/10/b8b/10/10/w8w/10/10/3w2w3 w",
        "b14b/16/16/16/16/16/16/16/16/16/16/16/16/16/16/w14w w",
    ];

    #[test]
    fn queen_distances_match_the_referee() {
        for position in STARTS.into_iter().flat_map(game) {
            let queens = Land::from_position(&position).queens();
            let [white, black] = reached_first(&position).map(|count| count as i32);
            assert_eq!(queens.first, white - black, "{position}");
            let own = estimate(&position, position.to_move());
            let sign = if position.to_move() == Side::White { 1 } else { -1 };
            assert_eq!(queens.ties, own - 4 * sign * queens.first, "{position}");
        }
    }

    /// Steps from the amazons of a side to each square, found one square after the other.
    fn walked(position: &Position, side: Side) -> Vec<i32> {
        let size = i32::from(position.size());
        let mut steps = vec![FAR; (size * size) as usize];
        let mut frontier: Vec<(i32, i32)> = position
            .amazons(side)
            .map(|square| (i32::from(square.column()), i32::from(square.row())))
            .collect();
        for count in 1..FAR {
            let mut next = Vec::new();
            for (column, row) in frontier {
                for at in (-1..=1).flat_map(|x| (-1..=1).map(move |y| (column + x, row + y))) {
                    let square = (0..size).contains(&at.0)
                        && (0..size).contains(&at.1)
                        && position.rows()[at.1 as usize] >> at.0 & 1 == 0;
                    if square && steps[(at.1 * size + at.0) as usize] == FAR {
                        steps[(at.1 * size + at.0) as usize] = count;
                        next.push(at);
                    }
                }
            }
            frontier = next;
        }
        steps
    }

    #[test]
    fn king_distances_match_a_step_by_step_search() {
        for position in STARTS.into_iter().flat_map(game) {
            let [white, black] = Side::BOTH.map(|side| walked(&position, side));
            let pairs = || white.iter().zip(&black);
            let first = pairs().map(|(white, black)| (black - white).signum()).sum();
            let lead = pairs().map(|(white, black)| black - white).sum();
            assert_eq!(Land::from_position(&position).kings(), Kings { first, lead }, "{position}");
        }
    }
}
