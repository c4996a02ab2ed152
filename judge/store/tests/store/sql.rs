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
fn no_sql_statement_is_composed_at_run_time() {
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

/// The files in which statements write without [`Store::change`], and how often: to accounts and
/// sessions, to leases, to new courses, about a campus system, or after `lock_open`.
const WITHOUT_THE_LOCK: [(&str, usize); 22] = [
    ("access.rs", 3),
    ("archive.rs", 4),
    ("arenas/pairs.rs", 5),
    ("audit.rs", 1),
    ("copy_course.rs", 2),
    ("deletion.rs", 1),
    ("erasure.rs", 1),
    ("expiry.rs", 1),
    ("human_rounds.rs", 1),
    ("identities.rs", 3),
    ("invitations.rs", 2),
    ("lti.rs", 6),
    ("mail.rs", 3),
    ("mailed_links.rs", 1),
    ("members.rs", 2),
    ("new_course.rs", 2),
    ("own_data.rs", 1),
    ("people.rs", 2),
    ("queue.rs", 6),
    ("rounds.rs", 1),
    ("sign_out.rs", 2),
    ("store.rs", 1),
];

#[test]
fn changes_to_a_course_check_that_it_is_not_archived() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    for (path, text) in texts() {
        let many = ["self.begin().await", ".execute(&self.pool)"]
            .map(|write| text.matches(write).count())
            .iter()
            .sum::<usize>();
        if many > 0 {
            let name = path.strip_prefix(&folder).unwrap().display().to_string();
            found.push((name.replace('\\', "/"), many));
        }
    }
    found.sort();
    let expected: Vec<_> =
        WITHOUT_THE_LOCK.iter().map(|(name, many)| ((*name).to_owned(), *many)).collect();
    assert_eq!(
        found, expected,
        "begin changes to a course with `Store::change` or `change_together`"
    );
}
