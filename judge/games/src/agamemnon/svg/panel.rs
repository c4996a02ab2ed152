//! The right side of the picture: edges won, tiles left and tiles drawn by each side, and a legend.

use judge_core::Seat;
use svg::node::element::Group;

use super::{disc, edge, net};
use crate::View;
use crate::agamemnon::progress::Phase;
use crate::agamemnon::scoring::score_by_type;
use crate::agamemnon::{Bag, BoardChoice, EdgeType, Kind, Round, side_letter};
use crate::picture::{Anchor, rectangle, seat_class, text};

const LEFT: i32 = 752;
const WIDTH: i32 = 232;
const HEIGHT: i32 = 248;
const TOPS: [i32; 2] = [16, 276];
const LEGEND_TOP: i32 = 536;

/// Everything about one side.
pub(super) fn side(round: &Round, seat: Seat, view: View) -> Group {
    let top = TOPS[seat.index()];
    let on_turn = round.mover() == seat && !round.position().is_over();
    let box_of = |class: &str| rectangle(class, [LEFT, top], [WIDTH, HEIGHT]).set("rx", 10);
    let mut group = Group::new().add(box_of("j-panel"));
    if on_turn {
        let line = ["j-one-line", "j-two-line"][seat.index()];
        group = group.add(box_of(&format!("{line} j-agamemnon-turn")));
    }
    let group = group.add(head(round, seat, top)).add(terms(round, seat, top + 70));
    let group = group.add(bag(round, seat, top + 106));
    if on_turn { group.add(draw(round, view, top + 222)) } else { group }
}

/// The side, and its points.
fn head(round: &Round, seat: Seat, top: i32) -> Group {
    let points: u32 =
        score_by_type(round.board(), round.position()).map(|won| won[seat.index()]).iter().sum();
    let letter = side_letter(seat).to_string();
    Group::new()
        .add(disc::circle(seat_class(seat), [LEFT + 30, top + 32], 17))
        .add(text("j-on", [LEFT + 30, top + 39], 20, Anchor::Middle, letter))
        .add(text("j-ink", [LEFT + 58, top + 39], 19, Anchor::Start, format!("seat {seat}")))
        .add(text("j-ink", [LEFT + WIDTH - 18, top + 45], 38, Anchor::End, points.to_string()))
}

/// The parts of its points.
fn terms(round: &Round, seat: Seat, at: i32) -> Group {
    let by_type = score_by_type(round.board(), round.position());
    let types = [EdgeType::Strength, EdgeType::Leadership, EdgeType::Force];
    (0..).zip(types).fold(Group::new(), |group, (column, kind)| {
        let left = LEFT + 20 + 70 * column;
        let group = sample(kind, [left, at]).into_iter().fold(group, Group::add);
        let won = by_type[kind.index()][seat.index()].to_string();
        group.add(text("j-ink", [left + 36, at + 5], 16, Anchor::Start, won))
    })
}

/// A short piece of an edge.
fn sample(kind: EdgeType, [x, y]: [i32; 2]) -> Vec<svg::node::element::Line> {
    edge(kind, [x, y], [x + 28, y])
}

/// The 15 tiles; tiles on the board leave an empty circle.
fn bag(round: &Round, seat: Seat, at: i32) -> Group {
    let left = Bag::from_position(round.position(), seat);
    let tiles = Kind::ALL
        .into_iter()
        .flat_map(|kind| (0..kind.supply()).map(move |copy| (kind, copy < left.count(kind))));
    (0..).zip(tiles).fold(Group::new(), |group, (number, (kind, there))| {
        let at = [LEFT + 32 + 42 * (number % 5), at + 37 * (number / 5)];
        if there {
            group.add(disc::tile(seat, kind, at, 15))
        } else {
            group.add(disc::circle("j-line", at, 12))
        }
    })
}

/// The draw of the side on turn, as far as this view shows it.
fn draw(round: &Round, view: View, at: i32) -> Group {
    let seat = round.mover();
    let tiles = drawn(round, view);
    let told = text("j-ink", [LEFT + 20, at + 6], 16, Anchor::Start, "draws");
    (0..).zip(tiles).fold(Group::new().add(told), |group, (number, kind)| {
        let at = drawn_place(seat, number);
        group.add(match kind {
            Some(kind) => disc::tile(seat, kind, at, 17),
            None => disc::hidden(seat, at, 17),
        })
    })
}

/// The centre of the tile of that number in the draw of a side.
pub(super) fn drawn_place(seat: Seat, number: i32) -> [i32; 2] {
    [LEFT + 116 + 42 * number, TOPS[seat.index()] + 222]
}

/// The tiles of the turn; `None` for hidden ones.
fn drawn(round: &Round, view: View) -> Vec<Option<Kind>> {
    let tiles = round.position().turn().map_or(0, |turn| usize::from(turn.tiles));
    let known = |at| match round.phase() {
        _ if !view.sees(round.mover()) => None,
        Phase::Offer(_, asked) if view != View::Everything && at != asked => None,
        _ => round.drawn()?.get(at),
    };
    (0..tiles).map(known).collect()
}

/// The meanings of lines and marks.
pub(super) fn legend(round: &Round) -> Group {
    let mut lines = vec![
        (EdgeType::Strength, "strength"),
        (EdgeType::Leadership, "leadership"),
        (EdgeType::Force, "force"),
    ];
    if round.rules().board == BoardChoice::Loom {
        lines.push((EdgeType::Empty, "empty"));
    }
    let group = (0..).zip(lines).fold(Group::new(), |group, (row, (kind, name))| {
        let at = [LEFT, LEGEND_TOP + 14 + 28 * row];
        let group = sample(kind, at).into_iter().fold(group, Group::add);
        group.add(text("j-ink", [at[0] + 38, at[1] + 5], 15, Anchor::Start, name))
    });
    marks(group)
}

fn marks(group: Group) -> Group {
    let left = LEFT + 150;
    let name = |row: i32, name: &str| {
        text("j-ink", [left + 22, LEGEND_TOP + 19 + 28 * row], 15, Anchor::Start, name)
    };
    let at = |row: i32| [left, LEGEND_TOP + 14 + 28 * row];
    group
        .add(disc::circle("j-muted", at(0), 11))
        .add(disc::circle("j-agamemnon-leader", at(0), 8))
        .add(name(0, "leader"))
        .add(disc::circle("j-muted", at(1), 11))
        .add(disc::circle("j-agamemnon-weaver", at(1), 8))
        .add(name(1, "weaver"))
        .add(disc::circle("j-last", at(2), 11))
        .add(name(2, "last turn"))
        .add(net::band(Seat::One, [left - 4, at(3)[1]], [left + 4, at(3)[1]]))
        .add(name(3, "won"))
}
