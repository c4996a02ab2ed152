//! Files of test vectors (`{"game": …, "vectors": [{"id": …, "kind": …, …}, …]}`): results that the
//! rules must reproduce, independent of this implementation.

pub(crate) mod fields;

pub use crate::vector_error::VectorError;

use serde::Deserialize;
use serde_json::Value;

/// A vector that did not pass.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VectorFailure {
    /// Its `id`.
    pub id: String,
    /// Its `kind`; empty when it has none.
    pub kind: String,
    /// The error.
    pub error: VectorError,
}

/// The results of one file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Summary {
    /// Vectors that passed.
    pub passed: usize,
    /// Vectors that did not, in the order of the file.
    pub failures: Vec<VectorFailure>,
}

/// A file that cannot be run.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// Not JSON, or not in the form of a vector file.
    #[error("not a file of test vectors: {0}")]
    Json(#[from] serde_json::Error),
    /// The `game` field names no registered game.
    #[error("unknown game `{0}`")]
    UnknownGame(String),
    /// Vectors without an `id`, of an unknown `kind` or with missing fields.
    #[error("vector `{id}`: {reason}")]
    Vector {
        /// Its `id`, or its position when it has none.
        id: String,
        /// The error in it.
        reason: String,
    },
}

#[derive(Deserialize)]
struct VectorFile {
    game: String,
    vectors: Vec<Value>,
}

/// Runs every vector of a file.
///
/// # Errors
/// When the file, or one of its vectors, is malformed; a failing vector does not count as an error.
pub fn run(text: &str) -> Result<Summary, FileError> {
    let file: VectorFile = serde_json::from_str(text)?;
    let game = crate::find(&file.game).ok_or_else(|| FileError::UnknownGame(file.game.clone()))?;
    let mut summary = Summary::default();
    for (position, vector) in (1..).zip(&file.vectors) {
        let id = text_field(vector, "id").unwrap_or(format!("number {position}"));
        match game.check_vector(vector) {
            Ok(()) => summary.passed += 1,
            Err(VectorError::Malformed(reason)) => return Err(FileError::Vector { id, reason }),
            Err(error) => {
                let kind = text_field(vector, "kind").unwrap_or_default();
                summary.failures.push(VectorFailure { id, kind, error });
            }
        }
    }
    Ok(summary)
}

fn text_field(vector: &Value, key: &str) -> Option<String> {
    vector.get(key).and_then(Value::as_str).map(str::to_owned)
}
