//! Mail: who gets a message, and when it is taken.

use std::time::Duration;

use judge_store::{
    DueMail, InvitationId, MailKind, NewInvitation, NewPerson, PersonId, Role, Showing, Store,
    SuiteSettings, Timestamp,
};

use crate::made::{self, NOW, later, report, submit};
use crate::support::EmptyDatabase;

crate::on_both! {
    a_first_result_sends_mail_to_subscribed_members
    a_judge_error_sends_no_mail
    an_answer_to_a_review_sends_one_mail
    a_usable_invitation_is_mailed_to_its_address
    a_message_is_taken_again_only_after_a_wait
    mail_is_deleted_with_its_course
}

/// Longer than every wait between two attempts.
const DAYS: Duration = Duration::from_secs(2 * 24 * 60 * 60);

async fn member(store: &Store, course: &judge_store::Course, name: &str) -> PersonId {
    let address = Some(format!("{name}@x.example"));
    let new = NewPerson { name: name.to_owned(), address, ..NewPerson::default() };
    let person = store.add_person(&new, NOW).await.unwrap().id;
    store.join(&course.id, &person, Role::Student, NOW).await.unwrap();
    person
}

fn addresses(mails: &[DueMail]) -> Vec<&str> {
    let mut all: Vec<&str> = mails.iter().map(|mail| mail.address.as_str()).collect();
    all.sort_unstable();
    all
}

async fn a_first_result_sends_mail_to_subscribed_members(place: EmptyDatabase) {
    let store = place.open().await;
    let course = made::course(&store).await;
    let settings = SuiteSettings { by_groups: true, ..SuiteSettings::default() };
    let suite = made::suite(&store, &course, settings).await;
    let red = store.create_group(&course.id, "Red", NOW).await.unwrap();
    let mut people = Vec::new();
    for name in ["ada", "bob", "eve", "left", "mute"] {
        let person = member(&store, &course, name).await;
        store.subscribe(&person, name != "mute", NOW).await.unwrap();
        if name != "eve" {
            store.move_to_group((&course.id, &person), Some(&red), NOW).await.unwrap();
        }
        people.push(person);
    }
    store.move_to_group((&course.id, &people[3]), None, later(1)).await.unwrap();
    let one = submit(&store, &suite, &people[0], b"one", later(2)).await;
    assert_eq!(store.take_mail(later(3)).await.unwrap(), []);
    store.write_result(&one, 1, &report(&one.module, 10, 1), later(3)).await.unwrap();
    let mails = store.take_mail(later(4)).await.unwrap();
    assert_eq!(addresses(&mails), ["ada@x.example", "bob@x.example"]);
    assert!(mails.iter().all(|mail| mail.kind == MailKind::Graded));
    assert!(mails.iter().all(|mail| mail.submission.as_ref() == Some(&one.id)));
    for mail in &mails {
        store.end_mail(mail).await.unwrap();
    }
    store.rejudge(&suite.id, &judge_store::Scope::All, Showing::Complete, later(5)).await.unwrap();
    let generation = store.suite(&suite.id).await.unwrap().unwrap().generation;
    let again = report(&one.module, 7, 1);
    store.write_result(&one, generation, &again, later(6)).await.unwrap();
    assert_eq!(store.take_mail(later(7)).await.unwrap(), [], "grading again");
}

async fn a_judge_error_sends_no_mail(place: EmptyDatabase) {
    let store = place.open().await;
    let course = made::course(&store).await;
    let suite = made::suite(&store, &course, SuiteSettings::default()).await;
    let ada = member(&store, &course, "ada").await;
    store.subscribe(&ada, true, NOW).await.unwrap();
    let one = submit(&store, &suite, &ada, b"one", NOW).await;
    for _ in 0..judge_store::MOST_TRIES {
        let job = store.next_job("w", Duration::from_secs(60), NOW).await.unwrap().unwrap();
        store.job_failed(&job, later(1)).await.unwrap();
    }
    assert_eq!(store.next_job("w", Duration::from_secs(60), later(1)).await.unwrap(), None);
    assert_eq!(store.results_of(&one.id).await.unwrap().len(), 1, "given up");
    assert_eq!(store.take_mail(later(2)).await.unwrap(), []);
}

async fn an_answer_to_a_review_sends_one_mail(place: EmptyDatabase) {
    let store = place.open().await;
    let course = made::course(&store).await;
    let suite = made::suite(&store, &course, SuiteSettings::default()).await;
    let ina = made::member(&store, &course, "Ina", Role::Instructor).await;
    let ada = member(&store, &course, "ada").await;
    let one = submit(&store, &suite, &ada, b"one", NOW).await;
    store.write_result(&one, 1, &report(&one.module, 10, 1), NOW).await.unwrap();
    store.subscribe(&ada, true, NOW).await.unwrap();
    for at in [1, 3] {
        let review = store.request_review((&one.id, &ada), "Why?", later(at)).await.unwrap();
        store.answer_review((&one.id, &review), &ina, "A trap.", later(at)).await.unwrap();
    }
    let mails = store.take_mail(later(4)).await.unwrap();
    assert_eq!(addresses(&mails), ["ada@x.example"; 2], "one for each answer");
    assert!(mails.iter().all(|mail| mail.kind == MailKind::Answered));
}

/// Invites a person by mail.
async fn invite(store: &Store, course: &judge_store::Course, name: &str, until: Timestamp) {
    let new = NewInvitation {
        course: Some(course.id.clone()),
        role: Role::Student,
        person: None,
        listed: None,
        expires_at: until,
    };
    let address = Some(format!("{name}@x.example"));
    let one = NewPerson { name: name.to_owned(), address, ..NewPerson::default() };
    let plain = NewPerson { name: "Nobody".to_owned(), ..NewPerson::default() };
    let secrets = store.invite_by_mail(None, &new, &[one, plain], NOW).await.unwrap();
    assert!(secrets[0].is_none() && secrets[1].is_some(), "only the link without an address");
}

async fn a_usable_invitation_is_mailed_to_its_address(place: EmptyDatabase) {
    let store = place.open().await;
    let course = made::course(&store).await;
    invite(&store, &course, "ada", later(10_000)).await;
    invite(&store, &course, "late", later(1)).await;
    let taken = store.take_mail(later(2)).await.unwrap();
    assert_eq!(addresses(&taken), ["ada@x.example"], "the other link has expired");
    let id: &InvitationId = taken[0].invitation.as_ref().unwrap();
    let [first, second] = [
        store.renew_link(id, later(2)).await.unwrap().unwrap(),
        store.renew_link(id, later(2)).await.unwrap().unwrap(),
    ];
    assert!(store.invitation(first.reveal(), later(3)).await.is_err(), "replaced");
    assert_eq!(store.invitation(second.reveal(), later(3)).await.unwrap().id, *id);
    assert!(store.take_back(&course.id, id, later(3)).await.unwrap());
    assert_eq!(store.renew_link(id, later(4)).await.unwrap(), None);
    assert_eq!(store.take_mail(NOW.after(DAYS)).await.unwrap(), [], "revoked");
}

async fn a_message_is_taken_again_only_after_a_wait(place: EmptyDatabase) {
    let store = place.open().await;
    let course = made::course(&store).await;
    for number in 0..30 {
        invite(&store, &course, &format!("p{number}"), NOW.after(DAYS * 9)).await;
    }
    let takers = (0..4).map(|_| {
        let store = store.clone();
        tokio::spawn(async move {
            [store.take_mail(later(1)).await.unwrap(), store.take_mail(later(1)).await.unwrap()]
        })
    });
    let mut all = Vec::new();
    for taker in takers.collect::<Vec<_>>() {
        all.extend(taker.await.unwrap().concat());
    }
    let mut once = addresses(&all);
    once.dedup();
    assert_eq!((all.len(), once.len()), (30, 30));
    let (mut now, mut attempts) = (later(1), 1);
    let mut last = all.remove(0);
    while !last.is_last_attempt() {
        now = now.after(DAYS);
        let taken = [store.take_mail(now).await.unwrap(), store.take_mail(now).await.unwrap()];
        let Some(one) = taken.concat().into_iter().find(|one| one.address == last.address) else {
            break;
        };
        last = one;
        attempts += 1;
    }
    assert_eq!(attempts, 4, "after a week it is no news");
    assert_eq!(store.take_mail(now.after(DAYS)).await.unwrap(), []);
}

async fn mail_is_deleted_with_its_course(place: EmptyDatabase) {
    let store = place.open().await;
    let course = made::course(&store).await;
    invite(&store, &course, "ada", NOW.after(DAYS)).await;
    store.archive_course(&course.id, None, NOW).await.unwrap();
    store.delete_course(&course.id, None, NOW).await.unwrap();
    assert_eq!(store.take_mail(later(1)).await.unwrap(), []);
}
