//! Typed access to the fields of a vector.

use serde_json::Value;

use crate::mahjong::Tile;
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

    pub(super) fn text_or_null(self, name: &str) -> Result<Option<&'a str>, VectorError> {
        match self.field(name)? {
            Value::Null => Ok(None),
            _ => self.text(name).map(Some),
        }
    }

    /// One of the given texts.
    pub(super) fn choice(self, name: &str, choices: &[&str]) -> Result<&'a str, VectorError> {
        let text = self.text(name)?;
        let known = choices.contains(&text);
        known.then_some(text).ok_or_else(|| wrong(name, &format!("one of {choices:?}")))
    }

    /// A player, counted from 0, or null.
    pub(super) fn player_or_null(self, name: &str) -> Result<Option<usize>, VectorError> {
        match self.field(name)?.as_u64() {
            Some(player @ 0..=1) => Ok(Some(player as usize)),
            None if self.field(name)?.is_null() => Ok(None),
            _ => Err(wrong(name, "0, 1 or null")),
        }
    }

    pub(super) fn number(self, name: &str) -> Result<u32, VectorError> {
        let number = self.field(name)?.as_u64().and_then(|number| u32::try_from(number).ok());
        number.ok_or_else(|| wrong(name, "a small number"))
    }

    pub(super) fn signed(self, name: &str) -> Result<i64, VectorError> {
        self.field(name)?.as_i64().ok_or_else(|| wrong(name, "an integer"))
    }

    pub(super) fn flag(self, name: &str) -> Result<bool, VectorError> {
        self.field(name)?.as_bool().ok_or_else(|| wrong(name, "true or false"))
    }

    pub(super) fn list(self, name: &str) -> Result<&'a [Value], VectorError> {
        self.field(name)?.as_array().map(Vec::as_slice).ok_or_else(|| wrong(name, "a list"))
    }

    pub(super) fn texts(self, name: &str) -> Result<Vec<&'a str>, VectorError> {
        let texts = self.list(name)?.iter().map(Value::as_str).collect::<Option<_>>();
        texts.ok_or_else(|| wrong(name, "a list of texts"))
    }

    /// A text in a notation of this game.
    pub(super) fn parsed<T: std::str::FromStr<Err: ToString>>(
        self,
        name: &str,
    ) -> Result<T, VectorError> {
        self.text(name)?.parse().map_err(|error: T::Err| wrong_text(name, &error))
    }

    pub(super) fn tiles(self, name: &str) -> Result<Vec<Tile>, VectorError> {
        self.texts(name)?.into_iter().map(|text| tile(name, text)).collect()
    }

    /// An object of tile to Faan, in the order of the tiles.
    pub(super) fn faan_by_tile(self, name: &str) -> Result<Vec<(Tile, u32)>, VectorError> {
        let object = self.field(name)?;
        let keys = object.as_object().ok_or_else(|| wrong(name, "an object"))?.keys();
        let mut pairs = keys
            .map(|key| Ok((tile(name, key)?, Fields(object).number(key)?)))
            .collect::<Result<Vec<_>, VectorError>>()?;
        pairs.sort_unstable();
        Ok(pairs)
    }
}

fn tile(name: &str, text: &str) -> Result<Tile, VectorError> {
    text.parse().map_err(|error: crate::mahjong::TileError| wrong_text(name, &error))
}

fn wrong_text(name: &str, error: &impl ToString) -> VectorError {
    VectorError::Malformed(format!("field `{name}`: {}", error.to_string()))
}
