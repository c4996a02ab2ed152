//! One part of a job that is split over several runs.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A part of a course, tournament or recording: every N-th of its submissions, meetings or files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Shard {
    /// Number of the part, from 1.
    pub number: usize,
    /// Number of parts.
    pub of: usize,
}

impl FromStr for Shard {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Shard, &'static str> {
        let parts = text.split_once('/').and_then(|(number, of)| {
            Some(Shard { number: number.parse().ok()?, of: of.parse().ok()? })
        });
        let possible = parts.filter(|shard| (1..=shard.of).contains(&shard.number));
        possible.ok_or("expected a part and the number of parts: `1/4` to `4/4`")
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl Shard {
    /// True if the item with this number, counted from 0, belongs to the part.
    pub fn takes(self, number: usize) -> bool {
        number % self.of == self.number - 1
    }
}

#[cfg(test)]
mod tests {
    use super::Shard;

    #[test]
    fn every_number_belongs_to_one_part() {
        let parts: Vec<Shard> = (1..=3).map(|number| Shard { number, of: 3 }).collect();
        for number in 0..10 {
            assert_eq!(parts.iter().filter(|part| part.takes(number)).count(), 1, "{number}");
        }
    }

    #[test]
    fn a_written_part_reads_back() {
        assert_eq!("2/4".parse::<Shard>().map(|part| part.to_string()).as_deref(), Ok("2/4"));
        for wrong in ["0/4", "5/4", "1/0", "1", "/", "a/b"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
