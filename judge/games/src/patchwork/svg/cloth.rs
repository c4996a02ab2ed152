//! One patch: its cloth, the seams between its squares, its hem, its letter and its buttons.

use std::fmt::Write as _;

use svg::node::element::{Circle, Group, Path, Text, Title};

use crate::patchwork::{Patch, Squares};
use crate::picture::{Anchor, text};

/// Number of cloths for the ordinary patches.
const CLOTHS: usize = 11;

/// Position and size of a drawn patch.
#[derive(Clone, Copy)]
pub(super) struct Grid {
    /// Top left corner of the square in column A, row A.
    pub(super) corner: [i32; 2],
    /// Side of a square.
    pub(super) cell: i32,
}

impl Grid {
    /// The top left corner of a square.
    fn corner(self, (column, row): (u8, u8)) -> [i32; 2] {
        let [x, y] = self.corner;
        [x + i32::from(column) * self.cell, y + i32::from(row) * self.cell]
    }

    /// The centre of a square.
    fn middle(self, square: (u8, u8)) -> [i32; 2] {
        self.corner(square).map(|at| at + self.cell / 2)
    }
}

/// A patch that covers these squares, with its buttons, and its price in a tooltip.
pub(super) fn patch(patch: Patch, squares: Squares, grid: Grid, hem: &'static str) -> Group {
    let info = patch.info();
    let tip = format!("{patch}: cost {}, time {}, income {}", info.cost, info.time, info.income);
    let group = Group::new()
        .add(Title::new(tip))
        .add(path(&cloth(patch), faces(squares, grid)))
        .add(path("j-patchwork-seam", lines(squares, grid, true)))
        .add(path(hem, lines(squares, grid, false)));
    // The first square has the letter; a patch has enough squares for its letter and all buttons.
    let spare = patch.squares().saturating_sub(u32::from(info.income)) as usize;
    squares.iter().skip(spare).fold(group, |group, square| group.add(button(square, grid)))
}

/// The letter of a patch on its first square, where [`patch`] leaves room for it.
pub(super) fn letter(patch: Patch, squares: Squares, grid: Grid) -> Option<Text> {
    let ([x, y], size) = (grid.middle(squares.iter().next()?), grid.cell / 2);
    let class = if patch == Patch::SPECIAL { "j-patchwork-thread" } else { "j-patchwork-letter" };
    Some(text(class, [x, y + size / 3], size, Anchor::Middle, patch.letter().to_string()))
}

/// The class of a patch's cloth.
fn cloth(patch: Patch) -> String {
    match patch {
        Patch::SPECIAL => "j-patchwork-leather".to_owned(),
        _ => format!("j-patchwork-{}", patch.index() % CLOTHS),
    }
}

fn path(class: &str, data: String) -> Path {
    // The library's own path data are floats.
    Path::new().set("class", class).set("d", data)
}

/// The button that a patch brings, in the centre of a square.
fn button(square: (u8, u8), grid: Grid) -> Circle {
    disc("j-patchwork-button", grid.middle(square), grid.cell / 6)
}

/// A disc of a class.
pub(super) fn disc(class: &str, [x, y]: [i32; 2], radius: i32) -> Circle {
    Circle::new().set("class", class).set("cx", x).set("cy", y).set("r", radius)
}

/// The squares as areas.
fn faces(squares: Squares, grid: Grid) -> String {
    let (mut data, side) = (String::new(), grid.cell);
    for square in squares.iter() {
        let [x, y] = grid.corner(square);
        // Writing into a string cannot fail.
        let _ = write!(data, "M{x} {y}h{side}v{side}h-{side}z");
    }
    data
}

/// The sides of the squares: those between two of them, or those around all.
fn lines(squares: Squares, grid: Grid, inner: bool) -> String {
    let (mut data, side) = (String::new(), grid.cell);
    for (column, row) in squares.iter() {
        let [x, y] = grid.corner((column, row));
        let inside = |column, row| squares.contains(column, row);
        let (left, above) = (column.wrapping_sub(1), row.wrapping_sub(1));
        let (right, below) = (column + 1, row + 1);
        // Each side between two squares belongs to the first of them.
        for (wanted, [x, y], direction) in [
            (inside(right, row) == inner, [x + side, y], 'v'),
            (inside(column, below) == inner, [x, y + side], 'h'),
            (!inner && !inside(left, row), [x, y], 'v'),
            (!inner && !inside(column, above), [x, y], 'h'),
        ] {
            if wanted {
                // Writing into a string cannot fail.
                let _ = write!(data, "M{x} {y}{direction}{side}");
            }
        }
    }
    data
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRID: Grid = Grid { corner: [100, 200], cell: 10 };

    fn corner() -> Squares {
        Squares::EMPTY.with(0, 1).with(1, 0).with(1, 1)
    }

    #[test]
    fn each_square_of_a_patch_is_drawn() {
        let expected = "M110 200h10v10h-10zM100 210h10v10h-10zM110 210h10v10h-10z";
        assert_eq!(faces(corner(), GRID), expected);
    }

    #[test]
    fn seams_are_inside_and_the_hem_is_around() {
        assert_eq!(lines(corner(), GRID, true), "M110 210h10M110 210v10");
        let hem = lines(corner(), GRID, false);
        assert_eq!(hem.matches('M').count(), 8, "{hem}");
    }

    #[test]
    fn letter_and_buttons_are_drawn_on_different_squares() {
        for patch in Patch::ordinary() {
            assert!(patch.squares() > u32::from(patch.info().income), "{patch}");
        }
    }
}
