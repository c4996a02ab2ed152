use judge_store::{Error, NewCourse, NewPerson, NewSuite, Role, Showing, SuiteSettings};

use crate::made::{self, NOW};
use crate::support::EmptyDatabase;

async fn addresses_and_pseudonyms_are_unique(place: EmptyDatabase) {
    let store = place.open().await;
    let ada = NewPerson {
        name: " Ada\u{7} ".to_owned(),
        address: Some("Ada@Example.org".to_owned()),
        ..NewPerson::default()
    };
    let found = store.add_person(&ada, NOW).await.unwrap();
    assert_eq!(found.name, "Ada\\u{7}", "nothing that steers a terminal is kept");
    let error = store.add_person(&ada, NOW).await.unwrap_err();
    assert!(matches!(&error, Error::Taken { value, .. } if value == "ada@example.org"), "{error}");
    let by_address = store.person_by_address(" ADA@example.org").await.unwrap();
    assert_eq!(by_address, Some(found.clone()));
    assert_eq!(store.person(&found.id).await.unwrap(), Some(found));

    let course = made::course(&store).await;
    let [bob, eve] = ["Bob", "Eve"].map(|name| (name, Role::Student));
    let bob = made::member(&store, &course, bob.0, bob.1).await;
    let eve = made::member(&store, &course, eve.0, eve.1).await;
    store.set_pseudonym(&course.id, &bob, "the fox").await.unwrap();
    let error = store.set_pseudonym(&course.id, &eve, "the fox").await.unwrap_err();
    assert!(matches!(error, Error::Taken { what: "pseudonym", .. }), "{error}");
    store.show_real_name(&course.id, &bob, true).await.unwrap();
    let bob = store.member(&course.id, &bob).await.unwrap().unwrap();
    assert_eq!((bob.pseudonym.as_str(), bob.shows_real_name), ("the fox", true));
    let eve = store.member(&course.id, &eve).await.unwrap().unwrap();
    assert!(!eve.shows_real_name && !eve.pseudonym.contains("Eve"), "{eve:?}");
}

async fn joining_again_changes_only_the_role(place: EmptyDatabase) {
    let store = place.open().await;
    let course = made::course(&store).await;
    let ada = made::member(&store, &course, "Ada", Role::Student).await;
    store.set_pseudonym(&course.id, &ada, "the fox").await.unwrap();
    store.join(&course.id, &ada, Role::Assistant, NOW).await.unwrap();
    let members = store.members(&course.id).await.unwrap();
    assert_eq!(members.len(), 1);
    assert_eq!((members[0].role, members[0].pseudonym.as_str()), (Role::Assistant, "the fox"));
    assert_eq!(store.courses_of(&ada).await.unwrap(), [(course.clone(), Role::Assistant)]);
    assert!(store.leave(&course.id, &ada, None, NOW).await.unwrap());
    assert_eq!(store.courses_of(&ada).await.unwrap(), []);
}

async fn a_course_keeps_its_last_instructor(place: EmptyDatabase) {
    let store = place.open().await;
    let course = made::course(&store).await.id;
    let whole = store.course(&course).await.unwrap().unwrap();
    let tess = made::member(&store, &whole, "Tess", Role::Instructor).await;
    let ann = made::member(&store, &whole, "Ann", Role::Assistant).await;
    assert!(!store.change_role(&course, &tess, Role::Student, None, NOW).await.unwrap());
    assert!(!store.leave(&course, &tess, None, NOW).await.unwrap());
    assert!(store.change_role(&course, &tess, Role::Instructor, None, NOW).await.unwrap());
    assert!(store.change_role(&course, &ann, Role::Instructor, None, NOW).await.unwrap());
    assert!(store.change_role(&course, &tess, Role::Student, None, NOW).await.unwrap());
    assert_eq!(store.member(&course, &tess).await.unwrap().unwrap().role, Role::Student);
    assert!(!store.leave(&course, &ann, None, NOW).await.unwrap());
    assert!(store.leave(&course, &tess, None, NOW).await.unwrap());
    assert!(!store.leave(&course, &tess, None, NOW).await.unwrap(), "she has left already");
    assert!(!store.change_role(&course, &tess, Role::Student, None, NOW).await.unwrap());
}

async fn two_instructors_who_remove_each_other_at_once_leave_one(place: EmptyDatabase) {
    let store = place.open().await;
    let course = made::course(&store).await;
    for number in 0..20 {
        let names = [format!("Tess {number}"), format!("Ann {number}")];
        let tess = made::member(&store, &course, &names[0], Role::Instructor).await;
        let ann = made::member(&store, &course, &names[1], Role::Instructor).await;
        let (here, there, id) = (store.clone(), store.clone(), course.id.clone());
        let one = tokio::spawn(async move {
            here.change_role(&id, &tess, Role::Student, Some(&tess), NOW).await
        });
        let id = course.id.clone();
        let other = tokio::spawn(async move { there.leave(&id, &ann, Some(&ann), NOW).await });
        let (one, other) = (one.await.unwrap().unwrap(), other.await.unwrap().unwrap());
        assert_ne!(one, other, "{number}: one of them, and not both");
        let left = store.members(&course.id).await.unwrap();
        let left: Vec<_> = left.iter().filter(|one| one.role == Role::Instructor).collect();
        assert_eq!(left.len(), 1, "{number}");
        store.join(&course.id, &left[0].person, Role::Student, NOW).await.unwrap();
    }
}

async fn names_that_would_break_addresses_of_pages_are_refused(place: EmptyDatabase) {
    let store = place.open().await;
    let course = |slug: &str, zone: &str| NewCourse {
        slug: slug.to_owned(),
        title: "x".to_owned(),
        time_zone: zone.to_owned(),
    };
    for slug in ["", "A", "a/b", "..", "-a", "a b", "a'; DROP TABLE course; --"] {
        let error = store.create_course(&course(slug, "UTC"), NOW).await.unwrap_err();
        assert!(matches!(error, Error::Name { .. }), "{slug}: {error}");
    }
    let error = store.create_course(&course("a", "Nowhere"), NOW).await.unwrap_err();
    assert!(matches!(error, Error::TimeZone { .. }), "{error}");
    store.create_course(&course("a", "UTC"), NOW).await.unwrap();
    let error = store.create_course(&course("a", "UTC"), NOW).await.unwrap_err();
    assert!(matches!(error, Error::Taken { what: "course", .. }), "{error}");
    assert_eq!(store.course_by_slug("a' OR 'a' = 'a").await.unwrap(), None);
}

async fn titles_have_no_control_characters_nor_has_the_log(place: EmptyDatabase) {
    let store = place.open().await;
    let course = made::course(&store).await.id;
    let acting = store.acting(None, NOW);
    acting.change_course(&course, " A\0B\r\nC ", "UTC").await.unwrap();
    let title = store.course(&course).await.unwrap().unwrap().title;
    assert_eq!(title, "A\\u{0}B\\r\\nC");
    let log = store.whole_log(0, 9).await.unwrap();
    assert_eq!(log[0].detail, format!("{title}, UTC"));
    let mut files = made::files("Warm-up");
    files.title = "Warm\0up".to_owned();
    let settings = SuiteSettings::default();
    let new = NewSuite { course: &course, slug: "warm-up", files: &files, settings };
    let suite = store.create_suite(&new, NOW).await.unwrap();
    assert_eq!(suite.title, "Warm\\u{0}up");
    let mut files = made::files("Other");
    files.title = "Warm\0er".to_owned();
    store.set_files(&suite.id, &files, Showing::Complete, NOW).await.unwrap();
    assert_eq!(store.suite(&suite.id).await.unwrap().unwrap().title, "Warm\\u{0}er");
}

on_both! {
    titles_have_no_control_characters_nor_has_the_log
    addresses_and_pseudonyms_are_unique
    joining_again_changes_only_the_role
    a_course_keeps_its_last_instructor
    two_instructors_who_remove_each_other_at_once_leave_one
    names_that_would_break_addresses_of_pages_are_refused
}
