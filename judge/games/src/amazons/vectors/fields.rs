//! The fields that only vectors of this game have.

use crate::amazons::{Side, Territory};
use crate::vectors::VectorError;
use crate::vectors::fields::{Fields, wrong};

/// `w`, `b` or null.
pub(super) fn winner(fields: Fields<'_>, name: &str) -> Result<Option<Side>, VectorError> {
    let letter = fields.text_or_null(name)?;
    let side = Side::BOTH.into_iter().find(|side| letter == Some(side.letter()));
    if side.is_some() == letter.is_some() { Ok(side) } else { Err(wrong(name, "`w`, `b` or null")) }
}

/// Empty squares of White only, of Black only, of both.
pub(super) fn territory(fields: Fields<'_>, name: &str) -> Result<Territory, VectorError> {
    let numbers = fields.numbers(name)?.into_iter();
    let small: Result<Vec<u32>, _> = numbers.map(u32::try_from).collect();
    match small.as_deref() {
        Ok(&[white, black, contested]) => Ok(Territory { white, black, contested }),
        _ => Err(wrong(name, "three small numbers")),
    }
}
