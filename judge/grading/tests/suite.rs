//! Suites in folders.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use judge_grading::Suite;

/// Companion files of file managers and editors are not testcases, regardless of content.
#[test]
fn hidden_files_of_macos_are_skipped() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).unwrap();
    write("suite.toml", b"title = 'x'");
    let case = "title = 'x'\ngame = 'mahjong'\nopponent = 'random'\nseeds = [1]\n\
                min_score = 1\npoints = 1\n";
    write("01-only.toml", case.as_bytes());
    write("._01-only.toml", b"\0\x05\x16\x07\xff");
    write(".#01-only.toml", b"a lock of an editor");
    let suite = Suite::read(folder.path()).unwrap();
    let names: Vec<&str> = suite.testcases.iter().map(|case| case.name.as_str()).collect();
    assert_eq!(names, ["01-only"]);
}

const CASE: &str = "title = 'x'\ngame = 'mahjong'\nopponent = 'random'\nseeds = [1]\n\
                    min_score = 1\npoints = 1\n";

/// The message of an error, including cause and help.
fn refusal(folder: &std::path::Path) -> String {
    format!("{:?}", miette::Report::new(Suite::read(folder).unwrap_err())).replace("\n  │ ", " ")
}

#[cfg(unix)]
#[test]
fn a_link_in_a_suite_is_refused_without_reading_it() {
    for name in ["z.toml", "suite.toml"] {
        let place = tempfile::tempdir().unwrap();
        let suite = place.path().join("suite");
        std::fs::create_dir(&suite).unwrap();
        std::fs::write(place.path().join("private"), "password = 'hunter2'\n").unwrap();
        std::fs::write(suite.join("suite.toml"), "title = 'x'").unwrap();
        std::fs::write(suite.join("01.toml"), CASE).unwrap();
        let _ = std::fs::remove_file(suite.join(name));
        for target in ["../private", "/dev/zero", "none", name] {
            std::os::unix::fs::symlink(target, suite.join(name)).unwrap();
            let told = refusal(&suite);
            assert!(told.contains("is a link"), "{target}: {told}");
            assert!(!told.contains("password") && !told.contains("hunter2"), "{told}");
            std::fs::remove_file(suite.join(name)).unwrap();
        }
    }
}

#[test]
fn messages_reveal_nothing_outside_of_the_suite() {
    let place = tempfile::tempdir().unwrap();
    let suite = place.path().join("suite");
    std::fs::create_dir_all(suite.join("within")).unwrap();
    std::fs::create_dir(place.path().join("x")).unwrap();
    std::fs::write(suite.join("01.toml"), CASE).unwrap();
    let head = |folder: &str| {
        let text = format!("title = 'x'\n[hidden]\nfolder = '{folder}'\n");
        std::fs::write(suite.join("suite.toml"), text).unwrap();
    };
    let absolute = place.path().join("x").display().to_string();
    let wrong = CASE.replace("min_score = ", "min_score = 'hunter2' # ");
    for (text, private) in [
        ("title = 'x'\npassword = 'hunter2'\n", ["password", "hunter2"]),
        ("[hunter2", ["hunter2", "[h"]),
        ("hunter2\n", ["hunter2", "h u"]),
        (&wrong, ["hunter2", "min_score"]),
    ] {
        for file in ["x/02.toml", "suite/within/02.toml"] {
            std::fs::write(place.path().join(file), text).unwrap();
        }
        for folder in ["../x", "within/../../x", &absolute] {
            head(folder);
            let told = refusal(&suite);
            assert!(told.contains("02.toml") && told.contains("line "), "{told}");
            assert!(!private.iter().any(|word| told.contains(word)), "{text}: {told}");
        }
        head("within");
        assert!(refusal(&suite).contains("hunter2"), "its own files are shown");
    }
    // A missing field has no position in the file.
    for file in ["x/02.toml", "suite/within/02.toml"] {
        std::fs::write(place.path().join(file), "title = 'hunter2'\n").unwrap();
    }
    head("../x");
    let told = refusal(&suite);
    assert!(told.contains("02.toml") && !told.contains("line "), "{told}");
    assert!(!told.contains("hunter2") && !told.contains("game"), "{told}");
    head("within");
    assert!(refusal(&suite).contains("has no `game`"), "its own files are named");
}

#[test]
fn names_in_messages_have_no_control_characters() {
    let place = tempfile::tempdir().unwrap();
    let mark = "\u{202e}\u{61c}\u{1b}[31m";
    let suite = place.path().join(format!("s{mark}"));
    std::fs::create_dir(&suite).unwrap();
    let write = |name: &str, text: &str| std::fs::write(suite.join(name), text).unwrap();
    let harmless = || {
        let error = Suite::read(&suite).unwrap_err().to_string();
        assert!(!error.contains(judge_core::steers), "{error:?}");
    };
    harmless();
    write("suite.toml", "title = 'x'");
    harmless();
    let keyed = CASE.replace("seeds = [1]", "rounds = 2");
    write(&format!("01{mark}.toml"), &keyed);
    harmless();
    let head = format!("title = 'x'\n[hidden]\nkey = '{}'\n", mark.trim_end_matches("\u{1b}[31m"));
    write("suite.toml", &head);
    harmless();
    write("suite.toml", "title = 'x'\n[hidden]\nfolder = 'more'\n");
    std::fs::create_dir(suite.join("more")).unwrap();
    write(&format!("more/01{mark}.toml"), CASE);
    write(&format!("01{mark}.toml"), CASE);
    harmless();
    let alone = suite.join(format!("02{mark}.toml"));
    std::fs::write(&alone, keyed).unwrap();
    let error = Suite::of_testcases(&[alone]).unwrap_err().to_string();
    assert!(error.contains("come from") && !error.contains(judge_core::steers), "{error:?}");
}
