//! Typed access to the fields of a vector.

use judge_core::Seat;
use serde_json::Value;

use crate::patchwork::{Move, parse_moves};
use crate::vectors::VectorError;

/// The fields of one vector, or of an object in it.
#[derive(Clone, Copy)]
pub(super) struct Fields<'a>(pub(super) &'a Value);

/// The error for a field that is not what it should be.
fn wrong(name: &str, expected: &str) -> VectorError {
    VectorError::Malformed(format!("field `{name}`: expected {expected}"))
}

/// The error for a field whose text is in no notation of this game.
fn wrong_text(name: &str, error: &dyn std::fmt::Display) -> VectorError {
    VectorError::Malformed(format!("field `{name}`: {error}"))
}

impl<'a> Fields<'a> {
    fn field(self, name: &str) -> Result<&'a Value, VectorError> {
        self.0
            .get(name)
            .ok_or_else(|| VectorError::Malformed(format!("field `{name}` is missing")))
    }

    /// Whether there is such a field.
    pub(super) fn has(self, name: &str) -> bool {
        self.0.get(name).is_some()
    }

    /// The fields of an object.
    pub(super) fn object(self, name: &str) -> Result<Fields<'a>, VectorError> {
        let value = self.field(name)?;
        value.is_object().then_some(Fields(value)).ok_or_else(|| wrong(name, "an object"))
    }

    pub(super) fn text(self, name: &str) -> Result<&'a str, VectorError> {
        self.field(name)?.as_str().ok_or_else(|| wrong(name, "a text"))
    }

    pub(super) fn number(self, name: &str) -> Result<u64, VectorError> {
        self.field(name)?.as_u64().ok_or_else(|| wrong(name, "a number from 0"))
    }

    pub(super) fn flag(self, name: &str) -> Result<bool, VectorError> {
        self.field(name)?.as_bool().ok_or_else(|| wrong(name, "true or false"))
    }

    /// A player, 1 or 2.
    pub(super) fn seat(self, name: &str) -> Result<Seat, VectorError> {
        self.seat_or_null(name)?.ok_or_else(|| wrong(name, "1 or 2"))
    }

    /// A player, 1 or 2, or null.
    pub(super) fn seat_or_null(self, name: &str) -> Result<Option<Seat>, VectorError> {
        match self.field(name)? {
            Value::Null => Ok(None),
            value => value
                .as_u64()
                .and_then(|number| u8::try_from(number).ok())
                .and_then(|number| Seat::try_from(number).ok())
                .map(Some)
                .ok_or_else(|| wrong(name, "1, 2 or null")),
        }
    }

    fn list(self, name: &str) -> Result<&'a [Value], VectorError> {
        self.field(name)?.as_array().map(Vec::as_slice).ok_or_else(|| wrong(name, "a list"))
    }

    pub(super) fn texts(self, name: &str) -> Result<Vec<&'a str>, VectorError> {
        let texts = self.list(name)?.iter().map(Value::as_str).collect::<Option<_>>();
        texts.ok_or_else(|| wrong(name, "a list of texts"))
    }

    pub(super) fn integers(self, name: &str) -> Result<Vec<i64>, VectorError> {
        let integers = self.list(name)?.iter().map(Value::as_i64).collect::<Option<_>>();
        integers.ok_or_else(|| wrong(name, "a list of integers"))
    }

    /// A text in a notation of this game.
    pub(super) fn parsed<T: std::str::FromStr<Err: std::fmt::Display>>(
        self,
        name: &str,
    ) -> Result<T, VectorError> {
        self.text(name)?.parse().map_err(|error: T::Err| wrong_text(name, &error))
    }

    /// The moves of a game.
    pub(super) fn moves(self, name: &str) -> Result<Vec<Move>, VectorError> {
        parse_moves(self.text(name)?).map_err(|error| wrong_text(name, &error))
    }
}
