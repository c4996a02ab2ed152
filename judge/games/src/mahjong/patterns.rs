//! Patterns that raise the worth of a winning hand, as a table, and the switches that change it.

/// A property of a winning hand that multiplies its Faan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Pattern {
    /// Four triplets and a pair.
    AllTriplets,
    /// One suit only.
    FullFlush,
    /// Seven pairs; four equal tiles are two of them.
    SevenPairs,
    /// Four equal tiles, in one group or several; counts as often as it occurs.
    Root,
}

/// A row of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PatternInfo {
    /// The pattern.
    pub pattern: Pattern,
    /// Name for people.
    pub name: &'static str,
    /// Key of the rule option that sets the factor.
    pub key: &'static str,
    /// The default factor, as the option's text.
    pub default: &'static str,
    /// The same as a number.
    pub factor: u32,
    /// One line for people.
    pub summary: &'static str,
}

/// The Faan table, in the order of [`Pattern`]. Any win starts at 1.
pub static PATTERNS: [PatternInfo; 4] = [
    PatternInfo {
        pattern: Pattern::AllTriplets,
        name: "All Triplets",
        key: "all_triplets",
        default: "2",
        factor: 2,
        summary: "factor of a hand of four triplets and a pair: 1 to 64",
    },
    PatternInfo {
        pattern: Pattern::FullFlush,
        name: "Full Flush",
        key: "full_flush",
        default: "4",
        factor: 4,
        summary: "factor of a hand of one suit: 1 to 64",
    },
    PatternInfo {
        pattern: Pattern::SevenPairs,
        name: "Seven Pairs",
        key: "seven_pairs",
        default: "4",
        factor: 4,
        summary: "factor of a hand of seven pairs: 1 to 64",
    },
    PatternInfo {
        pattern: Pattern::Root,
        name: "Root",
        key: "root",
        default: "2",
        factor: 2,
        summary: "factor of each four equal tiles in the hand: 1 to 64",
    },
];

impl Pattern {
    /// Its row of the table.
    pub fn info(self) -> &'static PatternInfo {
        &PATTERNS[self as usize]
    }
}

/// The rules of scoring.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    /// True if a winning hand must lack a suit.
    pub void_suit: bool,
    pub(super) factors: [u32; 4],
}

impl Rules {
    /// The largest factor that can be set: the product of all factors still fits.
    pub const MAX_FACTOR: u32 = 64;

    /// The same rules, with this value of `void_suit`.
    #[must_use]
    pub const fn with_void_suit(self, void_suit: bool) -> Rules {
        Rules { void_suit, ..self }
    }

    /// The factor of a pattern.
    pub const fn factor(&self, pattern: Pattern) -> u32 {
        self.factors[pattern as usize]
    }

    /// Changes a factor; false when it is not in 1 to [`Rules::MAX_FACTOR`].
    #[must_use = "the factor may be out of range"]
    pub fn set_factor(&mut self, pattern: Pattern, factor: u32) -> bool {
        let allowed = (1..=Rules::MAX_FACTOR).contains(&factor);
        if allowed {
            self.factors[pattern as usize] = factor;
        }
        allowed
    }
}

impl Default for Rules {
    fn default() -> Rules {
        Rules { void_suit: false, factors: PATTERNS.map(|info| info.factor) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_pattern_has_its_row() {
        for (at, row) in PATTERNS.iter().enumerate() {
            assert_eq!(row.pattern as usize, at);
            assert_eq!(row.pattern.info(), row);
            assert_eq!(row.default, row.factor.to_string());
            assert_eq!(Rules::default().factor(row.pattern), row.factor);
        }
    }

    #[test]
    fn factors_stay_in_range() {
        let mut rules = Rules::default();
        assert!(!rules.set_factor(Pattern::Root, 0) && !rules.set_factor(Pattern::Root, 65));
        assert_eq!(rules, Rules::default());
        assert!(rules.set_factor(Pattern::Root, 64));
        assert_eq!(rules.factor(Pattern::Root), 64);
    }

    #[test]
    fn the_largest_product_fits_the_type() {
        // Flush, seven pairs and three roots, every factor at its largest.
        assert!(Rules::MAX_FACTOR.checked_pow(5).is_some());
    }
}
