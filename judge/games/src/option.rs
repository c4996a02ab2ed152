//! The rule switches of a game.

/// A rule switch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OptionInfo {
    /// Key in the testcase's `[options]` and in the bots' first line.
    pub key: &'static str,
    /// The default value.
    pub default: &'static str,
    /// Its effect and its values.
    pub summary: &'static str,
}

/// A rule switch or a value that does not exist.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// The game has no such switch.
    #[error("unknown option `{key}`: {game} has {known}")]
    Unknown {
        /// The given key.
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
        /// The given value.
        value: String,
        /// The allowed values.
        expected: &'static str,
    },
}

impl OptionError {
    /// The key of the switch in question.
    pub fn key(&self) -> &str {
        match self {
            OptionError::Unknown { key, .. } => key,
            OptionError::Value { key, .. } => key,
        }
    }
}
