//! Pairs that are missing or incomplete in the file of a run.

use super::super::Finding;

/// Number of missing pairs to list.
const NAMED: usize = 5;

/// The missing pairs of a run.
#[derive(Debug, Default)]
pub(super) struct Missing {
    pairs: u64,
    /// Number of pairs without a round, and with only one.
    absent: u64,
    half: u64,
    /// The first of them: meeting and pair, counted from 0.
    first: Vec<(usize, u64)>,
}

impl Missing {
    /// Adds the next pair, with its number of rounds in the file.
    pub(super) fn take(&mut self, meeting: usize, pair: u64, present: usize) {
        self.pairs += 1;
        match present {
            0 => self.absent += 1,
            1 => self.half += 1,
            _ => return,
        }
        if self.first.len() < NAMED {
            self.first.push((meeting, pair));
        }
    }

    /// The finding: all pairs are complete, or which are not.
    pub(super) fn finding(&self) -> Finding {
        let Missing { pairs, absent, half, .. } = self;
        let of = |count: &u64| match pairs {
            1 => format!("{count} of 1 pair"),
            pairs => format!("{count} of {pairs} pairs"),
        };
        let is = |count: &u64| if *count == 1 { "is" } else { "are" };
        let what = match (absent, half) {
            (0, 0) if *pairs == 1 => {
                return Finding::checked("both rounds of its one pair are there");
            }
            (0, 0) => {
                return Finding::checked(format!("all rounds of its {pairs} pairs are there"));
            }
            (_, 0) => format!("{} {} not in the file", of(absent), is(absent)),
            (0, _) => format!("{} {} in the file with one round only", of(half), is(half)),
            (_, _) => format!(
                "{} {} not in the file, and {half} with one round only",
                of(absent),
                is(absent)
            ),
        };
        Finding::missing(what).because(self.reason())
    }

    fn reason(&self) -> String {
        let place = |(meeting, pair): &(usize, u64)| {
            format!("pair {} of meeting {}", pair + 1, meeting + 1)
        };
        let named: Vec<String> = self.first.iter().map(place).collect();
        let kind = match (self.absent, self.half) {
            (_, 0) => "missing",
            (0, _) => "incomplete",
            (_, _) => "missing or incomplete",
        };
        let more = self.absent + self.half - self.first.len() as u64;
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!(
            "{kind}: {}{more}; a pair in which the judge itself failed is left out, but nothing \
             shows that it was so: `--resume` plays it again",
            named.join(", ")
        )
    }
}
