//! The board: squares with their numbers, the two corners to reach, the men.

use judge_core::Seat;
use svg::node::element::{Group, Line, Path};

use super::{arrow, circle, line_class};
use crate::cc::contest::Last;
use crate::cc::position::all_squares;
use crate::cc::{Contest, Position, Square};
use crate::picture::{Anchor, rectangle, seat_class, text};

/// Side of the largest board that fits.
const SIDE: i32 = 640;

/// Top left of the board.
const ORIGIN: [i32; 2] = [40, 44];

/// Places of the squares in the picture.
#[derive(Clone, Copy)]
pub(super) struct Board {
    /// Side of a square.
    pub(super) cell: i32,
    size: u8,
}

impl Board {
    /// The board of a position.
    pub(super) fn new(position: &Position) -> Board {
        Board { cell: SIDE / i32::from(position.size()), size: position.size() }
    }

    fn corner(self, square: Square) -> [i32; 2] {
        let [left, top] = ORIGIN;
        [left + self.cell * i32::from(square.column()), top + self.cell * i32::from(square.row())]
    }

    /// The centre of a square.
    pub(super) fn middle(self, square: Square) -> [i32; 2] {
        self.corner(square).map(|at| at + self.cell / 2)
    }

    /// Radius of a man.
    pub(super) fn radius(self) -> i32 {
        self.cell * 19 / 50
    }

    /// The empty board.
    pub(super) fn squares(self) -> Group {
        let edge = [self.cell * i32::from(self.size); 2];
        let group =
            Group::new().add(rectangle("j-cc-light", ORIGIN, edge)).add(self.dark_squares());
        let group = (0..self.size).fold(group, |group, at| self.numbers(group, at));
        group.add(rectangle("j-cc-edge", ORIGIN, edge))
    }

    /// Every other square, all in one path.
    fn dark_squares(self) -> Path {
        let dark = all_squares(self.size).filter(|at| (at.row() + at.column()) % 2 == 1);
        let outlines = dark.map(|at| {
            let ([x, y], side) = (self.corner(at), self.cell);
            format!("M{x} {y}h{side}v{side}h-{side}z")
        });
        Path::new().set("class", "j-cc-dark").set("d", outlines.collect::<String>())
    }

    /// The number of a row and of a column.
    fn numbers(self, group: Group, at: u8) -> Group {
        let [left, top] = ORIGIN;
        let along = self.cell * i32::from(at) + self.cell / 2;
        let number = |point, anchor| text("j-muted", point, 16, anchor, at.to_string());
        group
            .add(number([left + along, top - 12], Anchor::Middle))
            .add(number([left - 12, top + along + 6], Anchor::End))
    }

    /// The target corner of a side, in its colour.
    fn target(self, seat: Seat) -> Group {
        let [x, y] = self.corner(Square::target(seat, self.size));
        let width = self.cell / 16;
        let side = [self.cell - width; 2];
        let frame = line_class(seat);
        let at = [x + width / 2, y + width / 2];
        Group::new()
            .add(rectangle(seat_class(seat), [x, y], [self.cell; 2]).set("opacity", ".22"))
            .add(rectangle(frame, at, side).set("stroke-width", width))
    }

    /// The two corners and the men, and above and below them the traces of the last move.
    pub(super) fn men(self, contest: &Contest) -> Group {
        let position = contest.position();
        let traces = contest.last().map(|last| self.traces(last, position.turn()));
        let group = Seat::BOTH
            .into_iter()
            .fold(traces.unwrap_or_default(), |group, seat| group.add(self.target(seat)));
        let men = all_squares(self.size).filter_map(|at| Some((position.man_at(at)?, at)));
        let group = men
            .fold(group, |group, (seat, at)| group.add(man(seat, self.middle(at), self.radius())));
        match contest.last() {
            None => group,
            Some(last) => group.add(arrow::arrow(self, last.path.squares())),
        }
    }

    /// The man's old and new square, and the square where one of `victim` was captured.
    fn traces(self, last: &Last, victim: Seat) -> Group {
        let ends = [last.path.start(), last.path.end()];
        let group = ends.into_iter().fold(Group::new(), |group, at| {
            let square = rectangle("j-last", self.corner(at), [self.cell; 2]);
            group.add(square.set("opacity", ".45"))
        });
        match last.captured {
            None => group,
            Some(square) => group.add(self.taken(square, victim)),
        }
    }

    /// A captured man: a faded ring with a cross.
    fn taken(self, square: Square, seat: Seat) -> Group {
        let ([x, y], radius) = (self.middle(square), self.radius());
        let arm = radius / 2;
        let bar = |down: i32| {
            let line = Line::new().set("x1", x - arm).set("y1", y - down * arm);
            line.set("x2", x + arm).set("y2", y + down * arm)
        };
        Group::new()
            .set("class", line_class(seat))
            .set("stroke-width", self.cell / 16)
            .set("opacity", ".6")
            .add(circle([x, y], radius - 2).set("stroke-dasharray", self.cell / 8))
            .add(bar(1))
            .add(bar(-1))
    }
}

/// A man: a disc with a rim. That of seat 2 also has a dot, for viewers who see no colours.
pub(super) fn man(seat: Seat, at: [i32; 2], radius: i32) -> Group {
    let rim = circle(at, radius * 7 / 10).set("class", "j-cc-rim").set("opacity", ".5");
    let group = Group::new()
        .add(circle(at, radius).set("class", seat_class(seat)))
        .add(rim.set("stroke-width", (radius / 10).max(1)));
    match seat {
        Seat::One => group,
        Seat::Two => group.add(circle(at, radius / 4).set("class", "j-on").set("opacity", ".5")),
    }
}
