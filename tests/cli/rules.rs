//! `judge rules check`: vector files.

use std::ffi::OsString;

use crate::support::{Ran, root, run, write};

fn check(text: &str) -> Ran {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), "vectors.json", text);
    let mut ran = run([OsString::from("rules"), "check".into(), path.into()]);
    let shown = format!("{}/", folder.path().display());
    ran.stdout = ran.stdout.replace(&shown, "");
    ran.stderr = ran.stderr.replace(&shown, "");
    ran
}

#[test]
fn every_vector_of_mahjong_passes() {
    let vectors = root().join("judge/games/src/mahjong/golden/vectors.json");
    let ran = run([OsString::from("rules"), "check".into(), vectors.into()]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "129 passed, 0 failed\n"), "{}", ran.stderr);
}

#[test]
fn a_failing_vector_is_printed_with_expected_and_found() {
    let ran = check(
        r#"{"game": "mahjong", "vectors": [
            {"id": "a", "kind": "distance", "hand": "122367c1478b1389d", "tiles": 14, "distance": 3},
            {"id": "b", "kind": "distance", "hand": "122367c1478b1389d", "tiles": 14, "distance": 2}
        ]}"#,
    );
    assert_eq!(ran.code, 1);
    assert_eq!(
        ran.stdout,
        "vectors.json: b (distance): distance: expected `2`, found `3`\n1 passed, 1 failed\n"
    );
}

#[test]
fn malformed_files_are_invalid_input() {
    let files = [
        ("{", "not a file of test vectors"),
        ("{}", "missing field `game`"),
        (r#"{"game": "chess", "vectors": []}"#, "unknown game `chess`"),
        (r#"{"game": "mahjong", "vectors": [{"id": "a", "kind": "riddle"}]}"#, "vector `a`: "),
        (r#"{"game": "mahjong", "vectors": [{"kind": "distance"}]}"#, "vector `number 1`: "),
    ];
    for (text, expected) in files {
        let ran = check(text);
        assert_eq!(ran.code, 3, "{text}");
        assert!(ran.stderr.contains(expected), "{}", ran.stderr);
    }
    let missing = run(["rules", "check", "no/such/file.json"]);
    assert_eq!(missing.code, 3);
}
