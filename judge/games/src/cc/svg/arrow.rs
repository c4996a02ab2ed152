//! The last move: a line through all squares that the man landed on, with a head at the end.

use svg::node::element::{Group, Polygon, Polyline};

use super::board::Board;
use super::circle;
use crate::cc::Square;

/// The arrow along these squares; it ends before the man on the last one.
pub(super) fn arrow(board: Board, squares: &[Square]) -> Group {
    let mut points: Vec<[i32; 2]> = squares.iter().map(|square| board.middle(*square)).collect();
    let [.., before, end] = points[..] else { return Group::new() };
    let heading = Heading::from(before, end);
    let tip = heading.back(end, board.radius());
    let neck = heading.back(tip, head(board));
    points.pop();
    let stops = points.clone();
    points.push(neck);
    let width = (board.cell / 18).max(3);
    let line = |class: &str, width: i32| {
        let line = Polyline::new().set("class", class).set("points", joined(&points));
        line.set("stroke-width", width)
            .set("stroke-linejoin", "round")
            .set("stroke-linecap", "round")
    };
    let side = head(board) * 3 / 5;
    let corners = [tip, heading.aside(neck, side), heading.aside(neck, -side)];
    let group = Group::new()
        .add(line("j-cc-halo", width + 4))
        .add(line("j-cc-arrow", width))
        .add(Polygon::new().set("class", "j-ink").set("points", joined(&corners)));
    stops
        .into_iter()
        .fold(group, |group, at| group.add(circle(at, width * 3 / 2).set("class", "j-ink")))
}

/// Length of the arrow's head.
fn head(board: Board) -> i32 {
    (board.cell / 5).max(10)
}

fn joined(points: &[[i32; 2]]) -> String {
    let points: Vec<String> = points.iter().map(|[x, y]| format!("{x},{y}")).collect();
    points.join(" ")
}

/// One of the eight directions of a move: -1, 0 or 1 to the right and down.
#[derive(Clone, Copy)]
struct Heading {
    right: i32,
    down: i32,
}

impl Heading {
    fn from([x, y]: [i32; 2], [to_x, to_y]: [i32; 2]) -> Heading {
        Heading { right: (to_x - x).signum(), down: (to_y - y).signum() }
    }

    /// The distance in whole units: on a diagonal, seven tenths each way are close enough.
    fn reach(self, distance: i32) -> i32 {
        if self.right != 0 && self.down != 0 { distance * 7 / 10 } else { distance }
    }

    fn back(self, [x, y]: [i32; 2], distance: i32) -> [i32; 2] {
        let reach = self.reach(distance);
        [x - self.right * reach, y - self.down * reach]
    }

    fn aside(self, [x, y]: [i32; 2], distance: i32) -> [i32; 2] {
        let reach = self.reach(distance);
        [x - self.down * reach, y + self.right * reach]
    }
}
