//! The most similar name on a list, as a suggestion to people only.

use judge_report::folded;

/// Finds the most similar of these names; none if none is similar.
pub(crate) fn nearest<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let own: Vec<char> = folded(name).chars().take(LONGEST).collect();
    let with_distance = names.into_iter().map(|other| (distance(&own, other), other));
    let (distance, found) = with_distance.min()?;
    (distance <= 1 + own.len() / 3).then_some(found)
}

/// Maximum number of characters to compare.
const LONGEST: usize = 40;

/// The number of characters to add, remove or change to get from one to the other (Levenshtein).
fn distance(own: &[char], other: &str) -> usize {
    let other = folded(other);
    let mut row: Vec<usize> = (0..=own.len()).collect();
    for (number, there) in other.chars().take(LONGEST).enumerate() {
        let mut before = row[0];
        row[0] = number + 1;
        for (at, here) in own.iter().enumerate() {
            let changed = before + usize::from(*here != there);
            before = row[at + 1];
            row[at + 1] = changed.min(row[at] + 1).min(before + 1);
        }
    }
    row[own.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_hand_is_near_and_another_name_is_not() {
        let list = ["lovelace", "Babbage", "hopper"];
        assert_eq!(nearest("Lovlace", list), Some("lovelace"));
        assert_eq!(nearest("babage2", list), Some("Babbage"));
        assert_eq!(nearest("knuth", list), None);
        assert_eq!(nearest("x", []), None);
        let korean = "\u{1112}\u{1161}\u{11ab}\u{1100}\u{1173}\u{11af}";
        assert_eq!(nearest(korean, ["한국", "ab"]), Some("한국"), "one letter of two differs");
        assert_eq!(distance(&['a', 'b'], ""), 2);
    }
}
