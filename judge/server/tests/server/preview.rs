//! Previews of new gradings: pages, API and rights by role.

use std::time::Duration;

use axum::http::StatusCode;
use judge_store::{Role, Timestamp};
use serde_json::json;

use crate::ladder::{ask, tell};
use crate::made::report;
use crate::site::{SignedIn, Site};

const PAGE: &str = "/c/ai/manage/s/mahjong/preview";
const API: &str = "/api/v1/courses/ai/suites/mahjong";

/// A course with a result of 7 points of Ada and of 9 of Bob.
struct PreviewSite {
    site: Site,
    ada: SignedIn,
    alan: SignedIn,
    tess: SignedIn,
    /// The API's address of Ada's submission.
    submission: String,
}

impl PreviewSite {
    async fn new() -> PreviewSite {
        let site = Site::new().await;
        let ada = site.join("Ada", Role::Student).await;
        let bob = site.join("Bob", Role::Student).await;
        let alan = site.join("Alan", Role::Assistant).await;
        let tess = site.join("Tess", Role::Instructor).await;
        let submission = format!("/api/v1/submissions/{}", site.result_of(&ada, 7).await);
        site.result_of(&bob, 9).await;
        PreviewSite { site, ada, alan, tess, submission }
    }

    /// Grades again, with a preview, by the form.
    async fn begin(&self) {
        let address = "/c/ai/manage/s/mahjong/rejudge";
        let reply = self.site.post(Some(&self.tess), address, "which=all&sure=yes&held=yes").await;
        assert_eq!(reply.leads_to(), PAGE);
    }

    /// Gives all waiting submissions these points.
    async fn grade(&self, points: u32) {
        let (store, now) = (self.site.app.store(), Timestamp::now());
        while let Some(job) = store.next_job("w", Duration::from_secs(60), now).await.unwrap() {
            let report = report(&job.submission.module, points, 1);
            store.write_result(&job.submission, job.generation, &report, now).await.unwrap();
        }
    }

    async fn page(&self) -> String {
        let reply = self.site.get(Some(&self.tess), PAGE).await;
        assert_eq!(reply.status, StatusCode::OK, "{}", reply.text());
        reply.text()
    }

    /// Points of Ada's submission, as she sees them.
    async fn seen(&self) -> serde_json::Value {
        ask(&self.site, &self.ada, &self.submission).await["points"].clone()
    }

    async fn decide(&self, who: &SignedIn, how: &str, generation: i64) -> StatusCode {
        let form = format!("generation={generation}");
        self.site.post(Some(who), &format!("{PAGE}/{how}"), &form).await.status
    }
}

#[tokio::test]
async fn an_instructor_sees_what_changes_before_students_do() {
    let scene = PreviewSite::new().await;
    assert_eq!(scene.site.get(Some(&scene.tess), PAGE).await.status, StatusCode::NOT_FOUND);
    scene.begin().await;
    let page = scene.page().await;
    assert!(page.contains("Submissions still to be graded: 2."), "{page}");
    assert!(!page.contains("preview/accept"), "{page}");
    assert_eq!(scene.decide(&scene.tess, "accept", 2).await, StatusCode::CONFLICT);

    scene.grade(9).await;
    let page = scene.page().await;
    assert!(page.contains("Results that change: 1. Results that stay the same: 1."), "{page}");
    assert!(page.contains(">7 / 20</a>") && page.contains(">9 / 20</a>"), "{page}");
    assert!(page.contains(">Ada<") && page.contains(">+2<") && !page.contains(">Bob<"), "{page}");
    assert_eq!(scene.seen().await, 7.0);
    let suite = scene.site.get(Some(&scene.tess), "/c/ai/manage/s/mahjong").await.text();
    assert!(suite.contains(&format!("href=\"{PAGE}\"")), "{suite}");

    assert_eq!(scene.decide(&scene.tess, "accept", 2).await, StatusCode::SEE_OTHER);
    assert_eq!(scene.seen().await, 9.0);
    let board = scene.site.get(Some(&scene.ada), "/c/ai/s/mahjong/scoreboard").await.text();
    assert!(!board.contains(">7<"), "{board}");
    assert_eq!(scene.decide(&scene.tess, "accept", 2).await, StatusCode::CONFLICT, "once");
}

#[tokio::test]
async fn a_discarded_grading_leaves_the_results_of_students() {
    let scene = PreviewSite::new().await;
    scene.begin().await;
    scene.grade(1).await;
    let page = scene.page().await;
    assert!(page.contains(">−6<") && page.contains(">−8<"), "{page}");
    assert!(page.find(">−8<") < page.find(">−6<"), "those who lose most come first: {page}");
    assert_eq!(scene.decide(&scene.tess, "discard", 2).await, StatusCode::SEE_OTHER);
    assert_eq!(scene.seen().await, 7.0);
    assert_eq!(scene.site.get(Some(&scene.tess), PAGE).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn only_instructors_decide_and_only_staff_read() {
    let scene = PreviewSite::new().await;
    scene.begin().await;
    scene.grade(9).await;
    let read = async |who| scene.site.get(Some(who), PAGE).await;
    assert_eq!(read(&scene.ada).await.status, StatusCode::NOT_FOUND);
    let page = read(&scene.alan).await;
    assert!(page.status == StatusCode::OK && !page.text().contains("preview/discard"));
    for how in ["accept", "discard"] {
        assert_eq!(scene.decide(&scene.alan, how, 2).await, StatusCode::FORBIDDEN, "{how}");
        assert_eq!(scene.decide(&scene.ada, how, 2).await, StatusCode::NOT_FOUND, "{how}");
        let address = format!("{API}/preview/{how}");
        let body = json!({"generation": 2});
        let (status, _) = tell(&scene.site, &scene.alan, &address, &body).await;
        assert_eq!(status, StatusCode::FORBIDDEN, "{how}");
    }
    for (who, refused) in
        [(&scene.ada, StatusCode::NOT_FOUND), (&scene.alan, StatusCode::FORBIDDEN)]
    {
        let (status, _) = tell(&scene.site, who, &format!("{API}/rejudge"), &json!({})).await;
        assert_eq!(status, refused);
    }
    assert_eq!(scene.seen().await, 7.0);
}

#[tokio::test]
async fn a_program_grades_again_and_accepts_the_result() {
    let scene = PreviewSite::new().await;
    let (site, tess) = (&scene.site, &scene.tess);
    let rejudge = format!("{API}/rejudge");
    let (status, told) =
        tell(site, tess, &rejudge, &json!({"which": "latest", "preview": true})).await;
    assert_eq!((status, told), (StatusCode::ACCEPTED, json!({"generation": 2})));
    let wrong = tell(site, tess, &rejudge, &json!({"which": "worst"})).await;
    assert_eq!(wrong.0, StatusCode::BAD_REQUEST);
    let preview = ask(site, tess, &format!("{API}/preview")).await;
    assert_eq!((&preview["missing"], &preview["changes"]), (&json!(2), &json!([])));
    scene.grade(9).await;
    let preview = ask(site, tess, &format!("{API}/preview")).await;
    assert_eq!((&preview["generation"], &preview["unchanged"]), (&json!(2), &json!(1)));
    let change = &preview["changes"][0];
    assert_eq!(change["name"], "Ada");
    assert_eq!((&change["now"]["points"], &change["new"]["points"]), (&json!(7.0), &json!(9.0)));
    let accept = format!("{API}/preview/accept");
    let (status, told) = tell(site, tess, &accept, &json!({"generation": 1})).await;
    assert_eq!((status, told["error"].as_str()), (StatusCode::CONFLICT, Some("no_preview")));
    let (status, _) = tell(site, tess, &accept, &json!({"generation": 2})).await;
    assert_eq!(status, StatusCode::NO_CONTENT);
    assert_eq!(scene.seen().await, 9.0);
}
