//! Attacks on accounts: by links, sessions and tokens from before a person gained rights, and by
//! names.

use axum::http::StatusCode;
use axum::http::header::{COOKIE, HOST};
use axum::{body::Body, http::Request};
use judge_store::{Course, NewCourse, NewPerson, PersonId, Role, Timestamp};

use crate::site::{HOSTNAME, PageReply, SignedIn, Site};

/// A second course on the server.
async fn second_course(site: &Site) -> Course {
    let (slug, title, time_zone) = ("b".to_owned(), "Course B".to_owned(), "UTC".to_owned());
    let new = NewCourse { slug, title, time_zone };
    site.app.store().create_course(&new, Timestamp::now()).await.unwrap()
}

/// A member of a course, signed in.
async fn member(site: &Site, course: &Course, name: &str, role: Role) -> SignedIn {
    let one = site.join(name, Role::Observer).await;
    let (store, now) = (site.app.store(), Timestamp::now());
    store.leave(&site.course.id, &one.person.id, None, now).await.unwrap();
    store.join(&course.id, &one.person.id, role, now).await.unwrap();
    site.signed_in(one.person).await
}

/// Creates an instructor's links for a list, and returns their secrets.
async fn links(site: &Site, maker: &SignedIn, course: &str, role: &str, list: &str) -> Vec<String> {
    let form = format!("role={role}&names={}", list.replace(' ', "+").replace('\n', "%0A"));
    secrets(&site.post(Some(maker), &format!("/c/{course}/manage/invitations"), &form).await)
}

fn secrets(page: &PageReply) -> Vec<String> {
    let text = page.text();
    // The text to copy has each link again.
    let links = text.split("<code>").skip(1).filter_map(|one| one.split('<').next());
    let found = links.filter_map(|link| link.rsplit('/').next());
    found.map(str::to_owned).collect()
}

/// Opens a link and accepts, without a session.
async fn open(site: &Site, secret: &str) -> PageReply {
    site.post(None, "/join", &format!("token={secret}&name=Mallory")).await
}

/// The session that an answer begins.
fn session(answer: &PageReply) -> Option<String> {
    let cookie = answer.header("set-cookie").strip_prefix("session=")?;
    cookie.split(';').next().map(str::to_owned)
}

/// The status of a page in a session.
async fn status(site: &Site, session: &str, page: &str) -> StatusCode {
    let request = Request::get(page).header(HOST, HOSTNAME);
    let request = request.header(COOKIE, format!("session={session}"));
    site.send(request.body(Body::empty()).unwrap()).await.status
}

async fn person(site: &Site, address: &str) -> PersonId {
    site.app.store().person_by_address(address).await.unwrap().unwrap().id
}

fn refused(answer: &PageReply, why: &str) {
    assert_eq!(answer.status, StatusCode::CONFLICT, "{}", answer.text());
    assert!(answer.text().contains(why), "{why}: {}", answer.text());
    assert_eq!(session(answer), None);
}

#[tokio::test]
async fn old_links_and_sessions_do_not_get_new_rights() {
    let site = Site::new().await;
    let b = second_course(&site).await;
    let mallory = site.join("Mallory", Role::Instructor).await;
    let ben = member(&site, &b, "Ben", Role::Instructor).await;
    // Mallory lists a student's address before the student has joined, and keeps a session and
    // links.
    let list = "Sue, sue@example.org";
    let first = links(&site, &mallory, "ai", "student", list).await.remove(0);
    let kept = links(&site, &mallory, "ai", "student", list).await.remove(0);
    let stolen = session(&open(&site, &first).await).unwrap();
    let sue = person(&site, "sue@example.org").await;
    let new_link = format!("/c/ai/manage/people/{sue}/link");
    let newer = secrets(&site.post(Some(&mallory), &new_link, "").await).remove(0);
    assert_eq!(status(&site, &stolen, "/c/ai").await, StatusCode::OK);

    // Ben's link for her does not sign in, because the account is in another course.
    let bens = links(&site, &ben, "b", "student", list).await.remove(0);
    refused(&open(&site, &bens).await, "ask the administrator of this server");
    let page = site.get(None, &format!("/join/{bens}")).await.text();
    assert!(page.contains("id=\"needs-session\""), "{page}");
    // She accepts in her own session; Mallory's ends.
    let own = site.signed_in(site.app.store().person(&sue).await.unwrap().unwrap()).await;
    let page = site.get(Some(&own), &format!("/join/{bens}")).await.text();
    assert!(!page.contains("id=\"needs-session\""), "{page}");
    let joined = site.post(Some(&own), "/join", &format!("token={bens}")).await;
    assert_eq!((joined.leads_to(), session(&joined)), ("/c/b", None));
    assert_eq!(status(&site, &stolen, "/c/b").await, StatusCode::UNAUTHORIZED);
    for secret in [&kept, &newer] {
        refused(&open(&site, secret).await, "so the link does not sign in");
    }
    let again = links(&site, &mallory, "ai", "student", list).await;
    assert_eq!(again, Vec::<String>::new(), "she is a member");
    let refusal = site.post(Some(&mallory), &new_link, "").await;
    refused(&refusal, "is in other courses too");

    // She becomes staff: all earlier access ends, even her own.
    let page = format!("/c/b/manage/people/{sue}");
    site.post(Some(&ben), &page, "role=assistant").await.leads_to();
    assert_eq!(status(&site, &own.session, "/c/b/manage").await, StatusCode::UNAUTHORIZED);
    assert_eq!(site.api(&own, "/api/v1/whoami").await.status, StatusCode::UNAUTHORIZED);
    refused(&open(&site, &kept).await, "was revoked");
    let own = site.signed_in(own.person).await;
    let me = site.get(Some(&own), "/me").await.text();
    for told in [
        "Mallory made a link that signed a browser in as you. Course: Artificial",
        "Ben made a link for you. Course: Course B.",
        "Ben added you to Course B. Role: Student.",
        "Ben changed your role in Course B. Role: Assistant.",
        "sessions, tokens and links ended",
    ] {
        assert!(me.contains(told), "{told}: {me}");
    }
}

#[tokio::test]
async fn signing_out_everywhere_ends_open_links() {
    let site = Site::new().await;
    let tess = site.join("Tess", Role::Instructor).await;
    let bob = site.join("Bob", Role::Student).await;
    let own = format!("/c/ai/manage/people/{}", bob.person.id);
    let lost = secrets(&site.post(Some(&tess), &format!("{own}/link"), "").await).remove(0);
    site.post(Some(&tess), &format!("{own}/sign-out"), "").await.leads_to();
    refused(&open(&site, &lost).await, "was revoked");
    let newer = secrets(&site.post(Some(&tess), &format!("{own}/link"), "").await);
    assert!(session(&open(&site, &newer[0]).await).is_some());
}

#[tokio::test]
async fn an_instructor_ends_only_sessions_begun_by_their_course() {
    let site = Site::new().await;
    let b = second_course(&site).await;
    let tess = site.join("Tess", Role::Instructor).await;
    let ben = member(&site, &b, "Ben", Role::Instructor).await;
    let bens = links(&site, &ben, "b", "student", "Sue, sue@example.org").await.remove(0);
    let by_link = session(&open(&site, &bens).await).unwrap();
    let sue = site.app.store().person(&person(&site, "sue@example.org").await).await;
    let own = site.signed_in(sue.unwrap().unwrap()).await;
    let by_link = SignedIn { session: by_link, ..own };
    let nameless = links(&site, &tess, "ai", "student", "").await.remove(0);
    site.post(Some(&by_link), "/join", &format!("token={nameless}")).await.leads_to();
    let own = site.signed_in(by_link.person.clone()).await;

    let page = format!("/c/ai/manage/people/{}", own.person.id);
    let shown = site.get(Some(&tess), &page).await.text();
    assert!(shown.contains("tokens now: 0."), "none of this course's: {shown}");
    site.post(Some(&tess), &format!("{page}/sign-out"), "").await.leads_to();
    for session in [&own.session, &by_link.session] {
        assert_eq!(status(&site, session, "/c/b").await, StatusCode::OK);
    }
    assert_eq!(site.api(&own, "/api/v1/whoami").await.status, StatusCode::OK);

    let page = format!("/c/b/manage/people/{}/sign-out", own.person.id);
    site.post(Some(&ben), &page, "").await.leads_to();
    assert_eq!(status(&site, &by_link.session, "/c/b").await, StatusCode::UNAUTHORIZED);
    assert_eq!(status(&site, &own.session, "/c/b").await, StatusCode::OK);
    let me = site.get(Some(&own), "/me").await.text();
    assert!(me.contains("Ben ended your sessions, tokens and links that came from"), "{me}");
}

#[tokio::test]
async fn a_link_from_before_a_demotion_restores_no_role() {
    let site = Site::new().await;
    let tess = site.join("Tess", Role::Instructor).await;
    let tom = site.join("Tom", Role::Instructor).await;
    let own = format!("/c/ai/manage/people/{}", tom.person.id);
    let for_tom = secrets(&site.post(Some(&tess), &format!("{own}/link"), "").await).remove(0);
    let by_tom = links(&site, &tom, "ai", "instructor", "").await.remove(0);
    let nameless = links(&site, &tess, "ai", "instructor", "").await.remove(0);
    site.post(Some(&tess), &own, "role=student").await.leads_to();
    for secret in [&for_tom, &by_tom, &nameless] {
        refused(&open(&site, secret).await, "was revoked");
        let signed_in = site.post(Some(&tom), "/join", &format!("token={secret}")).await;
        refused(&signed_in, "was revoked");
    }
    let people = site.get(Some(&tom), "/c/ai/manage/people").await;
    assert_eq!(people.status, StatusCode::NOT_FOUND);
    let nameless = links(&site, &tess, "ai", "student", "").await.remove(0);
    site.post(Some(&tess), &own, "role=none").await.leads_to();
    let back = site.post(Some(&tom), "/join", &format!("token={nameless}")).await;
    refused(&back, "was revoked");
    assert_eq!(site.get(Some(&tom), "/c/ai").await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn an_administrator_makes_links_that_sign_in() {
    let site = Site::new().await;
    let b = second_course(&site).await;
    let (store, now) = (site.app.store(), Timestamp::now());
    let root =
        NewPerson { name: "Root".to_owned(), is_administrator: true, ..NewPerson::default() };
    let root = store.add_person(&root, now).await.unwrap();
    store.join(&b.id, &root.id, Role::Instructor, now).await.unwrap();
    let root = site.signed_in(root).await;
    let sue = site.join("Sue", Role::Student).await;
    store.join(&b.id, &sue.person.id, Role::Student, now).await.unwrap();
    let link = format!("/c/b/manage/people/{}/link", sue.person.id);
    let secret = secrets(&site.post(Some(&root), &link, "").await).remove(0);
    let joined = open(&site, &secret).await;
    assert_eq!(joined.leads_to(), "/c/b");
    assert_eq!(status(&site, &session(&joined).unwrap(), "/c/ai").await, StatusCode::OK);
}

#[tokio::test]
async fn the_number_of_tokens_is_limited_with_a_hint() {
    let site = Site::new().await;
    let ada = site.join("Ada", Role::Student).await;
    for number in 1..judge_store::MOST_API_TOKENS {
        let made = site.post(Some(&ada), "/me/tokens", &format!("label=t{number}")).await;
        assert_eq!(made.status, StatusCode::OK, "{number}: {}", made.text());
    }
    let refused = site.post(Some(&ada), "/me/tokens", "label=more").await;
    assert_eq!(refused.status, StatusCode::CONFLICT);
    let text = refused.text();
    assert!(text.contains("You have 20 tokens") && text.contains("Revoke one"), "{text}");
    assert!(!text.contains("class=\"secret\""), "{text}");
}

/// Chooses a name on the scoreboard.
async fn choose(site: &Site, who: &SignedIn, name: &str, real: bool) -> PageReply {
    let bytes = name.bytes().map(|byte| format!("%{byte:02x}")).collect::<String>();
    let real = if real { "&real=yes" } else { "" };
    site.post(Some(who), "/me/scoreboard", &format!("course=ai&pseudonym={bytes}{real}")).await
}

#[tokio::test]
async fn a_pseudonym_cannot_look_like_another_member() {
    let site = Site::new().await;
    let eve = site.join("Eve", Role::Student).await;
    let ada = site.join("Ada Lovelace", Role::Student).await;
    site.join("Grace Hopper", Role::Instructor).await;
    choose(&site, &ada, "Countess", false).await.leads_to();
    for name in [
        "Ada Lovelace",
        "АԁА Lovelace",
        "ada-lovelace",
        "𝐀𝐝𝐚 Lovelace",
        "Ada Love\u{200b}lace",
        "Gracе Hopper",
        "C\u{200d}ountess",
        "COUNTESS",
        "Lovelace, Ada",
        "HOPPER Grace",
    ] {
        let answer = choose(&site, &eve, name, false).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{name}");
        assert!(answer.text().contains("looks like the name of another member"), "{name}");
    }
    for role in ["Instructor", "admin", "Stаff", "Lecturer 1", "讲师", "助教"] {
        let answer = choose(&site, &eve, role, false).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{role}");
        assert!(answer.text().contains("looks like a role"), "{role}");
    }
    let unseen = choose(&site, &eve, "\u{2060}\u{3164}", false).await;
    assert!(unseen.text().contains("it has no visible characters"), "{}", unseen.text());
    choose(&site, &eve, "Ada", false).await.leads_to();

    // The same holds for a name that a person types when joining by a link without a name.
    let tess = site.join("Tess", Role::Instructor).await;
    let nameless = links(&site, &tess, "ai", "student", "").await.remove(0);
    let form = format!("token={nameless}&name=Ada+Love1ace");
    let taken = site.post(None, "/join", &form).await;
    assert_eq!(taken.status, StatusCode::BAD_REQUEST);
    assert!(taken.text().contains("Another member of this course has this name"));
    assert!(session(&open(&site, &nameless).await).is_some(), "the link was not used up");
    // A homonym can only use the pseudonym.
    let twin = site.join("Ada  Lovelace", Role::Student).await;
    let shown = choose(&site, &twin, "twin", true).await;
    assert!(shown.text().contains("Another member of this course has this name"));
    choose(&site, &twin, "twin", false).await.leads_to();
}
