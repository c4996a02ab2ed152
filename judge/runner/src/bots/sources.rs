//! Bots given as sources. They are built wherever a module is read.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::OnceLock;
use std::time::SystemTime;

use judge_core::{Event, Explanation, Listener};
pub use judge_toolchain::Define;
use judge_toolchain::{Built, Language, Request};

use crate::Error;
use crate::base::nearest::nearest;

/// True for the names of sources and folders of projects.
pub(crate) fn is_source(path: &Path) -> bool {
    judge_toolchain::is_source(path)
}

static DEFINES: OnceLock<Vec<Define>> = OnceLock::new();

/// Sets the constants of all later builds of the user's own sources. Only the first call counts.
pub fn define(defines: &[Define]) {
    let _ = DEFINES.set(defines.to_vec());
}

/// The constants of builds.
pub fn defines() -> &'static [Define] {
    DEFINES.get().map_or(&[], Vec::as_slice)
}

/// Builds a source, and reports the compiler's start and warnings.
pub(crate) fn module(path: &Path, events: &mut dyn Listener) -> Result<Vec<u8>, Error> {
    // The constants are for all sources of a command, so one of them may lack a name.
    if let Some((what, hint)) = without_effect(path, defines()) {
        // Their builds refuse such a constant, too, without a similar name.
        let language = Language::from_path(path);
        if matches!(language, Ok(Language::JavaScript | Language::Python)) {
            return Err(Error::usage(what, hint));
        }
        events.event(&Event::Note { text: format!("{what}; {hint}") })?;
    }
    module_with(path, defines(), events)
}

/// The first constant with a name that no file of a source has, as a sentence with a hint.
pub(crate) fn without_effect(path: &Path, defines: &[Define]) -> Option<(String, String)> {
    // Headers of the language and of the kit read names such as these.
    let is_read =
        |name: &str| name == "NDEBUG" || name.starts_with('_') || name.starts_with("JUDGE_");
    let mut defines = defines.iter().filter(|define| !is_read(&define.name)).peekable();
    defines.peek()?;
    let words = words(path);
    let has = |define: &Define| words.contains(&define.name) || words.contains(&rust_name(define));
    let define = defines.find(|define| !has(define))?;
    let what = format!("`-D {define}` changes nothing in `{}`", path.display());
    let near = nearest(&define.name, words.iter().map(String::as_str));
    let near = near.map(|near| format!(": did you mean `{near}`?")).unwrap_or_default();
    Some((what, format!("none of its files has the name `{}`{near}", define.name)))
}

/// The name of a constant in a source in Rust.
fn rust_name(define: &Define) -> String {
    format!("JUDGE_{}", define.name)
}

/// The names in the files of a source.
fn words(path: &Path) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    for file in judge_toolchain::files(path) {
        let is_short = std::fs::metadata(&file).is_ok_and(|found| found.len() <= LONGEST_FILE);
        let Some(text) = is_short.then(|| std::fs::read_to_string(&file).ok()).flatten() else {
            continue;
        };
        let parts = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        words.extend(parts.filter(|part| !part.is_empty()).map(str::to_owned));
    }
    words
}

/// Most bytes of a file that is searched for names.
const LONGEST_FILE: u64 = 1 << 20;

/// [`module`] with these constants.
pub(crate) fn module_with(
    path: &Path,
    defines: &[Define],
    events: &mut dyn Listener,
) -> Result<Vec<u8>, Error> {
    let mut told = Ok(());
    let request = Request { defines: defines.to_vec(), ..Request::new(path) };
    let text = format!("building `{}`…", path.display());
    let mut starting = || told = events.event(&Event::Note { text: text.clone() });
    let built = judge_toolchain::build(&request, &mut starting)?;
    told?;
    tell_remarks(&built, events)?;
    Ok(built.module)
}

/// Reports the compiler's warnings, but not again when the same source is read again.
fn tell_remarks(built: &Built, events: &mut dyn Listener) -> Result<(), Error> {
    let lines = built.remarks.lines().filter(|line| !built.cached && !line.trim().is_empty());
    for line in lines {
        events.event(&Event::Note { text: line.to_owned() })?;
    }
    Ok(())
}

/// The reason why a source cannot be played, for a user who watches it.
pub(crate) fn explain(error: &Error) -> Explanation {
    let hint = error.hint().map(Cow::into_owned);
    let reason = match error {
        Error::NotBuilt { what, words: Some(words), .. } => format!("{what}\n{words}"),
        other => other.to_string(),
    };
    match hint {
        Some(hint) => Explanation::new(reason, hint),
        None => Explanation::without_hint(reason),
    }
}

/// True if a module in a project's folder is older than a file it is built from.
pub(crate) fn is_stale(folder: &Path, module: &Path) -> bool {
    is_source(folder) && judge_toolchain::files(folder).iter().any(|path| is_newer(path, module))
}

/// True if a file was written after another one.
pub(crate) fn is_newer(file: &Path, other: &Path) -> bool {
    let written = |path: &Path| std::fs::metadata(path).and_then(|found| found.modified()).ok();
    let written: [Option<SystemTime>; 2] = [file, other].map(written);
    written[0] > written[1]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_constant_is_named_with_the_nearest_name() {
        let folder = tempfile::tempdir().expect("a folder");
        let source = folder.path().join("bot.cpp");
        std::fs::write(&source, "#include \"brain.h\"\nint main() { return depth(); }\n")
            .expect("written");
        std::fs::write(folder.path().join("brain.h"), "#ifndef WIDTH\n#define WIDTH 3\n#endif\n")
            .expect("written");
        let told = |text: &str| {
            let define: Define = text.parse().expect("a constant");
            without_effect(&source, &[define])
        };
        for fine in ["WIDTH=4", "NDEBUG", "_GLIBCXX_DEBUG", "JUDGE_KIT_X=1"] {
            assert_eq!(told(fine), None, "{fine}");
        }
        let (what, hint) = told("WITDH=4").expect("it changes nothing");
        assert!(what.starts_with("`-D WITDH=4` changes nothing in `"), "{what}");
        assert_eq!(hint, "none of its files has the name `WITDH`: did you mean `WIDTH`?");
        // A part of a name is not the name.
        assert!(told("WID=4").is_some());
        std::fs::write(folder.path().join("main.rs"), "option_env!(\"JUDGE_SPEED\")").expect("ok");
        assert_eq!(told("SPEED=4"), None);
    }
}
