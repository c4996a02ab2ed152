//! Python: resolves modules in the interpreter's search order, `a/b.py` or `a/b/__init__.py`: first
//! files next to the script, then the kit and the missing parts of the standard library, which are in
//! the interpreter.

use std::path::Path;

use include_dir::{Dir, include_dir};
use judge_interpreters::File;

use super::{Bundle, imports};
use crate::{BuildError, embedded};

static KIT: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../sdk/python/judge_bot");
static LIBRARY: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../interpreters/python/lib");

/// The kit's name in imports.
const PACKAGE: &str = "judge_bot";

/// The kit's name in modules.
pub(super) const KIT_NAME: &str = "python 0.1";

/// The files of the kit and the library, as the interpreter has compiled them.
pub(super) fn embedded() -> Vec<(String, &'static [u8])> {
    [embedded::files(&KIT, "judge_bot/"), embedded::files(&LIBRARY, "")].concat()
}

/// Adds all direct and indirect imports of the script.
pub(super) fn collect(bundle: &mut Bundle) -> Result<(), BuildError> {
    let has_other_kit = bundle
        .folder
        .as_ref()
        .is_some_and(|folder| is_changed(&folder.join(PACKAGE), Path::new("")));
    let mut at = 0;
    while let Some(file) = bundle.files.get(at) {
        let from = file.name.clone();
        let text = String::from_utf8_lossy(&file.text).into_owned();
        for name in imports::of_python(&text) {
            if let Some(path) = path_of(&from, &name) {
                add(bundle, &path, has_other_kit)?;
            }
        }
        at += 1;
    }
    Ok(())
}

/// True if a copy of the kit has modules that the kit does not have. `judge new` writes a copy for
/// editors.
fn is_changed(copy: &Path, inside: &Path) -> bool {
    let Ok(entries) = std::fs::read_dir(copy.join(inside)) else { return false };
    entries.flatten().any(|entry| {
        let inside = inside.join(entry.file_name());
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            return is_changed(copy, &inside);
        }
        let text = std::fs::read(entry.path()).ok();
        let known = KIT.get_file(&inside).map(include_dir::File::contents);
        inside.extension().is_some_and(|ending| ending == "py") && text.as_deref() != known
    })
}

/// The path of a module. One with leading dots is relative to the file's package.
fn path_of(from: &str, name: &str) -> Option<String> {
    let inner = name.trim_start_matches('.');
    let mut parts: Vec<&str> = Vec::new();
    let dots = name.len() - inner.len();
    if dots > 0 {
        parts.extend(from.split('/'));
        for _ in 0..dots {
            parts.pop()?;
        }
    }
    parts.extend(inner.split('.').filter(|part| !part.is_empty()));
    let is_name = |part: &&str| part.chars().all(|c| c.is_alphanumeric() || c == '_');
    (!parts.is_empty() && parts.iter().all(is_name)).then(|| parts.join("/"))
}

/// Adds a module and its packages.
fn add(bundle: &mut Bundle, path: &str, has_other_kit: bool) -> Result<(), BuildError> {
    for (end, _) in path.match_indices('/') {
        add_file(bundle, &format!("{}/__init__.py", &path[..end]), has_other_kit)?;
    }
    add_file(bundle, &format!("{path}/__init__.py"), has_other_kit)?;
    add_file(bundle, &format!("{path}.py"), has_other_kit)
}

fn add_file(bundle: &mut Bundle, name: &str, has_other_kit: bool) -> Result<(), BuildError> {
    let in_kit = in_the_kit(name);
    let file = in_kit.and_then(|inside| KIT.get_file(inside));
    bundle.has_kit |= file.is_some();
    if file.is_some() && !has_other_kit {
        return Ok(());
    }
    let is_beside = bundle.add_beside(name)?;
    bundle.has_kit |= is_beside && in_kit.is_some();
    // A package comes from one place, so another kit gets the modules that it does not have.
    if let Some(file) = file.filter(|_| !bundle.files.iter().any(|file| file.name == name)) {
        bundle.files.push(File::new(name, file.contents()));
    }
    Ok(())
}

/// The path of a file inside the kit's package.
fn in_the_kit(name: &str) -> Option<&str> {
    name.strip_prefix(PACKAGE)?.strip_prefix('/')
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn names_of_modules_are_paths() {
        assert_eq!(path_of("bot.py", "a.b").as_deref(), Some("a/b"));
        assert_eq!(path_of("judge_bot/cc.py", ".mailbox").as_deref(), Some("judge_bot/mailbox"));
        assert_eq!(path_of("a/b/__init__.py", "..c").as_deref(), Some("a/c"));
        assert_eq!(path_of("bot.py", "..c"), None);
        assert_eq!(path_of("bot.py", "../c"), None);
    }

    #[test]
    fn a_script_is_packed_with_its_imports() {
        let folder = tempfile::tempdir().expect("a folder");
        let text = "import math, own\nfrom judge_bot import cc, run\nimport absent, judge_botanic, judge_boté\n";
        std::fs::write(folder.path().join("own.py"), "from random import choice\n")
            .expect("written");
        std::fs::write(folder.path().join("random.py"), "").expect("written");
        let path = folder.path().join("bot.py");
        std::fs::write(&path, text).expect("written");
        let mut bundle = Bundle::new(&path, text, Some(folder.path()));
        collect(&mut bundle).expect("collected");
        let names: Vec<&str> = bundle.files.iter().map(|file| file.name.as_str()).collect();
        assert_eq!(names, ["bot.py", "own.py", "random.py"], "the rest is in the interpreter");
        assert!(bundle.has_kit);
    }

    #[test]
    fn a_copy_of_the_kit_is_packed_only_if_it_differs() {
        let folder = tempfile::tempdir().expect("a folder");
        let copy = folder.path().join("judge_bot");
        std::fs::create_dir(&copy).expect("a folder");
        KIT.extract(&copy).expect("written");
        let text = "from judge_bot import cc, run\n";
        let collected = || {
            let mut bundle = Bundle::new(&folder.path().join("bot.py"), text, Some(folder.path()));
            collect(&mut bundle).expect("collected");
            assert!(bundle.has_kit);
            bundle.files.into_iter().map(|file| (file.name, file.text))
        };
        assert_eq!(collected().count(), 1);
        std::fs::write(copy.join("mailbox.py"), "# own\n").expect("written");
        std::fs::remove_file(copy.join("player.py")).expect("removed");
        let files: BTreeMap<String, Vec<u8>> = collected().collect();
        assert_eq!(files.get("judge_bot/mailbox.py").map(Vec::as_slice), Some(&b"# own\n"[..]));
        assert!(files.contains_key("judge_bot/cc.py") && files.contains_key("judge_bot/player.py"));
        assert!(!files.contains_key("judge_bot/amazons.py"), "no file imports it");
    }
}
