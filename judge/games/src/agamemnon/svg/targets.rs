//! Pointing at the drawn tiles and at the net: a tile, its node, and for a Warp the nodes that the
//! two edges to exchange lead to; then the same for the second tile.

use super::{layout, panel};
use crate::agamemnon::board::bits;
use crate::agamemnon::progress::Phase;
use crate::agamemnon::{Draw, Kind, Round, side_letter};
use crate::{Choice, Choices, Target};

/// Half the side of a node's target: smaller than half the distance to any other node.
const REACH: i32 = 24;

/// Every node, and the drawn tiles.
pub(in crate::agamemnon) fn targets(round: &Round) -> Vec<Target> {
    let Phase::Move(draw) = round.phase() else { return Vec::new() };
    let around = |part, [x, y]: [i32; 2], reach| {
        let (at, size) = ([x - reach, y - reach], [2 * reach; 2]);
        Target { part, at, size }
    };
    let node = |node| around(node_part(node), layout::spot(round.board(), node).at, REACH);
    let tile = |(number, kind): (i32, Kind)| {
        around(kind.letter().to_string(), panel::drawn_place(round.mover(), number), 20)
    };
    bits(round.board().all()).map(node).chain((0..).zip(draw.kinds()).map(tile)).collect()
}

/// The parts that may follow the chosen ones. They are found tile by tile, because the list of all
/// actions may be cut.
pub(in crate::agamemnon) fn choices(round: &Round, draw: &Draw, chosen: &[String]) -> Choices {
    let left = draw.kinds().collect();
    let empty = round.position().empty(round.board());
    let action = String::with_capacity(16);
    Action { round, left, empty, action }.after(chosen).unwrap_or_default()
}

/// A partly chosen action.
struct Action<'a> {
    round: &'a Round,
    /// Drawn tiles that are not placed yet.
    left: Vec<Kind>,
    /// Nodes that are still empty.
    empty: u64,
    /// The placements so far.
    action: String,
}

impl Action<'_> {
    /// The next parts; none if the parts fit no legal action.
    fn after(mut self, chosen: &[String]) -> Option<Choices> {
        let mut parts = chosen.iter();
        while !self.left.is_empty() {
            let Some(part) = parts.next() else { return Some(self.tiles()) };
            let at = self.left.iter().position(|kind| part.chars().eq([kind.letter()]))?;
            let kind = self.left.remove(at);
            let Some(part) = parts.next() else { return Some(self.nodes(kind)) };
            let node = among(part, self.empty)?;
            self.empty &= !(1 << node);
            let side = side_letter(self.round.mover());
            self.action.extend([side, kind.letter()]);
            self.action.push_str(part);
            for edge in ["first", "second"].iter().filter(|_| kind == Kind::Warp) {
                let ends = self.round.board().neighbours(node);
                let Some(part) = parts.next() else { return Some(edges(edge, node, ends)) };
                among(part, ends)?;
                self.action.push_str(part);
            }
        }
        let answer = parts.next().is_none().then_some(self.action)?;
        Some(Choices { next: Vec::new(), answer: Some(answer) })
    }

    fn tiles(&self) -> Choices {
        let mut choices = Choices::default();
        for kind in &self.left {
            let letter = kind.letter();
            choices.add(Choice::new(letter, format!("tile {letter}")));
        }
        choices
    }

    fn nodes(&self, kind: Kind) -> Choices {
        let letter = kind.letter();
        let node = |node| Choice::new(node_part(node), format!("place {letter} on {node:02}"));
        Choices { next: bits(self.empty).map(node).collect(), answer: None }
    }
}

fn edges(which: &str, node: u8, ends: u64) -> Choices {
    let words = |end: u8| format!("exchange, {which} edge: {node:02} to {end:02}");
    let next = bits(ends).map(|end| Choice::new(node_part(end), words(end))).collect();
    Choices { next, answer: None }
}

fn node_part(node: u8) -> String {
    format!("{node:02}")
}

/// The node of that part, if it is one of these.
fn among(part: &str, nodes: u64) -> Option<u8> {
    bits(nodes).find(|node| node_part(*node) == part)
}
