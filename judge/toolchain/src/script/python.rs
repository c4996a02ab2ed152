//! Python: resolves modules in the interpreter's search order, `a/b.py` or `a/b/__init__.py`: first
//! files next to the script, then the kit, then the missing parts of the standard library.

use include_dir::{Dir, include_dir};

use super::{Bundle, imports};
use crate::{BuildError, embedded};

static KIT: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../sdk/python/judge_bot");
static LIBRARY: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../interpreters/python/lib");

/// The kit's name in imports.
const PACKAGE: &str = "judge_bot";

/// The kit's name in modules.
pub(super) const KIT_NAME: &str = "python 0.1";

pub(super) fn embedded() -> Vec<(String, &'static [u8])> {
    [embedded::files(&KIT, PACKAGE), embedded::files(&LIBRARY, "lib")].concat()
}

/// Adds all direct and indirect imports of the script.
pub(super) fn collect(bundle: &mut Bundle) -> Result<(), BuildError> {
    let mut at = 0;
    while let Some(file) = bundle.files.get(at) {
        let from = file.name.clone();
        let text = String::from_utf8_lossy(&file.text).into_owned();
        for name in imports::of_python(&text) {
            if let Some(path) = path_of(&from, &name) {
                add(bundle, &path)?;
            }
        }
        at += 1;
    }
    Ok(())
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
fn add(bundle: &mut Bundle, path: &str) -> Result<(), BuildError> {
    for (end, _) in path.match_indices('/') {
        add_file(bundle, &format!("{}/__init__.py", &path[..end]))?;
    }
    add_file(bundle, &format!("{path}/__init__.py"))?;
    add_file(bundle, &format!("{path}.py"))
}

fn add_file(bundle: &mut Bundle, name: &str) -> Result<(), BuildError> {
    if bundle.add_beside(name)? {
        bundle.has_kit |= in_the_kit(name).is_some();
        return Ok(());
    }
    if let Some(file) = in_the_kit(name).and_then(|rest| KIT.get_file(rest)) {
        bundle.add_of_kit(name, file.contents());
    } else if let Some(file) = LIBRARY.get_file(name) {
        bundle.add_of_library(name, file.contents());
    }
    Ok(())
}

/// The path of a file inside the kit's package.
fn in_the_kit(name: &str) -> Option<&str> {
    name.strip_prefix(PACKAGE)?.strip_prefix('/')
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn modules_are_paths() {
        assert_eq!(path_of("bot.py", "a.b").as_deref(), Some("a/b"));
        assert_eq!(path_of("judge_bot/cc.py", ".mailbox").as_deref(), Some("judge_bot/mailbox"));
        assert_eq!(path_of("a/b/__init__.py", "..c").as_deref(), Some("a/c"));
        assert_eq!(path_of("bot.py", "..c"), None);
        assert_eq!(path_of("bot.py", "../c"), None);
    }

    #[test]
    fn a_script_brings_what_it_imports() {
        let folder = tempfile::tempdir().expect("a folder");
        let text = "import math, own\nfrom judge_bot import cc, run\nimport absent, judge_botanic, judge_boté\n";
        std::fs::write(folder.path().join("own.py"), "from random import choice\n")
            .expect("written");
        std::fs::write(folder.path().join("random.py"), "").expect("written");
        let path = folder.path().join("bot.py");
        std::fs::write(&path, text).expect("written");
        let mut bundle = Bundle::new(Path::new(&path), text);
        collect(&mut bundle).expect("collected");
        let names: Vec<&str> = bundle.files.iter().map(|file| file.name.as_str()).collect();
        assert_eq!(names[..4], ["bot.py", "math.py", "own.py", "judge_bot/__init__.py"]);
        assert!(names.contains(&"judge_bot/cc.py") && names.contains(&"judge_bot/mailbox.py"));
        assert!(!names.iter().any(|name| name.contains("amazons") || name.contains("absent")));
        let random = bundle.files.iter().find(|file| file.name == "random.py");
        assert!(random.is_some_and(|file| file.text.is_empty()), "the author's file wins");
    }
}
