//! Typed access to the fields of a vector.

use judge_core::Seat;
use serde_json::Value;

use crate::cc::{NotationError, Path, Position, Square, Squares};
use crate::vectors::VectorError;

/// The fields of one vector, or of an object in it.
#[derive(Clone, Copy)]
pub(super) struct Fields<'a>(pub(super) &'a Value);

/// The error for a field that is not what it should be.
fn wrong(name: &str, expected: &str) -> VectorError {
    VectorError::Malformed(format!("field `{name}`: expected {expected}"))
}

impl<'a> Fields<'a> {
    fn field(self, name: &str) -> Result<&'a Value, VectorError> {
        self.0
            .get(name)
            .ok_or_else(|| VectorError::Malformed(format!("field `{name}` is missing")))
    }

    pub(super) fn text(self, name: &str) -> Result<&'a str, VectorError> {
        self.field(name)?.as_str().ok_or_else(|| wrong(name, "a text"))
    }

    pub(super) fn flag(self, name: &str) -> Result<bool, VectorError> {
        self.field(name)?.as_bool().ok_or_else(|| wrong(name, "true or false"))
    }

    pub(super) fn number(self, name: &str) -> Result<u64, VectorError> {
        self.field(name)?.as_u64().ok_or_else(|| wrong(name, "a number"))
    }

    pub(super) fn object(self, name: &str) -> Result<Fields<'a>, VectorError> {
        let value = self.field(name)?;
        value.is_object().then_some(Fields(value)).ok_or_else(|| wrong(name, "an object"))
    }

    fn list(self, name: &str) -> Result<&'a [Value], VectorError> {
        self.field(name)?.as_array().map(Vec::as_slice).ok_or_else(|| wrong(name, "a list"))
    }

    pub(super) fn texts(self, name: &str) -> Result<Vec<&'a str>, VectorError> {
        let texts = self.list(name)?.iter().map(Value::as_str).collect::<Option<_>>();
        texts.ok_or_else(|| wrong(name, "a list of texts"))
    }

    /// `None` when the vector has no such field.
    pub(super) fn optional_texts(self, name: &str) -> Result<Option<Vec<&'a str>>, VectorError> {
        self.0.get(name).map(|_| self.texts(name)).transpose()
    }

    pub(super) fn numbers(self, name: &str) -> Result<Vec<u64>, VectorError> {
        let numbers = self.list(name)?.iter().map(Value::as_u64).collect::<Option<_>>();
        numbers.ok_or_else(|| wrong(name, "a list of numbers"))
    }

    /// Rows and columns of the board; whether there is such a board is for the rules to say.
    pub(super) fn size(self) -> Result<u8, VectorError> {
        u8::try_from(self.number("size")?).map_err(|_| wrong("size", "a small number"))
    }

    /// `1`, `2` or `draw`; `None` for null.
    pub(super) fn result_or_null(self) -> Result<Option<&'a str>, VectorError> {
        match self.field("result")? {
            Value::Null => Ok(None),
            Value::String(text) if ["1", "2", "draw"].contains(&text.as_str()) => Ok(Some(text)),
            _ => Err(wrong("result", "`1`, `2`, `draw` or null")),
        }
    }

    pub(super) fn square_or_null(self, name: &str) -> Result<Option<Square>, VectorError> {
        match self.field(name)? {
            Value::Null => Ok(None),
            value => square(value).map(Some).ok_or_else(|| wrong(name, SQUARE)),
        }
    }

    fn men(self, name: &str) -> Result<Squares, VectorError> {
        let squares: Option<Vec<Square>> = self.list(name)?.iter().map(square).collect();
        let squares = squares.ok_or_else(|| wrong(name, SQUARE))?;
        let set: Squares = squares.iter().copied().collect();
        let distinct = set.len() as usize == squares.len();
        distinct.then_some(set).ok_or_else(|| wrong(name, "each square only once"))
    }

    /// The position of the fields `size`, `p1`, `p2` and `turn`.
    pub(super) fn position(self) -> Result<Position, VectorError> {
        let turn = u8::try_from(self.number("turn")?).unwrap_or_default();
        let turn = Seat::try_from(turn).map_err(|_| wrong("turn", "1 or 2"))?;
        Position::new(self.size()?, [self.men("p1")?, self.men("p2")?], turn)
            .map_err(|error| VectorError::Malformed(error.to_string()))
    }
}

/// How a square is written.
const SQUARE: &str = "squares as pairs of row and column";

fn square(value: &Value) -> Option<Square> {
    let [row, column] = value.as_array()?.as_slice() else { return None };
    let number = |value: &Value| u8::try_from(value.as_u64()?).ok();
    Square::new(number(row)?, number(column)?)
}

/// The path that a field spells.
pub(super) fn path(name: &str, text: &str) -> Result<Path, VectorError> {
    text.parse().map_err(|error: NotationError| {
        VectorError::Malformed(format!("field `{name}`: {error}"))
    })
}
