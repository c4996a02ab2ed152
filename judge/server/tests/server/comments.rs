//! Comments of staff on lines of sources: pages, API and rights by role.

use axum::http::StatusCode;
use judge_store::{NewSubmission, Role, SuiteSettings, Timestamp};
use serde_json::{Value, json};

use crate::ladder::{ask, tell};
use crate::retention::unpacked;
use crate::site::{SignedIn, Site};

const NOT_FOUND: StatusCode = StatusCode::NOT_FOUND;
const FORBIDDEN: StatusCode = StatusCode::FORBIDDEN;

/// A course with a source of three lines by Ada, and a person in each role.
struct CommentSite {
    site: Site,
    ada: SignedIn,
    bob: SignedIn,
    olga: SignedIn,
    alan: SignedIn,
    tess: SignedIn,
    /// The page of Ada's submission.
    page: String,
}

impl CommentSite {
    async fn new() -> CommentSite {
        let site = Site::new().await;
        let ada = site.join("Ada", Role::Student).await;
        let bob = site.join("Bob", Role::Student).await;
        let olga = site.join("Olga", Role::Observer).await;
        let alan = site.join("Alan", Role::Assistant).await;
        let tess = site.join("Tess", Role::Instructor).await;
        let source = Some("first\n<b>second</b>\nthird\n");
        let page = format!("/submissions/{}", site.result_of_source(&ada, 6, source).await);
        CommentSite { site, ada, bob, olga, alan, tess, page }
    }

    async fn read(&self, who: &SignedIn, address: &str) -> String {
        let reply = self.site.get(Some(who), address).await;
        assert_eq!(reply.status, StatusCode::OK, "{address}: {}", reply.text());
        reply.text()
    }

    async fn comment(&self, who: &SignedIn, line: &str, text: &str) -> (StatusCode, String) {
        let form = format!("line={line}&text={text}");
        let reply = self.site.post(Some(who), &format!("{}/comments", self.page), &form).await;
        (reply.status, reply.text())
    }

    /// Removes the only comment by its form.
    async fn remove(&self, who: &SignedIn) -> StatusCode {
        let address = format!("/api/v1{}/comments", self.page);
        let all = ask(&self.site, &self.tess, &address).await;
        let id = all[0]["id"].as_str().unwrap();
        let address = format!("{}/comments/{id}/remove", self.page);
        self.site.post(Some(who), &address, "").await.status
    }
}

#[tokio::test]
async fn a_comment_is_shown_below_its_line() {
    let scene = CommentSite::new().await;
    let CommentSite { site, ada, alan, page, .. } = &scene;
    let action = format!("action=\"{page}/comments\"");
    assert!(!scene.read(ada, page).await.contains(&action));
    let form = scene.read(alan, &format!("{page}?line=2")).await;
    assert!(
        form.contains(&action) && form.contains("name=\"line\"") && form.contains("value=\"2\""),
        "{form}"
    );
    let reply = site.post(Some(alan), &format!("{page}/comments"), "line=2&text=%3Ci%3EWhy").await;
    assert_eq!(reply.leads_to(), format!("{page}#code"));
    let text = scene.read(ada, page).await;
    let at = |part: &str| text.find(part).unwrap_or_else(|| panic!("{part}: {text}"));
    assert!(at("first") < at("second") && at("second") < at("&#60;i&#62;Why"), "{text}");
    assert!(at("Line 2: Alan, 20") < at("third"), "{text}");
    assert!(!text.contains("<b>second") && !text.contains("<i>Why"), "{text}");
    assert!(text.contains("(1 comment)") && !text.contains("/remove"), "{text}");
    for address in ["/c/ai", "/me"] {
        let notice = scene.read(ada, address).await;
        assert!(notice.contains("has a comment: bot.py, Short"), "{address}: {notice}");
    }
    let log = scene.read(&scene.tess, "/c/ai/manage/log").await;
    assert!(log.contains("commented on a source") && !log.contains("Why"), "{log}");
    // A person's export has what the page shows.
    let files = unpacked(&site.get(Some(ada), "/me/data.zip").await);
    let has = files.iter().any(|(_, bytes)| String::from_utf8_lossy(bytes).contains("<i>Why"));
    assert!(has, "{:?}", files.iter().map(|file| &file.0).collect::<Vec<_>>());
}

#[tokio::test]
async fn only_staff_comment_and_only_on_lines() {
    let scene = CommentSite::new().await;
    let CommentSite { site, ada, bob, olga, alan, tess, page } = &scene;
    for (who, status) in [(ada, FORBIDDEN), (bob, NOT_FOUND), (olga, NOT_FOUND)] {
        assert_eq!(scene.comment(who, "1", "So.").await.0, status);
    }
    for (line, text, told) in [
        ("0", "So.", "the source has 3 lines."),
        ("4", "So.", "the source has 3 lines."),
        ("x", "So.", "the source has 3 lines."),
        ("1", "+", "Write a text."),
    ] {
        let (_, shown) = scene.comment(alan, line, text).await;
        assert!(shown.contains(told), "{line}: {shown}");
        assert!(shown.contains(&format!("value=\"{line}\"")), "the form keeps its text: {shown}");
    }
    let module = site.result_of(ada, 5).await;
    let address = format!("/submissions/{module}/comments");
    let refused = site.post(Some(tess), &address, "line=1&text=So.").await;
    assert_eq!(refused.status, StatusCode::CONFLICT);
    assert_eq!(ask(site, tess, &format!("/api/v1{page}/comments")).await, json!([]));
}

#[tokio::test]
async fn the_author_or_an_instructor_removes_a_comment() {
    let scene = CommentSite::new().await;
    let CommentSite { site, ada, bob, alan, tess, page, .. } = &scene;
    let ben = site.join("Ben", Role::Assistant).await;
    for (author, others, remover) in [
        (alan, vec![(ada, FORBIDDEN), (bob, NOT_FOUND), (&ben, FORBIDDEN)], alan),
        (alan, vec![], tess),
    ] {
        assert_eq!(scene.comment(author, "3", "So.").await.0, StatusCode::SEE_OTHER);
        for (other, status) in others {
            assert_eq!(scene.remove(other).await, status);
        }
        assert!(scene.read(remover, page).await.contains("/remove"));
        assert_eq!(scene.remove(remover).await, StatusCode::SEE_OTHER);
        assert!(!scene.read(ada, page).await.contains("So."));
    }
    assert!(!scene.read(ada, "/me").await.contains("has a comment"));
}

#[tokio::test]
async fn students_see_comments_with_the_result() {
    let scene = CommentSite::new().await;
    let CommentSite { site, ada, alan, .. } = &scene;
    // Of two results of a day, the second one is shown later.
    let second = site.result_of_source(ada, 7, Some("first\n")).await;
    let page = &format!("/submissions/{second}");
    let form = "line=1&text=Solved+by+luck";
    site.post(Some(alan), &format!("{page}/comments"), form).await.leads_to();
    site.set(SuiteSettings { shown_per_day: Some(1), ..SuiteSettings::default() }).await;
    let api = format!("/api/v1{page}/comments");
    let text = scene.read(ada, page).await;
    assert!(text.contains("first") && !text.contains("Solved"), "{text}");
    assert!(!scene.read(ada, "/me").await.contains("has a comment"));
    assert_eq!(ask(site, ada, &api).await, json!([]));
    let files = unpacked(&site.get(Some(ada), "/me/data.zip").await);
    for secret in ["Solved", "commented"] {
        let has = |bytes: &[u8]| String::from_utf8_lossy(bytes).contains(secret);
        assert!(files.iter().all(|(_, bytes)| !has(bytes)), "{secret}");
    }
    assert!(scene.read(alan, page).await.contains("Solved by luck"));
    // Nor do they get a notice before the first grading.
    let new = NewSubmission {
        suite: &site.suite().await.id,
        person: &scene.bob.person.id,
        name: "bot",
        file_name: "bot.py",
        module: b"module",
        source: Some(b"first"),
        stored_at_most: u64::MAX,
    };
    let waiting = site.app.store().submit(&new, Timestamp::now()).await.unwrap().id;
    site.post(Some(alan), &format!("/submissions/{waiting}/comments"), form).await.leads_to();
    assert!(!scene.read(&scene.bob, "/me").await.contains("has a comment"));
    site.set(SuiteSettings::default()).await;
    assert!(scene.read(ada, page).await.contains("Solved by luck"));
}

#[tokio::test]
async fn programs_comment_too() {
    let scene = CommentSite::new().await;
    let CommentSite { site, ada, alan, page, .. } = &scene;
    let api = format!("/api/v1{page}/comments");
    let (status, all) = tell(site, alan, &api, &json!({"line": 3, "text": "Long"})).await;
    assert_eq!((status, &all[0]["line"]), (StatusCode::CREATED, &json!(3)), "{all}");
    assert_eq!(all[0]["by"], "Alan");
    assert_eq!(ask(site, ada, &api).await, all);
    for (body, expected) in [
        (json!({"line": 4, "text": "x"}), StatusCode::CONFLICT),
        (json!({"line": -1, "text": "x"}), StatusCode::BAD_REQUEST),
        (json!({"line": 1, "text": ""}), StatusCode::BAD_REQUEST),
    ] {
        assert_eq!(tell(site, alan, &api, &body).await.0, expected, "{body}");
    }
    let one = format!("{api}/{}/remove", all[0]["id"].as_str().unwrap());
    assert_eq!(tell(site, ada, &one, &Value::Null).await.0, FORBIDDEN);
    let (status, left) = tell(site, alan, &one, &Value::Null).await;
    assert_eq!((status, left), (StatusCode::OK, json!([])));
}

#[tokio::test]
async fn a_source_is_compared_with_the_previous_one() {
    let scene = CommentSite::new().await;
    let CommentSite { site, ada, bob, alan, page, .. } = &scene;
    let first = format!("{page}/changes");
    assert_eq!(site.get(Some(ada), &first).await.status, NOT_FOUND, "it is the first source");
    assert!(!scene.read(ada, page).await.contains("/changes"));
    // A module in between, and a source of another student, are left out.
    site.result_of(ada, 5).await;
    site.result_of_source(bob, 5, Some("secret of bob\n")).await;
    let second = site.result_of_source(ada, 7, Some("first\n<i>third</i>\nthird\n")).await;
    let second = format!("/submissions/{second}");
    assert!(scene.read(ada, &second).await.contains(&format!("href=\"{second}/changes\"")));
    for who in [ada, alan] {
        let text = scene.read(who, &format!("{second}/changes")).await;
        let at = |part: &str| text.find(part).unwrap_or_else(|| panic!("{part}: {text}"));
        assert!(at("- &#60;b&#62;second") < at("+ &#60;i&#62;third"), "{text}");
        assert!(text.contains(&format!("href=\"{page}\"")) && !text.contains("bob"), "{text}");
    }
    assert_eq!(site.get(Some(bob), &format!("{second}/changes")).await.status, NOT_FOUND);
    let same = site.result_of_source(ada, 8, Some("first\n<i>third</i>\nthird\n")).await;
    let text = scene.read(ada, &format!("/submissions/{same}/changes")).await;
    assert!(text.contains("No line changed."), "{text}");
}
