//! Conversion of columns to their types.

use std::str::FromStr;

use sqlx::Row as _;
use sqlx::any::AnyRow;

use crate::basics::time::Timestamp;

type Read<T> = Result<T, sqlx::Error>;

/// Access to columns by name.
pub(crate) trait Columns {
    /// Reads a text.
    fn text(&self, column: &str) -> Read<String>;
    /// Reads a text that may be missing.
    fn maybe_text(&self, column: &str) -> Read<Option<String>>;
    /// Reads a number.
    fn number(&self, column: &str) -> Read<i64>;
    /// Reads a number that may be missing.
    fn maybe_number(&self, column: &str) -> Read<Option<i64>>;

    /// Reads a number that is never negative.
    fn count(&self, column: &str) -> Read<u64> {
        Ok(u64::try_from(self.number(column)?).unwrap_or_default())
    }

    /// Reads 0 or 1.
    fn flag(&self, column: &str) -> Read<bool> {
        Ok(self.number(column)? != 0)
    }

    /// Reads a moment.
    fn time(&self, column: &str) -> Read<Timestamp> {
        Ok(Timestamp::from_millis(self.number(column)?))
    }

    /// Reads a moment that may be missing.
    fn maybe_time(&self, column: &str) -> Read<Option<Timestamp>> {
        Ok(self.maybe_number(column)?.map(Timestamp::from_millis))
    }

    /// Parses a text.
    fn parsed<T: FromStr<Err: std::error::Error + Send + Sync + 'static>>(
        &self,
        column: &str,
    ) -> Read<T> {
        self.text(column)?.parse().map_err(|error| unreadable(column, error))
    }

    /// Parses a text that may be missing.
    fn maybe_parsed<T: FromStr<Err: std::error::Error + Send + Sync + 'static>>(
        &self,
        column: &str,
    ) -> Read<Option<T>> {
        let text = self.maybe_text(column)?;
        text.map(|text| text.parse().map_err(|error| unreadable(column, error))).transpose()
    }
}

impl Columns for AnyRow {
    fn text(&self, column: &str) -> Read<String> {
        self.try_get(column)
    }

    fn maybe_text(&self, column: &str) -> Read<Option<String>> {
        self.try_get(column)
    }

    fn number(&self, column: &str) -> Read<i64> {
        self.try_get(column)
    }

    fn maybe_number(&self, column: &str) -> Read<Option<i64>> {
        self.try_get(column)
    }
}

/// The error for a column with an unexpected value.
pub(crate) fn unreadable(
    column: &str,
    source: impl std::error::Error + Send + Sync + 'static,
) -> sqlx::Error {
    sqlx::Error::ColumnDecode { index: column.to_owned(), source: Box::new(source) }
}

/// A word that is not valid for a column.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown word `{0}`")]
pub struct UnknownWord(pub(crate) String);

/// Defines enums with values that are words in the database and in addresses of pages.
macro_rules! words {
    ($($(#[$doc:meta])* $name:ident { $($(#[$of:meta])* $variant:ident = $word:literal,)* })*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $($(#[$of])* $variant,)*
        }

        impl $name {
            /// All values.
            pub const ALL: &[$name] = &[$($name::$variant,)*];

            /// The word of this value.
            pub fn name(self) -> &'static str {
                match self {
                    $($name::$variant => $word,)*
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::row::UnknownWord;

            fn from_str(word: &str) -> Result<$name, $crate::row::UnknownWord> {
                let known = $name::ALL.iter().copied().find(|one| one.name() == word);
                known.ok_or_else(|| $crate::row::UnknownWord(word.to_owned()))
            }
        }
    )*};
}
pub(crate) use words;
