//! Archived courses: reading works, every change is refused, and all of it comes back.

use std::time::Duration;

use judge_core::{Options, Points, Scoring, Seed, digest};
use judge_store::{
    AccessRefusal, Address, Arena, ArenaState, BadgeParts, Course, Error, GroupId, GroupMove,
    InvitationId, LadderBot, LadderJob, NewArena, NewCourse, NewInvitation, NewRound, NewSuite,
    PairResult, PersonId, Role, Scope, Showing, Store, Submission, Suite, SuiteSettings, Token,
};
use sqlx::{AnyConnection, Connection as _};

use crate::access::signed_out;
use crate::made::{self, NOW, later, report, submit};
use crate::support::{EmptyDatabase, on_postgres};

crate::on_both! {
    nothing_in_an_archived_course_can_be_changed
    an_archived_course_can_be_read
    archiving_pauses_gradings_until_the_course_is_restored
    archiving_pauses_pairs_until_the_course_is_restored
    only_instructors_of_the_course_archive_it
    archived_courses_come_last_in_lists
}

const LEASE: Duration = Duration::from_secs(60);

/// A course with a graded submission, a waiting one, a bot on a ladder and an open link.
struct Archivable {
    course: Course,
    suite: Suite,
    arena: Arena,
    bot: LadderBot,
    ina: PersonId,
    ada: PersonId,
    waiting: Submission,
    graded: Submission,
    link: (InvitationId, Token),
    group: GroupId,
}

impl Archivable {
    async fn new(store: &Store) -> Archivable {
        let course = made::course(store).await;
        let suite = made::suite(store, &course, SuiteSettings::default()).await;
        let ina = made::member(store, &course, "Ina", Role::Instructor).await;
        let ada = made::member(store, &course, "Ada", Role::Student).await;
        let arena = NewArena {
            course: &course.id,
            slug: "tiles",
            title: "Tiles",
            game: "mahjong",
            options: &Options::new(),
            opponents: &["random"],
            anchor: "random",
            scoring: Scoring::Result,
            season: "Season 1",
            ends_at: None,
        };
        let arena = store.create_arena(&arena, NOW).await.unwrap();
        let graded = submit(store, &suite, &ada, b"graded", NOW).await;
        let told = report(&graded.module, 10, 1);
        store.write_result(&graded, 1, &told, NOW).await.unwrap();
        let bot = store.enter_bot(&arena.id, &ada, ("Hunter", &graded.id), NOW).await.unwrap();
        let waiting = submit(store, &suite, &ada, b"waiting", later(1)).await;
        let link = store.invite(&invitation(&course), NOW).await.unwrap();
        let group = store.create_group(&course.id, "Red", NOW).await.unwrap();
        Archivable { course, suite, arena, bot, ina, ada, waiting, graded, link, group }
    }

    async fn archive(&self, store: &Store) {
        assert!(store.archive_course(&self.course.id, Some(&self.ina), later(2)).await.unwrap());
    }

    /// A rated pair of the bot and the reference opponent, under way.
    async fn pair(&self, store: &Store) -> Option<LadderJob> {
        let bots = store.ladder_bots(&self.arena.id).await.unwrap();
        let other = bots.iter().find(|bot| bot.is_reference()).unwrap();
        let versions = [&self.bot.newest.id, &other.newest.id];
        store.begin_rated((&self.arena.id, 1), versions, ("w", LEASE), later(1)).await.unwrap()
    }
}

fn invitation(course: &Course) -> NewInvitation {
    NewInvitation {
        course: Some(course.id.clone()),
        role: Role::Student,
        person: None,
        listed: None,
        expires_at: later(1_000_000),
    }
}

fn result(job: &LadderJob) -> PairResult {
    let round = |at: u8| NewRound {
        half_points: 1,
        scores: [3, -1],
        reason: "self draw".to_owned(),
        fault: None,
        plies: 9,
        fuel: [Some(7), None],
        digest: digest(&[at]),
        record: String::new(),
    };
    let (judge, engine) = ("1".to_owned(), "none".to_owned());
    PairResult { seed: Seed(job.seed.0), start: 1, judge, engine, rounds: [round(0), round(1)] }
}

/// Every change to a course, with its name.
async fn changes(store: &Store, scene: &Archivable) -> Vec<(&'static str, Result<(), Error>)> {
    let Archivable { course, suite, arena, bot, ina, ada, waiting, graded, link, group } = scene;
    let review = "a".repeat(16).parse().unwrap();
    let comment = "a".repeat(16).parse().unwrap();
    let points = (Some(Points::whole(3)), "because");
    let moved = [GroupMove { person: ada.clone(), group: Some("Blue".to_owned()) }];
    let (id, now, by) = (&course.id, later(3), Some(ina));
    let files = made::files("Other");
    let settings = SuiteSettings::default();
    let new_suite = NewSuite { course: id, slug: "new", files: &files, settings: settings.clone() };
    let suites = [("newer".to_owned(), files.clone())];
    let new_arena = NewArena {
        course: id,
        slug: "new",
        title: "New",
        game: "mahjong",
        options: &Options::new(),
        opponents: &[],
        anchor: "random",
        scoring: Scoring::Result,
        season: "Season 1",
        ends_at: None,
    };
    let told = report(&waiting.module, 10, 1);
    let bots = store.ladder_bots(&arena.id).await.unwrap();
    let other = bots.iter().find(|one| one.is_reference()).unwrap();
    macro_rules! changes {
        ($($name:literal: $change:expr,)*) => {
            vec![$(($name, $change.await.map(|_| ())),)*]
        };
    }
    changes! {
        "submit": store.submit(&made::new(suite, ada, b"new"), now),
        "write_result": store.write_result(waiting, 1, &told, now),
        "create_suite": store.create_suite(&new_suite, now),
        "create_suites": store.create_suites(id, (&suites, &settings), now),
        "change_suite": store.change_suite(&suite.id, &settings),
        "call_suite": store.call_suite(&suite.id, "Lab"),
        "set_files": store.set_files(&suite.id, &files, Showing::Complete, now),
        "accept_grading": store.accept_grading(&suite.id, 2),
        "discard_grading": store.discard_grading(&suite.id, 2, now),
        "rejudge": store.rejudge(&suite.id, &Scope::All, Showing::Complete, now),
        "extend": store.extend((&suite.id, ada), Some(later(9)), ina, now),
        "request_review": store.request_review((&graded.id, ada), "Why?", now),
        "answer_review": store.answer_review((&graded.id, &review), ina, "So.", now),
        "add_comment": store.add_comment(&graded.id, (1, "So."), ina, now),
        "remove_comment": store.remove_comment((&graded.id, &comment), ina),
        "adjust_points": store.adjust_points(&graded.id, points, ina, now),
        "change_course": store.change_course(id, "Other", "UTC"),
        "set_webhook": store.set_webhook(id, Some("chat")),
        "create_group": store.create_group(id, "Green", now),
        "rename_group": store.rename_group(id, group, "Pink"),
        "move_to_group": store.move_to_group((id, ada), Some(group), now),
        "set_groups": store.set_groups(id, &moved, now),
        "dissolve_group": store.dissolve_group(id, group, now),
        "join": store.join(id, ada, Role::Assistant, now),
        "change_role": store.change_role(id, ada, Role::Assistant, by, now),
        "leave": store.leave(id, ada, by, now),
        "invite": store.invite(&invitation(course), now),
        "invite_as": store.invite_as(made::by(ina), &invitation(course), now),
        "invite_people": store.invite_people(by.map(made::by), &invitation(course), &[], now),
        "use_invitation": store.use_invitation(link.1.reveal(), signed_out("Eve"), now),
        "take_back": store.take_back(id, &link.0, now),
        "take_back_all": store.take_back_all(id, None, now),
        "set_pseudonym": store.set_pseudonym(id, ada, "Countess"),
        "show_real_name": store.show_real_name(id, ada, true),
        "show_badge": store.show_badge(&suite.id, ada, BadgeParts::default(), now),
        "hide_badge": store.hide_badge(&suite.id, ada),
        "create_arena": store.create_arena(&new_arena, now),
        "change_arena": store.change_arena(&arena.id, "Other", (ArenaState::Paused, Scoring::Result)),
        "change_season": store.change_season(&arena.id, 1, "Other", None),
        "close_season": store.close_season(&arena.id, 1, now),
        "end_season": store.end_season(&arena.id, 1, (true, "[]", "Next"), now),
        "enter_bot": store.enter_bot(&arena.id, ada, ("Other", &waiting.id), now),
        "withdraw_bot": store.withdraw_bot(&bot.id, now),
        "bring_back": store.bring_back(&bot.id),
        "challenge": store.challenge(&arena.id, ada, [&bot.id, &other.id], now),
    }
}

async fn nothing_in_an_archived_course_can_be_changed(place: EmptyDatabase) {
    let store = place.open().await;
    let scene = Archivable::new(&store).await;
    scene.archive(&store).await;
    let before = state(&store, &scene).await;
    for (name, changed) in changes(&store, &scene).await {
        assert!(matches!(changed, Err(Error::Archived)), "{name}: {changed:?}");
    }
    assert_eq!(state(&store, &scene).await, before);
    // Archiving twice keeps the first moment.
    let again = store.archive_course(&scene.course.id, None, later(9)).await.unwrap();
    assert!(!again);
    let course = store.course(&scene.course.id).await.unwrap().unwrap();
    assert_eq!(course.archived_at, Some(later(2)));

    assert!(store.bring_back_course(&scene.course.id, Some(&scene.ina)).await.unwrap());
    assert!(!store.bring_back_course(&scene.course.id, Some(&scene.ina)).await.unwrap());
    for (name, changed) in changes(&store, &scene).await {
        assert!(!matches!(changed, Err(Error::Archived)), "{name}: {changed:?}");
    }
}

/// Everything that the changes above would change.
async fn state(store: &Store, scene: &Archivable) -> String {
    let (course, suite, arena) = (&scene.course.id, &scene.suite.id, &scene.arena.id);
    format!(
        "{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}",
        store.groups(course).await.unwrap(),
        store.course(course).await.unwrap(),
        store.suites_of(course).await.unwrap(),
        store.members(course).await.unwrap(),
        store.invitations(course).await.unwrap(),
        store.extensions(suite).await.unwrap(),
        store.submissions_to(suite, 0, 100).await.unwrap(),
        store.scoreboard(suite, None).await.unwrap(),
        store.arenas_of(course).await.unwrap(),
        store.seasons_of(arena).await.unwrap(),
        store.ladder_bots(arena).await.unwrap(),
    )
}

async fn an_archived_course_can_be_read(place: EmptyDatabase) {
    let store = place.open().await;
    let scene = Archivable::new(&store).await;
    let before = store.scoreboard(&scene.suite.id, None).await.unwrap();
    scene.archive(&store).await;
    assert_eq!(before.len(), 1);
    assert_eq!(store.scoreboard(&scene.suite.id, None).await.unwrap(), before);
    let graded = &before[0].result.submission;
    assert!(store.student_report(graded, 1).await.unwrap().is_some());
    let seen = store.submission_seen_by(graded, &scene.ada).await.unwrap();
    assert!(seen.is_some());
    let module = store.public_bot(&scene.bot.id, &scene.ina).await.unwrap();
    assert!(module.is_some());
    assert_eq!(store.waiting_in(&scene.course.id).await.unwrap(), 1);
}

async fn archiving_pauses_gradings_until_the_course_is_restored(place: EmptyDatabase) {
    let store = place.open().await;
    let scene = Archivable::new(&store).await;
    let job = store.next_job("w", LEASE, later(1)).await.unwrap().unwrap();
    assert_eq!(job.submission.id, scene.waiting.id);
    scene.archive(&store).await;
    assert!(!store.renew(&job, LEASE, later(3)).await.unwrap(), "the lease has ended");
    let told = report(&job.submission.module, 10, 1);
    let written = store.write_result(&job.submission, 1, &told, later(3)).await;
    assert!(matches!(written, Err(Error::Archived)), "{written:?}");
    assert_eq!(store.next_job("w", LEASE, later(4)).await.unwrap(), None);
    let queue = store.queue_state(later(4)).await.unwrap();
    assert_eq!((queue.new, queue.again, queue.running), (0, 0, 0));

    store.bring_back_course(&scene.course.id, None).await.unwrap();
    assert_eq!(store.queue_state(later(5)).await.unwrap().new, 1);
    let again = store.next_job("w", LEASE, later(5)).await.unwrap().unwrap();
    assert_eq!((&again.submission.id, again.attempt), (&scene.waiting.id, 2));
    assert!(!again.is_last, "the ended one did not fail");
    store.write_result(&again.submission, 1, &told, later(6)).await.unwrap();
}

async fn archiving_pauses_pairs_until_the_course_is_restored(place: EmptyDatabase) {
    let store = place.open().await;
    let scene = Archivable::new(&store).await;
    let job = scene.pair(&store).await.unwrap();
    scene.archive(&store).await;
    store.renew_pair(&job, LEASE, later(3)).await.unwrap();
    let done = store.finish_pair(&job, &result(&job), later(3)).await;
    assert!(matches!(done, Err(Error::Archived)), "{done:?}");
    assert_eq!(store.next_pair("w", LEASE, later(4)).await.unwrap(), None);
    assert_eq!(scene.pair(&store).await, None);
    assert_eq!(store.open_arenas().await.unwrap(), []);

    store.bring_back_course(&scene.course.id, None).await.unwrap();
    assert_eq!(store.open_arenas().await.unwrap().len(), 1);
    let again = store.next_pair("w", LEASE, later(5)).await.unwrap();
    let again = again.expect("the renewal did not extend the ended lease");
    assert_eq!(again.id, job.id);
    assert!(store.finish_pair(&again, &result(&again), later(6)).await.unwrap());
}

async fn only_instructors_of_the_course_archive_it(place: EmptyDatabase) {
    let store = place.open().await;
    let scene = Archivable::new(&store).await;
    let alan = made::member(&store, &scene.course, "Alan", Role::Assistant).await;
    let other = NewCourse { slug: "b".to_owned(), title: "B".to_owned(), time_zone: "UTC".into() };
    let other = store.create_course(&other, NOW).await.unwrap();
    let ben = made::member(&store, &other, "Ben", Role::Instructor).await;
    let course = &scene.course.id;
    for person in [&scene.ada, &alan, &ben] {
        let refused = store.archive_course(course, Some(person), NOW).await.unwrap_err();
        assert!(matches!(refused, Error::Access(AccessRefusal::NotAnInstructor)), "{refused}");
    }
    assert!(!store.course(course).await.unwrap().unwrap().is_archived());
    scene.archive(&store).await;
    for person in [&scene.ada, &alan, &ben] {
        let refused = store.bring_back_course(course, Some(person)).await.unwrap_err();
        assert!(matches!(refused, Error::Access(AccessRefusal::NotAnInstructor)), "{refused}");
    }
    assert!(store.course(course).await.unwrap().unwrap().is_archived());
    assert!(!store.course(&other.id).await.unwrap().unwrap().is_archived());
}

async fn archived_courses_come_last_in_lists(place: EmptyDatabase) {
    let store = place.open().await;
    let mut courses = Vec::new();
    for (at, slug) in (0..).zip(["first", "second", "third"]) {
        let (title, time_zone) = (slug.to_owned(), "UTC".to_owned());
        let new = NewCourse { slug: slug.to_owned(), title, time_zone };
        courses.push(store.create_course(&new, later(at)).await.unwrap());
    }
    let ina = made::member(&store, &courses[0], "Ina", Role::Instructor).await;
    for course in &courses[1..] {
        store.join(&course.id, &ina, Role::Instructor, NOW).await.unwrap();
    }
    store.archive_course(&courses[0].id, None, NOW).await.unwrap();
    let expected = ["second", "third", "first"];
    let all = store.courses().await.unwrap();
    assert_eq!(all.iter().map(|one| one.slug.as_str()).collect::<Vec<_>>(), expected);
    let own = store.courses_of(&ina).await.unwrap();
    assert_eq!(own.iter().map(|(one, _)| one.slug.as_str()).collect::<Vec<_>>(), expected);
}

/// Longest time that a change which need not wait takes here.
const SOON: Duration = Duration::from_secs(30);

/// Time in which a change that must wait does not happen.
const MEANWHILE: Duration = Duration::from_millis(300);

// SQLite has one writer at a time.
#[test]
fn submissions_to_different_courses_do_not_wait_on_postgresql() {
    on_postgres(async |place| {
        let store = place.open().await;
        let course = made::course(&store).await;
        let suite = made::suite(&store, &course, SuiteSettings::default()).await;
        let ina = made::member(&store, &course, "Ina", Role::Instructor).await;
        let ada = made::member(&store, &course, "Ada", Role::Student).await;
        let Address::Postgres(url) = &place.address else { panic!("PostgreSQL") };
        // As another submission that is being stored.
        let mut other = AnyConnection::connect(url).await.unwrap();
        sqlx::raw_sql("BEGIN; SELECT slug FROM course FOR SHARE")
            .execute(&mut other)
            .await
            .unwrap();
        let submission = submit(&store, &suite, &ada, b"one", NOW);
        let submission = tokio::time::timeout(SOON, submission).await.expect("stored");
        let told = report(&submission.module, 10, 1);
        let written = store.write_result(&submission, 1, &told, NOW);
        tokio::time::timeout(SOON, written).await.expect("written").unwrap();
        let archived = store.archive_course(&course.id, Some(&ina), NOW);
        let archived = tokio::time::timeout(MEANWHILE, archived).await;
        assert!(archived.is_err(), "the course is archived once all submissions are stored");
        other.close().await.unwrap();
    });
}
