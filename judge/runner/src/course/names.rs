//! Unique names of submissions.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use judge_report::composed;

use super::submissions::FoundSubmission;

/// Gives submissions with the same name unique names, and returns remarks on them. A list of
/// students could mean either, so neither keeps the name. All others keep theirs. `roots` are the
/// paths that the submissions were found in. A name contains at most the last part of a root,
/// because the next run may unpack the archive elsewhere, or get another path to the same folder.
pub(super) fn tell_apart(found: &mut [FoundSubmission], roots: &[PathBuf]) -> Vec<String> {
    let mut groups: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (number, one) in found.iter().enumerate() {
        groups.entry(one.name.clone()).or_default().push(number);
    }
    // A new name must differ from all current names and all original names.
    let mut taken: BTreeSet<String> = groups.keys().cloned().collect();
    let mut told = Vec::new();
    for (name, mut group) in groups.into_iter().filter(|(_, group)| group.len() > 1) {
        group.sort_by(|one, other| found[*one].path.cmp(&found[*other].path));
        let ones: Vec<&FoundSubmission> = group.iter().map(|at| &found[*at]).collect();
        let paths: Vec<String> =
            ones.iter().map(|one| written(&inside(&one.path, roots), one)).collect();
        let names = own_names(&ones, &paths, &taken);
        told.push(about(&name, &paths, &names));
        for (at, own) in std::iter::zip(group, names) {
            taken.insert(own.clone());
            found[at].name = own;
        }
    }
    told
}

/// A path inside the root that has it, below the root's name if there are several.
fn inside(path: &Path, roots: &[PathBuf]) -> PathBuf {
    let below = roots.iter().find_map(|root| Some((root, path.strip_prefix(root).ok()?)));
    match below {
        Some((root, rest)) if roots.len() > 1 => {
            Path::new(root.file_name().unwrap_or_default()).join(rest)
        }
        Some((_, rest)) if rest != Path::new("") => rest.to_owned(),
        _ => PathBuf::from(path.file_name().unwrap_or_default()),
    }
}

/// Chooses the files' names, or else the paths, or else the paths with numbers.
fn own_names(
    group: &[&FoundSubmission],
    by_path: &[String],
    taken: &BTreeSet<String>,
) -> Vec<String> {
    let file =
        |one: &FoundSubmission| Path::new(one.path.file_name().unwrap_or_default()).to_owned();
    let by_file = group.iter().map(|one| written(&file(one), one)).collect();
    let free = |names: &Vec<String>| {
        let different: BTreeSet<&String> = names.iter().collect();
        different.len() == names.len() && different.iter().all(|name| !taken.contains(*name))
    };
    let first: Option<Vec<String>> = [by_file, by_path.to_vec()].into_iter().find(free);
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

/// Formats a path so that invalid bytes stay distinguishable, and a folder differs from a file.
fn written(path: &Path, one: &FoundSubmission) -> String {
    let mut text = String::new();
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            // Writing to a string cannot fail.
            let _ = write!(text, "\\x{byte:02x}");
        }
    }
    if one.entry.is_folder() {
        text.push('/');
    }
    // Two Unicode spellings of the same name would look equal.
    composed(&text).into_owned()
}

fn about(name: &str, paths: &[String], names: &[String]) -> String {
    let list = |of: &[String]| of.join("`, `");
    let number = paths.len();
    let paths = list(paths);
    format!(
        "{number} submissions are called `{name}`: `{paths}`; they are graded as `{}`, and none of \
         them is matched to a student of that name on the list; remove what does not count, and \
         continue with `--resume`",
        list(names)
    )
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::bots::submitted::SubmissionEntry;

    fn submitted(name: &str, path: &str, entry: SubmissionEntry) -> FoundSubmission {
        FoundSubmission { name: name.to_owned(), path: PathBuf::from(path), entry, built: None }
    }

    #[test]
    fn submissions_with_equal_names_keep_their_own_results() {
        let mut found = [
            submitted("x", "in/x", SubmissionEntry::FolderWithModule(PathBuf::new())),
            submitted("x", "in/x.wasm", SubmissionEntry::Module),
            submitted("ada", "in/ada.wasm", SubmissionEntry::Module),
        ];
        let told = tell_apart(&mut found, &["in".into()]);
        let names = found.each_ref().map(|one| one.name.as_str());
        assert_eq!(names, ["x/", "x.wasm", "ada"]);
        assert!(told[0].contains("`x/`, `x.wasm`") && told.len() == 1, "{told:?}");
        // The files' names are taken, or are equal themselves.
        let mut found = [
            submitted("x", "/tmp/in/x", SubmissionEntry::FolderWithModule(PathBuf::new())),
            submitted("x", "/tmp/in/x.wasm", SubmissionEntry::Module),
            submitted("x.wasm", "/tmp/in/x.wasm.wasm", SubmissionEntry::Module),
            submitted("y", "/home/a/y.wasm", SubmissionEntry::Module),
            submitted("y", "b/y.wasm", SubmissionEntry::Module),
        ];
        let roots = ["/tmp/in", "/home/a", "b"].map(PathBuf::from);
        assert_eq!(tell_apart(&mut found, &roots).len(), 2);
        let names = found.each_ref().map(|one| one.name.as_str());
        assert_eq!(names, ["in/x/", "in/x.wasm", "x.wasm", "a/y.wasm", "b/y.wasm"]);
        let mut found = [
            submitted("x", "x.wasm", SubmissionEntry::Module),
            submitted("x", "x.wasm", SubmissionEntry::Link),
            submitted("x.wasm", "x.wasm.wasm", SubmissionEntry::Module),
        ];
        tell_apart(&mut found, &[]);
        let names = found.each_ref().map(|one| one.name.as_str());
        assert_eq!(names, ["x.wasm #1", "x.wasm #2", "x.wasm"]);
        let mut spelt = [
            submitted("é", "/tmp/x1/é.wasm", SubmissionEntry::Module),
            submitted("é", "/tmp/x1/e\u{301}.wasm", SubmissionEntry::Module),
        ];
        assert_eq!(tell_apart(&mut spelt, &["/tmp/x1".into()]).len(), 1);
        assert_eq!(spelt.each_ref().map(|one| one.name.as_str()), ["é.wasm #2", "é.wasm #1"]);
        assert!(tell_apart(&mut found, &[]).is_empty());
    }
}
