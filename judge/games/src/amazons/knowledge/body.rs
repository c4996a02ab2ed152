//! A table as bytes: state by state its key, the number of its moves, and each move with its visits
//! and values. The reader checks everything in a file.

use super::super::position::{Move, Position, Side};
use super::super::square::Square;
use super::place::{Key, Place};
use super::table::{Entry, Known, MOST_VISITS, Table};
use super::{SURE, WIDTH};
use crate::BodyError;

/// Marks a lost state, instead of the number of its moves.
const LOST: u8 = 0;

/// Marks a won state. The winning move follows.
const WON: u8 = 255;

/// Adds the states to a file.
pub(in crate::amazons) fn write(table: &Table, bytes: &mut Vec<u8>) {
    for (key, entry) in table.iter() {
        bytes.extend_from_slice(key.bytes(table.size()));
        match entry {
            Entry::Lost => bytes.push(LOST),
            Entry::Won(winning) => {
                bytes.push(WON);
                bytes.extend(squares(*winning));
            }
            Entry::Open(moves) => {
                bytes.push(moves.len() as u8);
                for Known { chosen, visits, sum } in moves {
                    bytes.extend(squares(*chosen));
                    bytes.extend(visits.to_le_bytes());
                    bytes.extend(sum.to_le_bytes());
                }
            }
        }
    }
}

fn squares(chosen: Move) -> [u8; 3] {
    [chosen.from, chosen.to, chosen.arrow].map(|square| square.index() as u8)
}

/// Reads so many states of the board with that start.
pub(in crate::amazons) fn read(
    start: &Position,
    states: usize,
    bytes: &[u8],
) -> Result<Table, BodyError> {
    let mut reader = Reader { start, bytes, at: 0 };
    let mut table = Table::new(start.size());
    let mut last = None;
    for state in 1..=states {
        let begin = reader.at;
        let fault = |at, what| BodyError { state, at, what };
        let (key, position) = reader.key(last).map_err(|what| fault(begin, what))?;
        let begin = reader.at;
        let entry = reader.entry(&position).map_err(|(at, what)| fault(begin + at, what))?;
        if !table.put(key, entry) {
            return Err(fault(begin, "more than a table has room for".to_owned()));
        }
        last = Some(key);
    }
    if reader.at < bytes.len() {
        let what = "more bytes than states".to_owned();
        return Err(BodyError { state: states, at: reader.at, what });
    }
    Ok(table)
}

/// Goes through the bytes from front to back.
struct Reader<'a> {
    start: &'a Position,
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], String> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let taken = rest.get(..count).ok_or("the file ends in the middle of it")?;
        self.at += count;
        Ok(taken)
    }

    /// The next state, which comes after `last`.
    fn key(&mut self, last: Option<Key>) -> Result<(Key, Position), String> {
        let size = self.start.size();
        let key = Key::from_bytes(self.take(Key::len(size))?).ok_or("too large")?;
        if last.is_some_and(|last| last >= key) {
            return Err("it does not come behind the state before it".to_owned());
        }
        let position = key.position(size).ok_or("bits behind the last square are set")?;
        for side in Side::BOTH {
            let [found, expected] = [&position, self.start].map(|board| board.amazons(side).len());
            if found != expected {
                return Err(format!("{found} amazons of one side: the board has {expected}"));
            }
        }
        if Place::new(&position).key != key {
            return Err("it is not the least of its turned and mirrored keys".to_owned());
        }
        Ok((key, position))
    }

    /// Reads the knowledge about a state; a fault has its distance from the start of that state.
    fn entry(&mut self, position: &Position) -> Result<Entry, (usize, String)> {
        let kind = self.take(1).map_err(|what| (0, what))?[0];
        match usize::from(kind) {
            _ if kind == LOST => Ok(Entry::Lost),
            _ if kind == WON => self.chosen(position).map(Entry::Won).map_err(|what| (1, what)),
            count if (1..=WIDTH).contains(&count) => self.moves(position, count).map(Entry::Open),
            count => Err((0, format!("{count} moves: expected 1 to {WIDTH}"))),
        }
    }

    fn moves(&mut self, position: &Position, count: usize) -> Result<Vec<Known>, (usize, String)> {
        let begin = self.at - 1;
        let mut moves: Vec<Known> = Vec::with_capacity(count);
        for _ in 0..count {
            let at = self.at - begin;
            let known = self.known(position).map_err(|what| (at, what))?;
            if moves.last().is_some_and(|last| !last.precedes(&known)) {
                let what = format!("`{}` does not come behind the move before it", known.chosen);
                return Err((at, what));
            }
            moves.push(known);
        }
        Ok(moves)
    }

    /// A legal move.
    fn chosen(&mut self, position: &Position) -> Result<Move, String> {
        let squares = self.take(3)?;
        let square = |at: usize| Square::from_index(usize::from(squares[at]));
        let chosen = Move { from: square(0), to: square(1), arrow: square(2) };
        position.check(chosen).map_err(|error| format!("`{chosen}`: {error}"))?;
        Ok(chosen)
    }

    fn known(&mut self, position: &Position) -> Result<Known, String> {
        let chosen = self.chosen(position)?;
        let [visits, sum] = [self.number()?, self.number()?];
        if !(1..=MOST_VISITS).contains(&visits) {
            return Err(format!("`{chosen}`: {visits} visits: expected 1 to {MOST_VISITS}"));
        }
        if sum > visits * SURE {
            return Err(format!("`{chosen}`: {visits} visits cannot be worth {sum}"));
        }
        Ok(Known { chosen, visits, sum })
    }

    fn number(&mut self) -> Result<u32, String> {
        let mut bytes = [0; 4];
        bytes.copy_from_slice(self.take(4)?);
        Ok(u32::from_le_bytes(bytes))
    }
}
