//! The sections of a module, for comparing two modules. Custom sections do not change the program.

use judge_core::{Digest, digest};
use judge_sandbox::intake::Manifest;

/// First bytes of a module, with the version.
const HEAD: usize = 8;

/// Maximum length of a manifest that intake reads.
const LONGEST_MANIFEST: usize = 4096;

/// Hashes of a module, with and without its custom sections.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sections {
    /// The hash of all bytes.
    pub(crate) sha256: Digest,
    /// The hash of all sections except the custom ones.
    pub(crate) program: Digest,
    /// The games that the module states.
    pub(crate) games: Vec<String>,
}

impl Sections {
    /// Hashes a module; none if it does not consist of sections.
    pub(crate) fn from_module(module: &[u8]) -> Option<Sections> {
        let mut rest = module.get(HEAD..).filter(|_| module.starts_with(b"\0asm"))?;
        let (mut program, mut games) = (Vec::new(), Vec::new());
        while let Some(id) = rest.first() {
            let (size, begin) = number(rest.get(1..)?)?;
            let end = (1 + begin).checked_add(size)?;
            match id {
                0 => games.extend(claimed(rest.get(1 + begin..end)?)),
                _ => program.extend_from_slice(rest.get(..end)?),
            }
            rest = rest.get(end..)?;
        }
        Some(Sections { sha256: digest(module), program: digest(&program), games })
    }
}

/// Decodes a number in LEB128, and returns its length in bytes.
fn number(bytes: &[u8]) -> Option<(usize, usize)> {
    let mut value = 0_u64;
    for (at, byte) in bytes.iter().take(5).enumerate() {
        value |= u64::from(byte & 0x7f) << (7 * at);
        if byte & 0x80 == 0 {
            return Some((usize::try_from(value).ok()?, at + 1));
        }
    }
    None
}

/// The games that a custom section states, if it is the judge's section.
fn claimed(section: &[u8]) -> Vec<String> {
    let manifest = number(section).and_then(|(size, begin)| {
        let name = section.get(begin..begin.checked_add(size)?)?;
        let text = section.get(begin + size..)?;
        (name == b"judge" && text.len() <= LONGEST_MANIFEST).then_some(text)
    });
    let manifest = manifest.and_then(|text| serde_json::from_slice::<Manifest>(text).ok());
    manifest.map(|manifest| manifest.games).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn module(sections: &[&[u8]]) -> Vec<u8> {
        let head: &[u8] = b"\0asm\x01\0\0\0";
        [head].iter().chain(sections).flat_map(|part| part.iter().copied()).collect()
    }

    #[test]
    fn custom_sections_do_not_change_the_program_hash() {
        let types: &[u8] = b"\x01\x01\x00";
        let plain = Sections::from_module(&module(&[types])).expect("a module");
        let named = Sections::from_module(&module(&[b"\x00\x04\x03abc", types])).expect("a module");
        assert_eq!(plain.program, named.program);
        assert_ne!(plain.sha256, named.sha256);
        let other = Sections::from_module(&module(&[b"\x01\x01\x01"])).expect("a module");
        assert_ne!(plain.program, other.program);
    }

    #[test]
    fn the_game_is_read_from_a_whole_module_only() {
        let text = br#"{"games":["mahjong"]}"#;
        let mut section = vec![0, 6 + text.len() as u8, 5];
        section.extend(b"judge");
        section.extend(text);
        let whole = module(&[&section]);
        assert_eq!(Sections::from_module(&whole).expect("a module").games, ["mahjong"]);
        for end in [0, 4, 9, 10, whole.len() - 1] {
            assert_eq!(Sections::from_module(&whole[..end]), None, "{end}");
        }
        assert_eq!(Sections::from_module(&module(&[b"\x01\xff\xff\xff\xff\xff"])), None);
    }
}
