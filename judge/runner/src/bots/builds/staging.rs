//! The files of a source to build. Links are not followed, so no other files are read.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use judge_core::{Explanation, Refused};
use judge_grading::{Links, open_file, open_in_folder, read_opened};
use judge_toolchain::belongs_to_a_source;
use judge_toolchain::confine::{LARGEST_FILE, MOST_FILES, Staged};

use super::owed;
use crate::bots::submitted::{self, DEEPEST, PASSED_OVER};

/// Files that act as programs: the compiler would run the code that they name.
const PROGRAMS: &[&str] = &["asconfig.json"];

/// Maximum size of all files of a folder, in bytes.
const MOST_BYTES: usize = 16 << 20;

/// Stages a single file, without other students' files next to it.
pub(super) fn of_file(path: &Path) -> Result<Staged, Refused> {
    let main = PathBuf::from(path.file_name().unwrap_or_default());
    let file = open_file(path, Links::Refused).map_err(|error| unread(&main, &error))?;
    let bytes = read_opened(file, LARGEST_FILE).map_err(|error| unread(&main, &error))?;
    Ok(Staged { files: vec![(main.clone(), bytes)], main })
}

/// Stages a folder with all files that a source in it may include. Large files that no compiler
/// reads (a report, a picture) are left out; a large source is an error.
pub(super) fn of_folder(folder: &Path, main: &Path) -> Result<Staged, Refused> {
    let mut names = Vec::new();
    list(folder, Path::new(""), 0, &mut names)?;
    let mut files = Vec::new();
    for name in names {
        let read = open_in_folder(folder, &name).and_then(|file| read_opened(file, LARGEST_FILE));
        match read {
            Ok(bytes) => files.push((name, bytes)),
            Err(error)
                if error.kind() == ErrorKind::FileTooLarge && !belongs_to_a_source(&name) => {}
            Err(error) => return Err(unread(&name, &error)),
        }
    }
    if files.iter().map(|(_, bytes)| bytes.len()).sum::<usize>() > MOST_BYTES {
        return Err(too_much(format!("the folder holds more than {} MiB", MOST_BYTES >> 20)));
    }
    Ok(Staged { files, main: main.to_owned() })
}

fn list(
    folder: &Path,
    below: &Path,
    depth: usize,
    found: &mut Vec<PathBuf>,
) -> Result<(), Refused> {
    let failed = |error: std::io::Error| owed(Explanation::without_hint(error.to_string()));
    for path in submitted::entries(&folder.join(below)).map_err(failed)? {
        let Some(name) = path.file_name() else { continue };
        let kind = std::fs::symlink_metadata(&path).map_err(failed)?.file_type();
        let is_others = PASSED_OVER.iter().any(|other| name == *other);
        if kind.is_dir() && depth < DEEPEST && !is_others {
            list(folder, &below.join(name), depth + 1, found)?;
        } else if kind.is_file() && !PROGRAMS.iter().any(|program| name == *program) {
            found.push(below.join(name));
        }
        if found.len() > MOST_FILES {
            return Err(too_much(format!("the folder holds more than {MOST_FILES} files")));
        }
    }
    Ok(())
}

fn too_much(reason: String) -> Refused {
    Refused::new(Explanation::new(reason, "submit only the source and the files that it includes"))
}

fn unread(main: &Path, error: &std::io::Error) -> Refused {
    let reason = format!("`{}` cannot be read: {error}", main.display());
    match error.kind() {
        ErrorKind::FileTooLarge | ErrorKind::InvalidInput => {
            Refused::new(Explanation::without_hint(reason))
        }
        _ => owed(Explanation::without_hint(reason)),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn links_and_large_files_are_not_staged() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, bytes: &[u8]| {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            std::fs::write(path, bytes).expect("written");
        };
        write("bot.cpp", b"int x;");
        write("lib/own.h", b"int y;");
        write("node_modules/x/index.js", b"");
        write(".git/config", b"");
        write("asconfig.json", b"{}");
        write("large.bin", &vec![0; LARGEST_FILE as usize + 1]);
        std::os::unix::fs::symlink("/etc/passwd", folder.path().join("words.h")).expect("a link");
        std::os::unix::fs::symlink("/etc", folder.path().join("etc")).expect("a link");
        let staged = of_folder(folder.path(), Path::new("bot.cpp")).expect("staged");
        let names: Vec<&Path> = staged.files.iter().map(|(name, _)| name.as_path()).collect();
        assert_eq!(names, [Path::new("bot.cpp"), Path::new("lib/own.h")]);
        let refused = of_file(&folder.path().join("words.h")).expect_err("a link");
        assert!(refused.why.reason.contains("`words.h` cannot be read"), "{}", refused.why);
        write("table.h", &vec![b' '; LARGEST_FILE as usize + 1]);
        let refused = of_folder(folder.path(), Path::new("bot.cpp")).expect_err("a large header");
        assert!(refused.why.reason.contains("`table.h` cannot be read"), "{}", refused.why);
        std::fs::remove_file(folder.path().join("table.h")).expect("removed");
        (0..17).for_each(|number| write(&format!("parts/{number}"), &vec![0; 1 << 20]));
        let refused = of_folder(folder.path(), Path::new("bot.cpp")).expect_err("large");
        assert!(refused.why.reason.contains("more than 16 MiB"), "{}", refused.why);
        (0..=MOST_FILES).for_each(|number| write(&format!("many/{number}.h"), b""));
        let refused = of_folder(folder.path(), Path::new("bot.cpp")).expect_err("many");
        assert!(refused.why.reason.contains("more than 500 files"), "{}", refused.why);
    }
}
