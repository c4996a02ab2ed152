//! An upgrade of a database with the first part of the schema. Its submissions are not tested: no
//! released version has a part of the schema, so nothing fills in their owners.

use judge_store::{Address, Counted, HiddenShown, ScoreboardMode};
use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::{AnyPool, SqlSafeStr as _};

use crate::support::EmptyDatabase;

const FIRST: [&str; 2] = [
    include_str!("../../migrations/sqlite/0001_begin.sql"),
    include_str!("../../migrations/postgres/0001_begin.sql"),
];

const CONTENT: &str = "
INSERT INTO person (id, name, folded_name, administrator, created_at) VALUES
    ('aaaaaaaaaaaaaaaa', 'Ada', 'ada', 0, 1);
INSERT INTO course VALUES ('bbbbbbbbbbbbbbbb', 'ai', 'AI', 'UTC', NULL, 1, NULL);
INSERT INTO membership VALUES ('bbbbbbbbbbbbbbbb', 'aaaaaaaaaaaaaaaa', 'student', 'Star', 'star', 0, 1,
    'Ada', 'ada', NULL);
INSERT INTO suite (id, course, slug, title, game, pending_at_most, weight, counts,
    scoreboard, frozen_at, rest_shown, hidden_shown, late, grace_minutes, percent_per_day, free_days,
    generation, shown, created_at) VALUES
    ('cccccccccccccccc', 'bbbbbbbbbbbbbbbb', 'old', 'Old', 'cc', 5, 1000, 'latest', 'frozen', 7,
    'next_day', 'files', 'refuse', 0, 10, 0, 1, 1, 1);
INSERT INTO suite_generation VALUES ('cccccccccccccccc', 1, 'old', 'all', 1);
";

/// Creates a database with the first part of the schema, and rows that the other parts do not
/// change.
pub(crate) async fn first_version(address: &Address) {
    sqlx::any::install_default_drivers();
    let (kind, url) = match address {
        Address::Sqlite(path) => (0, format!("sqlite://{}?mode=rwc", path.display())),
        Address::Postgres(url) => (1, url.clone()),
    };
    let pool = AnyPool::connect(&url).await.unwrap();
    let first = FIRST[kind].into_sql_str();
    let first = Migration::new(1, "begin".into(), MigrationType::Simple, first, false);
    Migrator::with_migrations(vec![first]).run(&pool).await.unwrap();
    sqlx::raw_sql(CONTENT).execute(&pool).await.unwrap();
    pool.close().await;
}

async fn an_upgrade_keeps_rows_and_their_visibility(place: EmptyDatabase) {
    first_version(&place.address).await;
    let store = place.open().await;
    let id = "cccccccccccccccc".parse().unwrap();
    let suite = store.suite(&id).await.unwrap().unwrap();
    assert_eq!(
        (suite.settings.scoreboard, suite.settings.counts),
        (ScoreboardMode::Frozen, Counted::Latest)
    );
    assert_eq!(
        (suite.settings.shown_per_day, suite.settings.hidden_shown),
        (None, HiddenShown::Files)
    );
    let course = store.course(&suite.course).await.unwrap().unwrap();
    assert_eq!(course.webhook, None);
}

on_both! {
    an_upgrade_keeps_rows_and_their_visibility
}
