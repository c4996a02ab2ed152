//! The picture of a hand: sorted, the drawn tile at a distance, a winning hand as its melds.

use judge_core::Seat;

use super::{FELT, LARGE, MARGIN, PANEL, Table, WIDTH, tiles_seen_held};
use crate::View;
use crate::mahjong::reading::groups;
use crate::mahjong::round::{Ending, Phase};
use crate::mahjong::{Hand, Pattern, Round, Rules, Score, Tile, distance, score};
use crate::picture::{Anchor, rectangle, seat_class, text};

const HEIGHT: i32 = 108;

/// Distance from one tile to the next.
const STEP: i32 = LARGE + 2;

/// Width of a tile in a hand that is shown by its melds.
const NARROW: i32 = LARGE - 3;

/// Space between separate parts.
const GAP: i32 = 12;

/// Tiles of a hand without the one drawn.
const HELD: usize = 13;

/// Distance from the top of a panel to its tiles.
const BELOW_NAME: i32 = 38;

/// Top of a seat's panel.
fn top(seat: Seat) -> i32 {
    match seat {
        Seat::One => FELT[0] + FELT[1] + 12,
        Seat::Two => MARGIN,
    }
}

/// The panel of a seat, with its hand as the view allows.
pub(super) fn draw(table: &mut Table, round: &Round, seat: Seat, view: View) {
    let top = top(seat);
    table.add(rectangle("j-panel", [MARGIN, top], [PANEL, HEIGHT]).set("rx", 12));
    if won(round, seat) {
        let size = [PANEL - 4, HEIGHT - 4];
        table.add(rectangle("j-mahjong-gold", [MARGIN + 2, top + 2], size).set("rx", 10));
    }
    table.add(rectangle(seat_class(seat), [MARGIN + 14, top + 13], [14, 14]).set("rx", 7));
    table.words("j-ink j-mahjong-strong", [MARGIN + 36, top + 26], 16, format!("Seat {seat}"));
    if let Some(role) = role(round, seat) {
        table.words("j-muted", [MARGIN + 104, top + 26], 14, role);
    }
    if let Some(note) = note(round, seat, view) {
        table.add(text("j-muted", [WIDTH - 28, top + 26], 14, Anchor::End, note));
    }
    let y = top + BELOW_NAME;
    match winning(round, seat).filter(|_| won(round, seat)) {
        _ if !view.sees(seat) => face_down(table, tiles_seen_held(round, seat), y),
        Some((tile, score)) => melds(table, round.hand(seat), tile, &score, y),
        None => sorted(table, round, seat, y),
    }
}

/// The present role of a seat.
fn role(round: &Round, seat: Seat) -> Option<&'static str> {
    match round.phase() {
        Phase::Over(_) => won(round, seat).then_some("wins"),
        Phase::Deal(_) => None,
        _ => (round.turn() == seat).then_some("on turn"),
    }
}

/// True if a seat has won.
fn won(round: &Round, seat: Seat) -> bool {
    round.winner().is_some_and(|(winner, _)| winner == seat)
}

/// Distance of a hand, for viewers who see it.
fn note(round: &Round, seat: Seat, view: View) -> Option<String> {
    if !view.sees(seat) {
        return Some("hidden".to_owned());
    }
    let hand = round.hand(seat);
    (hand.len() >= HELD && !won(round, seat)).then(|| match distance(hand) {
        ..=0 => "ready".to_owned(),
        missing => format!("{missing} from ready"),
    })
}

fn place(at: usize, y: i32) -> [i32; 2] {
    let apart = if at >= HELD { GAP } else { 0 };
    [MARGIN + 14 + at as i32 * STEP + apart, y]
}

fn face_down(table: &mut Table, tiles: usize, y: i32) {
    (0..tiles).for_each(|at| table.tile(None, place(at, y), LARGE));
}

/// The sorted hand; the drawn tile is at a distance, in gold when it may win.
fn sorted(table: &mut Table, round: &Round, seat: Seat, y: i32) {
    let (hand, drawn) = apart(round, seat);
    for (at, tile) in hand.iter().enumerate() {
        table.tile(Some(tile), place(at, y), LARGE);
    }
    if let Some(tile) = drawn {
        table.tile(Some(tile), place(HELD, y), LARGE);
        let wins = matches!(round.phase(), Phase::OfferDraw(..));
        let class = if wins { "j-mahjong-gold" } else { "j-mahjong-fresh" };
        table.mark(class, place(HELD, y), LARGE);
    }
}

/// The hand without the tile just drawn, and that tile.
fn apart(round: &Round, seat: Seat) -> (Hand, Option<Tile>) {
    let mut hand = *round.hand(seat);
    let drawn = match round.phase() {
        Phase::Drawn(tile) | Phase::OfferDraw(tile, _) if round.turn() == seat => Some(tile),
        Phase::Discard(tile) if round.turn() == seat => {
            Some(tile).filter(|tile| hand.remove(*tile))
        }
        _ => None,
    };
    (hand, drawn)
}

/// The tiles of an open hand, with their places.
#[cfg(feature = "pointing")]
pub(super) fn tiles_with_places(round: &Round, seat: Seat) -> Vec<(Tile, [i32; 2])> {
    let (hand, drawn) = apart(round, seat);
    let y = top(seat) + BELOW_NAME;
    let drawn = drawn.map(|tile| (tile, place(HELD, y)));
    let hand = hand.iter().enumerate().map(|(at, tile)| (tile, place(at, y)));
    hand.chain(drawn).collect()
}

/// The tile that a seat has won by, or may win by, and the score.
pub(super) fn winning(round: &Round, seat: Seat) -> Option<(Tile, Score)> {
    let (winner, tile) = match round.phase() {
        Phase::OfferDraw(tile, _) | Phase::Over(Ending::SelfDraw(tile, _)) => (round.turn(), tile),
        Phase::OfferDiscard(tile, _) | Phase::Over(Ending::Discard(tile, _)) => {
            (round.turn().other(), tile)
        }
        _ => return None,
    };
    let mut hand = *round.hand(seat);
    let complete = winner == seat && hand.insert(tile).is_ok();
    complete.then(|| score(&hand, round.rules())).flatten().map(|score| (tile, score))
}

/// A winning hand in its melds and pairs; the tile that completed it in gold.
fn melds(table: &mut Table, hand: &Hand, tile: Tile, score: &Score, y: i32) {
    let mut hand = *hand;
    hand.add(tile);
    let melds = groups(&hand, score.form);
    let gap = if melds.len() > 5 { GAP / 2 } else { GAP };
    let mut x = MARGIN + 14;
    let mut unmarked = true;
    for meld in &melds {
        for part in meld.iter().copied() {
            table.tile(Some(part), [x, y], NARROW);
            if part == tile && std::mem::take(&mut unmarked) {
                table.mark("j-mahjong-gold", [x, y], NARROW);
            }
            x += NARROW + 2;
        }
        x += gap;
    }
}

/// The factors of a win: `Full Flush × 4, Root × 2`.
pub(super) fn factors(score: &Score, rules: &Rules) -> String {
    let roots = (0..score.roots).map(|_| Pattern::Root);
    let factors: Vec<String> = score
        .patterns()
        .chain(roots)
        .map(|pattern| format!("{} × {}", pattern.info().name, rules.factor(pattern)))
        .collect();
    if factors.is_empty() { "a plain hand".to_owned() } else { factors.join(", ") }
}
