//! Requests for reviews, answers and adjusted points: rights, limits, and the marks that follow.

use judge_core::Points;
use judge_store::{
    Act, Audience, Counted, CourseCopy, ERASED, Error, GroupMove, HiddenShown, LatePolicy,
    LateRules, MOST_ADJUSTMENTS, MOST_OPEN_REVIEWS, MOST_REVIEWS, MOST_TEXT, PersonId, ReviewId,
    ReviewRefusal, Role, Scope, ScoreboardQuery, Showing, Store, Submission, Suite, SuiteSettings,
    Timestamp,
};

use crate::made::{self, NOW, later, report, submit};
use crate::support::EmptyDatabase;

crate::on_both! {
    a_request_is_open_until_its_answer_and_then_again
    only_people_with_the_submission_ask_and_only_staff_answer
    a_student_does_not_flood_the_staff
    only_one_of_two_concurrent_review_requests_counts
    only_one_of_two_concurrent_answers_counts
    a_result_that_is_not_visible_yet_has_no_request
    adjusted_points_count_everywhere_and_are_taken_back
    adjusted_points_decide_which_submission_counts
    a_grading_keeps_the_adjustment_that_was_made_before
    late_rules_do_not_change_adjusted_points
    a_result_without_a_grading_can_get_points
    hidden_testcases_are_not_revealed_by_adjusted_points
    only_instructors_adjust_within_the_limits
    a_group_shares_requests_and_points
    notices_name_recent_answers_and_points
    an_erased_member_leaves_answers_without_a_request
    a_copy_of_a_course_has_no_reviews
}

/// A course with a graded submission of Ada, Bob, the assistant Alan and the instructor Ina.
struct ReviewScene {
    suite: Suite,
    ada: PersonId,
    bob: PersonId,
    alan: PersonId,
    ina: PersonId,
    graded: Submission,
}

impl ReviewScene {
    async fn new(store: &Store, settings: SuiteSettings) -> ReviewScene {
        let (suite, [ada, bob]) = made::scene(store, settings).await;
        let course = store.course(&suite.course).await.unwrap().unwrap();
        let alan = made::member(store, &course, "Alan", Role::Assistant).await;
        let ina = made::member(store, &course, "Ina", Role::Instructor).await;
        let graded = graded(store, &suite, &ada, 0, 6).await;
        ReviewScene { suite, ada, bob, alan, ina, graded }
    }

    async fn ask(&self, store: &Store, person: &PersonId, at: i64) -> Result<ReviewId, Error> {
        store.request_review((&self.graded.id, person), "Why?", later(at)).await
    }

    async fn answer(&self, store: &Store, review: &ReviewId, at: i64) -> Result<(), Error> {
        store.answer_review((&self.graded.id, review), &self.alan, "So.", later(at)).await
    }

    async fn adjust(&self, store: &Store, points: Option<u32>, at: i64) {
        let new = (points.map(Points::whole), "because");
        store.adjust_points(&self.graded.id, new, &self.ina, later(at)).await.unwrap();
    }

    /// The points that count for Ada: on the staff's scoreboard, the students', in marks and for
    /// herself.
    async fn counting(&self, store: &Store, now: Timestamp) -> [Points; 4] {
        let suite = store.suite(&self.suite.id).await.unwrap().unwrap();
        let board = async |audience| {
            let query = ScoreboardQuery::all(audience);
            let part = store.scoreboard_part(&suite.id, &query).await.unwrap();
            part.rows.into_iter().find(|row| row.name == "Ada").unwrap().result.points
        };
        let marks = store.counting_results(&suite.id).await.unwrap();
        let mark = marks.into_iter().find(|row| row.name == "Ada").unwrap().result.points;
        let own = store.visible_results(&suite, &self.ada, now).await.unwrap();
        let own = own.iter().map(|row| row.points).max().unwrap();
        [board(Audience::Staff).await, board(Audience::Members(now)).await, mark, own]
    }
}

async fn graded(store: &Store, suite: &Suite, who: &PersonId, at: i64, points: u32) -> Submission {
    let module = [b"module".as_slice(), &at.to_le_bytes()].concat();
    let one = submit(store, suite, who, &module, later(at)).await;
    let generation = store.suite(&suite.id).await.unwrap().unwrap().generation;
    grade(store, &one, generation, points).await;
    one
}

async fn grade(store: &Store, one: &Submission, generation: i64, points: u32) {
    let report = report(&one.module, points, generation.unsigned_abs());
    store.write_result(one, generation, &report, later(100)).await.unwrap();
}

fn refusal<T: std::fmt::Debug>(result: Result<T, Error>) -> ReviewRefusal {
    match result {
        Err(Error::Review(refusal)) => refusal,
        other => panic!("{other:?}"),
    }
}

fn is_missing<T>(result: &Result<T, Error>) -> bool {
    matches!(result, Err(Error::Missing { .. }))
}

async fn a_request_is_open_until_its_answer_and_then_again(place: EmptyDatabase) {
    let store = place.open().await;
    let scene = ReviewScene::new(&store, SuiteSettings::default()).await;
    let (id, course) = (&scene.graded.id, &scene.suite.course);
    assert_eq!(store.reviews_of(id).await.unwrap(), []);
    let text = " Round 2 <b>crashed</b>:\r\n\tsee\0it ";
    let first = store.request_review((id, &scene.ada), text, later(1)).await.unwrap();
    let open = store.open_reviews(course, 9).await.unwrap();
    assert_eq!(open.len(), 1);
    assert_eq!((open[0].suite.as_str(), open[0].file_name.as_str()), ("Warm-up", "bot.wasm"));
    let review = &open[0].review;
    assert_eq!((&review.id, review.asked_by.as_str(), review.asked_at), (&first, "Ada", later(1)));
    assert_eq!(review.request, "Round 2 <b>crashed</b>:\n    see\\u{0}it");
    assert_eq!(refusal(scene.ask(&store, &scene.ada, 2).await), ReviewRefusal::AlreadyOpen);

    let acting = store.acting(Some(&scene.alan), later(3));
    acting
        .answer_review((id, &first), &scene.alan, "It was an illegal move.", later(3))
        .await
        .unwrap();
    assert_eq!(store.open_reviews(course, 9).await.unwrap(), []);
    assert_eq!(store.open_review_count(course).await.unwrap(), 0);
    assert_eq!(refusal(scene.answer(&store, &first, 4).await), ReviewRefusal::Answered);
    let log = store.log_of_course(course, 0, 9).await.unwrap();
    assert_eq!((log[0].act, log[0].by.as_deref()), (Act::ReviewAnswered, Some("Alan")));
    assert_eq!((log[0].person.as_deref(), log[0].detail.as_str()), (Some("Ada"), id.as_str()));

    scene.ask(&store, &scene.ada, 5).await.unwrap();
    assert_eq!(store.open_review_count(course).await.unwrap(), 1);
    let all = store.reviews_of(id).await.unwrap();
    assert_eq!((all.len(), all[1].answer.is_none()), (2, true));
    let answer = all[0].answer.as_ref().unwrap();
    assert_eq!((answer.by.as_str(), answer.at), ("Alan", later(3)));
    assert_eq!(answer.text, "It was an illegal move.");
}

async fn only_people_with_the_submission_ask_and_only_staff_answer(place: EmptyDatabase) {
    let store = place.open().await;
    let scene = ReviewScene::new(&store, SuiteSettings::default()).await;
    let course = store.course(&scene.suite.course).await.unwrap().unwrap();
    let olga = made::member(&store, &course, "Olga", Role::Observer).await;
    for other in [&scene.bob, &olga] {
        assert!(is_missing(&scene.ask(&store, other, 1).await));
    }
    for staff in [&scene.alan, &scene.ina] {
        assert_eq!(refusal(scene.ask(&store, staff, 1).await), ReviewRefusal::NotAStudent);
    }
    let review = scene.ask(&store, &scene.ada, 1).await.unwrap();
    let whole = (&scene.graded.id, &review);
    for other in [&scene.bob, &olga] {
        assert!(is_missing(&store.answer_review(whole, other, "x", later(2)).await));
    }
    let own = store.answer_review(whole, &scene.ada, "x", later(2)).await;
    assert_eq!(refusal(own), ReviewRefusal::NotAllowed);
    // The id of a request does not lead to another submission.
    let other = graded(&store, &scene.suite, &scene.bob, 2, 5).await;
    assert!(is_missing(&store.answer_review((&other.id, &review), &scene.alan, "x", NOW).await));
    // A removed student has no access any more, and their request can still be answered.
    store.leave(&course.id, &scene.ada, Some(&scene.ina), later(3)).await.unwrap();
    assert!(is_missing(&scene.ask(&store, &scene.ada, 4).await));
    scene.answer(&store, &review, 5).await.unwrap();
    assert_eq!(store.reviews_of(&scene.graded.id).await.unwrap()[0].asked_by, "Ada");
    assert!(is_missing(&scene.ask(&store, &scene.ada, 6).await));
}

async fn a_student_does_not_flood_the_staff(place: EmptyDatabase) {
    let store = place.open().await;
    let settings = SuiteSettings { pending_at_most: 99, ..SuiteSettings::default() };
    let scene = ReviewScene::new(&store, settings).await;
    let whole = (&scene.graded.id, &scene.ada);
    for text in ["", " \r\n\t "] {
        let empty = store.request_review(whole, text, later(1)).await;
        assert_eq!(refusal(empty), ReviewRefusal::NoText);
    }
    let long = "x".repeat(1 << 20);
    let long = store.request_review(whole, &long, later(1)).await;
    assert_eq!(refusal(long), ReviewRefusal::TooLong { allowed: MOST_TEXT });
    for at in 0..MOST_REVIEWS {
        let review = scene.ask(&store, &scene.ada, at).await.unwrap();
        scene.answer(&store, &review, at).await.unwrap();
    }
    let more = refusal(scene.ask(&store, &scene.ada, 9).await);
    assert_eq!(more, ReviewRefusal::TooMany { allowed: MOST_REVIEWS });
    for at in 10..10 + MOST_OPEN_REVIEWS {
        let one = graded(&store, &scene.suite, &scene.ada, at, 3).await;
        store.request_review((&one.id, &scene.ada), "Why?", later(at)).await.unwrap();
    }
    let one = graded(&store, &scene.suite, &scene.ada, 90, 3).await;
    let more = refusal(store.request_review((&one.id, &scene.ada), "Why?", later(91)).await);
    assert_eq!(more, ReviewRefusal::TooManyOpen { allowed: MOST_OPEN_REVIEWS });
    // Other students can still ask.
    let bobs = graded(&store, &scene.suite, &scene.bob, 92, 3).await;
    store.request_review((&bobs.id, &scene.bob), "Why?", later(93)).await.unwrap();
    let open = store.open_reviews(&scene.suite.course, 3).await.unwrap();
    assert_eq!(open.len(), 3, "the oldest ones");
    assert_eq!(open[0].review.asked_at, later(10));
}

/// A suite by groups, in which Ada and Bob are *Red*.
async fn grouped(store: &Store) -> ReviewScene {
    let settings = SuiteSettings { by_groups: true, ..SuiteSettings::default() };
    let (suite, [ada, bob]) = made::scene(store, settings).await;
    let course = store.course(&suite.course).await.unwrap().unwrap();
    let alan = made::member(store, &course, "Alan", Role::Assistant).await;
    let ina = made::member(store, &course, "Ina", Role::Instructor).await;
    let red = |person: &PersonId| GroupMove { person: person.clone(), group: Some("Red".into()) };
    store.set_groups(&suite.course, &[red(&ada), red(&bob)], NOW).await.unwrap();
    let graded = graded(store, &suite, &ada, 0, 6).await;
    ReviewScene { suite, ada, bob, alan, ina, graded }
}

async fn only_one_of_two_concurrent_review_requests_counts(place: EmptyDatabase) {
    let store = place.open().await;
    let scene = grouped(&store).await;
    let (one, other) =
        tokio::join!(scene.ask(&store, &scene.ada, 1), scene.ask(&store, &scene.bob, 1));
    assert!(one.is_ok() != other.is_ok(), "{one:?} {other:?}");
    let refused = if one.is_ok() { other } else { one };
    assert_eq!(refusal(refused), ReviewRefusal::AlreadyOpen);
    assert_eq!(store.reviews_of(&scene.graded.id).await.unwrap().len(), 1);
}

async fn only_one_of_two_concurrent_answers_counts(place: EmptyDatabase) {
    let store = place.open().await;
    let scene = ReviewScene::new(&store, SuiteSettings::default()).await;
    let review = scene.ask(&store, &scene.ada, 1).await.unwrap();
    let whole = (&scene.graded.id, &review);
    let (one, other) = tokio::join!(
        store.answer_review(whole, &scene.alan, "yes", later(2)),
        store.answer_review(whole, &scene.ina, "no", later(2))
    );
    assert!(one.is_ok() != other.is_ok(), "{one:?} {other:?}");
    let (text, refused) = if one.is_ok() { ("yes", other) } else { ("no", one) };
    assert_eq!(refusal(refused), ReviewRefusal::Answered);
    let all = store.reviews_of(&scene.graded.id).await.unwrap();
    assert_eq!(all[0].answer.as_ref().unwrap().text, text);
}

async fn a_result_that_is_not_visible_yet_has_no_request(place: EmptyDatabase) {
    let store = place.open().await;
    let settings = SuiteSettings { shown_per_day: Some(1), ..SuiteSettings::default() };
    let scene = ReviewScene::new(&store, settings).await;
    let waiting = submit(&store, &scene.suite, &scene.ada, b"waiting", later(1)).await;
    let kept = graded(&store, &scene.suite, &scene.ada, 2, 9).await;
    for one in [&waiting, &kept] {
        let asked = store.request_review((&one.id, &scene.ada), "Why?", later(3)).await;
        assert_eq!(refusal(asked), ReviewRefusal::NoResult);
    }
    let none = store.adjust_points(&waiting.id, (Some(Points::whole(3)), "x"), &scene.ina, NOW);
    assert_eq!(refusal(none.await), ReviewRefusal::NoResult);
    scene.ask(&store, &scene.ada, 3).await.unwrap();
    let next_day = later(24 * 60 * 60 * 1000);
    store.request_review((&kept.id, &scene.ada), "Why?", next_day).await.unwrap();
}

async fn adjusted_points_count_everywhere_and_are_taken_back(place: EmptyDatabase) {
    let store = place.open().await;
    let scene = ReviewScene::new(&store, SuiteSettings::default()).await;
    let bobs = graded(&store, &scene.suite, &scene.bob, 1, 7).await;
    let id = &scene.graded.id;
    let before = store.whole_report(id, 1).await.unwrap();
    let ranks = async || {
        let rows = store.scoreboard(&scene.suite.id, None).await.unwrap();
        rows.into_iter().map(|row| (row.name, row.rank.unwrap())).collect::<Vec<_>>()
    };
    assert_eq!(ranks().await, [("Bob".to_owned(), 1), ("Ada".to_owned(), 2)]);
    let acting = store.acting(Some(&scene.ina), later(2));
    let half = Points::from_thousandths(8500);
    acting.adjust_points(id, (Some(half), "my mistake"), &scene.ina, later(2)).await.unwrap();
    assert_eq!(scene.counting(&store, later(3)).await, [half; 4]);
    assert_eq!(ranks().await, [("Ada".to_owned(), 1), ("Bob".to_owned(), 2)]);
    let row = store.result(id).await.unwrap().unwrap();
    assert_eq!((row.points, row.adjusted, row.score), (half, Some(half), row.score));
    assert_eq!(store.whole_report(id, 1).await.unwrap(), before, "the report stays");
    assert_eq!(store.result(&bobs.id).await.unwrap().unwrap().adjusted, None);

    scene.adjust(&store, Some(4), 3).await;
    let acting = store.acting(Some(&scene.ina), later(4));
    acting.adjust_points(id, (None, "it was right"), &scene.ina, later(4)).await.unwrap();
    assert_eq!(scene.counting(&store, later(5)).await, [Points::whole(6); 4]);
    let history = store.adjustments_of(id).await.unwrap();
    let told: Vec<_> =
        history.iter().map(|one| (one.points, one.reason.as_str(), one.by.as_str())).collect();
    assert_eq!(
        told,
        [
            (None, "it was right", "Ina"),
            (Some(Points::whole(4)), "because", "Ina"),
            (Some(half), "my mistake", "Ina"),
        ]
    );
    let fixed = history.iter().all(|one| (one.graded, one.generation) == (Points::whole(6), 1));
    assert!(fixed && history[0].at == later(4), "{history:?}");
    let log = store.log_of_course(&scene.suite.course, 0, 9).await.unwrap();
    assert_eq!((log[0].act, log[0].person.as_deref()), (Act::PointsAdjusted, Some("Ada")));
    assert_eq!(log[0].detail, format!("{id}: 4 -> graded"));
    assert_eq!(log[1].detail, format!("{id}: graded -> 8.5"));
    assert!(!log.iter().any(|one| one.detail.contains("mistake")), "a reason may name people");
}

async fn adjusted_points_decide_which_submission_counts(place: EmptyDatabase) {
    let store = place.open().await;
    let scene = ReviewScene::new(&store, SuiteSettings::default()).await;
    let other = graded(&store, &scene.suite, &scene.ada, 1, 5).await;
    let counting = async || {
        store.scoreboard(&scene.suite.id, None).await.unwrap()[0].result.submission.clone()
    };
    assert_eq!(counting().await, scene.graded.id);
    scene.adjust(&store, Some(0), 2).await;
    assert_eq!(counting().await, other.id, "a lowered one is not the best any more");
    let new = (Some(Points::whole(21)), "extra credit");
    store.adjust_points(&scene.graded.id, new, &scene.ina, later(3)).await.unwrap();
    assert_eq!(counting().await, scene.graded.id);
    let latest = SuiteSettings { counts: Counted::Latest, ..SuiteSettings::default() };
    store.change_suite(&scene.suite.id, &latest).await.unwrap();
    assert_eq!(counting().await, other.id);
}

async fn a_grading_keeps_the_adjustment_that_was_made_before(place: EmptyDatabase) {
    let store = place.open().await;
    let scene = ReviewScene::new(&store, SuiteSettings::default()).await;
    let (id, course) = (&scene.graded.id, &scene.suite.course);
    scene.adjust(&store, Some(9), 1).await;
    let listed = async || store.adjusted_in(course, 9).await.unwrap();
    assert!(!listed().await[0].is_older);
    let generation =
        store.rejudge(&scene.suite.id, &Scope::All, Showing::Complete, later(2)).await.unwrap();
    assert!(!listed().await[0].is_older, "the result is not there yet");
    // Changed again while it is graded.
    scene.adjust(&store, Some(8), 3).await;
    grade(&store, &scene.graded, generation, 7).await;
    assert_eq!(scene.counting(&store, later(4)).await, [Points::whole(8); 4]);
    let row = store.result(id).await.unwrap().unwrap();
    assert_eq!((row.generation, row.adjusted), (generation, Some(Points::whole(8))));
    let found = listed().await;
    assert!(found.len() == 1 && found[0].is_older, "{found:?}");
    assert_eq!((found[0].author.as_str(), found[0].adjustment.generation), ("Ada", 1));
    assert_eq!(store.adjusted_count(&scene.suite.id).await.unwrap(), 1);
    // Taking it back gives the points of the latest grading.
    scene.adjust(&store, None, 5).await;
    assert_eq!(scene.counting(&store, later(6)).await, [Points::whole(7); 4]);
    assert_eq!(listed().await, []);
    let history = store.adjustments_of(id).await.unwrap();
    assert_eq!((history[0].graded, history[0].generation), (Points::whole(7), generation));
}

async fn late_rules_do_not_change_adjusted_points(place: EmptyDatabase) {
    let store = place.open().await;
    let late =
        LateRules { policy: LatePolicy::PerDay, percent_per_day: 50, ..LateRules::default() };
    let settings = SuiteSettings { due_at: Some(later(-1)), late, ..SuiteSettings::default() };
    let scene = ReviewScene::new(&store, settings.clone()).await;
    assert_eq!(scene.counting(&store, NOW).await[0], Points::whole(3));
    scene.adjust(&store, Some(9), 1).await;
    assert_eq!(store.adjustments_of(&scene.graded.id).await.unwrap()[0].graded, Points::whole(3));
    let other = LateRules { percent_per_day: 10, ..late };
    let changed = SuiteSettings { late: other, ..settings };
    store.change_suite(&scene.suite.id, &changed).await.unwrap();
    let whole = (&scene.suite.id, &scene.ada);
    store.extend(whole, Some(later(9)), &scene.ina, later(2)).await.unwrap();
    assert_eq!(scene.counting(&store, later(3)).await, [Points::whole(9); 4]);
    store.extend(whole, None, &scene.ina, later(3)).await.unwrap();
    scene.adjust(&store, None, 4).await;
    assert_eq!(scene.counting(&store, later(5)).await[0], Points::from_thousandths(5400));
}

async fn a_result_without_a_grading_can_get_points(place: EmptyDatabase) {
    let store = place.open().await;
    let scene = ReviewScene::new(&store, SuiteSettings::default()).await;
    let broken = submit(&store, &scene.suite, &scene.ada, b"broken", later(1)).await;
    let lease = std::time::Duration::from_millis(1);
    let mut at = 2;
    while store.result(&broken.id).await.unwrap().is_none() {
        store.next_job("w", lease, later(at)).await.unwrap();
        at += 10;
    }
    let row = store.result(&broken.id).await.unwrap().unwrap();
    assert_eq!((row.points, row.max_points), (Points::ZERO, Points::whole(20)));
    assert_eq!(row.open_max_points, Points::whole(10));
    store.request_review((&broken.id, &scene.ada), "Why?", later(at)).await.unwrap();
    let new = (Some(Points::whole(11)), "played by hand");
    store.adjust_points(&broken.id, new, &scene.ina, later(at)).await.unwrap();
    let rows = store.scoreboard(&scene.suite.id, None).await.unwrap();
    assert_eq!(
        (&rows[0].result.submission, rows[0].result.points),
        (&broken.id, Points::whole(11))
    );
}

async fn hidden_testcases_are_not_revealed_by_adjusted_points(place: EmptyDatabase) {
    let store = place.open().await;
    let settings = SuiteSettings {
        due_at: Some(later(1_000)),
        hidden_shown: HiddenShown::AfterDue,
        ..SuiteSettings::default()
    };
    let scene = ReviewScene::new(&store, settings).await;
    // Ten open points and three hidden ones, and one more by hand.
    let one = graded(&store, &scene.suite, &scene.ada, 1, 13).await;
    let new = (Some(Points::whole(14)), "one more");
    store.adjust_points(&one.id, new, &scene.ina, later(2)).await.unwrap();
    let [staff, students, mark, own] = scene.counting(&store, later(3)).await;
    assert_eq!([staff, mark], [Points::whole(14); 2]);
    assert_eq!([students, own], [Points::whole(10); 2]);
    let suite = store.suite(&scene.suite.id).await.unwrap().unwrap();
    let own = store.visible_results(&suite, &scene.ada, later(3)).await.unwrap();
    assert!(own.iter().all(|row| row.adjusted.is_none()));
    let query = ScoreboardQuery::all(Audience::Members(later(3)));
    let part = store.scoreboard_part(&suite.id, &query).await.unwrap();
    assert_eq!(part.rows[0].result.adjusted, None);
    assert_eq!(
        scene.counting(&store, later(1_001)).await,
        [Points::whole(14); 4],
        "after the date"
    );
}

async fn only_instructors_adjust_within_the_limits(place: EmptyDatabase) {
    let store = place.open().await;
    let scene = ReviewScene::new(&store, SuiteSettings::default()).await;
    let id = &scene.graded.id;
    let new = (Some(Points::whole(9)), "because");
    assert!(is_missing(&store.adjust_points(id, new, &scene.bob, NOW).await));
    for other in [&scene.ada, &scene.alan] {
        let refused = refusal(store.adjust_points(id, new, other, NOW).await);
        assert_eq!(refused, ReviewRefusal::NotAllowed);
    }
    let ina = &scene.ina;
    let none = store.adjust_points(id, (None, "x"), ina, NOW).await;
    assert_eq!(refusal(none), ReviewRefusal::NotAdjusted);
    let unexplained = store.adjust_points(id, (new.0, " "), ina, NOW).await;
    assert_eq!(refusal(unexplained), ReviewRefusal::NoText);
    let many = Points::from_thousandths(40_001);
    let many = refusal(store.adjust_points(id, (Some(many), "x"), ina, NOW).await);
    assert_eq!(many, ReviewRefusal::TooManyPoints { allowed: Points::whole(40) });
    assert_eq!(store.adjustments_of(id).await.unwrap(), []);
    for _ in 0..MOST_ADJUSTMENTS {
        store.adjust_points(id, new, ina, NOW).await.unwrap();
    }
    let more = refusal(store.adjust_points(id, new, ina, NOW).await);
    assert_eq!(more, ReviewRefusal::TooManyAdjustments { allowed: MOST_ADJUSTMENTS });
}

async fn a_group_shares_requests_and_points(place: EmptyDatabase) {
    let store = place.open().await;
    let scene = grouped(&store).await;
    let review = scene.ask(&store, &scene.bob, 1).await.unwrap();
    assert_eq!(refusal(scene.ask(&store, &scene.ada, 2).await), ReviewRefusal::AlreadyOpen);
    scene.answer(&store, &review, 3).await.unwrap();
    scene.adjust(&store, Some(9), 4).await;
    let marks = store.counting_results(&scene.suite.id).await.unwrap();
    let points: Vec<Points> = marks.iter().map(|row| row.result.points).collect();
    assert_eq!(points, [Points::whole(9); 2]);
    // A former member keeps the submission, its mark, and the right to ask.
    let whole = (&scene.suite.course, &scene.bob);
    store.move_to_group(whole, None, later(5)).await.unwrap();
    scene.ask(&store, &scene.bob, 6).await.unwrap();
    let later_one = graded(&store, &scene.suite, &scene.ada, 7, 3).await;
    let asked = store.request_review((&later_one.id, &scene.bob), "Why?", later(8)).await;
    assert!(is_missing(&asked));
}

async fn notices_name_recent_answers_and_points(place: EmptyDatabase) {
    let store = place.open().await;
    let settings = SuiteSettings { shown_per_day: Some(1), ..SuiteSettings::default() };
    let scene = ReviewScene::new(&store, settings).await;
    let kept = graded(&store, &scene.suite, &scene.ada, 1, 9).await;
    let review = scene.ask(&store, &scene.ada, 2).await.unwrap();
    let notices =
        async |person, since| store.review_notices(person, later(since), later(50)).await.unwrap();
    assert_eq!(notices(&scene.ada, 0).await, []);
    scene.answer(&store, &review, 10).await.unwrap();
    scene.adjust(&store, Some(9), 20).await;
    // The result of this one becomes visible later.
    let new = (Some(Points::whole(1)), "x");
    store.adjust_points(&kept.id, new, &scene.ina, later(20)).await.unwrap();
    let found = notices(&scene.ada, 5).await;
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((&found[0].submission, found[0].course.as_str()), (&scene.graded.id, "ai"));
    let both = (found[0].answered_at, found[0].adjusted_at);
    assert_eq!(both, (Some(later(10)), Some(later(20))));
    assert_eq!(notices(&scene.ada, 15).await[0].answered_at, None);
    assert_eq!(notices(&scene.ada, 30).await, []);
    assert_eq!(notices(&scene.bob, 0).await, []);
    store.archive_course(&scene.suite.course, Some(&scene.ina), later(40)).await.unwrap();
    assert_eq!(notices(&scene.ada, 0).await, []);
}

async fn an_erased_member_leaves_answers_without_a_request(place: EmptyDatabase) {
    let store = place.open().await;
    let scene = grouped(&store).await;
    let review = scene.ask(&store, &scene.ada, 1).await.unwrap();
    scene.answer(&store, &review, 2).await.unwrap();
    scene.adjust(&store, Some(9), 3).await;
    store.erase_person(&scene.ada, later(4)).await.unwrap();
    let all = store.reviews_of(&scene.graded.id).await.unwrap();
    assert_eq!((all[0].asked_by.as_str(), all[0].request.as_str()), (ERASED, ""));
    assert_eq!(all[0].answer.as_ref().unwrap().text, "So.");
    let bobs = store.counting_results(&scene.suite.id).await.unwrap();
    assert_eq!(bobs[0].result.points, Points::whole(9));
    // The text of staff stays, without the name.
    let course = store.course(&scene.suite.course).await.unwrap().unwrap();
    made::member(&store, &course, "Tess", Role::Instructor).await;
    for staff in [&scene.alan, &scene.ina] {
        store.erase_person(staff, later(5)).await.unwrap();
    }
    let all = store.reviews_of(&scene.graded.id).await.unwrap();
    assert_eq!(all[0].answer.as_ref().unwrap().by, ERASED);
    assert_eq!(store.adjustments_of(&scene.graded.id).await.unwrap()[0].by, ERASED);
    // With the last member all of it goes.
    store.erase_person(&scene.bob, later(6)).await.unwrap();
    assert_eq!(store.reviews_of(&scene.graded.id).await.unwrap(), []);
    assert_eq!(store.adjustments_of(&scene.graded.id).await.unwrap(), []);
}

async fn a_copy_of_a_course_has_no_reviews(place: EmptyDatabase) {
    let store = place.open().await;
    let scene = ReviewScene::new(&store, SuiteSettings::default()).await;
    scene.ask(&store, &scene.ada, 1).await.unwrap();
    scene.adjust(&store, Some(9), 2).await;
    let copy = CourseCopy { slug: "next".to_owned(), title: "Next".to_owned(), days: 0 };
    let made = store.copy_course_with_link(&scene.suite.course, &copy, later(99), later(3)).await;
    let course = made.unwrap().0.id;
    assert_eq!(store.open_reviews(&course, 9).await.unwrap(), []);
    assert_eq!(store.adjusted_in(&course, 9).await.unwrap(), []);
}
