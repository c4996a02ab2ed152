//! The time track in two rows, with the rewards of its squares and both tokens.

use judge_core::Seat;
use svg::node::element::Group;

use super::SIZE;
use super::cloth::disc;
use crate::patchwork::{Position, track};
use crate::picture::{Anchor, rectangle, seat_class, text};

/// Side of a square.
const CELL: i32 = 33;

/// Number of squares in a row.
const ROW: i32 = 27;

/// Distance from one row to the next.
const STEP: i32 = CELL + 5;

/// Radius of a token: when both are on one square, both numbers must be readable.
const RADIUS: i32 = 9;

/// The track under a line that explains it.
pub(super) fn track(position: &Position, top: i32) -> Group {
    let legend = "Time: a button pays the income, leather gives a special patch to the first there";
    let left = left();
    let group = Group::new().add(text("j-ink", [left, top], 15, Anchor::Start, legend));
    let top = top + 12;
    let group = (0..=track::LAST)
        .fold(group, |group, number| group.add(square(position, number, corner(number, top))));
    // When both are on one square, the token of the side on move covers the other.
    let [below, above] = [position.turn().other(), position.turn()];
    group.add(token(position, below, top)).add(token(position, above, top))
}

/// Left edge of the rows.
pub(super) fn left() -> i32 {
    (SIZE[0] - ROW * CELL) / 2
}

/// Top left corner of a square.
fn corner(number: u8, top: i32) -> [i32; 2] {
    let number = i32::from(number);
    [left() + number % ROW * CELL, top + number / ROW * STEP]
}

/// A square with its number, and its reward.
fn square(position: &Position, number: u8, [x, y]: [i32; 2]) -> Group {
    let pays = track::INCOME.contains(&number);
    // A large number would cover the reward.
    let class = match pays || track::SPECIAL.contains(&number) {
        true => "j-muted j-patchwork-aside",
        false => "j-muted j-patchwork-tick",
    };
    let group = Group::new()
        .add(rectangle(if pays { "j-patchwork-income" } else { "j-panel" }, [x, y], [CELL; 2]))
        .add(rectangle("j-line", [x, y], [CELL; 2]))
        .add(text(class, [x + 3, y + 10], 9, Anchor::Start, number.to_string()));
    let reached = Seat::BOTH.into_iter().any(|seat| position.side(seat).time >= number);
    match (pays, track::SPECIAL.contains(&number)) {
        (true, _) => group.add(disc("j-patchwork-button", [x + 17, y + 20], 6)),
        (_, true) => {
            let class = if reached { "j-patchwork-gone" } else { "j-patchwork-leather" };
            group.add(rectangle(class, [x + 9, y + 13], [15; 2]))
        }
        _ => group,
    }
}

/// The token of a player.
fn token(position: &Position, seat: Seat, top: i32) -> Group {
    let [one, two] = Seat::BOTH.map(|seat| position.side(seat).time);
    let [x, y] = corner(position.side(seat).time, top);
    let aside = match seat {
        _ if one != two => 0,
        Seat::One => -7,
        Seat::Two => 7,
    };
    let middle = [x + CELL / 2 + aside, y + 20];
    let number = text("j-on", [middle[0], middle[1] + 5], 13, Anchor::Middle, seat.to_string());
    Group::new().add(disc(seat_class(seat), middle, RADIUS)).add(number)
}
