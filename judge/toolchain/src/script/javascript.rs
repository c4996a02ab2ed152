//! JavaScript: resolves the names in `import`. For each import, the bundle has a file `FROM\nNAME`
//! with the name of the target file as its content. The kit itself is in the interpreter.

use include_dir::{Dir, include_dir};
use judge_interpreters::File;

use super::{Bundle, imports};
use crate::{BuildError, embedded};

static KIT: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../sdk/javascript/src");

/// The kit's name in imports.
const PACKAGE: &str = "judge-bot";

/// Prefix of the names of the kit's modules in the interpreter. No file next to a script has such a
/// name.
const IN_INTERPRETER: &str = "judge-bot:/";

/// The kit's name in modules.
pub(super) const KIT_NAME: &str = "javascript 0.1";

/// The kit's files, as the interpreter has loaded them.
pub(super) fn embedded() -> Vec<(String, &'static [u8])> {
    embedded::files(&KIT, IN_INTERPRETER)
}

/// Adds all direct and indirect imports of the script.
pub(super) fn collect(bundle: &mut Bundle) -> Result<(), BuildError> {
    let mut links = Vec::new();
    let mut at = 0;
    while let Some(file) = bundle.files.get(at) {
        let from = file.name.clone();
        let text = String::from_utf8_lossy(&file.text).into_owned();
        for name in imports::of_javascript(&text) {
            if let Some(meant) = resolve(bundle, &from, name)? {
                links.push(File::new(format!("{from}\n{name}"), meant));
            }
        }
        at += 1;
    }
    links.dedup();
    bundle.files.extend(links);
    Ok(())
}

/// Adds the imported file to the bundle and returns its name; none if it does not exist.
fn resolve(bundle: &mut Bundle, from: &str, name: &str) -> Result<Option<String>, BuildError> {
    if !name.starts_with('.') {
        return Ok(of_kit(bundle, name));
    }
    let Some(path) = join(from, name) else { return Ok(None) };
    for path in [path.clone(), format!("{path}.js"), format!("{path}/index.js")] {
        if bundle.add_beside(&path)? {
            return Ok(Some(path));
        }
    }
    Ok(None)
}

/// Resolves `judge-bot` or `judge-bot/GAME` like the kit's `package.json`.
fn of_kit(bundle: &mut Bundle, name: &str) -> Option<String> {
    let part = name.strip_prefix(PACKAGE)?;
    if part.is_empty() {
        return find_in_kit(bundle, "index.js");
    }
    let part = part.strip_prefix('/')?;
    let folder = find_in_kit(bundle, &format!("{part}/index.js"));
    folder.or_else(|| find_in_kit(bundle, &format!("{part}.js")))
}

fn find_in_kit(bundle: &mut Bundle, inside: &str) -> Option<String> {
    KIT.get_file(inside)?;
    bundle.has_kit = true;
    Some(format!("{IN_INTERPRETER}{inside}"))
}

/// A name relative to a file; none outside the script's folder.
fn join(from: &str, name: &str) -> Option<String> {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in name.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_modules_are_paths_relative_to_the_script() {
        assert_eq!(join("bot.js", "./more.js").as_deref(), Some("more.js"));
        assert_eq!(join("a/b.js", "../c/d.js").as_deref(), Some("c/d.js"));
        assert_eq!(join("bot.js", "../secret.js"), None);
    }

    #[test]
    fn a_script_is_packed_with_its_imports() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).expect("written");
            path
        };
        write("more.js", "import './bot.js'; import '../outside.js';");
        let text = "import { run } from 'judge-bot'; import * as a from 'judge-bot/amazons';
                    import 'judge-bot/mahjong'; import './more'; import './absent.js'; import 'fs';";
        let mut bundle = Bundle::new(&write("bot.js", text), text, Some(folder.path()));
        collect(&mut bundle).expect("collected");
        let names: Vec<&str> = bundle.files.iter().map(|file| file.name.as_str()).collect();
        assert_eq!(names[..2], ["bot.js", "more.js"]);
        assert!(!names.iter().any(|name| name.contains("outside")));
        let link = |name: &str| {
            let link = bundle.files.iter().find(|file| file.name == format!("bot.js\n{name}"));
            link.map(|file| String::from_utf8_lossy(&file.text).into_owned())
        };
        assert_eq!(link("./more").as_deref(), Some("more.js"));
        assert_eq!(link("judge-bot").as_deref(), Some("judge-bot:/index.js"));
        assert_eq!(link("judge-bot/amazons").as_deref(), Some("judge-bot:/amazons.js"));
        assert_eq!(link("judge-bot/mahjong").as_deref(), Some("judge-bot:/mahjong/index.js"));
        assert_eq!(link("fs"), None);
        assert!(bundle.has_kit);
    }
}
