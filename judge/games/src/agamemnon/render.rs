//! The state of a game as text for a terminal.

use judge_core::Seat;

use super::board::bits;
use super::progress::Phase;
use super::scoring::larger;
use super::{Bag, Kind, Round, score, side_letter};
use crate::View;

/// Every node with its tile and its edges, what each side has left and has won, and what happens
/// now; the side on turn is marked.
pub(super) fn frame(round: &Round, view: View) -> String {
    let [one, two] = Seat::BOTH.map(|seat| side(round, seat));
    format!("{}{one}{two}  {}\n", nodes(round), news(round, view))
}

/// One line a node, three nodes a line.
fn nodes(round: &Round) -> String {
    const COLUMNS: usize = 3;
    let cells: Vec<String> = bits(round.board().all()).map(|node| cell(round, node)).collect();
    let rows = cells.len().div_ceil(COLUMNS);
    let row = |row: usize| {
        let cells = cells.iter().skip(row).step_by(rows).map(|cell| format!("{cell:<26}"));
        format!("  {}\n", cells.collect::<String>().trim_end())
    };
    (0..rows).map(row).collect()
}

/// A node: its number, its tile or dots, and its edges by type and other end.
fn cell(round: &Round, node: u8) -> String {
    let (board, position) = (round.board(), round.position());
    let tile = position
        .at(node)
        .map_or("..".to_owned(), |placed| format!("{}{}", side_letter(placed.seat), placed.kind));
    let edges: Vec<String> = bits(board.neighbours(node))
        .filter_map(|end| {
            let kind = position.types().get(board.edge(node, end)?);
            Some(format!("{kind}{end:02}"))
        })
        .collect();
    format!("{node:02} {tile} {}", edges.join(" "))
}

/// What a side has won so far and what it has not placed yet, which everybody knows.
fn side(round: &Round, seat: Seat) -> String {
    let position = round.position();
    let mark = if round.mover() == seat && !position.is_over() { '>' } else { ' ' };
    let points = score(round.board(), position)[seat.index()];
    let left = letters(&Bag::of(position, seat));
    let line =
        format!("{mark} seat {seat} {}  {points:>2} edges, to place {left}", side_letter(seat));
    format!("{}\n", line.trim_end())
}

/// The tiles of a bag, one letter each.
pub(super) fn letters(bag: &Bag) -> String {
    let repeated = |kind: Kind| std::iter::repeat_n(kind.letter(), usize::from(bag.count(kind)));
    Kind::ALL.into_iter().flat_map(repeated).collect()
}

/// What happens now, in a sentence. What was drawn is known to the side on turn alone, and before
/// it places only as far as it was asked about.
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

/// How it ended.
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
    use crate::Match as _;
    use crate::agamemnon::Rules;
    use judge_core::{Options, Seed};

    fn round(seed: u64) -> Round {
        Round::new(Rules::from_options(&Options::new()).expect("the defaults"), Seed(seed))
    }

    /// Plays on with these answers.
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
    fn before_the_first_tile() {
        insta::assert_snapshot!(frame(&round(1), View::Everything), @r"
          00 .. S01 S04             11 .. F06 S09 L12 F14     22 .. F17 F21 L26
          01 .. S00 F05             12 .. S07 L11 S16 F17     23 .. L18 F24 F25
          02 .. L03 L04 F06         13 .. F08 F14 S15         24 .. S19 F23 F27 S28
          03 .. L02 L06 S07         14 .. F11 F13 L18 L19     25 .. F20 F23 L29
          04 .. S00 L02 L08 S09     15 .. S10 S13 F20         26 .. L21 L22 L28
          05 .. F01 F08 S10         16 .. S12 S17 L19         27 .. F24 L28 L29
          06 .. F02 L03 F11         17 .. F12 S16 F22         28 .. S24 L26 L27 S31
          07 .. S03 S12             18 .. L14 L20 L23         29 .. L25 L27 S30
          08 .. L04 F05 S09 F13     19 .. L14 L16 F21 S24     30 .. S29 S31
          09 .. S04 S08 S11         20 .. F15 L18 F25         31 .. S28 S30
          10 .. S05 S15             21 .. F19 F22 L26
        > seat 1 O   0 edges, to place abcdefffgghiijj
          seat 2 B   0 edges, to place abcdefffgghiijj
          seat 1 draws and places
        ");
    }

    #[test]
    fn at_a_question_and_at_the_end() {
        let golden = include_str!("golden/playthrough.txt");
        let answers: Vec<&str> =
            golden.lines().filter_map(|line| Some(line.split_once(" -> ")?.1)).collect();
        insta::assert_snapshot!(after(&mut round(2019), &answers[..2]), @r"
          00 Bd S01 S04             11 .. F06 S09 L12 F14     22 .. F17 F21 L26
          01 .. S00 F05             12 .. S07 L11 S16 F17     23 .. L18 F24 F25
          02 .. L03 L04 F06         13 .. F08 F14 S15         24 .. S19 F23 F27 S28
          03 .. L02 L06 S07         14 .. F11 F13 L18 L19     25 .. F20 F23 L29
          04 .. S00 L02 L08 S09     15 .. S10 S13 F20         26 .. L21 L22 L28
          05 .. F01 F08 S10         16 .. S12 S17 L19         27 .. F24 L28 L29
          06 .. F02 L03 F11         17 .. F12 S16 F22         28 Od S24 L26 L27 S31
          07 .. S03 S12             18 .. L14 L20 L23         29 .. L25 L27 S30
          08 .. L04 F05 S09 F13     19 .. L14 L16 F21 S24     30 .. S29 S31
          09 Bf S04 S08 S11         20 .. F15 L18 F25         31 .. S28 S30
          10 .. S05 S15             21 .. F19 F22 L26
        > seat 1 O   4 edges, to place abcefffgghiijj
          seat 2 B   5 edges, to place abceffgghiijj
          seat 1 drew hj and may put j back
        ");
        insta::assert_snapshot!(after(&mut round(2019), &answers), @r"
        00 Bd S01 S04             11 Oh F06 S09 S12 F14     22 Of F17 F21 L26
        01 Bc S00 F05             12 Oj S07 S11 L16 F17     23 Ba L18 S24 F25
        02 Oc L03 L04 F06         13 Bf F08 F14 S15         24 Oj F19 S23 F27 S28
        03 Og L02 L06 S07         14 Oa F11 F13 L18 L19     25 Oi F20 F23 L29
        04 Ob S00 L02 L08 S09     15 .. S10 S13 F20         26 Bf L21 L22 L28
        05 Of F01 S08 S10         16 Bg L12 S17 L19         27 Og F24 L28 L29
        06 Bi F02 L03 F11         17 Bh F12 S16 F22         28 Od S24 L26 L27 S31
        07 Bb S03 S12             18 Oe L14 L20 L23         29 Bi L25 L27 S30
        08 Bj L04 S05 F09 F13     19 Bg L14 L16 F21 F24     30 Be S29 S31
        09 Bf S04 F08 S11         20 Oi F15 L18 F25         31 Of S28 S30
        10 Bj S05 S15             21 .. F19 F22 L26
        seat 1 O  31 edges, to place
        seat 2 B  14 edges, to place
        all tiles are placed: seat 1 wins by 17 edges
        ");
    }
}
