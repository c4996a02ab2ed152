//! The most similar name on a list or in a folder, as a suggestion to people only.

use std::path::{Path, PathBuf};

use judge_report::folded;

/// Finds the most similar of these names; none if none is similar.
pub(crate) fn nearest<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let own: String = folded(name).chars().take(LONGEST).collect();
    let with_distance = names.into_iter().map(|other| (distance(&own, other), other));
    let (distance, found) = with_distance.min()?;
    (distance <= 1 + own.chars().count() / 3).then_some(found)
}

/// The question for the most similar of these names; none if none is similar.
pub(crate) fn did_you_mean<'a>(
    name: &str,
    names: impl IntoIterator<Item = &'a str>,
) -> Option<String> {
    nearest(name, names).map(|near| format!("did you mean `{near}`?"))
}

/// Maximum number of files of a folder to compare.
const MOST_FILES: usize = 1000;

/// Finds the file or folder with the most similar path, or with the same name and another ending.
pub(crate) fn nearest_file(path: &Path) -> Option<PathBuf> {
    let name = path.file_name()?.to_str()?;
    let folder = path.parent()?;
    if !folder.as_os_str().is_empty() && !folder.is_dir() {
        return Some(nearest_file(folder)?.join(name)).filter(|near| near.exists());
    }
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let entries = std::fs::read_dir(here).ok()?.flatten().take(MOST_FILES);
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<String> = names.filter(|name| !name.starts_with('.')).collect();
    names.sort_unstable();
    let is_other_form = |other: &&str| Path::new(other).file_stem() == path.file_stem();
    let names = || names.iter().map(String::as_str);
    let near = names().find(is_other_form).or_else(|| nearest(name, names()))?;
    Some(folder.join(near))
}

/// Maximum number of characters to compare.
const LONGEST: usize = 40;

/// The number of characters to add, remove, change or swap with their neighbor to get from one to
/// the other.
fn distance(own: &str, other: &str) -> usize {
    let other: String = folded(other).chars().take(LONGEST).collect();
    strsim::osa_distance(own, &other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_name_is_near_and_another_name_is_not() {
        let list = ["lovelace", "Babbage", "hopper"];
        assert_eq!(nearest("Lovlace", list), Some("lovelace"));
        assert_eq!(nearest("babage2", list), Some("Babbage"));
        assert_eq!(nearest("knuth", list), None);
        assert_eq!(nearest("x", []), None);
        let korean = "\u{1112}\u{1161}\u{11ab}\u{1100}\u{1173}\u{11af}";
        assert_eq!(nearest(korean, ["한국", "ab"]), Some("한국"), "one letter of two differs");
        assert_eq!(distance("ab", ""), 2);
        assert_eq!(nearest("bto.py", ["bad.py", "bot.py"]), Some("bot.py"), "two letters swapped");
    }

    #[test]
    fn a_file_is_found_by_a_similar_name_or_with_another_ending() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        std::fs::create_dir(path("my-bot")).expect("a folder");
        for name in ["my-bot/bot.py", "other.toml", ".bot.c"] {
            std::fs::write(path(name), "").expect("written");
        }
        for (typed, near) in [
            ("my-bot/bto.py", Some("my-bot/bot.py")),
            ("my-bot/bot.wasm", Some("my-bot/bot.py")),
            ("mybot/bot.py", Some("my-bot/bot.py")),
            ("mybot/some.py", None),
            ("othr.toml", Some("other.toml")),
            ("bot.c", None),
        ] {
            assert_eq!(nearest_file(&path(typed)), near.map(path), "{typed}");
        }
    }
}
