//! The state of a game as text for a terminal.

use judge_core::Seat;

use super::progress::Phase;
use super::scoring::larger;
use super::{Bag, EdgeType, Kind, Round, drawing, score, side_from_letter, side_letter};
use crate::paint::seat_words;
use crate::{Paint, View};

/// The meanings of an edge's letters. Only the Loom has edges of type E.
const LEGEND: &str =
    "S strength, L leadership, F force; o: a string that O wins, b: one that B wins";
const LOOM_LEGEND: &str =
    "S strength, L leadership, F force, E empty; o: a string that O wins, b: B";

/// The board as a drawing, the tiles left and the edges won of each side, and the current event;
/// the side on turn is marked.
pub(super) fn frame(round: &Round, view: View) -> String {
    let [one, two] = Seat::BOTH.map(|seat| side(round, seat));
    let rows: String = drawing::rows(round).iter().map(|row| indented(row)).collect();
    let has_empty = |edge| round.position().types().get(edge) == EdgeType::Empty;
    let legend = if (0..round.board().edges()).any(has_empty) { LOOM_LEGEND } else { LEGEND };
    format!("{rows}{}{one}{two}{}", indented(legend), indented(&news(round, view)))
}

fn indented(line: &str) -> String {
    let line = format!("  {line}");
    format!("{}\n", line.trim_end())
}

/// The paint of the drawing: tiles and strings by their side, and the text below it.
pub(super) fn paint(line: &str, at: usize) -> Option<Paint> {
    if line.contains("seat ") || line.contains("strength") {
        return seat_words(line, at);
    }
    tile_at(line, at).or_else(|| match line.as_bytes().get(at)? {
        b'.' => Some(Paint::Faint),
        letter => side_from_letter(letter.to_ascii_uppercase()).map(Paint::Seat),
    })
}

/// The side of the tile that has a letter there, as in `Ob10`.
fn tile_at(line: &str, at: usize) -> Option<Paint> {
    let starts = at.saturating_sub(3)..=at;
    let mut found = starts.filter_map(|start| match line.as_bytes().get(start..start + 4)? {
        [side, kind, tens, ones] if tens.is_ascii_digit() && ones.is_ascii_digit() => {
            Kind::from_letter(*kind).and(side_from_letter(*side))
        }
        _ => None,
    });
    found.next().map(Paint::Seat)
}

/// A side's won edges and its unplaced tiles, which are open.
fn side(round: &Round, seat: Seat) -> String {
    let position = round.position();
    let mark = if round.mover() == seat && !position.is_over() { '>' } else { ' ' };
    let points = score(round.board(), position)[seat.index()];
    let left = letters(&Bag::from_position(position, seat));
    let line =
        format!("{mark} seat {seat} {}  {points:>2} edges, to place {left}", side_letter(seat));
    format!("{}\n", line.trim_end())
}

/// The tiles of a bag, one letter each.
pub(super) fn letters(bag: &Bag) -> String {
    let repeated = |kind: Kind| std::iter::repeat_n(kind.letter(), usize::from(bag.count(kind)));
    Kind::ALL.into_iter().flat_map(repeated).collect()
}

/// The current event, in a sentence. Only the side on turn knows its draw; while it is asked about
/// a weaver, it knows its tiles only up to that one.
pub(super) fn news(round: &Round, view: View) -> String {
    let seat = round.mover();
    let drawing = || format!("seat {seat} draws and places");
    match round.phase() {
        Phase::Offer(..) | Phase::Move(_) if !view.sees(seat) => drawing(),
        Phase::Offer(draw, at) => {
            let kind = draw.get(at).map_or(String::new(), |kind| kind.to_string());
            let drawn = if view == View::Everything { draw.to_string() } else { kind.clone() };
            format!("seat {seat} drew {drawn} and may put {kind} back")
        }
        Phase::Move(draw) => format!("seat {seat} drew {draw}"),
        Phase::Played(action) => format!("seat {} played {action}", action.seat()),
        Phase::Turn if round.position().is_over() => ending(round),
        Phase::Edges(_) | Phase::Turn => match round.last() {
            None => drawing(),
            Some(action) => format!("seat {} played {action}", action.seat()),
        },
    }
}

/// The end, in a sentence.
fn ending(round: &Round) -> String {
    let scores = score(round.board(), round.position());
    let [one, two] = scores;
    match larger(scores) {
        None => format!("all tiles are placed: a draw, {one} edges each"),
        Some(seat) => {
            format!("all tiles are placed: seat {seat} wins by {} edges", one.abs_diff(two))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GameState as _;
    use crate::agamemnon::Rules;
    use judge_core::{Options, Seed};

    fn round(seed: u64) -> Round {
        Round::new(Rules::from_options(&Options::new()).expect("the defaults"), Seed(seed))
    }

    /// Continues with these answers.
    fn after(round: &mut Round, answers: &[&str]) -> String {
        let mut answers = answers.iter();
        loop {
            match round.step(&mut String::new()) {
                crate::Step::Tell(_) => {}
                crate::Step::End(_) => return frame(round, View::Everything),
                crate::Step::Ask(_) => match answers.next() {
                    Some(answer) => round.answer(answer).expect("a legal answer"),
                    None => return frame(round, View::Everything),
                },
            }
        }
    }

    #[test]
    fn the_board_before_the_first_tile_is_rendered() {
        insta::assert_snapshot!("start", frame(&round(1), View::Everything));
    }

    #[test]
    fn the_board_at_a_question_and_at_the_end_is_rendered() {
        let golden = include_str!("golden/playthrough.txt");
        let answers: Vec<&str> =
            golden.lines().filter_map(|line| Some(line.split_once(" -> ")?.1)).collect();
        insta::assert_snapshot!("question", after(&mut round(2019), &answers[..2]));
        insta::assert_snapshot!("end", after(&mut round(2019), &answers));
    }

    #[test]
    fn the_loom_with_some_tiles_is_rendered() {
        let options = Options::from([("board".to_owned(), "loom".to_owned())]);
        let rules = Rules::from_options(&options).expect("a board");
        let mut loom = Round::new(rules, Seed(3));
        insta::assert_snapshot!("loom", played(&mut loom, 12));
    }

    /// The frame after so many questions, each answered by the first legal answer.
    fn played(round: &mut Round, answers: usize) -> String {
        let mut left = answers;
        loop {
            match round.step(&mut String::new()) {
                crate::Step::Ask(_) if left > 0 => {
                    let mut legal = round.legal();
                    let answer = legal.swap_remove(7 * left % legal.len());
                    round.answer(&answer).expect("a legal answer");
                    left -= 1;
                }
                crate::Step::Tell(_) => {}
                _ => return frame(round, View::Everything),
            }
        }
    }

    #[test]
    fn no_line_is_wider_than_a_terminal() {
        for board in ["standard", "loom"] {
            let options = Options::from([("board".to_owned(), board.to_owned())]);
            let rules = Rules::from_options(&options).expect("a board");
            for answers in 0..15 {
                let frame = played(&mut Round::new(rules, Seed(4)), answers);
                assert!(frame.lines().all(|line| line.len() <= 80), "{frame}");
            }
        }
    }

    #[test]
    fn tiles_and_strings_are_painted_for_their_side() {
        let of = |line: &str| -> String {
            let letter = |at| match paint(line, at) {
                None => ' ',
                Some(Paint::Faint) => '.',
                Some(Paint::Seat(seat)) => side_letter(seat),
            };
            (0..line.len()).map(letter).collect()
        };
        assert_eq!(of("  Ob10oooSooBi04bbF.. 07"), "  OOOOooo ooBBBBbb ..   ".to_uppercase());
        assert_eq!(of("  seat 2 played Bf04"), "  BBBBBB            ");
        assert_eq!(of("> seat 1 O  31 edges, to place ab"), format!("  OOOOOO{}", " ".repeat(25)));
        assert_eq!(of(&format!("  {LEGEND}")).trim(), "");
    }
}
