//! The patches not bought yet: those on offer on cards, and the others in the order of the circle.

use svg::node::element::Group;

use super::cloth::{Grid, patch};
use super::{MARGIN, SIZE, quilt, track};
use crate::patchwork::{Offer, Orientation, Patch, Position, shape};
use crate::picture::{Anchor, rectangle, text};

/// Width and height of the card of a patch on offer, and the distance from card to card.
const CARD: [i32; 2] = [SIZE[0] - 4 * MARGIN - 2 * quilt::WIDTH, 94];
const CARD_STEP: i32 = 106;

/// The same for the patches that come later.
const PLACE: [i32; 2] = [56, 68];

/// Height of their shapes, above their letters.
const SHAPE_HEIGHT: i32 = PLACE[1] - 14;

/// Number of them in a row.
const ROW: i32 = 16;

/// The patches on offer, with their printed values; those that cost too much are pale.
pub(super) fn cards(position: &Position, [left, top]: [i32; 2]) -> Group {
    let heading = match position.offer().iter().count() {
        0 => "Nothing is left",
        _ if position.is_over() => "Left over",
        _ => "On offer",
    };
    let middle = left + CARD[0] / 2;
    let group = Group::new().add(text("j-ink", [middle, 64], 15, Anchor::Middle, heading));
    let buttons = position.side(position.turn()).buttons;
    position.offer().iter().zip(0..).fold(group, |group, (patch, index)| {
        let card = card(patch, [left, top + index * CARD_STEP]);
        let dear = u16::from(patch.info().cost) > buttons;
        group.add(if dear { card.set("class", "j-patchwork-dear") } else { card })
    })
}

/// The place and size of the card with that number on the offer.
#[cfg(feature = "pointing")]
pub(super) fn card_place(index: i32) -> [[i32; 2]; 2] {
    [[quilt::WIDTH + 2 * MARGIN, quilt::TOP + index * CARD_STEP], CARD]
}

fn card(patch: Patch, [left, top]: [i32; 2]) -> Group {
    let info = patch.info();
    let words = [("cost", info.cost), ("time", info.time), ("income", info.income)];
    let group = Group::new()
        .add(rectangle("j-panel", [left, top], CARD).set("rx", 8))
        .add(text("j-ink", [left + 14, top + 30], 20, Anchor::Start, patch.to_string()))
        .add(centred(patch, [left + 14, top], [CARD[0] - 96, CARD[1]], 19));
    words.iter().zip(0..).fold(group, |group, ((name, value), line)| {
        let (y, right) = (top + 30 + 22 * line, left + CARD[0] - 14);
        group
            .add(text("j-muted j-patchwork-word", [right - 72, y], 14, Anchor::Start, *name))
            .add(text("j-ink", [right, y], 16, Anchor::End, value.to_string()))
    })
}

/// A patch in orientation `A`, centred in an area.
fn centred(which: Patch, [left, top]: [i32; 2], [width, height]: [i32; 2], cell: i32) -> Group {
    let shape = shape(which, Orientation::ALL[0]);
    let [own_width, own_height] = [shape.width, shape.height].map(|side| cell * i32::from(side));
    let corner = [left + (width - own_width) / 2, top + (height - own_height) / 2];
    patch(which, shape.squares, Grid { corner, cell }, "j-patchwork-hem")
}

/// The patches behind the offer, in the order in which the neutral token comes to them.
pub(super) fn rest(position: &Position, top: i32) -> Group {
    let left = track::left();
    let count = position.circle().ahead().skip(Offer::MOST).count();
    let heading = match count {
        0 => String::new(),
        _ if position.is_over() => "Left over, too".to_owned(),
        1 => "Then comes the last one".to_owned(),
        _ => format!("Then come {count}, in the order of the circle"),
    };
    let group = Group::new().add(text("j-ink", [left, top], 15, Anchor::Start, heading));
    let later = position.circle().ahead().skip(Offer::MOST);
    later.zip(0..).fold(group, |group, (patch, index)| {
        let corner = [left + index % ROW * PLACE[0], top + 10 + index / ROW * (PLACE[1] + 2)];
        let [x, y] = [corner[0] + PLACE[0] / 2, corner[1] + PLACE[1] - 4];
        group.add(centred(patch, corner, [PLACE[0], SHAPE_HEIGHT], 10)).add(text(
            "j-muted",
            [x, y],
            12,
            Anchor::Middle,
            patch.to_string(),
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_patch_fits_its_place() {
        for patch in Patch::ordinary() {
            let shape = shape(patch, Orientation::ALL[0]);
            for (side, most) in [(shape.width, PLACE[0]), (shape.height, SHAPE_HEIGHT)] {
                assert!(10 * i32::from(side) < most, "{patch}");
            }
        }
        assert!(2 * ROW >= (Patch::ORDINARY - Offer::MOST) as i32);
    }
}
