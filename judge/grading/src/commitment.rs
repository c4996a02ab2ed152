//! A commitment to hidden testcases: a hash that is published before the deadline, and the files
//! that later prove that nothing was changed in between.

use judge_core::Seed;
use serde::{Deserialize, Serialize};

use crate::{Suite, SuiteError, SuiteKey, Testcase};

/// The file to publish before the deadline. It reveals only the names of the testcases.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Commitment {
    /// Version of this format.
    pub commitment: u32,
    /// The suite.
    pub suite: String,
    /// Names of the hidden testcases.
    pub testcases: Vec<String>,
    /// HMAC-SHA-256, under the suite's key, of the list of [`Revealed`] as JSON without spaces.
    pub hash: String,
}

/// The file to publish after the deadline: everything that the hash covers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reveal {
    /// Version of this format.
    pub reveal: u32,
    /// The suite.
    pub suite: String,
    /// The suite's key.
    pub key: SuiteKey,
    /// The hidden testcases.
    pub testcases: Vec<Revealed>,
}

/// A hidden testcase, revealed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Revealed {
    /// Its name.
    pub name: String,
    /// The text of its file.
    pub text: String,
    /// The seeds of its rounds.
    pub seeds: Vec<Seed>,
}

/// An error that invalidates a reveal.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BrokenPromise {
    /// The testcases differ from the committed ones.
    #[error("the testcases are `{revealed}`; the commitment has `{promised}`")]
    Testcases {
        /// Their names now.
        revealed: String,
        /// Their names then.
        promised: String,
    },
    /// The seeds do not follow from the key and the file.
    #[error("the seeds of `{name}` do not follow from its file and the key")]
    Seeds {
        /// The testcase.
        name: String,
    },
    /// A file is not a valid testcase.
    #[error("`{name}` is not a valid testcase: {reason}")]
    NoTestcase {
        /// The testcase.
        name: String,
        /// The parser's reason.
        reason: String,
    },
    /// Key, files or seeds were changed.
    #[error(
        "the hash is `{found}`; the commitment has `{promised}`: key, files or seeds were changed"
    )]
    Hash {
        /// The hash of the revealed files.
        found: String,
        /// The committed hash.
        promised: String,
    },
}

/// Version of both formats.
const VERSION: u32 = 1;

impl Reveal {
    /// All data of a suite's hidden testcases; none if it has no key or no such testcase.
    pub fn from_suite(suite: &Suite) -> Option<Reveal> {
        let key = suite.secrets.key.clone()?;
        let texts = suite.files.iter().chain(&suite.secrets.files);
        let text = |name: &str| {
            let file = format!("{name}.toml");
            texts.clone().find(|(path, _)| *path == file).map(|(_, text)| text.clone())
        };
        let hidden = suite.testcases.iter().filter(|testcase| testcase.hidden);
        let testcases: Vec<Revealed> = hidden
            .filter_map(|testcase| {
                let (name, seeds) = (testcase.name.clone(), testcase.seeds.clone());
                Some(Revealed { text: text(&name)?, name, seeds })
            })
            .collect();
        let reveal = Reveal { reveal: VERSION, suite: suite.name.clone(), key, testcases };
        (!reveal.testcases.is_empty()).then_some(reveal)
    }

    /// The commitment to this reveal.
    pub fn commitment(&self) -> Commitment {
        let list = serde_json::to_vec(&self.testcases).expect("nothing that JSON cannot");
        let hash = self.key.tag(&list);
        Commitment {
            commitment: VERSION,
            suite: self.suite.clone(),
            testcases: self.testcases.iter().map(|one| one.name.clone()).collect(),
            hash: hash.iter().map(|byte| format!("{byte:02x}")).collect(),
        }
    }

    /// Checks the reveal against the commitment, and that its seeds are those of the testcases.
    ///
    /// # Errors
    /// With the first difference.
    pub fn keeps(&self, promise: &Commitment) -> Result<(), BrokenPromise> {
        for revealed in &self.testcases {
            self.check(revealed)?;
        }
        let own = self.commitment();
        if own.testcases != promise.testcases {
            return Err(BrokenPromise::Testcases {
                revealed: own.testcases.join(", "),
                promised: promise.testcases.join(", "),
            });
        }
        if own.hash != promise.hash {
            return Err(BrokenPromise::Hash { found: own.hash, promised: promise.hash.clone() });
        }
        Ok(())
    }

    fn check(&self, revealed: &Revealed) -> Result<(), BrokenPromise> {
        let name = revealed.name.clone();
        let parsed = Testcase::parse_with(&format!("{name}.toml"), &revealed.text, Some(&self.key));
        match parsed {
            Ok(testcase) if testcase.seeds == revealed.seeds => Ok(()),
            Ok(_) => Err(BrokenPromise::Seeds { name }),
            Err(error) => {
                Err(BrokenPromise::NoTestcase { name, reason: SuiteError::from(error).to_string() })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Secrets;

    fn suite(key: u8) -> Suite {
        let testcase = |seeds: &str| {
            format!(
                "title = \"x\"\ngame = \"mahjong\"\nopponent = \"random\"\nmin_score = 1\n\
                 points = 1\n{seeds}\n"
            )
        };
        let open = testcase("seeds = [1]");
        let keyed = testcase("rounds = 3");
        let files =
            [("suite.toml", "title = \"x\""), ("01-open.toml", &open), ("02-keyed.toml", &keyed)];
        let secrets = Secrets {
            key: Some(SuiteKey::new([key; 32])),
            files: vec![("03-secret.toml".to_owned(), testcase("seeds = [7, 8]"))],
        };
        Suite::with_secrets("x", files, secrets).expect("a suite")
    }

    #[test]
    fn only_the_committed_suite_keeps_a_commitment() {
        let reveal = Reveal::from_suite(&suite(1)).expect("a key");
        let promise = reveal.commitment();
        assert_eq!(promise.testcases, ["02-keyed", "03-secret"]);
        assert_eq!(reveal.keeps(&promise), Ok(()));
        let other = Reveal::from_suite(&suite(2)).expect("a key");
        assert!(matches!(other.keeps(&promise), Err(BrokenPromise::Hash { .. })));
        let changed = |change: fn(&mut Reveal)| {
            let mut changed = reveal.clone();
            change(&mut changed);
            changed.keeps(&promise).expect_err("changed").to_string()
        };
        assert!(changed(|r| r.testcases[0].seeds[1] = Seed(1)).contains("seeds of `02-keyed`"));
        assert!(changed(|r| r.testcases[1].text.push('\n')).contains("the hash is"));
        assert!(changed(|r| drop(r.testcases.pop())).contains("the testcases are"));
        assert!(changed(|r| r.testcases[0].text.clear()).contains("is not a valid testcase"));
    }

    #[test]
    fn a_suite_without_its_key_cannot_be_committed() {
        let mut suite = suite(1);
        suite.secrets.key = None;
        assert_eq!(Reveal::from_suite(&suite), None);
    }
}
