use judge_core::Points;
use judge_store::{
    Audience, Counted, HiddenShown, NewInvitation, PersonId, PointsShare, RestShown, Role, Scope,
    ScoreboardQuery, Showing, Store, Suite, SuiteSettings, Timestamp, Visitor,
};

use crate::made::{self, NOW, later, report, submit};
use crate::support::EmptyDatabase;

async fn graded(store: &Store, suite: &Suite, person: &PersonId, at: i64, points: u32) {
    let module = [b"module".as_slice(), &at.to_le_bytes()].concat();
    let one = submit(store, suite, person, &module, later(at)).await;
    store.write_result(&one, 1, &report(&one.module, points, 1), later(at + 1)).await.unwrap();
}

/// Name, rank, points, attempts.
type ScoreLine = (String, Option<u64>, Points, u64);

async fn scoreboard(store: &Store, suite: &Suite, until: Option<Timestamp>) -> Vec<ScoreLine> {
    let rows = store.scoreboard(&suite.id, until).await.unwrap();
    rows.into_iter().map(|row| (row.name, row.rank, row.result.points, row.attempts)).collect()
}

fn line(name: &str, rank: u64, points: u32, attempts: u64) -> ScoreLine {
    (name.to_owned(), Some(rank), Points::whole(points), attempts)
}

async fn the_best_or_the_latest_submission_counts(place: EmptyDatabase) {
    let store = place.open().await;
    let (suite, [ada, bob]) = made::scene(&store, SuiteSettings::default()).await;
    let course = store.course(&suite.course).await.unwrap().unwrap();
    let eve = made::member(&store, &course, "Eve", Role::Student).await;
    made::member(&store, &course, "Silent", Role::Student).await;
    assert_eq!(scoreboard(&store, &suite, None).await, []);
    for (person, at, points) in
        [(&ada, 10, 5), (&ada, 20, 9), (&ada, 30, 7), (&bob, 40, 9), (&eve, 50, 8)]
    {
        graded(&store, &suite, person, at, points).await;
    }
    let best = [line("Ada", 1, 9, 3), line("Bob", 1, 9, 1), line("Eve", 3, 8, 1)];
    assert_eq!(scoreboard(&store, &suite, None).await, best);
    let early = [line("Ada", 1, 9, 2)];
    assert_eq!(scoreboard(&store, &suite, Some(later(20))).await, early);

    let latest = SuiteSettings { counts: Counted::Latest, ..SuiteSettings::default() };
    store.change_suite(&suite.id, &latest).await.unwrap();
    let latest = [line("Bob", 1, 9, 1), line("Eve", 2, 8, 1), line("Ada", 3, 7, 3)];
    assert_eq!(scoreboard(&store, &suite, None).await, latest);
}

async fn staff_is_shown_without_a_rank(place: EmptyDatabase) {
    let store = place.open().await;
    let (suite, [ada, _]) = made::scene(&store, SuiteSettings::default()).await;
    let course = store.course(&suite.course).await.unwrap().unwrap();
    let tom = made::member(&store, &course, "Tom", Role::Assistant).await;
    graded(&store, &suite, &tom, 1, 20).await;
    graded(&store, &suite, &ada, 2, 9).await;
    let found = scoreboard(&store, &suite, None).await;
    assert_eq!(found[0], ("Tom".to_owned(), None, Points::whole(20), 1));
    assert_eq!(found[1], line("Ada", 1, 9, 1));
}

async fn new_results_are_shown_during_a_rejudge(place: EmptyDatabase) {
    let store = place.open().await;
    let (suite, [ada, bob]) = made::scene(&store, SuiteSettings::default()).await;
    graded(&store, &suite, &ada, 1, 9).await;
    let generation = store.rejudge(&suite.id, &Scope::All, Showing::Complete, NOW).await.unwrap();
    let new = submit(&store, &suite, &bob, b"new", later(2)).await;
    let result = report(&new.module, 7, 1);
    store.write_result(&new, generation, &result, later(3)).await.unwrap();
    let both = [line("Ada", 1, 9, 1), line("Bob", 2, 7, 1)];
    assert_eq!(scoreboard(&store, &suite, None).await, both);
    let old = store.submissions_of(&suite.id, &ada).await.unwrap().remove(0);
    store.write_result(&old, generation, &report(&old.module, 3, 1), later(4)).await.unwrap();
    let both = [line("Bob", 1, 7, 1), line("Ada", 2, 3, 1)];
    assert_eq!(scoreboard(&store, &suite, None).await, both, "the new generation is whole");
}

/// Twelve students with 0 to 11 points, and an assistant with 20.
async fn class(store: &Store, settings: SuiteSettings) -> (Suite, Vec<PersonId>) {
    let (suite, _) = made::scene(store, settings).await;
    let course = store.course(&suite.course).await.unwrap().unwrap();
    let mut people = Vec::new();
    for number in 0..12_u32 {
        let person = made::member(store, &course, &format!("Name{number}"), Role::Student).await;
        let pseudonym = format!("Star_{number}");
        store.set_pseudonym(&course.id, &person, &pseudonym).await.unwrap();
        graded(store, &suite, &person, i64::from(number) * 10, number).await;
        people.push(person);
    }
    let tom = made::member(store, &course, "Tom", Role::Assistant).await;
    graded(store, &suite, &tom, 500, 20).await;
    (suite, people)
}

/// Pseudonyms and ranks of the rows found, and their number on all pages.
async fn found(store: &Store, suite: &Suite, asked: ScoreboardQuery<'_>) -> (Vec<String>, u64) {
    let part = store.scoreboard_part(&suite.id, &asked).await.unwrap();
    let shown = |row: &judge_store::BoardRow| format!("{} {:?}", row.pseudonym, row.rank);
    (part.rows.iter().map(shown).collect(), part.total)
}

async fn filters_of_a_scoreboard_see_only_what_the_reader_sees(place: EmptyDatabase) {
    let store = place.open().await;
    let (suite, people) = class(&store, SuiteSettings::default()).await;
    let members = ScoreboardQuery::all(Audience::Members(NOW));
    let page = ScoreboardQuery { skip: 4, most: 2, ..members };
    let (lines, total) = found(&store, &suite, page).await;
    assert_eq!(
        (lines.as_slice(), total),
        (["Star_7 Some(5)", "Star_6 Some(6)"].map(String::from).as_slice(), 12)
    );
    assert_eq!(found(&store, &suite, ScoreboardQuery { skip: 99, ..members }).await, (vec![], 0));

    let named = async |audience, name| {
        found(&store, &suite, ScoreboardQuery { name, ..ScoreboardQuery::all(audience) }).await.1
    };
    assert_eq!(named(Audience::Members(NOW), "star_1").await, 3, "1, 10 and 11");
    assert_eq!(named(Audience::Members(NOW), "star%1").await, 0, "no pattern of the reader's");
    assert_eq!(named(Audience::Members(NOW), "name7").await, 0, "no match by real name");
    assert_eq!(named(Audience::Staff, "name7").await, 1);
    assert_eq!(named(Audience::Staff, "star_7").await, 0, "staff see real names");
    store.show_real_name(&suite.course, &people[7], true).await.unwrap();
    assert_eq!(named(Audience::Members(NOW), "NAME7").await, 1);
    assert_eq!(named(Audience::Members(NOW), "star_7").await, 0);

    let none = ScoreboardQuery { standing: Some(PointsShare::None), ..members };
    assert_eq!(found(&store, &suite, none).await.0, ["Star_0 Some(12)"]);
    let some = ScoreboardQuery { standing: Some(PointsShare::Some), ..members };
    assert_eq!(found(&store, &suite, some).await.1, 11);
    let all = ScoreboardQuery {
        standing: Some(PointsShare::All),
        ..ScoreboardQuery::all(Audience::Staff)
    };
    assert_eq!(found(&store, &suite, all).await.1, 1, "the assistant");
    let worst = ScoreboardQuery { worst: Some("below-threshold"), ..members };
    assert_eq!(found(&store, &suite, worst).await.1, 0, "students find nothing by a verdict");
    let worst = ScoreboardQuery { audience: Audience::Staff, ..worst };
    assert_eq!(found(&store, &suite, worst).await.1, 12);
}

async fn names_are_found_in_any_case_of_any_script(place: EmptyDatabase) {
    let store = place.open().await;
    let (suite, _) = made::scene(&store, SuiteSettings::default()).await;
    let course = store.course(&suite.course).await.unwrap().unwrap();
    let all = [
        ("Žofie Ångström", "жар-птица", ["žofie ånG", "ЖАР-"]),
        ("Groß", "ΟΔΥΣΣΕΥΣ", ["GROSS", "οδυσσευς"]),
        ("Ｗｉｄｅ", "ÉCLAIR", ["wide", "e\u{301}clair"]),
    ];
    let named = async |audience, name| {
        let asked = ScoreboardQuery { name, ..ScoreboardQuery::all(audience) };
        let part = store.scoreboard_part(&suite.id, &asked).await.unwrap();
        part.rows.into_iter().map(|row| row.name).collect::<Vec<_>>()
    };
    for (number, (name, pseudonym, _)) in (1..).zip(all) {
        let person = made::member(&store, &course, name, Role::Student).await;
        store.set_pseudonym(&course.id, &person, pseudonym).await.unwrap();
        graded(&store, &suite, &person, number * 10, 1).await;
    }
    // A person who joined by a link, with the name that they typed.
    let (course, role) = (Some(course.id), Role::Student);
    let new = NewInvitation { course, role, person: None, listed: None, expires_at: later(1000) };
    let (_, link) = store.invite(&new, NOW).await.unwrap();
    let visitor = Visitor::SignedOut { name: "Émile", session_ends_at: later(1000) };
    let emile = store.use_invitation(link.reveal(), visitor, NOW).await.unwrap().person;
    graded(&store, &suite, &emile, 90, 1).await;

    for (name, _, [real, other]) in all {
        assert_eq!(named(Audience::Staff, real).await, [name], "{real}");
        assert_eq!(named(Audience::Members(later(200)), other).await, [name], "{other}");
        assert!(named(Audience::Members(later(200)), real).await.is_empty(), "{real}");
    }
    assert_eq!(named(Audience::Staff, "éMILE").await, ["Émile"]);
}

async fn mode_ahead_shows_the_next_three_students(place: EmptyDatabase) {
    let store = place.open().await;
    let (suite, people) = class(&store, SuiteSettings::default()).await;
    let ahead = |number: usize| ScoreboardQuery::all(Audience::Ahead(&people[number], NOW));
    let around =
        ["Star_7 Some(5)", "Star_6 Some(6)", "Star_5 Some(7)", "Star_4 Some(8)"].map(String::from);
    assert_eq!(found(&store, &suite, ahead(4)).await, (around.to_vec(), 4));
    assert_eq!(found(&store, &suite, ahead(11)).await.0, ["Star_11 Some(1)"]);
    let asked = ScoreboardQuery { name: "star_3", ..ahead(4) };
    assert_eq!(found(&store, &suite, asked).await, (vec![], 0), "behind one's own place");
    let asked = ScoreboardQuery { skip: 4, ..ahead(4) };
    assert_eq!(found(&store, &suite, asked).await, (vec![], 0), "no second page");
    let course = store.course(&suite.course).await.unwrap().unwrap();
    let silent = made::member(&store, &course, "Silent", Role::Student).await;
    let asked = ScoreboardQuery::all(Audience::Ahead(&silent, NOW));
    assert_eq!(found(&store, &suite, asked).await, (vec![], 0), "no rank, so no rows ahead");
    let line = store.board_line(&suite.id, &people[4], NOW).await.unwrap().unwrap();
    assert_eq!((line.rank, line.result.points), (Some(8), Points::whole(4)));
}

/// Points of the first line for members at that moment.
async fn first(store: &Store, suite: &Suite, at: i64) -> Option<(Points, Points)> {
    let asked = ScoreboardQuery::all(Audience::Members(later(at)));
    let rows = store.scoreboard_part(&suite.id, &asked).await.unwrap().rows;
    rows.first().map(|row| (row.result.points, row.result.max_points))
}

async fn a_delayed_result_does_not_change_the_scoreboard_early(place: EmptyDatabase) {
    let store = place.open().await;
    let shown_per_day = Some(1);
    let settings = SuiteSettings { shown_per_day, pending_at_most: 9, ..SuiteSettings::default() };
    let (suite, [ada, _]) = made::scene(&store, settings.clone()).await;
    graded(&store, &suite, &ada, 10, 3).await;
    graded(&store, &suite, &ada, 20, 9).await;
    let day = 24 * 60 * 60 * 1000;
    let of = |points| Some((Points::whole(points), Points::whole(20)));
    assert_eq!(first(&store, &suite, 30).await, of(3));
    assert_eq!(first(&store, &suite, day).await, of(9), "on the next day");
    assert_eq!(
        scoreboard(&store, &suite, None).await[0].2,
        Points::whole(9),
        "staff see it at once"
    );
    let suite = store.suite(&suite.id).await.unwrap().unwrap();
    let told = async |at| store.visible_results(&suite, &ada, later(at)).await.unwrap().len();
    assert_eq!((told(30).await, told(day).await), (1, 2));

    let due_at = Some(later(3 * day));
    let settings = SuiteSettings { rest_shown: RestShown::Due, due_at, ..settings };
    store.change_suite(&suite.id, &settings).await.unwrap();
    assert_eq!(first(&store, &suite, 2 * day).await, of(3));
    assert_eq!(first(&store, &suite, 3 * day).await, of(9), "once it is due");
}

async fn hidden_points_are_shown_only_after_the_due_date(place: EmptyDatabase) {
    let store = place.open().await;
    let (due_at, hidden_shown) = (Some(later(1000)), HiddenShown::AfterDue);
    let settings = SuiteSettings { due_at, hidden_shown, ..SuiteSettings::default() };
    let (suite, [ada, bob]) = made::scene(&store, settings).await;
    graded(&store, &suite, &ada, 10, 10).await;
    graded(&store, &suite, &bob, 20, 19).await;
    let rows = async |at| {
        let asked = ScoreboardQuery::all(Audience::Members(later(at)));
        let rows = store.scoreboard_part(&suite.id, &asked).await.unwrap().rows;
        rows.into_iter().map(|row| (row.name, row.result.points)).collect::<Vec<_>>()
    };
    let line = |name: &str, points| (name.to_owned(), Points::whole(points));
    assert_eq!(rows(100).await, [line("Ada", 10), line("Bob", 10)], "only open testcases");
    assert_eq!(rows(1001).await, [line("Bob", 19), line("Ada", 10)]);
    assert_eq!(first(&store, &suite, 100).await.unwrap().1, Points::whole(10));
    let row = store.visible_results(&suite, &bob, later(100)).await.unwrap().remove(0);
    assert_eq!((row.points, row.max_points), (Points::whole(10), Points::whole(10)));
    let whole = store.whole_report(&row.submission, 1).await.unwrap().unwrap();
    let whole = serde_json::from_str(&whole).unwrap();
    let before = suite.report_for_student(&whole, later(100)).to_json();
    assert!(!before.contains("hidden") && before.contains("01-open"), "{before}");
    let after = suite.report_for_student(&whole, later(1001)).to_json();
    assert!(after.contains("hidden testcases") && !after.contains("02-hidden"), "{after}");
}

on_both! {
    filters_of_a_scoreboard_see_only_what_the_reader_sees
    names_are_found_in_any_case_of_any_script
    mode_ahead_shows_the_next_three_students
    a_delayed_result_does_not_change_the_scoreboard_early
    hidden_points_are_shown_only_after_the_due_date
    the_best_or_the_latest_submission_counts
    staff_is_shown_without_a_rank
    new_results_are_shown_during_a_rejudge
}
