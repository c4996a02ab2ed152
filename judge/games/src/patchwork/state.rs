//! A game in the middle as one line of text: the circle, a space, and all moves so far in the
//! notation of the question.

use judge_core::Seat;

use super::{Circle, CircleError, Move, MoveError, PlayError, Round, Rules, lines, split_moves};
use crate::text::excerpt;

/// The reason why a text is not a state of a game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StateError {
    /// The text does not have two parts.
    #[error("`{0}`: expected the circle, a space, and all moves so far or `-`")]
    Parts(String),
    /// Moves without the circle of their patches.
    #[error(
        "`{0}` has the moves, but the circle is missing before them: the line `circle` of the round \
         has it"
    )]
    NoCircle(String),
    /// The first part is not a circle.
    #[error(transparent)]
    Circle(#[from] CircleError),
    /// A move is not in the notation.
    #[error("move {number}: {error}")]
    Notation {
        /// Number of the move, from 1.
        number: usize,
        /// The error in it.
        error: MoveError,
    },
    /// A move is not allowed at its place in the game.
    #[error("move {number}, by seat {seat}: {error}")]
    Rule {
        /// Number of the move, from 1.
        number: usize,
        /// The side on move.
        seat: Seat,
        /// The rule that it breaks.
        error: PlayError,
    },
}

impl Round {
    /// A game from the text of [`crate::GameState::state`], at its next question or its end.
    ///
    /// # Errors
    /// The first fault in the text, and its place.
    pub fn resume(rules: Rules, state: &str) -> Result<Round, StateError> {
        let (circle, moves) = split(state)?;
        let mut round = Round::new(rules, circle).without_notices();
        for (number, token) in (1..).zip(split_moves(lines::without_nothing(moves))) {
            let made = token.parse().map_err(|error| StateError::Notation { number, error })?;
            let seat = round.position().turn();
            round.make(made).map_err(|error| StateError::Rule { number, seat, error })?;
        }
        Ok(round)
    }
}

/// The circle and the moves; a circle without moves is the start.
fn split(state: &str) -> Result<(Circle, &str), StateError> {
    if let Some((circle, moves)) = state.split_once(' ').filter(|(_, moves)| !moves.is_empty()) {
        return Ok((circle.parse()?, moves));
    }
    if let Ok(circle) = state.parse() {
        return Ok((circle, ""));
    }
    let is_moves = !state.is_empty()
        && split_moves(lines::without_nothing(state)).all(|token| token.parse::<Move>().is_ok());
    let error = if is_moves { StateError::NoCircle } else { StateError::Parts };
    Err(error(excerpt(state)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::patchwork::tests::games::CIRCLE;
    use crate::{GameState as _, Step, View};

    fn resumed(state: &str) -> Result<Round, StateError> {
        let mut round = Round::resume(Rules::default(), state)?;
        round.step(&mut String::new());
        Ok(round)
    }

    /// The message that refuses these moves with the circle of the tests.
    fn refused(moves: &str) -> String {
        whole_refused(&format!("{CIRCLE} {moves}"))
    }

    fn whole_refused(state: &str) -> String {
        resumed(state).expect_err("no state").to_string()
    }

    #[test]
    fn texts_without_two_parts_and_wrong_circles_are_refused() {
        insta::assert_snapshot!(whole_refused(""), @"``: expected the circle, a space, and all moves so far or `-`");
        insta::assert_snapshot!(whole_refused("-"), @"`-` has the moves, but the circle is missing before them: the line `circle` of the round has it");
        insta::assert_snapshot!(whole_refused("BDCAUAAA."), @"`BDCAUAAA.` has the moves, but the circle is missing before them: the line `circle` of the round has it");
        insta::assert_snapshot!(refused(""), @"`agCUfWABQDOdMbZEGVLcFeHSIJNTXKPYR `: expected the circle, a space, and all moves so far or `-`");
        insta::assert_snapshot!(whole_refused("ABC -"), @"`ABC`: a circle has 33 letters, found 3");
        insta::assert_snapshot!(whole_refused(&format!(" {CIRCLE} -")), @"``: a circle has 33 letters, found 0");
        insta::assert_snapshot!(whole_refused(&format!("{} -", CIRCLE.replace('B', "g"))), @"`g` at place 8 of the circle is there for the second time");
        insta::assert_snapshot!(whole_refused(&format!("{} -", CIRCLE.replace('B', "\n"))), @r"`\n` at place 8 of the circle: expected the letters `A` to `Z` and `a` to `g`");
    }

    #[test]
    fn malformed_moves_are_refused_with_their_place() {
        insta::assert_snapshot!(refused("--"), @"move 1: `--`: expected `.` or four letters for patch, column, row and orientation, as in `BDCA`");
        insta::assert_snapshot!(refused("BDCA Q"), @"move 2: ` Q`: expected `.` or four letters for patch, column, row and orientation, as in `BDCA`");
        insta::assert_snapshot!(refused("BDCAQJAA"), @"move 2: `QJAA`: J is not a column, expected A to I");
        insta::assert_snapshot!(refused("BDCA.Q"), @"move 3: `Q`: expected `.` or four letters for patch, column, row and orientation, as in `BDCA`");
    }

    #[test]
    fn unreachable_states_are_refused_with_their_place() {
        insta::assert_snapshot!(refused("AAAA"), @"move 1, by seat 1: `AAAA`: A is not among the three patches on offer (B, Q, D)");
        insta::assert_snapshot!(refused("BAAAQAAADAAA"), @"move 3, by seat 1: `DAAA`: column A, row B is already covered");
        insta::assert_snapshot!(refused("BDCABFFA"), @"move 2, by seat 2: `BFFA`: B is already taken");
        insta::assert_snapshot!(refused("QHHA"), @"move 1, by seat 1: `QHHA`: Q is 3 wide and 3 high there and reaches beyond the quilt");
        insta::assert_snapshot!(refused("hAAA"), @"move 1, by seat 1: `hAAA`: no special patch h was earned");
        insta::assert_snapshot!(refused("QAAADAAAOCAAMFAA"), @"move 4, by seat 2: `MFAA`: M costs 3, and the buttons in hand are 1");
        insta::assert_snapshot!(refused(&".".repeat(21)), @"move 21, by seat 2: `.`: the special patch h that was just earned comes first");
        let over = "....................hIIA......hHIA......hGIA............hFIA......hEIA....";
        assert!(resumed(&format!("{CIRCLE} {over}")).is_ok());
        insta::assert_snapshot!(refused(&format!("{over}.")), @"move 60, by seat 2: `.`: the game is over");
    }

    #[test]
    fn a_resumed_game_continues_like_the_original() {
        let mut round = resumed(&format!("{CIRCLE} BDCAQAAH")).expect("a state");
        let mut line = String::new();
        assert_eq!(round.step(&mut line), Step::Ask(Seat::One));
        assert_eq!(line, "move? BDCAQAAH");
        assert_eq!(round.answer("DAAA"), Ok(()));
        assert_eq!(round.state(), format!("{CIRCLE} BDCAQAAHDAAA"));
    }

    #[test]
    fn a_state_without_a_question_is_read_but_takes_no_answer() {
        let mut round = Round::resume(Rules::default(), &format!("{CIRCLE} -")).expect("a state");
        assert!(round.legal().is_empty() && round.answer(".").is_err());
        assert_eq!(round.step(&mut String::new()), Step::Ask(Seat::One));
        assert_eq!(round.legal().len(), 579);
        assert_eq!(resumed(CIRCLE).expect("the start").state(), round.state());
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "[A-Za-h]{0,40} ?[-A-Ia-h.]{0,60}|.{0,60}") {
            let _ = resumed(&text);
        }

        /// Random games under both rules: at each question the text gives the same game again.
        #[test]
        fn states_read_back(
            seven_by_seven in any::<bool>(),
            seed in any::<u64>(),
            choices in proptest::collection::vec(any::<prop::sample::Index>(), 0..90),
        ) {
            let rules = Rules { seven_by_seven };
            let circle = crate::patchwork::Circle::shuffled(judge_core::Seed(seed));
            let mut round = Round::new(rules, circle).without_notices();
            for choice in choices {
                if !matches!(round.step(&mut String::new()), Step::Ask(_)) {
                    break;
                }
                let spellings: Vec<_> = round.position().spellings().collect();
                round.make(*choice.get(&spellings)).expect("a legal move");
            }
            let mut again = Round::resume(rules, &round.state()).expect("a state");
            prop_assert_eq!(round.step(&mut String::new()), again.step(&mut String::new()));
            prop_assert_eq!(again.state(), round.state());
            prop_assert_eq!(again.legal(), round.legal());
            prop_assert_eq!(again.standing(), round.standing());
            prop_assert_eq!(again.frame(View::Everything), round.frame(View::Everything));
        }
    }
}
