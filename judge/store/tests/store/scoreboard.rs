use judge_core::Points;
use judge_store::{Counted, PersonId, Role, Scope, Store, Suite, SuiteSettings, Timestamp};

use crate::made::{self, NOW, later, report, submit};
use crate::support::Place;

async fn graded(store: &Store, suite: &Suite, person: &PersonId, at: i64, points: u32) {
    let module = [b"module".as_slice(), &at.to_le_bytes()].concat();
    let one = submit(store, suite, person, &module, later(at)).await;
    store.write_result(&one, 1, &report(&one.module, points, 1), later(at + 1)).await.unwrap();
}

/// Name, rank, points, attempts.
type Line = (String, Option<u64>, Points, u64);

async fn board(store: &Store, suite: &Suite, until: Option<Timestamp>) -> Vec<Line> {
    let rows = store.scoreboard(&suite.id, until).await.unwrap();
    rows.into_iter().map(|row| (row.name, row.rank, row.result.points, row.attempts)).collect()
}

fn line(name: &str, rank: u64, points: u32, attempts: u64) -> Line {
    (name.to_owned(), Some(rank), Points::whole(points), attempts)
}

async fn the_best_or_the_latest_counts(place: Place) {
    let store = place.open().await;
    let (suite, [ada, bob]) = made::scene(&store, SuiteSettings::default()).await;
    let course = store.course(&suite.course).await.unwrap().unwrap();
    let eve = made::member(&store, &course, "Eve", Role::Student).await;
    made::member(&store, &course, "Silent", Role::Student).await;
    assert_eq!(board(&store, &suite, None).await, []);
    for (person, at, points) in
        [(&ada, 10, 5), (&ada, 20, 9), (&ada, 30, 7), (&bob, 40, 9), (&eve, 50, 8)]
    {
        graded(&store, &suite, person, at, points).await;
    }
    let best = [line("Ada", 1, 9, 3), line("Bob", 1, 9, 1), line("Eve", 3, 8, 1)];
    assert_eq!(board(&store, &suite, None).await, best);
    let early = [line("Ada", 1, 9, 2)];
    assert_eq!(board(&store, &suite, Some(later(20))).await, early);

    let latest = SuiteSettings { counts: Counted::Latest, ..SuiteSettings::default() };
    store.change_suite(&suite.id, &latest).await.unwrap();
    let latest = [line("Bob", 1, 9, 1), line("Eve", 2, 8, 1), line("Ada", 3, 7, 3)];
    assert_eq!(board(&store, &suite, None).await, latest);
}

async fn staff_is_shown_without_a_rank(place: Place) {
    let store = place.open().await;
    let (suite, [ada, _]) = made::scene(&store, SuiteSettings::default()).await;
    let course = store.course(&suite.course).await.unwrap().unwrap();
    let tom = made::member(&store, &course, "Tom", Role::Assistant).await;
    graded(&store, &suite, &tom, 1, 20).await;
    graded(&store, &suite, &ada, 2, 9).await;
    let found = board(&store, &suite, None).await;
    assert_eq!(found[0], ("Tom".to_owned(), None, Points::whole(20), 1));
    assert_eq!(found[1], line("Ada", 1, 9, 1));
}

async fn newcomers_are_shown_while_others_are_graded_again(place: Place) {
    let store = place.open().await;
    let (suite, [ada, bob]) = made::scene(&store, SuiteSettings::default()).await;
    graded(&store, &suite, &ada, 1, 9).await;
    let generation = store.rejudge(&suite.id, &Scope::All, NOW).await.unwrap();
    let new = submit(&store, &suite, &bob, b"new", later(2)).await;
    let result = report(&new.module, 7, 1);
    store.write_result(&new, generation, &result, later(3)).await.unwrap();
    let both = [line("Ada", 1, 9, 1), line("Bob", 2, 7, 1)];
    assert_eq!(board(&store, &suite, None).await, both);
    let old = store.submissions_of(&suite.id, &ada).await.unwrap().remove(0);
    store.write_result(&old, generation, &report(&old.module, 3, 1), later(4)).await.unwrap();
    let both = [line("Bob", 1, 7, 1), line("Ada", 2, 3, 1)];
    assert_eq!(board(&store, &suite, None).await, both, "the new generation is whole");
}

on_both! {
    the_best_or_the_latest_counts
    staff_is_shown_without_a_rank
    newcomers_are_shown_while_others_are_graded_again
}
