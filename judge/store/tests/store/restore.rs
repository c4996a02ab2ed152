//! Copies that replace an SQLite database, and the signing key in them.

use std::path::{Path, PathBuf};

use judge_store::{Address, Error, Restored, Store, SuiteSettings, backup, restore};
use sqlx::{AnyConnection, AssertSqlSafe, Connection as _};

use crate::made::{self, NOW, submit};
use crate::support::{EmptyDatabase, run};
use crate::upgrade::first_version;

/// Adds submissions to a new or existing suite.
async fn work(store: &Store, modules: std::ops::Range<u8>) {
    let settings = SuiteSettings { pending_at_most: 999, ..SuiteSettings::default() };
    let (suite, [ada, _]) = match store.course_by_slug("ai").await.unwrap() {
        None => made::scene(store, settings).await,
        Some(course) => {
            let suite = store.suites_of(&course.id).await.unwrap().remove(0);
            let members = store.members(&course.id).await.unwrap();
            let ada = members.iter().find(|member| member.name == "Ada").unwrap().person.clone();
            (suite, [ada.clone(), ada])
        }
    };
    for number in modules {
        submit(store, &suite, &ada, &vec![number; 5000], NOW).await;
    }
}

/// Modules of the submissions in a database that is not open.
async fn modules(address: &Address) -> Vec<String> {
    let store = Store::open(address).await.unwrap();
    let course = store.course_by_slug("ai").await.unwrap().unwrap();
    let suite = store.suites_of(&course.id).await.unwrap().remove(0);
    let all = store.submissions_to(&suite.id, 0, 1000).await.unwrap();
    let mut modules: Vec<String> = all.iter().map(|one| one.module.to_string()).collect();
    modules.sort();
    store.close().await;
    modules
}

async fn sql(file: &Path, text: String) {
    sqlx::any::install_default_drivers();
    let mut connection = open(file).await;
    sqlx::raw_sql(AssertSqlSafe(text)).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
}

async fn open(file: &Path) -> AnyConnection {
    AnyConnection::connect(&format!("sqlite://{}?mode=rwc", file.display())).await.unwrap()
}

/// Names of the files in a folder.
fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn beside(path: &Path, suffix: &str) -> PathBuf {
    PathBuf::from(format!("{}{suffix}", path.display()))
}

/// A database with a copy of its first ten submissions.
async fn copied(place: &EmptyDatabase) -> (Store, PathBuf) {
    let store = place.open().await;
    work(&store, 0..10).await;
    let copy = place.folder().join("copy.db");
    let summary = backup(&place.address, &copy).await.unwrap();
    assert_eq!((summary.submissions, summary.latest), (10, Some(NOW)));
    assert!(summary.has_key && summary.people > 0);
    (store, copy)
}

#[test]
fn a_restore_keeps_the_replaced_database() {
    run(async {
        let place = EmptyDatabase::sqlite();
        let (store, copy) = copied(&place).await;
        work(&store, 10..30).await;
        store.close().await;
        assert!(!beside(&place.file(), "-wal").exists(), "a clean stop leaves one file");
        let Restored { summary, before } = restore(&place.address, &copy, NOW).await.unwrap();
        assert_eq!(summary.submissions, 10);
        let before = before.unwrap();
        assert_eq!(modules(&place.address).await.len(), 10);
        assert_eq!(modules(&Address::Sqlite(before.clone())).await.len(), 30);
        // A server that uses a copy changes it.
        let used = place.folder().join("used.db");
        std::fs::copy(&copy, &used).unwrap();
        assert_eq!(modules(&place.address).await, modules(&Address::Sqlite(used)).await);
        // The next restore at the same moment gets another name, and the copy can be used again.
        let again = restore(&place.address, &copy, NOW).await.unwrap().before.unwrap();
        assert_ne!(again, before);
        assert_eq!(modules(&Address::Sqlite(before)).await.len(), 30);
        assert!(!names(place.folder()).iter().any(|name| name.starts_with('.')));
    });
}

#[test]
fn the_log_of_a_killed_server_is_kept_with_its_database_and_not_replayed() {
    run(async {
        let place = EmptyDatabase::sqlite();
        let (store, copy) = copied(&place).await;
        work(&store, 10..30).await;
        // A killed server leaves the database's file, and a log with the latest work.
        let killed = EmptyDatabase::sqlite();
        for suffix in ["", "-wal", "-shm"] {
            let to = beside(&killed.file(), suffix);
            std::fs::copy(beside(&place.file(), suffix), to).unwrap();
        }
        assert!(beside(&killed.file(), "-wal").metadata().unwrap().len() > 50_000);
        store.close().await;
        let restored = restore(&killed.address, &copy, NOW).await.unwrap();
        assert_eq!(modules(&killed.address).await.len(), 10);
        assert_eq!(modules(&Address::Sqlite(restored.before.unwrap())).await.len(), 30);

        // A damaged database keeps its log, because it may be useful to an expert.
        let header = std::fs::read(killed.file()).unwrap();
        std::fs::write(killed.file(), [b"damaged", &header[7..]].concat()).unwrap();
        std::fs::write(beside(&killed.file(), "-wal"), "a log").unwrap();
        std::fs::write(beside(&killed.file(), "-journal"), "another").unwrap();
        let before = restore(&killed.address, &copy, NOW).await.unwrap().before.unwrap();
        assert_eq!(std::fs::read(beside(&before, "-wal")).unwrap(), b"a log");
        assert_eq!(std::fs::read(beside(&before, "-journal")).unwrap(), b"another");
        assert!(std::fs::read(&before).unwrap().starts_with(b"damaged"));
        assert!(!beside(&killed.file(), "-wal").exists());
        assert_eq!(modules(&killed.address).await.len(), 10);
    });
}

#[test]
fn a_backup_with_its_key_restores_into_a_new_folder() {
    run(async {
        let place = EmptyDatabase::sqlite();
        let (store, copy) = copied(&place).await;
        let key = store.signing_key().await.unwrap();
        assert!(key.is_some());
        let fresh = EmptyDatabase::sqlite();
        // A log without a database does not belong to the copy.
        std::fs::write(beside(&fresh.file(), "-wal"), "a log").unwrap();
        let restored = restore(&fresh.address, &copy, NOW).await.unwrap();
        assert_eq!((restored.before, restored.summary.has_key), (None, true));
        let other = fresh.open().await;
        assert_eq!(other.signing_key().await.unwrap(), key);
        other.close().await;
        assert_eq!(modules(&fresh.address).await.len(), 10);
        #[cfg(unix)]
        for file in [&copy, &fresh.file()] {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = file.metadata().unwrap().permissions().mode();
            assert_eq!(mode & 0o077, 0, "{file:?} {mode:o}");
        }
    });
}

/// Tries to restore a copy, checks that nothing changes, and returns the error.
async fn refused(place: &EmptyDatabase, copy: &Path) -> String {
    let before = (std::fs::read(place.file()).unwrap(), names(place.folder()));
    let error = restore(&place.address, copy, NOW).await.expect_err(&format!("{copy:?}"));
    assert!(std::fs::read(place.file()).unwrap() == before.0, "the database was changed: {error}");
    assert_eq!(names(place.folder()), before.1, "{error}");
    error.to_string()
}

#[test]
fn a_database_in_use_is_not_replaced() {
    run(async {
        let place = EmptyDatabase::sqlite();
        let (store, copy) = copied(&place).await;
        let text = refused(&place, &copy).await;
        assert!(text.contains("in use") && text.contains("hint: stop the server"), "{text}");
        #[cfg(unix)]
        {
            // A link names the same database.
            let linked = EmptyDatabase::sqlite();
            std::os::unix::fs::symlink(place.file(), linked.file()).unwrap();
            let error = restore(&linked.address, &copy, NOW).await.unwrap_err();
            assert!(matches!(error, Error::Busy { .. }), "{error}");
            let error = Store::open(&linked.address).await.unwrap_err();
            assert!(matches!(error, Error::Busy { .. }), "{error}");
        }
        store.close().await;
        // Another program, which ignores our lock.
        let mut other = open(&place.file()).await;
        sqlx::raw_sql("SELECT COUNT(*) FROM person").execute(&mut other).await.unwrap();
        let error = restore(&place.address, &copy, NOW).await.unwrap_err();
        assert!(matches!(error, Error::Busy { .. }), "{error}");
        other.close().await.unwrap();
        restore(&place.address, &copy, NOW).await.unwrap();
    });
}

#[test]
fn an_incomplete_backup_is_refused() {
    run(async {
        let place = EmptyDatabase::sqlite();
        let (store, copy) = copied(&place).await;
        store.close().await;
        let other = tempfile::tempdir().unwrap();
        let at = |name: &str| other.path().join(name);
        let whole = std::fs::read(&copy).unwrap();
        let mut cases = Vec::new();
        let mut add = |name: &str, bytes: &[u8], part| {
            std::fs::write(at(name), bytes).unwrap();
            cases.push((at(name), part));
        };
        add("empty.db", b"", "it contains no database");
        add(
            "text.db",
            b"not a database, and long enough to look at".repeat(99).as_slice(),
            "damaged",
        );
        for part in [100, 4096, whole.len() / 2, whole.len() - 4096, whole.len() - 1] {
            add(&format!("cut-{part}.db"), &whole[..part], "damaged");
        }
        let mut bytes = whole.clone();
        let middle = whole.len() / 8192 * 4096;
        bytes[middle..middle + 2048].fill(0xa5);
        add("holes.db", &bytes, "damaged");
        sql(&at("foreign.db"), "CREATE TABLE bookmark (url TEXT)".to_owned()).await;
        cases.push((at("foreign.db"), "another program"));
        for (name, text, part) in [
            (
                "later.db",
                "INSERT INTO _sqlx_migrations (version, description, success, checksum, \
                 execution_time) VALUES (999, 'later', 1, x'00', 0)",
                "later version",
            ),
            (
                "rows.db",
                "PRAGMA foreign_keys = OFF; DELETE FROM module",
                "rows refer to missing rows",
            ),
            (
                "module.db",
                "UPDATE module SET bytes = x'00' WHERE hash = (SELECT MIN(hash) FROM module)",
                "was changed",
            ),
        ] {
            std::fs::copy(&copy, at(name)).unwrap();
            sql(&at(name), text.to_owned()).await;
            cases.push((at(name), part));
        }
        // A letter of a name, which SQLite does not notice.
        let mut bytes = whole.clone();
        let name = bytes.windows(3).position(|part| part == b"Ada").unwrap();
        bytes[name] = b'X';
        std::fs::write(at("name.db"), bytes).unwrap();
        std::fs::copy(beside(&copy, ".sha256"), at("name.db.sha256")).unwrap();
        cases.push((at("name.db"), "does not fit its checksum"));
        std::fs::create_dir(at("folder")).unwrap();
        cases.push((at("folder"), "it is not a file"));
        cases.push((at("nothing.db"), "No such file"));
        cases.push((place.file(), "the database itself"));
        std::fs::hard_link(place.file(), place.folder().join("name.db")).unwrap();
        cases.push((place.folder().join("name.db"), "the database itself"));
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(place.file(), at("link.db")).unwrap();
            cases.push((at("link.db"), "the database itself"));
            cases.push((PathBuf::from("/dev/null"), "it is not a file"));
        }
        for (file, part) in cases {
            let text = refused(&place, &file).await;
            assert!(text.contains(part), "{file:?}: {text}");
        }
        assert_eq!(modules(&place.address).await.len(), 10);
        // Nor is a changed module played, however it got there.
        sql(&place.file(), "UPDATE module SET bytes = x'00'".to_owned()).await;
        let store = place.open().await;
        let job = store.next_job("w", std::time::Duration::from_secs(60), NOW).await;
        let hash = job.unwrap().unwrap().submission.module;
        let error = store.module(&hash).await.unwrap_err();
        assert!(matches!(error, Error::Damaged { .. }), "{error}");
    });
}

#[test]
fn a_copy_with_other_tables_is_refused_and_not_made() {
    run(async {
        let place = EmptyDatabase::sqlite();
        let (store, copy) = copied(&place).await;
        store.close().await;
        let changed = place.folder().join("changed.db");
        let view = "DROP VIEW present_group; CREATE VIEW present_group AS SELECT 1 AS one";
        for (text, part) in [
            (
                "CREATE TRIGGER \"a\u{202e}b\" BEFORE INSERT ON audit \
                 BEGIN SELECT RAISE(IGNORE); END",
                "the trigger `a\\u{202e}b` was added",
            ),
            (view, "the view `present_group` was changed"),
            ("DROP TABLE badge", "the table `badge` is missing"),
            ("DROP INDEX review_open", "the index `review_open` is missing"),
            ("ALTER TABLE person ADD COLUMN note TEXT", "the table `person` was changed"),
            ("CREATE UNIQUE INDEX one ON review (asked_by)", "the index `one` was added"),
            ("UPDATE module SET bytes = NULL", "is missing"),
        ] {
            std::fs::copy(&copy, &changed).unwrap();
            sql(&changed, text.to_owned()).await;
            let told = refused(&place, &changed).await;
            assert!(told.contains(part), "{text}: {told}");
            let again = place.folder().join("again.db");
            let error = backup(&Address::Sqlite(changed.clone()), &again).await.unwrap_err();
            assert!(error.to_string().contains(part) && !again.exists(), "{text}: {error}");
            std::fs::remove_file(&changed).unwrap();
        }
        // Tables, views and plain indices of the operator's own do not matter.
        std::fs::copy(&copy, &changed).unwrap();
        let own = "CREATE TABLE note (text TEXT); CREATE INDEX by_name ON person (name); \
                   CREATE VIEW people AS SELECT name FROM person; ANALYZE";
        sql(&changed, own.to_owned()).await;
        restore(&place.address, &changed, NOW).await.unwrap();
        assert_eq!(modules(&place.address).await.len(), 10);
        backup(&place.address, &place.folder().join("again.db")).await.unwrap();
    });
}

#[test]
fn a_log_next_to_a_copy_with_a_checksum_is_refused() {
    run(async {
        let place = EmptyDatabase::sqlite();
        let (store, copy) = copied(&place).await;
        store.close().await;
        // A log that makes everyone an administrator, and the copy as it was before.
        let whole = std::fs::read(&copy).unwrap();
        let mut other = open(&copy).await;
        let change = "PRAGMA journal_mode = WAL; UPDATE person SET administrator = 1";
        sqlx::raw_sql(change).execute(&mut other).await.unwrap();
        let log = std::fs::read(beside(&copy, "-wal")).unwrap();
        other.close().await.unwrap();
        assert!(!log.is_empty());
        for suffix in ["-wal", "-journal"] {
            std::fs::write(&copy, &whole).unwrap();
            std::fs::write(beside(&copy, suffix), &log).unwrap();
            let text = refused(&place, &copy).await;
            assert!(text.contains("does not cover the log of changes"), "{text}");
            std::fs::remove_file(beside(&copy, suffix)).unwrap();
        }
        restore(&place.address, &copy, NOW).await.unwrap();
    });
}

#[test]
fn a_restore_refuses_files_in_use_and_accepts_those_after_a_kill() {
    run(async {
        let place = EmptyDatabase::sqlite();
        let (store, _) = copied(&place).await;
        let other = EmptyDatabase::sqlite();
        other.open().await.close().await;
        let text = refused(&other, &place.file()).await;
        assert!(text.contains("a server is using it"), "{text}");
        // A copy with a log next to it: both belong to the copy, and neither is changed.
        let killed = EmptyDatabase::sqlite();
        for suffix in ["", "-wal", "-shm", ".lock"] {
            let to = beside(&killed.file(), suffix);
            std::fs::copy(beside(&place.file(), suffix), to).unwrap();
        }
        store.close().await;
        let bytes = |suffix| std::fs::read(beside(&killed.file(), suffix)).unwrap();
        let before = ["", "-wal"].map(bytes);
        restore(&other.address, &killed.file(), NOW).await.unwrap();
        assert!(["", "-wal"].map(bytes) == before, "the copy was changed");
        assert_eq!(modules(&other.address).await.len(), 10);
    });
}

#[test]
fn a_backup_with_an_older_schema_is_upgraded() {
    run(async {
        let (old, place) = (EmptyDatabase::sqlite(), EmptyDatabase::sqlite());
        first_version(&old.address).await;
        let before = std::fs::read(old.file()).unwrap();
        let restored = restore(&place.address, &old.file(), NOW).await.unwrap();
        assert_eq!((restored.summary.people, restored.summary.submissions), (1, 0));
        assert!(!restored.summary.has_key, "a new key would hide that the old one is missing");
        assert!(std::fs::read(old.file()).unwrap() == before, "the copy was changed");
        place.open().await.ping().await.unwrap();
    });
}

#[cfg(unix)]
#[test]
fn backup_and_database_may_be_reached_through_links() {
    run(async {
        let place = EmptyDatabase::sqlite();
        let (store, copy) = copied(&place).await;
        store.close().await;
        let (disk, folder) = (EmptyDatabase::sqlite(), EmptyDatabase::sqlite());
        work(&disk.open().await, 0..3).await;
        std::os::unix::fs::symlink(disk.file(), folder.file()).unwrap();
        let link = folder.folder().join("link.db");
        std::os::unix::fs::symlink(&copy, &link).unwrap();
        let before = restore(&folder.address, &link, NOW).await.unwrap().before.unwrap();
        assert!(folder.file().is_symlink(), "a link to the database stays a link");
        assert_eq!(before.parent(), disk.file().canonicalize().unwrap().parent());
        assert_eq!(modules(&disk.address).await.len(), 10);
        assert_eq!(modules(&Address::Sqlite(before)).await.len(), 3);
    });
}

#[test]
fn files_of_a_killed_restore_are_removed() {
    run(async {
        let place = EmptyDatabase::sqlite();
        let (store, copy) = copied(&place).await;
        store.close().await;
        let left = place.folder().join(".judge-restore-abc");
        std::fs::create_dir(&left).unwrap();
        std::fs::write(left.join("judge.db"), "half a copy").unwrap();
        restore(&place.address, &copy, NOW).await.unwrap();
        assert!(!left.exists());
    });
}

async fn the_key_is_made_only_for_a_new_database(place: EmptyDatabase) {
    let store = place.open().await;
    let key = store.signing_key().await.unwrap();
    assert!(key.is_some_and(|key| key != [0; 32]));
    assert!(!store.new_signing_key().await.unwrap(), "there is one");
    store.close().await;
    let store = place.open().await;
    assert_eq!(store.signing_key().await.unwrap(), key);
    made::scene(&store, SuiteSettings::default()).await;
    store.close().await;
    sqlx::any::install_default_drivers();
    let url = match &place.address {
        Address::Sqlite(path) => format!("sqlite://{}", path.display()),
        Address::Postgres(url) => url.clone(),
    };
    let mut connection = AnyConnection::connect(&url).await.unwrap();
    sqlx::raw_sql("DELETE FROM signing_key").execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
    let store = place.open().await;
    assert_eq!(store.signing_key().await.unwrap(), None);
    assert!(store.new_signing_key().await.unwrap());
    let new = store.signing_key().await.unwrap();
    assert!(new.is_some() && new != key);
}

async fn a_database_without_one_of_its_tables_is_not_used(place: EmptyDatabase) {
    let Address::Postgres(url) = &place.address else { return };
    place.open().await.close().await;
    for (text, what) in [
        ("DROP TABLE badge", "the table `badge` is missing"),
        ("DROP INDEX review_open", "the index `review_open` is missing"),
    ] {
        let mut connection = AnyConnection::connect(url).await.unwrap();
        sqlx::raw_sql(text).execute(&mut connection).await.unwrap();
        connection.close().await.unwrap();
        let error = Store::open(&place.address).await.unwrap_err();
        assert!(matches!(&error, Error::Damaged { what: found, .. } if found == what), "{error}");
    }
}

on_both! {
    a_database_without_one_of_its_tables_is_not_used
    the_key_is_made_only_for_a_new_database
}
