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

    /// The next link of a hash chain: the hash of this hash followed by `line`.
    pub fn chain(&self, line: &[u8]) -> Digest {
        Digest(Sha256::new().chain_update(self.0).chain_update(line).finalize().into())
    }
}

impl std::fmt::Display for Digest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
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
    let digits = text.as_bytes();
    let hex = |digit: u8| matches!(digit, b'0'..=b'9' | b'a'..=b'f');
    if digits.len() != 64 || !digits.iter().copied().all(hex) {
        return None;
    }
    let mut bytes = [0; 32];
    for (byte, pair) in bytes.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
        *byte = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
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
    fn text_goes_both_ways_and_nothing_else_is_taken() {
        let text = digest(b"x").to_string();
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
