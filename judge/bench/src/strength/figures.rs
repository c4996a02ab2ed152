//! Formats of figures in the tables.

use std::time::Duration;

use judge_statistics::Estimate;

/// A share with its interval: `97.5 (94.1 to 99.2)`.
pub(super) fn per_cent(estimate: &Estimate) -> String {
    let [value, low, high] = [estimate.value, estimate.low, estimate.high].map(|end| 100.0 * end);
    format!("{value:.1} ({low:.1} to {high:.1})")
}

/// A figure with a symmetric interval: `12.3 ± 1.1`.
pub(super) fn give_or_take(estimate: &Estimate, decimals: usize) -> String {
    let Estimate { value, high, .. } = estimate;
    format!("{value:.decimals$} ± {:.decimals$}", high - value)
}

/// A figure with the ends of its interval: `12 (10 to 15)`.
pub(super) fn between(estimate: &Estimate) -> String {
    let Estimate { value, low, high } = estimate;
    let text = |number: &f64| match *number {
        f64::INFINITY => "∞".to_owned(),
        f64::NEG_INFINITY => "-∞".to_owned(),
        number => format!("{number:.0}"),
    };
    format!("{} ({} to {})", text(value), text(low), text(high))
}

/// Mean milliseconds per game.
pub(super) fn milliseconds(time: Duration, games: u64) -> f64 {
    1000.0 * time.as_secs_f64() / games.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_rounded_to_what_matters() {
        let estimate = Estimate { value: 0.9749, low: 0.941, high: 1.0 };
        assert_eq!(per_cent(&estimate), "97.5 (94.1 to 100.0)");
        assert_eq!(
            give_or_take(&Estimate { value: -3.26, low: -4.0, high: -2.5 }, 1),
            "-3.3 ± 0.8"
        );
        assert_eq!(milliseconds(Duration::from_millis(30), 4), 7.5);
    }
}
