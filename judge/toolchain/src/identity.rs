//! A module's name, game and author, read from a line of its source and written to the section
//! `judge` at its end.

use std::path::Path;

use serde::Serialize;

use crate::{BuildError, Language};

/// Bytes at the start of a source in which the line must be.
const START: usize = 4096;

/// A module's own description.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Identity {
    /// Its name; by default that of its source.
    pub name: Option<String>,
    /// The author.
    pub author: Option<String>,
    /// The game that it plays.
    pub game: Option<String>,
}

/// The section's JSON; see `sdk/PROTOCOL.md`.
#[derive(Serialize)]
struct Manifest<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    author: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    games: Option<[&'a str; 1]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    kit: Option<&'a str>,
}

impl Identity {
    /// The description in a comment near the start of a source: `// judge: game=amazons
    /// author=Ada`.
    pub(crate) fn of_source(source: &Path, language: Language) -> Result<Identity, BuildError> {
        let file = main_file(source, language);
        let Some(file) = file else { return Ok(Identity::default()) };
        let bytes = std::fs::read(&file)
            .map_err(|source| BuildError::Read { path: file.clone(), source })?;
        Ok(Identity::of_start(&bytes))
    }

    /// The description near the start of a source with this text.
    pub(crate) fn of_start(text: &[u8]) -> Identity {
        Identity::of_text(&String::from_utf8_lossy(&text[..text.len().min(START)]))
    }

    fn of_text(text: &str) -> Identity {
        let mut identity = Identity::default();
        let comment = |line: &'_ str| {
            let line = line.trim_start_matches(['/', '*', '#', ';', '!', ' ', '\t', '\u{feff}']);
            line.strip_prefix("judge:").map(str::to_owned)
        };
        let words = text.lines().find_map(comment).unwrap_or_default();
        for (key, value) in words.split_whitespace().filter_map(|word| word.split_once('=')) {
            let value = Some(value.to_owned());
            match key {
                "name" => identity.name = value,
                "author" => identity.author = value,
                "game" => identity.game = value,
                _ => {}
            }
        }
        identity
    }

    /// Fills missing fields from another identity.
    pub(crate) fn or(self, other: Identity) -> Identity {
        Identity {
            name: self.name.or(other.name),
            author: self.author.or(other.author),
            game: self.game.or(other.game),
        }
    }

    /// Appends the section to a module, unless it already has one.
    pub(crate) fn sign(
        &self,
        mut module: Vec<u8>,
        source: &Path,
        kit: Option<&'static str>,
    ) -> Vec<u8> {
        if has_section(&module) {
            return module;
        }
        let stem = name_of(source);
        let manifest = Manifest {
            name: self.name.as_deref().unwrap_or(&stem),
            author: self.author.as_deref(),
            games: self.game.as_deref().map(|game| [game]),
            kit,
        };
        // Serializing texts and lists of texts cannot fail.
        let json = serde_json::to_vec(&manifest).unwrap_or_default();
        let mut content = Vec::from(*b"\x05judge");
        content.extend(json);
        module.push(0);
        write_size(content.len(), &mut module);
        module.extend(content);
        module
    }
}

/// Adds what a source says about itself to a module that the source's own compiler has built, as
/// [`crate::build`] does.
///
/// # Errors
/// When the source cannot be read, or its language is unknown.
pub fn sign(module: Vec<u8>, source: &Path) -> Result<Vec<u8>, BuildError> {
    let language = Language::from_path(source).map_err(|hint| BuildError::unknown(source, hint))?;
    Ok(Identity::of_source(source, language)?.sign(module, source, None))
}

/// A source's name without its ending; for a project, the name of its folder.
fn name_of(source: &Path) -> String {
    let whole = source.canonicalize().unwrap_or_else(|_| source.to_owned());
    let name = if whole.is_dir() { whole.file_name() } else { whole.file_stem() };
    name.unwrap_or_default().to_string_lossy().into_owned()
}

/// The source file that may have the line.
fn main_file(source: &Path, language: Language) -> Option<std::path::PathBuf> {
    if !source.is_dir() {
        return Some(source.to_owned());
    }
    let candidates: &[&str] = match language {
        Language::Rust => &["src/main.rs", "src/lib.rs"],
        _ => &["main.go", "bot.go"],
    };
    candidates.iter().map(|name| source.join(name)).find(|path| path.is_file())
}

/// Writes a size in the encoding of modules: seven bits per byte, lowest first.
fn write_size(mut size: usize, to: &mut Vec<u8>) {
    loop {
        let low = (size & 0x7f) as u8;
        size >>= 7;
        to.push(if size == 0 { low } else { low | 0x80 });
        if size == 0 {
            return;
        }
    }
}

/// Reads such a size; returns it and the rest.
fn read_size(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let mut size = 0;
    for (at, byte) in bytes.iter().enumerate().take(5) {
        size |= usize::from(byte & 0x7f) << (7 * at);
        if byte & 0x80 == 0 {
            return Some((size, &bytes[at + 1..]));
        }
    }
    None
}

/// True if a module has a section `judge`.
fn has_section(module: &[u8]) -> bool {
    let mut rest = module.get(8..).unwrap_or_default();
    while let Some((kind, after)) = rest.split_first() {
        let Some((size, content)) = read_size(after) else { return false };
        let Some(section) = content.get(..size) else { return false };
        if *kind == 0 && section.starts_with(b"\x05judge") {
            return true;
        }
        rest = &content[size..];
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    const EMPTY: &[u8] = b"\0asm\x01\0\0\0";

    #[test]
    fn a_comment_names_the_game_of_a_source() {
        let text = "#include <stdio.h>\n// judge: game=amazons author=Ada\nint main() {}\n";
        let said = Identity::of_text(text);
        assert_eq!(said.game.as_deref(), Some("amazons"));
        assert_eq!(said.author.as_deref(), Some("Ada"));
        assert_eq!(Identity::of_text(";; judge: game=cc").game.as_deref(), Some("cc"));
        assert_eq!(Identity::of_text("the judge: game=cc"), Identity::default());
    }

    #[test]
    fn a_module_gets_its_manifest_once() {
        let identity = Identity { game: Some("cc".to_owned()), ..Identity::default() };
        let signed = identity.sign(EMPTY.to_vec(), Path::new("my/bot.c"), None);
        let expected = br#"{"name":"bot","games":["cc"]}"#;
        assert!(signed.ends_with(expected), "{}", String::from_utf8_lossy(&signed));
        assert!(has_section(&signed) && !has_section(EMPTY));
        assert_eq!(identity.sign(signed.clone(), Path::new("other.c"), None), signed);
        let long = Identity { author: Some("x".repeat(300)), ..Identity::default() };
        assert!(has_section(&long.sign(EMPTY.to_vec(), Path::new("bot.c"), None)));
    }
}
