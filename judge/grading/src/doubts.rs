//! Likely mistakes in a suite that can be graded.

use std::collections::BTreeSet;
use std::path::Path;

use judge_core::Seed;

use crate::{Suite, Testcase};

/// Extensions of files that the author may have meant as testcases: only `.toml` is read.
const NEAR_ENDINGS: [&str; 6] = [".tml", ".tom", ".tomel", ".tolm", ".tomll", ".toml.txt"];

/// A likely mistake in a suite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Doubt {
    /// A threshold that the rules of the game make unreachable.
    Unreachable {
        /// The testcase.
        testcase: String,
        /// The threshold.
        min_score: i64,
        /// The most that its rounds can give together.
        most: i64,
    },
    /// A seed that is in a testcase twice: the same round is played, and counts, twice.
    SeedTwice {
        /// The testcase.
        testcase: String,
        /// The seed.
        seed: Seed,
    },
    /// A file that looks like a testcase and is not read.
    NotRead {
        /// Its name.
        file: String,
    },
}

impl Suite {
    /// Doubts about its testcases, those without a key included, in the order of their names.
    pub fn doubts(&self) -> Vec<Doubt> {
        let mut testcases: Vec<&Testcase> = self.testcases.iter().chain(&self.locked).collect();
        testcases.sort_by(|one, other| one.name.cmp(&other.name));
        testcases.into_iter().flat_map(Testcase::doubts).collect()
    }
}

impl Testcase {
    /// The most that its rounds can give together, if the game knows a bound.
    pub fn max_score(&self) -> Option<i64> {
        let game = judge_referee::find(&self.game).ok()?;
        let rounds = i64::try_from(self.rounds).ok()?;
        game.max_score(&self.options)?.checked_mul(rounds)
    }

    fn doubts(&self) -> Vec<Doubt> {
        let mut doubts = Vec::new();
        if let Some(most) = self.max_score().filter(|most| self.min_score > *most) {
            let (testcase, min_score) = (self.name.clone(), self.min_score);
            doubts.push(Doubt::Unreachable { testcase, min_score, most });
        }
        let mut seen = BTreeSet::new();
        if let Some(seed) = self.seeds.iter().find(|seed| !seen.insert(**seed)) {
            doubts.push(Doubt::SeedTwice { testcase: self.name.clone(), seed: *seed });
        }
        doubts
    }
}

/// Doubts about files in a suite's folder: those that look like testcases and are not read. A folder
/// that cannot be read has none here.
pub fn files_not_read(folder: &Path) -> Vec<Doubt> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.filter(|name| looks_like_a_testcase(name)).collect();
    names.sort();
    names.into_iter().map(|file| Doubt::NotRead { file }).collect()
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
    fn thresholds_that_the_rules_do_not_allow_are_doubted() {
        let cc = "game = \"cc\"\nopponent = \"random\"\nseeds = [1, 2, 3]\n";
        assert_eq!(suite(&format!("{cc}min_score = 6")).doubts(), []);
        let unreachable = Doubt::Unreachable { testcase: "01".to_owned(), min_score: 7, most: 6 };
        assert_eq!(suite(&format!("{cc}min_score = 7")).doubts(), [unreachable]);
        let open = "game = \"patchwork\"\nopponent = \"random\"\nseeds = [1]\nmin_score = 9999";
        assert_eq!(suite(open).doubts(), [], "this game knows no bound");
    }

    #[test]
    fn boards_have_bounds_of_their_own() {
        let agamemnon = |min_score: i64, board: &str| {
            let text = "game = \"agamemnon\"\nopponent = \"random\"\nseeds = [1, 2]\n";
            suite(&format!("{text}min_score = {min_score}\n[options]\nboard = \"{board}\""))
        };
        assert_eq!(agamemnon(98, "standard").doubts(), []);
        assert_eq!(agamemnon(99, "standard").doubts().len(), 1);
        assert_eq!(agamemnon(132, "loom").doubts(), []);
        assert_eq!(agamemnon(133, "loom").doubts().len(), 1);
    }

    #[test]
    fn a_seed_that_stands_twice_is_doubted_once() {
        let text = "game = \"cc\"\nopponent = \"random\"\nseeds = [5, 7, 7, 5, 7]\nmin_score = 0";
        let twice = Doubt::SeedTwice { testcase: "01".to_owned(), seed: Seed(7) };
        assert_eq!(suite(text).doubts(), [twice]);
    }

    #[test]
    fn files_with_almost_the_right_ending_are_doubted() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in
            ["01.toml", "05.TOML", "notes.tml", "06.toml.txt", "README.md", "07.toml~", ".x.tml"]
        {
            std::fs::write(folder.path().join(name), "").expect("written");
        }
        let files: Vec<String> = files_not_read(folder.path())
            .into_iter()
            .map(|doubt| match doubt {
                Doubt::NotRead { file } => file,
                other => format!("{other:?}"),
            })
            .collect();
        assert_eq!(files, ["05.TOML", "06.toml.txt", "notes.tml"]);
        assert_eq!(files_not_read(&folder.path().join("none")), []);
    }
}
