//! Errors in files written by users: the file, the position, and the expected content.

// The fields are read by code that the `Diagnostic` derive generates.
#![allow(unused_assignments)]

use judge_core::{printable, steers};
use miette::{Diagnostic, NamedSource, SourceSpan};
use toml::Spanned;

/// An error in a testcase or suite file, with its position.
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
    /// The file, with line and column if they are known: `suite.toml:2:1`.
    pub(crate) fn place(&self) -> String {
        let name = self.source_code.name();
        // The shown text has a different length only if a character of several bytes was replaced.
        match self.place_in(self.source_code.inner()) {
            Some((line, column)) => format!("{name}:{line}:{column}"),
            None => name.to_owned(),
        }
    }

    /// Line and column, counted from 1, of the position in `text`, the text that was read.
    pub(crate) fn place_in(&self, text: &str) -> Option<(usize, usize)> {
        let before = text.get(..self.span?.offset())?;
        let in_line = before.rsplit('\n').next().unwrap_or_default();
        Some((before.matches('\n').count() + 1, in_line.chars().count() + 1))
    }
}

/// The text with every character that would control a terminal replaced, byte for byte, so that
/// positions stay the same.
fn tamed(text: &str) -> String {
    let tame = |c: char| match c {
        '\n' | '\r' | '\t' => c.to_string(),
        c if steers(c) => "?".repeat(c.len_utf8()),
        c => c.to_string(),
    };
    text.chars().map(tame).collect()
}

/// Longest value in a message, in characters.
const MAX_SHOWN: usize = 40;

/// The missing field in a parser's message.
fn missing_field(message: &str) -> Option<&str> {
    message.strip_prefix("missing field `")?.strip_suffix('`')
}

/// Removes the known fields from a message about an unknown one: the help explains them.
fn unknown_field(message: &str) -> &str {
    let known =
        message.starts_with("unknown field `").then(|| message.find(", expected ")).flatten();
    known.map_or(message, |at| &message[..at])
}

/// Message and help about a value of the wrong type, in place of the parser's, which is worded for
/// programmers. None for any other mistake.
fn wrong_value(message: &str, value: &str) -> Option<(String, Option<String>)> {
    let is_kind =
        ["invalid type: ", "invalid value: "].iter().any(|start| message.starts_with(start));
    let (_, expected) = message.rsplit_once(", expected ").filter(|_| is_kind)?;
    let value = value.lines().next().unwrap_or_default().trim();
    let is_word = !value.contains('"') && !value.starts_with(['[', '{', '\'']);
    let is_text = matches!(expected, "a string" | "path string");
    let expected = match expected {
        "u64" => "a whole number from 0 up",
        "i64" => "a whole number",
        "a boolean" => "`true` or `false`",
        "a string" | "path string" => "text in quotes",
        "a sequence" => "a list, such as `[1, 2]`",
        other if other == "a map" || other.starts_with("struct ") => "a table",
        other => other.strip_prefix("points: ").unwrap_or(other),
    };
    let shown: String = value.chars().take(MAX_SHOWN).collect();
    let help = (is_text && is_word).then(|| format!("put it in quotes: `\"{shown}\"`"));
    Some((format!("`{shown}`: expected {expected}"), help))
}

/// A named text, for errors with positions in it.
pub(crate) struct Source<'a> {
    pub(crate) name: &'a str,
    pub(crate) text: &'a str,
}

impl Source<'_> {
    /// Parses the text as TOML.
    pub(crate) fn parse<T: serde::de::DeserializeOwned>(
        &self,
        help: &str,
    ) -> Result<T, Box<SourceError>> {
        toml::from_str(self.text).map_err(|error: toml::de::Error| {
            let message = error.message().lines().collect::<Vec<_>>().join(", ");
            let span = error.span().unwrap_or_default();
            // A missing field has no position in the file.
            if let (true, Some(field)) = (span.is_empty(), missing_field(&message)) {
                return self.without(field, help);
            }
            match wrong_value(&message, self.text.get(span.clone()).unwrap_or_default()) {
                Some((message, help)) => self.error(&message, Some(span), help),
                None => self.error(unknown_field(&message), Some(span), Some(help.to_owned())),
            }
        })
    }

    /// An error about a missing field of the file itself, without a position.
    pub(crate) fn without(&self, field: &str, help: &str) -> Box<SourceError> {
        let message = format!("`{}` has no `{field}`", self.name);
        self.error(&message, None, Some(help.to_owned()))
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

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only errors are looked at")]
    struct Raw {
        title: String,
        count: Option<Spanned<u64>>,
        score: Option<Spanned<i64>>,
        list: Option<Spanned<Vec<i64>>>,
        on: Option<bool>,
        points: Option<Spanned<judge_core::Points>>,
        table: Option<SourceTable>,
    }

    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "only errors are looked at")]
    struct SourceTable {
        inner: String,
    }

    fn mistake(text: &str) -> Box<SourceError> {
        let source = Source { name: "x.toml", text };
        source.parse::<Raw>("the fields of a file").expect_err("a mistake")
    }

    #[test]
    fn values_of_the_wrong_type_are_reported_at_their_place() {
        for (value, message, help) in [
            ("count = -1", "`-1`: expected a whole number from 0 up", None),
            ("count = 1.5", "`1.5`: expected a whole number from 0 up", None),
            ("score = 50.5", "`50.5`: expected a whole number", None),
            ("score = \"a, expected b\"", "`\"a, expected b\"`: expected a whole number", None),
            ("list = 3", "`3`: expected a list, such as `[1, 2]`", None),
            ("on = 1", "`1`: expected `true` or `false`", None),
            ("points = -1", "`-1`: expected a number from 0 up with at most three decimals", None),
            ("table = 3", "`3`: expected a table", None),
            (
                "table.inner = 2026-11-01",
                "`2026-11-01`: expected text in quotes",
                Some("put it in quotes: `\"2026-11-01\"`"),
            ),
            ("table.inner = [1]", "`[1]`: expected text in quotes", None),
        ] {
            let text = format!("title = \"x\"\n{value}\n");
            let error = mistake(&text);
            assert_eq!(error.to_string(), message);
            assert_eq!(error.help.as_deref(), help, "{value}");
            let column = value.find("= ").map(|at| at + 3);
            assert_eq!(error.place_in(&text), column.map(|column| (2, column)), "{value}");
        }
    }

    #[test]
    fn a_missing_key_is_reported_at_its_table() {
        let error = mistake("count = 1\n");
        assert_eq!(error.to_string(), "`x.toml` has no `title`");
        assert_eq!(error.help.as_deref(), Some("the fields of a file"));
        assert_eq!(error.place_in("count = 1\n"), None);
        assert_eq!(mistake("titel = 1\n").to_string(), "unknown field `titel`");
        let text = "title = \"x\"\n[table]\n";
        let error = mistake(text);
        assert_eq!(error.to_string(), "missing field `inner`");
        assert_eq!(error.place_in(text), Some((2, 1)));
    }
}
