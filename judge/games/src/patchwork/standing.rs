//! A game's score at its end, before it, and when one side fails.

use judge_core::{RoundResult, Seat};

use super::{Position, Squares};
use crate::{Standing, Term};

/// Less than the score of any game: no side has fewer than no buttons and more than all squares
/// empty, and a side without purchases still has the buttons of the start.
const FAILURE: i64 = -Position::EMPTY_SQUARE * Squares::COUNT as i64;

/// The result, once the game is over.
pub(super) fn outcome(position: &Position) -> Option<RoundResult> {
    let winner = position.winner()?;
    let scores = Seat::BOTH.map(|seat| position.score(seat));
    let reason = if scores[0] == scores[1] { "first on the last square" } else { "score" };
    Some(RoundResult { scores, winner: Some(winner), reason: reason.to_owned() })
}

/// The result when one side fails. It is the worst for that side; the other keeps its present
/// score, and at least zero.
pub(super) fn forfeit(position: &Position, loser: Seat) -> RoundResult {
    let score = |seat| if seat == loser { FAILURE } else { position.score(seat).max(0) };
    RoundResult {
        scores: Seat::BOTH.map(score),
        winner: Some(loser.other()),
        reason: "forfeit".to_owned(),
    }
}

/// The scores now, and their parts.
pub(super) fn standing(position: &Position) -> Standing {
    let term = |name, of: &dyn Fn(Seat) -> i64| Term { name, values: Seat::BOTH.map(of) };
    let mut terms = vec![
        term("buttons", &|seat| position.side(seat).buttons.into()),
        term("empty squares", &|seat| position.side(seat).penalty()),
    ];
    if position.rules().seven_by_seven {
        terms.push(term("7x7 block", &|seat| position.block_bonus(seat)));
    }
    Standing {
        outcome: outcome(position),
        scores: Seat::BOTH.map(|seat| position.score(seat)),
        terms,
    }
}

#[cfg(test)]
mod tests {
    use judge_core::{Purpose, Seed};

    use super::*;
    use crate::patchwork::tests::games::{CIRCLE, after, start};
    use crate::patchwork::{Circle, Move, Rules};

    fn sums(standing: &Standing) -> [i64; 2] {
        [0, 1].map(|seat| standing.terms.iter().map(|term| term.values[seat]).sum())
    }

    #[test]
    fn terms_are_named_and_add_up() {
        let standing = standing(&after(CIRCLE, "BDCAQAAA."));
        assert_eq!((standing.outcome.clone(), standing.scores), (None, [-148, -146]));
        let terms = [("buttons", [8, 4]), ("empty squares", [-156, -150])];
        assert_eq!(standing.terms, terms.map(|(name, values)| Term { name, values }));
        assert_eq!(sums(&standing), standing.scores);
    }

    #[test]
    fn the_block_is_a_term_only_with_its_option() {
        let rules = Rules { seven_by_seven: true };
        let position = Position::new(rules, CIRCLE.parse().expect("a circle"));
        let standing = standing(&position);
        assert_eq!(standing.terms.last().map(|term| term.name), Some("7x7 block"));
        assert_eq!(sums(&standing), standing.scores);
    }

    #[test]
    fn a_failing_player_gets_the_lowest_score() {
        for loser in Seat::BOTH {
            let outcome = forfeit(&start(), loser);
            assert_eq!((outcome.score(loser), outcome.score(loser.other())), (-162, 0));
            assert_eq!((outcome.winner, outcome.reason.as_str()), (Some(loser.other()), "forfeit"));
        }
    }

    #[test]
    fn a_failure_does_not_lower_the_other_sides_good_score() {
        let ended = crate::patchwork::tests::games::between(["search", "random"], Seed(1));
        let circle = ended.exchanges[0].line.trim_start_matches("circle ");
        let asked = |line: &str| line.strip_prefix("move? ").map(str::to_owned);
        let last = ended.exchanges.iter().rev().find_map(|exchange| asked(&exchange.line));
        let position = after(circle, &last.expect("a question"));
        let own = position.score(Seat::One);
        assert!(own > 0, "{own}");
        assert_eq!(forfeit(&position, Seat::Two).scores, [own, -162]);
        assert_eq!(forfeit(&position, Seat::One).score(Seat::One), -162);
    }

    #[test]
    fn no_position_scores_less_than_a_failure() {
        let mut random = Seed(3).random(Purpose::Opening);
        for seed in 0..50 {
            let mut position = Position::new(Rules::default(), Circle::shuffled(Seed(seed)));
            while !position.is_over() {
                assert!(Seat::BOTH.into_iter().all(|seat| position.score(seat) > FAILURE));
                // The side that pays the most for the least loses most points.
                let dearest = position.moves().max_by_key(|made| match made {
                    Move::Place(placement) => (placement.patch.info().cost, random.below(1000)),
                    Move::Advance => (0, 0),
                });
                position.play_unchecked(dearest.expect("not over"));
            }
            assert!(Seat::BOTH.into_iter().all(|seat| position.score(seat) > FAILURE));
        }
    }
}
