//! The secret of a suite, from which the seeds of hidden rounds are derived. The testcases can be
//! public while these seeds stay secret.

use std::str::FromStr;

use hmac::{Hmac, Mac as _};
use judge_core::Seed;
use serde::{Deserialize, Serialize};
use sha2::Sha256;

/// 32 secret bytes; 64 hex digits as text.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct SuiteKey([u8; 32]);

/// An error of parsing a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a key: expected 64 hex digits")]
pub struct NotAKey;

impl SuiteKey {
    /// A key from these bytes, which must stay secret.
    pub fn new(bytes: [u8; 32]) -> SuiteKey {
        SuiteKey(bytes)
    }

    /// The seed of a round, counted from 1: the first eight bytes, little endian, of HMAC-SHA-256
    /// under this key of the text `seed of TESTCASE, round N`. Known seeds reveal nothing about
    /// other seeds.
    pub fn seed(&self, testcase: &str, round: u64) -> Seed {
        let tag = self.tag(format!("seed of {testcase}, round {round}").as_bytes());
        Seed(u64::from_le_bytes([tag[0], tag[1], tag[2], tag[3], tag[4], tag[5], tag[6], tag[7]]))
    }

    /// HMAC-SHA-256 of `text` under this key.
    pub fn tag(&self, text: &[u8]) -> [u8; 32] {
        let mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("any length of key will do");
        mac.chain_update(text).finalize().into_bytes().into()
    }
}

/// Hides the key in logs.
impl std::fmt::Debug for SuiteKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SuiteKey(…)")
    }
}

impl FromStr for SuiteKey {
    type Err = NotAKey;

    fn from_str(text: &str) -> Result<SuiteKey, NotAKey> {
        let digits = text.trim();
        if digits.len() != 64 || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return Err(NotAKey);
        }
        let mut bytes = [0; 32];
        for (at, byte) in bytes.iter_mut().enumerate() {
            let pair = &digits[2 * at..2 * at + 2];
            *byte = u8::from_str_radix(pair, 16).map_err(|_| NotAKey)?;
        }
        Ok(SuiteKey(bytes))
    }
}

impl TryFrom<String> for SuiteKey {
    type Error = NotAKey;

    fn try_from(text: String) -> Result<SuiteKey, NotAKey> {
        text.parse()
    }
}

impl From<SuiteKey> for String {
    fn from(key: SuiteKey) -> String {
        key.0.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_hexadecimal_and_never_printed() {
        let text = "00".repeat(31) + "Ff";
        let key: SuiteKey = format!("{text}\n").parse().expect("a key");
        assert_eq!(String::from(key.clone()), text.to_lowercase());
        assert_eq!(format!("{key:?}"), "SuiteKey(…)");
        assert_eq!("xyz".parse::<SuiteKey>(), Err(NotAKey));
        assert_eq!("é".repeat(32).parse::<SuiteKey>(), Err(NotAKey));
    }

    #[test]
    fn hidden_seeds_match_the_document() {
        let key: SuiteKey = "0b".repeat(32).parse().expect("a key");
        // Computed by an independent implementation; see judge/docs/determinism.md.
        assert_eq!(key.seed("01-hidden", 1), Seed(15_868_116_235_871_204_266));
        assert_eq!(key.seed("01-hidden", 2), Seed(10_591_548_430_052_127_198));
        assert_ne!(key.seed("02-hidden", 1), key.seed("01-hidden", 1));
    }
}
