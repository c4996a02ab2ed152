//! Replaces the threshold in the text of a testcase and leaves every other byte unchanged.

use serde::Deserialize;
use toml::Spanned;

use crate::source::{Source, SourceError};

/// The only key that matters here.
#[derive(Deserialize)]
struct Raw {
    min_score: Spanned<i64>,
}

/// The text of a testcase with another `min_score`; comments, order and line ends stay.
///
/// # Errors
/// With the position, when the text is not valid TOML or has no threshold.
pub fn with_min_score(path: &str, text: &str, min_score: i64) -> Result<String, Box<SourceError>> {
    let source = Source { name: path, text };
    let raw: Raw = source.parse("a testcase has `min_score`, a whole number")?;
    let place = raw.min_score.span();
    let [before, after] = [text.get(..place.start), text.get(place.end..)];
    Ok([before.unwrap_or_default(), &min_score.to_string(), after.unwrap_or_default()].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writing_a_threshold_changes_only_the_number() {
        let before = "# top\r\ntitle = \"min_score = 1\"\r\n# min_score = 2\n\
                      min_score=\t+1_000 # why\npoints = 5\n\n[limits]\ntime_ms = 4000";
        let after = with_min_score("x.toml", before, -7).expect("a threshold");
        assert_eq!(after, before.replace("+1_000", "-7"));
        assert!(with_min_score("x.toml", "points = 5\n", 1).is_err());
        assert!(with_min_score("x.toml", "min_score = \"7\"", 1).is_err());
    }
}
