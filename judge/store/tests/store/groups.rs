//! Groups: access to submissions, results that count, and the effects of changes of members.

use std::time::Duration;

use judge_core::{Options, Points, Scoring};
use judge_store::{
    Act, Audience, BotStatus, Counted, CourseCopy, Error, GroupId, GroupMove, LadderRefusal,
    LatePolicy, LateRules, Lateness, MOST_MEMBERS, NewArena, Owner, PersonId, Role, Scope,
    ScoreboardQuery, Showing, Store, StoreRefusal, Submission, Suite, SuiteSettings,
};

use crate::made::{self, NOW, later, new, report, submit};
use crate::support::EmptyDatabase;

crate::on_both! {
    only_members_see_a_submission_of_the_group
    a_person_who_leaves_keeps_earlier_submissions_and_loses_later_ones
    a_person_who_joins_has_all_submissions_of_the_group
    limits_count_for_the_group
    two_members_at_once_do_not_exceed_the_limit
    the_queue_is_fair_between_groups
    the_latest_extension_of_a_member_counts
    a_scoreboard_has_one_line_for_a_group
    every_member_gets_the_mark
    a_suite_without_groups_is_as_before
    a_rejudge_of_counting_submissions_keeps_the_marks_of_former_members
    a_list_of_groups_is_accepted_as_a_whole_or_refused
    names_are_unique_until_a_group_is_dissolved
    only_students_are_in_groups
    a_group_of_another_course_is_not_found
    a_copy_of_a_course_has_no_groups
    an_erased_members_submission_stays_with_the_group
    an_erased_member_leaves_the_due_dates_of_the_others
    a_submission_after_a_member_left_goes_with_the_last_other_member
    changes_of_groups_are_in_the_log
    bots_on_ladders_belong_to_the_group
}

/// A course with a suite by groups, and the group *Red* of Ada and Bob; Eve is in none.
struct GroupScene {
    suite: Suite,
    red: GroupId,
    ada: PersonId,
    bob: PersonId,
    eve: PersonId,
}

impl GroupScene {
    async fn new(store: &Store, settings: SuiteSettings) -> GroupScene {
        let settings = SuiteSettings { by_groups: true, ..settings };
        let (suite, [ada, bob]) = made::scene(store, settings).await;
        let course = store.course(&suite.course).await.unwrap().unwrap();
        let eve = made::member(store, &course, "Eve", Role::Student).await;
        let red = store.create_group(&suite.course, "Red", NOW).await.unwrap();
        for person in [&ada, &bob] {
            store.move_to_group((&suite.course, person), Some(&red), NOW).await.unwrap();
        }
        GroupScene { suite, red, ada, bob, eve }
    }

    async fn put(&self, store: &Store, person: &PersonId, group: Option<&GroupId>, at: i64) {
        store.move_to_group((&self.suite.course, person), group, later(at)).await.unwrap();
    }

    async fn graded(&self, store: &Store, person: &PersonId, at: i64, points: u32) -> Submission {
        let module = [b"module".as_slice(), &at.to_le_bytes()].concat();
        let one = submit(store, &self.suite, person, &module, later(at)).await;
        let generation = store.suite(&self.suite.id).await.unwrap().unwrap().generation;
        let report = report(&one.module, points, 1);
        store.write_result(&one, generation, &report, later(at + 1)).await.unwrap();
        one
    }

    /// Points of the results that count, by person.
    async fn marks(&self, store: &Store) -> Vec<(String, Points)> {
        let rows = store.counting_results(&self.suite.id).await.unwrap();
        let mut marks: Vec<_> = rows.into_iter().map(|row| (row.name, row.result.points)).collect();
        marks.sort();
        marks
    }
}

fn mark(name: &str, points: u32) -> (String, Points) {
    (name.to_owned(), Points::whole(points))
}

/// True if the person sees the submission: on its page, in the list, and among the results.
async fn sees(store: &Store, one: &Submission, person: &PersonId) -> bool {
    let page = store.submission_seen_by(&one.id, person).await.unwrap().is_some();
    let list = store.submissions_of(&one.suite, person).await.unwrap();
    let results = store.results_of_person(&one.suite, person).await.unwrap();
    let suite = store.suite(&one.suite).await.unwrap().unwrap();
    let told = store.visible_results(&suite, person, later(1_000_000)).await.unwrap();
    let has = [
        list.iter().any(|other| other.id == one.id),
        results.iter().any(|result| result.submission == one.id),
        told.iter().any(|result| result.submission == one.id),
    ];
    assert_eq!(has, [page; 3]);
    page
}

async fn only_members_see_a_submission_of_the_group(place: EmptyDatabase) {
    let store = place.open().await;
    let scene = GroupScene::new(&store, SuiteSettings::default()).await;
    let one = scene.graded(&store, &scene.ada, 1, 5).await;
    assert_eq!((&one.person, &one.owner), (&scene.ada, &Owner::Group(scene.red.clone())));
    assert_eq!(store.submission(&one.id).await.unwrap().unwrap(), one, "it is kept");
    assert!(sees(&store, &one, &scene.ada).await);
    assert!(sees(&store, &one, &scene.bob).await);
    assert!(!sees(&store, &one, &scene.eve).await, "a student outside the group");
    let members = store.members_with(&one.id).await.unwrap();
    assert_eq!(members.iter().map(|one| one.name.as_str()).collect::<Vec<_>>(), ["Ada", "Bob"]);
    let course = store.course(&scene.suite.course).await.unwrap().unwrap();
    let tom = made::member(&store, &course, "Tom", Role::Assistant).await;
    assert!(store.submission_seen_by(&one.id, &tom).await.unwrap().is_some());
    let other = judge_store::NewCourse {
        slug: "other".to_owned(),
        title: "Other".to_owned(),
        time_zone: "UTC".to_owned(),
    };
    let other = store.create_course(&other, NOW).await.unwrap();
    let staff = made::member(&store, &other, "Max", Role::Instructor).await;
    assert_eq!(store.submission_seen_by(&one.id, &staff).await.unwrap(), None);

    // Eve is in no group, so her submission is hers.
    let hers = scene.graded(&store, &scene.eve, 9, 5).await;
    assert_eq!(hers.owner, Owner::Person(scene.eve.clone()));
    assert!(!sees(&store, &hers, &scene.ada).await);
    assert_eq!(store.members_with(&hers.id).await.unwrap(), []);

    // A removed member of the course sees nothing of it.
    assert!(store.leave(&scene.suite.course, &scene.bob, None, later(20)).await.unwrap());
    assert_eq!(store.submission_seen_by(&one.id, &scene.bob).await.unwrap(), None);
    let authors = store.authors(&scene.suite.id).await.unwrap();
    let bob = authors.iter().find(|author| author.person == scene.bob).unwrap();
    assert_eq!(bob.role, None, "the marks name a removed member of a group");
}

async fn a_person_who_leaves_keeps_earlier_submissions_and_loses_later_ones(place: EmptyDatabase) {
    let store = place.open().await;
    let scene = GroupScene::new(&store, SuiteSettings::default()).await;
    let before = scene.graded(&store, &scene.ada, 10, 5).await;
    let waiting = submit(&store, &scene.suite, &scene.ada, b"waiting", later(15)).await;
    // Even at the moment of the last submission.
    scene.put(&store, &scene.bob, None, 15).await;
    let report = report(&waiting.module, 7, 1);
    store.write_result(&waiting, 1, &report, later(16)).await.unwrap();
    let after = scene.graded(&store, &scene.ada, 30, 9).await;
    for (one, seen) in [(&before, true), (&waiting, true), (&after, false)] {
        assert_eq!(sees(&store, one, &scene.bob).await, seen, "{}", one.received_at);
        assert!(sees(&store, one, &scene.ada).await);
    }
    assert_eq!(scene.marks(&store).await, [mark("Ada", 9), mark("Bob", 7)]);
    let members = store.members_with(&after.id).await.unwrap();
    assert_eq!(members.len(), 1);
    assert_eq!(store.members_with(&before.id).await.unwrap().len(), 2);

    // The author of a submission keeps it, too, and the group keeps it.
    scene.put(&store, &scene.bob, Some(&scene.red), 40).await;
    scene.put(&store, &scene.ada, None, 50).await;
    assert!(sees(&store, &after, &scene.ada).await);
    assert!(sees(&store, &after, &scene.bob).await);
    let own = scene.graded(&store, &scene.ada, 60, 3).await;
    assert_eq!(own.owner, Owner::Person(scene.ada.clone()));
    assert!(!sees(&store, &own, &scene.bob).await);
    assert_eq!(scene.marks(&store).await, [mark("Ada", 9), mark("Bob", 9)]);

    // The latest submission of each, if the latest counts.
    let latest = SuiteSettings { counts: Counted::Latest, ..scene.suite.settings.clone() };
    store.change_suite(&scene.suite.id, &latest).await.unwrap();
    assert_eq!(scene.marks(&store).await, [mark("Ada", 3), mark("Bob", 9)]);

    store.dissolve_group(&scene.suite.course, &scene.red, later(70)).await.unwrap();
    assert_eq!(store.groups(&scene.suite.course).await.unwrap(), []);
    assert!(sees(&store, &after, &scene.bob).await, "a dissolved group leaves its results");
    assert_eq!(scene.marks(&store).await, [mark("Ada", 3), mark("Bob", 9)]);
}

async fn a_person_who_joins_has_all_submissions_of_the_group(place: EmptyDatabase) {
    let store = place.open().await;
    let scene = GroupScene::new(&store, SuiteSettings::default()).await;
    let own = scene.graded(&store, &scene.eve, 1, 4).await;
    let theirs = scene.graded(&store, &scene.ada, 2, 6).await;
    scene.put(&store, &scene.eve, Some(&scene.red), 10).await;
    assert!(sees(&store, &theirs, &scene.eve).await);
    assert!(sees(&store, &own, &scene.eve).await);
    assert!(!sees(&store, &own, &scene.ada).await, "her individual submission stays hers");
    assert_eq!(scene.marks(&store).await, [mark("Ada", 6), mark("Bob", 6), mark("Eve", 6)]);
}

async fn limits_count_for_the_group(place: EmptyDatabase) {
    let store = place.open().await;
    let limits =
        SuiteSettings { attempts_per_day: Some(2), pending_at_most: 2, ..SuiteSettings::default() };
    let scene = GroupScene::new(&store, limits).await;
    let refused = async |person, module: &[u8], at| match store
        .submit(&new(&scene.suite, person, module), later(at))
        .await
    {
        Ok(one) => panic!("{one:?}"),
        Err(Error::Refused(refusal)) => refusal,
        Err(error) => panic!("{error}"),
    };
    let one = submit(&store, &scene.suite, &scene.ada, b"1", later(1)).await;
    let same = refused(&scene.bob, b"1", 2).await;
    assert!(
        matches!(&same, StoreRefusal::SubmittedBefore { submission, .. } if *submission == one.id),
        "{same:?}"
    );
    let two = submit(&store, &scene.suite, &scene.bob, b"2", later(3)).await;
    assert_eq!([one.of_day, two.of_day], [1, 2]);
    let third = refused(&scene.ada, b"3", 4).await;
    assert!(matches!(third, StoreRefusal::TooManyToday { allowed: 2, .. }), "{third:?}");
    let left = async |person| store.attempts_left(&scene.suite.id, person, later(5)).await.unwrap();
    assert_eq!(left(&scene.bob).await, Some(0));
    assert_eq!(left(&scene.eve).await, Some(2), "a student without a group");
    let many = SuiteSettings { attempts_per_day: None, ..scene.suite.settings.clone() };
    store.change_suite(&scene.suite.id, &many).await.unwrap();
    let third = refused(&scene.ada, b"3", 6).await;
    assert_eq!(third, StoreRefusal::TooManyPending { allowed: 2 });
}

async fn two_members_at_once_do_not_exceed_the_limit(place: EmptyDatabase) {
    let store = place.open().await;
    let limits = SuiteSettings { attempts_per_day: Some(1), ..SuiteSettings::default() };
    let scene = GroupScene::new(&store, limits).await;
    let one = new(&scene.suite, &scene.ada, b"1");
    let other = new(&scene.suite, &scene.bob, b"2");
    let (one, other) = tokio::join!(store.submit(&one, later(1)), store.submit(&other, later(1)));
    assert_eq!([one.is_ok(), other.is_ok()].iter().filter(|ok| **ok).count(), 1);
    assert_eq!(store.submission_count(&scene.suite.id).await.unwrap(), 1);
}

async fn the_queue_is_fair_between_groups(place: EmptyDatabase) {
    let store = place.open().await;
    let scene = GroupScene::new(&store, SuiteSettings::default()).await;
    for (at, person) in [(1, &scene.ada), (2, &scene.bob), (3, &scene.ada)] {
        submit(&store, &scene.suite, person, &[at], later(i64::from(at))).await;
    }
    let hers = submit(&store, &scene.suite, &scene.eve, b"eve", later(4)).await;
    let lease = Duration::from_secs(60);
    let next = async |at| store.next_job("w", lease, later(at)).await.unwrap().unwrap();
    let first = next(10).await;
    assert_eq!(first.submission.person, scene.ada);
    // Bob waits longer, but his group has a lane.
    let second = next(11).await;
    assert_eq!(second.submission, hers);
    store.hand_back(&second, later(12)).await.unwrap();
    let third = next(13).await;
    assert_eq!(third.submission, hers);
    store.hand_back(&third, later(14)).await.unwrap();
    store.write_result(&hers, 1, &report(&hers.module, 1, 1), later(14)).await.unwrap();
    let fourth = next(15).await;
    assert_eq!(fourth.submission.owner, first.submission.owner);
    // Both lanes are the group's: the later one gives way as soon as another account waits.
    assert!(!store.is_in_the_way(&fourth, "w", 2, later(16)).await.unwrap());
    submit(&store, &scene.suite, &scene.eve, b"eve 2", later(17)).await;
    assert!(store.is_in_the_way(&fourth, "w", 2, later(18)).await.unwrap());
}

const DAY: i64 = 24 * 60 * 60 * 1000;

async fn the_latest_extension_of_a_member_counts(place: EmptyDatabase) {
    let store = place.open().await;
    let late = LateRules { policy: LatePolicy::PerDay, percent_per_day: 10, ..Default::default() };
    let settings = SuiteSettings { due_at: Some(later(0)), late, ..SuiteSettings::default() };
    let scene = GroupScene::new(&store, settings).await;
    let (id, course) = (&scene.suite.id, &scene.suite.course);
    let early = scene.graded(&store, &scene.ada, DAY / 2, 10).await;
    assert_eq!(early.lateness, Lateness { days: 1, percent: 90 });
    let ina = &scene.eve;
    store.extend((id, &scene.bob), Some(later(DAY)), ina, NOW).await.unwrap();
    let due = async |person| store.due_of(id, person, later(DAY + 4)).await.unwrap();
    assert_eq!(due(&scene.ada).await, Some(later(DAY)), "the group has his due date");
    assert_eq!(due(&scene.eve).await, Some(later(0)));
    let lateness = async |one: &Submission| {
        let one = store.submission(&one.id).await.unwrap().unwrap();
        let result = store.result(&one.id).await.unwrap().unwrap();
        assert_eq!(one.lateness, result.lateness);
        one.lateness
    };
    assert_eq!(lateness(&early).await, Lateness::ON_TIME, "counted again");
    let second = scene.graded(&store, &scene.ada, DAY + 1, 10).await;
    assert_eq!(second.lateness, Lateness { days: 1, percent: 90 }, "after his due date");

    // He leaves: their earlier submissions keep his due date, and Ada's next one has hers.
    store.move_to_group((course, &scene.bob), None, later(DAY + 2)).await.unwrap();
    assert_eq!(lateness(&early).await, Lateness::ON_TIME);
    let third = scene.graded(&store, &scene.ada, DAY + 3, 10).await;
    assert_eq!(third.lateness, Lateness { days: 2, percent: 80 });
    assert_eq!(due(&scene.ada).await, Some(later(0)));

    // A member who joins later brings the due date along, for all submissions of the group.
    store.extend((id, &scene.eve), Some(later(2 * DAY)), ina, NOW).await.unwrap();
    scene.put(&store, &scene.eve, Some(&scene.red), DAY + 4).await;
    assert_eq!(lateness(&third).await, Lateness::ON_TIME);
    store.extend((id, &scene.eve), None, ina, NOW).await.unwrap();
    assert_eq!(lateness(&third).await, Lateness { days: 2, percent: 80 });
    assert_eq!(lateness(&early).await, Lateness::ON_TIME);
}

async fn a_scoreboard_has_one_line_for_a_group(place: EmptyDatabase) {
    let store = place.open().await;
    let scene = GroupScene::new(&store, SuiteSettings::default()).await;
    let (id, course) = (&scene.suite.id, &scene.suite.course);
    for (person, name) in [(&scene.ada, "Owl"), (&scene.bob, "Fox"), (&scene.eve, "Elk")] {
        store.set_pseudonym(course, person, name).await.unwrap();
    }
    scene.graded(&store, &scene.ada, 1, 5).await;
    scene.graded(&store, &scene.bob, 3, 9).await;
    scene.graded(&store, &scene.eve, 5, 7).await;
    let rows = store.scoreboard(id, None).await.unwrap();
    let told: Vec<_> = rows.iter().map(|row| (&*row.name, row.rank, row.attempts)).collect();
    assert_eq!(told, [("Ada, Bob", Some(1), 2), ("Eve", Some(2), 1)]);
    assert_eq!(rows[0].owner, Owner::Group(scene.red.clone()));
    assert_eq!(rows[0].pseudonym, "Fox, Owl");
    assert!(!rows[0].shows_real_name);
    assert_eq!(rows[0].result.person, scene.bob, "the submitter");

    // Members see names as their owners show them, and search for no others.
    store.show_real_name(course, &scene.ada, true).await.unwrap();
    let members = ScoreboardQuery::all(Audience::Members(later(9)));
    let found = async |name| {
        let asked = ScoreboardQuery { name, ..members };
        let rows = store.scoreboard_part(id, &asked).await.unwrap().rows;
        rows.into_iter().map(|row| row.pseudonym).collect::<Vec<_>>()
    };
    assert_eq!(found("ada").await, ["Fox, Ada"]);
    assert_eq!(found("fox").await, ["Fox, Ada"]);
    assert!(found("bob").await.is_empty() && found("owl").await.is_empty());

    for person in [&scene.ada, &scene.bob] {
        let line = store.board_line(id, person, later(9)).await.unwrap().unwrap();
        assert_eq!((line.owner, line.rank), (Owner::Group(scene.red.clone()), Some(1)));
        let ahead = ScoreboardQuery::all(Audience::Ahead(person, later(9)));
        assert_eq!(store.scoreboard_part(id, &ahead).await.unwrap().rows.len(), 1);
    }
    let line = store.board_line(id, &scene.eve, later(9)).await.unwrap().unwrap();
    assert_eq!((line.owner, line.rank), (Owner::Person(scene.eve.clone()), Some(2)));
    // A group without members has no line.
    store.create_group(course, "Blue", later(10)).await.unwrap();
    assert_eq!(store.scoreboard(id, None).await.unwrap().len(), 2);
}

async fn every_member_gets_the_mark(place: EmptyDatabase) {
    let store = place.open().await;
    let scene = GroupScene::new(&store, SuiteSettings::default()).await;
    scene.graded(&store, &scene.ada, 1, 5).await;
    scene.graded(&store, &scene.bob, 3, 9).await;
    scene.graded(&store, &scene.eve, 5, 7).await;
    assert_eq!(scene.marks(&store).await, [mark("Ada", 9), mark("Bob", 9), mark("Eve", 7)]);
    let rows = store.counting_results(&scene.suite.id).await.unwrap();
    let ranks: Vec<_> = rows.iter().map(|row| row.rank.unwrap()).collect();
    assert_eq!(ranks, [1, 1, 3], "ranks of people, as on a mark sheet");
    // Without the setting, each member has their own line with the same result.
    let alone = SuiteSettings { by_groups: false, ..scene.suite.settings.clone() };
    store.change_suite(&scene.suite.id, &alone).await.unwrap();
    let rows = store.scoreboard(&scene.suite.id, None).await.unwrap();
    let lines: Vec<_> = rows.iter().map(|row| (&*row.name, row.attempts)).collect();
    assert_eq!(lines.len(), 3);
    assert!(lines.contains(&("Ada", 2)) && lines.contains(&("Eve", 1)), "{lines:?}");
    assert_eq!(scene.marks(&store).await, [mark("Ada", 9), mark("Bob", 9), mark("Eve", 7)]);
    // Ada owns new submissions, and keeps the earlier ones.
    let own = scene.graded(&store, &scene.ada, 9, 10).await;
    assert_eq!(own.owner, Owner::Person(scene.ada.clone()));
    assert_eq!(scene.marks(&store).await, [mark("Ada", 10), mark("Bob", 9), mark("Eve", 7)]);
}

async fn a_suite_without_groups_is_as_before(place: EmptyDatabase) {
    let store = place.open().await;
    let scene = GroupScene::new(&store, SuiteSettings::default()).await;
    let alone = SuiteSettings { by_groups: false, ..scene.suite.settings.clone() };
    store.change_suite(&scene.suite.id, &alone).await.unwrap();
    let one = scene.graded(&store, &scene.ada, 1, 5).await;
    assert_eq!(one.owner, Owner::Person(scene.ada.clone()));
    assert!(!sees(&store, &one, &scene.bob).await);
    assert_eq!(scene.marks(&store).await, [mark("Ada", 5)]);
    assert_eq!(store.scoreboard(&scene.suite.id, None).await.unwrap().len(), 1);
}

async fn a_rejudge_of_counting_submissions_keeps_the_marks_of_former_members(place: EmptyDatabase) {
    let store = place.open().await;
    let scene = GroupScene::new(&store, SuiteSettings::default()).await;
    let before = scene.graded(&store, &scene.ada, 1, 5).await;
    scene.put(&store, &scene.bob, None, 5).await;
    let after = scene.graded(&store, &scene.ada, 9, 8).await;
    for (scope, at) in [(Scope::Counted, 20), (Scope::Latest, 30)] {
        let generation =
            store.rejudge(&scene.suite.id, &scope, Showing::Complete, later(at)).await.unwrap();
        for (one, points) in [(&before, 5), (&after, 8)] {
            let report = report(&one.module, points, 1);
            store.write_result(one, generation, &report, later(at + 1)).await.unwrap();
        }
        let suite = store.suite(&scene.suite.id).await.unwrap().unwrap();
        assert_eq!(suite.shown, generation);
        assert_eq!(scene.marks(&store).await, [mark("Ada", 8), mark("Bob", 5)], "{scope:?}");
    }
    // Both are in the scope: neither would be graded otherwise.
    let generation = store
        .rejudge(&scene.suite.id, &Scope::Counted, Showing::Complete, later(40))
        .await
        .unwrap();
    let lease = Duration::from_secs(60);
    let mut graded = Vec::new();
    for at in 41..43 {
        let job = store.next_job("w", lease, later(at)).await.unwrap().unwrap();
        assert_eq!(job.generation, generation);
        graded.push(job.submission.id);
    }
    graded.sort();
    let mut both = [before.id, after.id];
    both.sort();
    assert_eq!(graded, both);
    assert_eq!(store.next_job("w", lease, later(44)).await.unwrap(), None);
}

async fn a_list_of_groups_is_accepted_as_a_whole_or_refused(place: EmptyDatabase) {
    let store = place.open().await;
    let scene = GroupScene::new(&store, SuiteSettings::default()).await;
    let course = &scene.suite.course;
    let entry = |person: &PersonId, group: Option<&str>| GroupMove {
        person: person.clone(),
        group: group.map(str::to_owned),
    };
    let list = [entry(&scene.ada, Some("red")), entry(&scene.bob, Some("Blue"))];
    let list = [list.as_slice(), &[entry(&scene.eve, Some(" BLUE "))]].concat();
    store.set_groups(course, &list, later(1)).await.unwrap();
    let told = async || {
        let groups = store.groups(course).await.unwrap();
        let names = |group: judge_store::Group| {
            let members: Vec<String> = group.members.into_iter().map(|one| one.name).collect();
            format!("{}: {}", group.name, members.join(" "))
        };
        groups.into_iter().map(names).collect::<Vec<_>>()
    };
    assert_eq!(told().await, ["Blue: Bob Eve", "Red: Ada"]);
    let tidy = store.group_of(course, &scene.eve).await.unwrap().unwrap();
    assert_eq!(tidy.members.len(), 2);

    let zoe = judge_store::NewPerson { name: "Zoe".to_owned(), ..Default::default() };
    let unknown = store.add_person(&zoe, NOW).await.unwrap().id;
    let list = [entry(&scene.ada, None), entry(&unknown, Some("Blue"))];
    let refused = store.set_groups(course, &list, later(2)).await;
    assert!(matches!(refused, Err(Error::Missing { what: "student", .. })), "{refused:?}");
    assert_eq!(told().await, ["Blue: Bob Eve", "Red: Ada"], "nothing was changed");

    let course = store.course(course).await.unwrap().unwrap();
    let mut list = vec![entry(&scene.ada, Some("Blue"))];
    for number in 0..MOST_MEMBERS - 2 {
        let name = format!("Student {number}");
        let person = made::member(&store, &course, &name, Role::Student).await;
        list.push(entry(&person, Some("Blue")));
    }
    let refused = store.set_groups(&course.id, &list, later(3)).await;
    assert!(matches!(refused, Err(Error::GroupFull { .. })), "{refused:?}");
    // Bob makes room in the same list.
    list.push(entry(&scene.bob, Some("Red")));
    store.set_groups(&course.id, &list, later(4)).await.unwrap();
    let blue = store.group_of(&course.id, &scene.eve).await.unwrap().unwrap();
    assert_eq!(blue.members.len(), MOST_MEMBERS);
    let crowd = store.move_to_group((&course.id, &scene.bob), Some(&blue.id), later(5)).await;
    assert!(matches!(crowd, Err(Error::GroupFull { .. })), "{crowd:?}");
}

async fn names_are_unique_until_a_group_is_dissolved(place: EmptyDatabase) {
    let store = place.open().await;
    let scene = GroupScene::new(&store, SuiteSettings::default()).await;
    let course = &scene.suite.course;
    let again = store.create_group(course, " RED ", NOW).await;
    assert!(matches!(again, Err(Error::Taken { what: "group", .. })), "{again:?}");
    assert!(store.create_group(course, "  ", NOW).await.is_err());
    let blue = store.create_group(course, "Blue", NOW).await.unwrap();
    let taken = store.rename_group(course, &blue, "red").await;
    assert!(matches!(taken, Err(Error::Taken { .. })), "{taken:?}");
    store.rename_group(course, &scene.red, "RED").await.unwrap();
    store.dissolve_group(course, &scene.red, later(1)).await.unwrap();
    store.rename_group(course, &blue, "Red").await.unwrap();
    for gone in [
        store.rename_group(course, &scene.red, "Green").await,
        store.dissolve_group(course, &scene.red, later(2)).await,
        store.move_to_group((course, &scene.ada), Some(&scene.red), later(2)).await,
    ] {
        assert!(matches!(gone, Err(Error::Missing { what: "group", .. })), "{gone:?}");
    }
}

async fn only_students_are_in_groups(place: EmptyDatabase) {
    let store = place.open().await;
    let scene = GroupScene::new(&store, SuiteSettings::default()).await;
    let course = &scene.suite.course;
    let group = async |person| store.group_of(course, person).await.unwrap();
    store.change_role(course, &scene.ada, Role::Assistant, None, later(1)).await.unwrap();
    assert_eq!(group(&scene.ada).await, None);
    let staff = store.move_to_group((course, &scene.ada), Some(&scene.red), later(2)).await;
    assert!(matches!(staff, Err(Error::Missing { what: "student", .. })), "{staff:?}");
    store.join(course, &scene.bob, Role::Observer, later(3)).await.unwrap();
    assert_eq!(group(&scene.bob).await, None);
    // A person who comes back is in no group.
    scene.put(&store, &scene.eve, Some(&scene.red), 4).await;
    store.leave(course, &scene.eve, None, later(5)).await.unwrap();
    store.join(course, &scene.eve, Role::Student, later(6)).await.unwrap();
    assert_eq!(group(&scene.eve).await, None);
}

async fn a_group_of_another_course_is_not_found(place: EmptyDatabase) {
    let store = place.open().await;
    let scene = GroupScene::new(&store, SuiteSettings::default()).await;
    let other = judge_store::NewCourse {
        slug: "other".to_owned(),
        title: "Other".to_owned(),
        time_zone: "UTC".to_owned(),
    };
    let other = store.create_course(&other, NOW).await.unwrap().id;
    store.join(&other, &scene.ada, Role::Student, NOW).await.unwrap();
    for wrong in [
        store.rename_group(&other, &scene.red, "Mine").await,
        store.dissolve_group(&other, &scene.red, NOW).await,
        store.move_to_group((&other, &scene.ada), Some(&scene.red), NOW).await,
    ] {
        assert!(matches!(wrong, Err(Error::Missing { what: "group", .. })), "{wrong:?}");
    }
    assert_eq!(store.groups(&other).await.unwrap(), []);
    assert_eq!(store.group_of(&other, &scene.ada).await.unwrap(), None);
    // The same person can be in a group of each course.
    let blue = store.create_group(&other, "Red", NOW).await.unwrap();
    store.move_to_group((&other, &scene.ada), Some(&blue), NOW).await.unwrap();
    let both = [&scene.suite.course, &other];
    for course in both {
        assert!(store.group_of(course, &scene.ada).await.unwrap().is_some());
    }
}

async fn a_copy_of_a_course_has_no_groups(place: EmptyDatabase) {
    let store = place.open().await;
    let scene = GroupScene::new(&store, SuiteSettings::default()).await;
    let copy = CourseCopy { slug: "next".to_owned(), title: "Next".to_owned(), days: 0 };
    let copy = store.copy_course_with_link(&scene.suite.course, &copy, later(9), NOW).await;
    let (copy, _) = copy.unwrap();
    assert_eq!(store.groups(&copy.id).await.unwrap(), []);
    let suite = store.suites_of(&copy.id).await.unwrap().remove(0);
    assert!(suite.settings.by_groups, "the setting is copied");
}

async fn bots_on_ladders_belong_to_the_group(place: EmptyDatabase) {
    let store = place.open().await;
    let scene = GroupScene::new(&store, SuiteSettings::default()).await;
    let course = &scene.suite.course;
    let arena = NewArena {
        course,
        slug: "tiles",
        title: "Tiles",
        game: "mahjong",
        options: &Options::new(),
        opponents: &[],
        anchor: "random",
        scoring: Scoring::Result,
        season: "Season 1",
        ends_at: None,
    };
    let arena = store.create_arena(&arena, NOW).await.unwrap().id;
    let one = scene.graded(&store, &scene.ada, 1, 5).await;
    let two = scene.graded(&store, &scene.bob, 3, 6).await;
    let enter = async |person, one: &Submission| {
        store.enter_bot(&arena, person, ("Hunter", &one.id), later(5)).await
    };
    let bot = enter(&scene.bob, &one).await.unwrap();
    assert_eq!(bot.owner, Some(Owner::Group(scene.red.clone())));
    assert_eq!(bot.real_name.as_deref(), Some("Ada, Bob"));
    assert_eq!((bot.status, bot.role), (BotStatus::Active, Some(Role::Student)));
    let again = enter(&scene.ada, &two).await.unwrap();
    assert_eq!((again.id, again.newest.number), (bot.id.clone(), 2), "any member, one bot");
    let refused = enter(&scene.eve, &one).await;
    let not_fitting =
        |error: &Result<_, Error>| matches!(error, Err(Error::Ladder(LadderRefusal::NotFitting)));
    assert!(not_fitting(&refused), "{refused:?}");
    scene.put(&store, &scene.ada, None, 10).await;
    let refused = enter(&scene.ada, &one).await;
    assert!(not_fitting(&refused), "a former member: {refused:?}");
    let hers = scene.graded(&store, &scene.ada, 11, 5).await;
    let taken = enter(&scene.ada, &hers).await;
    assert!(matches!(taken, Err(Error::Taken { .. })), "{taken:?}");
    let bot = store.ladder_bot(&bot.id).await.unwrap().unwrap();
    assert_eq!(bot.real_name.as_deref(), Some("Bob"));
    store.dissolve_group(course, &scene.red, later(20)).await.unwrap();
    let bot = store.ladder_bot(&bot.id).await.unwrap().unwrap();
    assert_eq!((bot.status, bot.role), (BotStatus::Withdrawn, None));
    let versions = store.all_versions(&arena).await.unwrap();
    let of_bot: Vec<_> = versions.iter().filter(|one| one.bot == bot.id).collect();
    assert!(of_bot.iter().all(|one| one.faults_out == i64::MAX), "{of_bot:?}");
}

async fn changes_of_groups_are_in_the_log(place: EmptyDatabase) {
    let store = place.open().await;
    let scene = GroupScene::new(&store, SuiteSettings::default()).await;
    let acting = store.acting(Some(&scene.eve), later(1));
    let course = &scene.suite.course;
    let blue = acting.create_group(course, "Blue", NOW).await.unwrap();
    acting.rename_group(course, &blue, "Navy").await.unwrap();
    acting.move_to_group((course, &scene.eve), Some(&blue), NOW).await.unwrap();
    acting.set_groups(course, &[], NOW).await.unwrap();
    acting.dissolve_group(course, &blue, NOW).await.unwrap();
    let log = store.log_of_course(course, 0, 9).await.unwrap();
    let mut details: Vec<&str> = log.iter().map(|entry| entry.detail.as_str()).collect();
    details.sort_unstable();
    assert_eq!(details, ["created one", "dissolved one", "moved", "moved 0", "renamed one"]);
    assert!(log.iter().all(|entry| entry.act == Act::GroupsChanged));
}

async fn an_erased_members_submission_stays_with_the_group(place: EmptyDatabase) {
    let store = place.open().await;
    let scene = GroupScene::new(&store, SuiteSettings::default()).await;
    let shared = scene.graded(&store, &scene.ada, 1, 5).await;
    let own = scene.graded(&store, &scene.eve, 2, 3).await;
    let data = store.own_data(&scene.ada).await.unwrap();
    assert_eq!(data["groups"][0]["name"], "Red");
    for person in [&scene.ada, &scene.eve] {
        store.erase_person(person, later(9)).await.unwrap();
    }
    assert!(sees(&store, &shared, &scene.bob).await, "it is Bob's mark");
    let kept = store.submission(&shared.id).await.unwrap().unwrap();
    assert_eq!((kept.name.as_str(), kept.file_name.as_str()), ("erased", ""));
    assert_eq!(scene.marks(&store).await, [mark("Bob", 5)]);
    assert!(store.submission(&own.id).await.unwrap().is_none());
    // The last member's erasure takes the group's submissions along.
    store.erase_person(&scene.bob, later(10)).await.unwrap();
    assert!(store.submission(&shared.id).await.unwrap().is_none());
}

async fn an_erased_member_leaves_the_due_dates_of_the_others(place: EmptyDatabase) {
    let store = place.open().await;
    let settings = SuiteSettings { due_at: Some(later(100)), ..SuiteSettings::default() };
    let scene = GroupScene::new(&store, settings).await;
    let (suite, until) = (&scene.suite.id, Some(later(1_000_000)));
    for person in [&scene.ada, &scene.eve] {
        store.extend((suite, person), until, &scene.bob, NOW).await.unwrap();
    }
    let late = scene.graded(&store, &scene.bob, 500, 5).await;
    assert_eq!(late.lateness, Lateness { days: 0, percent: 100 });
    for person in [&scene.ada, &scene.eve] {
        store.erase_person(person, later(600)).await.unwrap();
    }
    // Each change of settings counts the points again.
    let recounted = async || {
        store.change_suite(suite, &scene.suite.settings).await.unwrap();
        store.submission(&late.id).await.unwrap().unwrap().lateness
    };
    assert_eq!(recounted().await, late.lateness, "her due date is still the group's");
    assert_eq!(scene.marks(&store).await, [mark("Bob", 5)]);
    let people = async || store.extensions(suite).await.unwrap().into_keys().collect::<Vec<_>>();
    assert_eq!(people().await, std::slice::from_ref(&scene.ada), "Eve was in no group");
    // She is not a member now, so she is not listed.
    let group = store.group_of(&scene.suite.course, &scene.bob).await.unwrap().unwrap();
    let listed = store.members_with(&late.id).await.unwrap();
    for members in [&group.members, &listed] {
        assert_eq!(members.iter().map(|one| one.name.as_str()).collect::<Vec<_>>(), ["Bob"]);
    }
    let authors = store.authors(suite).await.unwrap();
    assert_eq!(authors.iter().map(|one| one.name.as_str()).collect::<Vec<_>>(), ["Bob"]);
    // Without owners, the submission is deleted completely.
    store.erase_person(&scene.bob, later(700)).await.unwrap();
    assert_eq!(people().await, []);
    assert!(store.own_data(&scene.ada).await.unwrap()["groups"].as_array().unwrap().is_empty());
    assert!(store.submission(&late.id).await.unwrap().is_none());
}

async fn a_submission_after_a_member_left_goes_with_the_last_other_member(place: EmptyDatabase) {
    let store = place.open().await;
    let scene = GroupScene::new(&store, SuiteSettings::default()).await;
    let shared = scene.graded(&store, &scene.ada, 1, 5).await;
    scene.put(&store, &scene.ada, None, 10).await;
    let bobs = scene.graded(&store, &scene.bob, 20, 7).await;
    store.erase_person(&scene.bob, later(30)).await.unwrap();
    assert!(sees(&store, &shared, &scene.ada).await, "it is Ada's mark");
    assert!(store.submission(&bobs.id).await.unwrap().is_none(), "she had left before");
}
