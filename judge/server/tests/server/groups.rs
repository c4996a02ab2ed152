//! Groups: one submission for all members on pages, scoreboards, mark sheets and ladders, and the
//! pages and the API that manage them.

use axum::body::Body;
use axum::http::header::{CONTENT_TYPE, HOST, ORIGIN};
use axum::http::{Method, Request, StatusCode};
use judge_server::signatures::PublicKey;
use judge_store::{GroupMove, NewCourse, Role, SuiteSettings, Timestamp};
use serde_json::{Value, json};

use crate::site::{HOSTNAME, PageReply, SignedIn, Site, bot, request};

/// A course with the group *Red* of Ada and Bob, and Eve without a group.
struct GroupSite {
    site: Site,
    tess: SignedIn,
    ada: SignedIn,
    bob: SignedIn,
    eve: SignedIn,
}

const SUITE: &str = "/c/ai/s/mahjong";
const GROUPS: &str = "/c/ai/manage/groups";

impl GroupSite {
    async fn new() -> GroupSite {
        let site = Site::new().await;
        site.set(SuiteSettings { by_groups: true, ..SuiteSettings::default() }).await;
        let tess = site.join("Tess", Role::Instructor).await;
        let ada = site.join("Ada", Role::Student).await;
        let bob = site.join("Bob", Role::Student).await;
        let eve = site.join("Eve", Role::Student).await;
        let scene = GroupSite { site, tess, ada, bob, eve };
        scene.put(&scene.ada, Some("Red")).await;
        scene.put(&scene.bob, Some("Red")).await;
        scene
    }

    async fn put(&self, who: &SignedIn, group: Option<&str>) {
        // Later than the submissions before.
        tokio::time::sleep(std::time::Duration::from_millis(2)).await;
        let group = group.map(str::to_owned);
        let moves = [GroupMove { person: who.person.id.clone(), group }];
        let (store, course) = (self.site.app.store(), &self.site.course.id);
        store.set_groups(course, &moves, Timestamp::now()).await.unwrap();
        self.site.app.scoreboards().forget();
    }

    async fn status(&self, who: &SignedIn, address: &str) -> StatusCode {
        self.site.get(Some(who), address).await.status
    }

    async fn text(&self, who: &SignedIn, address: &str) -> String {
        let answer = self.site.get(Some(who), address).await;
        assert_eq!(answer.status, StatusCode::OK, "{address}: {}", answer.text());
        answer.text()
    }

    /// Sends JSON to an address of the API.
    async fn send(&self, who: &SignedIn, address: &str, body: &Value) -> (StatusCode, Value) {
        let request = Request::post(format!("/api/v1/courses/ai{address}"))
            .header(HOST, HOSTNAME)
            .header(CONTENT_TYPE, "application/json")
            .header("authorization", format!("Bearer {}", who.token));
        let answer = self.site.send(request.body(Body::from(body.to_string())).unwrap()).await;
        (answer.status, serde_json::from_slice(&answer.body).unwrap())
    }

    /// Names of the groups with their members, by the API.
    async fn groups(&self) -> Vec<String> {
        let told = self.site.api(&self.tess, "/api/v1/courses/ai/groups").await;
        named(&serde_json::from_slice(&told.body).unwrap())
    }
}

fn named(told: &Value) -> Vec<String> {
    let names = |list: &Value| {
        let all = list.as_array().unwrap().iter();
        all.map(|one| one["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>().join(" ")
    };
    let groups = told["groups"].as_array().unwrap().iter();
    let group =
        |one: &Value| format!("{}: {}", one["name"].as_str().unwrap(), names(&one["members"]));
    groups.map(group).chain([format!("others: {}", names(&told["without_group"]))]).collect()
}

#[tokio::test]
async fn a_group_submits_once_and_every_member_sees_it_and_gets_the_mark() {
    let scene = GroupSite::new().await;
    let GroupSite { site, tess, ada, bob, eve } = &scene;
    for who in [ada, bob] {
        let page = scene.text(who, SUITE).await;
        assert!(page.contains("for your group Red: Ada, Bob"), "{page}");
    }
    assert!(scene.text(eve, SUITE).await.contains("you are in none"));
    assert!(scene.text(tess, SUITE).await.contains("submit to this suite in groups"));
    let id = site.result_of(ada, 7).await;
    let page = format!("/submissions/{id}");
    for who in [ada, bob, tess] {
        let text = scene.text(who, &page).await;
        assert!(text.contains("Submitted by Ada, for the group: Ada, Bob"), "{text}");
        let api = site.api(who, &format!("/api/v1/submissions/{id}")).await;
        assert_eq!(api.status, StatusCode::OK);
        let report = site.api(who, &format!("/api/v1/submissions/{id}/report")).await;
        assert_eq!(report.status, StatusCode::OK);
    }
    for address in [&page, &format!("{page}/events")] {
        assert_eq!(scene.status(eve, address).await, StatusCode::NOT_FOUND, "{address}");
    }
    assert!(scene.text(bob, SUITE).await.contains(&page), "in the list of his submissions");
    assert!(scene.text(bob, &format!("/c/ai/people/{}", bob.person.id)).await.contains(&page));
    assert!(!scene.text(eve, SUITE).await.contains(&page));
    let told = site.api(bob, "/api/v1/courses/ai/suites/mahjong/submissions").await.text();
    assert!(told.contains(&id) && told.contains("\"group\":\""), "{told}");

    // One line on the scoreboard, with the names that members show.
    let store = site.app.store();
    for (who, name) in [(ada, "Owl"), (bob, "Fox")] {
        store.set_pseudonym(&site.course.id, &who.person.id, name).await.unwrap();
    }
    site.app.scoreboards().forget();
    let board = format!("{SUITE}/scoreboard");
    let seen = scene.text(eve, &board).await;
    assert!(seen.contains("Fox, Owl") && !seen.contains("Ada") && !seen.contains("Red"), "{seen}");
    assert!(!seen.contains(&page), "{seen}");
    assert!(scene.text(tess, &board).await.contains("Ada, Bob"));
    let told = site.api(bob, "/api/v1/courses/ai/suites/mahjong/scoreboard").await;
    let told: Value = serde_json::from_slice(&told.body).unwrap();
    assert_eq!(
        (told["lines"].as_array().unwrap().len(), &told["lines"][0]["is_me"]),
        (1, &json!(true))
    );

    let marks = scene.text(tess, "/c/ai/manage/s/mahjong/marks.csv").await;
    for name in ["Ada", "Bob"] {
        let line = marks.lines().find(|line| line.starts_with(name)).unwrap();
        assert!(line.contains(&id) && line.contains(",7,"), "{line}");
    }
    let line = marks.lines().find(|line| line.starts_with("Eve")).unwrap();
    assert!(line.contains("No submission"), "{line}");
    let whole = scene.text(tess, "/c/ai/manage/s/mahjong/whole-marks.csv").await;
    assert_eq!(whole.matches(id.as_str()).count(), 2, "{whole}");
    let list = scene.text(tess, "/c/ai/manage/s/mahjong/submissions").await;
    assert!(list.contains("Ada · Red"), "{list}");
}

#[tokio::test]
async fn a_former_member_keeps_what_was_submitted_until_then() {
    let scene = GroupSite::new().await;
    let GroupSite { site, tess, ada, bob, .. } = &scene;
    let before = site.result_of(ada, 7).await;
    scene.put(bob, None).await;
    let after = site.result_of(ada, 9).await;
    let page = |id: &str| format!("/submissions/{id}");
    assert_eq!(scene.status(bob, &page(&before)).await, StatusCode::OK);
    assert_eq!(scene.status(bob, &page(&after)).await, StatusCode::NOT_FOUND);
    assert!(!scene.text(bob, SUITE).await.contains(&after));
    let marks = scene.text(tess, "/c/ai/manage/s/mahjong/marks.csv").await;
    let of = |name: &str| marks.lines().find(|line| line.starts_with(name)).unwrap().to_owned();
    assert!(of("Ada").contains(&after) && of("Bob").contains(&before), "{marks}");
    // A person who left the course sees nothing, and staff of another course do not either.
    let store = site.app.store();
    store.leave(&site.course.id, &bob.person.id, None, Timestamp::now()).await.unwrap();
    assert_eq!(scene.status(bob, &page(&before)).await, StatusCode::NOT_FOUND);
    let (slug, title, time_zone) = ("b".to_owned(), "B".to_owned(), "UTC".to_owned());
    let other = NewCourse { slug, title, time_zone };
    let other = store.create_course(&other, Timestamp::now()).await.unwrap();
    let max = site.join("Max", Role::Observer).await;
    store.leave(&site.course.id, &max.person.id, None, Timestamp::now()).await.unwrap();
    store.join(&other.id, &max.person.id, Role::Instructor, Timestamp::now()).await.unwrap();
    let max = site.signed_in(max.person).await;
    assert_eq!(scene.status(&max, &page(&before)).await, StatusCode::NOT_FOUND);
    let whole = scene.text(tess, "/c/ai/manage/s/mahjong/whole-marks.csv").await;
    let line = whole.lines().find(|line| line.starts_with("Bob")).unwrap();
    assert!(line.contains("removed") && line.contains(&before), "{line}");
}

#[tokio::test]
async fn a_signed_report_names_the_submitter_and_the_members() {
    let scene = GroupSite::new().await;
    let GroupSite { site, ada, bob, .. } = &scene;
    let id = site.result_of(ada, 7).await;
    scene.put(&scene.eve, Some("Red")).await;
    let key: Value = serde_json::from_slice(&site.get(None, "/api/v1/key").await.body).unwrap();
    let key: PublicKey = key["key"].as_str().unwrap().parse().unwrap();
    let report = site.api(bob, &format!("/api/v1/submissions/{id}/report")).await;
    let about = key.check(&report.body, report.header("judge-signature")).unwrap();
    assert_eq!(about.person.as_ref().unwrap().name, "Ada");
    let names: Vec<&str> = about.group.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["Ada", "Bob", "Eve"]);
    let lines = about.lines();
    let told = format!("member of the group: account `{}`, no number, name `Bob`", bob.person.id);
    assert!(lines.contains(&told), "{lines:?}");
}

#[tokio::test]
async fn members_of_a_group_share_attempts() {
    let scene = GroupSite::new().await;
    let GroupSite { site, ada, bob, .. } = &scene;
    let settings = SuiteSettings { attempts_per_day: Some(2), ..site.suite().await.settings };
    site.set(settings).await;
    let module = bot("mahjong-distance");
    let first = site.upload(ada, "bot.wasm", &module).await;
    assert_eq!(first.status, StatusCode::CREATED, "{}", first.text());
    let again = site.upload(bob, "bot.wasm", &module).await;
    let [first, again] =
        [first, again].map(|one| -> Value { serde_json::from_slice(&one.body).unwrap() });
    assert_eq!(first["id"], again["id"], "a client can retry as any member");
    assert!(scene.text(bob, SUITE).await.contains("Attempts left today: 1"));
}

#[tokio::test]
async fn a_bot_on_a_ladder_belongs_to_the_group() {
    let scene = GroupSite::new().await;
    let GroupSite { site, tess, ada, bob, eve } = &scene;
    let arena = site.post(Some(tess), "/c/ai/manage/arenas", "game=mahjong&slug=tiles").await;
    arena.leads_to();
    let id = site.upload(ada, "bot.wasm", &bot("mahjong-distance")).await;
    let id: Value = serde_json::from_slice(&id.body).unwrap();
    let id: judge_store::SubmissionId = id["id"].as_str().unwrap().parse().unwrap();
    let submission = site.app.store().submission(&id).await.unwrap().unwrap();
    let report = crate::made::report(&submission.module, 7, 1);
    site.app.store().write_result(&submission, 1, &report, Timestamp::now()).await.unwrap();
    let enter = format!("name=Hunter&submission={id}");
    let refused = site.post(Some(eve), "/c/ai/a/tiles/bots", &enter).await;
    assert_eq!(refused.status, StatusCode::CONFLICT, "{}", refused.text());
    let offered = scene.text(bob, "/c/ai/a/tiles").await;
    assert!(offered.contains(id.as_str()), "{offered}");
    let page = site.post(Some(bob), "/c/ai/a/tiles/bots", &enter).await.leads_to().to_owned();
    let withdraw = format!("{page}/withdraw");
    assert_eq!(site.post(Some(eve), &withdraw, "").await.status, StatusCode::FORBIDDEN);
    let seen = scene.text(tess, &page).await;
    assert!(seen.contains("Ada, Bob"), "{seen}");
    site.post(Some(ada), &withdraw, "").await.leads_to();
}

/// Sends a list to the preview.
async fn preview(site: &Site, who: &SignedIn, pasted: &str, file: &str) -> PageReply {
    let mut body =
        format!("--line\r\nContent-Disposition: form-data; name=\"names\"\r\n\r\n{pasted}\r\n");
    body += "--line\r\nContent-Disposition: form-data; name=\"list\"; filename=\"list\"\r\n\r\n";
    body += file;
    body += "\r\n--line--\r\n";
    let request = request(Method::POST, Some(who), &format!("{GROUPS}/preview"))
        .header(ORIGIN, format!("http://{HOSTNAME}"))
        .header(CONTENT_TYPE, "multipart/form-data; boundary=line");
    site.send(request.body(Body::from(body)).unwrap()).await
}

#[tokio::test]
async fn a_list_with_a_column_of_groups_is_shown_before_anyone_is_moved() {
    let scene = GroupSite::new().await;
    let GroupSite { site, tess, eve, .. } = &scene;
    let before = scene.groups().await;
    assert_eq!(before, ["Red: Ada Bob", "others: Eve"]);
    let list = "Name;Gruppe\nAda;Red\nBob;Blue\nEve;Blue\nZoe;Blue\n";
    let list = list.replace("Gruppe", "group");
    let page = preview(site, tess, &list, "").await;
    let text = page.text();
    assert_eq!(page.status, StatusCode::OK, "{text}");
    assert!(text.contains("change their group: 2"), "{text}");
    assert!(text.contains("no student of this course"), "{text}");
    assert_eq!(scene.groups().await, before, "only a preview");
    let moves = text.split("hidden>").nth(1).unwrap().split("</textarea>").next().unwrap();
    let moves = moves.replace("&#34;", "\"");
    let bytes: Vec<String> = moves.bytes().map(|byte| format!("%{byte:02x}")).collect();
    let form = format!("list={}", bytes.concat());
    let address = format!("{GROUPS}/list");
    assert_eq!(site.post(Some(tess), &address, &form).await.leads_to(), GROUPS);
    assert_eq!(scene.groups().await, ["Blue: Bob Eve", "Red: Ada", "others: "]);
    let page = scene.text(tess, "/c/ai/manage/people?find=blue").await;
    assert!(page.contains("2 of 4 people"), "{page}");

    // A Gradescope export names the members of each submission.
    let export = "submission_7:\n  :submitters:\n  - :name: Ada\n  - :name: Eve\nsubmission_8:\n  \
                  :submitters:\n  - :name: Bob\n";
    let text = preview(site, tess, "", export).await.text();
    assert!(text.contains("submission_7") && !text.contains("submission_8"), "{text}");
    assert!(text.contains("change their group: 2"), "{text}");

    for (list, why) in [
        ("student,id\nAda,1\n", "The list has no groups"),
        ("student,group\nAda,a\nAda,b\n", "Ada"),
        ("colour,size\nred,large\n", "not understood"),
    ] {
        let refused = preview(site, tess, list, "").await;
        assert!(refused.status.is_client_error(), "{list}");
        assert!(refused.text().contains(why), "{why}: {}", refused.text());
        assert!(refused.text().contains(list.lines().next().unwrap()), "the typed text");
    }
    assert!(preview(site, eve, &list, "").await.status.is_client_error());
}

#[tokio::test]
async fn groups_are_created_renamed_filled_and_dissolved_on_pages() {
    let scene = GroupSite::new().await;
    let GroupSite { site, tess, ada, eve, .. } = &scene;
    let tom = site.join("Tom", Role::Assistant).await;
    assert_eq!(site.post(Some(tess), GROUPS, "name=Blue").await.leads_to(), GROUPS);
    let taken = site.post(Some(tess), GROUPS, "name=BLUE").await;
    assert!(taken.status.is_client_error() && taken.text().contains("BLUE"), "{}", taken.text());
    let store = site.app.store();
    let all = store.groups(&site.course.id).await.unwrap();
    let [blue, red] = [&all[0].id, &all[1].id];
    let place = format!("/c/ai/manage/people/{}/group", eve.person.id);
    site.post(Some(tess), &place, &format!("group={blue}")).await.leads_to();
    assert_eq!(scene.groups().await, ["Blue: Eve", "Red: Ada Bob", "others: "]);
    let member = scene.text(tess, &format!("/c/ai/manage/people/{}", eve.person.id)).await;
    assert!(member.contains(&format!("<option value=\"{blue}\" selected>Blue")), "{member}");
    site.post(Some(tess), &format!("{GROUPS}/{blue}"), "name=Navy").await.leads_to();
    site.post(Some(tess), &format!("{GROUPS}/{red}/dissolve"), "").await.leads_to();
    assert_eq!(scene.groups().await, ["Navy: Eve", "others: Ada Bob"]);
    site.post(Some(tess), &place, "group=").await.leads_to();
    assert_eq!(scene.groups().await, ["Navy: ", "others: Ada Bob Eve"]);

    let gone = site.post(Some(tess), &format!("{GROUPS}/{red}"), "name=X").await;
    assert_eq!(gone.status, StatusCode::NOT_FOUND);
    assert_eq!(scene.status(&tom, GROUPS).await, StatusCode::OK, "assistants see groups");
    assert!(!scene.text(&tom, GROUPS).await.contains("method=\"post\" action=\"/c/ai/manage"));
    for (address, form) in [
        (GROUPS.to_owned(), "name=X".to_owned()),
        (format!("{GROUPS}/{blue}"), "name=X".to_owned()),
        (format!("{GROUPS}/{blue}/dissolve"), String::new()),
        (format!("{GROUPS}/list"), "list=%7B%7D".to_owned()),
        (place, format!("group={blue}")),
    ] {
        assert_eq!(site.post(Some(&tom), &address, &form).await.status, StatusCode::FORBIDDEN);
        assert_eq!(site.post(Some(ada), &address, &form).await.status, StatusCode::NOT_FOUND);
    }
    assert_eq!(scene.status(ada, GROUPS).await, StatusCode::NOT_FOUND);
    let settings = "opens=&due=&attempts=&scoreboard=live&counts=best&groups=no";
    site.post(Some(tess), "/c/ai/manage/s/mahjong/settings", settings).await.leads_to();
    assert!(!site.suite().await.settings.by_groups);
    let page = scene.text(tess, "/c/ai/manage/s/mahjong").await;
    assert!(page.contains("name=\"groups\""), "{page}");
}

#[tokio::test]
async fn the_api_does_what_the_pages_do() {
    let scene = GroupSite::new().await;
    let GroupSite { site, tess, ada, eve, .. } = &scene;
    let (status, told) = scene.send(tess, "/groups", &json!({"name": "Blue"})).await;
    assert_eq!((status, named(&told).len()), (StatusCode::OK, 3), "{told}");
    let blue = told["groups"][0]["id"].as_str().unwrap().to_owned();
    let moves = json!([{"person": eve.person.id.to_string(), "group": "Blue"},
        {"person": ada.person.id.to_string(), "group": null}]);
    let (_, told) = scene.send(tess, "/groups/moves", &moves).await;
    assert_eq!(named(&told), ["Blue: Eve", "Red: Bob", "others: Ada"]);
    let (_, told) = scene.send(tess, &format!("/groups/{blue}"), &json!({"name": "Navy"})).await;
    assert_eq!(named(&told)[0], "Navy: Eve");
    let own = site.api(eve, "/api/v1/courses/ai/group").await.text();
    assert!(own.contains("\"name\":\"Navy\""), "{own}");
    assert_eq!(site.api(ada, "/api/v1/courses/ai/group").await.text(), "null");
    let (_, told) = scene.send(tess, &format!("/groups/{blue}/dissolve"), &json!({})).await;
    assert_eq!(named(&told), ["Red: Bob", "others: Ada Eve"]);
    for (address, body, expected) in [
        ("/groups", json!({"name": "RED"}), StatusCode::BAD_REQUEST),
        ("/groups", json!({"names": "x"}), StatusCode::BAD_REQUEST),
        ("/groups/moves", json!([{"person": "nobody"}]), StatusCode::NOT_FOUND),
        ("/groups/aaaaaaaaaaaaaaaa", json!({"name": "x"}), StatusCode::NOT_FOUND),
    ] {
        let (status, told) = scene.send(tess, address, &body).await;
        assert_eq!(status, expected, "{address} {body}: {told}");
    }
    assert_eq!(scene.send(eve, "/groups", &json!({"name": "Mine"})).await.0, StatusCode::NOT_FOUND);
    assert_eq!(site.api(eve, "/api/v1/courses/ai/groups").await.status, StatusCode::NOT_FOUND);
    let suites = site.api(eve, "/api/v1/courses/ai/suites").await.text();
    assert!(suites.contains("\"by_groups\":true"), "{suites}");
}
