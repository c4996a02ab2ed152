//! Pages and forms of instructors.

use axum::body::Body;
use axum::http::header::{CONTENT_TYPE, ORIGIN};
use axum::http::{Method, StatusCode};
use judge_store::{NewCourse, NewPerson, Role, SuiteSettings, Timestamp, TokenKind};

use crate::site::{HIDDEN_WORDS, HOSTNAME, PageReply, SignedIn, Site, bot, request, suite};

#[tokio::test]
async fn an_instructor_invites_by_list_and_the_links_work() {
    let site = Site::new().await;
    let teacher = site.join("Tess", Role::Instructor).await;
    let form = "role=student&names=Ada+L,+ada@example.org%0ABob%0A";
    let made = site.post(Some(&teacher), "/c/ai/manage/invitations", form).await;
    let text = made.text();
    let links: Vec<&str> =
        text.split("<code>").skip(1).filter_map(|one| one.split('<').next()).collect();
    assert_eq!(links.len(), 2, "{text}");
    let secret = links[0].rsplit('/').next().unwrap();
    let page = site.get(None, &format!("/join/{secret}")).await.text();
    assert!(page.contains("Ada L") && !page.contains("name=\"name\""), "{page}");
    let joined = site.post(None, "/join", &format!("token={secret}")).await;
    assert_eq!(joined.leads_to(), "/c/ai");
    let people = site.get(Some(&teacher), "/c/ai/manage/people").await.text();
    assert!(people.contains("ada@example.org") && people.contains("Bob"), "{people}");
    assert!(!people.contains(links[1].rsplit('/').next().unwrap()), "links are shown once");
}

#[tokio::test]
async fn a_list_cannot_create_sign_in_links_for_staff() {
    let site = Site::new().await;
    let teacher = site.join("Tess", Role::Instructor).await;
    let (store, now) = (site.app.store(), Timestamp::now());
    let new = |name: &str, is_administrator| NewPerson {
        name: name.to_owned(),
        address: Some(format!("{name}@example.org")),
        is_administrator,
        ..NewPerson::default()
    };
    let course =
        NewCourse { slug: "b".to_owned(), title: "B".to_owned(), time_zone: "UTC".to_owned() };
    let course = store.create_course(&course, now).await.unwrap();
    let roles = [
        ("ina", Role::Instructor, false),
        ("ann", Role::Assistant, false),
        ("root", Role::Student, true),
        ("stu", Role::Student, false),
    ];
    for (name, role, is_administrator) in roles {
        let person = store.add_person(&new(name, is_administrator), now).await.unwrap();
        store.join(&course.id, &person.id, role, now).await.unwrap();
    }
    // The answers do not reveal the staff of other courses, and no link signs in as any of them.
    for name in ["ina", "ann", "root", "stu"] {
        let form = format!("role=student&names=Me,+{}@Example.org", name.to_uppercase());
        let made = site.post(Some(&teacher), "/c/ai/manage/invitations", &form).await;
        assert_eq!(made.status, StatusCode::OK, "{name}: {}", made.text());
        let text = made.text();
        let secret = text.split("/join/").nth(1).unwrap().split('<').next().unwrap();
        let joined = site.post(None, "/join", &format!("token={secret}&name=Me")).await;
        assert_eq!(joined.status, StatusCode::CONFLICT, "{name}");
        assert_eq!(joined.header("set-cookie"), "", "{name}");
    }
    // An administrator's link would sign in as them.
    let admin = store.add_person(&new("chief", true), now).await.unwrap();
    store.join(&site.course.id, &admin.id, Role::Instructor, now).await.unwrap();
    let admin = site.signed_in(admin).await;
    let form = "role=student&names=Nadja%0AMe,+ina@example.org";
    let refused = site.post(Some(&admin), "/c/ai/manage/invitations", form).await;
    assert_eq!(refused.status, StatusCode::CONFLICT);
    let text = refused.text();
    assert!(!text.contains("/join/") && text.contains("Me is on the staff"), "{text}");
    let people = site.get(Some(&admin), "/c/ai/manage/people").await.text();
    assert!(!people.contains("Nadja"), "nothing of such a list is done: {people}");
}

#[tokio::test]
async fn settings_apply_and_deadlines_use_the_time_zone_of_the_course() {
    let site = Site::new().await;
    let teacher = site.join("Tess", Role::Instructor).await;
    let ada = site.join("Ada", Role::Student).await;
    let settings = |due: &str, scoreboard: &str, attempts: &str| {
        format!("opens=&due={due}&attempts={attempts}&scoreboard={scoreboard}&counts=best")
    };
    let address = "/c/ai/manage/s/mahjong/settings";
    let set = site.post(Some(&teacher), address, &settings("2020-01-02+08:00", "live", "")).await;
    assert_eq!(set.leads_to(), "/c/ai/manage/s/mahjong");
    let late = site.submit(&ada, "bot.wasm", &bot("mahjong-distance")).await;
    assert_eq!(late.status, StatusCode::CONFLICT);
    assert!(late.text().contains("2020-01-02 08:00 (Asia/Shanghai)"), "{}", late.text());
    // `+` is a blank in a form, and `%2B` a plus.
    for (typed, due, field) in [
        ("2020-01-02", "2020-01-02T15:59:59Z", "2020-01-02 23:59:59"),
        ("2020-01-02+08:00%2B01:00", "2020-01-02T07:00:00Z", "2020-01-02 15:00"),
        ("2020-01-02T08:00:07Z", "2020-01-02T08:00:07Z", "2020-01-02 16:00:07"),
    ] {
        site.post(Some(&teacher), address, &settings(typed, "live", "")).await;
        let stored = site.suite().await.settings;
        assert_eq!(stored.due_at.unwrap().to_string(), due, "{typed}");
        let page = site.get(Some(&teacher), "/c/ai/manage/s/mahjong").await.text();
        assert!(page.contains(&format!("name=\"due\" value=\"{field}\"")), "{typed}: {page}");
        // Saving another setting keeps it.
        site.post(Some(&teacher), address, &settings(&field.replace(' ', "+"), "live", "7")).await;
        let again = site.suite().await.settings;
        assert_eq!((again.due_at, again.attempts_per_day), (stored.due_at, Some(7)), "{typed}");
    }
    let opens = "opens=2020-01-02&due=2020-01-02&attempts=&scoreboard=live&counts=best";
    site.post(Some(&teacher), address, opens).await;
    let opens = site.suite().await.settings.opens_at.unwrap();
    assert_eq!(opens.to_string(), "2020-01-01T16:00:00Z", "the day is open from its beginning");
    site.post(Some(&teacher), address, &settings("", "hidden", "1")).await;
    assert!(site.get(Some(&ada), "/c/ai/s/mahjong/scoreboard").await.text().contains("is hidden"));
    let first = site.submit(&ada, "bot.wasm", &bot("mahjong-distance")).await;
    assert!(first.leads_to().starts_with("/submissions/"));
    let second = site.submit(&ada, "bot.wasm", &bot("mahjong-straightforward")).await;
    assert!(second.text().contains("You can submit again from"), "{}", second.text());
    let wrong = site.post(Some(&teacher), address, &settings("soon", "live", "")).await;
    assert!(wrong.text().contains("2026-11-23 08:30"), "{}", wrong.text());
}

#[tokio::test]
async fn bundled_suites_can_be_added_but_no_folders_of_the_server() {
    let site = Site::new().await;
    let teacher = site.join("Tess", Role::Instructor).await;
    let address = "/c/ai/manage/suites";
    let added = site.post(Some(&teacher), address, "bundled=amazons&slug=amazons").await;
    assert_eq!(added.leads_to(), "/c/ai/manage/s/amazons");
    let twice = site.post(Some(&teacher), address, "bundled=amazons&slug=amazons").await;
    assert!(twice.text().contains("is taken"), "{}", twice.text());
    for path in ["./testcases/cc", "/etc", "..", "nothing"] {
        let form = format!("bundled={path}&slug=x");
        let answer = site.post(Some(&teacher), address, &form).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{path}");
    }
}

/// Uploads files of the suite `own` by the form.
async fn upload(site: &Site, who: &SignedIn, files: &[(&str, &str, &str)]) -> PageReply {
    upload_to(site, who, &[("slug", "own")], files).await
}

/// Uploads files of a suite with these fields of the form.
async fn upload_to(
    site: &Site,
    who: &SignedIn,
    fields: &[(&str, &str)],
    files: &[(&str, &str, &str)],
) -> PageReply {
    let mut body = String::new();
    for (name, text) in fields {
        let head = format!("--line\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n");
        body.extend([&head, *text, "\r\n"]);
    }
    for (part, name, text) in files {
        let head = format!("Content-Disposition: form-data; name=\"{part}\"; filename=\"{name}\"");
        body.extend(["--line\r\n", &head, "\r\n\r\n", text, "\r\n"]);
    }
    let request = request(Method::POST, Some(who), "/c/ai/manage/suites/upload")
        .header(ORIGIN, format!("http://{HOSTNAME}"))
        .header(CONTENT_TYPE, "multipart/form-data; boundary=line");
    site.send(request.body(Body::from(body + "--line--\r\n")).unwrap()).await
}

#[tokio::test]
async fn an_uploaded_suite_is_checked_and_its_secrets_are_not_shown() {
    let site = Site::new().await;
    let teacher = site.join("Tess", Role::Instructor).await;
    let ada = site.join("Ada", Role::Student).await;
    let own = suite();
    let (head, open) = (own.files[0].1.as_str(), own.files[1].1.as_str());
    let (hidden, text) = &own.secrets.files[0];
    let files =
        [("files", "suite.toml", head), ("files", "01-open.toml", open), ("hidden", hidden, text)];
    let student = upload(&site, &ada, &files).await;
    assert_eq!(student.status, StatusCode::NOT_FOUND);
    let none = upload(&site, &teacher, &files[..1]).await;
    assert_eq!(none.status, StatusCode::CONFLICT, "no testcases");
    let lost = open.replace("seeds = [6001, 6002]", "rounds = 2");
    assert_ne!(lost, open);
    let locked = [&files[..], &[("files", "03-lost.toml", &lost)]].concat();
    let refused = upload(&site, &teacher, &locked).await;
    assert_eq!(refused.status, StatusCode::CONFLICT);
    assert!(refused.text().contains("locked: 03-lost"), "{}", refused.text());
    let added = upload(&site, &teacher, &files).await;
    assert_eq!(added.leads_to(), "/c/ai/manage/s/own");
    let page = site.get(Some(&ada), "/c/ai/s/own").await.text();
    assert!(page.contains("01-open") && page.contains("Hidden testcases: 1."), "{page}");
    assert!(!page.contains(crate::site::HIDDEN_WORDS[0]), "{page}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rejudge_needs_a_confirmation_and_gives_the_same_marks() {
    let site = Site::new().await;
    site.grade().await;
    let teacher = site.join("Tess", Role::Instructor).await;
    let ada = site.join("=HYPERLINK(\"x\")", Role::Student).await;
    let page = site.submit(&ada, "bot.wasm", &bot("mahjong-straightforward")).await;
    let id = page.leads_to().rsplit('/').next().unwrap().to_owned();
    site.result(&ada, &id).await;
    let marks = "/c/ai/manage/s/mahjong/marks.csv";
    let before = site.get(Some(&teacher), marks).await.text();
    assert!(before.starts_with("student,id,submission,points") && before.contains("'=HYPERLINK"));
    let address = "/c/ai/manage/s/mahjong/rejudge";
    let asked = site.get(Some(&teacher), &format!("{address}?which=all")).await.text();
    assert!(asked.contains("graded again: 1."), "{asked}");
    let unsure = site.post(Some(&teacher), address, "which=all").await;
    assert_eq!(unsure.status, StatusCode::BAD_REQUEST);
    assert_eq!(
        site.post(Some(&teacher), address, "which=all&sure=yes").await.leads_to(),
        "/c/ai/manage"
    );
    let store = site.app.store();
    let id = id.parse().unwrap();
    while store.results_of(&id).await.unwrap().len() < 2 {
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    assert_eq!(site.get(Some(&teacher), marks).await.text(), before);
}

#[tokio::test]
async fn a_signed_out_member_can_return_by_a_new_link() {
    let site = Site::new().await;
    let teacher = site.join("Tess", Role::Instructor).await;
    let assistant = site.join("Ann", Role::Assistant).await;
    let bob = site.join("Bob", Role::Student).await;
    let id = site.result_of(&bob, 7).await;
    let link = format!("/c/ai/manage/people/{}/link", bob.person.id);
    for who in [&assistant, &bob] {
        assert!(site.post(Some(who), &link, "").await.status.is_client_error());
    }
    let made = site.post(Some(&teacher), &link, "").await.text();
    let secret = made.split("/join/").nth(1).unwrap().split('<').next().unwrap();
    let joined = site.post(None, "/join", &format!("token={secret}&name=Bob")).await;
    assert_eq!(joined.leads_to(), "/c/ai");
    let cookie = joined.header("set-cookie").split(';').next().unwrap();
    let page = request(Method::GET, None, &format!("/submissions/{id}")).header("cookie", cookie);
    assert_eq!(site.send(page.body(Body::empty()).unwrap()).await.status, StatusCode::OK);
    assert_eq!(site.app.store().members(&site.course.id).await.unwrap().len(), 3, "no new member");
}

#[tokio::test]
async fn a_list_with_a_mistake_creates_no_links() {
    let site = Site::new().await;
    let teacher = site.join("Tess", Role::Instructor).await;
    let form = "role=student&names=Ada,+ada@example.org%0ABob+Ford+bob@example.org";
    let refused = site.post(Some(&teacher), "/c/ai/manage/invitations", form).await;
    assert_eq!(refused.status, StatusCode::CONFLICT);
    assert!(refused.text().contains("“Bob Ford bob@example.org”"), "{}", refused.text());
    assert_eq!(site.app.store().invitations(&site.course.id).await.unwrap(), []);
    assert!(site.app.store().person_by_address("ada@example.org").await.unwrap().is_none());
}

#[tokio::test]
async fn submissions_of_a_removed_member_keep_the_name() {
    let site = Site::new().await;
    let teacher = site.join("Tess", Role::Instructor).await;
    let bob = site.join("Bob Ford", Role::Student).await;
    site.result_of(&bob, 7).await;
    site.post(Some(&teacher), &format!("/c/ai/manage/people/{}", bob.person.id), "role=none").await;
    let list = site.get(Some(&teacher), "/c/ai/manage/s/mahjong/submissions").await.text();
    assert!(list.contains("Bob Ford"), "{list}");
}

#[tokio::test]
async fn a_closed_suite_has_no_submission_form() {
    let site = Site::new().await;
    let ada = site.join("Ada", Role::Student).await;
    let ann = site.join("Ann", Role::Assistant).await;
    let has_form = async |who: &SignedIn| {
        let page = site.get(Some(who), "/c/ai/s/mahjong").await.text();
        page.contains("name=\"module\"")
    };
    assert!(has_form(&ada).await);
    let hour = std::time::Duration::from_secs(3600);
    let later = Some(Timestamp::now().after(hour));
    let earlier = Some(Timestamp::from_millis(Timestamp::now().millis() - 3_600_000));
    let plain = SuiteSettings::default;
    let used = SuiteSettings { attempts_per_day: Some(1), ..plain() };
    for (settings, takes) in [
        (SuiteSettings { opens_at: later, ..plain() }, false),
        (SuiteSettings { due_at: earlier, ..plain() }, false),
        (SuiteSettings { opens_at: earlier, due_at: later, ..plain() }, true),
        (used.clone(), true),
    ] {
        site.set(settings).await;
        assert_eq!(has_form(&ada).await, takes);
        assert!(has_form(&ann).await, "staff are not bound to times");
    }
    site.result_of(&ada, 3).await;
    assert!(!has_form(&ada).await, "no attempt is left");
    let back = site.get(Some(&ada), "/c/ai/s/mahjong/submissions").await;
    assert_eq!(back.leads_to(), "/c/ai/s/mahjong");
}

#[tokio::test]
async fn an_error_page_has_the_header_and_a_back_link() {
    let site = Site::new().await;
    let teacher = site.join("Tess", Role::Instructor).await;
    let manage = "/c/ai/manage/people";
    for (from, leads) in [(HOSTNAME, true), ("evil.example", false)] {
        let ask = request(Method::POST, Some(&teacher), "/c/ai/manage/s/mahjong/rejudge")
            .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
            .header(ORIGIN, format!("http://{HOSTNAME}"))
            .header("referer", format!("http://{from}{manage}"));
        let answer = site.send(ask.body(Body::from("which=all")).unwrap()).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST);
        assert!(answer.text().contains("Sign out"), "{}", answer.text());
        assert_eq!(answer.text().contains(&format!("href=\"{manage}\"")), leads, "{from}");
    }
}

#[tokio::test]
async fn an_instructor_changes_roles_ends_sessions_and_takes_people_out() {
    let site = Site::new().await;
    let teacher = site.join("Tess", Role::Instructor).await;
    let assistant = site.join("Ann", Role::Assistant).await;
    let bob = site.join("Bob", Role::Student).await;
    let own = format!("/c/ai/manage/people/{}", bob.person.id);
    let page = site.get(Some(&teacher), "/c/ai/manage/people").await.text();
    assert!(page.contains(&format!("href=\"{own}\"")), "{page}");
    let page = site.get(Some(&teacher), &own).await.text();
    assert!(page.contains(&format!("action=\"{own}\"")), "{page}");
    assert!(page.contains("tokens now: 2."), "the sessions and tokens that would end: {page}");
    let page = site.get(Some(&assistant), "/c/ai/manage/people").await.text();
    assert!(!page.contains(&own), "an assistant changes nothing: {page}");
    assert_eq!(site.get(Some(&assistant), &own).await.status, StatusCode::FORBIDDEN);
    for who in [&assistant, &bob] {
        for (address, form) in [(own.clone(), "role=instructor"), (format!("{own}/sign-out"), "")] {
            let answer = site.post(Some(who), &address, form).await;
            assert!(answer.status.is_client_error(), "{address}: {}", answer.status);
        }
    }

    let changed = site.post(Some(&teacher), &own, "role=assistant").await;
    assert_eq!(changed.leads_to(), "/c/ai/manage/people");
    let ended = site.get(Some(&bob), "/c/ai/manage/people").await;
    assert_eq!(ended.status, StatusCode::UNAUTHORIZED, "more power needs a new session");
    let bob = site.signed_in(bob.person).await;
    assert_eq!(site.get(Some(&bob), "/c/ai/manage/people").await.status, StatusCode::OK);
    site.post(Some(&teacher), &own, "role=student").await;
    assert_eq!(site.get(Some(&bob), "/c/ai/manage/people").await.status, StatusCode::NOT_FOUND);
    assert_eq!(site.post(Some(&teacher), &own, "role=king").await.status, StatusCode::BAD_REQUEST);

    // The last instructor cannot be demoted.
    let herself = format!("/c/ai/manage/people/{}", teacher.person.id);
    for form in ["role=student", "role=none"] {
        let refused = site.post(Some(&teacher), &herself, form).await;
        assert_eq!(refused.status, StatusCode::CONFLICT, "{form}");
        assert!(refused.text().contains("Tess is the only instructor"), "{}", refused.text());
    }

    assert_eq!(site.api(&bob, "/api/v1/whoami").await.status, StatusCode::OK);
    site.post(Some(&teacher), &format!("{own}/sign-out"), "").await;
    assert_eq!(site.api(&bob, "/api/v1/whoami").await.status, StatusCode::UNAUTHORIZED);
    assert_ne!(site.get(Some(&bob), "/c/ai").await.status, StatusCode::OK);

    // An instructor here ends nothing that a person in another course has by other means.
    let other = NewCourse {
        slug: "other".to_owned(),
        title: "Other".to_owned(),
        time_zone: "UTC".to_owned(),
    };
    let other = site.app.store().create_course(&other, Timestamp::now()).await.unwrap().id;
    let store = site.app.store();
    store.join(&other, &assistant.person.id, Role::Assistant, Timestamp::now()).await.unwrap();
    let assistant = site.signed_in(assistant.person).await;
    let out = format!("/c/ai/manage/people/{}/sign-out", assistant.person.id);
    site.post(Some(&teacher), &out, "").await.leads_to();
    let link = format!("/c/ai/manage/people/{}/link", assistant.person.id);
    assert_eq!(site.post(Some(&teacher), &link, "").await.status, StatusCode::CONFLICT);
    assert_eq!(site.api(&assistant, "/api/v1/whoami").await.status, StatusCode::OK);

    site.post(Some(&teacher), &own, "role=none").await;
    let course = &site.course.id;
    assert_eq!(site.app.store().member(course, &bob.person.id).await.unwrap(), None);
    let gone = site.post(Some(&teacher), &own, "role=student").await;
    assert_eq!(gone.status, StatusCode::NOT_FOUND, "this adds no member");
}

#[tokio::test]
async fn the_mark_sheet_for_staff_has_all_members_and_hidden_testcases() {
    let site = Site::new().await;
    let ann = site.join("Ann", Role::Assistant).await;
    let ada = site.join("Ada", Role::Student).await;
    site.join("Eve", Role::Student).await;
    let store = site.app.store();
    let (name, now) = ("Bob Ford".to_owned(), Timestamp::now());
    let (address, number) = (Some("bob@example.org".to_owned()), Some("20261017".to_owned()));
    let new = NewPerson { name, address, number, ..NewPerson::default() };
    let person = store.add_person(&new, now).await.unwrap();
    store.join(&site.course.id, &person.id, Role::Student, now).await.unwrap();
    let bob = SignedIn { person, ..ada.clone() };
    site.result_of(&ada, 13).await;
    let gone = site.result_of(&bob, 17).await;
    let plain = "/c/ai/manage/s/mahjong/marks.csv";
    let with_bob = site.get(Some(&ann), plain).await.text();
    assert!(with_bob.contains("Bob Ford,20261017,"), "{with_bob}");
    assert!(with_bob.contains("\nEve,,,0,40,3,"), "after the two with results: {with_bob}");
    store.leave(&site.course.id, &bob.person.id, None, Timestamp::now()).await.unwrap();
    assert!(!site.get(Some(&ann), plain).await.text().contains("Bob"), "as before");
    let sheet = site.get(Some(&ann), "/c/ai/manage/s/mahjong/whole-marks.csv").await;
    assert!(sheet.header("judge-signature").len() > 20, "it is signed");
    let text = sheet.text();
    let lines: Vec<&str> = text.lines().collect();
    let header = "student,id,address,status,submission,received_at,points,max_points,score,01-open";
    assert!(lines[0].starts_with(header) && lines[0].contains(HIDDEN_WORDS[0]), "{}", lines[0]);
    assert!(lines[1].starts_with("Ada,,,member,") && lines[1].contains(",13,20,13,"), "{text}");
    assert!(lines[2].starts_with("Eve,,,member,,,0,40,0,0,0,No submission"), "{text}");
    let removed = format!("Bob Ford,20261017,bob@example.org,removed,{gone},");
    assert!(lines[3].starts_with(&removed) && lines[3].contains(",17,20,17,10,"), "{text}");
    assert_eq!(lines.len(), 4, "no staff: {text}");
    // Others cannot download it.
    let address = "/c/ai/manage/s/mahjong/whole-marks.csv";
    assert_eq!(site.get(Some(&ada), address).await.status, StatusCode::NOT_FOUND);
}

/// Sends a form that is refused, and checks that the page has the reason at the form, once, and all
/// typed text.
async fn refused(site: &Site, who: &SignedIn, address: &str, form: &str, kept: &[&str]) -> String {
    let answer = site.post(Some(who), address, form).await;
    assert!(answer.status.is_client_error(), "{address}: {}", answer.status);
    let text = answer.text();
    assert_eq!(text.matches("role=\"alert\" id=\"problem\"").count(), 1, "{address}: {text}");
    assert!(text.contains("autofocus aria-describedby=\"problem\""), "{address}: {text}");
    for part in kept {
        assert!(text.contains(part), "{address}: {part}: {text}");
    }
    text
}

#[tokio::test]
async fn a_refused_form_keeps_the_typed_values() {
    let site = Site::new().await;
    let tess = site.join("Tess", Role::Instructor).await;
    let course = "title=Deep+%3Cb%3E&slug=No+Slug&time_zone=Europe/Rome";
    assert_eq!(site.post(Some(&tess), "/courses", course).await.status, StatusCode::FORBIDDEN);

    let suite = "bundled=patchwork&slug=mahjong&due=2099-01-02+03:04";
    let kept = [
        "This name is taken.",
        "<option selected>patchwork</option>",
        "name=\"slug\" value=\"mahjong\"",
        "name=\"due\" value=\"2099-01-02 03:04\"",
    ];
    let page = refused(&site, &tess, "/c/ai/manage/suites", suite, &kept).await;
    assert_eq!(page.matches("value=\"mahjong\"").count(), 2, "no other form has it: {page}");
    let arena = "game=cc&slug=ladder&title=Jumps&season=One&ends=soon&options=size%3D6";
    let kept = [
        "Write dates like",
        "<option value=\"cc\" selected>",
        "name=\"title\" value=\"Jumps\"",
        "name=\"ends\" value=\"soon\"",
        "name=\"options\" value=\"size=6\"",
    ];
    refused(&site, &tess, "/c/ai/manage/arenas", arena, &kept).await;
    let people = "role=observer&names=Ada,+ada@example.org%0ABob+%3Ci%3E+bob@example.org";
    let kept = [
        "“Bob &#60;i&#62; bob@example.org”",
        "<option value=\"observer\" selected>",
        "Ada, ada@example.org\nBob &#60;i&#62; bob@example.org</textarea>",
    ];
    refused(&site, &tess, "/c/ai/manage/invitations", people, &kept).await;
    let settings = "opens=2099-01-01+00:00&due=2098-01-01+00:00&attempts=3&scoreboard=hidden&counts=latest\
                    &told=2&rest=due&hidden=due";
    let kept = [
        "name=\"opens\" value=\"2099-01-01 00:00\" autofocus",
        "name=\"due\" value=\"2098-01-01 00:00\"",
        "max=\"1000\" value=\"3\"",
        "max=\"1000\" value=\"2\"",
        "<option value=\"hidden\" selected>",
        "<option value=\"latest\" selected>",
    ];
    refused(&site, &tess, "/c/ai/manage/s/mahjong/settings", settings, &kept).await;
    assert_eq!(site.suite().await.settings, SuiteSettings::default(), "nothing was saved");

    let new = "game=mahjong&slug=tiles&title=&season=&ends=&options=";
    site.post(Some(&tess), "/c/ai/manage/arenas", new).await.leads_to();
    let season = "title=Tiles&state=paused&season=Two&ends=never";
    let kept = [
        "name=\"season\" value=\"Two\"",
        "name=\"ends\" value=\"never\"",
        "<option value=\"paused\" selected>",
    ];
    refused(&site, &tess, "/c/ai/manage/a/tiles", season, &kept).await;
    // A reload shows the earlier values.
    let page = site.get(Some(&tess), "/c/ai/manage/a/tiles").await.text();
    assert!(page.contains("<option value=\"open\" selected>"), "{page}");
    assert!(!page.contains("value=\"never\""), "{page}");
}

#[tokio::test]
async fn a_refused_new_course_keeps_the_typed_values() {
    let site = Site::new().await;
    let (store, now) = (site.app.store(), Timestamp::now());
    let new = NewPerson { name: "Root".to_owned(), is_administrator: true, ..NewPerson::default() };
    let person = store.add_person(&new, now).await.unwrap();
    let end = now.after(std::time::Duration::from_secs(3600));
    let (_, session) =
        store.new_token(&person.id, TokenKind::Session, "x", end, now).await.unwrap();
    let root = SignedIn { session: session.reveal().to_owned(), token: String::new(), person };
    let course = "title=Deep+%3Cb%3E&slug=deep&time_zone=Europe/Atlantis";
    let kept = [
        "no such time zone",
        "name=\"title\" value=\"Deep &#60;b&#62;\" autofocus",
        "name=\"slug\" value=\"deep\"",
        "required value=\"Europe/Atlantis\"",
    ];
    refused(&site, &root, "/courses", course, &kept).await;
    let missing = site.post(Some(&root), "/courses", "title=x").await;
    assert_eq!(missing.status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn new_files_for_submissions_need_a_confirmation() {
    let site = Site::new().await;
    let teacher = site.join("Tess", Role::Instructor).await;
    let ada = site.join("Ada", Role::Student).await;
    let new = crate::site::suite_with(&[7001]);
    let files = [
        ("files", "suite.toml", "title = \"Other\"\n"),
        ("files", "01-open.toml", new.files[1].1.as_str()),
    ];
    let (slug, replace) = (("slug", "mahjong"), ("replace", "yes"));
    upload_to(&site, &teacher, &[slug], &files).await.leads_to();
    assert_eq!(site.suite().await.generation, 2, "the suite has no submissions");
    site.result_of(&ada, 7).await;
    let files = [files[0], ("files", "02-open.toml", files[1].2)];
    let asked = upload_to(&site, &teacher, &[slug], &files).await;
    assert_eq!(asked.status, StatusCode::CONFLICT);
    assert!(asked.text().contains("would be graded again: 1."), "{}", asked.text());
    assert_eq!(site.suite().await.generation, 2);
    upload_to(&site, &teacher, &[slug, replace], &files).await.leads_to();
    assert_eq!(site.suite().await.generation, 3);
}
