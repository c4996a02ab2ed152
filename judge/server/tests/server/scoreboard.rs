//! Parts of a scoreboard: pages, filters, the reader's own line. None of them reveals hidden data.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use axum::http::header::COOKIE;
use futures_util::{FutureExt as _, StreamExt as _};
use judge_server::hub::STREAMS_OF_ONE;
use judge_store::{
    Audience, Counted, Role, ScoreboardMode, ScoreboardQuery, Suite, SuiteSettings, Timestamp,
};
use tower::ServiceExt as _;

use crate::site::{SignedIn, Site, request};

const BOARD: &str = "/c/ai/s/mahjong/scoreboard";
const API: &str = "/api/v1/courses/ai/suites/mahjong/scoreboard";

/// Twelve students named `Real0` to `Real11`, with that many points and pseudonyms `Star0` to
/// `Star11`.
async fn class(site: &Site) -> Vec<SignedIn> {
    let mut people = Vec::new();
    for number in 0..12_u32 {
        let one = site.join(&format!("Real{number}."), Role::Student).await;
        let pseudonym = format!("Star{number}.");
        let course = &site.course.id;
        site.app.store().set_pseudonym(course, &one.person.id, &pseudonym).await.unwrap();
        site.result_of(&one, number).await;
        people.push(one);
    }
    people
}

/// The pseudonyms in a text.
fn stars(text: &str) -> Vec<u32> {
    (0..12).filter(|number| text.contains(&format!("Star{number}."))).collect()
}

/// A person's rows with these parameters. Page, rows and API must show the same.
async fn found(site: &Site, who: &SignedIn, asked: &str) -> Vec<u32> {
    let page = site.get(Some(who), &format!("{BOARD}?{asked}")).await;
    assert_eq!(page.status, StatusCode::OK, "{asked}");
    let rows = site.get(Some(who), &format!("{BOARD}/rows?{asked}")).await;
    let api = site.api(who, &format!("{API}?{asked}")).await;
    let found = stars(&page.text());
    assert_eq!(stars(&rows.text()), found, "{asked}");
    assert_eq!(stars(&api.text()), found, "{asked}: {}", api.text());
    // The rest of the page contains the reader's own name and the search text.
    let table = page.text().split_once("<tbody>").map(|(_, table)| table.to_owned());
    for text in [table.unwrap_or_default(), rows.text(), api.text()] {
        assert!(!text.contains("Real1"), "{asked}: a real name: {text}");
    }
    found
}

#[tokio::test]
async fn filters_and_page_numbers_reveal_no_more_than_the_scoreboard() {
    let site = Site::new().await;
    let people = class(&site).await;
    let teacher = site.join("Tess", Role::Instructor).await;
    let ada = &people[0];
    let everybody: Vec<u32> = (0..12).collect();
    for asked in ["", "page=1", "page=0", "page=999999"] {
        assert_eq!(found(&site, ada, asked).await, everybody, "{asked}");
    }
    // The page shows its last part; the API returns an error for such a number.
    let beyond = "page=18446744073709551615";
    let page = site.get(Some(ada), &format!("{BOARD}?{beyond}")).await;
    assert_eq!(stars(&page.text()), everybody);
    let refused = site.api(ada, &format!("{API}?{beyond}")).await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{}", refused.text());
    assert_eq!(found(&site, ada, "name=star1").await, [1, 10, 11]);
    assert_eq!(found(&site, ada, "name=sTAR7").await, [7]);
    assert_eq!(found(&site, ada, "name=Real11").await, [0; 0], "a real name matches no row");
    assert_eq!(found(&site, ada, "standing=none").await, [0]);
    assert_eq!(found(&site, ada, "standing=some&name=star1").await, [1, 10, 11]);
    for wrong in ["standing=best", "verdict=runtime-error", "verdict=below-threshold", "page=x"] {
        for address in [BOARD.to_owned(), format!("{BOARD}/rows")] {
            let answer = site.get(Some(ada), &format!("{address}?{wrong}")).await;
            assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{address}?{wrong}");
        }
        let answer = site.api(ada, &format!("{API}?{wrong}")).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{wrong}");
    }
    let asked = format!("{BOARD}?name=real11&verdict=below-threshold");
    let staff = site.get(Some(&teacher), &asked).await.text();
    assert!(staff.contains("Real11."), "staff find by real names and verdicts: {staff}");
    let none = site.get(Some(&teacher), &format!("{BOARD}?verdict=accepted")).await.text();
    assert!(!none.contains("Real"), "{none}");
}

#[tokio::test]
async fn a_student_who_sees_three_ahead_cannot_find_anyone_else() {
    let site = Site::new().await;
    let people = class(&site).await;
    let settings = SuiteSettings { scoreboard: ScoreboardMode::Ahead, ..SuiteSettings::default() };
    site.set(settings).await;
    let (ada, olga) = (&people[4], site.join("Olga", Role::Observer).await);
    let silent = site.join("Silent", Role::Student).await;
    let around = [4, 5, 6, 7];
    for asked in ["", "page=2", "page=3", "standing=some", "name=star", "name=%25", "name=_"] {
        let found = found(&site, ada, asked).await;
        assert!(found.iter().all(|one| around.contains(one)), "{asked}: {found:?}");
    }
    assert_eq!(found(&site, ada, "").await, around);
    assert_eq!(found(&site, ada, "name=star9").await, [0; 0]);
    assert_eq!(found(&site, &people[11], "").await, [11], "the first has no rows ahead");
    for other in [&olga, &silent] {
        assert_eq!(found(&site, other, "").await, [0; 0], "they have no rank");
    }
    let course = site.get(Some(ada), "/c/ai").await.text();
    assert!(course.contains("rank 8") && stars(&course).is_empty(), "{course}");
    let teacher = site.join("Tess", Role::Instructor).await;
    let all = site.get(Some(&teacher), BOARD).await.text();
    assert!(all.contains("Real0.") && all.contains("Real11."), "{all}");
}

#[tokio::test]
async fn the_stream_of_a_scoreboard_sends_only_visible_changes() {
    let site = Site::new().await;
    let people = class(&site).await;
    site.set(SuiteSettings { scoreboard: ScoreboardMode::Ahead, ..SuiteSettings::default() }).await;
    let address = format!("{BOARD}/events");
    let open = request(axum::http::Method::GET, Some(&people[4]), &address);
    assert!(open.headers_ref().unwrap().contains_key(COOKIE));
    let open = open.body(axum::body::Body::empty()).unwrap();
    let stream = site.router.clone().oneshot(open).await.unwrap().into_body();
    let mut stream = stream.into_data_stream();
    site.result_of(&people[0], 3).await;
    site.board_moved().await;
    let nothing = std::time::Duration::from_millis(400);
    let behind = tokio::time::timeout(nothing, stream.next()).await;
    assert!(behind.is_err(), "what happens behind one's own place is not told: {behind:?}");
    site.result_of(&people[0], 6).await;
    site.board_moved().await;
    let told = stream.next().await.unwrap().unwrap();
    assert_eq!(told, "data: moved\n\n");
}

#[tokio::test]
async fn only_the_student_and_staff_see_a_students_chart_of_points() {
    let site = Site::new().await;
    let ada = site.join("Ada", Role::Student).await;
    site.result_of(&ada, 4).await;
    let alone = site.get(Some(&ada), "/c/ai/s/mahjong").await.text();
    assert!(!alone.contains("<svg"), "one result has no chart: {alone}");
    site.result_of(&ada, 9).await;
    site.result_of(&ada, 7).await;
    let teacher = site.join("Tess", Role::Instructor).await;
    let person = format!("/c/ai/people/{}", ada.person.id);
    for (who, address) in [(&ada, "/c/ai/s/mahjong"), (&ada, &*person), (&teacher, &*person)] {
        let text = site.get(Some(who), address).await.text();
        assert_eq!(text.matches("<circle").count(), 3, "{address}: {text}");
        assert!(text.contains("3 results.") && text.contains("9 of 20 points"), "{text}");
        assert!(!text.contains("style=") && text.contains("role=\"img\""), "{text}");
    }
}

#[tokio::test]
async fn a_person_has_a_bounded_number_of_live_pages() {
    let site = Site::new().await;
    let ada = site.join("Ada", Role::Student).await;
    let bob = site.join("Bob", Role::Student).await;
    let live = async |who: &SignedIn| {
        let open = request(axum::http::Method::GET, Some(who), &format!("{BOARD}/events"));
        site.router.clone().oneshot(open.body(axum::body::Body::empty()).unwrap()).await.unwrap()
    };
    let mut open = Vec::new();
    for _ in 0..STREAMS_OF_ONE {
        open.push(live(&ada).await);
        assert_eq!(open.last().unwrap().status(), StatusCode::OK);
    }
    assert_eq!(live(&ada).await.status(), StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(live(&bob).await.status(), StatusCode::OK, "others are not held up");
    open.pop();
    assert_eq!(live(&ada).await.status(), StatusCode::OK, "one was closed");
}

#[tokio::test]
async fn live_pages_end_when_access_ends() {
    let site = Site::new().await;
    let teacher = site.join("Tess", Role::Instructor).await;
    let ada = site.join("Ada", Role::Student).await;
    let bob = site.join("Bob", Role::Student).await;
    let eve = site.join("Eve", Role::Student).await;
    let id = site.result_of(&ada, 4).await;
    let store = site.app.store();
    let streams = site.app.hub().streams().clone();
    let cutting = tokio::spawn(streams.cut_when_access_ends(store.clone()));
    let open = async |who: &SignedIn| {
        let open = request(axum::http::Method::GET, Some(who), &format!("{BOARD}/events"));
        let open = open.body(axum::body::Body::empty()).unwrap();
        let response = site.router.clone().oneshot(open).await.unwrap();
        assert_eq!(response.status(), StatusCode::OK);
        response.into_body().into_data_stream()
    };
    let mut signed_out = open(&ada).await;
    let mut removed = open(&bob).await;
    let mut promoted = open(&teacher).await;
    let mut other = open(&eve).await;
    let now = Timestamp::now();
    store.sign_out_everywhere(&ada.person.id, None, now).await.unwrap();
    let by = Some(&teacher.person.id);
    let course = &site.course.id;
    assert!(store.leave(course, &bob.person.id, by, now).await.unwrap());
    let tom = site.join("Tom", Role::Instructor).await;
    assert!(
        store
            .change_role(course, &teacher.person.id, Role::Student, Some(&tom.person.id), now)
            .await
            .unwrap()
    );
    let few_seconds = Duration::from_secs(6);
    for stream in [&mut signed_out, &mut removed, &mut promoted] {
        let end = tokio::time::timeout(few_seconds, stream.next()).await;
        assert!(end.expect("it is cut off").is_none());
    }
    let open_still = tokio::time::timeout(Duration::from_millis(100), other.next()).await;
    assert!(open_still.is_err(), "another account's page stays open: {open_still:?}");
    // The browser asks again.
    let events = format!("{BOARD}/events");
    let of_submission = format!("/submissions/{id}/events");
    for (who, address) in [(&ada, &events), (&bob, &events), (&ada, &of_submission)] {
        let answer = site.get(Some(who), address).await;
        assert!(!answer.status.is_success(), "{address}: {}", answer.text());
    }
    assert!(open(&teacher).await.next().now_or_never().is_none());
    cutting.abort();
}

#[tokio::test]
async fn all_readers_of_a_scoreboard_share_one_query() {
    let site = Site::new().await;
    let ada = site.join("Ada", Role::Student).await;
    site.result_of(&ada, 4).await;
    let suite = site.suite().await;
    let asked = ScoreboardQuery::all(Audience::Members(Timestamp::now()));
    let (scoreboards, hub, store) = (site.app.scoreboards(), site.app.hub(), site.app.store());
    let read = async || scoreboards.part(store, hub, &suite, &asked).await.unwrap();
    // On a busy machine, cached lines may be too old before the next request.
    while {
        let begin = Instant::now();
        let all = futures_util::future::join_all((0..50).map(|_| read())).await;
        let is_quick = begin.elapsed() < Duration::from_millis(500);
        assert!(!is_quick || all.iter().all(|one| Arc::ptr_eq(one, &all[0])));
        !is_quick
    } {}
    site.result_of(&ada, 9).await;
    hub.board_moved(&suite.id);
    assert_eq!(read().await.rows[0].result.points.to_string(), "9");
    let later = SuiteSettings { counts: Counted::Latest, ..suite.settings.clone() };
    let later = Suite { settings: later, ..suite.clone() };
    let before = read().await;
    let after = scoreboards.part(store, hub, &later, &asked).await.unwrap();
    assert!(!Arc::ptr_eq(&before, &after), "other settings, so it was read again");
    site.post(Some(&ada), "/me/scoreboard", "course=ai&pseudonym=Comet").await.leads_to();
    assert_eq!(read().await.rows[0].pseudonym, "Comet");
}
