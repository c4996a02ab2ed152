//! Errors in files that a person wrote: the file, the place in it, and what was expected.

// The fields are read by code that the `Diagnostic` derive generates.
#![allow(unused_assignments)]

use judge_core::{printable, steers};
use miette::{Diagnostic, NamedSource, SourceSpan};
use toml::Spanned;

/// A testcase or suite file that does not make sense, with the offending place.
#[derive(Debug, thiserror::Error, Diagnostic)]
#[error("{message}")]
pub struct SourceError {
    message: String,
    #[source_code]
    source_code: NamedSource<String>,
    #[label("here")]
    span: Option<SourceSpan>,
    #[help]
    help: Option<String>,
}

impl SourceError {
    /// Line and column, counted from 1, of the place in `text`, which is what was read.
    pub(crate) fn place_in(&self, text: &str) -> Option<(usize, usize)> {
        let before = text.get(..self.span?.offset())?;
        let in_line = before.rsplit('\n').next().unwrap_or_default();
        Some((before.matches('\n').count() + 1, in_line.chars().count() + 1))
    }
}

/// The text with every character that would steer a terminal replaced, byte for byte, so that
/// places stay where they are.
fn tamed(text: &str) -> String {
    let tame = |c: char| match c {
        '\n' | '\r' | '\t' => c.to_string(),
        c if steers(c) => "?".repeat(c.len_utf8()),
        c => c.to_string(),
    };
    text.chars().map(tame).collect()
}

/// A named text, for errors about places in it.
pub(crate) struct Source<'a> {
    pub(crate) name: &'a str,
    pub(crate) text: &'a str,
}

impl Source<'_> {
    /// Reads the text as TOML.
    pub(crate) fn parse<T: serde::de::DeserializeOwned>(
        &self,
        help: &str,
    ) -> Result<T, Box<SourceError>> {
        toml::from_str(self.text).map_err(|error: toml::de::Error| {
            let message = error.message().lines().collect::<Vec<_>>().join(", ");
            self.error(&message, error.span(), Some(help.to_owned()))
        })
    }

    /// An error about a value.
    pub(crate) fn about<T>(
        &self,
        value: &Spanned<T>,
        message: impl Into<String>,
        help: Option<String>,
    ) -> Box<SourceError> {
        self.error(&message.into(), Some(value.span()), help)
    }

    fn error(
        &self,
        message: &str,
        span: Option<std::ops::Range<usize>>,
        help: Option<String>,
    ) -> Box<SourceError> {
        let message = printable(message, usize::MAX);
        let name = printable(self.name, usize::MAX);
        let source_code = NamedSource::new(name, tamed(self.text)).with_language("TOML");
        Box::new(SourceError { message, source_code, span: span.map(SourceSpan::from), help })
    }
}
