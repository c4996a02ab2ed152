//! Fuel, bytes and shares in readable form. All arithmetic is in whole numbers, except for
//! estimated shares, so the text is the same on every machine.

use judge_core::FUEL_PER_MS;

/// Fuel in judge-milliseconds, to three significant digits: `0.012 ms`, `12.3 ms`, `1234 ms`.
pub fn fuel_as_ms(fuel: u64) -> String {
    let (whole, micro) = (fuel / FUEL_PER_MS, fuel % FUEL_PER_MS * 1000 / FUEL_PER_MS);
    match whole {
        0..10 => format!("{whole}.{micro:03} ms"),
        10..1000 => format!("{whole}.{} ms", micro / 100),
        _ => format!("{whole} ms"),
    }
}

/// Bytes in KiB, rounded up.
pub fn kib(bytes: u64) -> String {
    format!("{} KiB", bytes.div_ceil(1024))
}

/// `part` of `whole` in percent, rounded up, so that only zero shows as `0 %`. Less than one
/// percent shows as `< 1 %`.
pub(crate) fn percent(part: u64, whole: u64) -> String {
    match whole {
        0 => "–".to_owned(),
        _ if part > 0 && u128::from(part) * 100 < u128::from(whole) => "< 1 %".to_owned(),
        _ => format!("{} %", (u128::from(part) * 100).div_ceil(u128::from(whole))),
    }
}

/// `part` of `whole` in hundredths of a percent, for the small values of single calls.
pub fn share(part: u64, whole: u64) -> String {
    if whole == 0 {
        return "–".to_owned();
    }
    match u128::from(part) * 10_000 / u128::from(whole) {
        0 if part > 0 => "< 0.01 %".to_owned(),
        hundredths => format!("{}.{:02} %", hundredths / 100, hundredths % 100),
    }
}

/// A share in percent, without the sign: `97.5`. Only zero and everything show as `0.0` and
/// `100.0`; values that would round to them are `<0.1` or `>99.9`.
pub fn per_cent(share: f64, decimals: usize) -> String {
    let text = |share: f64| format!("{:.decimals$}", 100.0 * share);
    let least = 10_f64.powi(-(decimals as i32));
    match text(share) {
        rounded if share > 0.0 && rounded == text(0.0) => format!("<{least:.decimals$}"),
        rounded if share < 1.0 && rounded == text(1.0) => {
            format!(">{:.decimals$}", 100.0 - least)
        }
        rounded => rounded,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fuel_reads_as_milliseconds() {
        assert_eq!(fuel_as_ms(0), "0.000 ms");
        assert_eq!(fuel_as_ms(12_345), "0.012 ms");
        assert_eq!(fuel_as_ms(12_345_678), "12.3 ms");
        assert_eq!(fuel_as_ms(4_000_000_000), "4000 ms");
    }

    #[test]
    fn only_exact_shares_print_as_0_or_100() {
        let shown = [0.0, 0.0004, 0.0005, 0.5, 0.9994, 0.9996, 1.0].map(|one| per_cent(one, 1));
        assert_eq!(shown, ["0.0", "<0.1", "0.1", "50.0", "99.9", ">99.9", "100.0"]);
        assert_eq!([0.004, 0.25, 0.996].map(|one| per_cent(one, 0)), ["<1", "25", ">99"]);
    }

    #[test]
    fn a_small_amount_is_never_shown_as_zero() {
        assert_eq!(percent(0, 100), "0 %");
        assert_eq!(percent(1, 4_000_000_000), "< 1 %");
        assert_eq!((percent(99, 10_000), percent(1, 100)), ("< 1 %".into(), "1 %".into()));
        assert_eq!(percent(97, 100), "97 %");
        assert_eq!(percent(u64::MAX, u64::MAX), "100 %");
        assert_eq!(percent(1, 0), "–");
        assert_eq!(kib(131_073), "129 KiB");
        assert_eq!(share(1, 4_000_000_000), "< 0.01 %");
        assert_eq!(share(48_000_000, 4_000_000_000), "1.20 %");
        assert_eq!(
            (share(0, 7), share(7, 7), share(1, 0)),
            ("0.00 %".into(), "100.00 %".into(), "–".into())
        );
    }
}
