//! Pointing at the offer and at the quilt: the patch, its orientation, and the place of its first
//! square, the one with its letter. Advancing is chosen by its word.

use super::{MARGIN, SIZE, offer, quilt};
use crate::patchwork::notation::line_letter;
use crate::patchwork::{Move, Patch, Placement, Position, SIDE};
use crate::{Choice, Choices, Target};
use judge_core::Seat;

/// The cards of the patches on offer, and the squares of the quilt of the side on move.
pub(in crate::patchwork) fn targets(position: &Position) -> Vec<Target> {
    let cards = (0..).zip(position.offer().iter()).map(|(index, patch)| {
        let [at, size] = offer::card_place(index);
        Target { part: patch.to_string(), at, size }
    });
    let left = match position.turn() {
        Seat::One => MARGIN,
        Seat::Two => SIZE[0] - MARGIN - quilt::WIDTH,
    };
    let squares = (0..SIDE).flat_map(|row| (0..SIDE).map(move |column| (column, row)));
    let squares = squares.map(|square| {
        let [at, size] = quilt::square_place(square, left);
        Target { part: square_part(square), at, size }
    });
    cards.chain(squares).collect()
}

/// The parts that may follow the chosen ones.
pub(in crate::patchwork) fn choices(position: &Position, chosen: &[String]) -> Choices {
    let placements = position.moves().filter_map(|made| match made {
        Move::Place(placement) => Some((made, parts(&placement))),
        Move::Advance => None,
    });
    let mut choices = Choices::among(placements, chosen);
    if position.moves().any(|made| made == Move::Advance) {
        match chosen {
            [] => choices.add(Choice::new(".", "advance")),
            [one] if one == "." => choices.answer = Some(one.clone()),
            _ => {}
        }
    }
    choices
}

/// The patch, its orientation, the place of its first square.
fn parts(placement: &Placement) -> [Choice; 3] {
    let Placement { patch, orientation, .. } = placement;
    let letter = orientation.letter();
    let turned = Choice {
        shape: Some(drawing(placement)),
        ..Choice::new(format!("turned {letter}"), format!("orientation {letter}"))
    };
    let first = placement.squares().iter().next().unwrap_or_default();
    let place = square_part(first);
    let words = format!("its first square on column {}, row {}", &place[..1], &place[1..]);
    [Choice::new(patch.to_string(), name(*patch)), turned, Choice::new(place, words)]
}

fn name(patch: Patch) -> String {
    match patch {
        Patch::SPECIAL => "special patch".to_owned(),
        _ => format!("patch {patch}"),
    }
}

/// A square as the letters of its column and its row.
fn square_part((column, row): (u8, u8)) -> String {
    [column, row].map(line_letter).into_iter().collect()
}

/// The shape in that orientation, in rows.
fn drawing(placement: &Placement) -> String {
    let shape = placement.shape();
    let row = |row| -> String {
        let filled = |column| if shape.squares.contains(column, row) { '#' } else { '.' };
        (0..shape.width).map(filled).collect()
    };
    (0..shape.height).map(row).collect::<Vec<_>>().join("/")
}
