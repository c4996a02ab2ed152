//! The net: edges, won strings, nodes and tiles, and the changes of the last turn.

use judge_core::Seat;
use svg::node::element::{Group, Line, Text};

use super::{disc, edge, layout, line};
use crate::agamemnon::board::bits;
use crate::agamemnon::{Action, Placed, Position, Round, strings};
use crate::picture::{Anchor, text};

const TILE: i32 = 21;
const EMPTY: i32 = 15;

/// A band in the winner's colour along every won string.
pub(super) fn bands(round: &Round) -> Group {
    let mut group = Group::new();
    for string in strings(round.board(), round.position()) {
        let Some(winner) = string.winner else { continue };
        let mut band = Group::new().set("class", band_class(winner));
        for number in string.edges {
            let [from, to] = ends(round, number);
            band = band.add(line(from, to));
        }
        group = group.add(band);
    }
    group
}

/// A piece of such a band.
pub(super) fn band(winner: Seat, from: [i32; 2], to: [i32; 2]) -> Line {
    line(from, to).set("class", band_class(winner))
}

fn band_class(winner: Seat) -> &'static str {
    ["j-one-line j-agamemnon-won", "j-two-line j-agamemnon-won"][winner.index()]
}

/// Every edge by its type.
pub(super) fn edges(round: &Round) -> Group {
    let mut group = Group::new();
    for number in 0..round.board().edges() {
        let [from, to] = ends(round, number);
        for line in edge(round.position().types().get(number), from, to) {
            group = group.add(line);
        }
    }
    warped(round)
        .into_iter()
        .fold(group, |group, at| group.add(disc::circle("j-last j-agamemnon-mark", at, 8)))
}

/// The two ends of an edge.
fn ends(round: &Round, number: usize) -> [[i32; 2]; 2] {
    let (one, other) = round.board().ends()[number];
    [one, other].map(|node| layout::spot(round.board(), node).at)
}

/// The centres of the edges that the Warps of the last turn exchanged.
fn warped(round: &Round) -> Vec<[i32; 2]> {
    let placements = round.last().into_iter().flat_map(Action::placements);
    let ends = placements.filter_map(|placed| Some((placed.node, placed.warp?)));
    let different = ends.filter(|(_, [one, other])| one != other);
    let joined = different.flat_map(|(node, ends)| ends.map(|end| [node, end]));
    joined
        .map(|nodes| {
            let [[ax, ay], [bx, by]] = nodes.map(|node| layout::spot(round.board(), node).at);
            [(ax + bx) / 2, (ay + by) / 2]
        })
        .collect()
}

/// Every node: its number, or its tile with the number next to it.
pub(super) fn nodes(round: &Round) -> Group {
    let (board, position) = (round.board(), round.position());
    let marked = tiles_of_last_turn(position);
    let fresh = |tile: &Placed| position.placed().skip(position.len() - marked).any(|t| t == *tile);
    bits(board.all()).fold(Group::new(), |group, node| {
        let spot = layout::spot(board, node);
        match position.at(node) {
            None => group
                .add(disc::circle("j-agamemnon-node", spot.at, EMPTY))
                .add(number(node, spot.at)),
            Some(tile) => {
                let halo = fresh(&tile).then(|| disc::circle("j-last", spot.at, TILE + 7));
                let group = halo.into_iter().fold(group, Group::add);
                group
                    .add(disc::tile(tile.seat, tile.kind, spot.at, TILE))
                    .add(number(node, spot.label))
            }
        }
    })
}

/// Number of tiles that the last turn placed.
fn tiles_of_last_turn(position: &Position) -> usize {
    match position.len() {
        0 => 0,
        1 | Position::TILES => 1,
        _ => 2,
    }
}

/// The number of a node, centred on a point.
fn number(node: u8, [x, y]: [i32; 2]) -> Text {
    let class = "j-muted j-agamemnon-halo";
    text(class, [x, y + 5], 13, Anchor::Middle, format!("{node:02}"))
}
