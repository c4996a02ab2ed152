//! Rights that accounts gain and lose, and the links, sessions and tokens that end then.

use std::time::Duration;

use judge_store::{
    AccessRefusal, AccessWatch, AccountEventKind, Course, Error, InvitationFault, LinkMaker,
    LostAccess, MOST_API_TOKENS, MOST_SESSIONS, NewCourse, NewIdentity, NewInvitation, NewPerson,
    PersonId, Role, Store, Token, TokenId, TokenKind, Visitor,
};

use crate::access::{accept, use_up};
use crate::made::{self, NOW, later};
use crate::support::EmptyDatabase;

const HOUR: Duration = Duration::from_secs(3600);

/// Two courses with an instructor each: `ai` with Ina, `b` with Ben.
struct Scene {
    ai: Course,
    b: Course,
    ina: PersonId,
    ben: PersonId,
}

impl Scene {
    async fn new(store: &Store) -> Scene {
        let ai = made::course(store).await;
        let (slug, title, time_zone) = ("b".to_owned(), "B".to_owned(), "UTC".to_owned());
        let b = store.create_course(&NewCourse { slug, title, time_zone }, NOW).await.unwrap();
        let ina = made::member(store, &ai, "Ina", Role::Instructor).await;
        let ben = made::member(store, &b, "Ben", Role::Instructor).await;
        Scene { ai, b, ina, ben }
    }
}

/// A person imported from a list.
async fn listed(store: &Store, name: &str) -> PersonId {
    let address = Some(format!("{name}@example.org"));
    let new = NewPerson { name: name.to_owned(), address, ..NewPerson::default() };
    store.add_person(&new, NOW).await.unwrap().id
}

/// A link to a course, made by an instructor or by the operator.
async fn link(
    store: &Store,
    maker: Option<&PersonId>,
    (course, role): (&Course, Role),
    person: Option<&PersonId>,
) -> Token {
    let (course, person) = (Some(course.id.clone()), person.cloned());
    let new = NewInvitation { course, role, person, listed: None, expires_at: NOW.after(HOUR) };
    let made = match maker {
        Some(maker) => store.invite_as(made::by(maker), &new, NOW).await,
        None => store.invite(&new, NOW).await,
    };
    made.unwrap().1
}

/// A session or token of a person.
async fn token(store: &Store, person: &PersonId, kind: TokenKind) -> (TokenId, Token) {
    store.new_token(person, kind, "x", NOW.after(HOUR), NOW).await.unwrap()
}

async fn is_signed_in(store: &Store, session: &Token) -> bool {
    let found = store.authenticate(session.reveal(), TokenKind::Session, NOW).await.unwrap();
    found.is_some()
}

async fn is_token(store: &Store, token: &Token) -> bool {
    store.authenticate(token.reveal(), TokenKind::Api, NOW).await.unwrap().is_some()
}

async fn kinds(store: &Store, person: &PersonId) -> Vec<AccountEventKind> {
    let events = store.account_events(person).await.unwrap();
    events.into_iter().map(|event| event.kind).collect()
}

async fn a_promotion_ends_earlier_links_sessions_and_tokens(place: EmptyDatabase) {
    let store = place.open().await;
    let Scene { ai, ina, .. } = Scene::new(&store).await;
    let sue = listed(&store, "sue").await;
    let first = link(&store, Some(&ina), (&ai, Role::Student), Some(&sue)).await;
    let kept = link(&store, Some(&ina), (&ai, Role::Student), Some(&sue)).await;
    let old = accept(&store, &first, None, NOW).await.unwrap().session.unwrap();
    let (_, api) = token(&store, &sue, TokenKind::Api).await;
    let subject = NewIdentity {
        issuer: "https://a",
        subject: "ina's",
        person: &sue,
        is_proven: false,
        session: None,
    };
    store.link_identity(subject, NOW).await.unwrap();
    assert!(is_signed_in(&store, &old).await && is_token(&store, &api).await);

    let by = Some(&ina);
    assert!(store.change_role(&ai.id, &sue, Role::Assistant, by, NOW).await.unwrap());
    assert!(!is_signed_in(&store, &old).await && !is_token(&store, &api).await);
    assert_eq!(store.person_by_identity("https://a", "ina's").await.unwrap(), None);
    assert_eq!(accept(&store, &kept, None, NOW).await.unwrap_err(), InvitationFault::Revoked);
    let kinds = kinds(&store, &sue).await;
    for kind in [AccountEventKind::AccessEnded, AccountEventKind::RoleChanged] {
        assert!(kinds.contains(&kind), "{kinds:?}");
    }
    // A link to the role that she already has ends nothing.
    let (_, session) = token(&store, &sue, TokenKind::Session).await;
    assert!(store.change_role(&ai.id, &sue, Role::Assistant, by, NOW).await.unwrap());
    assert!(store.change_role(&ai.id, &sue, Role::Student, by, NOW).await.unwrap());
    assert!(is_signed_in(&store, &session).await, "less power ends no session");
    assert!(store.change_role(&ai.id, &sue, Role::Instructor, by, NOW).await.unwrap());
    assert!(!is_signed_in(&store, &session).await);
}

async fn a_link_to_a_role_of_staff_keeps_only_the_session_that_accepts_it(place: EmptyDatabase) {
    let store = place.open().await;
    let Scene { ai, b, ina, ben } = Scene::new(&store).await;
    let sue = made::member(&store, &ai, "Sue", Role::Student).await;
    let (_, inas) = token(&store, &sue, TokenKind::Session).await;
    let (session, own) = token(&store, &sue, TokenKind::Session).await;
    let (_, api) = token(&store, &sue, TokenKind::Api).await;
    let other = link(&store, Some(&ina), (&ai, Role::Student), Some(&sue)).await;
    let offer = link(&store, Some(&ben), (&b, Role::Assistant), Some(&sue)).await;
    let visitor = Visitor::SignedIn { person: &sue, session: &session };
    let invited = store.use_invitation(offer.reveal(), visitor, NOW).await.unwrap();
    assert_eq!((invited.role, invited.session), (Role::Assistant, None));
    assert!(is_signed_in(&store, &own).await);
    assert!(!is_signed_in(&store, &inas).await && !is_token(&store, &api).await);
    assert_eq!(accept(&store, &other, None, NOW).await.unwrap_err(), InvitationFault::Revoked);
    // A session that has ended accepts nothing.
    let (dead, _) = token(&store, &sue, TokenKind::Session).await;
    store.revoke(&sue, &dead, NOW).await.unwrap();
    let offer = link(&store, Some(&ben), (&b, Role::Instructor), None).await;
    let visitor = Visitor::SignedIn { person: &sue, session: &dead };
    let refused = use_up(&store, offer.reveal(), visitor, NOW).await;
    assert_eq!(refused.unwrap_err(), InvitationFault::SignedOut);
    assert_eq!(store.member(&b.id, &sue).await.unwrap().unwrap().role, Role::Assistant);
}

async fn a_new_administrator_keeps_no_earlier_access(place: EmptyDatabase) {
    let store = place.open().await;
    let Scene { ai, ina, .. } = Scene::new(&store).await;
    let sue = made::member(&store, &ai, "Sue", Role::Student).await;
    let (_, inas) = token(&store, &sue, TokenKind::Session).await;
    let kept = link(&store, Some(&ina), (&ai, Role::Student), Some(&sue)).await;
    let role = Role::Instructor;
    let first = NewInvitation {
        course: None,
        role,
        person: None,
        listed: None,
        expires_at: NOW.after(HOUR),
    };
    let (_, first) = store.invite(&first, NOW).await.unwrap();
    accept(&store, &first, Some(&sue), NOW).await.unwrap();
    assert!(!is_signed_in(&store, &inas).await);
    assert_eq!(accept(&store, &kept, None, NOW).await.unwrap_err(), InvitationFault::Revoked);
    let newer = link(&store, Some(&ina), (&ai, Role::Student), Some(&sue)).await;
    let refused = accept(&store, &newer, None, NOW).await.unwrap_err();
    assert_eq!(refused, InvitationFault::NeedsOwnSession);
}

async fn a_link_signs_in_to_no_account_of_another_course(place: EmptyDatabase) {
    let store = place.open().await;
    let Scene { ai, b, ina, ben } = Scene::new(&store).await;
    let sue = listed(&store, "sue").await;
    let inas = link(&store, Some(&ina), (&ai, Role::Student), Some(&sue)).await;
    let bens = link(&store, Some(&ben), (&b, Role::Student), Some(&sue)).await;
    accept(&store, &inas, None, NOW).await.expect("she is in no course yet");
    let refused = accept(&store, &bens, None, NOW).await.unwrap_err();
    assert_eq!(refused, InvitationFault::NeedsOwnSession);
    let invited = accept(&store, &bens, Some(&sue), NOW).await.unwrap();
    assert_eq!((invited.course, invited.session), (Some(b.id.clone()), None));
    // Removing her changes nothing, because her work is still there.
    assert!(store.leave(&b.id, &sue, Some(&ben), NOW).await.unwrap());
    let inas = link(&store, Some(&ina), (&ai, Role::Student), Some(&sue)).await;
    let refused = accept(&store, &inas, None, NOW).await.unwrap_err();
    assert_eq!(refused, InvitationFault::NeedsOwnSession);
    // The operator and administrators can.
    let role = (&ai, Role::Student);
    assert!(accept(&store, &link(&store, None, role, Some(&sue)).await, None, NOW).await.is_ok());

    // Linked to an issuer.
    let tim = listed(&store, "tim").await;
    let new = NewIdentity {
        issuer: "https://a",
        subject: "tim",
        person: &tim,
        is_proven: true,
        session: None,
    };
    let before = link(&store, Some(&ina), (&ai, Role::Student), Some(&tim)).await;
    store.link_identity(new, NOW).await.unwrap();
    let after = link(&store, Some(&ina), (&ai, Role::Student), Some(&tim)).await;
    for link in [&before, &after] {
        let refused = accept(&store, link, None, NOW).await.unwrap_err();
        assert_eq!(refused, InvitationFault::NeedsOwnSession);
    }
    assert!(accept(&store, &before, Some(&tim), NOW).await.is_ok(), "it still adds the course");
}

async fn joining_another_course_ends_earlier_access(place: EmptyDatabase) {
    let store = place.open().await;
    let Scene { ai, b, ina, ben } = Scene::new(&store).await;
    // Ina lists her first, and opens the link herself.
    let sue = listed(&store, "sue").await;
    let inas = link(&store, Some(&ina), (&ai, Role::Student), Some(&sue)).await;
    let inas = accept(&store, &inas, None, NOW).await.unwrap().session.unwrap();
    let (_, api) = token(&store, &sue, TokenKind::Api).await;
    store.leave(&ai.id, &sue, Some(&ina), NOW).await.unwrap();
    let operators = link(&store, None, (&b, Role::Student), Some(&sue)).await;
    let own = accept(&store, &operators, None, NOW).await.unwrap().session.unwrap();
    assert!(is_signed_in(&store, &own).await);
    assert!(!is_signed_in(&store, &inas).await && !is_token(&store, &api).await);

    // An issuer that vouched for the person's own address has already ended prepared access.
    let tim = made::member(&store, &ai, "Tim", Role::Student).await;
    let (_, inas) = token(&store, &tim, TokenKind::Session).await;
    let new = |subject, is_proven| NewIdentity {
        issuer: "https://a",
        subject,
        person: &tim,
        is_proven,
        session: None,
    };
    store.link_identity(new("ina's", false), NOW).await.unwrap();
    store.link_identity(new("tim", true), NOW).await.unwrap();
    assert!(!is_signed_in(&store, &inas).await);
    assert_eq!(store.person_by_identity("https://a", "ina's").await.unwrap(), None);
    let refused = store.link_identity(new("another", true), NOW).await.unwrap_err();
    assert!(matches!(refused, Error::Access(AccessRefusal::LinkedAlready)), "{refused}");
    let (_, laptop) = token(&store, &tim, TokenKind::Session).await;
    // Another person at his browser links a further identity: it ends when he signs in by the
    // verified address, and when the account joins another course.
    let planted = NewIdentity { issuer: "https://b", ..new("ina's", false) };
    store.link_identity(planted, NOW).await.unwrap();
    let end = later(1000);
    let own = store.sign_in_by_identity(("https://a", "tim"), end, NOW).await.unwrap();
    assert!(own.is_some());
    assert_eq!(store.person_by_identity("https://b", "ina's").await.unwrap(), None);
    let was_here =
        async |subject| store.was_unlinked(&ai.id, ("https://b", subject)).await.unwrap();
    assert!(was_here("ina's").await && !was_here("another").await);
    store.link_identity(planted, NOW).await.unwrap();
    let bens = link(&store, Some(&ben), (&b, Role::Student), Some(&tim)).await;
    accept(&store, &bens, Some(&tim), NOW).await.unwrap();
    assert!(is_signed_in(&store, &laptop).await, "his other browser stays signed in");
    assert_eq!(store.person_by_identity("https://b", "ina's").await.unwrap(), None);
    assert!(store.person_by_identity("https://a", "tim").await.unwrap().is_some());
}

async fn a_second_link_does_not_sign_in_after_the_first(place: EmptyDatabase) {
    let store = place.open().await;
    let Scene { ai, ina, .. } = Scene::new(&store).await;
    let sue = listed(&store, "sue").await;
    let mut links = Vec::new();
    for maker in [Some(&ina), Some(&ina), None] {
        links.push(link(&store, maker, (&ai, Role::Student), Some(&sue)).await);
    }
    accept(&store, &links[0], None, NOW).await.unwrap();
    for link in &links[1..] {
        let refused = accept(&store, link, None, NOW).await.unwrap_err();
        assert_eq!(refused, InvitationFault::NeedsOwnSession);
    }
    let newer = link(&store, Some(&ina), (&ai, Role::Student), Some(&sue)).await;
    assert!(accept(&store, &newer, None, NOW).await.is_ok(), "made for a new device");

    let newer = link(&store, Some(&ina), (&ai, Role::Student), Some(&sue)).await;
    store.sign_out_everywhere(&sue, Some(&ina), NOW).await.unwrap();
    assert_eq!(accept(&store, &newer, None, NOW).await.unwrap_err(), InvitationFault::Revoked);
    assert!(kinds(&store, &sue).await.contains(&AccountEventKind::SignedOut));
}

async fn two_browsers_that_use_two_links_at_once_get_one_session(place: EmptyDatabase) {
    let store = place.open().await;
    let Scene { ai, ina, .. } = Scene::new(&store).await;
    for number in 0..10 {
        let sue = listed(&store, &format!("sue{number}")).await;
        let mut links = Vec::new();
        for _ in 0..4 {
            links.push(link(&store, Some(&ina), (&ai, Role::Student), Some(&sue)).await);
        }
        let tries = links.into_iter().map(|link| {
            let store = store.clone();
            tokio::spawn(async move { accept(&store, &link, None, NOW).await.is_ok() })
        });
        let tries: Vec<_> = tries.collect();
        let mut let_in = 0;
        for one in tries {
            let_in += usize::from(one.await.unwrap());
        }
        assert_eq!(let_in, 1, "{number}");
    }
}

async fn a_promotion_and_a_link_at_once_leave_no_old_session(place: EmptyDatabase) {
    let store = place.open().await;
    let Scene { ai, ina, .. } = Scene::new(&store).await;
    for number in 0..10 {
        let sue = made::member(&store, &ai, &format!("Sue {number}"), Role::Student).await;
        let open = link(&store, Some(&ina), (&ai, Role::Student), Some(&sue)).await;
        let (session, _) = token(&store, &sue, TokenKind::Session).await;
        let (here, course, by, who) = (store.clone(), ai.id.clone(), ina.clone(), sue.clone());
        let promoted = tokio::spawn(async move {
            here.change_role(&course, &who, Role::Assistant, Some(&by), NOW).await.unwrap()
        });
        let here = store.clone();
        let used = tokio::spawn(async move { accept(&here, &open, None, NOW).await });
        let (here, who) = (store.clone(), sue.clone());
        let made = tokio::spawn(async move {
            here.new_api_token((&who, &session), "x", NOW.after(HOUR), NOW).await
        });
        assert!(promoted.await.unwrap());
        let _ = (used.await.unwrap(), made.await.unwrap());
        let left = store.tokens_of(&sue, NOW).await.unwrap();
        assert_eq!(left, [], "{number}: the old tokens ended, and no new ones were made");
    }
}

async fn an_old_link_does_not_restore_a_lost_role(place: EmptyDatabase) {
    let store = place.open().await;
    let Scene { ai, ina, .. } = Scene::new(&store).await;
    let by = Some(&ina);
    let tom = made::member(&store, &ai, "Tom", Role::Instructor).await;
    let own = link(&store, by, (&ai, Role::Instructor), Some(&tom)).await;
    let open = link(&store, None, (&ai, Role::Instructor), None).await;
    let student = link(&store, by, (&ai, Role::Student), None).await;
    let his = link(&store, Some(&tom), (&ai, Role::Student), None).await;
    assert!(store.change_role(&ai.id, &tom, Role::Student, by, NOW).await.unwrap());
    for link in [&own, &open, &his] {
        for who in [None, Some(&tom)] {
            let refused = accept(&store, link, who, NOW).await.unwrap_err();
            assert_eq!(refused, InvitationFault::Revoked);
        }
    }
    assert!(store.leave(&ai.id, &tom, by, NOW).await.unwrap());
    for who in [None, Some(&tom)] {
        let refused = accept(&store, &student, who, NOW).await.unwrap_err();
        assert_eq!(refused, InvitationFault::Revoked, "a removed member is not back as a student");
    }
    assert_eq!(store.member(&ai.id, &tom).await.unwrap(), None);
    let newer = link(&store, by, (&ai, Role::Student), Some(&tom)).await;
    assert!(accept(&store, &newer, Some(&tom), NOW).await.is_ok(), "invited again");
    // A link by a former instructor, or by a person who never was one, cannot be used.
    let forged = link(&store, Some(&tom), (&ai, Role::Instructor), None).await;
    assert_eq!(accept(&store, &forged, None, NOW).await.unwrap_err(), InvitationFault::Revoked);
}

async fn sessions_that_an_instructors_links_began_end_with_the_role(place: EmptyDatabase) {
    let store = place.open().await;
    let Scene { ai, b, ina, ben } = Scene::new(&store).await;
    for (name, left) in [("tom", None), ("tim", Some(Role::Assistant))] {
        let tom = made::member(&store, &ai, name, Role::Instructor).await;
        let sue = listed(&store, &format!("sue-{name}")).await;
        let his = link(&store, Some(&tom), (&ai, Role::Student), Some(&sue)).await;
        let his = accept(&store, &his, None, NOW).await.unwrap().session.unwrap();
        let (session, own) = token(&store, &sue, TokenKind::Session).await;
        let inas = link(&store, Some(&ina), (&ai, Role::Student), Some(&sue)).await;
        let inas = accept(&store, &inas, None, NOW).await.unwrap().session.unwrap();
        // Access that was made in the session that he began ends with it.
        let id = store.authenticate(his.reveal(), TokenKind::Session, NOW).await.unwrap();
        let id = id.unwrap().token;
        let expires_at = NOW.after(HOUR);
        let (_, api) = store.new_api_token((&sue, &id), "x", expires_at, NOW).await.unwrap();
        let (_, own_api) =
            store.new_api_token((&sue, &session), "x", expires_at, NOW).await.unwrap();
        let identity = ("https://a", name);
        let (issuer, subject) = identity;
        let new =
            NewIdentity { issuer, subject, person: &sue, is_proven: false, session: Some(&id) };
        store.link_identity(new, NOW).await.unwrap();
        let by_issuer = store.sign_in_by_identity(identity, expires_at, NOW).await.unwrap();
        let by_issuer = by_issuer.unwrap();
        // An account that his link without a name created.
        let open = link(&store, Some(&tom), (&ai, Role::Student), None).await;
        let named = format!("Guest {name}");
        let visitor = Visitor::SignedOut { name: &named, session_ends_at: expires_at };
        let open = store.use_invitation(open.reveal(), visitor, NOW).await.unwrap();
        // A link of another course's instructor.
        let zoe = listed(&store, &format!("zoe-{name}")).await;
        let bens = link(&store, Some(&ben), (&b, Role::Student), Some(&zoe)).await;
        let bens = accept(&store, &bens, None, NOW).await.unwrap().session.unwrap();
        assert!(is_signed_in(&store, &his).await && is_signed_in(&store, &by_issuer).await);

        let done = match left {
            None => store.leave(&ai.id, &tom, Some(&ina), NOW).await,
            Some(role) => store.change_role(&ai.id, &tom, role, Some(&ina), NOW).await,
        };
        assert!(done.unwrap());
        let opened = open.session.unwrap();
        for session in [&his, &by_issuer, &opened] {
            assert!(!is_signed_in(&store, session).await, "{name}");
        }
        assert!(!is_token(&store, &api).await, "{name}");
        let again = store.sign_in_by_identity(identity, expires_at, NOW).await.unwrap();
        assert_eq!(again, None, "the issuer's account was linked in his session");
        for person in [&sue, &open.person] {
            let kinds = kinds(&store, person).await;
            assert!(kinds.contains(&AccountEventKind::LinkMakerLost), "{kinds:?}");
        }
        for session in [&own, &inas, &bens] {
            assert!(is_signed_in(&store, session).await, "{name}");
        }
        assert!(is_token(&store, &own_api).await, "{name}");
    }
}

async fn an_earlier_link_does_not_sign_in_after_a_course_is_deleted(place: EmptyDatabase) {
    let store = place.open().await;
    let Scene { ai, b, ina, ben } = Scene::new(&store).await;
    let sue = listed(&store, "sue").await;
    let inas = link(&store, Some(&ina), (&ai, Role::Student), Some(&sue)).await;
    accept(&store, &inas, None, NOW).await.expect("she is in no course yet");
    let earlier = link(&store, Some(&ben), (&b, Role::Student), Some(&sue)).await;
    store.archive_course(&ai.id, Some(&ina), later(1)).await.unwrap();
    store.delete_course(&ai.id, Some(&ina), later(2)).await.unwrap();
    let refused = accept(&store, &earlier, None, NOW).await.unwrap_err();
    assert_eq!(refused, InvitationFault::NeedsOwnSession);
    // Ben can invite her like anyone else now.
    let new = link(&store, Some(&ben), (&b, Role::Student), Some(&sue)).await;
    accept(&store, &new, None, NOW).await.expect("she is in no other course");
}

async fn an_inviter_is_known_before_a_removal(place: EmptyDatabase) {
    let store = place.open().await;
    let Scene { ai, ina, .. } = Scene::new(&store).await;
    let tom = made::member(&store, &ai, "Tom", Role::Instructor).await;
    let mut made_by = tom.clone();
    for name in ["Eve", "Fay"] {
        let offer = link(&store, Some(&made_by), (&ai, Role::Instructor), None).await;
        let visitor = Visitor::SignedOut { name, session_ends_at: NOW.after(HOUR) };
        let invited = store.use_invitation(offer.reveal(), visitor, NOW).await.unwrap();
        let (person, session) = (invited.person, invited.session.unwrap());
        let from = |member| store.has_access_from((&ai.id, member), &person, NOW);
        assert!(from(&tom).await.unwrap(), "{name}");
        assert!(!from(&ina).await.unwrap() && is_signed_in(&store, &session).await, "{name}");
        made_by = person;
    }
}

/// A session that a link began, with its id.
async fn begun(store: &Store, link: &Token) -> (TokenId, Token) {
    let session = accept(store, link, None, NOW).await.unwrap().session.unwrap();
    let found = store.authenticate(session.reveal(), TokenKind::Session, NOW).await.unwrap();
    (found.unwrap().token, session)
}

async fn access_opened_for_another_member_ends_with_the_session(place: EmptyDatabase) {
    let store = place.open().await;
    let Scene { ai, ina, .. } = Scene::new(&store).await;
    for removed in [false, true] {
        let [eve, rob] = ["Eve", "Rob"].map(|name| format!("{name} {removed}"));
        let eve = made::member(&store, &ai, &eve, Role::Instructor).await;
        let rob = made::member(&store, &ai, &rob, Role::Instructor).await;
        let (_, own) = token(&store, &rob, TokenKind::Session).await;
        let students = ["Sue", "Tim", "Zoe"].map(|name| format!("{name} {removed}"));
        let mut ids = Vec::new();
        for name in &students {
            ids.push(made::member(&store, &ai, name, Role::Student).await);
        }
        let for_rob = link(&store, Some(&eve), (&ai, Role::Instructor), Some(&rob)).await;
        let (as_rob, session) = begun(&store, &for_rob).await;
        let invite = async |session: &TokenId, role, person: Option<&PersonId>| {
            let (course, person) = (Some(ai.id.clone()), person.cloned());
            let expires_at = NOW.after(HOUR);
            let new = NewInvitation { course, role, person, listed: None, expires_at };
            let by = LinkMaker { person: &rob, session: Some(session) };
            store.invite_as(by, &new, NOW).await.unwrap().1
        };
        let again = invite(&as_rob, Role::Instructor, Some(&rob)).await;
        let (as_rob_again, second) = begun(&store, &again).await;
        let staff = invite(&as_rob, Role::Instructor, None).await;
        let sue = invite(&as_rob_again, Role::Student, Some(&ids[0])).await;
        let tim = invite(&as_rob_again, Role::Student, Some(&ids[1])).await;
        let (_, as_tim) = begun(&store, &tim).await;
        let (robs, _) = token(&store, &rob, TokenKind::Session).await;
        let zoe = invite(&robs, Role::Student, Some(&ids[2])).await;
        for session in [&session, &second, &as_tim] {
            assert!(is_signed_in(&store, session).await);
        }

        match removed {
            true => assert!(store.leave(&ai.id, &eve, Some(&ina), NOW).await.unwrap()),
            false => store.sign_out_member(&ai.id, &eve, &ina, NOW).await.unwrap(),
        }
        for link in [&staff, &sue] {
            let refused = accept(&store, link, None, NOW).await.unwrap_err();
            assert_eq!(refused, InvitationFault::Revoked, "removed: {removed}");
        }
        for session in [&session, &second, &as_tim] {
            assert!(!is_signed_in(&store, session).await, "removed: {removed}");
        }
        // What Rob did himself stays.
        assert!(is_signed_in(&store, &own).await);
        assert!(accept(&store, &zoe, None, NOW).await.is_ok());
    }
}

async fn an_api_token_and_a_removal_at_once_leave_no_token(place: EmptyDatabase) {
    let store = place.open().await;
    let Scene { ai, ina, .. } = Scene::new(&store).await;
    for number in 0..10 {
        let tom = made::member(&store, &ai, &format!("T {number}"), Role::Instructor).await;
        let sue = listed(&store, &format!("sue-{number}")).await;
        let his = link(&store, Some(&tom), (&ai, Role::Student), Some(&sue)).await;
        let his = accept(&store, &his, None, NOW).await.unwrap().session.unwrap();
        let id = store.authenticate(his.reveal(), TokenKind::Session, NOW).await.unwrap();
        let id = id.unwrap().token;
        let (here, course, by) = (store.clone(), ai.id.clone(), ina.clone());
        let removed =
            tokio::spawn(async move { here.leave(&course, &tom, Some(&by), NOW).await.unwrap() });
        let (here, who) = (store.clone(), sue.clone());
        let made = tokio::spawn(async move {
            here.new_api_token((&who, &id), "x", NOW.after(HOUR), NOW).await
        });
        assert!(removed.await.unwrap());
        let _ = made.await.unwrap();
        assert_eq!(store.tokens_of(&sue, NOW).await.unwrap(), [], "{number}");
    }
}

async fn ended_access_is_found_by_the_next_check(place: EmptyDatabase) {
    let store = place.open().await;
    let Scene { ai, ina, .. } = Scene::new(&store).await;
    let mut watch = AccessWatch::new(NOW);
    let sue = made::member(&store, &ai, "Sue", Role::Student).await;
    let tim = made::member(&store, &ai, "Tim", Role::Student).await;
    let zoe = made::member(&store, &ai, "Zoe", Role::Student).await;
    let (sues, _) = token(&store, &sue, TokenKind::Session).await;
    let (tims, _) = token(&store, &tim, TokenKind::Session).await;
    let (expires, _) =
        store.new_token(&zoe, TokenKind::Session, "x", later(20), NOW).await.unwrap();
    assert_eq!(watch.look(&store, later(1)).await.unwrap(), LostAccess::default());

    store.sign_out_everywhere(&sue, None, later(2)).await.unwrap();
    assert!(store.leave(&ai.id, &tim, Some(&ina), later(2)).await.unwrap());
    let found = watch.look(&store, later(3)).await.unwrap();
    assert_eq!(found.tokens, [sues.clone()].into());
    assert_eq!(found.people, [tim.clone()].into());
    // A transaction that began earlier is committed later, and a change is returned once.
    assert!(store.change_role(&ai.id, &zoe, Role::Observer, Some(&ina), later(1)).await.unwrap());
    let found = watch.look(&store, later(4)).await.unwrap();
    assert_eq!(found.people, [zoe.clone()].into());
    assert!(!found.tokens.contains(&tims), "a removal ends no session");
    let found = watch.look(&store, later(20)).await.unwrap();
    assert_eq!((found.people.len(), found.tokens.contains(&expires)), (0, true));
    let found = watch.look(&store, later(1000)).await.unwrap();
    assert_eq!(found.people.len(), 0);
}

async fn one_of_two_instructors_who_remove_each_other_stays(place: EmptyDatabase) {
    let store = place.open().await;
    let course = made::course(&store).await;
    for number in 0..10 {
        let tess = made::member(&store, &course, &format!("T {number}"), Role::Instructor).await;
        let ann = made::member(&store, &course, &format!("A {number}"), Role::Instructor).await;
        let both = [(tess.clone(), ann.clone()), (ann, tess)].map(|(by, person)| {
            let (store, course) = (store.clone(), course.id.clone());
            tokio::spawn(async move { store.leave(&course, &person, Some(&by), NOW).await })
        });
        let mut refused = 0;
        for one in both {
            match one.await.unwrap() {
                Ok(left) => assert!(left, "{number}"),
                Err(Error::Access(AccessRefusal::NotAnInstructor)) => refused += 1,
                Err(error) => panic!("{error}"),
            }
        }
        assert_eq!(refused, 1, "{number}: the later one is not an instructor any more");
        let left = store.members(&course.id).await.unwrap();
        let left = left.iter().find(|one| one.role == Role::Instructor).unwrap();
        store.join(&course.id, &left.person, Role::Student, NOW).await.unwrap();
    }
}

async fn tokens_and_sessions_of_an_account_are_bounded(place: EmptyDatabase) {
    let store = place.open().await;
    let course = made::course(&store).await;
    let ada = made::member(&store, &course, "Ada", Role::Student).await;
    store.new_token(&ada, TokenKind::Api, "x", later(1), NOW).await.unwrap();
    let mut made = Vec::new();
    let now = later(2);
    let new = |kind| store.new_token(&ada, kind, "x", NOW.after(HOUR), now);
    for _ in 0..MOST_API_TOKENS {
        made.push(new(TokenKind::Api).await.expect("those that are over do not count"));
    }
    let error = new(TokenKind::Api).await.unwrap_err();
    let allowed = MOST_API_TOKENS;
    assert!(
        matches!(error, Error::Access(AccessRefusal::TooManyTokens { allowed: a }) if a == allowed),
        "{error}"
    );
    assert!(error.to_string().contains("hint: revoke"), "{error}");
    assert!(store.revoke(&ada, &made[0].0, now).await.unwrap());
    let (session, _) = new(TokenKind::Session).await.unwrap();
    let tries: Vec<_> = (0..6)
        .map(|_| {
            let (store, ada, session) = (store.clone(), ada.clone(), session.clone());
            tokio::spawn(async move {
                store.new_api_token((&ada, &session), "x", NOW.after(HOUR), now).await.is_ok()
            })
        })
        .collect();
    let mut many = 0;
    for one in tries {
        many += usize::from(one.await.unwrap());
    }
    assert_eq!(many, 1, "there was room for one");

    for number in 0..MOST_SESSIONS {
        let at = later(3 + number);
        store.new_token(&ada, TokenKind::Session, "x", NOW.after(HOUR), at).await.unwrap();
    }
    let left = store.tokens_of(&ada, later(100)).await.unwrap();
    let sessions: Vec<_> = left.iter().filter(|one| one.kind == TokenKind::Session).collect();
    assert_eq!(sessions.len(), usize::try_from(MOST_SESSIONS).unwrap());
    assert!(sessions.iter().all(|one| one.id != session), "the oldest ended");
    let refused = store.new_api_token((&ada, &session), "x", NOW.after(HOUR), now).await;
    let error = refused.unwrap_err();
    assert!(matches!(error, Error::Access(AccessRefusal::SignedOut)), "{error}");
}

async fn a_name_cannot_look_like_that_of_another_member(place: EmptyDatabase) {
    let store = place.open().await;
    let Scene { ai, b, ben, .. } = Scene::new(&store).await;
    let ada = made::member(&store, &ai, "Ada Lovelace", Role::Student).await;
    let eve = made::member(&store, &ai, "Eve", Role::Student).await;
    store.set_pseudonym(&ai.id, &ada, "the fox").await.unwrap();
    let before = store.member(&ai.id, &eve).await.unwrap().unwrap().pseudonym;
    for name in [
        "Ada Lovelace",
        "ada  LOVELACE",
        "Аdа Lоvеlасе",
        "Ada\u{200b}Lovelace",
        "Ａｄａ Ｌｏｖｅｌａｃｅ",
        "Ada Lovela\u{3f2}e",
        "\u{1f170}da Lovelace",
        "the \u{17f}ox",
        "the f0x",
        "t\u{200d}he fox",
        "Ina",
        "lnа",
        "Ada Lovelace 1",
        "Аdа Lоvеlасе (student)",
        "The real Ada Lovelace",
    ] {
        let error = store.set_pseudonym(&ai.id, &eve, name).await.unwrap_err();
        assert!(matches!(error, Error::Taken { what: "pseudonym", .. }), "{name}: {error}");
    }
    for name in ["\u{200b}", "\u{3164}\u{3164}"] {
        let error = store.set_pseudonym(&ai.id, &eve, name).await.unwrap_err();
        assert!(matches!(error, Error::Name { .. }), "{name}: {error}");
    }
    assert_eq!(store.member(&ai.id, &eve).await.unwrap().unwrap().pseudonym, before);
    for name in ["Eve", "E\u{300}ve", "Eve 2 3", "Ada of Lovelace Street", "the owl 7"] {
        store.set_pseudonym(&ai.id, &eve, name).await.expect("her own name, and a free one");
    }
    store.set_pseudonym(&b.id, &ben, "Ada Lovelace").await.expect("she is not in that course");

    // Only its owner may use a name that contains another member's.
    let long = made::member(&store, &ai, "Ada Lovelace King", Role::Student).await;
    store.set_pseudonym(&ai.id, &long, "Ada Lovelace King").await.expect("her own name");
    let error = store.set_pseudonym(&ai.id, &ada, "Ada Lovelace King").await.unwrap_err();
    assert!(matches!(error, Error::Taken { .. }), "{error}");

    // A member who comes later keeps their real name.
    let owl = made::member(&store, &ai, "The Owl", Role::Assistant).await;
    let member = store.member(&ai.id, &eve).await.unwrap().unwrap();
    assert_ne!(member.pseudonym, "the owl 7");
    assert!(kinds(&store, &eve).await.contains(&AccountEventKind::PseudonymReplaced));
    assert!(store.member(&ai.id, &owl).await.unwrap().is_some());
    // A homonym cannot show a name that readers would confuse with another's.
    let twin = made::member(&store, &ai, "Adа Lovelace", Role::Student).await;
    let error = store.show_real_name(&ai.id, &twin, true).await.unwrap_err();
    assert!(matches!(error, Error::Taken { what: "name", .. }), "{error}");
    store.show_real_name(&ai.id, &eve, true).await.unwrap();
}

async fn a_name_chosen_twice_at_once_is_given_to_one_person(place: EmptyDatabase) {
    let store = place.open().await;
    let course = made::course(&store).await;
    let ada = made::member(&store, &course, "Ada", Role::Student).await;
    let eve = made::member(&store, &course, "Eve", Role::Student).await;
    for number in 0..10 {
        let both = [(&ada, format!("fox {number}")), (&eve, format!("f0х-{number}"))];
        let both = both.map(|(person, name)| {
            let (store, course, person) = (store.clone(), course.id.clone(), person.clone());
            tokio::spawn(async move { store.set_pseudonym(&course, &person, &name).await.is_ok() })
        });
        let [one, other] = both;
        assert_ne!(one.await.unwrap(), other.await.unwrap(), "{number}");
    }
}

on_both! {
    a_promotion_ends_earlier_links_sessions_and_tokens
    a_link_to_a_role_of_staff_keeps_only_the_session_that_accepts_it
    a_new_administrator_keeps_no_earlier_access
    a_link_signs_in_to_no_account_of_another_course
    joining_another_course_ends_earlier_access
    a_second_link_does_not_sign_in_after_the_first
    two_browsers_that_use_two_links_at_once_get_one_session
    a_promotion_and_a_link_at_once_leave_no_old_session
    an_old_link_does_not_restore_a_lost_role
    sessions_that_an_instructors_links_began_end_with_the_role
    an_earlier_link_does_not_sign_in_after_a_course_is_deleted
    an_inviter_is_known_before_a_removal
    access_opened_for_another_member_ends_with_the_session
    an_api_token_and_a_removal_at_once_leave_no_token
    ended_access_is_found_by_the_next_check
    one_of_two_instructors_who_remove_each_other_stays
    tokens_and_sessions_of_an_account_are_bounded
    a_name_cannot_look_like_that_of_another_member
    a_name_chosen_twice_at_once_is_given_to_one_person
}
