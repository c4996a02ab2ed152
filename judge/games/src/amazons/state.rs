//! A round resumed from the text of its position.

use judge_core::Options;

use super::notation::NotationError;
use super::options;
use super::position::{Position, Side};
use super::round::Round;
use crate::ResumeError;

/// A position that does not fit the rules.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
enum StateError {
    /// The text is not a position.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// Another board than the testcase has.
    #[error("number of rows is {found}: the option `size` is {expected}")]
    Size { found: u8, expected: u8 },
    /// A side without amazons. No list of start squares is empty.
    #[error("no amazon of {0} on the board")]
    Nobody(Side),
    /// More or fewer amazons than the testcase has.
    #[error(
        "number of {side}'s amazons on the board is {found}: the option `{key}` has {expected}"
    )]
    Amazons { found: u32, side: Side, key: &'static str, expected: u32 },
}

/// A round that continues from the position in the text. Board and numbers of amazons are compared
/// with the given options; missing options follow from the text.
pub(super) fn resume(options: &Options, text: &str) -> Result<Round, ResumeError> {
    let start = options::parse(options)?.start;
    let position = read(options, &start, text);
    position.map(Round::from).map_err(|error| ResumeError::State(error.to_string()))
}

fn read(options: &Options, start: &Position, text: &str) -> Result<Position, StateError> {
    let position: Position = text.parse()?;
    let (found, expected) = (position.size(), start.size());
    if options.contains_key("size") && found != expected {
        return Err(StateError::Size { found, expected });
    }
    for side in Side::BOTH {
        let [found, expected] = [&position, start].map(|board| board.amazons(side).len());
        let key = ["white", "black"][side.index()];
        if found == 0 {
            return Err(StateError::Nobody(side));
        }
        if options.contains_key(key) && found != expected {
            return Err(StateError::Amazons { found, side, key, expected });
        }
    }
    Ok(position)
}
