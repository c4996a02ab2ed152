//! The state of a round as a picture: both hands, the rivers on green felt, the wall, and the last
//! event.

mod faces;
mod rack;
#[cfg(feature = "pointing")]
pub(super) mod targets;

use judge_core::Seat;
use svg::Document;
use svg::node::element::{Definitions, Group};

use super::render::{news, tiles_seen_held};
use super::round::{Ending, Phase};
use super::{PATTERNS, Round, Tile, TileSet, round_score};
use crate::View;
use crate::picture::{Anchor, document, finish, rectangle, text};
use crate::text::capitalized;

const WIDTH: i32 = 720;
const HEIGHT: i32 = 640;

/// Space at the edges.
const MARGIN: i32 = 12;

/// Width of a panel over the whole picture.
const PANEL: i32 = WIDTH - 2 * MARGIN;

/// Width of a tile in a hand.
const LARGE: i32 = 45;

/// Width of a tile in a river.
const SMALL: i32 = 32;

/// Tiles in a row of a river: three rows take the longest.
const ROW: usize = 14;

/// Top of the felt, and its height.
const FELT: [i32; 2] = [132, 320];

/// Left edge of the texts next to the rivers.
const ASIDE: i32 = 540;

/// Most tiles left after the deal.
const AFTER_DEAL: usize = 82;

const STYLE: &str = "\
.j-mahjong-felt{fill:#27664c}.j-mahjong-chalk{fill:#eef6ee}.j-mahjong-faint{fill:#a9cfba}\
.j-mahjong-gold{fill:none;stroke:#f0b400;stroke-width:4}\
.j-mahjong-fresh{fill:none;stroke:#f6d860;stroke-width:3}\
.j-mahjong-track{fill:#1f533d}.j-mahjong-left{fill:#7fc0a1}.j-mahjong-strong{font-weight:600}\
@media(prefers-color-scheme:dark){.j-mahjong-felt{fill:#173a2d}.j-mahjong-chalk{fill:#dfe9e1}\
.j-mahjong-faint{fill:#86a897}.j-mahjong-track{fill:#10291f}.j-mahjong-left{fill:#4f9371}}";

/// The picture of a round.
pub(super) fn picture(round: &Round, view: View) -> String {
    let mut table = Table { drawn: Group::new(), faces: TileSet::EMPTY, backs: false };
    rack::draw(&mut table, round, Seat::Two, view);
    felt(&mut table, round, view);
    rack::draw(&mut table, round, Seat::One, view);
    footer(&mut table, round, view);
    finish(&table.document(&news(round, view)))
}

/// A picture in progress, and the symbols that it needs.
struct Table {
    drawn: Group,
    faces: TileSet,
    backs: bool,
}

impl Table {
    fn add(&mut self, node: impl svg::Node) {
        svg::Node::append(&mut self.drawn, node);
    }

    fn words(&mut self, class: &str, at: [i32; 2], size: i32, words: impl Into<String>) {
        self.add(text(class, at, size, Anchor::Start, words));
    }

    /// A tile, face down without a face.
    fn tile(&mut self, face: Option<Tile>, at: [i32; 2], width: i32) {
        match face {
            Some(tile) => self.faces.insert(tile),
            None => self.backs = true,
        }
        self.add(faces::tile(face, at, width));
    }

    /// A frame around a tile.
    fn mark(&mut self, class: &str, [x, y]: [i32; 2], width: i32) {
        let size = [width + 4, faces::height(width) + 4];
        self.add(rectangle(class, [x - 2, y - 2], size).set("rx", 7));
    }

    fn document(self, title: &str) -> Document {
        let backs = self.backs.then(|| faces::symbol(None));
        let symbols = self.faces.iter().map(|tile| faces::symbol(Some(tile))).chain(backs);
        let definitions = symbols.fold(Definitions::new(), Definitions::add);
        let style = format!("{}{STYLE}", faces::STYLE);
        document(WIDTH, HEIGHT, &format!("Arcade Mahjong: {title}"), &style)
            .add(definitions)
            .add(self.drawn)
    }
}

/// Both rivers, the wall, and the tile thrown last.
fn felt(table: &mut Table, round: &Round, view: View) {
    let [top, height] = FELT;
    table.add(rectangle("j-mahjong-felt", [MARGIN, top], [PANEL, height]).set("rx", 14));
    let fresh = freshest(round);
    for (seat, y) in [(Seat::Two, top + 10), (Seat::One, top + height / 2 + 9)] {
        river(table, round, seat, y, fresh == Some(seat));
    }
    wall(table, round.wall().left(), top + 32);
    offered(table, round, view, top + 122);
    worths(table, round, top + 246);
}

/// The seat with the last discard in its river, if it is in a river.
fn freshest(round: &Round) -> Option<Seat> {
    let other = round.turn().other();
    let thrown = thrown(round).is_none() && !round.river(other).is_empty();
    thrown.then_some(other)
}

fn river(table: &mut Table, round: &Round, seat: Seat, top: i32, fresh: bool) {
    let tiles = round.river(seat);
    for (at, tile) in tiles.iter().enumerate() {
        let (column, row) = ((at % ROW) as i32, (at / ROW) as i32);
        let place = [MARGIN + 14 + column * (SMALL + 3), top + row * 48];
        table.tile(Some(*tile), place, SMALL);
        if fresh && at + 1 == tiles.len() {
            table.mark("j-mahjong-fresh", place, SMALL);
        }
    }
    if tiles.is_empty() {
        let class = "j-mahjong-faint";
        table.words(class, [MARGIN + 14, top + 26], 13, format!("seat {seat} has thrown nothing"));
    }
}

/// The remaining tiles: their number, and a bar of two rows of them.
fn wall(table: &mut Table, left: usize, y: i32) {
    table.words("j-mahjong-faint", [ASIDE, y], 13, "left in the wall");
    let number = text(
        "j-mahjong-chalk j-mahjong-strong",
        [WIDTH - 28, y + 4],
        26,
        Anchor::End,
        left.to_string(),
    );
    table.add(number);
    let shown = left.min(AFTER_DEAL);
    for (row, tiles) in [(0, shown / 2), (1, shown.div_ceil(2))] {
        let place = [ASIDE, y + 18 + row * 11];
        for (class, tiles) in [("j-mahjong-track", AFTER_DEAL / 2), ("j-mahjong-left", tiles)] {
            table.add(rectangle(class, place, [tiles as i32 * 3, 10]).set("rx", 2));
        }
    }
}

/// The tile between the players, if there is one.
fn thrown(round: &Round) -> Option<Tile> {
    match round.phase() {
        Phase::Thrown(tile) | Phase::OfferDiscard(tile, _) | Phase::Passed(tile) => Some(tile),
        Phase::Over(Ending::Discard(tile, _)) => Some(tile),
        _ => None,
    }
}

/// The tile thrown last, while it is in no river.
fn offered(table: &mut Table, round: &Round, view: View, y: i32) {
    let Some(tile) = thrown(round) else { return };
    let words = format!("thrown by seat {}", round.turn());
    table.words("j-mahjong-faint", [ASIDE, y], 13, words);
    let place = [ASIDE, y + 10];
    table.tile(Some(tile), place, LARGE);
    let gold = match round.phase() {
        Phase::OfferDiscard(..) => view.sees(round.turn().other()),
        phase => matches!(phase, Phase::Over(_)),
    };
    table.mark(if gold { "j-mahjong-gold" } else { "j-mahjong-fresh" }, place, LARGE);
}

/// The worth of patterns in this round.
fn worths(table: &mut Table, round: &Round, y: i32) {
    for (at, info) in (0..).zip(&PATTERNS) {
        let factor = round.rules().factor(info.pattern);
        let line = y + at * 18;
        table.words("j-mahjong-faint", [ASIDE, line], 12, info.name);
        let factor = format!("× {factor}");
        table.add(text("j-mahjong-faint", [WIDTH - 28, line], 12, Anchor::End, factor));
    }
}

/// The last event, and the parts of a win.
fn footer(table: &mut Table, round: &Round, view: View) {
    let y = FELT[0] + FELT[1] + 152;
    let sentence = news(round, view);
    table.words("j-ink j-mahjong-strong", [MARGIN + 4, y], 16, capitalized(&sentence));
    let Some((winner, faan)) = round.winner() else { return };
    let made_of = match rack::winning(round, winner).filter(|_| view.sees(winner)) {
        Some((_, score)) => format!(" ({})", rack::factors(&score, round.rules())),
        None => String::new(),
    };
    let left = round.wall().left();
    let points = round_score(faan, left);
    let sum = format!("3 × {faan} faan{made_of} + {left} tiles left = {points} points");
    table.words("j-muted", [MARGIN + 4, y + 22], 14, sum);
}

#[cfg(test)]
mod tests;
