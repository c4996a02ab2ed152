//! Files that no command replaces by a result, because nothing could make them again.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use judge_report::BYTE_ORDER_MARK;

use crate::Error;

/// First bytes of every journal.
pub(crate) const JOURNAL_START: &[u8] = b"{\"entry\":";

/// First bytes of every trained table.
pub(crate) const TABLE_START: &[u8] = b"judge-table ";

/// Bytes of a file that are looked at.
const LOOKED_AT: u64 = 512;

/// Starts of files, and their kinds. An autograder of `judge export` begins with its script.
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

/// Refuses a path that holds a module, a journal, a table, a testcase or the like: to name one in
/// the place of an output is a mistake.
///
/// # Errors
/// With the kind of the file.
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
    // The length of the first entry's name stands before it, in two bytes.
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

/// True for a key alone on its line.
fn is_key(start: &[u8]) -> bool {
    let line = start.trim_ascii_end();
    line.len() == 64 && line.iter().all(u8::is_ascii_hexdigit)
}

/// True for CSV with the columns of a list, as lists of students are read, and not of a mark sheet.
fn is_list(start: &[u8]) -> bool {
    let text = String::from_utf8_lossy(start);
    let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&text);
    let mut reader = csv::ReaderBuilder::new();
    let mut reader = reader.trim(csv::Trim::All).from_reader(text.as_bytes());
    let Ok(columns) = reader.headers() else { return false };
    let has = |name: &str| columns.iter().any(|title| title.eq_ignore_ascii_case(name));
    has("submission") && !has("points")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_made_again_is_kept_and_results_are_replaced() {
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
}
