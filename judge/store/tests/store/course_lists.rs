//! Name and number of a person by the list of a course, and accounts that several courses list.

use std::time::Duration;

use judge_store::{
    Course, Error, InvitationFault, NewCourse, NewInvitation, NewPerson, PersonId, Role, Store,
    SuiteSettings, Token, TokenKind, Visitor,
};

use crate::access::accept;
use crate::made::{self, NOW, later};
use crate::support::EmptyDatabase;

const HOUR: Duration = Duration::from_secs(3600);

/// A second course.
async fn other_course(store: &Store) -> Course {
    let (slug, title, time_zone) = ("b".to_owned(), "B".to_owned(), "UTC".to_owned());
    store.create_course(&NewCourse { slug, title, time_zone }, NOW).await.unwrap()
}

fn student(name: &str, address: &str, number: &str) -> NewPerson {
    let (address, number) = (Some(address.to_owned()), Some(number.to_owned()));
    NewPerson { name: name.to_owned(), address, number, is_administrator: false }
}

/// A link for a student of a list.
async fn invited(
    store: &Store,
    (course, maker): (&Course, &PersonId),
    student: &NewPerson,
    at: i64,
) -> Result<Token, Error> {
    let course = Some(course.id.clone());
    let expires_at = NOW.after(HOUR);
    let new = NewInvitation { course, role: Role::Student, person: None, listed: None, expires_at };
    let people = std::slice::from_ref(student);
    Ok(store.invite_people(Some(made::by(maker)), &new, people, later(at)).await?.remove(0))
}

async fn each_course_has_its_own_name_and_number_of_a_person(place: EmptyDatabase) {
    let store = place.open().await;
    let (a, b) = (made::course(&store).await, other_course(&store).await);
    let ina = made::member(&store, &a, "Ina", Role::Instructor).await;
    let ben = made::member(&store, &b, "Ben", Role::Instructor).await;
    let honest = invited(&store, (&a, &ina), &student("Ada", "ada@x.org", "77"), 1).await.unwrap();
    accept(&store, &honest, None, NOW).await.unwrap();
    // Ben gives his accomplice the name and the number of a student of the other course.
    let spoof = invited(&store, (&b, &ben), &student("Ada", "eve@x.org", "77"), 2).await.unwrap();
    let eve = accept(&store, &spoof, None, NOW).await.unwrap();
    let own = invited(&store, (&a, &ina), &student("Eve", "eve@x.org", "99"), 3).await.unwrap();
    let shown = store.invitation(own.reveal(), NOW).await.unwrap().listed.unwrap();
    assert_eq!((shown.name.as_str(), shown.number.as_deref()), ("Eve", Some("99")));
    accept(&store, &own, Some(&eve.person), NOW).await.unwrap();
    let known = async |course: &Course| {
        let member = store.member(&course.id, &eve.person).await.unwrap().unwrap();
        let person = store.person_in(&course.id, &eve.person).await.unwrap().unwrap();
        assert_eq!((&member.name, &member.number), (&person.name, &person.number));
        (member.name, member.number.unwrap())
    };
    assert_eq!(known(&a).await, ("Eve".to_owned(), "99".to_owned()));
    assert_eq!(known(&b).await, ("Ada".to_owned(), "77".to_owned()));
    // Her work stays, with the name and number of the course.
    let acting = store.acting(Some(&ina), NOW);
    assert!(acting.leave(&a.id, &eve.person, Some(&ina), NOW).await.unwrap());
    let former = store.person_in(&a.id, &eve.person).await.unwrap().unwrap();
    assert_eq!((former.name.as_str(), former.number.as_deref()), ("Eve", Some("99")));
    let log = store.log_of_course(&a.id, 0, 9).await.unwrap();
    let names: Vec<_> = log.iter().map(|entry| entry.person.as_deref()).collect();
    assert_eq!(names, [Some("Eve")]);
}

async fn submissions_show_the_name_and_number_in_their_course(place: EmptyDatabase) {
    let store = place.open().await;
    let (a, b) = (made::course(&store).await, other_course(&store).await);
    let suite = made::suite(&store, &a, SuiteSettings::default()).await;
    let ina = made::member(&store, &a, "Ina", Role::Instructor).await;
    let ben = made::member(&store, &b, "Ben", Role::Instructor).await;
    let first = invited(&store, (&b, &ben), &student("Ada", "eve@x.org", "77"), 1).await.unwrap();
    let eve = accept(&store, &first, None, NOW).await.unwrap().person;
    let own = invited(&store, (&a, &ina), &student("Eve", "eve@x.org", "99"), 2).await.unwrap();
    accept(&store, &own, Some(&eve), NOW).await.unwrap();
    made::submit(&store, &suite, &eve, b"module", NOW).await;
    for is_member in [true, false] {
        let authors = store.authors(&suite.id).await.unwrap();
        let [author] = authors.as_slice() else { panic!("{authors:?}") };
        assert_eq!((author.name.as_str(), author.number.as_deref()), ("Eve", Some("99")));
        assert_eq!(author.role.is_some(), is_member);
        store.leave(&a.id, &eve, Some(&ina), NOW).await.unwrap();
    }
}

async fn a_link_without_a_name_takes_no_name_from_another_list(place: EmptyDatabase) {
    let store = place.open().await;
    let (a, b) = (made::course(&store).await, other_course(&store).await);
    let ina = made::member(&store, &a, "Ina", Role::Instructor).await;
    let ben = made::member(&store, &b, "Ben", Role::Instructor).await;
    let open = async || {
        let (course, expires_at) = (Some(a.id.clone()), NOW.after(HOUR));
        let role = Role::Student;
        let new = NewInvitation { course, role, person: None, listed: None, expires_at };
        store.invite_as(made::by(&ina), &new, NOW).await.unwrap().1
    };
    let bens = invited(&store, (&b, &ben), &student("Later", "u@x.org", "7001"), 1).await.unwrap();
    let eve = accept(&store, &bens, None, NOW).await.unwrap().person;
    accept(&store, &open().await, Some(&eve), NOW).await.unwrap();
    assert_eq!(store.member(&a.id, &eve).await.unwrap().unwrap().number, None);
    let bens = invited(&store, (&b, &ben), &student("Ina", "v@x.org", "7002"), 2).await.unwrap();
    let spoof = accept(&store, &bens, None, NOW).await.unwrap().person;
    let (session, _) =
        store.new_token(&spoof, TokenKind::Session, "x", NOW.after(HOUR), NOW).await.unwrap();
    let visitor = Visitor::SignedIn { person: &spoof, session: &session };
    let refused = store.use_invitation(open().await.reveal(), visitor, NOW).await;
    assert!(matches!(refused, Err(Error::Taken { what: "name", .. })), "the name of an instructor");
}

async fn an_unused_account_has_no_name_of_another_course(place: EmptyDatabase) {
    let store = place.open().await;
    let (a, b) = (made::course(&store).await, other_course(&store).await);
    let ina = made::member(&store, &a, "Ina", Role::Instructor).await;
    let ben = made::member(&store, &b, "Ben", Role::Instructor).await;
    invited(&store, (&a, &ina), &student("Private", "p@x.org", "2999"), 1).await.unwrap();
    let person = store.person_by_address("p@x.org").await.unwrap().unwrap().id;
    store.take_back_all(&a.id, Some(&person), NOW).await.unwrap();
    let bens = invited(&store, (&b, &ben), &student("Guess", "p@x.org", "1"), 2).await.unwrap();
    accept(&store, &bens, None, NOW).await.unwrap();
    let account = store.person(&person).await.unwrap().unwrap();
    assert_eq!((account.name.as_str(), account.number.as_deref()), ("Guess", Some("1")));
    // A used account keeps its name.
    let inas =
        invited(&store, (&a, &ina), &student("Private", "p@x.org", "2999"), 3).await.unwrap();
    accept(&store, &inas, Some(&person), NOW).await.unwrap();
    assert_eq!(store.person(&person).await.unwrap().unwrap().name, "Guess");
}

async fn a_number_belongs_to_one_member(place: EmptyDatabase) {
    let store = place.open().await;
    let course = made::course(&store).await;
    let ina = made::member(&store, &course, "Ina", Role::Instructor).await;
    let here = (&course, &ina);
    let ada = invited(&store, here, &student("Ada", "ada@x.org", "77a"), 1).await.unwrap();
    let early = invited(&store, here, &student("Bob", "bob@x.org", "77A"), 2).await.unwrap();
    accept(&store, &ada, None, NOW).await.unwrap();
    let is_number = |error: Error| matches!(error, Error::Taken { what: "number", .. });
    let later = invited(&store, here, &student("Eve", "eve@x.org", " 77a"), 3).await;
    assert!(is_number(later.unwrap_err()), "a later list");
    let visitor = Visitor::SignedOut { name: "", session_ends_at: NOW.after(HOUR) };
    let refused = store.use_invitation(early.reveal(), visitor, NOW).await;
    assert!(is_number(refused.unwrap_err()), "an earlier list");
    assert_eq!(store.members(&course.id).await.unwrap().len(), 2);
}

async fn the_first_course_to_invite_a_person_keeps_the_account(place: EmptyDatabase) {
    let store = place.open().await;
    let (a, b) = (made::course(&store).await, other_course(&store).await);
    let ina = made::member(&store, &a, "Ina", Role::Instructor).await;
    let ben = made::member(&store, &b, "Ben", Role::Instructor).await;
    let sue = student("Sue", "sue@x.org", "1");
    let first = invited(&store, (&a, &ina), &sue, 1).await.unwrap();
    let bens = invited(&store, (&b, &ben), &sue, 2).await.unwrap();
    let refused = accept(&store, &bens, None, NOW).await.unwrap_err();
    assert_eq!(refused, InvitationFault::NeedsOwnSession);
    let second = invited(&store, (&a, &ina), &sue, 3).await.unwrap();
    accept(&store, &second, None, NOW).await.expect("the other course does not lock her out");
    let refused = accept(&store, &first, None, NOW).await.unwrap_err();
    assert_eq!(refused, InvitationFault::NeedsOwnSession, "she has her session");
    // An invitation that has ended keeps nothing.
    let tim = student("Tim", "tim@x.org", "2");
    invited(&store, (&a, &ina), &tim, 1).await.unwrap();
    let person = store.person_by_address("tim@x.org").await.unwrap().unwrap().id;
    store.take_back_all(&a.id, Some(&person), NOW).await.unwrap();
    let bens = invited(&store, (&b, &ben), &tim, 4).await.unwrap();
    accept(&store, &bens, None, NOW).await.expect("no open invitation of another course");
}

/// The session of a new instructor who used a link without a name.
async fn by_open_link(
    store: &Store,
    course: &Course,
    maker: &PersonId,
    name: &str,
) -> (PersonId, Token) {
    let (course, expires_at) = (Some(course.id.clone()), NOW.after(HOUR));
    let role = Role::Instructor;
    let new = NewInvitation { course, role, person: None, listed: None, expires_at };
    let link = store.invite_as(made::by(maker), &new, NOW).await.unwrap().1;
    let visitor = Visitor::SignedOut { name, session_ends_at: expires_at };
    let used = store.use_invitation(link.reveal(), visitor, NOW).await.unwrap();
    (used.person, used.session.unwrap())
}

async fn is_signed_in(store: &Store, session: &Token) -> bool {
    store.authenticate(session.reveal(), TokenKind::Session, NOW).await.unwrap().is_some()
}

async fn a_lost_role_is_not_restored_by_another_course(place: EmptyDatabase) {
    let store = place.open().await;
    let course = made::course(&store).await;
    let ina = made::member(&store, &course, "Ina", Role::Instructor).await;
    let pam = made::member(&store, &course, "Pam", Role::Instructor).await;
    let (one, first) = by_open_link(&store, &course, &pam, "First").await;
    let (two, second) = by_open_link(&store, &course, &one, "Second").await;
    let (_, third) = by_open_link(&store, &course, &two, "Third").await;
    let (_, honest) = by_open_link(&store, &course, &ina, "Honest").await;
    // A student whom a guest invited is no way back.
    let sue = invited(&store, (&course, &two), &student("Sue", "sue@x.org", "1"), 1).await.unwrap();
    let sue = accept(&store, &sue, None, NOW).await.unwrap().session.unwrap();
    let open = NewInvitation {
        course: Some(course.id.clone()),
        role: Role::Instructor,
        person: None,
        listed: None,
        expires_at: NOW.after(HOUR),
    };
    let open = store.invite_as(made::by(&two), &open, NOW).await.unwrap().1;
    assert!(store.leave(&course.id, &pam, Some(&ina), NOW).await.unwrap());
    for session in [&first, &second, &third] {
        assert!(!is_signed_in(&store, session).await);
    }
    assert!(is_signed_in(&store, &honest).await && is_signed_in(&store, &sue).await);
    assert_eq!(accept(&store, &open, None, NOW).await.unwrap_err(), InvitationFault::Revoked);
}

async fn signing_out_everywhere_ends_links_that_a_thief_could_have_made(place: EmptyDatabase) {
    let store = place.open().await;
    let course = made::course(&store).await;
    let ina = made::member(&store, &course, "Ina", Role::Instructor).await;
    let link = async |role: Role| {
        let (course, expires_at) = (Some(course.id.clone()), NOW.after(HOUR));
        let new = NewInvitation { course, role, person: None, listed: None, expires_at };
        store.invite_as(made::by(&ina), &new, NOW).await.unwrap().1
    };
    let open = [link(Role::Instructor).await, link(Role::Student).await];
    let sue = student("Sue", "sue@x.org", "1");
    let sue = invited(&store, (&course, &ina), &sue, 1).await.unwrap();
    // Links for members, as their pages make them: one was used, one was not.
    let member = async |name: &str| {
        let person = made::member(&store, &course, name, Role::Instructor).await;
        let (role, person) = (Role::Instructor, Some(person));
        let (course, expires_at) = (Some(course.id.clone()), NOW.after(HOUR));
        let new = NewInvitation { course, role, person, listed: None, expires_at };
        store.invite_as(made::by(&ina), &new, NOW).await.unwrap().1
    };
    let (used, unused) = (member("Xenia").await, member("Yann").await);
    let as_other = accept(&store, &used, None, NOW).await.unwrap().session.unwrap();
    store.sign_out_everywhere(&ina, None, NOW).await.unwrap();
    assert!(!is_signed_in(&store, &as_other).await);
    assert_eq!(accept(&store, &unused, None, NOW).await.unwrap_err(), InvitationFault::Revoked);
    for link in &open {
        assert_eq!(accept(&store, link, None, NOW).await.unwrap_err(), InvitationFault::Revoked);
    }
    accept(&store, &sue, None, NOW).await.expect("students of a list need no new link");
}

on_both! {
    each_course_has_its_own_name_and_number_of_a_person
    submissions_show_the_name_and_number_in_their_course
    a_link_without_a_name_takes_no_name_from_another_list
    an_unused_account_has_no_name_of_another_course
    a_number_belongs_to_one_member
    the_first_course_to_invite_a_person_keeps_the_account
    a_lost_role_is_not_restored_by_another_course
    signing_out_everywhere_ends_links_that_a_thief_could_have_made
}
