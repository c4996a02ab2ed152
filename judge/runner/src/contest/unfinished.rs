//! The rounds of a run that was stopped before its end.

use std::path::PathBuf;

use judge_arena::Pool;

/// The rounds of an unfinished run that are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptRounds {
    /// The journal that they are in.
    pub path: PathBuf,
    /// Number of them, also of those that do not count yet.
    pub rounds: usize,
}

/// The first line of a standing: rounds that count, and those that are kept beyond them.
pub(crate) fn interrupted(counted: u64, of: u64, kept: Option<&KeptRounds>) -> String {
    let kept = kept.map_or(0, |kept| kept.rounds as u64);
    let more = match kept.saturating_sub(counted) {
        0 => String::new(),
        more => format!("; {kept} are kept, {more} of which count when their pairs are complete"),
    };
    format!("UNFINISHED: interrupted after {counted} of {of} rounds{more}\n")
}

impl KeptRounds {
    /// Those in the pool's journal, if one is kept.
    pub(crate) fn in_journal_of(pool: &Pool) -> Option<KeptRounds> {
        let journal = pool.journal.as_ref()?;
        Some(KeptRounds {
            path: journal.name().into(),
            rounds: journal.rounds().unwrap_or_default(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_that_do_not_count_yet_are_told_with_those_that_do() {
        let kept = |rounds| Some(KeptRounds { path: "j".into(), rounds });
        let told = |counted, rounds| interrupted(counted, 60, kept(rounds).as_ref());
        assert_eq!(
            told(0, 2),
            "UNFINISHED: interrupted after 0 of 60 rounds; 2 are kept, 2 of which count when their \
             pairs are complete\n"
        );
        assert!(told(4, 7).contains("; 7 are kept, 3 of which count"));
        assert_eq!(told(4, 4), "UNFINISHED: interrupted after 4 of 60 rounds\n");
        assert_eq!(interrupted(4, 60, None), told(4, 4));
    }
}
