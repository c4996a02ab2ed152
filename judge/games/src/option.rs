//! The rule switches of a game.

/// A rule switch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OptionInfo {
    /// Key in the testcase's `[options]` and in the bots' first line.
    pub key: &'static str,
    /// Value when nothing is said.
    pub default: &'static str,
    /// Its effect and its values.
    pub summary: &'static str,
}

/// A rule switch that cannot be set so.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// The game has no such switch.
    #[error("unknown option `{key}`: {game} has {known}")]
    Unknown {
        /// The key that was given.
        key: String,
        /// Name of the game.
        game: &'static str,
        /// The keys that exist.
        known: String,
    },
    /// The switch has no such value.
    #[error("option `{key}` is `{value}`: expected {expected}")]
    Value {
        /// The key.
        key: &'static str,
        /// The value that was given.
        value: String,
        /// The allowed values.
        expected: &'static str,
    },
}

impl OptionError {
    /// The switch that it is about.
    pub fn key(&self) -> &str {
        match self {
            OptionError::Unknown { key, .. } => key,
            OptionError::Value { key, .. } => key,
        }
    }
}
