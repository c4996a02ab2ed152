use judge_core::Points;
use judge_store::{
    Counted, Error, HiddenShown, LatePolicy, LateRules, NewCourse, NewInvitation, NewPerson,
    NewSuite, RestShown, Role, Scope, ScoreboardMode, Showing, SuiteSettings,
};

use crate::made::{self, NOW, later, report, submit};
use crate::support::EmptyDatabase;

async fn a_suite_reads_back_with_its_secrets_and_without_them(place: EmptyDatabase) {
    let store = place.open().await;
    let course = made::course(&store).await;
    let settings = SuiteSettings {
        opens_at: Some(later(1)),
        due_at: Some(later(2)),
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
        frozen_at: Some(later(5)),
        shown_per_day: Some(6),
        rest_shown: RestShown::Due,
        hidden_shown: HiddenShown::AfterDue,
        by_groups: true,
    };
    let suite = made::suite(&store, &course, settings.clone()).await;
    assert_eq!((suite.title.as_str(), suite.games.as_str()), ("Warm-up", "mahjong"));
    assert_eq!(suite.settings, settings);
    let files = made::files("Warm-up");
    let again = store.grading_suite(&suite.id, 1).await.unwrap();
    assert_eq!(again, files);
    assert_eq!(again.testcases.iter().filter(|case| case.hidden).count(), 1);
    let open = store.suite_files(&suite.id, 1).await.unwrap();
    assert_eq!(open.len(), 2);
    assert!(!open.iter().any(|(_, text)| text.contains("424242")), "{open:?}");
    assert!(!format!("{suite:?}").contains("424242"));

    store.change_suite(&suite.id, &SuiteSettings::default()).await.unwrap();
    let changed = store.suite_by_slug(&course.id, "warm-up").await.unwrap().unwrap();
    assert_eq!(changed.settings, SuiteSettings::default());
    assert_eq!(store.suites_of(&course.id).await.unwrap(), [changed]);
    let twice = NewSuite { course: &course.id, slug: "warm-up", files: &files, settings };
    let error = store.create_suite(&twice, NOW).await.unwrap_err();
    assert!(matches!(error, Error::Taken { what: "suite", .. }), "{error}");
}

async fn a_course_is_created_with_all_its_suites_or_not_at_all(place: EmptyDatabase) {
    let store = place.open().await;
    let new =
        NewCourse { slug: "b".to_owned(), title: "B".to_owned(), time_zone: "UTC".to_owned() };
    let suites = ["one", "two", "one"].map(|slug| (slug.to_owned(), made::files("Warm-up")));
    let settings = SuiteSettings::default();
    let refused = store.begin_course(&new, (&suites, &settings), later(9), NOW).await;
    assert!(matches!(refused, Err(Error::Taken { what: "suite", .. })), "{refused:?}");
    assert_eq!(store.course_by_slug("b").await.unwrap(), None);
    let begun = store.begin_course(&new, (&suites[..2], &settings), later(9), NOW).await;
    let (course, secret) = begun.unwrap();
    assert_eq!(store.suites_of(&course.id).await.unwrap().len(), 2);
    let link = store.invitation(secret.reveal(), NOW).await.unwrap();
    assert_eq!((link.course.as_ref(), link.role), (Some(&course.id), Role::Instructor));
    let refused = store.create_suites(&course.id, (&suites[2..], &settings), NOW).await;
    assert!(matches!(refused, Err(Error::Taken { what: "suite", .. })), "{refused:?}");
}

async fn a_list_is_invited_as_a_whole_or_refused(place: EmptyDatabase) {
    let store = place.open().await;
    let course = made::course(&store).await;
    let person = |name: &str| NewPerson {
        name: name.to_owned(),
        address: Some("a@x".to_owned()).filter(|_| name == "Ada"),
        ..NewPerson::default()
    };
    let expires_at = later(9);
    let new = NewInvitation {
        course: Some(course.id.clone()),
        role: Role::Student,
        person: None,
        listed: None,
        expires_at,
    };
    let refused = store.invite_people(None, &new, &[person("Ada"), person(" ")], NOW).await;
    assert!(matches!(refused, Err(Error::Name { .. })), "{refused:?}");
    assert_eq!(store.person_by_address("a@x").await.unwrap(), None);
    for _ in 0..2 {
        let made = store.invite_people(None, &new, &[person("Ada"), person("Bob")], NOW).await;
        assert_eq!(made.unwrap().len(), 2);
    }
    let ada = store.person_by_address("a@x").await.unwrap().unwrap().id;
    let all = store.invitations(&course.id).await.unwrap();
    assert_eq!(all.iter().filter(|one| one.person.as_ref() == Some(&ada)).count(), 2);
    assert_eq!(store.take_back_all(&course.id, Some(&ada), NOW).await.unwrap(), 2);
    assert_eq!(store.take_back_all(&course.id, None, later(10)).await.unwrap(), 0, "expired");
    assert_eq!(store.take_back_all(&course.id, None, NOW).await.unwrap(), 2);
}

async fn old_results_are_shown_until_the_rejudge_is_complete(place: EmptyDatabase) {
    let store = place.open().await;
    let (suite, [ada, bob]) = made::scene(&store, SuiteSettings::default()).await;
    let ada = submit(&store, &suite, &ada, b"a", NOW).await;
    let bob = submit(&store, &suite, &bob, b"b", later(1)).await;
    for one in [&ada, &bob] {
        store.write_result(one, 1, &report(&one.module, 5, 1), later(2)).await.unwrap();
    }
    let same =
        store.set_files(&suite.id, &made::files("Warm-up"), Showing::Complete, NOW).await.unwrap();
    assert_eq!(same, 1, "nothing changed");
    assert_eq!(
        store.set_files(&suite.id, &made::files("Other"), Showing::Complete, NOW).await.unwrap(),
        2
    );
    let now = async || {
        let suite = store.suite(&suite.id).await.unwrap().unwrap();
        let points = async |id| store.result(id).await.unwrap().unwrap().points;
        (suite.generation, suite.shown, [points(&ada.id).await, points(&bob.id).await])
    };
    let whole = |points: [u32; 2]| points.map(Points::whole);
    assert_eq!(now().await, (2, 1, whole([5, 5])));
    store.write_result(&ada, 2, &report(&ada.module, 9, 1), later(3)).await.unwrap();
    assert_eq!(now().await, (2, 1, whole([5, 5])), "one is missing");
    store.write_result(&bob, 2, &report(&bob.module, 8, 1), later(4)).await.unwrap();
    assert_eq!(now().await, (2, 2, whole([9, 8])));
    assert_eq!(store.results_of(&ada.id).await.unwrap().len(), 2, "the old one stays");
    assert_eq!(store.suite(&suite.id).await.unwrap().unwrap().title, "Other");
    assert_eq!(store.grading_suite(&suite.id, 1).await.unwrap().title, "Warm-up");
}

async fn a_rejudge_covers_only_its_scope(place: EmptyDatabase) {
    let store = place.open().await;
    let settings = SuiteSettings { pending_at_most: 9, ..SuiteSettings::default() };
    let (suite, [ada, bob]) = made::scene(&store, settings).await;
    let mut all = Vec::new();
    for (person, module, points) in [(&ada, b"1", 9), (&ada, b"2", 5), (&bob, b"3", 7)] {
        let one = submit(&store, &suite, person, module, later(all.len() as i64)).await;
        store.write_result(&one, 1, &report(&one.module, points, 1), later(9)).await.unwrap();
        all.push(one);
    }
    let [best, latest, only] = [0, 1, 2].map(|at| all[at].clone());
    let jobs = async || {
        let mut found = Vec::new();
        let lease = std::time::Duration::from_secs(60);
        while let Some(job) = store.next_job("w", lease, later(10)).await.unwrap() {
            assert!(job.is_again);
            found.push(job.submission.id.clone());
            let module = &job.submission.module;
            let report = report(module, 1, 1);
            store.write_result(&job.submission, job.generation, &report, later(11)).await.unwrap();
        }
        found.sort();
        found
    };
    let sorted = |ids: &[&judge_store::Submission]| {
        let mut ids: Vec<_> = ids.iter().map(|one| one.id.clone()).collect();
        ids.sort();
        ids
    };
    let shown = async || store.suite(&suite.id).await.unwrap().unwrap().shown;
    store.rejudge(&suite.id, &Scope::Counted, Showing::Complete, NOW).await.unwrap();
    assert_eq!(jobs().await, sorted(&[&best, &only]));
    assert_eq!(shown().await, 2);
    store.rejudge(&suite.id, &Scope::Latest, Showing::Complete, NOW).await.unwrap();
    assert_eq!(jobs().await, sorted(&[&latest, &only]));
    store
        .rejudge(&suite.id, &Scope::Listed(vec![best.id.clone()]), Showing::Complete, NOW)
        .await
        .unwrap();
    assert_eq!(jobs().await, sorted(&[&best]));
    store.rejudge(&suite.id, &Scope::All, Showing::Complete, NOW).await.unwrap();
    assert_eq!(jobs().await, sorted(&[&best, &latest, &only]));
    assert_eq!(shown().await, 5);
    store.rejudge(&suite.id, &Scope::Listed(Vec::new()), Showing::Complete, NOW).await.unwrap();
    assert_eq!(shown().await, 6, "nothing to wait for");
}

async fn the_best_is_chosen_again_after_a_change_of_thresholds(place: EmptyDatabase) {
    let store = place.open().await;
    let settings = SuiteSettings { pending_at_most: 9, ..SuiteSettings::default() };
    let (suite, [ada, _]) = made::scene(&store, settings).await;
    let mut all = Vec::new();
    for (module, points) in [(b"1", 9), (b"2", 12), (b"3", 12), (b"4", 3)] {
        let one = submit(&store, &suite, &ada, module, later(all.len() as i64)).await;
        store.write_result(&one, 1, &report(&one.module, points, 1), later(9)).await.unwrap();
        all.push(one);
    }
    let chosen = async || {
        let row = store.scoreboard(&suite.id, None).await.unwrap().remove(0);
        all.iter().position(|one| one.id == row.result.submission).unwrap()
    };
    assert_eq!(chosen().await, 1, "the earliest of two equal ones");
    store.set_files(&suite.id, &made::files("Harder"), Showing::Complete, later(10)).await.unwrap();
    // Grading the best ones again does not keep the choice by the old thresholds.
    store.rejudge(&suite.id, &Scope::Counted, Showing::Complete, later(11)).await.unwrap();
    let present = store.suite(&suite.id).await.unwrap().unwrap();
    assert_eq!(present.regraded(Scope::Counted), Scope::All);
    assert_eq!(store.queue_state(later(12)).await.unwrap().again, 4);
    for (one, points) in std::iter::zip(&all, [9, 4, 4, 9]) {
        let (report, generation) = (report(&one.module, points, 1), present.generation);
        store.write_result(one, generation, &report, later(13)).await.unwrap();
    }
    let shown = store.suite(&suite.id).await.unwrap().unwrap();
    assert_eq!((shown.shown, shown.regraded(Scope::Counted)), (3, Scope::Counted));
    assert_eq!(chosen().await, 0, "the earliest of those that are best now");
}

on_both! {
    the_best_is_chosen_again_after_a_change_of_thresholds
    a_suite_reads_back_with_its_secrets_and_without_them
    old_results_are_shown_until_the_rejudge_is_complete
    a_rejudge_covers_only_its_scope
    a_course_is_created_with_all_its_suites_or_not_at_all
    a_list_is_invited_as_a_whole_or_refused
}
