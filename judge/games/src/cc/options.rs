//! The rule switches as text: in a testcase's options, and in the bots' first line.

use judge_core::Options;

use super::Position;
use crate::text::number;
use crate::{OptionError, OptionInfo};

/// Most plies that an opening can have.
const MAX_OPENING: u32 = 20;

/// Most plies after which a game can be drawn: two lines each, well within the limits of a record.
const MAX_PLIES: u32 = 10_000;

/// All switches, in the order of the first line to bots.
pub(super) static OPTIONS: [OptionInfo; 3] = [
    OptionInfo { key: "size", default: "8", summary: "rows and columns of the board: 5 to 16" },
    OptionInfo {
        key: "opening",
        default: "4",
        summary: "random plies before the first question: 0 to 20",
    },
    OptionInfo {
        key: "max_plies",
        default: "auto",
        summary: "the game is drawn after so many plies of the players: 1 to 10000, or `auto`: \
                  400 on boards up to 6 by 6, 1000 on larger ones",
    },
];

/// The values of the switches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    start: Position,
    /// Random plies before the first question.
    pub opening: u32,
    /// Plies of the players, both together and without the opening, after which it is a draw.
    pub max_plies: u32,
}

impl Rules {
    /// The position before the opening.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The default rules with these options set. Unknown keys are ignored.
    ///
    /// # Errors
    /// When an option has a value that it cannot have.
    pub fn from_options(options: &Options) -> Result<Rules, OptionError> {
        let [size, opening, max_plies] = [0, 1, 2]
            .map(|at| options.get(OPTIONS[at].key).map_or(OPTIONS[at].default, String::as_str));
        let start = number(size)
            .and_then(|size| Position::start(size).ok())
            .ok_or_else(|| refused(0, size, "an integer from 5 to 16"))?;
        let drawn = number(opening)
            .filter(|plies| *plies <= MAX_OPENING)
            .ok_or_else(|| refused(1, opening, "an integer from 0 to 20"))?;
        let limit = match max_plies {
            "auto" => Some(if start.size() <= 6 { 400 } else { 1000 }),
            _ => number(max_plies).filter(|plies| (1..=MAX_PLIES).contains(plies)),
        };
        let limit =
            limit.ok_or_else(|| refused(2, max_plies, "`auto` or an integer from 1 to 10000"))?;
        Ok(Rules { start, opening: drawn, max_plies: limit })
    }
}

fn refused(option: usize, value: &str, expected: &'static str) -> OptionError {
    OptionError::Value { key: OPTIONS[option].key, value: value.to_owned(), expected }
}

/// All switches as `key=value`, in the order of [`OPTIONS`]; `auto` is written as its number.
pub(super) fn facts(rules: &Rules) -> String {
    let Rules { start, opening, max_plies } = rules;
    format!("size={} opening={opening} max_plies={max_plies}", start.size())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(pairs: &[(&str, &str)]) -> Result<Rules, OptionError> {
        let pairs = pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
        Rules::from_options(&pairs.collect())
    }

    #[test]
    fn the_greeting_has_the_rules_in_effect() {
        let told = |pairs: &[(&str, &str)]| facts(&parsed(pairs).expect("allowed values"));
        assert_eq!(told(&[]), "size=8 opening=4 max_plies=1000");
        assert_eq!(told(&[("size", "6")]), "size=6 opening=4 max_plies=400");
        assert_eq!(told(&[("size", "16"), ("opening", "0")]), "size=16 opening=0 max_plies=1000");
        assert_eq!(told(&[("size", "5"), ("max_plies", "7")]), "size=5 opening=4 max_plies=7");
        assert_eq!(parsed(&[("max_plies", "1000")]), parsed(&[]));
    }

    #[test]
    fn other_values_are_refused() {
        for (key, value) in [
            ("size", "4"),
            ("size", "17"),
            ("size", "264"),
            ("size", "08"),
            ("size", ""),
            ("opening", "21"),
            ("opening", "-1"),
            ("opening", "auto"),
            ("max_plies", "0"),
            ("max_plies", "10001"),
            ("max_plies", "+5"),
        ] {
            assert!(parsed(&[(key, value)]).is_err(), "{key}={value}");
        }
        let message = parsed(&[("size", "4")]).expect_err("too small").to_string();
        assert_eq!(message, "option `size` is `4`: expected an integer from 5 to 16");
    }
}
