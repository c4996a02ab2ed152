//! The rule switches as text: in a testcase's options, and in the bots' first line.

use std::fmt::Write as _;

use judge_core::Options;

use super::{PATTERNS, PatternInfo, Rules};
use crate::text::number;
use crate::{OptionError, OptionInfo};

/// Key of the switch that is not a factor.
const VOID_SUIT: &str = "void_suit";

/// All switches, in the order of the first line to bots.
pub(super) static OPTIONS: [OptionInfo; 5] = [
    OptionInfo {
        key: VOID_SUIT,
        default: "false",
        summary: "a winning hand uses at most two suits: true or false",
    },
    option(&PATTERNS[0]),
    option(&PATTERNS[1]),
    option(&PATTERNS[2]),
    option(&PATTERNS[3]),
];

/// The switch that sets the factor of a pattern.
const fn option(info: &PatternInfo) -> OptionInfo {
    OptionInfo { key: info.key, default: info.default, summary: info.summary }
}

impl Rules {
    /// The default rules with these options set. Unknown keys are ignored.
    ///
    /// # Errors
    /// When an option has a value that it cannot have.
    pub fn from_options(options: &Options) -> Result<Rules, OptionError> {
        let mut rules = Rules::default();
        if let Some(value) = options.get(VOID_SUIT) {
            rules.void_suit =
                value.parse().map_err(|_| refused(VOID_SUIT, value, "`true` or `false`"))?;
        }
        for info in &PATTERNS {
            if let Some(value) = options.get(info.key) {
                let set =
                    number(value).is_some_and(|factor| rules.set_factor(info.pattern, factor));
                if !set {
                    return Err(refused(info.key, value, "an integer from 1 to 64"));
                }
            }
        }
        Ok(rules)
    }
}

fn refused(key: &'static str, value: &str, expected: &'static str) -> OptionError {
    OptionError::Value { key, value: value.to_owned(), expected }
}

/// All switches as `key=value`, in the order of [`OPTIONS`].
pub(super) fn facts(rules: &Rules) -> String {
    let mut text = format!("{VOID_SUIT}={}", rules.void_suit);
    for info in &PATTERNS {
        // Writing into a string cannot fail.
        let _ = write!(text, " {}={}", info.key, rules.factor(info.pattern));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mahjong::Pattern;

    fn options(pairs: &[(&str, &str)]) -> Options {
        pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn defaults_match_the_rules() {
        let all: Vec<_> = OPTIONS.iter().map(|option| (option.key, option.default)).collect();
        assert_eq!(Rules::from_options(&options(&all)), Ok(Rules::default()));
        assert_eq!(Rules::from_options(&options(&[])), Ok(Rules::default()));
        let told: Vec<_> = all.iter().map(|(key, value)| format!("{key}={value}")).collect();
        assert_eq!(facts(&Rules::default()), told.join(" "));
    }

    #[test]
    fn every_switch_can_be_set() {
        let set = [
            ("void_suit", "true"),
            ("all_triplets", "1"),
            ("full_flush", "64"),
            ("seven_pairs", "7"),
            ("root", "3"),
        ];
        let rules = Rules::from_options(&options(&set)).expect("allowed values");
        assert!(rules.void_suit);
        assert_eq!(rules.factor(Pattern::SevenPairs), 7);
        assert_eq!(
            facts(&rules),
            "void_suit=true all_triplets=1 full_flush=64 seven_pairs=7 root=3"
        );
    }

    #[test]
    fn other_values_are_refused() {
        for (key, value) in [
            ("void_suit", "yes"),
            ("void_suit", ""),
            ("root", "0"),
            ("root", "65"),
            ("root", "+2"),
            ("root", "02"),
            ("all_triplets", "2.5"),
            ("full_flush", "-4"),
            ("seven_pairs", "99999999999999"),
        ] {
            assert!(Rules::from_options(&options(&[(key, value)])).is_err(), "{key}={value}");
        }
        let message =
            Rules::from_options(&options(&[("root", "0")])).expect_err("too small").to_string();
        assert_eq!(message, "option `root` is `0`: expected an integer from 1 to 64");
    }
}
