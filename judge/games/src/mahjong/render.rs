//! The state of a round as text for a terminal.

use judge_core::Seat;

use super::rules::{DEALT, Ending, Phase};
use super::{Round, round_score};

/// Both hands and rivers, the wall, and what happened last; the side on turn is marked.
pub(super) fn frame(round: &Round) -> String {
    let [one, two] = Seat::BOTH.map(|seat| side(round, seat));
    format!("{one}{two}  wall    {} tiles left\n  {}\n", round.wall().left(), news(round))
}

/// Hand and river of one seat.
fn side(round: &Round, seat: Seat) -> String {
    let mark = if round.turn() == seat { '>' } else { ' ' };
    let names: Vec<_> = round.river(seat).iter().map(|tile| tile.name()).collect();
    let hand = format!("{mark} seat {seat}  {}", round.hand(seat));
    let river = format!("  river   {}", names.join(" "));
    format!("{}\n{}\n", hand.trim_end(), river.trim_end())
}

/// What happened last, in a sentence.
fn news(round: &Round) -> String {
    let (seat, other) = (round.turn(), round.turn().other());
    match round.phase() {
        Phase::Deal(dealt) => format!("{dealt} of {DEALT} tiles are dealt"),
        Phase::Turn => match round.river(other).last() {
            None => "all tiles are dealt".to_owned(),
            Some(tile) => format!("seat {other} threw {tile}"),
        },
        Phase::OfferDraw(tile, faan) => {
            format!("seat {seat} may win by drawing {tile}: {faan} faan")
        }
        Phase::Drawn(tile) => format!("seat {seat} draws {tile}"),
        Phase::Discard(tile) => format!("seat {seat} drew {tile}"),
        Phase::Thrown(tile) | Phase::Passed(tile) => format!("seat {seat} throws {tile}"),
        Phase::OfferDiscard(tile, faan) => {
            format!("seat {seat} throws {tile}: seat {other} may win by it: {faan} faan")
        }
        Phase::Over(ending) => result(round, ending),
    }
}

/// How the round ended, in a sentence.
fn result(round: &Round, ending: Ending) -> String {
    let (winner, how, tile, faan) = match ending {
        Ending::WallEmpty => return "the wall is empty: nobody won".to_owned(),
        Ending::SelfDraw(tile, faan) => (round.turn(), "drawing", tile, faan),
        Ending::Discard(tile, faan) => (round.turn().other(), "the discard", tile, faan),
    };
    let points = round_score(faan, round.wall().left());
    format!("seat {winner} won by {how} {tile}: {faan} faan, {points} points")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Match as _;
    use crate::mahjong::tests::hands::{dealt, next};
    use crate::mahjong::{Rules, Wall};

    /// Plays on; an answer for each question, the last one is left to be answered.
    fn after(round: &mut Round, answers: &[&str]) -> String {
        let mut answers = answers.iter();
        while let (step, _) = next(round)
            && !matches!(step, crate::Step::End(_))
        {
            if matches!(step, crate::Step::Ask(_)) {
                let Some(answer) = answers.next() else { break };
                round.answer(answer).expect("a legal answer");
            }
        }
        frame(round)
    }

    fn round() -> Round {
        dealt(Rules::default(), ["1112345678999c", "147b147c147d2589b"], "9d 3d 3c 1d 8b 5c")
    }

    #[test]
    fn before_anything_is_dealt() {
        let empty = Round::new(Rules::default(), Wall::explicit(&[]).expect("no five"));
        insta::assert_snapshot!(frame(&empty), @r"
        > seat 1
          river
          seat 2
          river
          wall    0 tiles left
          0 of 26 tiles are dealt
        ");
    }

    #[test]
    fn in_the_middle() {
        insta::assert_snapshot!(after(&mut round(), &[]), @r"
        > seat 1  1112345678999c9d
          river
          seat 2  1245789b147c147d
          river
          wall    5 tiles left
          seat 1 drew 9d
        ");
        insta::assert_snapshot!(after(&mut round(), &["9d", "3d", "no"]), @r"
        > seat 1  11123345678999c
          river   9d
          seat 2  1245789b147c147d
          river   3d
          wall    3 tiles left
          seat 1 drew 3c
        ");
    }

    #[test]
    fn a_win_by_self_draw() {
        insta::assert_snapshot!(after(&mut round(), &["9d", "3d", "yes"]), @r"
        > seat 1  1112345678999c
          river   9d
          seat 2  1245789b147c147d
          river   3d
          wall    3 tiles left
          seat 1 won by drawing 3c: 4 faan, 15 points
        ");
    }

    #[test]
    fn a_win_by_discard() {
        insta::assert_snapshot!(after(&mut round(), &["9d", "4c"]), @r"
          seat 1  1112345678999c
          river   9d
        > seat 2  1245789b17c1347d
          river
          wall    4 tiles left
          seat 2 throws 4c: seat 1 may win by it: 4 faan
        ");
        insta::assert_snapshot!(after(&mut round(), &["9d", "4c", "yes"]), @r"
          seat 1  1112345678999c
          river   9d
        > seat 2  1245789b17c1347d
          river
          wall    4 tiles left
          seat 1 won by the discard 4c: 4 faan, 16 points
        ");
    }

    #[test]
    fn an_empty_wall() {
        let answers = ["9d", "3d", "no", "3c", "1d", "8b", "5c", "no"];
        insta::assert_snapshot!(after(&mut round(), &answers), @r"
        > seat 1  1112345678999c
          river   9d 3c 8b
          seat 2  1245789b147c147d
          river   3d 1d 5c
          wall    0 tiles left
          the wall is empty: nobody won
        ");
    }
}
