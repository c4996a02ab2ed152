//! Rounds that people played against bots.

use judge_core::{Limits, Options, RoundRecord, RoundSpec, SeatSpec, Seed, Transcript, digest};
use judge_store::{HumanResult, KEPT_ROUNDS, SuiteSettings};

use crate::made::{self, fingerprint, later};
use crate::support::EmptyDatabase;

/// A round that a person gave up at once.
fn given_up(seed: u64) -> RoundRecord {
    let spec = RoundSpec {
        game: "cc".to_owned(),
        options: Options::new(),
        seed: Seed(seed),
        seats: [
            SeatSpec::Human { name: "human".to_owned() },
            SeatSpec::Bot { name: "bot".to_owned(), sha256: digest(b"bot") },
        ],
        limits: Limits::COURSE,
    };
    let resigned = judge_core::Fault {
        seat: Some(judge_core::Seat::One),
        call: None,
        verdict: judge_core::Verdict::Resigned,
        detail: String::new().into(),
    };
    let transcript = Transcript { fault: Some(resigned), ..Transcript::default() };
    judge_referee::record(&spec, fingerprint(), &transcript).unwrap()
}

async fn only_the_player_sees_a_round_and_the_oldest_are_deleted(place: EmptyDatabase) {
    let store = place.open().await;
    let (_, [ada, bob]) = made::scene(&store, SuiteSettings::default()).await;
    let record = given_up(1);
    let first = store.keep_human_round(&ada, &record, later(0)).await.unwrap();
    assert_eq!((first.result, first.bot.as_str()), (HumanResult::Lost, "bot"));
    let (kept, file) = store.human_round(&first.id, &ada).await.unwrap().unwrap();
    assert_eq!((kept, file), (first.clone(), record.to_replay()));
    assert_eq!(store.human_round(&first.id, &bob).await.unwrap(), None);
    assert_eq!(store.human_rounds_of(&bob).await.unwrap(), []);

    let bobs = store.keep_human_round(&bob, &record, later(0)).await.unwrap();
    for number in 1..=i64::from(KEPT_ROUNDS) {
        store.keep_human_round(&ada, &given_up(2), later(number)).await.unwrap();
    }
    let all = store.human_rounds_of(&ada).await.unwrap();
    assert_eq!(all.len(), KEPT_ROUNDS as usize);
    assert_eq!(all[0].played_at, later(i64::from(KEPT_ROUNDS)), "the latest first");
    assert_eq!(store.human_round(&first.id, &ada).await.unwrap(), None, "the oldest is gone");
    assert!(store.human_round(&bobs.id, &bob).await.unwrap().is_some(), "others keep theirs");
}

on_both! {
    only_the_player_sees_a_round_and_the_oldest_are_deleted
}
