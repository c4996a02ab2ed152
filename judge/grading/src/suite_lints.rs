//! Likely mistakes in a suite that can be graded.

use std::collections::BTreeSet;
use std::path::Path;

use judge_core::Seed;

use crate::{Suite, Testcase};

/// Extensions of files that may be intended as testcases: only `.toml` is read.
const NEAR_ENDINGS: [&str; 6] = [".tml", ".tom", ".tomel", ".tolm", ".tomll", ".toml.txt"];

/// A likely mistake in a suite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SuiteLint {
    /// A threshold that is unreachable by the rules of the game.
    Unreachable {
        /// The testcase.
        testcase: String,
        /// The threshold.
        min_score: i64,
        /// The maximum sum of its rounds' scores.
        most: i64,
    },
    /// A duplicate seed in a testcase: the same round is played, and counts, twice.
    SeedTwice {
        /// The testcase.
        testcase: String,
        /// The seed.
        seed: Seed,
    },
    /// A file that looks like a testcase, but is not read.
    NotRead {
        /// Its name.
        file: String,
    },
}

impl Suite {
    /// Lints about its testcases, including those without a key, in order of name.
    pub fn suite_lints(&self) -> Vec<SuiteLint> {
        let mut testcases: Vec<&Testcase> = self.testcases.iter().chain(&self.locked).collect();
        testcases.sort_by(|one, other| one.name.cmp(&other.name));
        testcases.into_iter().flat_map(Testcase::suite_lints).collect()
    }
}

impl Testcase {
    /// The maximum sum of its rounds' scores, if the game has a bound.
    pub fn max_score(&self) -> Option<i64> {
        let game = judge_referee::find(&self.game).ok()?;
        let rounds = i64::try_from(self.rounds).ok()?;
        game.max_score(&self.options)?.checked_mul(rounds)
    }

    fn suite_lints(&self) -> Vec<SuiteLint> {
        let mut suite_lints = Vec::new();
        if let Some(most) = self.max_score().filter(|most| self.min_score > *most) {
            let (testcase, min_score) = (self.name.clone(), self.min_score);
            suite_lints.push(SuiteLint::Unreachable { testcase, min_score, most });
        }
        let mut seen = BTreeSet::new();
        if let Some(seed) = self.seeds.iter().find(|seed| !seen.insert(**seed)) {
            suite_lints.push(SuiteLint::SeedTwice { testcase: self.name.clone(), seed: *seed });
        }
        suite_lints
    }
}

/// Lints about files in a suite's folder that look like testcases but are not read. None if the
/// folder is unreadable.
pub fn files_not_read(folder: &Path) -> Vec<SuiteLint> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.filter(|name| looks_like_a_testcase(name)).collect();
    names.sort();
    names.into_iter().map(|file| SuiteLint::NotRead { file }).collect()
}

fn looks_like_a_testcase(name: &str) -> bool {
    let lower = name.to_lowercase();
    let is_read = name.ends_with(".toml");
    let near = lower.ends_with(".toml") || NEAR_ENDINGS.iter().any(|end| lower.ends_with(end));
    near && !is_read && !name.starts_with('.')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn suite(rest: &str) -> Suite {
        let text = format!("title = \"x\"\npoints = 1\n{rest}");
        let files = [("suite.toml", "title = \"x\""), ("01.toml", text.as_str())];
        Suite::from_files("s", files).expect("a suite")
    }

    #[test]
    fn impossible_thresholds_get_a_warning() {
        let cc = "game = \"cc\"\nopponent = \"random\"\nseeds = [1, 2, 3]\n";
        assert_eq!(suite(&format!("{cc}min_score = 6")).suite_lints(), []);
        let unreachable =
            SuiteLint::Unreachable { testcase: "01".to_owned(), min_score: 7, most: 6 };
        assert_eq!(suite(&format!("{cc}min_score = 7")).suite_lints(), [unreachable]);
        let open = "game = \"patchwork\"\nopponent = \"random\"\nseeds = [1]\nmin_score = 9999";
        assert_eq!(suite(open).suite_lints(), [], "this game knows no bound");
    }

    #[test]
    fn thresholds_are_checked_for_the_board_of_the_testcase() {
        let agamemnon = |min_score: i64, board: &str| {
            let text = "game = \"agamemnon\"\nopponent = \"random\"\nseeds = [1, 2]\n";
            suite(&format!("{text}min_score = {min_score}\n[options]\nboard = \"{board}\""))
        };
        assert_eq!(agamemnon(98, "standard").suite_lints(), []);
        assert_eq!(agamemnon(99, "standard").suite_lints().len(), 1);
        assert_eq!(agamemnon(132, "loom").suite_lints(), []);
        assert_eq!(agamemnon(133, "loom").suite_lints().len(), 1);
    }

    #[test]
    fn a_duplicate_seed_gets_one_warning() {
        let text = "game = \"cc\"\nopponent = \"random\"\nseeds = [5, 7, 7, 5, 7]\nmin_score = 0";
        let twice = SuiteLint::SeedTwice { testcase: "01".to_owned(), seed: Seed(7) };
        assert_eq!(suite(text).suite_lints(), [twice]);
    }

    #[test]
    fn files_with_a_misspelt_ending_get_a_warning() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in
            ["01.toml", "05.TOML", "notes.tml", "06.toml.txt", "README.md", "07.toml~", ".x.tml"]
        {
            std::fs::write(folder.path().join(name), "").expect("written");
        }
        let files: Vec<String> = files_not_read(folder.path())
            .into_iter()
            .map(|doubt| match doubt {
                SuiteLint::NotRead { file } => file,
                other => format!("{other:?}"),
            })
            .collect();
        assert_eq!(files, ["05.TOML", "06.toml.txt", "notes.tml"]);
        assert_eq!(files_not_read(&folder.path().join("none")), []);
    }
}
