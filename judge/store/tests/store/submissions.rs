use std::sync::atomic::{AtomicU64, Ordering};

use judge_core::{Blame, Explanation, Refused, Verdict, digest};
use judge_store::{
    Counted, Error, Role, Store, StoreRefusal, Suite, SuiteSettings, Timestamp, Zone,
};

use crate::made::{self, NOW, later, new, submit};
use crate::support::EmptyDatabase;

/// A new module.
fn module() -> Vec<u8> {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    NUMBER.fetch_add(1, Ordering::Relaxed).to_le_bytes().to_vec()
}

async fn refusal(
    store: &Store,
    suite: &Suite,
    person: &judge_store::PersonId,
    at: Timestamp,
) -> Option<StoreRefusal> {
    match store.submit(&new(suite, person, &module()), at).await {
        Ok(_) => None,
        Err(Error::Refused(refusal)) => Some(refusal),
        Err(error) => panic!("{error}"),
    }
}

async fn a_submission_is_stored_and_equal_modules_share_bytes(place: EmptyDatabase) {
    let store = place.open().await;
    let (suite, [ada, bob]) = made::scene(&store, SuiteSettings::default()).await;
    let odd = "../../etc/pass\u{202e}wd\0.wasm";
    let with_odd_name = judge_store::NewSubmission { file_name: odd, ..new(&suite, &ada, b"one") };
    let one = store.submit(&with_odd_name, NOW).await.unwrap();
    assert!(!one.file_name.contains(['\u{202e}', '\0']), "{}", one.file_name);
    let two = submit(&store, &suite, &bob, b"one", later(1)).await;
    let three = submit(&store, &suite, &ada, b"three", later(2)).await;
    assert_eq!(store.submission(&one.id).await.unwrap(), Some(one.clone()));
    assert_eq!(store.submissions_of(&suite.id, &ada).await.unwrap(), [three.clone(), one.clone()]);
    let page = store.submissions_to(&suite.id, 1, 1).await.unwrap();
    assert_eq!(page, std::slice::from_ref(&two));
    assert_eq!(store.submission_count(&suite.id).await.unwrap(), 3);
    let same = store.submissions_of_module(&suite.id, &digest(b"one")).await.unwrap();
    assert_eq!(same, [one, two]);
    assert_eq!(store.module(&digest(b"one")).await.unwrap().as_deref(), Some(&b"one"[..]));
    assert_eq!(store.module(&digest(b"unknown")).await.unwrap(), None);
}

async fn only_members_submit_and_only_to_an_open_suite(place: EmptyDatabase) {
    let store = place.open().await;
    let (opens_at, due_at) = (later(1000), later(2000));
    let settings = SuiteSettings {
        opens_at: Some(opens_at),
        due_at: Some(due_at),
        ..SuiteSettings::default()
    };
    let (suite, [ada, _]) = made::scene(&store, settings).await;
    let course = store.course(&suite.course).await.unwrap().unwrap();
    let refused = async |at| refusal(&store, &suite, &ada, at).await;
    assert_eq!(refused(later(999)).await, Some(StoreRefusal::NotOpenYet { opens_at }));
    assert_eq!(refused(later(1000)).await, None);
    assert_eq!(refused(later(2000)).await, None, "the last moment");
    assert_eq!(refused(later(2001)).await, Some(StoreRefusal::PastDue { due_at }));
    assert_eq!(store.submission_count(&suite.id).await.unwrap(), 2, "nothing of the others");

    let observer = made::member(&store, &course, "Olga", Role::Observer).await;
    let refused = refusal(&store, &suite, &observer, later(1500)).await;
    assert_eq!(refused, Some(StoreRefusal::NotAMember));
    let stranger = judge_store::NewPerson { name: "x".to_owned(), ..Default::default() };
    let stranger = store.add_person(&stranger, NOW).await.unwrap().id;
    assert_eq!(refusal(&store, &suite, &stranger, NOW).await, Some(StoreRefusal::NotAMember));
    let assistant = made::member(&store, &course, "Tom", Role::Assistant).await;
    assert_eq!(refusal(&store, &suite, &assistant, NOW).await, None, "to try the suite");
}

async fn attempts_of_a_day_end_at_midnight_of_the_course(place: EmptyDatabase) {
    let store = place.open().await;
    let attempts_per_day = Some(2);
    let settings = SuiteSettings { attempts_per_day, pending_at_most: 9, ..Default::default() };
    let (suite, [ada, bob]) = made::scene(&store, settings).await;
    let shanghai = Zone::new("Asia/Shanghai").unwrap();
    let at = |text: &str| shanghai.moment(text).unwrap();
    let refused = async |person, text| refusal(&store, &suite, person, at(text)).await;
    assert_eq!(refused(&ada, "2026-11-23 00:00").await, None);
    let left = store.attempts_left(&suite.id, &ada, at("2026-11-23 12:00")).await.unwrap();
    assert_eq!(left, Some(1));
    assert_eq!(refused(&ada, "2026-11-23 23:59:59.999").await, None);
    let next = at("2026-11-24 00:00");
    let too_many = Some(StoreRefusal::TooManyToday { allowed: 2, next });
    assert_eq!(refused(&ada, "2026-11-23 23:59:59.999").await, too_many);
    assert_eq!(refused(&bob, "2026-11-23 23:59:59.999").await, None, "each has their own");
    assert_eq!(refused(&ada, "2026-11-24 00:00").await, None, "a new day");
    // A clock that jumps back finds the day unchanged.
    assert_eq!(refused(&ada, "2026-11-23 10:00").await, too_many);
}

async fn the_number_of_waiting_submissions_is_limited(place: EmptyDatabase) {
    let store = place.open().await;
    let settings = SuiteSettings { pending_at_most: 2, ..SuiteSettings::default() };
    let (suite, [ada, bob]) = made::scene(&store, settings).await;
    let first = submit(&store, &suite, &ada, b"1", NOW).await;
    submit(&store, &suite, &ada, b"2", later(1)).await;
    let refused = refusal(&store, &suite, &ada, later(2)).await;
    assert_eq!(refused, Some(StoreRefusal::TooManyPending { allowed: 2 }));
    assert_eq!(refusal(&store, &suite, &bob, later(2)).await, None);
    let report = made::report(&first.module, 5, 0);
    store.write_result(&first, 1, &report, later(3)).await.unwrap();
    assert_eq!(refusal(&store, &suite, &ada, later(4)).await, None);
}

async fn limits_hold_for_concurrent_submissions(place: EmptyDatabase) {
    let store = place.open().await;
    let settings = SuiteSettings { attempts_per_day: Some(3), ..SuiteSettings::default() };
    let (suite, [ada, _]) = made::scene(&store, settings).await;
    let tries = (0_u8..12).map(|number| {
        let (store, suite, ada) = (store.clone(), suite.clone(), ada.clone());
        tokio::spawn(async move { store.submit(&new(&suite, &ada, &[number]), NOW).await.is_ok() })
    });
    let mut accepted = 0;
    for one in tries.collect::<Vec<_>>() {
        accepted += u32::from(one.await.unwrap());
    }
    assert_eq!(accepted, 3);
    assert_eq!(store.submission_count(&suite.id).await.unwrap(), 3);
}

async fn submitting_the_same_module_again_uses_no_attempt(place: EmptyDatabase) {
    let store = place.open().await;
    let attempts_per_day = Some(3);
    let settings = SuiteSettings { attempts_per_day, ..SuiteSettings::default() };
    let (suite, [ada, bob]) = made::scene(&store, settings.clone()).await;
    let again = async |person, bytes, at| match store.submit(&new(&suite, person, bytes), at).await
    {
        Ok(_) => None,
        Err(Error::Refused(refusal)) => Some(refusal),
        Err(error) => panic!("{error}"),
    };
    let one = submit(&store, &suite, &ada, b"one", NOW).await;
    let told = StoreRefusal::SubmittedBefore { submission: one.id.clone(), received_at: NOW };
    assert_eq!(again(&ada, b"one", later(1)).await, Some(told.clone()));
    assert_eq!(store.attempts_left(&suite.id, &ada, later(1)).await.unwrap(), Some(2));
    assert_eq!(again(&bob, b"one", later(1)).await, None, "each has their own");
    submit(&store, &suite, &ada, b"two", later(2)).await;
    assert_eq!(again(&ada, b"one", later(3)).await, Some(told.clone()), "the best counts");
    // If the latest submission counts, an older module can become the latest.
    let latest = SuiteSettings { counts: Counted::Latest, ..settings };
    store.change_suite(&suite.id, &latest).await.unwrap();
    let two = again(&ada, b"two", later(4)).await;
    assert!(matches!(two, Some(StoreRefusal::SubmittedBefore { .. })), "{two:?}");
    assert_eq!(again(&ada, b"one", later(5)).await, None);
    // The judge's failure does not use an attempt.
    let failed = store.submissions_of(&suite.id, &ada).await.unwrap().remove(0);
    let why = Refused::new(Explanation::new("the judge failed", "grade again"));
    let mut report = made::report(&failed.module, 0, 0);
    report.bots[0].refused =
        Some(Refused { verdict: Verdict::JudgeError, blame: Blame::Judge, ..why });
    store.write_result(&failed, 1, &report.sealed(), later(6)).await.unwrap();
    let next_day = later(24 * 60 * 60 * 1000);
    assert_eq!(again(&ada, b"one", next_day).await, None);
}

async fn modules_of_a_person_have_a_bound_in_all(place: EmptyDatabase) {
    let store = place.open().await;
    let settings = SuiteSettings { pending_at_most: 9, ..SuiteSettings::default() };
    let (suite, [ada, bob]) = made::scene(&store, settings).await;
    let submit = async |person, module: &[u8], at| {
        let new = judge_store::NewSubmission { stored_at_most: 10, ..new(&suite, person, module) };
        store.submit(&new, at).await
    };
    submit(&ada, b"1234", NOW).await.unwrap();
    submit(&ada, b"56789", later(1)).await.unwrap();
    let refused = submit(&ada, b"ab", later(2)).await.unwrap_err();
    assert!(
        matches!(refused, Error::Refused(StoreRefusal::TooMuchStored { allowed: 10 })),
        "{refused}"
    );
    assert_eq!(store.module(&digest(b"ab")).await.unwrap(), None, "nothing of it is kept");
    submit(&ada, b"a", later(3)).await.unwrap();
    submit(&bob, b"1234567890", later(4)).await.unwrap();
    // A module that several students submit counts for each of them.
    let refused = submit(&bob, b"1234", later(5)).await.unwrap_err();
    assert!(matches!(refused, Error::Refused(StoreRefusal::TooMuchStored { .. })), "{refused}");
}

on_both! {
    submitting_the_same_module_again_uses_no_attempt
    modules_of_a_person_have_a_bound_in_all
    a_submission_is_stored_and_equal_modules_share_bytes
    only_members_submit_and_only_to_an_open_suite
    attempts_of_a_day_end_at_midnight_of_the_course
    the_number_of_waiting_submissions_is_limited
    limits_hold_for_concurrent_submissions
}
