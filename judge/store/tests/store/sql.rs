//! Statements are constants, and secrets are read in one place.

use std::path::{Path, PathBuf};

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => sources(&path, found),
            false => found.push(path),
        }
    }
}

fn texts() -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found);
    assert!(found.len() > 15, "{found:?}");
    let read = |path: PathBuf| (path.clone(), std::fs::read_to_string(path).unwrap());
    found.into_iter().map(read).collect()
}

#[test]
fn no_statement_is_put_together_at_run_time() {
    let words = ["SELECT ", "INSERT ", "UPDATE ", "DELETE ", "PRAGMA ", "VACUUM "];
    for (path, text) in texts() {
        assert!(!text.contains("AssertSqlSafe"), "{path:?} asserts what the compiler cannot check");
        assert!(!text.contains("QueryBuilder"), "{path:?} builds a statement");
        let lines: Vec<&str> = text.lines().collect();
        for (number, line) in lines.iter().enumerate() {
            let near = &lines[number.saturating_sub(3)..lines.len().min(number + 4)];
            let has_sql = near.iter().any(|line| words.iter().any(|word| line.contains(word)));
            let formats = ["format!", "write!", "push_str", " + &"];
            let composes = formats.iter().any(|one| line.contains(one));
            assert!(!(has_sql && composes), "{path:?}:{}: {line}", number + 1);
        }
    }
}

#[test]
fn the_table_of_secrets_is_named_in_one_file() {
    let named = texts().into_iter().filter(|(_, text)| text.contains("suite_secret"));
    let named: Vec<PathBuf> = named.map(|(path, _)| path).collect();
    assert_eq!(named.len(), 1, "{named:?}");
    assert!(named[0].ends_with("src/secrets.rs"), "{named:?}");
}
