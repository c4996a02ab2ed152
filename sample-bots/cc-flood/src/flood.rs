//! The squares that men can reach, by flooding: every square is entered once for each man that may
//! have been taken on the way, however many ways lead there. So a position with thousands of chains
//! costs hardly more than one with ten.
//!
//! The price: a flood does not remember which men it has jumped, so now and then it finds a place
//! that only a chain over one man twice could reach. The search tolerates that; the played move
//! comes from the judge's own list.

use judge_bot::cc::Seat;

use crate::board::{At, Board, Cell, Move, WAYS, along};

/// Most places that one flood can reach: the cells of a board.
const PLACES: usize = 256;

/// Bits for the cells of a board with its margin, in words.
const WORDS: usize = 7;

/// Entered cells, in order. One is enough for all floods: only the bits are cleared.
pub(crate) struct Flood {
    entered: [u64; WORDS],
    queue: [At; PLACES],
    len: usize,
    next: usize,
}

impl Flood {
    pub(crate) fn new() -> Flood {
        Flood { entered: [0; WORDS], queue: [0; PLACES], len: 0, next: 0 }
    }

    fn clear(&mut self) {
        (self.entered, self.len, self.next) = ([0; WORDS], 0, 0);
    }

    /// Closes a cell; `false` when it was closed before.
    fn bar(&mut self, at: At) -> bool {
        let (word, bit) = (usize::from(at / 64), 1 << (at % 64));
        let new = self.entered[word] & bit == 0;
        self.entered[word] |= bit;
        new
    }

    /// Enters a cell; `false` when it was entered before.
    fn enter(&mut self, at: At) -> bool {
        let new = self.bar(at);
        if new && self.len < PLACES {
            self.queue[self.len] = at;
            self.len += 1;
        }
        new
    }

    /// The next cell from which to continue.
    fn go_on(&mut self) -> Option<At> {
        let at = *self.queue[..self.len].get(self.next)?;
        self.next += 1;
        Some(at)
    }
}

/// The steps of a side, as ways.
fn steps(seat: Seat) -> [isize; 3] {
    if seat == Seat::One { [20, 1, 21] } else { [-20, -1, -21] }
}

/// All moves of the side on turn.
pub(crate) fn moves(board: &Board, flood: &mut Flood) -> Vec<Move> {
    let mut moves = Vec::with_capacity(64);
    for from in board.men(board.turn) {
        for way in steps(board.turn) {
            let to = along(*from, way);
            if board.at(to) == Cell::Empty {
                moves.push(Move { from: *from, to, captured: None });
            }
        }
        jumps(board, *from, flood, &mut moves);
    }
    moves
}

/// The chains of one man: without a capture first, then on from each capture.
fn jumps(board: &Board, from: At, flood: &mut Flood, moves: &mut Vec<Move>) {
    let enemy = Cell::Man(board.turn.other());
    let mut first_takes: [(At, At); 32] = [(0, 0); 32];
    let mut takes = 0;
    flood.clear();
    flood.enter(from);
    while let Some(at) = flood.go_on() {
        for way in WAYS {
            let over = along(at, way);
            let to = along(over, way);
            if board.at(to) != Cell::Empty || over == from {
                continue;
            }
            if board.at(over) == enemy {
                if takes < first_takes.len() {
                    first_takes[takes] = (over, to);
                    takes += 1;
                }
            } else if matches!(board.at(over), Cell::Man(_)) && flood.enter(to) {
                moves.push(Move { from, to, captured: None });
            }
        }
    }
    let takes = &mut first_takes[..takes];
    takes.sort_unstable();
    for same in takes.chunk_by(|one, other| one.0 == other.0) {
        after_take(board, from, same, flood, moves);
    }
}

/// The chains that have taken a man on its cell and landed behind it.
fn after_take(
    board: &Board,
    from: At,
    landings: &[(At, At)],
    flood: &mut Flood,
    moves: &mut Vec<Move>,
) {
    let Some((captured, _)) = landings.first().copied() else { return };
    flood.clear();
    flood.bar(from);
    let mut reach = |flood: &mut Flood, to: At| {
        if flood.enter(to) {
            moves.push(Move { from, to, captured: Some(captured) });
        }
    };
    landings.iter().for_each(|(_, to)| reach(flood, *to));
    while let Some(at) = flood.go_on() {
        for way in WAYS {
            let over = along(at, way);
            let to = along(over, way);
            let free = board.at(to) == Cell::Empty || to == captured;
            if free && over != captured && over != from && matches!(board.at(over), Cell::Man(_)) {
                reach(flood, to);
            }
        }
    }
}

/// True if the side on turn can land on its corner at once without taking a man. It floods
/// backwards from the corner until it meets one of the side's men.
pub(crate) fn arrives(board: &Board, flood: &mut Flood) -> bool {
    let (own, goal) = (Cell::Man(board.turn), board.target(board.turn));
    if board.at(goal) != Cell::Empty {
        return false;
    }
    if steps(board.turn).into_iter().any(|way| board.at(along(goal, -way)) == own) {
        return true;
    }
    flood.clear();
    flood.enter(goal);
    while let Some(at) = flood.go_on() {
        for way in WAYS {
            let over = along(at, way);
            if !matches!(board.at(over), Cell::Man(_)) {
                continue;
            }
            let before = along(over, way);
            if board.at(before) == own {
                return true;
            }
            if board.at(before) == Cell::Empty {
                flood.enter(before);
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use judge_bot::cc::{Position, changes};

    use super::*;
    use crate::board::cell;

    fn key(change: Move) -> (At, At, Option<At>) {
        (change.from, change.to, change.captured)
    }

    /// Plays on from the start by an arbitrary rule.
    fn positions(size: u8, plies: usize) -> Vec<Position> {
        let mut position = Position::start(size).expect("an allowed size");
        let mut seen = vec![position];
        for ply in 0..plies {
            let all = changes(&position);
            let Some(change) = all.iter().nth((ply * 31 + 7) % all.len().max(1)) else { break };
            position = position.after(*change);
            if position.ending().is_some() {
                break;
            }
            seen.push(position);
        }
        seen
    }

    /// No move is missing, each is found once, and there are few wrong ones.
    #[test]
    fn the_flood_finds_the_moves_of_the_referee() {
        let (mut found, mut listed) = (0, 0);
        for size in [5, 6, 8, 11] {
            for position in positions(size, 40) {
                let flooded = moves(&Board::new(&position), &mut Flood::new());
                let distinct: BTreeSet<_> = flooded.iter().copied().map(key).collect();
                assert_eq!(distinct.len(), flooded.len());
                let exact: BTreeSet<_> = changes(&position)
                    .into_iter()
                    .map(|change| (cell(change.from), cell(change.to), change.captured.map(cell)))
                    .collect();
                assert!(distinct.is_superset(&exact), "{position}");
                found += distinct.len();
                listed += exact.len();
            }
        }
        assert!(listed > 1000 && found * 100 <= listed * 105, "{found} for {listed}");
    }

    #[test]
    fn an_arrival_is_a_move_to_the_corner() {
        let mut arrivals = 0;
        for size in [5, 6, 8] {
            for position in positions(size, 60) {
                let board = Board::new(&position);
                let goal = board.target(board.turn);
                let quiet = |change: &Move| change.to == goal && change.captured.is_none();
                // A way over enemies in the backward flood is a capture forwards.
                if moves(&board, &mut Flood::new()).iter().any(quiet) {
                    assert!(arrives(&board, &mut Flood::new()), "{position}");
                    arrivals += 1;
                }
            }
        }
        assert!(arrivals > 0);
    }
}
