//! Names that cannot be taken for one another: of submissions, and of the files about them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use judge_core::digest;

use super::submissions::{HandedIn, Kind};

/// Longest name of a file, in bytes, without its hash and its ending.
const LONGEST: usize = 100;

/// Gives submissions that would be called the same names of their own, and says which: neither can
/// be known to be the one that a list of students means. All others keep theirs.
pub(super) fn tell_apart(found: &mut [HandedIn]) -> Vec<String> {
    let mut groups: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (number, one) in found.iter().enumerate() {
        groups.entry(one.name.clone()).or_default().push(number);
    }
    // A new name is none that anybody else has, or would have had.
    let mut taken: BTreeSet<String> = groups.keys().cloned().collect();
    let mut told = Vec::new();
    for (name, mut group) in groups.into_iter().filter(|(_, group)| group.len() > 1) {
        group.sort_by(|one, other| found[*one].path.cmp(&found[*other].path));
        let names = own_names(&group.iter().map(|at| &found[*at]).collect::<Vec<_>>(), &taken);
        told.push(about(&name, &group.iter().map(|at| &found[*at]).collect::<Vec<_>>(), &names));
        for (at, own) in std::iter::zip(group, names) {
            taken.insert(own.clone());
            found[at].name = own;
        }
    }
    told
}

/// The files' names, or else the paths, or else the paths and numbers.
fn own_names(group: &[&HandedIn], taken: &BTreeSet<String>) -> Vec<String> {
    let file = |one: &HandedIn| Path::new(one.path.file_name().unwrap_or_default()).to_owned();
    let by_file = group.iter().map(|one| written(&file(one), one)).collect();
    let by_path = group.iter().map(|one| written(&one.path, one)).collect::<Vec<_>>();
    let free = |names: &Vec<String>| {
        let different: BTreeSet<&String> = names.iter().collect();
        different.len() == names.len() && different.iter().all(|name| !taken.contains(*name))
    };
    let first: Option<Vec<String>> = [by_file, by_path.clone()].into_iter().find(free);
    first.unwrap_or_else(|| {
        let mut taken = taken.clone();
        let mut numbered = |path: &String| {
            let name = (1..).map(|number| format!("{path} #{number}"));
            let name = name.into_iter().find(|name| !taken.contains(name)).unwrap_or_default();
            taken.insert(name.clone());
            name
        };
        by_path.iter().map(&mut numbered).collect()
    })
}

/// A path as text in which bytes that are no text can be told apart, and a folder from a file.
fn written(path: &Path, one: &HandedIn) -> String {
    let mut text = String::new();
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            // Writing to a string cannot fail.
            let _ = write!(text, "\\x{byte:02x}");
        }
    }
    if one.kind == Kind::Folder {
        text.push('/');
    }
    text
}

fn about(name: &str, group: &[&HandedIn], names: &[String]) -> String {
    let list = |of: Vec<String>| of.join("`, `");
    let paths = list(group.iter().map(|one| written(&one.path, one)).collect());
    let number = group.len();
    format!(
        "warning: {number} submissions are called `{name}`: `{paths}`; they are graded as \
         `{}`, and none of them is put down to a student of that name in the list\n\
         hint: remove what does not count, and go on by `--resume`",
        list(names.to_vec())
    )
}

/// What the files about things with these names are called, without their endings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FileNames(BTreeMap<String, String>);

impl FileNames {
    /// No names: each file goes by its own alone.
    pub(super) const fn none() -> FileNames {
        FileNames(BTreeMap::new())
    }

    /// Finds names for the files: no two are the same, not even where case does not matter.
    pub(super) fn new<'a>(names: impl IntoIterator<Item = &'a str>) -> FileNames {
        let names: BTreeSet<&str> = names.into_iter().collect();
        let mut same: BTreeMap<String, usize> = BTreeMap::new();
        for name in &names {
            *same.entry(file_name(name).to_lowercase()).or_default() += 1;
        }
        let own = |name: &str| {
            let short = file_name(name);
            match same.get(&short.to_lowercase()) {
                // Of a hash as a whole nobody finds a second text.
                Some(2..) => format!("{}~{}", plain(name), digest(name.as_bytes())),
                _ => short,
            }
        };
        FileNames(names.iter().map(|name| ((*name).to_owned(), own(name))).collect())
    }

    /// The file's name for one of the names.
    pub(super) fn of(&self, name: &str) -> String {
        self.0.get(name).cloned().unwrap_or_else(|| file_name(name))
    }
}

/// A file's name for another name: letters, digits, `-`, `_` and inner dots stay. A name that had
/// to be changed gets a part of its hash.
fn file_name(name: &str) -> String {
    let plain = plain(name);
    // Names that differ in case alone are one file on some systems; devices are no files on others.
    let lower = plain.chars().all(|c| !c.is_ascii_uppercase());
    if plain == name && lower && !plain.ends_with('.') && !plain.is_empty() && !is_device(&plain) {
        return plain;
    }
    format!("{plain}~{}", digest(name.as_bytes()).short())
}

/// The name with plain characters alone, and none of a device before a dot, where what follows does
/// not count.
fn plain(name: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let mut plain: String =
        name.chars().map(|c| if is_plain(c) { c } else { '_' }).take(LONGEST).collect();
    if plain.starts_with(['.', '-']) {
        plain.replace_range(..1, "_");
    }
    if plain.contains('.') && is_device(&plain) { format!("_{plain}") } else { plain }
}

/// Names that Windows keeps for devices, with any ending.
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
    use std::path::PathBuf;

    use super::*;

    #[test]
    fn names_stay_in_their_folder_and_apart() {
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

    /// Two names that differ in the first of eight hexadecimal digits alone, so to speak: their
    /// files would have been called the same.
    pub(super) fn alike() -> [String; 2] {
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
    fn files_of_names_with_equal_short_hashes_stay_apart() {
        let [one, other] = alike();
        assert_eq!(file_name(&one), file_name(&other), "`{one}`, `{other}`");
        let names = FileNames::new([one.as_str(), "ada", &other, "Ada"]);
        assert_ne!(names.of(&one), names.of(&other));
        assert!(names.of(&one).len() < 200);
        for unlike in ["ada", "Ada"] {
            assert_eq!(names.of(unlike), file_name(unlike), "everybody else's are as before");
        }
        let in_other_order = FileNames::new(["Ada", &other, &one, "ada", "ada"]);
        assert_eq!(in_other_order, names);
    }

    fn handed_in(name: &str, path: &str, kind: Kind) -> HandedIn {
        HandedIn { name: name.to_owned(), path: PathBuf::from(path), kind }
    }

    #[test]
    fn submissions_of_one_name_get_their_own_and_nobody_elses() {
        let mut found = [
            handed_in("x", "in/x", Kind::Folder),
            handed_in("x", "in/x.wasm", Kind::File),
            handed_in("ada", "in/ada.wasm", Kind::File),
        ];
        let told = tell_apart(&mut found);
        let names = found.each_ref().map(|one| one.name.as_str());
        assert_eq!(names, ["x/", "x.wasm", "ada"]);
        assert!(told[0].contains("`in/x/`, `in/x.wasm`") && told.len() == 1, "{told:?}");
        // The files' names are taken by somebody, or are the same themselves.
        let mut found = [
            handed_in("x", "in/x", Kind::Folder),
            handed_in("x", "in/x.wasm", Kind::File),
            handed_in("x.wasm", "in/x.wasm.wasm", Kind::File),
            handed_in("y", "a/y.wasm", Kind::File),
            handed_in("y", "b/y.wasm", Kind::File),
        ];
        assert_eq!(tell_apart(&mut found).len(), 2);
        let names = found.each_ref().map(|one| one.name.as_str());
        assert_eq!(names, ["in/x/", "in/x.wasm", "x.wasm", "a/y.wasm", "b/y.wasm"]);
        let mut found = [
            handed_in("x", "x.wasm", Kind::File),
            handed_in("x", "x.wasm", Kind::Link),
            handed_in("x.wasm", "x.wasm.wasm", Kind::File),
        ];
        tell_apart(&mut found);
        let names = found.each_ref().map(|one| one.name.as_str());
        assert_eq!(names, ["x.wasm #1", "x.wasm #2", "x.wasm"]);
        assert!(tell_apart(&mut found).is_empty());
    }
}
