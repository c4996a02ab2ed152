//! JavaScript: resolves the names in `import`. For each import, the bundle has a file `FROM\nNAME`
//! with the name of the target file as its content.

use include_dir::{Dir, include_dir};
use judge_interpreters::File;

use super::{Bundle, imports};
use crate::{BuildError, embedded};

static KIT: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../sdk/javascript/src");

/// The kit's name in imports.
const PACKAGE: &str = "judge-bot";

/// The kit's name in modules.
pub(super) const KIT_NAME: &str = "javascript 0.1";

/// The kit's files.
pub(super) fn embedded() -> Vec<(String, &'static [u8])> {
    embedded::files(&KIT, PACKAGE)
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
    if let Some(inside) = path.strip_prefix(PACKAGE).and_then(|rest| rest.strip_prefix('/'))
        && from.starts_with(PACKAGE)
    {
        return Ok(add_of_kit(bundle, inside));
    }
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
        return add_of_kit(bundle, "index.js");
    }
    let part = part.strip_prefix('/')?;
    let folder = add_of_kit(bundle, &format!("{part}/index.js"));
    folder.or_else(|| add_of_kit(bundle, &format!("{part}.js")))
}

fn add_of_kit(bundle: &mut Bundle, inside: &str) -> Option<String> {
    let text = KIT.get_file(inside)?.contents();
    let name = format!("{PACKAGE}/{inside}");
    bundle.add_of_kit(&name, text);
    Some(name)
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
    fn names_are_paths_from_the_script_on() {
        assert_eq!(join("bot.js", "./more.js").as_deref(), Some("more.js"));
        assert_eq!(join("a/b.js", "../c/d.js").as_deref(), Some("c/d.js"));
        assert_eq!(join("bot.js", "../secret.js"), None);
    }

    #[test]
    fn a_script_brings_what_it_imports() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).expect("written");
            path
        };
        write("more.js", "import './bot.js'; import '../outside.js';");
        let text = "import { run } from 'judge-bot'; import * as a from 'judge-bot/amazons';
                    import './more'; import './absent.js'; import 'fs';";
        let mut bundle = Bundle::new(&write("bot.js", text), text);
        collect(&mut bundle).expect("collected");
        let names: Vec<&str> = bundle.files.iter().map(|file| file.name.as_str()).collect();
        let expected = ["bot.js", "judge-bot/index.js", "judge-bot/amazons.js", "more.js"];
        assert_eq!(names[..4], expected);
        assert!(names.contains(&"judge-bot/player.js"), "what the kit imports itself");
        assert!(!names.iter().any(|name| name.contains("outside") || name.contains("mahjong")));
        let link = bundle.files.iter().find(|file| file.name == "bot.js\n./more");
        assert_eq!(link.map(|file| file.text.as_slice()), Some(&b"more.js"[..]));
        assert!(bundle.has_kit);
    }
}
