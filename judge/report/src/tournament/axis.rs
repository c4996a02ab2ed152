//! An axis over given numbers, with marks at round numbers.

/// Approximate number of marks.
const MARKS: f64 = 5.0;

/// Maximum number of marks.
const MOST_MARKS: usize = 20;

/// An axis that covers whole steps.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Axis {
    low: f64,
    high: f64,
    step: f64,
}

impl Axis {
    /// Returns an axis over all finite numbers among these.
    pub(crate) fn over(numbers: impl Iterator<Item = f64>) -> Axis {
        let ends = numbers.filter(|number| number.is_finite());
        let (low, high) = ends
            .fold((f64::MAX, f64::MIN), |(low, high), number| (low.min(number), high.max(number)));
        let (low, high) = if low < high { (low, high) } else { spread(low, high) };
        let step = round((high - low) / MARKS);
        Axis { low: (low / step).floor() * step, high: (high / step).ceil() * step, step }
    }

    /// Position of a number, from 0 to 1.
    pub(crate) fn place(&self, number: f64) -> f64 {
        let place = (number - self.low) / (self.high - self.low);
        if place.is_nan() { 0.5 } else { place.clamp(0.0, 1.0) }
    }

    /// The marked numbers and their labels, with as many digits as needed.
    pub(crate) fn marks(&self) -> Vec<(f64, String)> {
        let decimals = if self.step < 1.0 { 1 } else { 0 };
        let count = ((self.high - self.low) / self.step).round() as usize;
        let mark = |at: usize| {
            // Adding 0.0 avoids `-0`.
            let number = self.low + at as f64 * self.step + 0.0;
            (number, format!("{number:.decimals$}"))
        };
        (0..=count.min(MOST_MARKS)).map(mark).collect()
    }
}

/// A visible range around a single number, or around none.
fn spread(low: f64, high: f64) -> (f64, f64) {
    if low > high { (-1.0, 1.0) } else { (low - 1.0, high + 1.0) }
}

/// The next round number of the form 1, 2 or 5 times a power of ten.
fn round(step: f64) -> f64 {
    let power = 10_f64.powf(step.log10().floor());
    let digit = step / power;
    let round = [1.0, 2.0, 5.0].into_iter().find(|round| digit <= *round).unwrap_or(10.0);
    (round * power).max(0.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marks(numbers: &[f64]) -> String {
        let axis = Axis::over(numbers.iter().copied());
        axis.marks().into_iter().map(|(_, text)| text).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn marks_of_an_axis_are_round_and_cover_all_values() {
        assert_eq!(marks(&[-130.0, 20.0, 512.0]), "-200 0 200 400 600");
        assert_eq!(marks(&[1480.0, 1530.0]), "1480 1490 1500 1510 1520 1530");
        assert_eq!(marks(&[24.0, 27.5]), "24 25 26 27 28");
        assert_eq!(marks(&[7.0, 7.0, f64::NAN]), "6.0 6.5 7.0 7.5 8.0");
        assert_eq!(marks(&[f64::INFINITY]), "-1.0 -0.5 0.0 0.5 1.0");
    }

    #[test]
    fn numbers_of_an_axis_are_at_their_marks() {
        let axis = Axis::over([0.0, 400.0].into_iter());
        assert_eq!(axis.place(100.0), 0.25);
        assert_eq!(axis.place(f64::INFINITY), 1.0);
        assert_eq!(axis.place(f64::NAN), 0.5);
    }

    #[test]
    fn axes_of_huge_and_tiny_spreads_have_few_marks() {
        for numbers in [[0.0, 1e300], [1e15, 1e15 + 1.0], [0.0, 1e-300], [-1e9, 1e9]] {
            let axis = Axis::over(numbers.into_iter());
            assert!(axis.marks().len() <= MOST_MARKS + 1, "{numbers:?}");
        }
    }
}
