//! SQLite files: locked, damaged, of a later version, another program's, copied.

use std::path::Path;

use judge_store::{Address, Error, Store, SuiteSettings, backup};
use sqlx::{AnyConnection, Connection as _};

use crate::made::{self, NOW, submit};
use crate::support::{EmptyDatabase, run};

/// Runs a statement on a file that is not open.
async fn change(file: &Path, sql: &'static str) {
    sqlx::any::install_default_drivers();
    let url = format!("sqlite://{}?mode=rwc", file.display());
    let mut connection = AnyConnection::connect(&url).await.unwrap();
    sqlx::raw_sql(sql).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
}

/// The error of opening a file; its bytes stay unchanged.
async fn refused(place: &EmptyDatabase) -> Error {
    let before = std::fs::read(place.file()).unwrap();
    let error = Store::open(&place.address).await.unwrap_err();
    assert!(std::fs::read(place.file()).unwrap() == before, "it was changed");
    let text = error.to_string();
    assert!(text.contains("hint: "), "{text}");
    assert!(text.contains("judge.db`"), "{text}");
    error
}

async fn filled(place: &EmptyDatabase) {
    let store = place.open().await;
    let (suite, [ada, _]) = made::scene(&store, SuiteSettings::default()).await;
    for number in 0..50_u8 {
        let module = vec![number; 10_000];
        let limits = SuiteSettings { pending_at_most: 99, ..SuiteSettings::default() };
        store.change_suite(&suite.id, &limits).await.unwrap();
        submit(&store, &suite, &ada, &module, NOW).await;
    }
    store.close().await;
}

#[test]
fn a_second_process_is_refused_and_only_the_owner_reads_the_file() {
    run(async {
        let place = EmptyDatabase::sqlite();
        let store = place.open().await;
        let error = Store::open(&place.address).await.unwrap_err();
        assert!(matches!(error, Error::Busy { .. }), "{error}");
        store.close().await;
        place.open().await.ping().await.unwrap();
        #[cfg(unix)]
        {
            let mode = std::fs::metadata(place.file()).unwrap();
            let mode = std::os::unix::fs::PermissionsExt::mode(&mode.permissions());
            assert_eq!(mode & 0o077, 0, "{mode:o}");
        }
    });
}

#[test]
fn every_connection_writes_to_the_disk_and_checks_references() {
    run(async {
        let place = EmptyDatabase::sqlite();
        let store = place.open().await;
        let (suite, _) = made::scene(&store, SuiteSettings::default()).await;
        let nobody = "aaaaaaaaaaaaaaaa".parse().unwrap();
        let joined = store.join(&suite.course, &nobody, judge_store::Role::Student, NOW).await;
        assert!(joined.is_err(), "the person does not exist");
        store.close().await;
        let sources = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/src/store.rs"));
        assert!(sources.unwrap().contains("PRAGMA synchronous = FULL"));
        let header = std::fs::read(place.file()).unwrap();
        assert_eq!(header[18..20], [2, 2], "it is in WAL mode");
    });
}

#[test]
fn a_damaged_file_is_refused() {
    run(async {
        let place = EmptyDatabase::sqlite();
        filled(&place).await;
        let whole = std::fs::read(place.file()).unwrap();
        let mut bytes = whole.clone();
        // Far from the parts that are read when it is opened, so only a check of the whole file
        // finds this.
        let (begin, end) = (bytes.len() / 8192 * 4096, bytes.len());
        for page in (begin..end).step_by(4096) {
            bytes[page..page + 64].fill(0xa5);
        }
        std::fs::write(place.file(), &bytes).unwrap();
        let error = refused(&place).await;
        assert!(matches!(error, Error::Damaged { .. }), "{error}");

        std::fs::write(place.file(), "this is no database, and long enough to look at".repeat(99))
            .unwrap();
        let error = refused(&place).await;
        assert!(matches!(error, Error::Damaged { .. }), "{error}");

        std::fs::write(place.file(), &whole[..whole.len() / 2]).unwrap();
        let error = refused(&place).await;
        assert!(matches!(error, Error::Damaged { .. }), "{error}");

        std::fs::write(place.file(), &whole).unwrap();
        place.open().await;
    });
}

#[test]
fn a_database_of_a_later_version_is_refused() {
    run(async {
        let place = EmptyDatabase::sqlite();
        filled(&place).await;
        change(
            &place.file(),
            "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
             VALUES (999, 'later', 1, x'00', 0)",
        )
        .await;
        let error = refused(&place).await;
        assert!(matches!(error, Error::Newer { .. }), "{error}");
    });
}

#[test]
fn another_programs_database_is_refused() {
    run(async {
        let place = EmptyDatabase::sqlite();
        change(
            &place.file(),
            "CREATE TABLE bookmark (url TEXT); INSERT INTO bookmark VALUES ('x')",
        )
        .await;
        let error = refused(&place).await;
        assert!(matches!(error, Error::Foreign { .. }), "{error}");
    });
}

#[test]
fn a_backup_is_made_while_others_write_and_opens_like_the_original() {
    run(async {
        let place = EmptyDatabase::sqlite();
        let store = place.open().await;
        let settings = SuiteSettings { pending_at_most: 999, ..SuiteSettings::default() };
        let (suite, [ada, _]) = made::scene(&store, settings).await;
        let writes = {
            let (store, suite, ada) = (store.clone(), suite.clone(), ada.clone());
            tokio::spawn(async move {
                for number in 0..60_u8 {
                    submit(&store, &suite, &ada, &[number], NOW).await;
                }
            })
        };
        let copy = place.folder().join("it's a copy.db");
        backup(&place.address, &copy).await.unwrap();
        writes.await.unwrap();
        let there = Store::open(&Address::Sqlite(copy.clone())).await.unwrap();
        let count = there.submission_count(&suite.id).await.unwrap();
        assert!(count <= 60);
        let found = there.submissions_of(&suite.id, &ada).await.unwrap();
        assert_eq!(found.len() as u64, count);
        for one in &found {
            assert!(there.module(&one.module).await.unwrap().is_some());
        }
        let again = backup(&place.address, &copy).await.unwrap_err();
        assert!(matches!(again, Error::File { .. }), "nothing is overwritten: {again}");
        assert_eq!(store.submission_count(&suite.id).await.unwrap(), 60);
    });
}
