//! The state of a round as a picture: the board with the last move, and a bar for each side with
//! its counts.

mod shapes;
#[cfg(feature = "pointing")]
pub(super) mod targets;

use svg::Document;
use svg::node::element::{Group, Line, Polygon};

use super::position::{Move, Position, Side};
use super::square::Square;
use super::territory::{Regions, Territory, reached_first};
use super::{Round, render};
use crate::picture::{Anchor, document, finish, rectangle, seat_class, text};
use shapes::Shape;

/// Most width and height of the board; that of a square is a whole number.
const BOARD: i32 = 480;

/// Free space around the board, with the coordinates.
const MARGIN: i32 = 36;

/// Height of a side's bar.
const BAR: i32 = 48;

/// The picture of a round.
pub(super) fn picture(round: &Round) -> String {
    let layout = Layout::from_position(round.position());
    let title = format!("Game of the Amazons: {}", render::news(round));
    let picture = document(layout.width(), layout.height(), &title, shapes::STYLE)
        .add(shapes::definitions())
        .add(bar(round, Side::Black, &layout))
        .add(bar(round, Side::White, &layout));
    let picture = coordinates(board(picture, round, &layout), &layout);
    let Some(told) = render::last(round) else { return finish(&picture) };
    let below = [layout.width() / 2, layout.height() - 14];
    finish(&picture.add(text("j-muted", below, 14, Anchor::Middle, told)))
}

/// Positions of the parts.
struct Layout {
    /// Columns and rows of the board.
    size: u8,
    /// Width and height of a square.
    cell: i32,
}

impl Layout {
    fn from_position(position: &Position) -> Layout {
        Layout { size: position.size(), cell: BOARD / i32::from(position.size()) }
    }

    fn side(&self) -> i32 {
        self.cell * i32::from(self.size)
    }

    fn width(&self) -> i32 {
        self.side() + 2 * MARGIN
    }

    /// Top of the board below Black's bar.
    fn top(&self) -> i32 {
        BAR + 24
    }

    fn height(&self) -> i32 {
        self.top() + self.side() + MARGIN + BAR + 36
    }

    /// The upper left corner of a square.
    fn corner(&self, square: Square) -> [i32; 2] {
        let from_top = self.size - 1 - square.row();
        let [x, y] = [square.column(), from_top].map(|number| i32::from(number) * self.cell);
        [MARGIN + x, self.top() + y]
    }

    fn centre(&self, square: Square) -> [i32; 2] {
        self.corner(square).map(|corner| corner + self.cell / 2)
    }

    fn squares(&self) -> impl Iterator<Item = Square> {
        let size = self.size;
        (0..size).flat_map(move |row| (0..size).filter_map(move |column| Square::new(column, row)))
    }
}

/// Adds the squares, the pieces on them, and the last move.
fn board(picture: Document, round: &Round, layout: &Layout) -> Document {
    let position = round.position();
    let regions = Regions::from_position(position);
    let mut picture = picture;
    for square in layout.squares() {
        let dark = (square.column() + square.row()).is_multiple_of(2);
        let class = if dark { "j-amazons-dark" } else { "j-amazons-light" };
        picture = picture.add(tile(class, square, layout));
        if let Some(owner) = regions.owner(square) {
            let class = format!("j-amazons-tint {}", seat_class(owner.seat()));
            picture = picture.add(tile(&class, square, layout));
        }
    }
    for square in round.last().iter().flat_map(|last| [last.from, last.to]) {
        picture = picture.add(tile("j-amazons-last", square, layout));
    }
    let arrow = round.last().map(|last| last.arrow);
    for square in layout.squares().filter(|square| !position.is_empty(*square)) {
        let (shape, class) = match position.amazon_at(square) {
            Some(side) => (Shape::Amazon, piece_class(side)),
            None if arrow == Some(square) => (Shape::Fire, "j-amazons-burnt"),
            None => (Shape::Ashes, "j-amazons-burnt"),
        };
        picture = picture.add(shape.at(class, layout.corner(square), layout.cell));
    }
    match round.last() {
        None => picture,
        Some(last) => picture.add(way(last, layout)),
    }
}

fn tile(class: &str, square: Square, layout: &Layout) -> svg::node::element::Rectangle {
    rectangle(class, layout.corner(square), [layout.cell; 2])
}

fn piece_class(side: Side) -> &'static str {
    ["j-amazons-white", "j-amazons-black"][side.index()]
}

/// The way of the amazon, and the flight of its arrow with a head at the burnt square's edge.
fn way(last: Move, layout: &Layout) -> Group {
    let [from, to, arrow] = [last.from, last.to, last.arrow].map(|square| layout.centre(square));
    let direction = [0, 1].map(|axis| (arrow[axis] - to[axis]).signum());
    // Both lines leave space for the amazon between them.
    let clear = layout.cell * 2 / 5;
    let travel = [0, 1].map(|axis| (to[axis] - from[axis]).signum());
    let landing = [0, 1].map(|axis| to[axis] - travel[axis] * clear);
    let start = [0, 1].map(|axis| to[axis] + direction[axis] * clear);
    let tip = [0, 1].map(|axis| arrow[axis] - direction[axis] * clear * 3 / 4);
    let neck = [0, 1].map(|axis| tip[axis] - direction[axis] * layout.cell / 6);
    Group::new()
        .add(line("j-amazons-way", from, landing, layout).set("stroke-dasharray", dashes(layout)))
        .add(line("j-amazons-shot", start, neck, layout))
        .add(head(tip, direction, layout.cell))
}

fn dashes(layout: &Layout) -> String {
    format!("1 {}", layout.cell / 6)
}

fn line(class: &str, from: [i32; 2], to: [i32; 2], layout: &Layout) -> Line {
    let line = Line::new().set("class", class).set("stroke-width", (layout.cell / 14).max(2));
    line.set("x1", from[0]).set("y1", from[1]).set("x2", to[0]).set("y2", to[1])
}

/// The head of an arrow that flies in a direction.
fn head(tip: [i32; 2], [east, south]: [i32; 2], cell: i32) -> Polygon {
    // A step along a diagonal is some 7/5 as long as one along a row.
    let long = if east != 0 && south != 0 { cell * 5 / 28 } else { cell / 4 };
    let wide = long / 2;
    let [x, y] = [tip[0] - east * long, tip[1] - south * long];
    let [one, two] = [wide, -wide].map(|wide| format!("{},{}", x - south * wide, y + east * wide));
    let points = format!("{},{} {one} {two}", tip[0], tip[1]);
    Polygon::new().set("class", "j-amazons-head").set("points", points)
}

/// Adds letters below the board and numbers next to it.
fn coordinates(picture: Document, layout: &Layout) -> Document {
    (0..layout.size).filter_map(|at| Square::new(at, at)).fold(picture, |picture, square| {
        let [x, y] = layout.centre(square);
        let letter = char::from(b'a' + square.column()).to_string();
        let below = [x, layout.top() + layout.side() + 19];
        let beside = [MARGIN - 9, y + 5];
        picture.add(text("j-muted", below, 14, Anchor::Middle, letter)).add(text(
            "j-muted",
            beside,
            14,
            Anchor::End,
            (square.row() + 1).to_string(),
        ))
    })
}

/// A bar with a side's name, its role if it is on turn or has won, and its counts.
fn bar(round: &Round, side: Side, layout: &Layout) -> Group {
    let top = match side {
        Side::Black => 12,
        Side::White => layout.top() + layout.side() + MARGIN,
    };
    let base = top + BAR / 2 + 5;
    let width = layout.width() - 2 * MARGIN;
    let panel = rectangle("j-panel", [MARGIN, top], [width, BAR]).set("rx", 8);
    let group = Group::new()
        .add(panel)
        .add(Shape::Amazon.at(piece_class(side), [MARGIN + 8, top + 8], BAR - 16))
        .add(text(
            "j-ink j-amazons-strong",
            [MARGIN + 50, base],
            17,
            Anchor::Start,
            side.to_string(),
        ))
        .add(text(
            "j-muted",
            [MARGIN + 114, base],
            15,
            Anchor::Start,
            role(round.position(), side),
        ));
    let position = round.position();
    let Territory { white, black, .. } = Territory::from_position(position);
    let own = [white, black][side.index()];
    let first = reached_first(position)[side.index()];
    let right = MARGIN + width - 16;
    let tint = format!("j-amazons-tint {}", seat_class(side.seat()));
    group
        .add(rectangle(&tint, [right - 210, top + BAR / 2 - 8], [16, 16]))
        .add(text("j-ink", [right - 186, base], 15, Anchor::Start, format!("{own} own")))
        .add(text("j-ink", [right, base], 15, Anchor::End, format!("{first} reached first")))
}

/// The present role of a side.
fn role(position: &Position, side: Side) -> &'static str {
    match position.winner() {
        Some(winner) if winner == side => "has won",
        Some(_) => "cannot move",
        None if position.to_move() == side => "to move",
        None => "",
    }
}
