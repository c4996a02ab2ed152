//! Pseudonyms from a keyed hash. Only the holder of the key can recover the names, by testing each.

use judge_core::digest;
use judge_grading::SuiteKey;
use judge_report::composed;

use crate::Error;

/// Minimum length of a secret, which protects it from guessing.
const SHORTEST: usize = 12;

const ADJECTIVES: [&str; 32] = [
    "amber", "azure", "bold", "brisk", "calm", "clever", "coral", "crisp", "dusky", "eager",
    "fair", "gentle", "golden", "grey", "happy", "ivory", "jolly", "keen", "lively", "lucky",
    "mild", "noble", "proud", "quick", "quiet", "rapid", "scarlet", "silver", "sunny", "swift",
    "violet", "wise",
];

const ANIMALS: [&str; 32] = [
    "badger", "beaver", "bison", "crane", "crow", "deer", "dolphin", "eagle", "falcon", "finch",
    "fox", "hare", "hedgehog", "heron", "ibex", "jay", "kite", "lark", "lynx", "marten", "moose",
    "otter", "owl", "panda", "puffin", "raven", "robin", "seal", "stork", "swan", "tern", "wren",
];

/// The key of the pseudonyms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pseudonyms {
    /// A random key. Names in a course's existing list are kept.
    Random,
    /// A text of at least twelve characters, which gives the same names each time.
    Secret(String),
}

/// A generator of pseudonyms.
pub(super) struct Keyed(SuiteKey);

impl Keyed {
    /// Derives the key.
    pub(super) fn new(pseudonyms: &Pseudonyms) -> Result<Keyed, Error> {
        let Pseudonyms::Secret(secret) = pseudonyms else {
            let mut key = [0; 32];
            getrandom::fill(&mut key)
                .map_err(|error| Error::Judge(format!("cannot make a random key: {error}")))?;
            return Ok(Keyed(SuiteKey::new(key)));
        };
        if secret.chars().count() < SHORTEST {
            let what = format!("a secret for pseudonyms has {SHORTEST} characters or more");
            let hint = "a guessed secret reveals the names; without a secret the pseudonyms are \
                        random, and kept in the course's folder";
            return Err(Error::usage(what, hint));
        }
        Ok(Keyed(SuiteKey::new(*digest(composed(secret).as_bytes()).bytes())))
    }

    /// Returns the pseudonym of a student, such as `quiet heron 3fa9`.
    pub(super) fn pseudonym(&self, name: &str) -> String {
        let tag = self.0.tag(format!("pseudonym of {}", composed(name)).as_bytes());
        pronounceable([tag[0], tag[1], tag[2], tag[3]])
    }
}

/// A pseudonym made of four bytes, such as `quiet heron 3fa9`.
#[must_use]
pub fn pronounceable(bytes: [u8; 4]) -> String {
    let pick = |words: [&'static str; 32], byte: u8| words[usize::from(byte % 32)];
    let [adjective, animal, one, other] = bytes;
    format!("{} {} {one:02x}{other:02x}", pick(ADJECTIVES, adjective), pick(ANIMALS, animal))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_determines_the_pseudonyms() {
        let keyed = |secret: &str| Keyed::new(&Pseudonyms::Secret(secret.to_owned()));
        let of = |secret: &str| keyed(secret).expect("a secret").pseudonym("ada");
        let drawn = || Keyed::new(&Pseudonyms::Random).expect("a key").pseudonym("ada");
        assert_eq!(of("correct horse"), of("correct horse"));
        assert_ne!(of("correct horse"), of("correct house"));
        assert_ne!(drawn(), drawn(), "drawn anew");
        assert!(keyed("short").is_err());
        let spelt = |secret: &str, name: &str| keyed(secret).expect("a secret").pseudonym(name);
        assert_eq!(spelt("Schlüssel zum Tor", "é"), spelt("Schlu\u{308}ssel zum Tor", "e\u{301}"));
        let names = keyed("correct horse").expect("a secret");
        let all: std::collections::BTreeSet<String> =
            (0..2000).map(|number| names.pseudonym(&format!("student {number}"))).collect();
        assert!(all.len() > 1995, "{}", all.len());
    }
}
