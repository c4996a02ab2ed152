//! A tile as a disc in the colour of its side: the letter, and the strength below it. Leaders have
//! a ring, weavers a dashed one.

use judge_core::Seat;
use svg::node::element::{Circle, Group};

use crate::agamemnon::Kind;
use crate::picture::{Anchor, seat_class, text};

/// A circle of a class.
pub(super) fn circle(class: &str, [x, y]: [i32; 2], radius: i32) -> Circle {
    Circle::new().set("class", class).set("cx", x).set("cy", y).set("r", radius)
}

/// A tile.
pub(super) fn tile(seat: Seat, kind: Kind, [x, y]: [i32; 2], radius: i32) -> Group {
    let mut group = Group::new().add(circle(seat_class(seat), [x, y], radius));
    if let Some(class) = ring(kind) {
        group = group.add(circle(class, [x, y], radius - 3));
    }
    let letter = |below: i32| {
        let (at, size) = ([x, y + below], radius * 9 / 10);
        text("j-on", at, size, Anchor::Middle, kind.letter().to_string())
    };
    if kind.strength() == 0 {
        return group.add(letter(radius * 3 / 10));
    }
    let (below, size) = ([x, y + radius * 3 / 4], radius * 11 / 20);
    let strength = text("j-on", below, size, Anchor::Middle, kind.strength().to_string());
    group.add(letter(0)).add(strength)
}

/// A tile that is hidden from this view.
pub(super) fn hidden(seat: Seat, [x, y]: [i32; 2], radius: i32) -> Group {
    let mark = text("j-on", [x, y + radius * 4 / 10], radius, Anchor::Middle, "?");
    Group::new().add(circle(seat_class(seat), [x, y], radius)).add(mark)
}

/// The mark of leaders and weavers.
pub(super) fn ring(kind: Kind) -> Option<&'static str> {
    match kind.rank() {
        Some(_) => Some("j-agamemnon-leader"),
        None => kind.is_weaver().then_some("j-agamemnon-weaver"),
    }
}
