//! Deletion, erasure and retention of suites, courses and people, and the log of acts.

use std::time::Duration;

use judge_arena::FactStore as _;
use judge_core::{Options, Points, Scoring, digest};
use judge_store::{
    AccessRefusal, Act, Address, Arena, BadgeParts, Course, ERASED, Error, LadderBot, NewArena,
    NewCourse, NewIdentity, NewInvitation, NewPerson, NewRound, NewSubmission, NewSuite,
    PairResult, PersonId, Role, RunKey, Store, Submission, Suite, SuiteSettings, TokenKind,
};
use sqlx::{AnyConnection, AssertSqlSafe, Connection as _, Row as _};

use crate::made::{self, NOW, later, report};
use crate::support::{EmptyDatabase, conformance, on_postgres, on_sqlite};

crate::on_both! {
    deleting_a_course_leaves_no_row_of_it
    a_suite_is_deleted_and_its_bots_play_on
    only_an_instructor_deletes_and_only_an_archived_course
    erasing_a_person_leaves_no_row_of_them
    a_person_is_erased_while_their_submission_is_graded
    the_only_instructor_or_administrator_is_not_erased
    archived_courses_are_deleted_after_their_time
    an_invited_person_is_not_erased_with_an_old_course
    an_interrupted_retention_is_completed_later
    people_of_an_expired_course_who_are_in_another_one_are_kept
    acts_are_logged_with_their_change_or_not_at_all
    an_export_has_everything_about_a_person_and_nothing_about_others
}

const LEASE: Duration = Duration::from_secs(60);

/// Texts that only one person has: no row may have one once the person is erased.
const MARKS: [&str; 11] = [
    "Lovelace",
    "lovelace",
    "ada@example.org",
    "n-1815",
    "Countess",
    "her laptop",
    "engine.wasm",
    "Difference",
    "subject-ada",
    "secret of ada",
    "Why did my engine stop?",
];

/// A course with everything that a course can have.
struct Full {
    course: Course,
    suite: Suite,
    arena: Arena,
    ina: PersonId,
    ada: PersonId,
    bob: PersonId,
    bots: [LadderBot; 2],
    graded: Submission,
}

impl Full {
    async fn new(store: &Store) -> Full {
        let course = made::course(store).await;
        let settings = SuiteSettings { due_at: Some(later(1_000)), ..SuiteSettings::default() };
        let suite = made::suite(store, &course, settings).await;
        let ina = made::member(store, &course, "Ina", Role::Instructor).await;
        let bob = made::member(store, &course, "Bob", Role::Student).await;
        let ada = ada(store, &course).await;
        store.subscribe(&ada, true, NOW).await.unwrap();
        let arena = arena(store, &course).await;
        let graded = submit(store, &suite, &ada, ("Difference", "engine.wasm"), b"secret of ada");
        let graded = graded.await;
        let bobs = submit(store, &suite, &bob, ("bot", "bot.wasm"), b"of bob").await;
        made::submit(store, &suite, &ada, b"waiting", later(1)).await;
        let bots = [
            store.enter_bot(&arena.id, &ada, ("Difference", &graded.id), NOW).await.unwrap(),
            store.enter_bot(&arena.id, &bob, ("Analyst", &bobs.id), NOW).await.unwrap(),
        ];
        let full = Full { course, suite, arena, ina, ada, bob, bots, graded };
        full.fill(store).await;
        full
    }

    /// Rounds, pairs, an extension, a badge, a rejudge, tokens, a linked account, a human round.
    async fn fill(&self, store: &Store) {
        let (ada, suite) = (&self.ada, &self.suite.id);
        store.extend((suite, ada), Some(later(9_000)), &self.ina, NOW).await.unwrap();
        store.show_badge(suite, ada, BadgeParts::default(), NOW).await.unwrap();
        let key = RunKey { suite: suite.clone(), generation: 1, module: self.graded.module };
        let rounds = store.rounds(&key, &conformance::fingerprint(), NOW).await.unwrap();
        let added = tokio::task::spawn_blocking(move || {
            let (record, transcript) = conformance::round("Difference", 1);
            conformance::add(&rounds, &record, &transcript);
            rounds.note("fact", &"secret of ada".into()).unwrap();
        });
        added.await.unwrap();
        let until = later(1_000_000);
        store.new_token(ada, TokenKind::Api, "her laptop", until, NOW).await.unwrap();
        let identity = NewIdentity {
            issuer: "https://issuer.example",
            subject: "subject-ada",
            person: ada,
            is_proven: true,
            session: None,
        };
        store.link_identity(identity, NOW).await.unwrap();
        let asked = (&self.graded.id, ada);
        let review = store.request_review(asked, "Why did my engine stop?", NOW).await.unwrap();
        let whole = (&self.graded.id, &review);
        store.answer_review(whole, &self.ina, "A trap.", NOW).await.unwrap();
        let comment = (1, "Lovelace, is this line needed?");
        store.add_comment(&self.graded.id, comment, &self.ina, NOW).await.unwrap();
        let points = (Some(Points::whole(11)), "a broken testcase");
        store.adjust_points(&self.graded.id, points, &self.ina, NOW).await.unwrap();
        self.pair(store).await;
        let job = store.next_job("w", LEASE, later(2)).await.unwrap().unwrap();
        assert_eq!(job.submission.person, *ada);
    }

    /// A played pair of the two bots, in which Ada's failed once, and one that waits.
    async fn pair(&self, store: &Store) {
        let place = (&self.arena.id, 1);
        let versions = self.bots.each_ref().map(|bot| &bot.newest.id);
        let job = store.begin_rated(place, versions, ("w", LEASE), NOW).await.unwrap().unwrap();
        let side = job.sides.iter().position(|side| side.name == "Difference").unwrap();
        let round = |failed: bool| NewRound {
            half_points: if failed { 2 * u8::from(side == 1) } else { 1 },
            scores: [3, 5],
            reason: "self draw".to_owned(),
            fault: failed.then(|| (side, "Runtime error".to_owned(), "secret of ada".to_owned())),
            plies: 9,
            fuel: [Some(7), None],
            digest: digest(b"round"),
            record: "Difference against Analyst".to_owned(),
        };
        let (judge, engine) = ("1".to_owned(), "none".to_owned());
        let rounds = [round(false), round(true)];
        let result = PairResult { seed: job.seed, start: 1, judge, engine, rounds };
        assert!(store.finish_pair(&job, &result, NOW).await.unwrap());
        let ids = self.bots.each_ref().map(|bot| &bot.id);
        store.challenge(&self.arena.id, &self.bob, ids, NOW).await.unwrap();
    }
}

async fn ada(store: &Store, course: &Course) -> PersonId {
    let new = NewPerson {
        name: "Ada Lovelace".to_owned(),
        address: Some("ada@example.org".to_owned()),
        number: Some("n-1815".to_owned()),
        ..NewPerson::default()
    };
    let ada = store.add_person(&new, NOW).await.unwrap().id;
    store.join(&course.id, &ada, Role::Student, NOW).await.unwrap();
    store.set_pseudonym(&course.id, &ada, "Countess").await.unwrap();
    ada
}

async fn arena(store: &Store, course: &Course) -> Arena {
    let new = NewArena {
        course: &course.id,
        slug: "tiles",
        title: "Tiles",
        game: "mahjong",
        options: &Options::new(),
        opponents: &["random"],
        anchor: "random",
        scoring: Scoring::Score,
        season: "Season 1",
        ends_at: None,
    };
    store.create_arena(&new, NOW).await.unwrap()
}

async fn submit(
    store: &Store,
    suite: &Suite,
    person: &PersonId,
    (name, file_name): (&str, &str),
    module: &[u8],
) -> Submission {
    let suite = &suite.id;
    let source = [b"source of ", module].concat();
    let new = NewSubmission {
        suite,
        person,
        name,
        file_name,
        module,
        source: Some(&source),
        stored_at_most: u64::MAX,
    };
    let submission = store.submit(&new, NOW).await.unwrap();
    let told = report(&submission.module, 10, 1);
    store.write_result(&submission, 1, &told, NOW).await.unwrap();
    submission
}

/// Every row of each of the judge's tables, as text.
async fn rows(place: &EmptyDatabase) -> Vec<(String, Vec<String>)> {
    let (url, list) = match &place.address {
        Address::Sqlite(path) => (
            format!("sqlite:{}", path.display()),
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'",
        ),
        Address::Postgres(url) => (
            url.clone(),
            "SELECT table_name::text AS name FROM information_schema.tables \
             WHERE table_schema = 'public'",
        ),
    };
    let is_sqlite = url.starts_with("sqlite");
    let mut connection = AnyConnection::connect(&url).await.unwrap();
    let tables = sqlx::query(list).fetch_all(&mut connection).await.unwrap();
    let mut all = Vec::new();
    for table in tables {
        let table: String = table.get("name");
        if table.starts_with("_sqlx") {
            continue;
        }
        let sql = match is_sqlite {
            false => format!("SELECT row_to_json(t)::text AS text FROM \"{table}\" t"),
            true => {
                let columns = format!("SELECT name FROM pragma_table_info('{table}')");
                let columns = sqlx::query(AssertSqlSafe(columns)).fetch_all(&mut connection).await;
                let columns = columns.unwrap();
                let as_text = |name: String| {
                    format!(
                        "CASE typeof(\"{name}\") WHEN 'blob' THEN hex(\"{name}\") \
                         ELSE COALESCE(CAST(\"{name}\" AS TEXT), '') END"
                    )
                };
                let columns: Vec<String> =
                    columns.iter().map(|row| as_text(row.get("name"))).collect();
                format!("SELECT {} AS text FROM \"{table}\"", columns.join(" || '|' || "))
            }
        };
        let found = sqlx::query(AssertSqlSafe(sql)).fetch_all(&mut connection).await.unwrap();
        all.push((table, found.iter().map(|row| row.get::<String, _>("text")).collect()));
    }
    connection.close().await.unwrap();
    all
}

/// Tables with rows.
async fn filled(place: &EmptyDatabase) -> Vec<String> {
    let mut tables: Vec<String> = rows(place)
        .await
        .into_iter()
        .filter(|(_, rows)| !rows.is_empty())
        .map(|one| one.0)
        .collect();
    tables.sort();
    tables
}

async fn deleting_a_course_leaves_no_row_of_it(place: EmptyDatabase) {
    let store = place.open().await;
    let full = Full::new(&store).await;
    let before = filled(&place).await;
    for table in [
        "round",
        "fact",
        "result",
        "report",
        "badge",
        "mail",
        "review",
        "adjustment",
        "source_comment",
        "ladder_round",
        "suite_secret",
    ] {
        assert!(before.iter().any(|one| one == table), "{table} is empty: {before:?}");
    }
    let (course, by) = (&full.course.id, Some(&full.ina));
    store.archive_course(course, by, later(1)).await.unwrap();
    store.acting(by, later(2)).delete_course(course, by, later(2)).await.unwrap();
    assert_eq!(store.course(course).await.unwrap(), None);
    // Accounts stay, and so does the log.
    let left = [
        "account_event",
        "audit",
        "identity",
        "mail_subscription",
        "person",
        "signing_key",
        "token",
    ];
    assert_eq!(filled(&place).await, left);
    let log = store.whole_log(0, 9).await.unwrap();
    assert_eq!((log[0].act, log[0].course.as_deref()), (Act::CourseDeleted, Some("ai")));
    // Its short name is free again, and an account is still usable.
    let again = made::course(&store).await;
    store.join(&again.id, &full.ada, Role::Student, later(3)).await.unwrap();
}

async fn a_suite_is_deleted_and_its_bots_play_on(place: EmptyDatabase) {
    let store = place.open().await;
    let full = Full::new(&store).await;
    let files = made::files("Other");
    let settings = SuiteSettings::default();
    let new = NewSuite { course: &full.course.id, slug: "other", files: &files, settings };
    let other = store.create_suite(&new, NOW).await.unwrap();
    let kept = made::submit(&store, &other, &full.ada, b"other", NOW).await;
    store.delete_suite(&full.suite.id, Some(&full.ina)).await.unwrap();
    let suites = store.suites_of(&full.course.id).await.unwrap();
    assert_eq!(suites.iter().map(|suite| &suite.id).collect::<Vec<_>>(), [&other.id]);
    assert!(store.submission(&kept.id).await.unwrap().is_some());
    assert!(store.module(&digest(b"waiting")).await.unwrap().is_none(), "nobody needs it");
    let bots = store.ladder_bots(&full.arena.id).await.unwrap();
    let bot = bots.iter().find(|bot| bot.id == full.bots[0].id).unwrap();
    assert_eq!(bot.newest.submission, None);
    assert!(store.module(&bot.newest.module.unwrap()).await.unwrap().is_some(), "it plays on");
}

async fn only_an_instructor_deletes_and_only_an_archived_course(place: EmptyDatabase) {
    let store = place.open().await;
    let full = Full::new(&store).await;
    let (course, suite) = (&full.course.id, &full.suite.id);
    let stranger = NewPerson { name: "Eve".to_owned(), ..NewPerson::default() };
    let stranger = store.add_person(&stranger, NOW).await.unwrap().id;
    for other in [&full.ada, &stranger] {
        let refused = store.delete_suite(suite, Some(other)).await;
        assert!(matches!(refused, Err(Error::Access(AccessRefusal::NotAnInstructor))));
        let refused = store.delete_course(course, Some(other), NOW).await;
        assert!(matches!(refused, Err(Error::Access(AccessRefusal::NotAnInstructor))));
    }
    let open = store.delete_course(course, Some(&full.ina), NOW).await;
    assert!(matches!(open, Err(Error::NotArchived)), "{open:?}");
    store.archive_course(course, None, NOW).await.unwrap();
    let archived = store.delete_suite(suite, Some(&full.ina)).await;
    assert!(matches!(archived, Err(Error::Archived)), "{archived:?}");
    assert_eq!(store.suites_of(course).await.unwrap().len(), 1);
}

async fn erasing_a_person_leaves_no_row_of_them(place: EmptyDatabase) {
    let store = place.open().await;
    let full = Full::new(&store).await;
    let marked = |rows: &[(String, Vec<String>)]| -> Vec<String> {
        let has = |row: &&String| MARKS.iter().any(|mark| row.contains(mark));
        let found = rows.iter().flat_map(|(table, rows)| {
            rows.iter().filter(has).map(move |row| format!("{table}: {row}"))
        });
        found.collect()
    };
    let before = marked(&rows(&place).await);
    assert!(before.len() > 7, "{before:?}");
    let pairs = store.rated_pairs(&full.arena.id, 1, 0).await.unwrap();
    let bobs = store.results_of_person(&full.suite.id, &full.bob).await.unwrap();

    store.acting(None, later(5)).erase_person(&full.ada, later(5)).await.unwrap();
    assert_eq!(marked(&rows(&place).await), [""; 0], "marks are left");
    let ada = store.person(&full.ada).await.unwrap().unwrap();
    assert_eq!((ada.name.as_str(), ada.address, ada.number), (ERASED, None, None));
    assert_eq!(store.member(&full.course.id, &full.ada).await.unwrap(), None);
    assert!(store.submissions_of(&full.suite.id, &full.ada).await.unwrap().is_empty());
    assert_eq!(store.module(&full.graded.module).await.unwrap(), None);

    // What others need: pairs for their ratings, their results, their bots.
    assert_eq!(store.rated_pairs(&full.arena.id, 1, 0).await.unwrap(), pairs);
    assert_eq!(store.results_of_person(&full.suite.id, &full.bob).await.unwrap(), bobs);
    let listed = store.pairs_of_bot(&full.bots[1].id, 0, 9).await.unwrap();
    let done = listed.iter().filter(|pair| !pair.rounds.is_empty()).collect::<Vec<_>>();
    assert_eq!((listed.len(), done.len()), (1, 1), "the one that waited is cancelled");
    assert!(!done[0].rounds[0].has_record);
    let bots = store.ladder_bots(&full.arena.id).await.unwrap();
    let hers = bots.iter().find(|bot| bot.id == full.bots[0].id).unwrap();
    assert!(!hers.is_public() && hers.name.starts_with("erased"), "{hers:?}");

    // Erasing twice changes nothing; her address is free.
    store.erase_person(&full.ada, later(6)).await.unwrap();
    let again = NewPerson {
        name: "Ada Lovelace".to_owned(),
        address: Some("ada@example.org".to_owned()),
        ..NewPerson::default()
    };
    store.add_person(&again, later(7)).await.unwrap();
    let log = store.whole_log(0, 9).await.unwrap();
    assert_eq!((log[0].act, log[0].person.as_deref()), (Act::PersonErased, Some(ERASED)));
    let missing = store.erase_person(&"a".repeat(16).parse().unwrap(), later(7)).await;
    assert!(matches!(missing, Err(Error::Missing { .. })), "{missing:?}");
}

#[test]
fn an_erasure_locks_all_courses_before_people() {
    on_postgres(async |place| {
        let store = place.open().await;
        let full = Full::new(&store).await;
        let mut courses = vec![full.course.id.clone()];
        for slug in ["two", "three"] {
            let (slug, title) = (slug.to_owned(), slug.to_owned());
            let new = NewCourse { slug, title, time_zone: "UTC".to_owned() };
            courses.push(store.create_course(&new, NOW).await.unwrap().id);
        }
        store.join(&courses[1], &full.ada, Role::Student, NOW).await.unwrap();
        let later_joined = courses.pop().unwrap();
        courses.sort();
        let Address::Postgres(url) = &place.address else { unreachable!() };
        let mut other = AnyConnection::connect(url).await.unwrap();
        sqlx::query("BEGIN").execute(&mut other).await.unwrap();
        let lock = sqlx::query("UPDATE course SET slug = slug WHERE id = $1");
        lock.bind(courses[1].as_str()).execute(&mut other).await.unwrap();
        let (erasing, ada) = (store.clone(), full.ada.clone());
        let erasure = tokio::spawn(async move { erasing.erase_person(&ada, later(5)).await });
        let mut watching = AnyConnection::connect(url).await.unwrap();
        let waits = "SELECT 1 FROM pg_stat_activity \
            WHERE datname = current_database() AND wait_event_type = 'Lock'";
        while sqlx::query(waits).fetch_optional(&mut watching).await.unwrap().is_none() {
            tokio::task::yield_now().await;
        }
        // The erasure waits for the second course. A transaction with that course gets the person.
        let person = sqlx::query("SELECT 1 FROM person WHERE id = $1 FOR UPDATE NOWAIT");
        let person = person.bind(full.ada.as_str()).fetch_optional(&mut other).await;
        assert!(person.unwrap().is_some());
        // She joins a course that the erasure does not know of yet.
        let join = sqlx::query(
            "INSERT INTO membership SELECT $1, person, role, pseudonym, folded_pseudonym, \
             shows_real_name, joined_at, name, folded_name, number FROM membership \
             WHERE course = $2 AND person = $3",
        );
        let join = join.bind(later_joined.as_str()).bind(courses[0].as_str());
        join.bind(full.ada.as_str()).execute(&mut other).await.unwrap();
        sqlx::query("COMMIT").execute(&mut other).await.unwrap();
        erasure.await.unwrap().unwrap();
        assert_eq!(store.courses_of(&full.ada).await.unwrap(), []);
        for connection in [other, watching] {
            connection.close().await.unwrap();
        }
    });
}

/// Columns that a deletion of submissions and modules looks up, and that no index begins with.
const WITHOUT_INDEX: &str = "SELECT m.name || '.' || f.\"from\" AS name \
    FROM sqlite_schema m, pragma_foreign_key_list(m.name) f \
    WHERE f.\"table\" IN ('submission', 'module') AND f.seq = 0 AND NOT EXISTS \
    (SELECT 1 FROM pragma_index_list(m.name) i, pragma_index_info(i.name) c \
    WHERE c.seqno = 0 AND c.name = f.\"from\") \
    UNION ALL SELECT 'submission.owner' WHERE NOT EXISTS \
    (SELECT 1 FROM pragma_index_list('submission') i, pragma_index_info(i.name) c \
    WHERE c.seqno = 0 AND c.name = 'owner')";

#[test]
fn deletions_and_erasures_use_indices() {
    on_sqlite(async |place| {
        let store = place.open().await;
        let Address::Sqlite(path) = &place.address else { unreachable!() };
        let url = format!("sqlite:{}", path.display());
        let mut connection = AnyConnection::connect(&url).await.unwrap();
        let rows = sqlx::query(WITHOUT_INDEX).fetch_all(&mut connection).await.unwrap();
        let names: Vec<String> = rows.iter().map(|row| row.get("name")).collect();
        assert_eq!(names, [""; 0]);
        connection.close().await.unwrap();
        store.close().await;
    });
}

async fn a_person_is_erased_while_their_submission_is_graded(place: EmptyDatabase) {
    let store = place.open().await;
    let (suite, _) = made::scene(&store, SuiteSettings::default()).await;
    let course = store.course(&suite.course).await.unwrap().unwrap();
    for number in 0..12 {
        let person = made::member(&store, &course, &format!("Ada {number}"), Role::Student).await;
        let module = format!("module {number}").into_bytes();
        let new = NewSubmission {
            suite: &suite.id,
            person: &person,
            name: "bot",
            file_name: "bot.wasm",
            module: &module,
            source: None,
            stored_at_most: u64::MAX,
        };
        let submission = store.submit(&new, NOW).await.unwrap();
        let key = RunKey { suite: suite.id.clone(), generation: 1, module: submission.module };
        let run = store.rounds(&key, &conformance::fingerprint(), NOW).await.unwrap();
        let adding = tokio::task::spawn_blocking(move || {
            // Until the run is gone.
            (0..).take_while(|at| run.note(&format!("{at}"), &1.into()).is_ok()).count()
        });
        tokio::time::sleep(Duration::from_millis(20)).await;
        store.erase_person(&person, later(1)).await.unwrap();
        assert!(adding.await.unwrap() > 0, "the grading was under way");
        assert_eq!(store.submission(&submission.id).await.unwrap(), None);
    }
}

#[tokio::test]
async fn no_file_of_sqlite_has_an_erased_name() {
    let place = EmptyDatabase::sqlite();
    let store = place.open().await;
    let new = NewPerson { name: "Augusta Byron".to_owned(), ..NewPerson::default() };
    let person = store.add_person(&new, NOW).await.unwrap();
    let has_name = || {
        let files = std::fs::read_dir(place.folder()).unwrap().map(|file| file.unwrap().path());
        let has = |path: &std::path::PathBuf| {
            let bytes = std::fs::read(path).unwrap_or_default();
            bytes.windows(13).any(|part| part == b"Augusta Byron")
        };
        files.filter(has).count() > 0
    };
    assert!(has_name());
    store.erase_person(&person.id, later(1)).await.unwrap();
    assert!(!has_name(), "neither the database nor the log of changes");
}

async fn the_only_instructor_or_administrator_is_not_erased(place: EmptyDatabase) {
    let store = place.open().await;
    let full = Full::new(&store).await;
    let refused = store.erase_person(&full.ina, NOW).await;
    let only = matches!(&refused, Err(Error::Access(AccessRefusal::OnlyInstructor { course })) if course == "ai");
    assert!(only, "{refused:?}");
    assert!(store.member(&full.course.id, &full.ina).await.unwrap().is_some());
    let root =
        NewPerson { name: "Root".to_owned(), is_administrator: true, ..NewPerson::default() };
    let root = store.add_person(&root, NOW).await.unwrap().id;
    let refused = store.erase_person(&root, NOW).await;
    assert!(matches!(refused, Err(Error::Access(AccessRefusal::OnlyAdministrator))));

    // With a second instructor, or in an archived course, it is possible. Links and acts stay.
    made::member(&store, &full.course, "Tess", Role::Instructor).await;
    store.erase_person(&full.ina, later(1)).await.unwrap();
    let own = store.extensions(&full.suite.id).await.unwrap();
    assert!(own.contains_key(&full.ada), "the extension that she gave stays");
}

async fn archived_courses_are_deleted_after_their_time(place: EmptyDatabase) {
    let store = place.open().await;
    let full = Full::new(&store).await;
    let new = NewCourse {
        slug: "open".to_owned(),
        title: "Open".to_owned(),
        time_zone: "UTC".to_owned(),
    };
    let open = store.create_course(&new, NOW).await.unwrap();
    store.join(&open.id, &full.bob, Role::Student, NOW).await.unwrap();
    store.archive_course(&full.course.id, None, later(100)).await.unwrap();
    assert_eq!(store.delete_expired(later(100), later(200)).await.unwrap(), 0, "just kept");
    assert_eq!(store.delete_expired(later(101), later(200)).await.unwrap(), 1);
    assert_eq!(store.erase_expired(later(200)).await.unwrap(), 2);
    let slugs = store.courses().await.unwrap().into_iter().map(|course| course.slug);
    assert_eq!(slugs.collect::<Vec<_>>(), ["open"]);
    let name = async |id| store.person(id).await.unwrap().unwrap().name;
    assert_eq!(name(&full.ada).await, ERASED, "she was in no other course");
    assert_eq!(name(&full.bob).await, "Bob");
}

async fn an_invited_person_is_not_erased_with_an_old_course(place: EmptyDatabase) {
    let store = place.open().await;
    let full = Full::new(&store).await;
    let new = NewCourse {
        slug: "next".to_owned(),
        title: "Next".to_owned(),
        time_zone: "UTC".to_owned(),
    };
    let next = store.create_course(&new, NOW).await.unwrap().id;
    let link = |person: &PersonId, expires_at| NewInvitation {
        course: Some(next.clone()),
        role: Role::Student,
        person: Some(person.clone()),
        listed: None,
        expires_at,
    };
    let (_, token) = store.invite(&link(&full.ada, later(900)), NOW).await.unwrap();
    store.invite(&link(&full.bob, later(200)), NOW).await.unwrap();
    store.invite(&link(&full.ina, later(900)), NOW).await.unwrap();
    store.take_back_all(&next, Some(&full.ina), later(1)).await.unwrap();
    store.archive_course(&full.course.id, None, later(100)).await.unwrap();
    assert_eq!(store.delete_expired(later(101), later(200)).await.unwrap(), 1);
    assert_eq!(store.erase_expired(later(200)).await.unwrap(), 2);
    let name = async |id| store.person(id).await.unwrap().unwrap().name;
    assert_eq!(name(&full.ada).await, "Ada Lovelace", "her link can be used");
    assert_eq!(name(&full.bob).await, ERASED, "his link has expired");
    assert_eq!(name(&full.ina).await, ERASED, "the link was revoked");
    let found = store.invitation(token.reveal(), later(300)).await.unwrap();
    assert_eq!(found.person.as_ref(), Some(&full.ada));
    // Once her link has expired, too, nothing needs the account.
    assert_eq!(store.erase_expired(later(900)).await.unwrap(), 1);
    assert_eq!(name(&full.ada).await, ERASED);
}

async fn an_interrupted_retention_is_completed_later(place: EmptyDatabase) {
    let store = place.open().await;
    let full = Full::new(&store).await;
    let former = made::member(&store, &full.course, "Fay", Role::Student).await;
    assert!(store.leave(&full.course.id, &former, None, later(1)).await.unwrap());
    store.archive_course(&full.course.id, None, later(100)).await.unwrap();
    assert_eq!(store.delete_expired(later(101), later(200)).await.unwrap(), 1);
    // The server ends here, and begins again.
    store.close().await;
    let store = place.open().await;
    assert_eq!(store.delete_expired(later(101), later(300)).await.unwrap(), 0);
    assert_eq!(store.erase_expired(later(300)).await.unwrap(), 4);
    for person in [&full.ina, &full.ada, &full.bob, &former] {
        assert_eq!(store.person(person).await.unwrap().unwrap().name, ERASED);
    }
    assert_eq!(store.module(&full.graded.module).await.unwrap(), None, "modules go, too");
    assert_eq!(store.erase_expired(later(400)).await.unwrap(), 0);
}

async fn people_of_an_expired_course_who_are_in_another_one_are_kept(place: EmptyDatabase) {
    let store = place.open().await;
    let full = Full::new(&store).await;
    let new = NewCourse {
        slug: "next".to_owned(),
        title: "Next".to_owned(),
        time_zone: "UTC".to_owned(),
    };
    let next = store.create_course(&new, NOW).await.unwrap();
    let root =
        NewPerson { name: "Root".to_owned(), is_administrator: true, ..NewPerson::default() };
    let root = store.add_person(&root, NOW).await.unwrap().id;
    store.join(&full.course.id, &root, Role::Student, NOW).await.unwrap();
    for person in [&full.ada, &full.bob] {
        store.join(&next.id, person, Role::Student, NOW).await.unwrap();
    }
    store.leave(&next.id, &full.bob, None, later(1)).await.unwrap();
    store.archive_course(&full.course.id, None, later(100)).await.unwrap();
    assert_eq!(store.delete_expired(later(101), later(200)).await.unwrap(), 1);
    assert_eq!(store.erase_expired(later(200)).await.unwrap(), 1, "the instructor");
    let name = async |id| store.person(id).await.unwrap().unwrap().name;
    assert_eq!(name(&root).await, "Root");
    // Deleting a course by hand erases no person.
    store.archive_course(&next.id, None, later(300)).await.unwrap();
    store.delete_course(&next.id, None, later(301)).await.unwrap();
    assert_eq!(store.erase_expired(later(302)).await.unwrap(), 0);
    assert_eq!(
        (name(&full.ada).await, name(&full.bob).await),
        ("Ada Lovelace".into(), "Bob".into())
    );
}

async fn acts_are_logged_with_their_change_or_not_at_all(place: EmptyDatabase) {
    let store = place.open().await;
    let full = Full::new(&store).await;
    let (course, suite, by) = (&full.course.id, &full.suite.id, Some(&full.ina));
    assert_eq!(store.whole_log(0, 9).await.unwrap(), [], "nobody acted");
    let acting = store.acting(by, later(1));
    let old = full.suite.settings.clone();
    let settings = SuiteSettings { attempts_per_day: Some(3), by_groups: true, ..old };
    acting.change_suite(suite, &settings).await.unwrap();
    let files = made::files("Other");
    let taken = NewSuite { course, slug: "warm-up", files: &files, settings };
    assert!(matches!(acting.create_suite(&taken, NOW).await, Err(Error::Taken { .. })));
    let acting = store.acting(by, later(2));
    acting.change_role(course, &full.bob, Role::Assistant, by, later(2)).await.unwrap();
    store.acting(None, later(3)).archive_course(course, None, later(3)).await.unwrap();

    let log = store.log_of_course(course, 0, 9).await.unwrap();
    let told: Vec<_> = log
        .iter()
        .map(|one| (one.act, one.by.as_deref(), one.part.as_deref(), one.person.as_deref()))
        .collect();
    assert_eq!(
        told,
        [
            (Act::CourseArchived, None, None, None),
            (Act::RoleChanged, Some("Ina"), None, Some("Bob")),
            (Act::SuiteChanged, Some("Ina"), Some("warm-up"), None),
        ]
    );
    assert_eq!(log[2].detail, "attempts_per_day: any -> 3; by_groups: false -> true");
    assert_eq!((log[1].detail.as_str(), log[1].at), ("student -> assistant", later(2)));
    assert_eq!(store.log_of_course(course, 1, 1).await.unwrap(), log[1..2]);

    let kept = Duration::from_millis(100);
    assert_eq!(store.forget_log(kept, later(101)).await.unwrap(), 0);
    assert_eq!(store.forget_log(kept, later(102)).await.unwrap(), 1, "the first act");
    assert_eq!(store.whole_log(0, 9).await.unwrap(), log[..2]);
}

async fn an_export_has_everything_about_a_person_and_nothing_about_others(place: EmptyDatabase) {
    let store = place.open().await;
    let full = Full::new(&store).await;
    let data = store.acting(Some(&full.ada), later(1)).own_data(&full.ada).await.unwrap();
    let text = serde_json::to_string(&data).unwrap();
    // The module and the texts of rounds are separate files.
    for mark in MARKS.iter().filter(|mark| !["lovelace", "secret of ada"].contains(mark)) {
        assert!(text.contains(mark), "{mark}: {text}");
    }
    assert!(!text.contains("Bob") && !text.contains("Analyst"), "{text}");
    assert!(!text.contains("hash") && !text.contains("424242"), "{text}");
    assert_eq!(data["submissions"].as_array().unwrap().len(), 2);
    assert_eq!(data["account"][0]["created_at"], NOW.to_string());
    let mails = data["mail_to_send"].as_array().unwrap();
    assert!(mails.iter().any(|mail| mail["kind"] == "graded"), "{mails:?}");
    assert_eq!(data["mail_subscription"].as_array().unwrap().len(), 1);
    assert_eq!(data["reviews"][0]["answer"], "A trap.");
    let inas = store.acting(Some(&full.ina), NOW).own_data(&full.ina).await.unwrap();
    assert_eq!(inas["answers"][0]["answer"], "A trap.");
    assert_eq!(inas["comments_made"][0]["line"], 1);
    assert_eq!(inas["adjustments_made"][0]["reason"], "a broken testcase");
    assert!(!serde_json::to_string(&inas).unwrap().contains("Why did"), "{inas:?}");
    assert_eq!(data["extensions"][0]["due_at"], later(9_000).to_string());
    let bobs = store.own_data(&full.bob).await.unwrap();
    assert!(!serde_json::to_string(&bobs).unwrap().contains("Lovelace"), "{bobs:?}");
    assert_eq!(bobs["challenges"].as_array().unwrap().len(), 1);
    assert_eq!(store.whole_log(0, 9).await.unwrap(), [], "one's own data is no act");
    for by in [None, Some(&full.ina)] {
        store.acting(by, later(1)).own_data(&full.ada).await.unwrap();
    }
    let log = store.whole_log(0, 9).await.unwrap();
    let exported = |entry: &judge_store::AuditEntry| {
        (entry.act, entry.person.as_deref()) == (Act::PersonExported, Some("Ada Lovelace"))
    };
    assert!(log.len() == 2 && log.iter().all(exported), "{log:?}");
    // A student must not learn from the log that a result has points that are not shown yet.
    let acting = store.acting(Some(&full.ina), later(2));
    let points = (Some(Points::whole(12)), "another");
    acting.adjust_points(&full.graded.id, points, &full.ina, later(2)).await.unwrap();
    for (person, has_act) in [(&full.ina, true), (&full.ada, false)] {
        let data = store.own_data(person).await.unwrap();
        let log = data["log"].as_array().unwrap();
        assert_eq!(log.iter().any(|entry| entry["act"] == "points_adjusted"), has_act, "{log:?}");
    }
}
