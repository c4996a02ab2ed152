//! Launches, lists of members and marks with a real platform of LTI 1.3, `lti1p3platform` in Python,
//! which is started here. Skipped with a message if it is missing.

use std::collections::BTreeSet;

use axum::body::Body;
use axum::http::header::{CONTENT_TYPE, COOKIE, HOST, ORIGIN, SET_COOKIE};
use axum::http::{Request, StatusCode};
use judge_server::config::{LtiPlatform, Settings};
use judge_store::{NewPerson, Role, SuiteSettings, Timestamp};
use serde_json::{Value, json};

use crate::site::{HOSTNAME, PageReply, SignedIn, Site};
use crate::support::campus::CampusSystem;

/// The platform.
struct Platform {
    process: CampusSystem,
    base: String,
}

/// Asks the platform on a blocking thread.
async fn ask(url: String, body: Option<Value>) -> String {
    let asked = move || {
        let answer = match body {
            Some(body) => {
                ureq::post(&url).header("content-type", "application/json").send(body.to_string())
            }
            None => ureq::get(&url).config().max_redirects(0).build().call(),
        };
        let mut answer = answer.unwrap();
        match answer.headers().get("location") {
            Some(location) => location.to_str().unwrap().to_owned(),
            None => answer.body_mut().read_to_string().unwrap(),
        }
    };
    tokio::task::spawn_blocking(asked).await.unwrap()
}

/// A launch in a browser that has come back from the platform.
struct Opened {
    /// The cookie with the ticket.
    cookie: String,
    id_token: String,
    state: String,
}

/// A browser after a launch.
struct Landed {
    reply: PageReply,
    /// The session, if there is one.
    session: Option<String>,
    /// The cookie of a launch that needs a choice.
    launched: Option<String>,
}

impl Landed {
    /// The page that it leads to.
    fn to(&self) -> String {
        let text = self.reply.text();
        assert_eq!(self.reply.status, StatusCode::OK, "{text}");
        let (_, rest) = text.split_once("content=\"0; url=").expect(&text);
        rest.split('"').next().unwrap().to_owned()
    }
}

fn cookie(reply: &PageReply, name: &str) -> Option<String> {
    let set = reply.headers.get_all(SET_COOKIE).iter().map(|value| value.to_str().unwrap());
    let start = format!("{name}=");
    let value = set.into_iter().find_map(|text| text.strip_prefix(&start))?;
    value.split(';').next().filter(|value| !value.is_empty()).map(str::to_owned)
}

fn field(page: &str, name: &str) -> String {
    let start = format!("name=\"{name}\" value=\"");
    let (_, rest) = page.split_once(&start).expect(page);
    rest.split('"').next().unwrap().to_owned()
}

fn person(name: &str, roles: &[&str]) -> Value {
    let address = format!("{}@example.org", name.to_lowercase());
    json!({ "name": name, "email": address, "roles": roles })
}

fn people() -> Value {
    json!({
        "t1": person("Tess", &["#Instructor"]),
        "s1": { "name": "Ada", "email": "ada@example.org", "roles": ["#Learner"], "number": "17" },
        "s2": person("Bob", &["#Learner"]),
        "h1": person("Hal", &["#Instructor", "/Instructor#TeachingAssistant"]),
    })
}

impl Platform {
    async fn start() -> Option<Platform> {
        let process = CampusSystem::start(&format!("http://{HOSTNAME}"))?;
        let platform = Platform { base: process.base.clone(), process };
        platform.control(json!({ "people": people() })).await;
        Some(platform)
    }

    /// A server that knows the platform, with a key that the platform knows.
    async fn site(&self, verified_addresses: bool) -> Site {
        let site = Site::with(Settings {
            public_url: Some(format!("http://{HOSTNAME}")),
            lti: vec![LtiPlatform { verified_addresses, ..self.process.settings() }],
            ..Settings::default()
        })
        .await;
        let pem = ask(format!("{}/new-key", self.base), None).await;
        site.app.store().keep_lti_key(&pem).await.unwrap();
        let keys = site.get(None, "/lti/keys").await;
        assert_eq!(keys.status, StatusCode::OK);
        assert!(!keys.text().contains("\"d\""), "the private part: {}", keys.text());
        let keys: Value = serde_json::from_slice(&keys.body).unwrap();
        self.control(json!({ "tool_keys": keys })).await;
        site
    }

    async fn control(&self, what: Value) {
        ask(format!("{}/control", self.base), Some(what)).await;
    }

    /// The marks that it received: subject, points and points on offer.
    async fn scores(&self) -> Vec<(String, f64, f64)> {
        let text = ask(format!("{}/scores", self.base), None).await;
        let scores: Vec<Value> = serde_json::from_str(&text).unwrap();
        let number = |value: &Value| value.as_f64().unwrap();
        let one = |score: &Value| {
            assert_eq!(score["line_item"], "3");
            let subject = score["userId"].as_str().unwrap().to_owned();
            (subject, number(&score["scoreGiven"]), number(&score["scoreMaximum"]))
        };
        scores.iter().map(one).collect()
    }

    /// Opens a link to a page of the server as a person there, up to the platform's answer.
    async fn open(&self, site: &Site, who: &str, target: &str) -> Opened {
        let login = ask(format!("{}/open?user={who}&target={target}", self.base), None).await;
        let path = login.strip_prefix(&format!("http://{HOSTNAME}")).expect(&login).to_owned();
        let begun = site.get(None, &path).await;
        let set = begun.header("set-cookie").to_owned();
        assert!(set.contains("HttpOnly") && !set.contains("SameSite=Strict"), "{set}");
        let cookie = cookie(&begun, "launch").unwrap();
        let page = ask(begun.leads_to().to_owned(), None).await;
        Opened { cookie, id_token: field(&page, "id_token"), state: field(&page, "state") }
    }

    /// Opens a link as a person there.
    async fn launch(&self, site: &Site, who: &str, target: &str) -> Landed {
        land(site, &self.open(site, who, target).await).await
    }

    /// Connects the platform's course with the site's, as Tess.
    async fn connect(&self, site: &Site, tess: &SignedIn) {
        let landed = self.launch(site, "t1", "/c/ai").await;
        assert_eq!(landed.to(), "/lti/connect");
        let page = choose(site, Some(tess), &landed, None).await;
        assert!(page.text().contains("Programs that play"), "{}", page.text());
        let done = choose(site, Some(tess), &landed, Some("what=course&course=ai")).await;
        assert_eq!(done.leads_to(), "/c/ai/manage/people#lti");
    }
}

/// Posts the platform's answer, as its page does.
async fn land(site: &Site, opened: &Opened) -> Landed {
    let Opened { cookie: ticket, id_token, state } = opened;
    let request = Request::post("/lti/launch")
        .header(HOST, HOSTNAME)
        .header(ORIGIN, "https://campus.example")
        .header(COOKIE, format!("launch={ticket}"))
        .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
        .body(Body::from(format!("id_token={id_token}&state={state}")));
    let reply = site.send(request.unwrap()).await;
    let (session, launched) = (cookie(&reply, "session"), cookie(&reply, "launched"));
    Landed { reply, session, launched }
}

/// Opens the page of a launch that needs a choice, or sends the choice.
async fn choose(
    site: &Site,
    who: Option<&SignedIn>,
    landed: &Landed,
    form: Option<&str>,
) -> PageReply {
    let launched = landed.launched.as_ref().expect("a choice");
    let session = who.map(|who| format!("session={}; ", who.session)).unwrap_or_default();
    let request = Request::builder()
        .method(if form.is_some() { "POST" } else { "GET" })
        .uri("/lti/connect")
        .header(HOST, HOSTNAME)
        .header(ORIGIN, format!("http://{HOSTNAME}"))
        .header(COOKIE, format!("{session}launched={launched}"))
        .header(CONTENT_TYPE, "application/x-www-form-urlencoded");
    site.send(request.body(Body::from(form.unwrap_or_default().to_owned())).unwrap()).await
}

/// The person of a session, with their name.
async fn seen(site: &Site, session: &str, page: &str) -> PageReply {
    let request = Request::get(page).header(HOST, HOSTNAME);
    let request = request.header(COOKIE, format!("session={session}"));
    site.send(request.body(Body::empty()).unwrap()).await
}

async fn members(site: &Site) -> Vec<(String, Role, Option<String>)> {
    let members = site.app.store().members(&site.course.id).await.unwrap();
    members.into_iter().map(|one| (one.name, one.role, one.number)).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn members_of_a_connected_course_come_with_one_click() {
    let Some(platform) = Platform::start().await else { return };
    let site = platform.site(true).await;
    let tess = site.join("Tess", Role::Instructor).await;
    let early = platform.launch(&site, "s1", "/c/ai/s/mahjong").await;
    assert_eq!(early.reply.status, StatusCode::CONFLICT);
    assert!(early.reply.text().contains("not connected with a course here yet"));
    platform.connect(&site, &tess).await;
    let landed = platform.launch(&site, "s1", "/c/ai/s/mahjong").await;
    assert_eq!(landed.to(), "/c/ai/s/mahjong");
    let session = landed.session.expect("a session");
    let page = seen(&site, &session, "/c/ai/s/mahjong").await;
    assert_eq!(page.status, StatusCode::OK);
    assert!(page.text().contains("Ada"), "{}", page.text());
    // A teaching assistant becomes an assistant. The teacher's launch opens Tess's account.
    let hal = platform.launch(&site, "h1", "/c/ai/manage").await;
    assert_eq!(hal.to(), "/c/ai/manage");
    let again = platform.launch(&site, "t1", "/c/other/s/x").await;
    assert_eq!(again.to(), "/c/ai", "a link to another course leads to the connected one");
    let me = seen(&site, &again.session.unwrap(), "/me").await.text();
    assert!(me.contains("Linked with Campus since"), "{me}");
    let mine = site.app.store().person_by_address("tess@example.org").await.unwrap();
    assert_eq!(mine, None, "the teacher's address is not taken over");
    let [ada, hal] = [("Ada", Role::Student, Some("17")), ("Hal", Role::Assistant, None)]
        .map(|(name, role, number)| (name.to_owned(), role, number.map(str::to_owned)));
    let tess = ("Tess".to_owned(), Role::Instructor, None);
    assert_eq!(members(&site).await, [tess, ada, hal]);
    // The same account again.
    let landed = platform.launch(&site, "s1", "/c/ai").await;
    assert_eq!(landed.to(), "/c/ai");
    assert_eq!(members(&site).await.len(), 3);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_forged_old_or_replayed_launch_is_refused() {
    let Some(platform) = Platform::start().await else { return };
    let site = platform.site(true).await;
    let tess = site.join("Tess", Role::Instructor).await;
    platform.connect(&site, &tess).await;
    for mode in [
        "other-key",
        "shared-secret",
        "unsigned",
        "audience",
        "two-audiences",
        "party",
        "issuer",
        "nonce",
        "deployment",
        "version",
        "deep-link",
        "old",
        "expired",
        "subject",
        "long",
    ] {
        platform.control(json!({ "mode": mode })).await;
        let landed = platform.launch(&site, "s1", "/c/ai").await;
        assert_eq!(landed.reply.status, StatusCode::CONFLICT, "{mode}");
        assert!(landed.session.is_none() && landed.launched.is_none(), "{mode}");
        let is_late = matches!(mode, "old" | "expired");
        let expected = if is_late { "took too long" } else { "failed a security check" };
        assert!(landed.reply.text().contains(expected), "{mode}: {}", landed.reply.text());
    }
    platform.control(json!({ "mode": "" })).await;
    let first = platform.open(&site, "s1", "/c/ai").await;
    let second = platform.open(&site, "s2", "/c/ai").await;
    // Another browser's ticket, and none.
    let crossed =
        Opened { cookie: second.cookie.clone(), ..platform.open(&site, "s1", "/c/ai").await };
    let none = Opened { cookie: String::new(), ..platform.open(&site, "s1", "/c/ai").await };
    for (opened, status) in [(&crossed, StatusCode::CONFLICT), (&none, StatusCode::BAD_REQUEST)] {
        let landed = land(&site, opened).await;
        assert_eq!((landed.reply.status, landed.session), (status, None));
    }
    // The token of another launch.
    let mixed =
        Opened { id_token: second.id_token.clone(), ..platform.open(&site, "s1", "/c/ai").await };
    assert_eq!(land(&site, &mixed).await.session, None);
    assert_eq!(members(&site).await.len(), 1, "no newcomer");
    assert!(land(&site, &first).await.session.is_some());
    let replayed = land(&site, &first).await;
    assert_eq!((replayed.reply.status, replayed.session), (StatusCode::CONFLICT, None));
    // A platform that the settings do not have.
    let stranger = "/lti/login?iss=https%3A%2F%2Fevil.example&login_hint=1&client_id=judge";
    let stranger = site.get(None, stranger).await;
    assert_eq!(stranger.status, StatusCode::BAD_REQUEST);
    let without = Site::new().await;
    for path in ["/lti/login?iss=x", "/lti/keys"] {
        assert_eq!(without.get(None, path).await.status, StatusCode::NOT_FOUND, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_launch_brings_back_neither_roles_nor_removed_members() {
    let Some(platform) = Platform::start().await else { return };
    let site = platform.site(true).await;
    let tess = site.join("Tess", Role::Instructor).await;
    platform.connect(&site, &tess).await;
    let store = site.app.store();
    for who in ["s1", "h1"] {
        assert!(platform.launch(&site, who, "/c/ai").await.session.is_some());
    }
    let find = async |name: &str| {
        let members = store.members(&site.course.id).await.unwrap();
        members.into_iter().find(|one| one.name == name).unwrap().person
    };
    let (ada, hal) = (find("Ada").await, find("Hal").await);
    let now = Timestamp::now();
    store.change_role(&site.course.id, &hal, Role::Observer, None, now).await.unwrap();
    store.leave(&site.course.id, &ada, None, now).await.unwrap();
    let landed = platform.launch(&site, "s1", "/c/ai").await;
    assert_eq!((landed.reply.status, landed.session), (StatusCode::CONFLICT, None));
    assert!(landed.reply.text().contains("an instructor removed you"));
    assert!(platform.launch(&site, "h1", "/c/ai").await.session.is_some());
    let roles: Vec<Role> = members(&site).await.into_iter().map(|one| one.1).collect();
    assert_eq!(roles, [Role::Instructor, Role::Observer]);
    // The platform makes a student its teacher.
    assert!(platform.launch(&site, "s2", "/c/ai").await.session.is_some());
    platform.control(json!({ "people": { "s2": person("Bob", &["#Instructor"]) } })).await;
    assert!(platform.launch(&site, "s2", "/c/ai").await.session.is_some());
    assert_eq!(members(&site).await[2].1, Role::Student);
    // The instructor who connected the courses loses the role, and with it the connection.
    let again = site.join("Tom", Role::Instructor).await;
    store.change_role(&site.course.id, &tess.person.id, Role::Assistant, None, now).await.unwrap();
    platform.control(json!({ "people": { "t9": person("Tess", &["#Instructor"]) } })).await;
    let landed = platform.launch(&site, "t9", "/c/ai").await;
    assert_eq!((landed.to().as_str(), landed.session), ("/lti/connect", None));
    let landed = platform.launch(&site, "t9", "/c/ai").await;
    let done = choose(&site, Some(&again), &landed, Some("what=course&course=ai")).await;
    assert_eq!(done.leads_to(), "/c/ai/manage/people#lti");
    platform.control(json!({ "people": { "s2": person("Bob", &["#Learner"]) } })).await;
    // An archived course lets its members read, and takes no newcomers.
    store.archive_course(&site.course.id, None, now).await.unwrap();
    assert!(platform.launch(&site, "s2", "/c/ai").await.session.is_some());
    platform.control(json!({ "people": { "s9": person("Zoe", &["#Learner"]) } })).await;
    let late = platform.launch(&site, "s9", "/c/ai").await;
    assert_eq!((late.reply.status, late.session), (StatusCode::CONFLICT, None));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unverified_address_opens_no_account() {
    let Some(platform) = Platform::start().await else { return };
    let site = platform.site(false).await;
    let (store, now) = (site.app.store(), Timestamp::now());
    let tess = site.join("Tess", Role::Instructor).await;
    platform.connect(&site, &tess).await;
    let address = Some("ada@example.org".to_owned());
    let new = NewPerson { name: "Ada L".to_owned(), address, ..NewPerson::default() };
    let ada = store.add_person(&new, now).await.unwrap();
    // Another person there has typed her address.
    let landed = platform.launch(&site, "s1", "/c/ai").await;
    assert_eq!((landed.to().as_str(), &landed.session), ("/lti/connect", &None));
    let page = choose(&site, None, &landed, None).await.text();
    assert!(page.contains("Campus calls you") && !page.contains("Ada L"), "{page}");
    let own = choose(&site, None, &landed, Some("what=own")).await;
    assert_eq!(own.status, StatusCode::UNAUTHORIZED);
    let done = choose(&site, None, &landed, Some("what=new")).await;
    assert_eq!(done.leads_to(), "/c/ai");
    let session = cookie(&done, "session").expect("a session");
    assert!(!seen(&site, &session, "/me").await.text().contains("Ada L"));
    let again = choose(&site, None, &landed, Some("what=new")).await;
    assert_eq!((again.status, cookie(&again, "session")), (StatusCode::BAD_REQUEST, None));
    let found = store.person_by_address("ada@example.org").await.unwrap().unwrap();
    assert_eq!(found.id, ada.id, "the new account has no address");
    // The owner of an account links it in her own browser.
    let new = NewPerson { name: "Bob B".to_owned(), ..NewPerson::default() };
    let bob = site.signed_in(store.add_person(&new, now).await.unwrap()).await;
    let landed = platform.launch(&site, "s2", "/c/ai/s/mahjong").await;
    let page = choose(&site, Some(&bob), &landed, None).await.text();
    assert!(page.contains("That is me: Bob B"), "{page}");
    let done = choose(&site, Some(&bob), &landed, Some("what=own")).await;
    assert_eq!(done.leads_to(), "/c/ai/s/mahjong");
    let landed = platform.launch(&site, "s2", "/c/ai").await;
    let me = seen(&site, &landed.session.unwrap(), "/me").await.text();
    assert!(me.contains("Bob B"), "{me}");
    // Only an instructor here connects a course, and only a teacher there.
    platform.control(json!({ "people": people() })).await;
    let opened = platform.open(&site, "t1", "/c/ai").await;
    let other = ask(format!("{}/open?user=s2&target=/c/ai&context=8", platform.base), None).await;
    assert!(other.contains("/lti/login"), "{other}");
    assert!(land(&site, &opened).await.session.is_some(), "Tess is linked");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_an_instructor_here_connects_a_course() {
    let Some(platform) = Platform::start().await else { return };
    let site = platform.site(true).await;
    let tess = site.join("Tess", Role::Instructor).await;
    let sam = site.join("Sam", Role::Assistant).await;
    let landed = platform.launch(&site, "t1", "/c/ai").await;
    let nobody = choose(&site, None, &landed, Some("what=course&course=ai")).await;
    assert_eq!(nobody.status, StatusCode::UNAUTHORIZED);
    let told = choose(&site, None, &landed, None).await.text();
    assert!(told.contains("Sign in here first"), "{told}");
    let told = choose(&site, Some(&sam), &landed, None).await.text();
    assert!(told.contains("not an instructor of a course here"), "{told}");
    let refused = choose(&site, Some(&sam), &landed, Some("what=course&course=ai")).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
    platform.connect(&site, &tess).await;
    let log = site.get(Some(&tess), "/c/ai/manage/log").await.text();
    assert!(log.contains("connected a course of a campus system"), "{log}");
    // A student has no choice to make.
    let landed = platform.launch(&site, "s1", "/c/ai").await;
    assert!(landed.launched.is_none());
    let form = format!(
        "platform=lti+{}+judge&deployment=1&context=7",
        platform.base.replace(':', "%3A").replace('/', "%2F")
    );
    for who in [&sam, &tess] {
        let ended = site.post(Some(who), "/c/ai/manage/lti/disconnect", &form).await;
        let expected = if who.person.id == tess.person.id { 303 } else { 403 };
        assert_eq!(ended.status.as_u16(), expected, "{}", ended.text());
    }
    let after = platform.launch(&site, "s2", "/c/ai").await;
    assert_eq!((after.reply.status, after.session), (StatusCode::CONFLICT, None));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_list_of_members_is_read_and_added() {
    let Some(platform) = Platform::start().await else { return };
    let site = platform.site(true).await;
    let tess = site.join("Tess", Role::Instructor).await;
    platform.connect(&site, &tess).await;
    let (store, now) = (site.app.store(), Timestamp::now());
    let address = Some("bob@example.org".to_owned());
    let new = NewPerson { name: "Bob".to_owned(), address, ..NewPerson::default() };
    let bob = store.add_person(&new, now).await.unwrap();
    let mut all = people();
    all["s3"] = json!({ "name": "Old", "roles": ["#Learner"], "status": "Inactive" });
    all["s4"] = json!({ "roles": ["#Learner"] });
    platform.control(json!({ "people": all })).await;
    let people = site.get(Some(&tess), "/c/ai/manage/people").await.text();
    assert!(people.contains("Programs that play"), "{people}");
    let query = format!(
        "platform=lti%20{}%20judge&deployment=1&context=7",
        platform.base.replace(':', "%3A").replace('/', "%2F")
    );
    let list = format!("/c/ai/manage/lti/members?{query}");
    let shown = site.get(Some(&tess), &list).await;
    let text = shown.text();
    assert_eq!(shown.status, StatusCode::OK, "{text}");
    for part in ["New here: 2 of 5.", "joins with the first launch", "without a name"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains("Old"), "{text}");
    let ada = site.join("Eve", Role::Student).await;
    assert_eq!(site.get(Some(&ada), &list).await.status, StatusCode::NOT_FOUND);
    // Only what the page showed is added.
    let add = "/c/ai/manage/lti/members";
    let form = format!("{query}&seen={}", field(&text, "seen"));
    let mut more = all.clone();
    more["t2"] = person("Mallory", &["#Instructor"]);
    platform.control(json!({ "people": more })).await;
    let changed = site.post(Some(&tess), add, &form).await;
    assert_eq!(changed.status, StatusCode::CONFLICT);
    assert!(changed.text().contains("has changed in the meantime"));
    platform.control(json!({ "people": all })).await;
    let added = site.post(Some(&tess), add, &form).await;
    assert_eq!(added.leads_to(), "/c/ai/manage/people");
    // Two who join in the same millisecond have no order.
    let names: BTreeSet<String> = members(&site).await.into_iter().map(|one| one.0).collect();
    assert_eq!(names, ["Ada", "Eve", "Hal", "Tess"].map(str::to_owned).into());
    // The account is theirs at the first launch, and Bob's own account joins.
    let landed = platform.launch(&site, "s1", "/c/ai").await;
    assert!(seen(&site, &landed.session.unwrap(), "/c/ai").await.text().contains("Ada"));
    assert!(platform.launch(&site, "s2", "/c/ai").await.session.is_some());
    assert!(store.member(&site.course.id, &bob.id).await.unwrap().is_some());
    assert_eq!(members(&site).await.len(), 5);
    // A removed person is not promised to join again.
    let hal = store.members(&site.course.id).await.unwrap();
    let hal = hal.into_iter().find(|one| one.name == "Hal").unwrap().person;
    store.leave(&site.course.id, &hal, None, now).await.unwrap();
    let text = site.get(Some(&tess), &list).await.text();
    assert!(text.contains("was in the course before; invite them"), "{text}");
}

/// Ends the link of a session's account.
async fn unlink(site: &Site, platform: &Platform, session: &str) {
    let id = format!("lti {} judge", platform.base).replace(' ', "+");
    let request = Request::post("/me/lti/unlink")
        .header(HOST, HOSTNAME)
        .header(ORIGIN, format!("http://{HOSTNAME}"))
        .header(COOKIE, format!("session={session}"))
        .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
        .body(Body::from(format!("platform={id}")));
    assert_eq!(site.send(request.unwrap()).await.leads_to(), "/me");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ending_the_link_brings_nothing_back() {
    let Some(platform) = Platform::start().await else { return };
    let site = platform.site(false).await;
    let tess = site.join("Tess", Role::Instructor).await;
    platform.connect(&site, &tess).await;
    let (store, now) = (site.app.store(), Timestamp::now());
    let mut all = people();
    for who in ["a1", "a2", "a3"] {
        all[who] = person(&format!("Eve {who}"), &["#Instructor"]);
    }
    platform.control(json!({ "people": all })).await;
    for (who, is_removed, unlinks_first) in
        [("a1", false, false), ("a2", true, false), ("a3", true, true)]
    {
        let landed = platform.launch(&site, who, "/c/ai").await;
        let done = choose(&site, None, &landed, Some("what=new")).await;
        let session = cookie(&done, "session").expect("an account");
        let name = format!("Eve {who}");
        let found = store.members(&site.course.id).await.unwrap();
        let found = found.into_iter().find(|one| one.name == name).unwrap();
        assert_eq!(found.role, Role::Instructor);
        if unlinks_first {
            unlink(&site, &platform, &session).await;
        }
        if is_removed {
            store.leave(&site.course.id, &found.person, None, now).await.unwrap();
        } else {
            let role = Role::Student;
            store.change_role(&site.course.id, &found.person, role, None, now).await.unwrap();
        }
        if !unlinks_first {
            unlink(&site, &platform, &session).await;
        }
        // Only the old account can be linked again, and it has not got the role back.
        let back = platform.launch(&site, who, "/c/ai").await;
        assert_eq!((back.to().as_str(), &back.session), ("/lti/connect", &None), "{who}");
        let page = choose(&site, None, &back, None).await.text();
        assert!(page.contains("You were in the course"), "{page}");
        assert!(!page.contains("what\" value=\"new\""), "{page}");
        let new = choose(&site, None, &back, Some("what=new")).await;
        assert_eq!((new.status, cookie(&new, "session")), (StatusCode::CONFLICT, None), "{who}");
        let back = platform.launch(&site, who, "/c/ai").await;
        let account = store.person(&found.person).await.unwrap().unwrap();
        let own = site.signed_in(account).await;
        let own = choose(&site, Some(&own), &back, Some("what=own")).await;
        let expected = if is_removed { StatusCode::CONFLICT } else { StatusCode::SEE_OTHER };
        assert_eq!(own.status, expected, "{who}: {}", own.text());
    }
    let staff = members(&site).await.into_iter().filter(|one| one.1 == Role::Instructor);
    assert_eq!(staff.count(), 1, "only Tess");
    let accounts = store.people_like("Eve", 10).await.unwrap();
    assert_eq!(accounts.len(), 3, "no account was made for a refused launch");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_address_that_only_looks_like_another_opens_no_account() {
    let Some(platform) = Platform::start().await else { return };
    let site = platform.site(true).await;
    let tess = site.join("Tess", Role::Instructor).await;
    platform.connect(&site, &tess).await;
    let (store, now) = (site.app.store(), Timestamp::now());
    let address = Some("kay@example.org".to_owned());
    let new = NewPerson { name: "Kay".to_owned(), address, ..NewPerson::default() };
    let kay = store.add_person(&new, now).await.unwrap();
    let mut all = people();
    all["k1"] = json!({ "name": "Eve", "email": "\u{212a}ay@example.org", "roles": ["#Learner"] });
    all["k2"] = json!({ "name": "Kay", "email": "KAY@example.org", "roles": ["#Learner"] });
    platform.control(json!({ "people": all })).await;
    let landed = platform.launch(&site, "k1", "/c/ai").await;
    assert_eq!((landed.to().as_str(), &landed.session), ("/lti/connect", &None));
    let done = choose(&site, None, &landed, Some("what=new")).await;
    assert_eq!(done.leads_to(), "/c/ai");
    assert!(platform.launch(&site, "k2", "/c/ai").await.session.is_some());
    let own = store.member(&site.course.id, &kay.id).await.unwrap();
    assert!(own.is_some(), "her own address in capitals opens hers");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn marks_reach_the_gradebook_once() {
    let Some(platform) = Platform::start().await else { return };
    let site = platform.site(true).await;
    let tess = site.join("Tess", Role::Instructor).await;
    platform.connect(&site, &tess).await;
    let (store, send) = (site.app.store(), "/c/ai/manage/s/mahjong/marks/send");
    let settings = "/c/ai/manage/s/mahjong";
    assert!(!site.get(Some(&tess), settings).await.text().contains("Gradebook"));
    let mut students = Vec::new();
    for who in ["s1", "s2"] {
        let landed = platform.launch(&site, who, "/c/ai/s/mahjong").await;
        assert!(landed.session.is_some());
    }
    for one in store.members(&site.course.id).await.unwrap() {
        let person = store.person(&one.person).await.unwrap().unwrap();
        students.push(site.signed_in(person).await);
    }
    let [_, ada, bob] = &*students else { panic!("three members") };
    let eve = site.join("Eve", Role::Student).await;
    assert!(site.get(Some(&tess), settings).await.text().contains("Send the marks"));
    assert_eq!(site.post(Some(ada), send, "").await.status, StatusCode::NOT_FOUND);
    site.result_of(ada, 20).await;
    site.result_of(&eve, 5).await;
    // Two clicks send a mark once.
    let (one, two) =
        tokio::join!(site.post(Some(&tess), send, ""), site.post(Some(&tess), send, ""));
    let texts = [one.text(), two.text()];
    let (sent, refused) = match texts[0].contains("Marks sent: 1.") {
        true => (&texts[0], &texts[1]),
        false => (&texts[1], &texts[0]),
    };
    // The second may also come after the first.
    let told = ["Marks sent: 0. Unchanged: 1.", "The marks of Short are already being sent"];
    assert!(told.iter().any(|told| refused.contains(told)), "{refused}");
    assert!(sent.contains("Marks sent: 1. Unchanged: 0."), "{sent}");
    assert!(sent.contains("Eve has no account that is linked with Campus"), "{sent}");
    assert_eq!(platform.scores().await, [("s1".to_owned(), 20.0, 20.0)]);
    // Only what changed is sent again, and a refused mark is named.
    platform.control(json!({ "mode": "s2" })).await;
    site.result_of(bob, 12).await;
    let sent = site.post(Some(&tess), send, "").await.text();
    assert!(sent.contains("Marks sent: 0. Unchanged: 1."), "{sent}");
    assert!(sent.contains("Bob: not sent, because the campus system refused"), "{sent}");
    platform.control(json!({ "mode": "" })).await;
    let sent = site.post(Some(&tess), send, "").await.text();
    assert!(sent.contains("Marks sent: 1. Unchanged: 1."), "{sent}");
    assert_eq!(platform.scores().await.len(), 2);
    let log = site.get(Some(&tess), "/c/ai/manage/log").await.text();
    assert!(log.contains("sent marks to a campus system"), "{log}");
    // While hidden testcases are kept from students, the gradebook does not have them either.
    let hidden_shown = judge_store::HiddenShown::AfterDue;
    site.set(SuiteSettings { hidden_shown, ..SuiteSettings::default() }).await;
    let sent = site.post(Some(&tess), send, "").await.text();
    assert!(sent.contains("Marks sent: 2. Unchanged: 0."), "{sent}");
    let sent = site.api_post(&tess, "/api/v1/courses/ai/suites/mahjong/marks/send").await;
    let sent: Value = serde_json::from_slice(&sent.body).unwrap();
    assert_eq!(sent[0]["unchanged"], 2, "{sent}");
    assert_eq!(sent[0]["problems"].as_array().unwrap().len(), 1, "{sent}");
    let scores = platform.scores().await;
    assert!(
        scores[2..].iter().all(|(_, points, most)| *points <= 10.0 && *most == 10.0),
        "{scores:?}"
    );
    // Another person there has no mark yet.
    let mut more = people();
    more["s7"] = json!({ "name": "Ada", "email": "other@example.org", "roles": ["#Learner"] });
    platform.control(json!({ "people": more })).await;
    let before = platform.scores().await.len();
    store
        .unlink_identity(&platform.process.settings().id(), &ada.person.id, Timestamp::now())
        .await
        .unwrap();
    let id = platform.process.settings().id();
    let new = judge_store::NewIdentity {
        issuer: &id,
        subject: "s7",
        person: &ada.person.id,
        is_proven: true,
        session: None,
    };
    store.link_identity(new, Timestamp::now()).await.unwrap();
    let sent = site.post(Some(&tess), send, "").await.text();
    assert!(sent.contains("Marks sent: 1. Unchanged: 1."), "{sent}");
    assert_eq!(platform.scores().await[before].0, "s7");
    // The sent marks go with the person.
    store.erase_person(&bob.person.id, Timestamp::now()).await.unwrap();
    let suite = site.suite().await.id;
    let columns = store.lti_columns(&suite).await.unwrap();
    assert_eq!(store.lti_marks(&suite, &columns[0]).await.unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn services_elsewhere_are_not_asked() {
    let Some(platform) = Platform::start().await else { return };
    let site = platform.site(true).await;
    let tess = site.join("Tess", Role::Instructor).await;
    platform.control(json!({ "mode": "foreign-services" })).await;
    platform.connect(&site, &tess).await;
    assert!(platform.launch(&site, "s1", "/c/ai/s/mahjong").await.session.is_some());
    let suite = site.suite().await.id;
    assert_eq!(site.app.store().lti_columns(&suite).await.unwrap(), []);
    let courses = site.app.store().lti_courses(&site.course.id).await.unwrap();
    assert_eq!(courses[0].members_url, None);
}
