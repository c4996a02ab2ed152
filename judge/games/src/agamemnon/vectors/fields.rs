//! Fields that only this game's vectors have: sides by letter, states, and texts in its notation.

use judge_core::Seat;

use crate::agamemnon::{State, side_from_letter};
use crate::vectors::VectorError;
use crate::vectors::fields::{Fields, wrong};

/// Readers for the fields of this game.
pub(super) trait GameFields {
    /// The letter of a side.
    fn side(self, name: &str) -> Result<Seat, VectorError>;

    /// The letter of a side, or null.
    fn side_or_null(self, name: &str) -> Result<Option<Seat>, VectorError>;

    /// The fields `tiles` and `edges`.
    fn state(self) -> Result<State, VectorError>;
}

impl GameFields for Fields<'_> {
    fn side(self, name: &str) -> Result<Seat, VectorError> {
        match self.text(name)?.as_bytes() {
            [letter] => side_from_letter(*letter),
            _ => None,
        }
        .ok_or_else(|| wrong(name, "`O` or `B`"))
    }

    fn side_or_null(self, name: &str) -> Result<Option<Seat>, VectorError> {
        if self.field(name)?.is_null() { Ok(None) } else { self.side(name).map(Some) }
    }

    fn state(self) -> Result<State, VectorError> {
        let state = State::parse(self.text("tiles")?, self.text("edges")?);
        state.map_err(|error| VectorError::Malformed(error.to_string()))
    }
}
