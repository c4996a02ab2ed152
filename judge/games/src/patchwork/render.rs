//! The state of a game as text for a terminal.

use std::fmt::Write as _;

use judge_core::Seat;

use super::squares::SIDE;
use super::{Move, Position, Round};
use crate::Paint;
use crate::paint::seat_words;

/// Letters on both quilts.
type Sewn = [[[char; SIDE as usize]; SIDE as usize]; 2];

/// Width of a quilt with its row letters, and of the text above and below it.
const WIDTH: usize = 30;

/// Both sides with their quilts, the patches on offer with their shapes, and the result once the
/// game is over; the side on move is marked.
pub(super) fn frame(round: &Round) -> String {
    let position = round.position();
    let sewn = sewn(round);
    let mut rows = vec![Seat::BOTH.map(|seat| heading(position, seat))];
    rows.push(Seat::BOTH.map(|seat| purse(position, seat)));
    rows.push(Seat::BOTH.map(|_| "    ABCDEFGHI".to_owned()));
    for (row, letter) in ('A'..='I').enumerate() {
        rows.push([0, 1].map(|side| {
            let squares: String = sewn[side][row].iter().collect();
            format!("  {letter} {squares}")
        }));
    }
    let mut text = String::new();
    for [one, two] in rows {
        // Writing into a string cannot fail.
        let _ = writeln!(text, "{}", format!("{one:WIDTH$}{two}").trim_end());
    }
    text + &offer(position) + "  " + &news(round) + "\n"
}

/// The paint of the quilts by their seat; empty squares are faint.
pub(super) fn paint(line: &str, at: usize) -> Option<Paint> {
    let bytes = line.as_bytes();
    let is_quilt = matches!(bytes.get(2..4), Some([b'A'..=b'I', b' ']));
    match bytes.get(at)? {
        b'.' if is_quilt => Some(Paint::Faint),
        letter if is_quilt && letter.is_ascii_alphabetic() => match at {
            4..13 => Some(Paint::Seat(Seat::One)),
            34..43 => Some(Paint::Seat(Seat::Two)),
            _ => None,
        },
        _ => seat_words(line, at),
    }
}

/// The patch on each covered square, from the moves of the game.
fn sewn(round: &Round) -> Sewn {
    let mut sewn = [[['.'; SIDE as usize]; SIDE as usize]; 2];
    for (seat, made) in round.moves() {
        if let Move::Place(placement) = made {
            for (column, row) in placement.squares().iter() {
                let square = &mut sewn[seat.index()][usize::from(row)][usize::from(column)];
                *square = placement.patch.letter();
            }
        }
    }
    sewn
}

/// The seat of a quilt, and its current score.
fn heading(position: &Position, seat: Seat) -> String {
    let moves = !position.is_over() && position.turn() == seat;
    format!("{} seat {seat}: score {}", if moves { '>' } else { ' ' }, position.score(seat))
}

/// Time and buttons.
fn purse(position: &Position, seat: Seat) -> String {
    let side = position.side(seat);
    format!("  time {}, buttons {} +{}", side.time, side.buttons, side.income)
}

/// A line for each patch on offer: price, time, income and shape.
fn offer(position: &Position) -> String {
    let mut text = String::new();
    for patch in position.offer().iter() {
        let info = patch.info();
        let shape = info.rows.join("/");
        let (cost, time, income) = (info.cost, info.time, info.income);
        // Writing into a string cannot fail.
        let _ = writeln!(text, "  {patch}: cost {cost}, time {time}, income {income}, {shape}");
    }
    text
}

/// The last event, in a sentence.
pub(super) fn news(round: &Round) -> String {
    let position = round.position();
    let last = match round.moves().last() {
        None => "nobody has moved".to_owned(),
        Some((seat, Move::Advance)) => format!("seat {seat} advanced"),
        Some((seat, made)) => format!("seat {seat} played {made}"),
    };
    let next = match position.winner() {
        Some(winner) => format!("seat {winner} has won"),
        None if position.special_pending() => {
            format!("seat {} must lay a special patch", position.turn())
        }
        None => format!("seat {} is on move", position.turn()),
    };
    format!("{last}; {next}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patchwork::Rules;
    use crate::patchwork::tests::games::CIRCLE;
    use crate::{GameState as _, Step};

    #[test]
    fn patches_are_painted_by_their_seat() {
        let shown = after(&["BDCA", "QAAA", ".", "."]);
        for (line, from, seat) in [("C ....B", 4, Seat::One), ("B ....", 34, Seat::Two)] {
            let line = shown.lines().find(|one| one.trim().starts_with(line)).expect("a row");
            let own = |at: &usize| paint(line, *at) == Some(Paint::Seat(seat));
            let painted: Vec<usize> = (0..line.len()).filter(own).collect();
            let sewn = |at: &usize| line.as_bytes()[*at].is_ascii_alphabetic();
            assert!(!painted.is_empty());
            assert_eq!(painted, (from..from + 9).filter(sewn).collect::<Vec<_>>(), "{line}");
        }
        let offer =
            shown.lines().find(|line| line.contains("cost 1, time 3")).unwrap_or("  D: cost");
        assert!((0..offer.len()).all(|at| paint(offer, at).is_none()), "{offer}");
    }

    /// The display after these moves.
    fn after(moves: &[&str]) -> String {
        let mut round = Round::new(Rules::default(), CIRCLE.parse().expect("a circle"));
        for made in moves {
            while !matches!(round.step(&mut String::new()), Step::Ask(_)) {}
            round.answer(made).expect("a legal move");
        }
        frame(&round)
    }

    #[test]
    fn the_start_is_rendered() {
        insta::assert_snapshot!(after(&[]), @r"
        > seat 1: score -157            seat 2: score -157
          time 0, buttons 5 +0          time 0, buttons 5 +0
            ABCDEFGHI                     ABCDEFGHI
          A .........                   A .........
          B .........                   B .........
          C .........                   C .........
          D .........                   D .........
          E .........                   E .........
          F .........                   F .........
          G .........                   G .........
          H .........                   H .........
          I .........                   I .........
          B: cost 1, time 3, income 0, .#/##
          Q: cost 3, time 6, income 2, .#./###/#.#
          D: cost 2, time 2, income 0, #/#/#
          nobody has moved; seat 1 is on move
        ");
    }

    #[test]
    fn a_position_in_the_middle_is_rendered() {
        insta::assert_snapshot!(after(&["BDCA", "QAAA", ".", "."]), @r"
        > seat 1: score -148            seat 2: score -144
          time 7, buttons 8 +0          time 8, buttons 6 +2
            ABCDEFGHI                     ABCDEFGHI
          A .........                   A .Q.......
          B .........                   B QQQ......
          C ....B....                   C Q.Q......
          D ...BB....                   D .........
          E .........                   E .........
          F .........                   F .........
          G .........                   G .........
          H .........                   H .........
          I .........                   I .........
          D: cost 2, time 2, income 0, #/#/#
          O: cost 3, time 4, income 1, #./#./##/#.
          d: cost 1, time 2, income 0, #.#/###
          seat 2 advanced; seat 1 is on move
        ");
    }

    #[test]
    fn a_special_patch_is_due() {
        insta::assert_snapshot!(after(&["."; 20]), @r"
        seat 1: score -138          > seat 2: score -137
        time 19, buttons 24 +0        time 20, buttons 25 +0
          ABCDEFGHI                     ABCDEFGHI
        A .........                   A .........
        B .........                   B .........
        C .........                   C .........
        D .........                   D .........
        E .........                   E .........
        F .........                   F .........
        G .........                   G .........
        H .........                   H .........
        I .........                   I .........
        B: cost 1, time 3, income 0, .#/##
        Q: cost 3, time 6, income 2, .#./###/#.#
        D: cost 2, time 2, income 0, #/#/#
        seat 2 advanced; seat 2 must lay a special patch
        ");
    }
}
