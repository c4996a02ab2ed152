//! Unique file names for arbitrary names.

use std::collections::{BTreeMap, BTreeSet};

use judge_core::digest;

/// Maximum length of a file name in bytes of UTF-8, without its hash and its extension.
const LONGEST: usize = 100;

/// File names without extensions, by the original names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FileNames(BTreeMap<String, String>);

impl FileNames {
    /// Creates an empty map: each name is used as it is.
    pub(crate) const fn none() -> FileNames {
        FileNames(BTreeMap::new())
    }

    /// Finds file names that are all different, even on file systems that ignore case.
    pub(crate) fn new<'a>(names: impl IntoIterator<Item = &'a str>) -> FileNames {
        let names: BTreeSet<&str> = names.into_iter().collect();
        let mut same: BTreeMap<String, usize> = BTreeMap::new();
        for name in &names {
            *same.entry(file_name(name).to_lowercase()).or_default() += 1;
        }
        let own = |name: &str| {
            let short = file_name(name);
            match same.get(&short.to_lowercase()) {
                // No two names have the same full hash.
                Some(2..) => format!("{}~{}", plain(name), digest(name.as_bytes())),
                _ => short,
            }
        };
        FileNames(names.iter().map(|name| ((*name).to_owned(), own(name))).collect())
    }

    /// The file name for one of the names.
    pub(crate) fn name_for(&self, name: &str) -> String {
        self.0.get(name).cloned().unwrap_or_else(|| file_name(name))
    }
}

/// Converts a name to a file name. Letters and digits of any script, `-`, `_` and inner dots are
/// kept. A changed name gets a part of its hash, and so does one that is not ASCII, because systems
/// compose its letters differently.
fn file_name(name: &str) -> String {
    let plain = plain(name);
    // Names that differ only in case are the same file on some systems, and device names are not
    // files on others.
    let lower = plain.chars().all(|c| !c.is_ascii_uppercase());
    if plain == name
        && plain.is_ascii()
        && lower
        && !plain.ends_with('.')
        && !plain.is_empty()
        && !is_device(&plain)
    {
        return plain;
    }
    format!("{plain}~{}", digest(name.as_bytes()).short())
}

/// Replaces special characters, and changes a device name before a dot, because Windows ignores the
/// rest.
fn plain(name: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    let mut plain: String = name.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
    plain.truncate(plain.floor_char_boundary(LONGEST));
    if plain.starts_with(['.', '-']) {
        plain.replace_range(..1, "_");
    }
    if plain.contains('.') && is_device(&plain) { format!("_{plain}") } else { plain }
}

/// True for names that Windows reserves for devices, with any extension.
fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().to_ascii_lowercase();
    let numbered = |kind: &str| {
        stem.strip_prefix(kind)
            .is_some_and(|rest| rest.len() == 1 && rest.as_bytes()[0].is_ascii_digit())
    };
    matches!(stem.as_str(), "con" | "prn" | "aux" | "nul") || numbered("com") || numbered("lpt")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_keep_their_letters() {
        for (name, file) in [
            ("Zoë Žižek", "Zoë_Žižek~"),
            ("李小龙", "李小龙~"),
            ("محمد علي", "محمد_علي~"),
            ("ada", "ada"),
        ] {
            assert!(file_name(name).starts_with(file), "{}", file_name(name));
        }
        let [composed, decomposed] = ["zo\u{eb}", "zoe\u{308}"].map(file_name);
        assert_ne!(composed.split_once('~'), decomposed.split_once('~'));
        assert!(file_name(&"李".repeat(100)).len() <= LONGEST + 10);
    }

    #[test]
    fn file_names_are_unique_and_stay_in_their_folder() {
        assert_eq!(file_name("ada-l_7.x"), "ada-l_7.x");
        for hostile in [
            "..",
            ".",
            "",
            "../../x",
            "/etc/passwd",
            "a\0b",
            "-rf",
            "nul.x",
            "COM1",
            "CON",
            "a.",
            "a ",
            "a\u{2215}b",
            "a~12345678",
        ] {
            let name = file_name(hostile);
            assert!(
                !name.contains(['/', '\\', '\0', ' ']) && !name.starts_with(['.', '-']),
                "{name}"
            );
            assert!(name.contains('~') && !is_device(&name), "{hostile}: {name}");
        }
        assert_ne!(file_name("Ada").to_lowercase(), file_name("ada").to_lowercase());
        assert_ne!(file_name("a b"), file_name("a_b"));
        assert!(file_name(&"x".repeat(300)).len() < 120);
    }

    /// Returns two names with the same short hash, which [`file_name`] cannot distinguish.
    fn alike() -> [String; 2] {
        let mut seen: BTreeMap<String, String> = BTreeMap::new();
        for number in 0_u32.. {
            let bits = (0..24).map(|bit| if number >> bit & 1 == 1 { '+' } else { '!' });
            let name: String = bits.collect();
            if let Some(before) = seen.insert(file_name(&name), name.clone()) {
                return [before, name];
            }
        }
        unreachable!("there are fewer short hashes than numbers")
    }

    #[test]
    fn names_with_equal_short_hashes_get_different_files() {
        let [one, other] = alike();
        assert_eq!(file_name(&one), file_name(&other), "`{one}`, `{other}`");
        let names = FileNames::new([one.as_str(), "ada", &other, "Ada"]);
        assert_ne!(names.name_for(&one), names.name_for(&other));
        assert!(names.name_for(&one).len() < 200);
        for unlike in ["ada", "Ada"] {
            assert_eq!(names.name_for(unlike), file_name(unlike), "other names stay as they are");
        }
        let in_other_order = FileNames::new(["Ada", &other, &one, "ada", "ada"]);
        assert_eq!(in_other_order, names);
    }
}
