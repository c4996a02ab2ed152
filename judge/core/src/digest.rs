//! SHA-256 as a value: identifies modules and seals records.

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// A SHA-256 hash; written as 64 lower-case hex digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Digest([u8; 32]);

/// The SHA-256 of `bytes`.
pub fn digest(bytes: &[u8]) -> Digest {
    Digest(Sha256::digest(bytes).into())
}

impl Digest {
    /// The raw 32 bytes.
    pub fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The first eight hex digits, for display.
    pub fn short(&self) -> String {
        self.to_string()[..8].to_owned()
    }

    /// The first eight bytes as a number, where 64 bits are enough.
    pub fn number(&self) -> u64 {
        self.0[..8].iter().fold(0, |number, byte| number << 8 | u64::from(*byte))
    }

    /// The next link of a hash chain: the hash of this hash followed by `line`.
    pub fn chain(&self, line: &[u8]) -> Digest {
        Digest(Sha256::new().chain_update(self.0).chain_update(line).finalize().into())
    }
}

impl Digest {
    /// The 64 hex digits. A journal has several in each line, so they are written at once.
    fn hex(&self) -> [u8; 64] {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        std::array::from_fn(|at| {
            let byte = self.0[at / 2];
            DIGITS[usize::from(if at % 2 == 0 { byte >> 4 } else { byte & 15 })]
        })
    }
}

impl std::fmt::Display for Digest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(std::str::from_utf8(&self.hex()).expect("hex digits are text"))
    }
}

impl std::fmt::Debug for Digest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

impl From<Digest> for String {
    fn from(digest: Digest) -> String {
        digest.to_string()
    }
}

/// An error of parsing: the text is not 64 lower-case hex digits.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a SHA-256 in hex: `{0}`")]
pub struct NotADigest(String);

impl TryFrom<String> for Digest {
    type Error = NotADigest;

    fn try_from(text: String) -> Result<Digest, NotADigest> {
        parse(&text).map(Digest).ok_or(NotADigest(text))
    }
}

fn parse(text: &str) -> Option<[u8; 32]> {
    let value = |digit: u8| match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    };
    let mut bytes = [0; 32];
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    if pairs.len() != bytes.len() || !rest.is_empty() {
        return None;
    }
    for (byte, [high, low]) in bytes.iter_mut().zip(pairs) {
        *byte = value(*high)? << 4 | value(*low)?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_sha_256() {
        assert_eq!(
            digest(b"abc").to_string(),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }

    #[test]
    fn a_digest_reads_back_and_other_texts_are_refused() {
        let text = digest(b"x").to_string();
        let two_by_two: String = digest(b"x").0.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(text, two_by_two);
        assert_eq!(Digest::try_from(text.clone()), Ok(digest(b"x")));
        assert!(Digest::try_from(text.to_uppercase()).is_err());
        assert!(Digest::try_from(text[1..].to_owned()).is_err());
    }

    #[test]
    fn a_chain_depends_on_order() {
        let start = digest(b"");
        assert_ne!(start.chain(b"a").chain(b"b"), start.chain(b"b").chain(b"a"));
    }
}
