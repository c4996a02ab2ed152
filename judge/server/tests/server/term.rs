//! The next term: copies of courses, and archived ones, in which every address that writes is
//! refused.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use axum::body::Body;
use axum::http::header::{CONTENT_TYPE, HOST, ORIGIN};
use axum::http::{Method, Request, StatusCode};
use judge_core::{Options, Scoring};
use judge_store::{
    LinkMaker, NewArena, NewCourse, NewInvitation, NewSubmission, Role, SuiteSettings, Timestamp,
    Zone,
};
use serde_json::{Value, json};

use crate::site::{HOSTNAME, PageReply, SignedIn, Site, bot, form, request};

/// A site with a graded submission, a bot on a ladder, and an open link.
struct TermSite {
    site: Site,
    tess: SignedIn,
    ada: SignedIn,
    submission: String,
    bot: String,
    other: String,
    invitation: (String, String),
    group: String,
    review: String,
    comment: String,
}

impl TermSite {
    async fn new() -> TermSite {
        let site = Site::new().await;
        let tess = site.join("Tess", Role::Instructor).await;
        let ada = site.join("Ada", Role::Student).await;
        let (store, now, course) = (site.app.store(), Timestamp::now(), &site.course.id);
        let (suite, module) = (site.suite().await, bot("mahjong-distance"));
        let new = NewSubmission {
            suite: &suite.id,
            person: &ada.person.id,
            name: "bot",
            file_name: "bot.wasm",
            module: &module,
            source: Some(b"one\ntwo"),
            stored_at_most: u64::MAX,
        };
        let submission = store.submit(&new, now).await.unwrap();
        let report = crate::made::report(&submission.module, 7, 1);
        store.write_result(&submission, 1, &report, now).await.unwrap();
        let arena = NewArena {
            course,
            slug: "tiles",
            title: "Tiles",
            game: "mahjong",
            options: &Options::new(),
            opponents: &["straightforward"],
            anchor: "straightforward",
            scoring: Scoring::Result,
            season: "Season 1",
            ends_at: None,
        };
        let arena = store.create_arena(&arena, now).await.unwrap();
        let whose = (&arena.id, &ada.person.id);
        let entered = store.enter_bot(whose.0, whose.1, ("Hunter", &submission.id), now).await;
        let bots = store.ladder_bots(&arena.id).await.unwrap();
        let other = bots.iter().find(|bot| bot.is_reference()).unwrap().id.to_string();
        let link = NewInvitation {
            course: Some(course.clone()),
            role: Role::Student,
            person: None,
            listed: None,
            expires_at: now.after(Duration::from_secs(3600)),
        };
        let by = LinkMaker { person: &tess.person.id, session: None };
        let (id, secret) = store.invite_as(by, &link, now).await.unwrap();
        let group = store.create_group(course, "Red", now).await.unwrap().to_string();
        let whose = (&submission.id, &ada.person.id);
        let review = store.request_review(whose, "Why?", now).await.unwrap().to_string();
        let comment = store.add_comment(whose.0, (1, "Why?"), &tess.person.id, now).await.unwrap();
        TermSite {
            group,
            review,
            comment: comment.to_string(),
            tess,
            ada,
            submission: submission.id.to_string(),
            bot: entered.unwrap().id.to_string(),
            other,
            invitation: (id.to_string(), secret.reveal().to_owned()),
            site,
        }
    }

    async fn archive(&self) {
        let (address, form) = ("/c/ai/manage/archive", "sure=yes");
        let answer = self.site.post(Some(&self.tess), address, form).await;
        assert_eq!(answer.leads_to(), "/c/ai/manage");
    }

    async fn bring_back(&self) {
        let (address, form) = ("/c/ai/manage/bring-back", "sure=yes");
        self.site.post(Some(&self.tess), address, form).await.leads_to();
    }

    /// An address of the router with the names of this scene.
    fn fill(&self, address: &str) -> String {
        let id = match address {
            _ if address.starts_with("/submissions/") => &self.submission,
            _ if address.contains("/invitations/") => &self.invitation.0,
            _ => &self.bot,
        };
        let person = self.ada.person.id.to_string();
        let places = [
            ("{course}", "ai"),
            ("{suite}", "mahjong"),
            ("{arena}", "tiles"),
            ("{bot}", &self.bot),
            ("{person}", &person),
            ("{group}", &self.group),
            ("{review}", &self.review),
            ("{comment}", &self.comment),
            ("{id}", id),
        ];
        let fill = |text: String, (place, value): &(&str, &str)| text.replace(place, value);
        places.iter().fold(address.to_owned(), fill)
    }

    /// A body that each address would accept in a course that is not archived.
    fn content(&self, address: &str) -> SentBody {
        let text = match address {
            "/join" => format!("token={}&name=Eve", self.invitation.1),
            "/me/scoreboard" => "course=ai&pseudonym=Countess".to_owned(),
            "/c/{course}/a/{arena}/bots" => format!("name=New&submission={}", self.submission),
            "/c/{course}/a/{arena}/challenges" => {
                format!("one={}&other={}", self.bot, self.other)
            }
            "/c/{course}/manage/suites" => "bundled=cc&slug=cc".to_owned(),
            "/c/{course}/manage/arenas" => "game=mahjong&slug=new".to_owned(),
            "/c/{course}/manage/settings" => "title=Other&time_zone=UTC".to_owned(),
            "/c/{course}/manage/webhook" => "webhook=".to_owned(),
            "/c/{course}/manage/lti/members" | "/c/{course}/manage/lti/disconnect" => {
                "platform=x&deployment=1&context=7&seen=x".to_owned()
            }
            "/c/{course}/manage/people/{person}" => "role=assistant".to_owned(),
            "/c/{course}/manage/people/{person}/extension" => {
                "suite=mahjong&due=2099-01-01".to_owned()
            }
            "/c/{course}/manage/people/{person}/group" => format!("group={}", self.group),
            "/c/{course}/manage/groups" | "/c/{course}/manage/groups/{group}" => {
                "name=Blue".to_owned()
            }
            "/c/{course}/manage/groups/list" => "list=%7B%7D".to_owned(),
            "/c/{course}/manage/groups/preview" => {
                return SentBody::Files(form("list.csv", b"student,group\nAda,Blue"));
            }
            "/c/{course}/manage/invitations" => "role=student&names=".to_owned(),
            "/c/{course}/manage/s/{suite}/settings" => {
                "opens=&due=&attempts=&scoreboard=live&counts=best".to_owned()
            }
            "/c/{course}/manage/s/{suite}/rejudge" => "which=all&sure=yes".to_owned(),
            "/c/{course}/manage/s/{suite}/preview/accept"
            | "/c/{course}/manage/s/{suite}/preview/discard" => "generation=1".to_owned(),
            "/c/{course}/manage/a/{arena}" => "title=X&state=paused&season=X&ends=".to_owned(),
            "/c/{course}/s/{suite}/submissions" => return SentBody::Files(form("x.wasm", b"x")),
            "/c/{course}/manage/invitations/preview" => {
                return SentBody::Files(form("list.csv", b"Bob"));
            }
            "/c/{course}/manage/suites/upload" => return SentBody::Files(suite_upload()),
            "/submissions/{id}/reviews" | "/submissions/{id}/reviews/{review}/answer" => {
                "text=So.".to_owned()
            }
            "/submissions/{id}/points" => "points=9&reason=because".to_owned(),
            "/submissions/{id}/comments" => "line=2&text=So.".to_owned(),
            "/submissions/{id}/play" | "/bots/{id}/play" => "{\"do\":\"games\"}".to_owned(),
            _ => "sure=yes".to_owned(),
        };
        SentBody::Form(text)
    }

    /// A body that each address of the API would accept.
    fn json(&self, address: &str) -> Value {
        match address {
            "/courses/{course}/arenas" => json!({"game": "mahjong", "slug": "new"}),
            "/courses/{course}/arenas/{arena}" => json!({"title": "Other"}),
            "/courses/{course}/arenas/{arena}/bots" => {
                json!({"name": "New", "submission": self.submission})
            }
            "/courses/{course}/arenas/{arena}/challenges" => {
                json!({"one": self.bot, "other": self.other})
            }
            "/courses/{course}/groups" | "/courses/{course}/groups/{group}" => {
                json!({"name": "Blue"})
            }
            "/courses/{course}/groups/moves" => {
                json!([{"person": self.ada.person.id.to_string(), "group": "Blue"}])
            }
            "/submissions/{id}/reviews" | "/submissions/{id}/reviews/{review}/answer" => {
                json!({"text": "So."})
            }
            "/submissions/{id}/adjustments" => json!({"points": 9, "reason": "because"}),
            "/submissions/{id}/comments" => json!({"line": 2, "text": "So."}),
            "/courses/{course}/suites/{suite}/preview/accept"
            | "/courses/{course}/suites/{suite}/preview/discard" => json!({"generation": 1}),
            "/round" => json!({"submission": self.submission, "seat": 1}),
            _ => json!({}),
        }
    }

    /// The person with the right to send something there: the student for bots and scoreboards.
    fn sender(&self, address: &str) -> &SignedIn {
        let is_staffs = address.contains("/comments")
            || ["/answer", "/points", "/adjustments"].iter().any(|end| address.ends_with(end));
        let is_students = address.contains("/bots")
            || address.contains("/challenges")
            || (address.contains("/submissions") && !is_staffs)
            || ["/me/scoreboard", "/c/{course}/s/{suite}/badge", "/round"].contains(&address);
        if is_students { &self.ada } else { &self.tess }
    }

    /// Sends a form to a page's address.
    async fn send_form(&self, address: &str) -> PageReply {
        let (kind, body) = match self.content(address) {
            SentBody::Form(text) => ("application/x-www-form-urlencoded", text.into_bytes()),
            SentBody::Files(bytes) => ("multipart/form-data; boundary=line", bytes),
        };
        let who = Some(self.sender(address)).filter(|_| address != "/join");
        let request = request(Method::POST, who, &self.fill(address))
            .header(ORIGIN, format!("http://{HOSTNAME}"))
            .header(CONTENT_TYPE, kind);
        self.site.send(request.body(Body::from(body)).unwrap()).await
    }

    /// Sends JSON to an address of the API.
    async fn send_json(&self, address: &str) -> PageReply {
        let bearer = format!("Bearer {}", self.sender(address).token);
        let request = Request::post(format!("/api/v1{}", self.fill(address)))
            .header(HOST, HOSTNAME)
            .header(CONTENT_TYPE, "application/json")
            .header("authorization", bearer);
        self.site.send(request.body(Body::from(self.json(address).to_string())).unwrap()).await
    }
}

enum SentBody {
    Form(String),
    Files(Vec<u8>),
}

/// The form that uploads a suite.
fn suite_upload() -> Vec<u8> {
    let mut body = b"--line\r\nContent-Disposition: form-data; name=\"slug\"\r\n\r\nnew".to_vec();
    for (name, text) in &crate::site::suite().files {
        let head = format!(
            "\r\n--line\r\nContent-Disposition: form-data; name=\"files\"; \
             filename=\"{name}\"\r\n\r\n"
        );
        body.extend_from_slice(head.as_bytes());
        // Without hidden testcases.
        let text = text.split("[hidden]").next().unwrap();
        body.extend_from_slice(text.as_bytes());
    }
    body.extend_from_slice(b"\r\n--line--\r\n");
    body
}

/// Addresses of pages that write, and do not change a course.
const NOT_IN_A_COURSE: [&str; 12] = [
    "/lti/connect",
    "/lti/launch",
    "/lti/login",
    "/me/lti/unlink",
    "/accounts/{person}/erase",
    "/courses",
    "/sign-out",
    "/me/sign-in/unlink",
    "/me/language",
    "/me/mail",
    "/me/tokens",
    "/me/tokens/{id}/revoke",
];

/// Addresses for archived courses.
const FOR_ARCHIVED: [&str; 3] =
    ["/c/{course}/manage/copy", "/c/{course}/manage/bring-back", "/c/{course}/manage/delete"];

/// The same of the API, with the person's own round under way.
const API_EXCEPTIONS: [&str; 7] = [
    "/courses/{course}/delete",
    "/people/{person}/erase",
    "/courses/{course}/copy",
    "/courses/{course}/bring-back",
    "/round/answers",
    "/round/undo",
    "/round/resign",
];

/// The addresses of pages that write: those of routes with a method other than GET.
fn writing_pages() -> BTreeSet<String> {
    let mut sources = String::new();
    read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/pages"), &mut sources);
    let routes = sources.split(".route(").skip(1);
    let writes = |route: &&str| {
        let route = route.split(".merge(").next().unwrap().split("\n}").next().unwrap();
        ["post(", "put(", "patch(", "delete(", "any("].iter().any(|method| route.contains(method))
    };
    let address = |route: &str| route.split('"').nth(1).unwrap().to_owned();
    let found: BTreeSet<String> = routes.filter(writes).map(address).collect();
    assert!(found.len() > 25 && found.contains("/c/{course}/manage/suites/upload"), "{found:?}");
    found
}

fn read(folder: &Path, sources: &mut String) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => read(&path, sources),
            false => *sources += &std::fs::read_to_string(path).unwrap(),
        }
    }
}

/// The addresses of the API that write, by its description.
async fn writing_api(site: &Site) -> BTreeSet<String> {
    let document: Value =
        serde_json::from_str(&site.get(None, "/api/v1/openapi.json").await.text()).unwrap();
    let paths = document["paths"].as_object().unwrap();
    let writes = |methods: &Value| methods.as_object().unwrap().keys().any(|one| one != "get");
    paths.iter().filter(|(_, one)| writes(one)).map(|(path, _)| path.clone()).collect()
}

#[tokio::test]
async fn every_change_to_an_archived_course_is_refused() {
    let scene = TermSite::new().await;
    scene.archive().await;
    let pages = writing_pages();
    for known in NOT_IN_A_COURSE.iter().chain(&FOR_ARCHIVED) {
        assert!(pages.contains(*known), "{known} is not an address");
    }
    let is_known = |known: &[&str], address: &String| known.contains(&address.as_str());
    let skips = |address: &&String| {
        !is_known(&NOT_IN_A_COURSE, address) && !is_known(&FOR_ARCHIVED, address)
    };
    for address in pages.iter().filter(skips) {
        let answer = scene.send_form(address).await;
        let text = answer.text();
        assert_eq!(answer.status, StatusCode::CONFLICT, "{address}: {text}");
        assert!(text.contains("is archived, so nothing in it can be"), "{address}: {text}");
    }
    let api = writing_api(&scene.site).await;
    assert!(api.len() > 10, "{api:?}");
    for address in api.iter().filter(|address| !is_known(&API_EXCEPTIONS, address)) {
        let answer = scene.send_json(address).await;
        let told: Value = serde_json::from_slice(&answer.body).unwrap();
        assert_eq!((answer.status, &told["error"]), (StatusCode::CONFLICT, &json!("archived")));
    }
    // The same requests are not refused for another reason.
    scene.bring_back().await;
    for address in [
        "/me/scoreboard",
        "/c/{course}/manage/suites",
        "/c/{course}/manage/settings",
        "/c/{course}/manage/people/{person}/group",
        "/c/{course}/manage/groups",
        "/c/{course}/manage/groups/list",
        "/c/{course}/manage/groups/{group}/dissolve",
        "/submissions/{id}/reviews/{review}/answer",
        "/submissions/{id}/reviews",
        "/submissions/{id}/points",
        "/submissions/{id}/comments",
        "/submissions/{id}/comments/{comment}/remove",
    ] {
        scene.send_form(address).await.leads_to();
    }
}

#[tokio::test]
async fn an_archived_course_can_be_read() {
    let scene = TermSite::new().await;
    let TermSite { site, tess, ada, submission, bot, .. } = &scene;
    scene.archive().await;
    let pages = [
        "/c/ai".to_owned(),
        "/c/ai/s/mahjong".to_owned(),
        "/c/ai/s/mahjong/scoreboard".to_owned(),
        format!("/submissions/{submission}"),
        "/c/ai/a/tiles".to_owned(),
        format!("/c/ai/a/tiles/bots/{bot}"),
    ];
    for (who, address) in pages.iter().flat_map(|address| [(tess, address), (ada, address)]) {
        let answer = site.get(Some(who), address).await;
        let text = answer.text();
        assert_eq!(answer.status, StatusCode::OK, "{address}: {text}");
        assert!(text.contains("id=\"archived\""), "{address}: {text}");
        let (_, main) = text.split_once("<main").unwrap();
        assert!(!main.contains("method=\"post\""), "{address}: {main}");
        assert!(!main.contains("/play/play.html?submission="), "{address}: {main}");
    }
    let member = format!("/c/ai/manage/people/{}", ada.person.id);
    for address in ["/c/ai/manage", "/c/ai/manage/people", "/c/ai/manage/s/mahjong", &member] {
        let text = site.get(Some(tess), address).await.text();
        let (_, main) = text.split_once("<main").unwrap();
        assert!(main.contains("id=\"archived\"") && !main.contains("method=\"post\""), "{main}");
    }
    let board = site.get(Some(ada), "/c/ai/s/mahjong/scoreboard").await.text();
    assert!(board.contains("<b>7</b>"), "{board}");
    for sheet in ["marks.csv", "whole-marks.csv"] {
        let sheet = site.get(Some(tess), &format!("/c/ai/manage/s/mahjong/{sheet}")).await;
        assert!(sheet.text().contains(",7,"), "{}", sheet.text());
    }
    let report = site.api(ada, &format!("/api/v1/submissions/{submission}/report")).await;
    assert_eq!(report.status, StatusCode::OK);
    let courses = site.api(ada, "/api/v1/courses").await.text();
    assert!(courses.contains("\"archived_at\":\"20"), "{courses}");
    let home = site.get(Some(ada), "/").await.text();
    let (_, archived) = home.split_once("id=\"archived-courses\"").unwrap();
    assert!(archived.contains("href=\"/c/ai\""), "{home}");
    scene.bring_back().await;
    let home = site.get(Some(ada), "/").await.text();
    assert!(home.contains("href=\"/c/ai\"") && !home.contains("archived-courses"), "{home}");
}

#[tokio::test]
async fn the_page_says_what_archiving_changes_and_needs_a_confirmation() {
    let scene = TermSite::new().await;
    let TermSite { site, tess, .. } = &scene;
    site.submit(&scene.ada, "other.wasm", &bot("mahjong-straightforward")).await.leads_to();
    let page = site.get(Some(tess), "/c/ai/manage/archive").await.text();
    assert!(page.contains("All 2 members keep everything"), "{page}");
    assert!(page.contains("Waiting submissions that stay without a result: 1."), "{page}");
    let unsure = site.post(Some(tess), "/c/ai/manage/archive", "").await;
    assert_eq!(unsure.status, StatusCode::BAD_REQUEST);
    scene.archive().await;
    let page = site.get(Some(tess), "/c/ai/manage/archive").await.text();
    assert!(page.contains("/c/ai/manage/bring-back"), "{page}");
    assert!(page.contains("Submissions that are then graded: 1."), "{page}");
    let unsure = site.post(Some(tess), "/c/ai/manage/bring-back", "").await;
    assert_eq!(unsure.status, StatusCode::BAD_REQUEST);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_waiting_submission_is_graded_after_the_course_is_restored() {
    let scene = TermSite::new().await;
    let TermSite { site, ada, .. } = &scene;
    let page = site.submit(ada, "other.wasm", &bot("mahjong-straightforward")).await;
    let id = page.leads_to().rsplit('/').next().unwrap().to_owned();
    scene.archive().await;
    site.grade().await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    let told = site.api(ada, &format!("/api/v1/submissions/{id}")).await.text();
    assert!(told.contains("\"waiting\""), "{told}");
    let page = site.get(Some(ada), &format!("/submissions/{id}")).await.text();
    assert!(page.contains("was not graded before the course was archived"), "{page}");
    scene.bring_back().await;
    assert_eq!(site.result(ada, &id).await["state"], "graded");
}

#[tokio::test]
async fn only_instructors_of_the_course_copy_and_archive_it() {
    let site = Site::new().await;
    let (ada, alan) =
        (site.join("Ada", Role::Student).await, site.join("Alan", Role::Assistant).await);
    let (store, now) = (site.app.store(), Timestamp::now());
    let (slug, title, time_zone) = ("b".to_owned(), "B".to_owned(), "UTC".to_owned());
    let other = store.create_course(&NewCourse { slug, title, time_zone }, now).await.unwrap();
    let ben = site.join("Ben", Role::Observer).await;
    store.leave(&site.course.id, &ben.person.id, None, now).await.unwrap();
    store.join(&other.id, &ben.person.id, Role::Instructor, now).await.unwrap();
    let ben = site.signed_in(ben.person).await;
    let cases = [
        (&ada, StatusCode::NOT_FOUND),
        (&alan, StatusCode::FORBIDDEN),
        (&ben, StatusCode::NOT_FOUND),
    ];
    for (who, status) in cases {
        for address in ["copy", "archive"] {
            let page = site.get(Some(who), &format!("/c/ai/manage/{address}")).await;
            assert_eq!(page.status, status, "{address}");
        }
        for address in ["copy", "archive", "bring-back"] {
            let form = "slug=new&title=New&sure=yes";
            let sent = site.post(Some(who), &format!("/c/ai/manage/{address}"), form).await;
            assert_eq!(sent.status, status, "{address}: {}", who.person.name);
            let body = json!({"slug": "new"});
            let sent = tell(&site, who, &format!("/courses/ai/{address}"), &body).await;
            assert_eq!(sent.status, status, "{address}: {}", who.person.name);
        }
        assert_eq!(store.courses().await.unwrap().len(), 2);
        let course = store.course(&site.course.id).await.unwrap().unwrap();
        assert!(!course.is_archived());
    }
}

/// Sends JSON to the API.
async fn tell(site: &Site, who: &SignedIn, address: &str, body: &Value) -> PageReply {
    let request = Request::post(format!("/api/v1{address}"))
        .header(HOST, HOSTNAME)
        .header(CONTENT_TYPE, "application/json")
        .header("authorization", format!("Bearer {}", who.token));
    site.send(request.body(Body::from(body.to_string())).unwrap()).await
}

#[tokio::test]
async fn a_copy_is_previewed_and_made() {
    let site = Site::new().await;
    let tess = site.join("Tess", Role::Instructor).await;
    let zone = Zone::new("Europe/Berlin").unwrap();
    let store = site.app.store();
    store.change_course(&site.course.id, "Play", "Europe/Berlin").await.unwrap();
    let due_at = Some(zone.moment("2026-10-20 23:59").unwrap());
    site.set(SuiteSettings { due_at, ..SuiteSettings::default() }).await;

    let page = site.get(Some(&tess), "/c/ai/manage").await.text();
    assert!(page.contains("/c/ai/manage/copy") && page.contains("/c/ai/manage/archive"), "{page}");
    let page = site.get(Some(&tess), "/c/ai/manage/copy").await.text();
    assert!(page.contains("value=\"Play\"") && !page.contains("id=\"dates\""), "{page}");
    let preview = async |query: &str| {
        let answer = site.get(Some(&tess), &format!("/c/ai/manage/copy?{query}")).await;
        (answer.status, answer.text())
    };
    for (shift, days) in [("days=14&first_due=", 14), ("days=&first_due=2026-11-03", 14)] {
        let (status, page) = preview(&format!("slug=ai-2&title=Play+2&{shift}")).await;
        assert_eq!(status, StatusCode::OK, "{page}");
        assert!(page.contains(&format!("move by {days} days")), "{page}");
        for text in ["2026-10-20 23:59", "2026-11-03 23:59", "value=\"Play 2\"", "Europe/Berlin"] {
            assert!(page.contains(text), "{text}: {page}");
        }
    }
    for (query, why) in [
        ("slug=ai-2&title=X&days=many", "at most 3660 days"),
        ("slug=ai-2&title=X&days=4000", "at most 3660 days"),
        ("slug=ai-2&title=X&days=1&first_due=2027-03-08", "not both"),
        ("slug=ai-2&title=X&first_due=soon", "There is no such date"),
        ("slug=Not+one&title=X&days=1", "This name cannot be used"),
    ] {
        let (status, page) = preview(query).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{query}");
        assert!(page.contains(why) && !page.contains("id=\"dates\""), "{query}: {page}");
    }
    assert_eq!(store.courses().await.unwrap().len(), 1, "a preview makes nothing");

    let form = "slug=ai-2&title=Play+2&days=14";
    let made = site.post(Some(&tess), "/c/ai/manage/copy", form).await;
    assert_eq!(made.leads_to(), "/c/ai-2/manage");
    let again = site.post(Some(&tess), "/c/ai/manage/copy", form).await;
    assert!(again.text().contains("This name is taken"), "{}", again.text());
    let copy = store.course_by_slug("ai-2").await.unwrap().unwrap();
    let suite = store.suite_by_slug(&copy.id, "mahjong").await.unwrap().unwrap();
    assert_eq!(zone.exact(suite.settings.due_at.unwrap()), "2026-11-03 23:59");
    assert_eq!(store.grading_suite(&suite.id, 1).await.unwrap(), crate::site::suite());

    // The session that copied stays. Other access ends, as with every new role of staff.
    let body = json!({"slug": "ai-3", "first_due": "2027-03-08"});
    let ended = tell(&site, &tess, "/courses/ai/copy", &body).await;
    assert_eq!(ended.status, StatusCode::UNAUTHORIZED, "{}", ended.text());
    let tess = site.signed_in(tess.person).await;
    let made = tell(&site, &tess, "/courses/ai/copy", &body).await;
    let told: Value = serde_json::from_slice(&made.body).unwrap();
    assert_eq!(made.status, StatusCode::CREATED, "{told}");
    assert_eq!((&told["title"], &told["role"]), (&json!("Play"), &json!("instructor")));
    assert_eq!(told["archived_at"], Value::Null);
    let archived = tell(&site, &tess, "/courses/ai-3/archive", &json!({})).await;
    assert!(archived.text().contains("\"archived_at\":\"20"), "{}", archived.text());
    let back = tell(&site, &tess, "/courses/ai-3/bring-back", &json!({})).await;
    assert!(back.text().contains("\"archived_at\":null"), "{}", back.text());
}
