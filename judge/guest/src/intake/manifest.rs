//! The custom section `judge`: a bot's description of itself. Shown escaped, never trusted.

use judge_core::steers;
use serde::Deserialize;

/// Longest manifest in bytes; a longer one is ignored.
const MAX_BYTES: usize = 4096;

/// Longest text kept from a manifest, in characters.
const MAX_TEXT: usize = 64;

/// A bot's description of itself. All fields are optional and unchecked.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Manifest {
    /// The bot's name.
    pub name: Option<String>,
    /// The author.
    pub author: Option<String>,
    /// Names of the games that it plays.
    pub games: Vec<String>,
    /// The kit that it was built with.
    pub kit: Option<String>,
}

impl Manifest {
    /// Parses a section. An invalid one is ignored, because the manifest is optional anyway.
    pub(super) fn parse(section: &[u8]) -> Manifest {
        if section.len() > MAX_BYTES {
            return Manifest::default();
        }
        let manifest: Manifest = serde_json::from_slice(section).unwrap_or_default();
        manifest.tamed()
    }

    fn tamed(self) -> Manifest {
        Manifest {
            name: self.name.map(|text| tame(&text)),
            author: self.author.map(|text| tame(&text)),
            games: self.games.iter().map(|text| tame(text)).collect(),
            kit: self.kit.map(|text| tame(&text)),
        }
    }
}

/// Shortens a text and removes characters that control terminals or reorder text.
fn tame(text: &str) -> String {
    text.chars().filter(|&c| !steers(c)).take(MAX_TEXT).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_is_read_and_escaped() {
        let manifest =
            Manifest::parse(br#"{"name":"A\u001b[31mB\u202e","games":["mahjong"],"extra":1}"#);
        assert_eq!(manifest.name.as_deref(), Some("A[31mB"));
        assert_eq!(manifest.games, ["mahjong"]);
        assert_eq!(manifest.author, None);
    }

    #[test]
    fn a_malformed_manifest_is_ignored() {
        assert_eq!(Manifest::parse(b"\xff\xfe"), Manifest::default());
        assert_eq!(Manifest::parse(b"[1,2]"), Manifest::default());
        let long = format!(r#"{{"name":"{}"}}"#, "x".repeat(MAX_BYTES));
        assert_eq!(Manifest::parse(long.as_bytes()), Manifest::default());
    }
}
