//! Names in the place of names: out of a keyed hash, so that only who has the key can tell whose
//! they are, and only by trying names.

use judge_core::digest;
use judge_grading::SuiteKey;

use crate::failure::Failure;

/// Fewest characters of a secret: a short one could be found by trying.
const SHORTEST: usize = 12;

const HOW: [&str; 32] = [
    "amber", "azure", "bold", "brisk", "calm", "clever", "coral", "crisp", "dusky", "eager",
    "fair", "gentle", "golden", "grey", "happy", "ivory", "jolly", "keen", "lively", "lucky",
    "mild", "noble", "proud", "quick", "quiet", "rapid", "scarlet", "silver", "sunny", "swift",
    "violet", "wise",
];

const WHO: [&str; 32] = [
    "badger", "beaver", "bison", "crane", "crow", "deer", "dolphin", "eagle", "falcon", "finch",
    "fox", "hare", "hedgehog", "heron", "ibex", "jay", "kite", "lark", "lynx", "marten", "moose",
    "otter", "owl", "panda", "puffin", "raven", "robin", "seal", "stork", "swan", "tern", "wren",
];

/// Gives everybody another name.
pub(super) struct Pseudonyms(SuiteKey);

impl Pseudonyms {
    /// Names out of a secret; out of one that nobody knows, if the text is empty.
    pub(super) fn new(secret: &str) -> Result<Pseudonyms, Failure> {
        if secret.is_empty() {
            let mut key = [0; 32];
            getrandom::fill(&mut key)
                .map_err(|error| Failure::Judge(format!("no random key: {error}")))?;
            return Ok(Pseudonyms(SuiteKey::new(key)));
        }
        if secret.chars().count() < SHORTEST {
            let what = format!("a secret for pseudonyms has {SHORTEST} characters or more");
            let hint = "who guesses it can tell whose the names are; without a secret the names \
                        are drawn anew each time";
            return Err(Failure::usage(what, hint));
        }
        Ok(Pseudonyms(SuiteKey::new(*digest(secret.as_bytes()).bytes())))
    }

    /// The other name of somebody: `quiet heron 3fa9`.
    pub(super) fn of(&self, name: &str) -> String {
        let tag = self.0.tag(format!("pseudonym of {name}").as_bytes());
        let pick = |words: [&'static str; 32], byte: u8| words[usize::from(byte % 32)];
        format!("{} {} {:02x}{:02x}", pick(HOW, tag[0]), pick(WHO, tag[1]), tag[2], tag[3])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_secret_gives_the_same_names_and_another_one_others() {
        let of = |secret: &str| Pseudonyms::new(secret).expect("a secret").of("ada");
        assert_eq!(of("correct horse"), of("correct horse"));
        assert_ne!(of("correct horse"), of("correct house"));
        assert_ne!(of(""), of(""), "drawn anew");
        assert!(Pseudonyms::new("short").is_err());
        let names = Pseudonyms::new("correct horse").expect("a secret");
        let all: std::collections::BTreeSet<String> =
            (0..2000).map(|number| names.of(&format!("student {number}"))).collect();
        assert!(all.len() > 1995, "{}", all.len());
    }
}
