//! Errors of test vectors.

/// The reason why a vector did not pass.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum VectorError {
    /// The rules give another value than the vector.
    #[error("{what}: expected `{expected}`, found `{found}`")]
    Mismatch {
        /// The quantity.
        what: String,
        /// The vector's value.
        expected: String,
        /// The rules' value.
        found: String,
    },
    /// The vector itself is invalid: a field is missing, a notation does not parse.
    #[error("malformed vector: {0}")]
    Malformed(String),
}

impl VectorError {
    /// Compares a quantity with its value in the vector.
    ///
    /// # Errors
    /// [`VectorError::Mismatch`] when they differ.
    pub fn expect<T: PartialEq + std::fmt::Debug>(
        what: &str,
        expected: &T,
        found: &T,
    ) -> Result<(), VectorError> {
        if expected == found {
            return Ok(());
        }
        Err(VectorError::Mismatch {
            what: what.to_owned(),
            expected: format!("{expected:?}"),
            found: format!("{found:?}"),
        })
    }
}
