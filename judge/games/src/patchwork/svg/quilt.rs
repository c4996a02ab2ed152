//! The quilt of one player, below a heading with the player's buttons and income.

use judge_core::Seat;
use svg::node::element::{Group, Path};

use super::cloth::{Grid, disc, letter, patch};
use super::{is_on_move, signed};
use crate::patchwork::squares::SIDE;
use crate::patchwork::{Move, Position, Round};
use crate::picture::{Anchor, rectangle, seat_class, text};

/// Side of a square.
const CELL: i32 = 34;

/// Space for the letters of the rows.
const LETTERS: i32 = 18;

/// Side of all squares together.
const CLOTH: i32 = CELL * SIDE as i32;

/// Width with the letters of the rows.
pub(super) const WIDTH: i32 = LETTERS + CLOTH;

/// Top of the squares.
pub(super) const TOP: i32 = 96;

/// The quilt with its heading and letters, from `left` on.
pub(super) fn quilt(round: &Round, seat: Seat, left: i32) -> Group {
    let grid = Grid { corner: [left + LETTERS, TOP], cell: CELL };
    let group = letters(heading(round.position(), seat, left + LETTERS), grid.corner)
        .add(rectangle("j-panel", grid.corner, [CLOTH, CLOTH]))
        .add(Path::new().set("class", "j-line").set("d", squares(grid.corner)));
    let own = round.moves().iter().enumerate().filter(|(_, (mover, _))| *mover == seat);
    own.fold(group, |group, (index, (_, made))| match made {
        Move::Advance => group,
        Move::Place(placement) => {
            let last = index + 1 == round.moves().len();
            let hem = if last { "j-patchwork-new" } else { "j-patchwork-hem" };
            let (kind, squares) = (placement.patch, placement.squares());
            let group = group.add(patch(kind, squares, grid, hem));
            letter(kind, squares, grid).into_iter().fold(group, Group::add)
        }
    })
}

/// The place and size of a square of a quilt that begins at `left`.
#[cfg(feature = "pointing")]
pub(super) fn square_place((column, row): (u8, u8), left: i32) -> [[i32; 2]; 2] {
    let [x, y] = [column, row].map(|number| i32::from(number) * CELL);
    [[left + LETTERS + x, TOP + y], [CELL; 2]]
}

/// The seat, its status, its score, and its buttons and income.
fn heading(position: &Position, seat: Seat, left: i32) -> Group {
    let side = position.side(seat);
    let noun = if side.buttons == 1 { "button" } else { "buttons" };
    let holding = format!("{} {noun}, income {}", side.buttons, side.income);
    let bonus = if position.block_bonus(seat) > 0 { ", 7×7 block" } else { "" };
    let score = format!("score {}", signed(position.score(seat)));
    let (right, class) = (left + CLOTH, seat_class(seat));
    let group = Group::new()
        .add(disc(class, [left + 11, 29], 11))
        .add(text("j-on", [left + 11, 34], 14, Anchor::Middle, seat.to_string()))
        .add(text(class, [left + 30, 36], 20, Anchor::Start, format!("Seat {seat}")))
        .add(text("j-ink", [right, 36], 20, Anchor::End, score))
        .add(text("j-ink", [left, 64], 15, Anchor::Start, holding + bonus));
    match status(position, seat) {
        Some(status) => {
            let class = format!("{class} j-patchwork-aside");
            group.add(text(&class, [right, 64], 15, Anchor::End, status))
        }
        None => group,
    }
}

/// The next action of the player, or its result.
fn status(position: &Position, seat: Seat) -> Option<&'static str> {
    match position.winner() {
        Some(winner) => (winner == seat).then_some("has won"),
        None if !is_on_move(position, seat) => None,
        None if position.special_pending() => Some("lays a special patch"),
        None => Some("is on move"),
    }
}

/// Adds the letters of the columns and rows.
fn letters(group: Group, [left, top]: [i32; 2]) -> Group {
    ('A'..='I').zip(0..).fold(group, |group, (letter, index)| {
        let middle = index * CELL + CELL / 2;
        let (above, before) = ([left + middle, top - 6], [left - 12, top + middle + 4]);
        let letter = |at| text("j-muted", at, 12, Anchor::Middle, letter.to_string());
        group.add(letter(above)).add(letter(before))
    })
}

/// The lines of the empty squares.
fn squares([left, top]: [i32; 2]) -> String {
    let line = |index| {
        let (x, y) = (left + index * CELL, top + index * CELL);
        format!("M{x} {top}v{CLOTH}M{left} {y}h{CLOTH}")
    };
    (0..=i32::from(SIDE)).map(line).collect()
}
