//! Protected files: no command replaces them by a result, because they cannot be made again.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use judge_report::BYTE_ORDER_MARK;

use crate::Error;
use crate::base::encodings;
use crate::base::mark_sheet;

/// First bytes of every journal.
pub(crate) const JOURNAL_START: &[u8] = b"{\"entry\":";

/// First bytes of every trained table.
pub(crate) const TABLE_START: &[u8] = b"judge-table ";

/// Number of bytes to inspect of a file.
const LOOKED_AT: u64 = 512;

/// First bytes of protected files, and their kinds. An autograder of `judge export` is an archive
/// that begins with its script, and is not protected.
const STARTS: [(&[u8], &str); 8] = [
    (b"\0asm", "a WebAssembly module"),
    (JOURNAL_START, "the journal of a run"),
    (TABLE_START, "a trained table"),
    (b"{\n  \"commitment\": ", "a promise of `judge commit`"),
    (b"{\n  \"reveal\": ", "a proof of `judge reveal`"),
    (b"PAR1", "a part of a recording"),
    (b"PK\x03\x04", "an archive"),
    (b"\x7fELF", "a program"),
];

/// Refuses a path with a module, a journal, a table, a testcase or a similar file, because naming
/// it as an output is a mistake.
///
/// # Errors
/// If it is one, with the kind of the file.
pub(crate) fn refuse(path: &Path) -> Result<(), Error> {
    let Some(kind) = kind(path) else { return Ok(()) };
    let what = format!("`{}` is {kind}, which would be lost", path.display());
    Err(Error::Input { what, hint: Some("write to another file".to_owned()) })
}

fn kind(path: &Path) -> Option<&'static str> {
    let mut start = Vec::new();
    // An unreadable file is reported when it is written.
    let _ = File::open(path).and_then(|file| file.take(LOOKED_AT).read_to_end(&mut start));
    if start.is_empty() {
        return None;
    }
    if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("toml")) {
        return Some("a testcase or another file of settings");
    }
    // The length of the first entry's name precedes it, in two bytes.
    let is_autograder = start.get(26..28) == Some(&[8, 0])
        && start.get(30..).is_some_and(|name| name.starts_with(b"setup.sh"));
    let known = STARTS.iter().find(|(begin, _)| start.starts_with(begin));
    match known {
        Some((b"PK\x03\x04", _)) if is_autograder => None,
        Some((_, kind)) => Some(kind),
        None if is_key(&start) => Some("the key of a suite"),
        None if is_list(&start) => Some("a list of students"),
        None => None,
    }
}

/// Names of the files in a graded course's folder.
const RESULTS: [&str; 10] = [
    mark_sheet::FILE,
    "scoreboard.html",
    "moodle.csv",
    "canvas.csv",
    "look-at.csv",
    "changes.csv",
    "same-answers.csv",
    "send.csv",
    "pseudonyms.csv",
    "README.txt",
];

/// Names of the folders in a graded course's folder.
const FOLDERS: [&str; 4] = ["students", "full", "rounds", "send"];

/// Refuses a path with a mark sheet, in any folder, or another file of a graded course. Naming it
/// as the output of a command that only reads the course is a mistake.
///
/// # Errors
/// If it is one, with the kind of the file.
pub(crate) fn refuse_result(path: &Path) -> Result<(), Error> {
    if !path.is_file() {
        return Ok(());
    }
    let what = if mark_sheet::is_sheet(path) {
        format!("`{}` is the mark sheet of a course, which would be replaced", path.display())
    } else if is_in_a_course(path) {
        format!("`{}` belongs to a graded course, and would be replaced", path.display())
    } else {
        return Ok(());
    };
    Err(Error::Input { what, hint: Some("write to another file".to_owned()) })
}

fn is_in_a_course(path: &Path) -> bool {
    let Ok(path) = path.canonicalize() else { return false };
    let is_course = |folder: &Path| {
        folder.join(mark_sheet::JOURNAL).is_file()
            || mark_sheet::is_sheet(&folder.join(mark_sheet::FILE))
    };
    let named = |path: &Path, names: &[&str]| {
        path.file_name().is_some_and(|name| names.iter().any(|known| name == *known))
    };
    let mut above = path.ancestors().skip(1);
    let beside = above.next().is_some_and(|folder| named(&path, &RESULTS) && is_course(folder));
    // Pages of rounds are two folders deeper.
    beside
        || path
            .ancestors()
            .skip(1)
            .take(3)
            .any(|folder| named(folder, &FOLDERS) && folder.parent().is_some_and(is_course))
}

/// True for a file that only contains a key.
fn is_key(start: &[u8]) -> bool {
    let line = start.trim_ascii_end();
    line.len() == 64 && line.iter().all(u8::is_ascii_hexdigit)
}

/// True for a list of students or a mapping, by its columns, in any supported encoding. A mark
/// sheet is neither.
fn is_list(start: &[u8]) -> bool {
    let utf16 = encodings::utf16(&start[..start.len() & !1]).and_then(Result::ok);
    let text = utf16.unwrap_or_else(|| String::from_utf8_lossy(start).into_owned());
    let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&text).replace('\t', ",");
    let mut reader = csv::ReaderBuilder::new();
    let mut reader = reader.trim(csv::Trim::All).from_reader(text.as_bytes());
    let Ok(columns) = reader.headers() else { return false };
    let has = |name: &str| columns.iter().any(|title| title.eq_ignore_ascii_case(name));
    has("submission") && !has("points") || has("download") && has("id")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_cannot_be_made_again_are_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let key = "0123456789abcdef".repeat(4) + "\n";
        let zip = |name: &[u8]| {
            let length = [name.len() as u8, 0];
            [b"PK\x03\x04".as_slice(), &[0; 22], &length, &[0; 2], name].concat()
        };
        let kept: [(&str, &[u8], &str); 14] = [
            ("bot", b"\0asm\x01\0\0\0", "module"),
            ("j", b"{\"entry\":\"run\"}", "journal"),
            ("t", b"judge-table 1 amazons", "table"),
            ("p", b"{\n  \"commitment\": 1,", "promise"),
            ("r", b"{\n  \"reveal\": 1,", "proof"),
            ("part", b"PAR1", "recording"),
            ("in.zip", &zip(b"ada.wasm"), "archive"),
            ("mine.zip", &zip(b"setup.sh.wasm"), "archive"),
            ("judge", b"\x7fELF\x02", "program"),
            ("01.toml", b"title", "testcase"),
            ("key", key.as_bytes(), "key"),
            ("upper.csv", b"Student, Submission\nAda,ada\n", "list"),
            ("quoted.csv", b"\"submission\",\"student\"\n", "list"),
            ("list.csv", "\u{feff}submission,student\nada,Ada\n".as_bytes(), "list"),
        ];
        for (name, content, word) in kept {
            let path = folder.path().join(name);
            std::fs::write(&path, content).unwrap();
            let refused = refuse(&path).expect_err(name).to_string();
            assert!(refused.contains(word), "{refused}");
        }
        let replaced: [(&str, &[u8]); 6] = [
            ("new.toml", b""),
            ("marks.csv", b"student,id,submission,points\n"),
            ("cases.csv", b"suite,bot,sha256\n"),
            ("autograder.zip", &zip(b"setup.sh")),
            ("report.json", b"{\n  \"version\": 8,"),
            ("digest", &key.as_bytes()[..40]),
        ];
        for (name, content) in replaced {
            let path = folder.path().join(name);
            std::fs::write(&path, content).unwrap();
            assert!(refuse(&path).is_ok(), "{name}");
        }
        assert!(refuse(&folder.path().join("none")).is_ok());
    }

    #[test]
    fn other_commands_do_not_overwrite_results_of_a_course() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let write = |name: &str, text: &str| {
            std::fs::create_dir_all(path(name).parent().unwrap()).unwrap();
            std::fs::write(path(name), text).unwrap();
        };
        let sheet = "student,id,submission,points,max_points\n";
        write("copy.csv", sheet);
        write("whole/marks.csv", "student,id,points,a,page\n");
        write("out/journal.jsonl", "{\"entry\":");
        for course in ["out", "whole"] {
            write(&format!("{course}/mine.html"), "x");
            for name in ["scoreboard.html", "students/ada.html", "full/rounds/ada/01-1.html"] {
                write(&format!("{course}/{name}"), "x");
                let refused = refuse_result(&path(&format!("{course}/{name}"))).unwrap_err();
                assert!(refused.to_string().contains("belongs to a graded course"), "{refused}");
            }
        }
        for sheet in ["copy.csv", "whole/marks.csv"] {
            let refused = refuse_result(&path(sheet)).expect_err(sheet).to_string();
            assert!(refused.contains("mark sheet"), "{refused}");
        }
        write("other/scoreboard.html", "x");
        write("other/marks.csv", "suite,bot,sha256\n");
        write("students/ada.html", "x");
        for name in [
            "out/mine.html",
            "out/new",
            "out",
            "other/scoreboard.html",
            "other/marks.csv",
            "students/ada.html",
        ] {
            assert!(refuse_result(&path(name)).is_ok(), "{name}");
        }
    }
}
