//! Typed access to the fields of a vector.

use serde_json::Value;

use crate::amazons::{Move, Side, Territory};
use crate::vectors::VectorError;

/// The fields of one vector.
#[derive(Clone, Copy)]
pub(super) struct Fields<'a>(pub(super) &'a Value);

/// The error for a field that is not what it should be.
fn wrong(name: &str, expected: &str) -> VectorError {
    VectorError::Malformed(format!("field `{name}`: expected {expected}"))
}

fn parse<T: std::str::FromStr<Err: ToString>>(name: &str, text: &str) -> Result<T, VectorError> {
    text.parse().map_err(|error: T::Err| {
        VectorError::Malformed(format!("field `{name}`: {}", error.to_string()))
    })
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

    fn list(self, name: &str) -> Result<&'a [Value], VectorError> {
        self.field(name)?.as_array().map(Vec::as_slice).ok_or_else(|| wrong(name, "a list"))
    }

    pub(super) fn numbers(self, name: &str) -> Result<Vec<u64>, VectorError> {
        let numbers = self.list(name)?.iter().map(Value::as_u64).collect::<Option<_>>();
        numbers.ok_or_else(|| wrong(name, "a list of numbers"))
    }

    /// A text in a notation of this game.
    pub(super) fn parsed<T: std::str::FromStr<Err: ToString>>(
        self,
        name: &str,
    ) -> Result<T, VectorError> {
        parse(name, self.text(name)?)
    }

    pub(super) fn moves(self, name: &str) -> Result<Vec<Move>, VectorError> {
        let text = |value: &'a Value| value.as_str().ok_or_else(|| wrong(name, "a list of texts"));
        self.list(name)?.iter().map(|value| parse(name, text(value)?)).collect()
    }

    /// `w`, `b` or null.
    pub(super) fn winner(self, name: &str) -> Result<Option<Side>, VectorError> {
        let value = self.field(name)?;
        let side = Side::BOTH.into_iter().find(|side| value.as_str() == Some(side.letter()));
        if side.is_some() || value.is_null() {
            return Ok(side);
        }
        Err(wrong(name, "`w`, `b` or null"))
    }

    /// Empty squares of White only, of Black only, of both.
    pub(super) fn territory(self, name: &str) -> Result<Territory, VectorError> {
        let small: Result<Vec<u32>, _> = self.numbers(name)?.into_iter().map(u32::try_from).collect();
        match small.as_deref() {
            Ok(&[white, black, contested]) => Ok(Territory { white, black, contested }),
            _ => Err(wrong(name, "three small numbers")),
        }
    }
}
