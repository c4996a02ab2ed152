//! The conditions of testcases: everything but name, seeds and threshold. Comparisons and calibrations
//! play fresh seeds under each of them.

use crate::{Suite, Testcase};

impl Suite {
    /// The testcases by name, including hidden ones without a key, because only their seeds are
    /// secret.
    pub fn by_name(&self) -> Vec<&Testcase> {
        let mut testcases: Vec<&Testcase> = self.testcases.iter().chain(&self.locked).collect();
        testcases.sort_by(|one, other| one.name.cmp(&other.name));
        testcases
    }
}

impl Testcase {
    /// True if a round on the same seed is the same under both.
    fn plays_like(&self, other: &Testcase) -> bool {
        (&self.game, &self.opponent, self.seat, self.limits, &self.options)
            == (&other.game, &other.opponent, other.seat, other.limits, &other.options)
    }
}

/// One testcase for each set of conditions; and for each testcase the index of the one with its
/// conditions.
pub fn conditions<'a>(testcases: &[&'a Testcase]) -> (Vec<&'a Testcase>, Vec<usize>) {
    let mut distinct: Vec<&Testcase> = Vec::new();
    let places = testcases.iter().map(|testcase| {
        distinct.iter().position(|known| known.plays_like(testcase)).unwrap_or_else(|| {
            distinct.push(testcase);
            distinct.len() - 1
        })
    });
    let places = places.collect();
    (distinct, places)
}
