//! A state as text for a terminal, and as a picture.

use svg::node::element::Circle;

use super::round::Round;
use crate::picture::{Anchor, document, finish, seat_class, text};

/// A row of dots for each heap, and the player to move.
pub(super) fn frame(round: &Round) -> String {
    let rows: Vec<String> =
        (1..).zip(round.heaps().0).map(|(heap, size)| row(heap, size)).collect();
    format!("{}seat {} to move\n", rows.concat(), round.turn())
}

fn row(heap: i32, size: u32) -> String {
    format!("{}\n", format!("{heap}  {}", "o".repeat(size as usize)).trim_end())
}

/// The same as a picture: a column for each heap.
pub(super) fn svg(round: &Round) -> String {
    let mut picture = document(240, 220, "Nim", "");
    for (heap, size) in (1..).zip(round.heaps().0) {
        let x = 60 * heap;
        let stones = (1..).zip(0..size).map(|(place, _)| {
            let circle = Circle::new().set("class", seat_class(round.turn()));
            circle.set("cx", x).set("cy", 200 - 22 * place).set("r", 10)
        });
        picture = stones.fold(picture, svg::Document::add);
        picture = picture.add(text("j-muted", [x, 212], 14, Anchor::Middle, heap.to_string()));
    }
    finish(&picture)
}
