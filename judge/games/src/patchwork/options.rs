//! The rule switches as text: in a testcase's options, and in the bots' first line.

use judge_core::Options;

use crate::{OptionError, OptionInfo};

/// Key of the only switch.
const SEVEN_BY_SEVEN: &str = "seven_by_seven";

/// All switches, in the order of the first line to bots.
pub(super) static OPTIONS: [OptionInfo; 1] = [OptionInfo {
    key: SEVEN_BY_SEVEN,
    default: "false",
    summary: "the first player to cover a 7x7 block of squares gets 7 points: true or false",
}];

/// The rules that may differ from round to round.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Rules {
    /// True if the first player to cover a 7×7 block of squares gets 7 points.
    pub seven_by_seven: bool,
}

impl Rules {
    /// The default rules with these options set. Unknown keys are ignored.
    ///
    /// # Errors
    /// When an option has a value that it cannot have.
    pub fn from_options(options: &Options) -> Result<Rules, OptionError> {
        let mut rules = Rules::default();
        if let Some(value) = options.get(SEVEN_BY_SEVEN) {
            rules.seven_by_seven = value.parse().map_err(|_| OptionError::Value {
                key: SEVEN_BY_SEVEN,
                value: value.clone(),
                expected: "`true` or `false`",
            })?;
        }
        Ok(rules)
    }
}

/// All switches as `key=value`, in the order of [`OPTIONS`].
pub(super) fn facts(rules: Rules) -> String {
    format!("{SEVEN_BY_SEVEN}={}", rules.seven_by_seven)
}

/// Reads the switches back from the first line; other words are skipped.
pub(super) fn read_facts(greeting: &str) -> Rules {
    let mut pairs = greeting.split(' ').filter_map(|token| token.split_once('='));
    Rules { seven_by_seven: pairs.any(|pair| pair == (SEVEN_BY_SEVEN, "true")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(value: &str) -> Result<Rules, OptionError> {
        Rules::from_options(&Options::from([(SEVEN_BY_SEVEN.to_owned(), value.to_owned())]))
    }

    #[test]
    fn the_option_is_read_and_sent_to_the_players() {
        assert_eq!(set("false"), Ok(Rules::default()));
        assert_eq!(Rules::from_options(&Options::new()), Ok(Rules::default()));
        assert_eq!(facts(Rules::default()), "seven_by_seven=false");
        let rules = set("true").expect("a value");
        assert_eq!(facts(rules), "seven_by_seven=true");
        for rules in [rules, Rules::default()] {
            assert_eq!(read_facts(&format!("patchwork seat 2 {}", facts(rules))), rules);
        }
    }

    #[test]
    fn other_values_are_refused() {
        for value in ["", "yes", "True", "1", " true"] {
            assert!(set(value).is_err(), "{value}");
        }
        let message = set("7").expect_err("no value").to_string();
        assert_eq!(message, "option `seven_by_seven` is `7`: expected `true` or `false`");
    }
}
