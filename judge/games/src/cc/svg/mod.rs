//! The state of a game as a picture: the board with the last move as an arrow, and next to it the
//! side on turn and the numbers of men.

mod arrow;
mod board;
mod panel;
#[cfg(feature = "pointing")]
pub(super) mod targets;

use judge_core::Seat;
use svg::node::element::Circle;

use super::Contest;
use super::render::turn_or_result;
use crate::picture;

/// Width and height of the picture.
const SIZE: [i32; 2] = [960, 704];

/// Colours of the board, in light and dark mode.
const STYLE: &str = "\
.j-cc-light{fill:#f3ead7}.j-cc-dark{fill:#e4d8be}.j-cc-edge{fill:none;stroke:#b9a988;stroke-width:2}\
.j-cc-halo{fill:none;stroke:#faf7f0}.j-cc-arrow{fill:none;stroke:#2a2a31}.j-cc-rim{fill:none;stroke:#fff}\
@media(prefers-color-scheme:dark){.j-cc-light{fill:#34363f}.j-cc-dark{fill:#2a2c34}\
.j-cc-edge{stroke:#5b5d68}.j-cc-halo{stroke:#1d1e23}.j-cc-arrow{stroke:#ece9e2}.j-cc-rim{stroke:#16171a}}";

/// The picture of a game; nothing is hidden, so all views are the same.
pub(super) fn picture(contest: &Contest) -> String {
    let [width, height] = SIZE;
    let title =
        format!("Capturing & Conquering, ply {}: {}", contest.plies(), turn_or_result(contest));
    let board = board::Board::new(contest.position());
    let document = picture::document(width, height, &title, STYLE);
    let document = document.add(board.squares()).add(board.men(contest));
    picture::finish(&document.add(panel::panel(contest)))
}

/// The class that draws in the colour of a seat.
fn line_class(seat: Seat) -> &'static str {
    ["j-one-line", "j-two-line"][seat.index()]
}

/// A circle around a point.
fn circle([x, y]: [i32; 2], radius: i32) -> Circle {
    Circle::new().set("cx", x).set("cy", y).set("r", radius)
}

#[cfg(test)]
mod tests {
    use judge_core::{Options, Seed};

    use crate::{Game as _, View, next_question};

    /// The picture after these answers.
    fn after(options: &[(&str, &str)], state: &str, answers: &str) -> String {
        let pairs = options.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
        let options: Options = pairs.collect();
        let mut running = match state {
            "" => super::super::GAME.start(&options, Seed(1)).expect("allowed options"),
            _ => super::super::GAME.resume(&options, Seed(1), state).expect("a state"),
        };
        next_question(&mut *running, &mut String::new());
        for answer in answers.split_whitespace() {
            running.answer(answer).expect("a legal answer");
            next_question(&mut *running, &mut String::new());
        }
        running.svg(View::Everything)
    }

    #[test]
    fn the_start_is_rendered() {
        insta::assert_snapshot!(after(&[("size", "16"), ("opening", "0")], "", ""));
    }

    #[test]
    fn the_picture_of_a_capturing_chain_is_unchanged() {
        let state = "001000100000000000001010001000000010000000000000001000100001100000000000100000011\
                     000000000000110100000000000000000000001111001111 10";
        insta::assert_snapshot!(after(&[], state, "4,3>2,1>0,1>0,3>2,5>4,5>6,7"));
    }

    #[test]
    fn the_end_is_rendered() {
        let game = include_str!("../golden/lookahead.txt");
        insta::assert_snapshot!(after(&[("size", "6"), ("opening", "0")], "", game));
    }
}
