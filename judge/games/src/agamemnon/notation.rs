//! Tiles, edges, draws and actions as text, both ways; the notation is that of `README.md`.
//! Every text is ASCII; any other input is refused with an excerpt of it.

use std::fmt;
use std::str::FromStr;

use judge_core::Seat;

use super::{
    Action, Board, Draw, EdgeType, Kind, Placement, Position, State, StateError, side_from_letter,
    side_letter,
};
use crate::text::excerpt;

/// The tiles of a tile string.
pub(super) fn tiles(
    text: &str,
) -> Result<impl Iterator<Item = Result<(Seat, Kind, u8), StateError>>, StateError> {
    if !text.len().is_multiple_of(4) {
        return Err(StateError::TilesLength(text.len()));
    }
    Ok((1..).zip(text.as_bytes().chunks(4)).map(|(number, bytes)| {
        read_tile(bytes).ok_or_else(|| StateError::Tile(number, shown(bytes)))
    }))
}

fn read_tile(bytes: &[u8]) -> Option<(Seat, Kind, u8)> {
    let [side, kind, tens, ones] = bytes else { return None };
    Some((side_from_letter(*side)?, Kind::from_letter(*kind)?, node(*tens, *ones)?))
}

/// The edges of an edge string: type and end nodes.
pub(super) fn edges(
    text: &str,
) -> Result<impl Iterator<Item = Result<(EdgeType, u8, u8), StateError>>, StateError> {
    if !text.len().is_multiple_of(5) {
        return Err(StateError::EdgesLength(text.len()));
    }
    Ok((1..).zip(text.as_bytes().chunks(5)).map(|(number, bytes)| {
        read_edge(bytes).ok_or_else(|| StateError::Edge(number, shown(bytes)))
    }))
}

fn read_edge(bytes: &[u8]) -> Option<(EdgeType, u8, u8)> {
    let [kind, a, b, c, d] = bytes else { return None };
    Some((EdgeType::from_letter(*kind)?, node(*a, *b)?, node(*c, *d)?))
}

/// A number of two digits.
fn node(tens: u8, ones: u8) -> Option<u8> {
    let digit = |byte: u8| byte.is_ascii_digit().then(|| byte - b'0');
    Some(10 * digit(tens)? + digit(ones)?)
}

/// Writes a node as two digits.
fn push_node(line: &mut String, node: u8) {
    line.push(char::from(b'0' + node / 10));
    line.push(char::from(b'0' + node % 10));
}

impl State {
    /// The tile string: every tile in the order in which it was placed.
    pub fn tiles_text(&self) -> String {
        let mut text = String::with_capacity(4 * self.position.len());
        self.position.write_tiles(&mut text);
        text
    }

    /// The edge string: every edge with its type, in the order of the board.
    pub fn edges_text(&self) -> String {
        let mut text = String::with_capacity(5 * self.board.edges());
        self.position.write_edges(&self.board, &mut text);
        text
    }
}

impl Position {
    /// Appends the tile string to a line.
    pub(super) fn write_tiles(&self, line: &mut String) {
        for placed in self.placed() {
            line.push(side_letter(placed.seat));
            line.push(placed.kind.letter());
            push_node(line, placed.node);
        }
    }

    /// Appends the edge string to a line.
    pub(super) fn write_edges(&self, board: &Board, line: &mut String) {
        for (edge, (one, other)) in board.ends().iter().enumerate() {
            line.push(self.types().get(edge).letter());
            push_node(line, *one);
            push_node(line, *other);
        }
    }
}

/// The reason why a text is not an action.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ActionTextError {
    /// Nothing at all.
    #[error("expected one or two placements such as `Ob10` or `Oj151020`, found nothing")]
    Nothing,
    /// Not a placement.
    #[error("`{0}` is not a placement: expected `O` or `B`, a letter `a` to `j` and two digits")]
    Placement(String),
    /// A Warp without the two edges.
    #[error("`{0}` is not a Warp: expected `j`, its node and the other ends of two edges")]
    Warp(String),
    /// Something after the second placement.
    #[error("`{0}` follows the second placement")]
    Longer(String),
    /// The second placement is of the other side.
    #[error("`{0}` places tiles of both sides")]
    BothSides(String),
}

impl FromStr for Action {
    type Err = ActionTextError;

    fn from_str(text: &str) -> Result<Action, ActionTextError> {
        if text.is_empty() {
            return Err(ActionTextError::Nothing);
        }
        let bytes = text.as_bytes();
        let (seat, first, used) = read_placement(bytes)?;
        let rest = &bytes[used..];
        if rest.is_empty() {
            return Ok(Action::new(seat, first, None));
        }
        let (other, second, used) = read_placement(rest)?;
        if rest.len() > used {
            return Err(ActionTextError::Longer(shown(&rest[used..])));
        }
        if other != seat {
            return Err(ActionTextError::BothSides(excerpt(text)));
        }
        Ok(Action::new(seat, first, Some(second)))
    }
}

fn shown(bytes: &[u8]) -> String {
    excerpt(&String::from_utf8_lossy(bytes))
}

/// The placement at the start of a text, and its length.
fn read_placement(bytes: &[u8]) -> Result<(Seat, Placement, usize), ActionTextError> {
    let start = bytes.get(..4).unwrap_or(bytes);
    let tile = read_tile(start).ok_or_else(|| ActionTextError::Placement(shown(start)))?;
    let (seat, kind, at) = tile;
    if kind != Kind::Warp {
        return Ok((seat, Placement { kind, node: at, warp: None }, 4));
    }
    let whole = bytes.get(..8).unwrap_or(bytes);
    let ends = match whole.get(4..) {
        Some([a, b, c, d]) => node(*a, *b).zip(node(*c, *d)),
        _ => None,
    };
    let (one, other) = ends.ok_or_else(|| ActionTextError::Warp(shown(whole)))?;
    Ok((seat, Placement { kind, node: at, warp: Some([one, other]) }, 8))
}

impl Action {
    /// Appends the action string to a line.
    pub(super) fn write(&self, line: &mut String) {
        for placement in self.placements() {
            line.push(side_letter(self.seat()));
            line.push(placement.kind.letter());
            push_node(line, placement.node);
            placement.warp.into_iter().flatten().for_each(|end| push_node(line, end));
        }
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::with_capacity(16);
        self.write(&mut text);
        f.pad(&text)
    }
}

/// A text that is not a draw.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a draw: expected one or two letters `a` to `j`")]
pub struct DrawError(String);

impl FromStr for Draw {
    type Err = DrawError;

    fn from_str(text: &str) -> Result<Draw, DrawError> {
        let kinds: Option<Vec<Kind>> = text.bytes().map(Kind::from_letter).collect();
        match kinds.as_deref() {
            Some([one]) => Ok(Draw::new(*one, None)),
            Some([one, two]) => Ok(Draw::new(*one, Some(*two))),
            _ => Err(DrawError(excerpt(text))),
        }
    }
}

impl fmt::Display for Draw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kinds().try_for_each(|kind| write!(f, "{kind}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn refused(text: &str) -> String {
        text.parse::<Action>().expect_err("no action").to_string()
    }

    #[test]
    fn actions_read_back() {
        for text in ["Ob10", "Oj151020", "Oj151020Of04", "Bf04Bj151020", "Bj000104Bj010004"] {
            assert_eq!(text.parse::<Action>().expect("an action").to_string(), text);
        }
    }

    #[test]
    fn error_messages_name_the_wrong_part() {
        insta::assert_snapshot!(refused(""), @"expected one or two placements such as `Ob10` or `Oj151020`, found nothing");
        insta::assert_snapshot!(refused("Ob1"), @"`Ob1` is not a placement: expected `O` or `B`, a letter `a` to `j` and two digits");
        insta::assert_snapshot!(refused("OJ151020"), @"`OJ15` is not a placement: expected `O` or `B`, a letter `a` to `j` and two digits");
        insta::assert_snapshot!(refused("Ob10 Oc11"), @"` Oc1` is not a placement: expected `O` or `B`, a letter `a` to `j` and two digits");
        insta::assert_snapshot!(refused("Oj15"), @"`Oj15` is not a Warp: expected `j`, its node and the other ends of two edges");
        insta::assert_snapshot!(refused("Oj15Ob10"), @"`Oj15Ob10` is not a Warp: expected `j`, its node and the other ends of two edges");
        insta::assert_snapshot!(refused("Oa00Ob01Oc02"), @"`Oc02` follows the second placement");
        insta::assert_snapshot!(refused("Oa00Bb01"), @"`Oa00Bb01` places tiles of both sides");
    }

    #[test]
    fn draws_read_back() {
        for text in ["a", "jj", "fg"] {
            assert_eq!(text.parse::<Draw>().expect("a draw").to_string(), text);
        }
        let error = "fgh".parse::<Draw>().expect_err("three").to_string();
        assert_eq!(error, "`fgh` is not a draw: expected one or two letters `a` to `j`");
        assert!("".parse::<Draw>().is_err());
    }

    proptest! {
        #[test]
        fn no_text_panics(text in ".{0,24}") {
            let _ = text.parse::<Action>();
            let _ = text.parse::<Draw>();
            let _ = State::parse(&text, &text);
        }
    }
}
