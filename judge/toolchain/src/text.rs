//! WebAssembly text, which needs no compiler.

use std::path::Path;

use crate::{BuildError, Compiled};

/// Builds a `.wat` file. It keeps names, so that a trap can name its function.
pub(crate) fn build(source: &Path) -> Result<Compiled, BuildError> {
    let text = std::fs::read_to_string(source)
        .map_err(|error| BuildError::Read { path: source.to_owned(), source: error })?;
    build_text(source, &text)
}

/// Builds WebAssembly text with this content.
pub(crate) fn build_text(source: &Path, text: &str) -> Result<Compiled, BuildError> {
    let module = wat::parse_str(text).map_err(|mut error| {
        error.set_path(source);
        BuildError::Refused {
            path: source.to_owned(),
            step: "compile",
            words: error.to_string(),
            advice: Vec::new(),
        }
    })?;
    Ok(Compiled { module, ..Compiled::default() })
}
