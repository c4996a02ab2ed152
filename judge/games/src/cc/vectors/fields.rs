//! Fields that only the vectors of this game have: squares, men, positions, results.

use serde_json::Value;

use crate::cc::{Position, Square, Squares};
use crate::vectors::VectorError;
use crate::vectors::fields::{Fields, wrong};

/// The notation of a square.
const SQUARE: &str = "squares as pairs of row and column";

/// The readers of such fields.
pub(super) trait BoardFields<'a> {
    /// `None` when the vector has no such field.
    fn optional_texts(self, name: &str) -> Result<Option<Vec<&'a str>>, VectorError>;

    /// Rows and columns of the board; the rules check whether there is such a board.
    fn size(self) -> Result<u8, VectorError>;

    /// `1`, `2` or `draw`; `None` for null.
    fn result_or_null(self) -> Result<Option<&'a str>, VectorError>;

    fn square_or_null(self, name: &str) -> Result<Option<Square>, VectorError>;

    /// The position of the fields `size`, `p1`, `p2` and `turn`.
    fn position(self) -> Result<Position, VectorError>;
}

impl<'a> BoardFields<'a> for Fields<'a> {
    fn optional_texts(self, name: &str) -> Result<Option<Vec<&'a str>>, VectorError> {
        if self.has(name) { self.texts(name).map(Some) } else { Ok(None) }
    }

    fn size(self) -> Result<u8, VectorError> {
        u8::try_from(self.number("size")?).map_err(|_| wrong("size", "a small number"))
    }

    fn result_or_null(self) -> Result<Option<&'a str>, VectorError> {
        if self.field("result")?.is_null() {
            return Ok(None);
        }
        self.choice("result", &["1", "2", "draw"]).map(Some)
    }

    fn square_or_null(self, name: &str) -> Result<Option<Square>, VectorError> {
        match self.field(name)? {
            Value::Null => Ok(None),
            value => square(value).map(Some).ok_or_else(|| wrong(name, SQUARE)),
        }
    }

    fn position(self) -> Result<Position, VectorError> {
        let men = [men(self, "p1")?, men(self, "p2")?];
        Position::new(self.size()?, men, self.seat("turn")?)
            .map_err(|error| VectorError::Malformed(error.to_string()))
    }
}

fn men(fields: Fields<'_>, name: &str) -> Result<Squares, VectorError> {
    let squares: Option<Vec<Square>> = fields.list(name)?.iter().map(square).collect();
    let squares = squares.ok_or_else(|| wrong(name, SQUARE))?;
    let set: Squares = squares.iter().copied().collect();
    let distinct = set.len() as usize == squares.len();
    distinct.then_some(set).ok_or_else(|| wrong(name, "each square only once"))
}

fn square(value: &Value) -> Option<Square> {
    let [row, column] = value.as_array()?.as_slice() else { return None };
    let number = |value: &Value| u8::try_from(value.as_u64()?).ok();
    Square::new(number(row)?, number(column)?)
}
