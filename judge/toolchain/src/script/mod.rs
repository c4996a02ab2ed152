//! Scripts: combined with the files that they import and an interpreter that ships with the judge and
//! contains the kit. This needs no compiler and runs nothing.

mod constants;
mod imports;
mod javascript;
mod python;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use judge_interpreters::{File, Interpreter, JAVASCRIPT, PYTHON};

use crate::{BuildError, Compiled, Define, Language};

/// Largest script with its imports, in bytes: no testcase has memory for more.
const MOST: usize = 1 << 20;

/// Builds a script with these constants.
pub(crate) fn build(
    source: &Path,
    language: Language,
    defines: &[Define],
) -> Result<Compiled, BuildError> {
    let text = constants::set(source, read(source)?, language, defines)?;
    build_text(source, &text, language, source.parent())
}

/// Builds a script with this text. Without a folder, it imports only the kit.
pub(crate) fn build_text(
    source: &Path,
    text: &str,
    language: Language,
    folder: Option<&Path>,
) -> Result<Compiled, BuildError> {
    if let Some(other) = imports::other_language(text, language) {
        let what = format!("is {other}, by its first lines, not {language}");
        let ending = match other {
            Language::JavaScript => "js",
            Language::Python => "py",
            _ => "cpp",
        };
        let hint = format!("name it `{}`", source.with_extension(ending).display());
        return Err(BuildError::source(source, what, &hint));
    }
    let mut bundle = Bundle::new(source, text, folder);
    let (interpreter, kit) = collect(&mut bundle, language)?;
    let size: usize = bundle.files.iter().map(|file| file.text.len()).sum();
    if size > MOST {
        let what = format!("has {size} bytes with all that it imports; the most is {MOST}");
        return Err(BuildError::source(source, what, "compute tables when the bot starts"));
    }
    let module = interpreter.module_with(&bundle.files);
    let kit = bundle.has_kit.then_some(kit);
    let compiler = Some(interpreter.name.to_owned());
    Ok(Compiled { module, compiler, kit, ..Compiled::default() })
}

/// All embedded parts of script modules: interpreters, their libraries and the kits.
pub(crate) fn embedded() -> impl Iterator<Item = (String, &'static [u8])> {
    let interpreters = [&JAVASCRIPT, &PYTHON].into_iter();
    let interpreters = interpreters.map(|known| (known.name.to_owned(), known.module));
    interpreters.chain(javascript::embedded()).chain(python::embedded())
}

/// Adds the imports of a script; returns its interpreter and the name of its kit.
fn collect(
    bundle: &mut Bundle,
    language: Language,
) -> Result<(&'static Interpreter, &'static str), BuildError> {
    if language == Language::Python {
        python::collect(bundle)?;
        return Ok((&PYTHON, python::KIT_NAME));
    }
    javascript::collect(bundle)?;
    Ok((&JAVASCRIPT, javascript::KIT_NAME))
}

/// The files of a script, starting with the script itself.
struct Bundle {
    /// The folder of the script, if it has one.
    folder: Option<PathBuf>,
    files: Vec<File>,
    /// Names of files, and whether each exists.
    known: BTreeMap<String, bool>,
    has_kit: bool,
}

impl Bundle {
    fn new(source: &Path, text: &str, folder: Option<&Path>) -> Bundle {
        let here = |folder: &Path| match folder.as_os_str().is_empty() {
            true => PathBuf::from("."),
            false => folder.to_owned(),
        };
        let name = source.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Bundle {
            folder: folder.map(here),
            known: BTreeMap::from([(name.clone(), true)]),
            files: vec![File::new(name, text)],
            has_kit: false,
        }
    }

    /// Adds a file by its path in the script's folder, unless it is already added. Returns false if
    /// it does not exist.
    fn add_beside(&mut self, name: &str) -> Result<bool, BuildError> {
        if let Some(there) = self.known.get(name) {
            return Ok(*there);
        }
        let Some(folder) = &self.folder else { return Ok(false) };
        let path = folder.join(name);
        let inside = |path: &Path| {
            let folder = folder.canonicalize().ok()?;
            Some(path.is_file() && path.canonicalize().ok()?.starts_with(folder))
        };
        let there = inside(&path).unwrap_or(false);
        self.known.insert(name.to_owned(), there);
        if there {
            self.files.push(File::new(name, read(&path)?));
        }
        Ok(there)
    }
}

/// Reads a script as text.
fn read(path: &Path) -> Result<String, BuildError> {
    let bytes =
        std::fs::read(path).map_err(|source| BuildError::Read { path: path.to_owned(), source })?;
    checked(path, bytes)
}

/// The bytes of a script as text.
pub(crate) fn checked(path: &Path, bytes: Vec<u8>) -> Result<String, BuildError> {
    if bytes.len() > MOST {
        let what = format!("has {} bytes; the most is {MOST}", bytes.len());
        return Err(BuildError::source(path, what, "compute tables when the bot starts"));
    }
    // Some editors write a byte order mark.
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").map(<[u8]>::to_vec).unwrap_or(bytes);
    let text = String::from_utf8(bytes).ok().filter(|text| !text.contains('\0'));
    text.ok_or_else(|| {
        BuildError::source(path, "is not text in UTF-8", "save it as UTF-8 in your editor")
    })
}

#[cfg(test)]
mod tests {
    use judge_core::digest;

    use super::*;

    #[test]
    fn interpreters_contain_the_kits_of_this_judge() {
        for (interpreter, files) in
            [(&JAVASCRIPT, javascript::embedded()), (&PYTHON, python::embedded())]
        {
            let sources = files.into_iter().filter(|(name, _)| !name.ends_with("py.typed"));
            let mut files: Vec<File> = sources.map(|(name, text)| File::new(name, text)).collect();
            files.sort_by(|one, other| one.name.cmp(&other.name));
            let hash = digest(&interpreter.block(&files));
            assert_eq!(
                interpreter.kit_hash(),
                Some(&hash.bytes()[..]),
                "a file of the kit for {} has changed: run `judge/interpreters/build.sh`",
                interpreter.language
            );
        }
    }
}
