//! The parts of a bot's log, each with the call that wrote it.

use serde::{Deserialize, Serialize};

/// The part of a log that one call wrote, as far as it was kept. Parts are contiguous up to the
/// end; bytes before the first part were written before the first call.
///
/// In a transcript, calls are those of one seat, and bytes those that the bot wrote. In a record,
/// calls are those of both seats, and bytes are UTF-8 of the displayed text.
///
/// In files it is a list of two numbers: `[call, bytes]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "(u32, u32)", into = "(u32, u32)")]
pub struct LogPart {
    /// Index of the call, from 0.
    pub call: u32,
    /// Length of the part, in bytes.
    pub bytes: u32,
}

impl From<(u32, u32)> for LogPart {
    fn from((call, bytes): (u32, u32)) -> LogPart {
        LogPart { call, bytes }
    }
}

impl From<LogPart> for (u32, u32) {
    fn from(part: LogPart) -> (u32, u32) {
        (part.call, part.bytes)
    }
}

impl LogPart {
    /// True if these can be the parts of a log of `bytes` bytes: calls ascend, no part is empty,
    /// and their total is at most that length. An empty log has no list of parts.
    pub fn fit(parts: &[LogPart], bytes: usize) -> bool {
        let ascending = parts.is_sorted_by(|one, next| one.call < next.call);
        let written = parts.iter().all(|part| part.bytes > 0);
        bytes > 0 && ascending && written && LogPart::total(parts) <= bytes as u64
    }

    /// The text of each part with its call; none if the parts do not fit the text.
    pub fn split<'a>(parts: &[LogPart], text: &'a str) -> Option<Vec<(u32, &'a str)>> {
        if !LogPart::fit(parts, text.len()) {
            return None;
        }
        let mut start = text.len() - usize::try_from(LogPart::total(parts)).ok()?;
        let part = |part: &LogPart| {
            let end = start + part.bytes as usize;
            let own = text.get(start..end)?;
            start = end;
            Some((part.call, own))
        };
        parts.iter().map(part).collect()
    }

    /// Length of all parts together, in bytes.
    pub fn total(parts: &[LogPart]) -> u64 {
        parts.iter().map(|part| u64::from(part.bytes)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(list: &[(u32, u32)]) -> Vec<LogPart> {
        list.iter().copied().map(LogPart::from).collect()
    }

    #[test]
    fn parts_follow_each_other_up_to_the_end() {
        let split = |list, text| LogPart::split(&parts(list), text);
        assert_eq!(split(&[(2, 3), (5, 1)], "begin one2"), Some(vec![(2, "one"), (5, "2")]));
        assert_eq!(split(&[(0, 2)], "\u{e9}"), Some(vec![(0, "\u{e9}")]));
        assert_eq!(split(&[], "begin"), Some(vec![]), "all of it before the first call");
    }

    #[test]
    fn impossible_log_parts_are_refused() {
        let split = |list, text| LogPart::split(&parts(list), text);
        assert_eq!(split(&[(5, 1), (2, 1)], "ab"), None, "not in order");
        assert_eq!(split(&[(2, 1), (2, 1)], "ab"), None, "twice");
        assert_eq!(split(&[(2, 0)], "ab"), None, "of nothing");
        assert_eq!(split(&[(2, 2), (3, 1)], "ab"), None, "longer than the log");
        assert_eq!(split(&[(2, u32::MAX), (3, u32::MAX)], "ab"), None, "far longer");
        assert_eq!(split(&[(2, 1)], "\u{e9}"), None, "in the middle of a character");
        assert_eq!(split(&[], ""), None, "an empty log has no list of parts");
    }

    #[test]
    fn log_parts_are_lists_of_two_in_files() {
        let list = parts(&[(2, 30), (7, 1)]);
        let json = serde_json::to_string(&list).expect("JSON");
        assert_eq!(json, "[[2,30],[7,1]]");
        assert_eq!(serde_json::from_str::<Vec<LogPart>>(&json).expect("the same"), list);
        for wrong in ["[[1]]", "[[1,2,3]]", "[[-1,2]]", "[1,2]"] {
            assert!(serde_json::from_str::<Vec<LogPart>>(wrong).is_err(), "{wrong}");
        }
    }
}
