//! Suites as they lie in folders.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use judge_grading::Suite;

/// What file managers and editors put beside files is no testcase, whatever is in it.
#[test]
fn hidden_companions_of_files_are_passed_over() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).unwrap();
    write("suite.toml", b"title = 'x'");
    let case = "title = 'x'\ngame = 'mahjong'\nopponent = 'random'\nseeds = [1]\n\
                min_score = 1\npoints = 1\n";
    write("01-only.toml", case.as_bytes());
    write("._01-only.toml", b"\0\x05\x16\x07\xff");
    write(".#01-only.toml", b"somebody edits it");
    let suite = Suite::read(folder.path()).unwrap();
    let names: Vec<&str> = suite.testcases.iter().map(|case| case.name.as_str()).collect();
    assert_eq!(names, ["01-only"]);
}
