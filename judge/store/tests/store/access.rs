use std::time::Duration;

use judge_store::{
    BadgeParts, Error, InvitationFault, Invited, Lifetime, NewIdentity, NewInvitation, PersonId,
    Role, Store, Timestamp, Token, TokenKind, Visitor,
};

use crate::made::{self, NOW, later};
use crate::support::EmptyDatabase;

const HOUR: Duration = Duration::from_secs(3600);

/// A browser without a session.
pub(crate) fn signed_out(name: &str) -> Visitor<'_> {
    Visitor::SignedOut { name, session_ends_at: NOW.after(HOUR) }
}

/// Accepts an invitation, in a session of `who` or in a browser without a session.
pub(crate) async fn accept(
    store: &Store,
    link: &Token,
    who: Option<&PersonId>,
    at: Timestamp,
) -> Result<Invited, InvitationFault> {
    let Some(person) = who else {
        return use_up(store, link.reveal(), signed_out("Ada"), at).await;
    };
    let (kind, end) = (TokenKind::Session, at.after(HOUR));
    let (session, _) = store.new_token(person, kind, "browser", end, at).await.unwrap();
    let visitor = Visitor::SignedIn { person, session: &session };
    use_up(store, link.reveal(), visitor, at).await
}

/// Uses an invitation; only its own faults are an answer.
pub(crate) async fn use_up(
    store: &Store,
    secret: &str,
    visitor: Visitor<'_>,
    at: Timestamp,
) -> Result<Invited, InvitationFault> {
    store.use_invitation(secret, visitor, at).await.map_err(|error| match error {
        Error::Invitation(fault) => fault,
        other => panic!("{other}"),
    })
}

async fn fault(store: &Store, secret: &str, at: Timestamp) -> Option<InvitationFault> {
    use_up(store, secret, signed_out("Ada"), at).await.err()
}

async fn an_invitation_admits_one_person_once(place: EmptyDatabase) {
    let store = place.open().await;
    let course = made::course(&store).await;
    let to = NewInvitation {
        course: Some(course.id.clone()),
        role: Role::Student,
        person: None,
        listed: None,
        expires_at: NOW.after(HOUR),
    };
    let (_, token) = store.invite(&to, NOW).await.unwrap();
    assert_eq!(token.reveal().len(), 52, "256 bits");
    assert!(!format!("{token:?}").contains(token.reveal()));
    // Reading does not use it up, because programs that preview links read it.
    store.invitation(token.reveal(), NOW).await.unwrap();
    let tries = (0..8).map(|number| {
        let (store, secret) = (store.clone(), token.reveal().to_owned());
        let name = format!("Ada {number}");
        tokio::spawn(async move { use_up(&store, &secret, signed_out(&name), NOW).await })
    });
    let mut let_in = 0;
    for one in tries.collect::<Vec<_>>() {
        match one.await.unwrap() {
            Ok(invited) => {
                assert_eq!(
                    (invited.course.as_ref(), invited.role),
                    (Some(&course.id), Role::Student)
                );
                let_in += 1;
            }
            Err(fault) => assert_eq!(fault, InvitationFault::Used),
        }
    }
    assert_eq!(let_in, 1);
    assert_eq!(store.members(&course.id).await.unwrap().len(), 1, "the others added no member");
}

async fn expired_and_revoked_invitations_are_refused(place: EmptyDatabase) {
    let store = place.open().await;
    let course = made::course(&store).await;
    let ada = made::member(&store, &course, "Ada", Role::Observer).await;
    let eve = made::member(&store, &course, "Eve", Role::Observer).await;
    let to = NewInvitation {
        course: Some(course.id.clone()),
        role: Role::Student,
        person: Some(ada.clone()),
        listed: None,
        expires_at: NOW.after(HOUR),
    };
    let (id, token) = store.invite(&to, NOW).await.unwrap();
    let at_the_end = NOW.after(HOUR);
    assert_eq!(fault(&store, token.reveal(), at_the_end).await, Some(InvitationFault::Expired));
    assert_eq!(fault(&store, "nonsense", NOW).await, Some(InvitationFault::Unknown));
    let long = "x".repeat(1_000_000);
    assert_eq!(fault(&store, &long, NOW).await, Some(InvitationFault::Unknown));
    let as_eve = accept(&store, &token, Some(&eve), NOW).await;
    assert_eq!(as_eve, Err(InvitationFault::ForAnother));
    let used = accept(&store, &token, None, NOW).await.unwrap();
    assert_eq!(used.person, ada, "the link belongs to Ada");
    assert!(!store.take_back(&course.id, &id, NOW).await.unwrap(), "it was used");

    let (id, token) = store.invite(&to, NOW).await.unwrap();
    assert!(store.take_back(&course.id, &id, NOW).await.unwrap());
    assert_eq!(fault(&store, token.reveal(), NOW).await, Some(InvitationFault::Revoked));
    assert_eq!(store.invitations(&course.id).await.unwrap().len(), 2);
}

async fn an_invitation_never_lowers_a_role(place: EmptyDatabase) {
    let store = place.open().await;
    let course = made::course(&store).await;
    for (is, invited, becomes) in [
        (Role::Instructor, Role::Student, Role::Instructor),
        (Role::Assistant, Role::Observer, Role::Assistant),
        (Role::Assistant, Role::Instructor, Role::Instructor),
        (Role::Observer, Role::Student, Role::Student),
    ] {
        let one = made::member(&store, &course, "One", is).await;
        let (course, person) = (Some(course.id.clone()), None);
        let to =
            NewInvitation { course, role: invited, person, listed: None, expires_at: later(9) };
        let (_, token) = store.invite(&to, NOW).await.unwrap();
        let used = accept(&store, &token, Some(&one), NOW).await;
        assert_eq!(used.unwrap().role, becomes, "{is} invited as {invited}");
        let member = store.member(to.course.as_ref().unwrap(), &one).await.unwrap().unwrap();
        assert_eq!(member.role, becomes);
    }
}

async fn the_first_invitation_makes_an_administrator(place: EmptyDatabase) {
    let store = place.open().await;
    let role = Role::Instructor;
    let to = NewInvitation { course: None, role, person: None, listed: None, expires_at: later(1) };
    let (_, token) = store.invite(&to, NOW).await.unwrap();
    let (_, second) = store.invite(&to, NOW).await.unwrap();
    let first = accept(&store, &token, None, NOW).await.unwrap();
    assert!(store.person(&first.person).await.unwrap().unwrap().is_administrator);
    let refused = accept(&store, &second, None, NOW).await;
    assert_eq!(refused.unwrap_err(), InvitationFault::Revoked, "one is enough");
}

async fn tokens_are_valid_until_they_expire_or_are_revoked(place: EmptyDatabase) {
    let store = place.open().await;
    let course = made::course(&store).await;
    let ada = made::member(&store, &course, "Ada", Role::Student).await;
    let eve = made::member(&store, &course, "Eve", Role::Student).await;
    let until = NOW.after(HOUR);
    let new = |kind| store.new_token(&ada, kind, "laptop", until, NOW);
    let (id, session) = new(TokenKind::Session).await.unwrap();
    let (_, api) = new(TokenKind::Api).await.unwrap();
    let who = async |secret: &str, kind, at| store.authenticate(secret, kind, at).await.unwrap();
    let found = who(session.reveal(), TokenKind::Session, NOW).await.unwrap();
    assert_eq!((&found.person.id, &found.token), (&ada, &id));
    assert_eq!(who(session.reveal(), TokenKind::Api, NOW).await, None, "each where it belongs");
    assert_eq!(who(api.reveal(), TokenKind::Session, NOW).await, None);
    assert_eq!(who(session.reveal(), TokenKind::Session, until).await, None, "over");
    assert_eq!(who("", TokenKind::Session, NOW).await, None);
    assert_eq!(who(id.as_str(), TokenKind::Session, NOW).await, None, "an id is not a secret");

    assert!(!store.revoke(&eve, &id, NOW).await.unwrap(), "it is not hers");
    assert!(store.revoke(&ada, &id, NOW).await.unwrap());
    assert_eq!(who(session.reveal(), TokenKind::Session, NOW).await, None);
    assert_eq!(store.tokens_of(&ada, NOW).await.unwrap().len(), 1);
    store.sign_out_everywhere(&ada, None, NOW).await.unwrap();
    assert_eq!(who(api.reveal(), TokenKind::Api, NOW).await, None);
}

/// Lifetime of the sessions of these tests.
const LIFETIME: Lifetime =
    Lifetime { unused: Duration::from_secs(30 * 60), most: Duration::from_secs(70 * 60) };

/// Uses a session, and returns its recorded end; none if it has ended.
async fn shown(store: &Store, session: &Token, at: Timestamp) -> Option<Timestamp> {
    loop {
        let found = store.authenticate_session(session.reveal(), LIFETIME, at).await.unwrap()?;
        let tokens = store.tokens_of(&found.person.id, NOW).await.unwrap();
        let token = tokens.into_iter().find(|token| token.id == found.token).unwrap();
        if token.last_used_at == Some(at) {
            return Some(token.expires_at);
        }
        tokio::task::yield_now().await;
    }
}

async fn using_a_session_extends_it_up_to_a_bound(place: EmptyDatabase) {
    let store = place.open().await;
    let course = made::course(&store).await;
    let ada = made::member(&store, &course, "Ada", Role::Student).await;
    let minutes = |many: i64| later(many * 60_000);
    let begin = async |kind, end, at| {
        store.new_token(&ada, kind, "x", minutes(end), minutes(at)).await.unwrap().1
    };
    let session = begin(TokenKind::Session, 30, 0).await;
    for (at, end) in [(20, 50), (45, 70), (60, 70)] {
        let until = shown(&store, &session, minutes(at)).await;
        assert_eq!(until, Some(minutes(end)), "at minute {at}");
    }
    assert_eq!(shown(&store, &session, minutes(70)).await, None, "however much it is used");
    let unused = begin(TokenKind::Session, 30, 0).await;
    assert_eq!(shown(&store, &unused, minutes(30)).await, None);
    // Shorter lifetimes take nothing away from a session that began before.
    let old = begin(TokenKind::Session, 1000, 71).await;
    assert_eq!(shown(&store, &old, minutes(72)).await, Some(minutes(1000)));
    // API tokens are not sessions: use does not extend them.
    let token = begin(TokenKind::Api, 90, 80).await;
    assert_eq!(shown(&store, &token, minutes(81)).await, None);
    let found = store.authenticate(token.reveal(), TokenKind::Api, minutes(89)).await.unwrap();
    assert!(found.is_some());
    let found = store.authenticate(token.reveal(), TokenKind::Api, minutes(90)).await.unwrap();
    assert_eq!(found, None);
}

async fn no_secret_is_kept(place: EmptyDatabase) {
    let store = place.open().await;
    let course = made::course(&store).await;
    let ada = made::member(&store, &course, "Ada", Role::Student).await;
    let (_, token) = store.new_token(&ada, TokenKind::Api, "x", later(1), NOW).await.unwrap();
    let role = Role::Student;
    let to = NewInvitation { course: None, role, person: None, listed: None, expires_at: later(1) };
    let (_, invitation) = store.invite(&to, NOW).await.unwrap();
    store.close().await;
    for entry in std::fs::read_dir(place.folder()).unwrap() {
        let bytes = std::fs::read(entry.unwrap().path()).unwrap();
        for secret in [token.reveal(), invitation.reveal()] {
            let found = bytes.windows(secret.len()).any(|window| window == secret.as_bytes());
            assert!(!found, "a secret in the clear");
        }
    }
}

async fn a_subject_and_a_person_belong_to_each_other(place: EmptyDatabase) {
    let store = place.open().await;
    let (_, [ada, bob]) = made::scene(&store, judge_store::SuiteSettings::default()).await;
    let link = async |issuer, subject, person| {
        let new = NewIdentity { issuer, subject, person, is_proven: false, session: None };
        store.link_identity(new, NOW).await.is_ok()
    };
    let who = async |issuer, subject| store.person_by_identity(issuer, subject).await.unwrap();
    assert!(link("https://a", "1", &ada).await);
    assert!(!link("https://a", "1", &bob).await, "the subject is Ada's");
    assert!(!link("https://a", "2", &ada).await, "Ada has one there");
    assert!(link("https://b", "1", &bob).await, "another issuer's subject");
    assert_eq!(who("https://a", "1").await, Some(ada.clone()));
    assert_eq!(who("https://b", "1").await, Some(bob.clone()));
    assert_eq!(who("https://a", "2").await, None);
    assert_eq!(store.identity_of("https://a", &ada).await.unwrap(), Some(NOW));
    assert!(store.unlink_identity("https://a", &ada, NOW).await.unwrap());
    assert!(!store.unlink_identity("https://a", &ada, NOW).await.unwrap());
    assert_eq!(who("https://a", "1").await, None);
}

async fn a_badge_has_an_address_until_it_is_switched_off(place: EmptyDatabase) {
    let store = place.open().await;
    let (suite, [ada, bob]) = made::scene(&store, judge_store::SuiteSettings::default()).await;
    let points = BadgeParts { points: true, ..BadgeParts::default() };
    store.show_badge(&suite.id, &ada, points, NOW).await.unwrap();
    let first = store.badge_of(&suite.id, &ada).await.unwrap().unwrap();
    assert_eq!((first.parts, &first.person), (points, &ada));
    let both = BadgeParts { rank: true, ..points };
    store.show_badge(&suite.id, &ada, both, NOW).await.unwrap();
    let changed = store.badge(&first.id).await.unwrap().unwrap();
    assert_eq!(changed.parts, both, "the same address");
    assert_eq!(store.badge_of(&suite.id, &bob).await.unwrap(), None);
    store.hide_badge(&suite.id, &ada).await.unwrap();
    assert_eq!(store.badge(&first.id).await.unwrap(), None);
    store.show_badge(&suite.id, &ada, both, NOW).await.unwrap();
    assert_ne!(store.badge_of(&suite.id, &ada).await.unwrap().unwrap().id, first.id);
}

on_both! {
    a_subject_and_a_person_belong_to_each_other
    a_badge_has_an_address_until_it_is_switched_off
    an_invitation_admits_one_person_once
    expired_and_revoked_invitations_are_refused
    an_invitation_never_lowers_a_role
    the_first_invitation_makes_an_administrator
    tokens_are_valid_until_they_expire_or_are_revoked
    using_a_session_extends_it_up_to_a_bound
}

#[test]
fn the_database_file_has_no_plain_secret() {
    crate::support::on_sqlite(no_secret_is_kept);
}
