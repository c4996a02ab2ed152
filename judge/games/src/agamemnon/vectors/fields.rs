//! Typed access to the fields of a vector.

use judge_core::Seat;
use serde_json::Value;

use crate::agamemnon::{Action, Draw, State, StateError, side_from_letter};
use crate::vectors::VectorError;

/// The fields of one vector, or of an object in it.
#[derive(Clone, Copy)]
pub(super) struct Fields<'a>(pub(super) &'a Value);

/// The error for a field that is not what it should be.
fn wrong(name: &str, expected: &str) -> VectorError {
    VectorError::Malformed(format!("field `{name}`: expected {expected}"))
}

impl<'a> Fields<'a> {
    pub(super) fn has(self, name: &str) -> bool {
        self.0.get(name).is_some()
    }

    fn field(self, name: &str) -> Result<&'a Value, VectorError> {
        self.0
            .get(name)
            .ok_or_else(|| VectorError::Malformed(format!("field `{name}` is missing")))
    }

    pub(super) fn text(self, name: &str) -> Result<&'a str, VectorError> {
        self.field(name)?.as_str().ok_or_else(|| wrong(name, "a text"))
    }

    pub(super) fn number(self, name: &str) -> Result<u64, VectorError> {
        self.field(name)?.as_u64().ok_or_else(|| wrong(name, "a number"))
    }

    pub(super) fn flag(self, name: &str) -> Result<bool, VectorError> {
        self.field(name)?.as_bool().ok_or_else(|| wrong(name, "true or false"))
    }

    pub(super) fn list(self, name: &str) -> Result<&'a [Value], VectorError> {
        self.field(name)?.as_array().map(Vec::as_slice).ok_or_else(|| wrong(name, "a list"))
    }

    pub(super) fn object(self, name: &str) -> Result<Vec<&'a str>, VectorError> {
        let object = self.field(name)?.as_object().ok_or_else(|| wrong(name, "an object"))?;
        Ok(object.keys().map(String::as_str).collect())
    }

    pub(super) fn inner(self, name: &str) -> Result<Fields<'a>, VectorError> {
        self.field(name).map(Fields)
    }

    pub(super) fn texts(self, name: &str) -> Result<Vec<&'a str>, VectorError> {
        let texts = self.list(name)?.iter().map(Value::as_str).collect::<Option<_>>();
        texts.ok_or_else(|| wrong(name, "a list of texts"))
    }

    pub(super) fn numbers(self, name: &str) -> Result<Vec<u64>, VectorError> {
        let numbers = self.list(name)?.iter().map(Value::as_u64).collect::<Option<_>>();
        numbers.ok_or_else(|| wrong(name, "a list of numbers"))
    }

    /// The letter of a side, or null.
    pub(super) fn side_or_null(self, name: &str) -> Result<Option<Seat>, VectorError> {
        if self.field(name)?.is_null() { Ok(None) } else { self.side(name).map(Some) }
    }

    pub(super) fn side(self, name: &str) -> Result<Seat, VectorError> {
        match self.text(name)?.as_bytes() {
            [letter] => side_from_letter(*letter),
            _ => None,
        }
        .ok_or_else(|| wrong(name, "`O` or `B`"))
    }

    /// The fields `tiles` and `edges`.
    pub(super) fn state(self) -> Result<State, VectorError> {
        let state = State::parse(self.text("tiles")?, self.text("edges")?);
        state.map_err(|error: StateError| VectorError::Malformed(error.to_string()))
    }

    pub(super) fn draw(self, name: &str) -> Result<Draw, VectorError> {
        parsed(name, self.text(name)?)
    }

    pub(super) fn draws(self, name: &str) -> Result<Vec<Draw>, VectorError> {
        self.texts(name)?.into_iter().map(|text| parsed(name, text)).collect()
    }

    pub(super) fn action(self, name: &str) -> Result<Action, VectorError> {
        parsed(name, self.text(name)?)
    }

    pub(super) fn actions(self, name: &str) -> Result<Vec<Action>, VectorError> {
        self.texts(name)?.into_iter().map(|text| parsed(name, text)).collect()
    }
}

/// A text in a notation of this game.
fn parsed<T: std::str::FromStr<Err: ToString>>(name: &str, text: &str) -> Result<T, VectorError> {
    text.parse().map_err(|error: T::Err| {
        VectorError::Malformed(format!("field `{name}`: {}", error.to_string()))
    })
}
