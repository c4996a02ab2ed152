//! The state of a game as one line of text, and back: the position as the question spells it, then
//! the number of plies that the players have made, unless it is 0.

use judge_core::{Options, Seat};

use super::position::all_squares;
use super::{Contest, NotationError, Position, Rules, Square};
use crate::text::{excerpt, number};
use crate::{OptionError, ResumeError};

/// Most characters of a number of plies that the rules allow.
const MAX_DIGITS: usize = 5;

/// A text from which no game can continue.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum StateError {
    /// The position is invalid.
    #[error(transparent)]
    Position(#[from] NotationError),
    /// The text after the position is not a number.
    #[error("`{0}` after the position: expected the number of plies made")]
    Plies(String),
    /// The game would have been drawn earlier.
    #[error("`{plies}` plies: the game is drawn after `{limit}`")]
    TooManyPlies { plies: u32, limit: u32 },
    /// A position for another board than that of the options.
    #[error(
        "a position of `{found}` characters: expected {expected}, as option `size` is `{size}`"
    )]
    Length { found: usize, expected: usize, size: u8 },
    /// The board is not that of the options.
    #[error("a position of size `{0}`: option `size` is `{1}`")]
    Size(u8, u8),
    /// A side has more men than at the start, although no side ever gains one.
    #[error("the man of seat `{seat}` on `{square}` is one too many: expected at most {most}")]
    TooManyMen { seat: Seat, square: Square, most: u32 },
}

impl From<StateError> for ResumeError {
    fn from(error: StateError) -> ResumeError {
        ResumeError::State(error.to_string())
    }
}

/// The state of a game as text.
pub(super) fn print(contest: &Contest) -> String {
    match contest.plies() {
        0 => contest.position().to_string(),
        plies => format!("{} {plies}", contest.position()),
    }
}

/// A game from its text. The size of the board follows from the position, unless the options give
/// it.
pub(super) fn read(options: &Options, text: &str) -> Result<Contest, ResumeError> {
    // Wrong options are reported first: the expected text depends on them.
    let size = Rules::from_options(options)?.start().size();
    let (position, plies) = split(text).map_err(|error| match error {
        StateError::Position(NotationError::Length(found)) if options.contains_key("size") => {
            let expected = 1 + 2 * usize::from(size) * usize::from(size);
            StateError::Length { found, expected, size }
        }
        other => other,
    })?;
    check_men(&position)?;
    let rules = rules_for(options, &position)?;
    let (found, expected) = (position.size(), rules.start().size());
    if found != expected {
        return Err(StateError::Size(found, expected).into());
    }
    if plies > rules.max_plies {
        return Err(StateError::TooManyPlies { plies, limit: rules.max_plies }.into());
    }
    Ok(Contest::resumed(rules, position, plies))
}

/// The rules of these options; without an option `size`, on a board as large as this one.
fn rules_for(options: &Options, position: &Position) -> Result<Rules, OptionError> {
    let mut options = options.clone();
    options.entry("size".to_owned()).or_insert_with(|| position.size().to_string());
    Rules::from_options(&options)
}

fn split(text: &str) -> Result<(Position, u32), StateError> {
    let Some((position, plies)) = text.split_once(' ') else { return Ok((text.parse()?, 0)) };
    let position = position.parse()?;
    let number = number(plies).filter(|_| plies.len() <= MAX_DIGITS);
    Ok((position, number.ok_or_else(|| StateError::Plies(excerpt(plies)))?))
}

/// Fails on the first man, row by row, beyond the allowed number.
fn check_men(position: &Position) -> Result<(), StateError> {
    let size = position.size();
    let start = Position::start(size).map_err(NotationError::from)?;
    let most = start.men(Seat::One).len();
    let mut men = [0; 2];
    for square in all_squares(size) {
        let Some(seat) = position.man_at(square) else { continue };
        men[seat.index()] += 1;
        if men[seat.index()] > most {
            return Err(StateError::TooManyMen { seat, square, most });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::GameState as _;
    use crate::cc::tests::set_up;

    fn resumed(pairs: &[(&str, &str)], text: &str) -> Result<Contest, ResumeError> {
        let pairs = pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
        read(&pairs.collect(), text)
    }

    fn refused(pairs: &[(&str, &str)], text: &str) -> String {
        resumed(pairs, text).err().expect("no state").to_string()
    }

    #[test]
    fn the_text_gives_the_size_of_the_board() {
        for (size, limit) in [(5, 400), (6, 400), (8, 1000), (16, 1000)] {
            let start = Position::start(size).expect("an allowed size");
            let contest = resumed(&[], &start.to_string()).expect("a state");
            assert_eq!((*contest.position(), contest.plies()), (start, 0));
            assert_eq!(contest.facts(), format!("size={size} opening=4 max_plies={limit}"));
        }
    }

    #[test]
    fn a_refusal_names_the_first_mistake() {
        let start = Position::start(6).expect("an allowed size").to_string();
        insta::assert_snapshot!(refused(&[("size", "4")], ""), @"option `size` is `4`: expected an integer from 5 to 16");
        insta::assert_snapshot!(refused(&[], ""), @"a position of `0` characters: expected 1 + 2 × size × size, for a size of 5 to 16");
        insta::assert_snapshot!(refused(&[], &format!("{start} ")), @"`` after the position: expected the number of plies made");
        insta::assert_snapshot!(refused(&[], &format!("{start} 7 8")), @"`7 8` after the position: expected the number of plies made");
        insta::assert_snapshot!(refused(&[], &format!("{start} 4294967296")), @"`4294967296` after the position: expected the number of plies made");
        insta::assert_snapshot!(refused(&[], &format!("{start} 401")), @"`401` plies: the game is drawn after `400`");
        insta::assert_snapshot!(refused(&[("size", "8")], &start), @"a position of size `6`: option `size` is `8`");
        insta::assert_snapshot!(refused(&[("size", "6")], "0"), @"a position of `1` characters: expected 73, as option `size` is `6`");
        let crowd = set_up(5, &["0,0", "0,1", "2,2", "3,1"], &["4,4", "0,4"]).to_string();
        insta::assert_snapshot!(refused(&[], &crowd), @"the man of seat `1` on `3,1` is one too many: expected at most 3");
        insta::assert_snapshot!(refused(&[], &start.replacen("01", "10", 1)), @"`10` on row 0, column 0: expected `00` (empty), `01` (seat 1) or `11` (seat 2)");
    }

    #[test]
    fn a_game_at_its_limit_is_over() {
        let start = Position::start(6).expect("an allowed size").to_string();
        let over = resumed(&[("max_plies", "7")], &format!("{start} 7")).expect("a state");
        assert_eq!(over.standing().outcome.map(|outcome| outcome.reason), Some("ply limit".into()));
        assert_eq!(print(&over), format!("{start} 7"));
    }

    proptest! {
        #[test]
        fn no_text_panics(text in ".{0,60}", digits in "[01]{51}", plies in "[ 0-9]{0,12}") {
            let _ = (resumed(&[], &text).is_ok(), resumed(&[], &(digits + &plies)).is_ok());
        }
    }
}
