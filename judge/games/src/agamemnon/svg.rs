//! The state of a game as a picture: the net with its strings of fate on the left, both sides and
//! a legend on the right.

mod disc;
pub(super) mod layout;
mod net;
mod panel;
#[cfg(feature = "pointing")]
pub(super) mod targets;

use judge_core::Seat;
use svg::node::element::Line;

use super::{EdgeType, Round, render};
use crate::View;
use crate::picture::{self, Anchor};

const WIDTH: i32 = 1000;
const HEIGHT: i32 = 720;

/// Edges differ in colour and in the kind of line.
const STYLE: &str = "\
.j-agamemnon-s{stroke:#c2323c;stroke-width:5}\
.j-agamemnon-l{stroke:#2a2a31;stroke-width:7}.j-agamemnon-core{stroke:#faf7f0;stroke-width:3}\
.j-agamemnon-f{stroke:#a87400;stroke-width:5;stroke-dasharray:10 6}\
.j-agamemnon-e{stroke:#b9b19f;stroke-width:2;stroke-dasharray:2 6}\
.j-agamemnon-won{opacity:.4;stroke-width:18;stroke-linecap:round}\
.j-agamemnon-node{fill:#faf7f0;stroke:#77736a;stroke-width:2}\
.j-agamemnon-leader{fill:none;stroke:#fff;stroke-width:2}\
.j-agamemnon-weaver{fill:none;stroke:#fff;stroke-width:2;stroke-dasharray:3 4}\
.j-agamemnon-halo{paint-order:stroke;stroke:#faf7f0;stroke-width:4;stroke-linejoin:round}\
.j-agamemnon-mark{stroke:#77736a;stroke-width:2}.j-agamemnon-turn{stroke-width:3}\
@media(prefers-color-scheme:dark){.j-agamemnon-s{stroke:#f0616b}.j-agamemnon-l{stroke:#ece9e2}\
.j-agamemnon-core{stroke:#1d1e23}.j-agamemnon-f{stroke:#e0b13a}.j-agamemnon-e{stroke:#55565f}\
.j-agamemnon-node{fill:#1d1e23;stroke:#a09c92}.j-agamemnon-leader,.j-agamemnon-weaver{stroke:#16171a}\
.j-agamemnon-halo{stroke:#1d1e23}}";

/// A picture of the game for this view.
pub(super) fn picture(round: &Round, view: View) -> String {
    let news = render::news(round, view);
    let mut picture = picture::document(WIDTH, HEIGHT, &format!("Agamemnon: {news}"), STYLE)
        .add(net::bands(round))
        .add(net::edges(round))
        .add(net::nodes(round));
    for seat in Seat::BOTH {
        picture = picture.add(panel::side(round, seat, view));
    }
    let told = picture::text("j-muted", [40, HEIGHT - 14], 16, Anchor::Start, news);
    picture::finish(&picture.add(panel::legend(round)).add(told))
}

/// An edge of a type; leadership is a double line.
fn edge(kind: EdgeType, from: [i32; 2], to: [i32; 2]) -> Vec<Line> {
    let classes: &[&str] = match kind {
        EdgeType::Strength => &["j-agamemnon-s"],
        EdgeType::Leadership => &["j-agamemnon-l", "j-agamemnon-core"],
        EdgeType::Force => &["j-agamemnon-f"],
        EdgeType::Empty => &["j-agamemnon-e"],
    };
    classes.iter().map(|class| line(from, to).set("class", *class)).collect()
}

fn line(from: [i32; 2], to: [i32; 2]) -> Line {
    Line::new().set("x1", from[0]).set("y1", from[1]).set("x2", to[0]).set("y2", to[1])
}

#[cfg(test)]
mod tests {
    use judge_core::Seed;

    use super::*;
    use crate::agamemnon::tests::games::set;
    use crate::agamemnon::{GAME, STANDARD_EDGES};
    use crate::{Game as _, GameState, Step, next_question};

    /// The first round of the golden game after so many answers, or at its end.
    fn golden(answers: usize) -> Box<dyn GameState> {
        let lines = include_str!("golden/playthrough.txt").lines();
        let mut given = lines.filter_map(|line| Some(line.split_once(" -> ")?.1)).take(answers);
        let mut running = GAME.start(&set(&[]), Seed(2019)).expect("the defaults");
        loop {
            match running.step(&mut String::new()) {
                Step::Tell(_) => {}
                Step::End(_) => return running,
                Step::Ask(_) => match given.next() {
                    Some(answer) => running.answer(answer).expect("a legal answer"),
                    None => return running,
                },
            }
        }
    }

    #[test]
    fn pictures_of_the_golden_game_are_unchanged() {
        insta::assert_snapshot!("start", golden(0).svg(View::Everything));
        insta::assert_snapshot!("middle", golden(7).svg(View::Everything));
        insta::assert_snapshot!("end", golden(99).svg(View::Everything));
    }

    #[test]
    fn the_picture_of_the_loom_is_unchanged() {
        let loom = set(&[("board", "loom")]);
        let mut running = GAME.start(&loom, Seed(1)).expect("allowed options");
        next_question(&mut *running, &mut String::new());
        insta::assert_snapshot!("loom", running.svg(View::Seat(Seat::One)));
    }

    /// Hidden tiles do not affect a seat's picture.
    #[test]
    fn pictures_hide_the_bags_of_tiles() {
        let seen = |state: &str, view| {
            let text = format!("{} Oa14 {STANDARD_EDGES}{}", &state[..2], &state[2..]);
            let mut running = GAME.resume(&set(&[]), Seed(1), &text).expect("a state");
            next_question(&mut *running, &mut String::new());
            running.svg(view)
        };
        for (view, one, other, same) in [
            (View::Seat(Seat::One), "cf", "gh", true),
            (View::Seat(Seat::Two), "cf", "gh", false),
            (View::Seat(Seat::Two), "ci redraw:2", "gi redraw:2", true),
            (View::Seat(Seat::Two), "ic redraw:1", "jc redraw:1", false),
            (View::Everything, "ci redraw:2", "gi redraw:2", false),
        ] {
            assert_eq!(seen(one, view) == seen(other, view), same, "{view:?} {one} {other}");
        }
    }
}
