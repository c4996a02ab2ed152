//! Copies of courses for the next term.

use judge_core::{Options, Points, Scoring};
use judge_store::{
    AccessRefusal, ArenaState, BadgeParts, Counted, Course, CourseCopy, DateKind, Error,
    HiddenShown, LatePolicy, LateRules, NewArena, NewCourse, NewInvitation, NewSuite, PersonId,
    RestShown, Role, ScoreboardMode, Showing, Store, Suite, SuiteSettings, Timestamp, Token,
    TokenKind, Zone,
};

use crate::made::{self, NOW, later, report, submit};
use crate::support::EmptyDatabase;

crate::on_both! {
    a_copy_has_suites_arenas_and_settings
    a_copy_has_nothing_about_people
    dates_keep_their_local_time
    a_copy_is_made_as_a_whole_or_not_at_all
    only_instructors_of_the_course_copy_it
    a_copy_ends_other_access_of_its_instructor
    the_operator_gets_a_link
}

/// A course in Berlin with two suites, an arena, an instructor and a student.
struct TaughtCourse {
    course: Course,
    suite: Suite,
    ina: PersonId,
    ada: PersonId,
}

fn zone() -> Zone {
    Zone::new("Europe/Berlin").unwrap()
}

fn local(text: &str) -> Timestamp {
    zone().moment(text).unwrap()
}

fn settings() -> SuiteSettings {
    SuiteSettings {
        opens_at: Some(local("2026-10-01 08:00")),
        due_at: Some(local("2026-10-20 23:59")),
        late: LateRules {
            policy: LatePolicy::PerDay,
            grace_minutes: 7,
            percent_per_day: 8,
            free_days: 9,
        },
        attempts_per_day: Some(3),
        pending_at_most: 4,
        weight: Points::from_thousandths(1500),
        counts: Counted::Latest,
        scoreboard: ScoreboardMode::Frozen,
        frozen_at: Some(local("2026-10-18 12:00")),
        shown_per_day: Some(6),
        rest_shown: RestShown::Due,
        hidden_shown: HiddenShown::AfterDue,
        by_groups: true,
    }
}

async fn scene(store: &Store) -> TaughtCourse {
    let new = NewCourse {
        slug: "ai".to_owned(),
        title: "AI".to_owned(),
        time_zone: "Europe/Berlin".to_owned(),
    };
    let course = store.create_course(&new, NOW).await.unwrap();
    store.set_webhook(&course.id, Some("chat")).await.unwrap();
    let suite = made::suite(store, &course, settings()).await;
    store.call_suite(&suite.id, "Lab 1").await.unwrap();
    // The copy has the present files, not the first ones.
    store.set_files(&suite.id, &made::files("Changed"), Showing::Complete, NOW).await.unwrap();
    let files = made::files("Second");
    let settings = SuiteSettings::default();
    let new = NewSuite { course: &course.id, slug: "a-later-one", files: &files, settings };
    store.create_suite(&new, later(1)).await.unwrap();
    arena(store, &course).await;
    let ina = made::member(store, &course, "Ina", Role::Instructor).await;
    let ada = made::member(store, &course, "Ada", Role::Student).await;
    TaughtCourse { course, suite, ina, ada }
}

/// A paused arena in its second season.
async fn arena(store: &Store, course: &Course) {
    let new = NewArena {
        course: &course.id,
        slug: "tiles",
        title: "Tiles",
        game: "mahjong",
        options: &Options::from([("wall".to_owned(), "9".to_owned())]),
        opponents: &["random", "distance"],
        anchor: "random",
        scoring: Scoring::Score,
        season: "Autumn 1",
        ends_at: Some(local("2026-10-22 18:00")),
    };
    let arena = store.create_arena(&new, NOW).await.unwrap();
    store.end_season(&arena.id, 1, (true, "[]", "Autumn 2"), NOW).await.unwrap();
    store
        .change_arena(&arena.id, "Tiles and walls", (ArenaState::Paused, Scoring::Score))
        .await
        .unwrap();
}

/// Copies a course in a new session of a person.
async fn copy(
    store: &Store,
    course: &Course,
    new: &CourseCopy,
    by: &PersonId,
) -> Result<Course, Error> {
    let (session, _) = store.new_token(by, TokenKind::Session, "x", later(99), NOW).await.unwrap();
    store.copy_course(&course.id, new, (by, &session), later(9)).await
}

fn copy_as(slug: &str, days: i64) -> CourseCopy {
    CourseCopy { slug: slug.to_owned(), title: "AI 2027".to_owned(), days }
}

async fn a_copy_has_suites_arenas_and_settings(place: EmptyDatabase) {
    let store = place.open().await;
    let TaughtCourse { course, suite, ina, .. } = scene(&store).await;
    let copy = copy(&store, &course, &copy_as("ai-2", 14), &ina).await.unwrap();
    assert_eq!((copy.slug.as_str(), copy.title.as_str()), ("ai-2", "AI 2027"));
    assert_eq!(copy.time_zone, "Europe/Berlin");
    assert_eq!(copy.webhook.as_deref(), Some("chat"));
    assert_eq!(store.course_by_slug("ai-2").await.unwrap().as_ref(), Some(&copy));

    let suites = store.suites_of(&copy.id).await.unwrap();
    let slugs: Vec<&str> = suites.iter().map(|suite| suite.slug.as_str()).collect();
    assert_eq!(slugs, ["warm-up", "a-later-one"], "in the same order");
    let shifted = SuiteSettings {
        opens_at: Some(local("2026-10-15 08:00")),
        due_at: Some(local("2026-11-03 23:59")),
        frozen_at: Some(local("2026-11-01 12:00")),
        ..settings()
    };
    assert_eq!(suites[0].settings, shifted);
    let end = shifted.late.last_with_points(local("2026-11-03 23:59").millis());
    assert_eq!(suites[0].ends_at, Some(Timestamp::from_millis(end)));
    assert_eq!((suites[0].title.as_str(), suites[1].title.as_str()), ("Lab 1", "Second"));
    assert_eq!((suites[0].generation, suites[0].shown), (1, 1));
    assert_eq!(suites[1].settings, SuiteSettings::default());
    let files = store.grading_suite(&suites[0].id, 1).await.unwrap();
    assert_eq!(files, made::files("Changed"), "hidden testcases included");
    // The title of the files returns when an instructor empties the other one.
    store.call_suite(&suites[0].id, "").await.unwrap();
    assert_eq!(store.suite(&suites[0].id).await.unwrap().unwrap().title, "Changed");

    let arena = store.arenas_of(&copy.id).await.unwrap().remove(0);
    assert_eq!((arena.slug.as_str(), arena.title.as_str()), ("tiles", "Tiles and walls"));
    assert_eq!((arena.game.as_str(), arena.anchor.as_str()), ("mahjong", "random"));
    assert_eq!(arena.scoring, Scoring::Score);
    assert_eq!(arena.options, Options::from([("wall".to_owned(), "9".to_owned())]));
    assert_eq!((arena.state, arena.season, arena.pairs), (ArenaState::Open, 1, 0));
    let bots = store.ladder_bots(&arena.id).await.unwrap();
    let mut bots: Vec<&str> = bots.iter().map(|bot| bot.name.as_str()).collect();
    bots.sort_unstable();
    assert_eq!(bots, ["distance", "random"]);
    let seasons = store.seasons_of(&arena.id).await.unwrap();
    assert_eq!((seasons.len(), seasons[0].title.as_str()), (1, "Autumn 1"));
    assert_eq!(seasons[0].ends_at, Some(local("2026-11-05 18:00")));
    assert_eq!(seasons[0].standings, None);
    // The course itself is as before.
    assert_eq!(store.suite(&suite.id).await.unwrap().unwrap().settings, settings());
}

async fn a_copy_has_nothing_about_people(place: EmptyDatabase) {
    let store = place.open().await;
    let TaughtCourse { course, suite, ina, ada } = scene(&store).await;
    store.change_suite(&suite.id, &SuiteSettings::default()).await.unwrap();
    let submission = submit(&store, &suite, &ada, b"a", NOW).await;
    let told = report(&submission.module, 10, 1);
    store.write_result(&submission, 2, &told, NOW).await.unwrap();
    let arena = store.arenas_of(&course.id).await.unwrap().remove(0);
    store.enter_bot(&arena.id, &ada, ("Hunter", &submission.id), NOW).await.unwrap();
    store.extend((&suite.id, &ada), Some(later(5)), &ina, NOW).await.unwrap();
    store.show_badge(&suite.id, &ada, BadgeParts::default(), NOW).await.unwrap();
    let link = NewInvitation {
        course: Some(course.id.clone()),
        role: Role::Student,
        person: None,
        listed: None,
        expires_at: later(9),
    };
    store.invite(&link, NOW).await.unwrap();

    let copy = copy(&store, &course, &copy_as("ai-2", 0), &ina).await.unwrap();
    let members = store.members(&copy.id).await.unwrap();
    let members: Vec<_> = members.iter().map(|one| (&one.person, one.role)).collect();
    assert_eq!(members, [(&ina, Role::Instructor)]);
    assert_eq!(store.invitations(&copy.id).await.unwrap(), []);
    for suite in store.suites_of(&copy.id).await.unwrap() {
        assert_eq!(store.submission_count(&suite.id).await.unwrap(), 0);
        assert_eq!(store.scoreboard(&suite.id, None).await.unwrap(), []);
        assert!(store.extensions(&suite.id).await.unwrap().is_empty());
        assert!(store.badge_of(&suite.id, &ada).await.unwrap().is_none());
    }
    let arena = store.arenas_of(&copy.id).await.unwrap().remove(0);
    let bots = store.ladder_bots(&arena.id).await.unwrap();
    assert!(bots.iter().all(judge_store::LadderBot::is_reference), "{bots:?}");
    assert_eq!(store.submission_count(&suite.id).await.unwrap(), 1, "the old one keeps it");
}

async fn dates_keep_their_local_time(place: EmptyDatabase) {
    let store = place.open().await;
    let TaughtCourse { course, .. } = scene(&store).await;
    // Summer time ends on 25 October.
    let dates = store.shifted_dates(&course, 14).await.unwrap();
    let text = |at| zone().exact(at);
    let dates: Vec<_> = dates
        .iter()
        .map(|date| (date.title.as_str(), date.kind, text(date.before), text(date.after)))
        .collect();
    let line = |title, kind, [before, after]: [&str; 2]| {
        (title, kind, before.to_owned(), after.to_owned())
    };
    let expected = [
        line("Lab 1", DateKind::Opens, ["2026-10-01 08:00", "2026-10-15 08:00"]),
        line("Lab 1", DateKind::Due, ["2026-10-20 23:59", "2026-11-03 23:59"]),
        line("Lab 1", DateKind::Freezes, ["2026-10-18 12:00", "2026-11-01 12:00"]),
        line("Tiles and walls", DateKind::SeasonEnds, ["2026-10-22 18:00", "2026-11-05 18:00"]),
    ];
    assert_eq!(dates, expected);
    assert_eq!(store.days_to(&course, "2027-03-08").await.unwrap(), 139);
    let wrong = store.days_to(&course, "soon").await.unwrap_err();
    assert!(matches!(wrong, Error::Date { .. }), "{wrong}");
    let none = NewCourse { slug: "b".to_owned(), title: "B".to_owned(), time_zone: "UTC".into() };
    let none = store.create_course(&none, NOW).await.unwrap();
    let none = store.days_to(&none, "2027-03-08").await.unwrap_err();
    assert!(matches!(none, Error::NoDueDate), "{none}");
}

async fn a_copy_is_made_as_a_whole_or_not_at_all(place: EmptyDatabase) {
    let store = place.open().await;
    let TaughtCourse { course, ina, .. } = scene(&store).await;
    let copy = async |slug: &str, days| {
        copy(&store, &course, &copy_as(slug, days), &ina).await.unwrap_err()
    };
    assert!(matches!(copy("ai", 0).await, Error::Taken { what: "course", .. }));
    assert!(matches!(copy("Not a slug", 0).await, Error::Name { what: "slug", .. }));
    // The course is inserted before its suites.
    assert!(matches!(copy("ai-2", 5000).await, Error::Shift { days: 5000 }));
    assert_eq!(store.courses().await.unwrap().len(), 1);
}

async fn only_instructors_of_the_course_copy_it(place: EmptyDatabase) {
    let store = place.open().await;
    let TaughtCourse { course, ina, ada, .. } = scene(&store).await;
    let alan = made::member(&store, &course, "Alan", Role::Assistant).await;
    let other = NewCourse { slug: "b".to_owned(), title: "B".to_owned(), time_zone: "UTC".into() };
    let other = store.create_course(&other, NOW).await.unwrap();
    let ben = made::member(&store, &other, "Ben", Role::Instructor).await;
    for person in [&ada, &alan, &ben] {
        let new = copy_as("ai-2", 0);
        let refused = copy(&store, &course, &new, person).await.unwrap_err();
        assert!(matches!(refused, Error::Access(AccessRefusal::NotAnInstructor)), "{refused}");
    }
    assert_eq!(store.courses().await.unwrap().len(), 2);
    // An archived course can be copied, too, and the copy is not archived.
    store.archive_course(&course.id, Some(&ina), NOW).await.unwrap();
    let copy = copy(&store, &course, &copy_as("ai-2", 0), &ina).await.unwrap();
    assert!(!copy.is_archived());
    assert_eq!(store.suites_of(&copy.id).await.unwrap().len(), 2);
}

async fn a_copy_ends_other_access_of_its_instructor(place: EmptyDatabase) {
    let store = place.open().await;
    let TaughtCourse { course, ina, .. } = scene(&store).await;
    let token =
        async || store.new_token(&ina, TokenKind::Session, "x", later(99), NOW).await.unwrap();
    let [(session, own), (other, prepared)] = [token().await, token().await];
    let copy = async |slug: &str, session| {
        store.copy_course(&course.id, &copy_as(slug, 0), (&ina, session), NOW).await
    };
    copy("ai-2", &session).await.unwrap();
    let lives = async |token: &Token| {
        store.authenticate(token.reveal(), TokenKind::Session, NOW).await.unwrap().is_some()
    };
    assert_eq!((lives(&own).await, lives(&prepared).await), (true, false));
    let ended = copy("ai-3", &other).await.unwrap_err();
    assert!(matches!(ended, Error::Access(AccessRefusal::SignedOut)), "{ended}");
    assert_eq!(store.course_by_slug("ai-3").await.unwrap(), None);
}

async fn the_operator_gets_a_link(place: EmptyDatabase) {
    let store = place.open().await;
    let TaughtCourse { course, .. } = scene(&store).await;
    let new = copy_as("ai-2", 7);
    let made = store.copy_course_with_link(&course.id, &new, later(9), NOW).await;
    let (copy, secret) = made.unwrap();
    let link = store.invitation(secret.reveal(), NOW).await.unwrap();
    assert_eq!((link.course.as_ref(), link.role), (Some(&copy.id), Role::Instructor));
    assert_eq!(store.members(&copy.id).await.unwrap(), []);
    assert_eq!(store.suites_of(&copy.id).await.unwrap().len(), 2);
}
