//! The state of a round as text for a terminal.

use judge_core::Seat;

use super::round::{DEALT, Ending, Phase};
use super::{Round, Tile, round_score};
use crate::View;

/// Both hands and rivers, the wall, and the last event; the side on turn is marked.
pub(super) fn frame(round: &Round, view: View) -> String {
    let [one, two] = Seat::BOTH.map(|seat| side(round, seat, view));
    format!("{one}{two}  wall    {} tiles left\n  {}\n", round.wall().left(), news(round, view))
}

/// Hand and river of one seat.
fn side(round: &Round, seat: Seat, view: View) -> String {
    let mark = if round.turn() == seat { '>' } else { ' ' };
    let names: Vec<_> = round.river(seat).iter().map(|tile| tile.name()).collect();
    let hand = if view.sees(seat) {
        round.hand(seat).to_string()
    } else {
        format!("{} hidden tiles", tiles_seen_held(round, seat))
    };
    let hand = format!("{mark} seat {seat}  {hand}");
    let river = format!("  river   {}", names.join(" "));
    format!("{}\n{}\n", hand.trim_end(), river.trim_end())
}

/// Number of tiles of a seat as the other one sees it: a drawn tile counts from the draw on. The
/// view hides that such a tile may win and is kept apart until that is decided.
pub(super) fn tiles_seen_held(round: &Round, seat: Seat) -> usize {
    let undecided = matches!(round.phase(), Phase::OfferDraw(..) | Phase::Drawn(_));
    round.hand(seat).len() + usize::from(undecided && round.turn() == seat)
}

/// The last event, in a sentence.
pub(super) fn news(round: &Round, view: View) -> String {
    let (seat, other) = (round.turn(), round.turn().other());
    match round.phase() {
        Phase::Deal(dealt) => format!("{dealt} of {DEALT} tiles are dealt"),
        Phase::Turn => match round.river(other).last() {
            None => "all tiles are dealt".to_owned(),
            Some(tile) => format!("seat {other} threw {tile}"),
        },
        Phase::OfferDraw(..) | Phase::Drawn(_) | Phase::Discard(_) if !view.sees(seat) => {
            format!("seat {seat} drew a tile")
        }
        Phase::OfferDraw(tile, faan) => {
            format!("seat {seat} may win by drawing {tile}: {faan} faan")
        }
        Phase::Drawn(tile) => format!("seat {seat} draws {tile}"),
        Phase::Discard(tile) => format!("seat {seat} drew {tile}"),
        Phase::OfferDiscard(tile, faan) if view.sees(other) => {
            format!("seat {seat} throws {tile}: seat {other} may win by it: {faan} faan")
        }
        Phase::Thrown(tile) | Phase::OfferDiscard(tile, _) | Phase::Passed(tile) => {
            format!("seat {seat} throws {tile}")
        }
        Phase::Over(ending) => result(round, ending, view),
    }
}

/// The end of the round, in a sentence.
fn result(round: &Round, ending: Ending, view: View) -> String {
    let (winner, how, faan) = match ending {
        Ending::WallEmpty => return "the wall is empty: no winner".to_owned(),
        Ending::SelfDraw(tile, faan) => {
            (round.turn(), format!("drawing {}", drawn(tile, view.sees(round.turn()))), faan)
        }
        Ending::Discard(tile, faan) => (round.turn().other(), format!("the discard {tile}"), faan),
    };
    let points = round_score(faan, round.wall().left());
    format!("seat {winner} won by {how}: {faan} faan, {points} points")
}

/// A drawn tile, for viewers who see it and for others.
fn drawn(tile: Tile, seen: bool) -> &'static str {
    if seen { tile.name() } else { "a tile" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GameState as _;
    use crate::mahjong::tests::hands::{dealt, next};
    use crate::mahjong::{Rules, Wall};

    /// Continues with these answers and stops at the first question without one.
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
        frame(round, View::Everything)
    }

    fn round() -> Round {
        dealt(Rules::default(), ["1112345678999c", "147b147c147d2589b"], "9d 3d 3c 1d 8b 5c")
    }

    #[test]
    fn the_board_before_the_deal_is_rendered() {
        let empty = Round::new(Rules::default(), Wall::explicit(&[]).expect("no five"));
        insta::assert_snapshot!(frame(&empty, View::Everything), @r"
        > seat 1
          river
          seat 2
          river
          wall    0 tiles left
          0 of 26 tiles are dealt
        ");
    }

    #[test]
    fn the_board_in_the_middle_is_rendered() {
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
    fn a_win_by_self_draw_is_rendered() {
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
    fn a_win_by_discard_is_rendered() {
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
    fn an_empty_wall_is_rendered() {
        let answers = ["9d", "3d", "no", "3c", "1d", "8b", "5c", "no"];
        insta::assert_snapshot!(after(&mut round(), &answers), @r"
        > seat 1  1112345678999c
          river   9d 3c 8b
          seat 2  1245789b147c147d
          river   3d 1d 5c
          wall    0 tiles left
          the wall is empty: no winner
        ");
    }
}
