//! Late submissions, and due dates of single students.

use std::time::Duration;

use axum::http::StatusCode;
use judge_core::Points;
use judge_store::{HiddenShown, LatePolicy, LateRules, Role, Showing, SuiteSettings, Timestamp};

use crate::site::{SignedIn, Site, bot};

const HOUR: Duration = Duration::from_secs(3600);

/// Settings that were due some hours ago.
fn due_before(hours: u32, late: LateRules) -> SuiteSettings {
    let due_at = Some(Timestamp::now().before(HOUR * hours));
    SuiteSettings { due_at, late, ..SuiteSettings::default() }
}

fn per_day(percent_per_day: u32) -> LateRules {
    LateRules { policy: LatePolicy::PerDay, percent_per_day, ..LateRules::default() }
}

/// The points of a student on the staff's scoreboard.
async fn points(site: &Site, who: &SignedIn) -> Points {
    let rows = site.app.store().scoreboard(&site.suite().await.id, None).await.unwrap();
    rows.into_iter().find(|row| row.result.person == who.person.id).unwrap().result.points
}

#[tokio::test]
async fn a_late_submission_loses_its_percentage_and_an_extension_gives_it_back() {
    let site = Site::new().await;
    let teacher = site.join("Tess", Role::Instructor).await;
    let ada = site.join("Ada", Role::Student).await;
    site.set(due_before(30, per_day(15))).await;
    let page = site.get(Some(&ada), "/c/ai/s/mahjong").await.text();
    for told in ["takes 15 %", "Late days: 2. Of the points, 70 % count.", "name=\"module\""] {
        assert!(page.contains(told), "before submitting: {told}: {page}");
    }
    let id = site.result_of(&ada, 7).await;
    assert_eq!(points(&site, &ada).await, Points::from_thousandths(4900));
    let page = site.get(Some(&ada), &format!("/submissions/{id}")).await.text();
    assert!(page.contains("Late days: 2."), "{page}");
    for who in [&ada, &teacher] {
        let board = site.get(Some(who), "/c/ai/s/mahjong/scoreboard").await.text();
        assert!(board.contains("<b>4.9</b>") && board.contains("Late days: 2."), "{board}");
    }
    let marks = "/c/ai/manage/s/mahjong/marks.csv";
    let sheet = site.get(Some(&teacher), marks).await.text();
    assert!(sheet.contains(",4.9,"), "{sheet}");
    let whole = site.get(Some(&teacher), "/c/ai/manage/s/mahjong/whole-marks.csv").await.text();
    assert!(whole.contains(",late_days,late_percent") && whole.contains(",2,70,,\n"), "{whole}");

    let extension = format!("/c/ai/manage/people/{}/extension", ada.person.id);
    let wrong = site.post(Some(&teacher), &extension, "suite=mahjong&due=soon").await;
    assert!(wrong.text().contains("There is no such date"), "{}", wrong.text());
    let form = "suite=mahjong&due=2099-01-01";
    assert!(site.post(Some(&ada), &extension, form).await.status.is_client_error());
    site.post(Some(&teacher), &extension, form).await.leads_to();
    assert_eq!(points(&site, &ada).await, Points::whole(7));
    let page = site.get(Some(&ada), "/c/ai/s/mahjong").await.text();
    assert!(page.contains("Due 2099-01-01 23:59:59"), "her own due date: {page}");
    let settings = site.get(Some(&teacher), "/c/ai/manage/s/mahjong").await.text();
    assert!(settings.contains("2099-01-01"), "{settings}");
    site.post(Some(&teacher), &extension, "suite=mahjong&due=").await.leads_to();
    assert_eq!(points(&site, &ada).await, Points::from_thousandths(4900));
    let free = LateRules { free_days: 2, ..per_day(15) };
    site.set(SuiteSettings { late: free, ..site.suite().await.settings }).await;
    assert_eq!(points(&site, &ada).await, Points::whole(7), "late days that take nothing");
}

#[tokio::test]
async fn the_policy_decides_what_is_accepted() {
    let site = Site::new().await;
    let (ada, bob) = (site.join("Ada", Role::Student).await, site.join("Bob", Role::Student).await);
    let teacher = site.join("Tess", Role::Instructor).await;
    let submit =
        async |who: &SignedIn| site.submit(who, "bot.wasm", &bot("mahjong-distance")).await.status;
    site.set(due_before(1, LateRules::default())).await;
    assert_eq!(submit(&ada).await, StatusCode::CONFLICT, "refused");
    site.set(due_before(30, per_day(50))).await;
    assert_eq!(submit(&ada).await, StatusCode::CONFLICT, "nothing is left after two days");
    site.set(due_before(1, LateRules { grace_minutes: 61, ..LateRules::default() })).await;
    assert_eq!(submit(&ada).await, StatusCode::SEE_OTHER, "the grace period");
    let unpaid = LateRules { policy: LatePolicy::NoPoints, ..LateRules::default() };
    site.set(due_before(2400, unpaid)).await;
    site.result_of(&bob, 7).await;
    assert_eq!(points(&site, &bob).await, Points::ZERO);
    // Staff are never late.
    site.result_of(&teacher, 7).await;
    assert_eq!(points(&site, &teacher).await, Points::whole(7));
}

#[tokio::test]
async fn late_work_of_an_assistant_is_late_once_they_are_a_student() {
    let site = Site::new().await;
    let teacher = site.join("Tess", Role::Instructor).await;
    let cyd = site.join("Cyd", Role::Assistant).await;
    let become_one = async |role: &str| {
        let address = format!("/c/ai/manage/people/{}", cyd.person.id);
        let form = format!("role={role}");
        site.post(Some(&teacher), &address, &form).await.leads_to();
    };
    let unpaid = LateRules { policy: LatePolicy::NoPoints, ..LateRules::default() };
    for late in [unpaid, LateRules::default()] {
        site.set(due_before(2, late)).await;
        site.result_of(&cyd, 7).await;
        assert_eq!(points(&site, &cyd).await, Points::whole(7), "staff are never late");
        become_one("student").await;
        assert_eq!(points(&site, &cyd).await, Points::ZERO, "{late:?}");
        become_one("assistant").await;
        assert_eq!(points(&site, &cyd).await, Points::whole(7), "staff again");
    }
}

#[tokio::test]
async fn the_best_submission_has_the_most_points_after_deductions() {
    let site = Site::new().await;
    let ada = site.join("Ada", Role::Student).await;
    let early = site.result_of(&ada, 6).await;
    site.set(SuiteSettings { due_at: Some(Timestamp::now()), ..due_before(0, per_day(50)) }).await;
    tokio::time::sleep(Duration::from_millis(2)).await;
    site.result_of(&ada, 8).await;
    let rows = site.app.store().scoreboard(&site.suite().await.id, None).await.unwrap();
    assert_eq!(rows[0].result.submission.to_string(), early);
    assert_eq!(rows[0].result.points, Points::whole(6));
}

#[tokio::test]
async fn hidden_testcases_stay_hidden_while_anyone_can_still_earn_points() {
    let site = Site::new().await;
    let teacher = site.join("Tess", Role::Instructor).await;
    let bob = site.join("Bob", Role::Student).await;
    let hidden = SuiteSettings {
        hidden_shown: HiddenShown::AfterDue,
        ..due_before(1, LateRules::default())
    };
    site.set(hidden.clone()).await;
    let keeps = async || site.suite().await.keeps_hidden(Timestamp::now());
    assert!(!keeps().await);
    let due = Some(Timestamp::now().after(HOUR));
    let suite = site.suite().await.id;
    let (store, now) = (site.app.store(), Timestamp::now());
    store.extend((&suite, &bob.person.id), due, &teacher.person.id, now).await.unwrap();
    assert!(keeps().await, "Bob could use what the others see");
    store.extend((&suite, &bob.person.id), None, &teacher.person.id, now).await.unwrap();
    assert!(!keeps().await);
    site.set(SuiteSettings { late: per_day(60), ..hidden }).await;
    assert!(keeps().await, "a late day is still open");
}

#[tokio::test]
async fn titles_of_courses_and_suites_can_be_changed() {
    let site = Site::new().await;
    let teacher = site.join("Tess", Role::Instructor).await;
    let form = "title=Games+II&time_zone=Europe/Berlin";
    assert_eq!(
        site.post(Some(&teacher), "/c/ai/manage/settings", form).await.leads_to(),
        "/c/ai/manage"
    );
    let course = site.app.store().course(&site.course.id).await.unwrap().unwrap();
    assert_eq!((course.title.as_str(), course.time_zone.as_str()), ("Games II", "Europe/Berlin"));
    let wrong = site.post(Some(&teacher), "/c/ai/manage/settings", "title=X&time_zone=Mars").await;
    assert!(wrong.text().contains("no such time zone"), "{}", wrong.text());
    let settings = "opens=&due=&attempts=&scoreboard=live&counts=best&title=";
    let address = "/c/ai/manage/s/mahjong/settings";
    site.post(Some(&teacher), address, &format!("{settings}Lab+1")).await.leads_to();
    assert_eq!(site.suite().await.title, "Lab 1");
    // New files do not take the title away.
    let suite = site.suite().await.id;
    let files = crate::site::suite_with(&[7001]);
    site.app.store().set_files(&suite, &files, Showing::Complete, Timestamp::now()).await.unwrap();
    assert_eq!(site.suite().await.title, "Lab 1");
    site.post(Some(&teacher), address, settings).await.leads_to();
    assert_eq!(site.suite().await.title, "Short");
    let form = "opens=&due=2099-01-01&attempts=&scoreboard=live&counts=best\
                &late=per_day&percent=25&free=1&grace=10";
    site.post(Some(&teacher), address, form).await.leads_to();
    let late = LateRules { grace_minutes: 10, free_days: 1, ..per_day(25) };
    assert_eq!(site.suite().await.settings.late, late);
    let zero = form.replace("percent=25", "percent=0");
    assert_eq!(site.post(Some(&teacher), address, &zero).await.status, StatusCode::BAD_REQUEST);
}
