//! Lists of people: the preview, long lists, links to download, and the search for a person.

use axum::body::Body;
use axum::http::header::{CONTENT_TYPE, ORIGIN};
use axum::http::{Method, StatusCode};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use judge_store::Role;

use crate::site::{HOSTNAME, PageReply, SignedIn, Site, request};

const PEOPLE: &str = "/c/ai/manage/people";

/// Sends the form of the people's page, with a pasted list and a file.
pub(crate) async fn preview(site: &Site, who: &SignedIn, pasted: &str, file: &[u8]) -> PageReply {
    let mut body = Vec::new();
    for (part, text) in [("role", "student"), ("names", pasted)] {
        let head = format!("--line\r\nContent-Disposition: form-data; name=\"{part}\"\r\n\r\n");
        body.extend([head.as_bytes(), text.as_bytes(), b"\r\n"].concat());
    }
    let head =
        "--line\r\nContent-Disposition: form-data; name=\"list\"; filename=\"list.csv\"\r\n\r\n";
    body.extend([head.as_bytes(), file, b"\r\n--line--\r\n"].concat());
    let request = request(Method::POST, Some(who), "/c/ai/manage/invitations/preview")
        .header(ORIGIN, format!("http://{HOSTNAME}"))
        .header(CONTENT_TYPE, "multipart/form-data; boundary=line");
    site.send(request.body(Body::from(body)).unwrap()).await
}

/// Accepts a preview.
async fn confirm(site: &Site, who: &SignedIn, page: &str) -> PageReply {
    confirm_with(site, who, page, "").await
}

/// Accepts a preview with other fields of its form.
pub(crate) async fn confirm_with(
    site: &Site,
    who: &SignedIn,
    page: &str,
    fields: &str,
) -> PageReply {
    let list = page.split("hidden>").nth(1).unwrap().split("</textarea>").next().unwrap();
    let list = list.replace("&#34;", "\"").replace("&#38;", "&");
    let bytes: Vec<String> = list.bytes().map(|byte| format!("%{byte:02x}")).collect();
    let form = format!("role=student&names={}{fields}", bytes.concat());
    site.post(Some(who), "/c/ai/manage/invitations", &form).await
}

#[tokio::test]
async fn a_list_of_a_platform_is_shown_before_anyone_is_added() {
    let site = Site::new().await;
    let teacher = site.join("Tess", Role::Instructor).await;
    let moodle =
        "Vorname;Nachname;E-Mail-Adresse;Matrikelnummer\nZoë;Müller;z@x;17\nAda;King;a@x;\n";
    let utf16: Vec<u8> =
        std::iter::once(0xfeff).chain(moodle.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let page = preview(&site, &teacher, "", &utf16).await;
    assert_eq!(page.status, StatusCode::OK, "{}", page.text());
    let text = page.text();
    for told in ["Zoë Müller", "a@x", "UTF-16", "semicolons", "New links: 2", "Matrikelnummer"] {
        assert!(text.contains(told), "{told}: {text}");
    }
    let store = site.app.store();
    assert_eq!(store.invitations(&site.course.id).await.unwrap(), [], "only a preview");
    assert!(store.person_by_address("z@x").await.unwrap().is_none(), "only a preview");

    let made = confirm(&site, &teacher, &text).await.text();
    assert_eq!(made.matches("<code>").count(), 2, "{made}");
    let sheet = made.split("base64,").nth(1).unwrap().split('"').next().unwrap();
    let sheet = sheet.replace("&#43;", "+").replace("&#61;", "=");
    let sheet = String::from_utf8(STANDARD.decode(sheet).unwrap()).unwrap();
    let link = made.split("<code>").nth(1).unwrap().split('<').next().unwrap();
    assert!(sheet.starts_with("student,id,address,link\nZoë Müller,17,z@x,http"), "{sheet}");
    assert!(sheet.contains(link), "{link}: {sheet}");
    assert_eq!(store.person_by_address("z@x").await.unwrap().unwrap().number.unwrap(), "17");

    // The same list again makes no link for a member.
    let secret = link.rsplit('/').next().unwrap();
    site.post(None, "/join", &format!("token={secret}")).await;
    let again = preview(&site, &teacher, moodle, b"").await.text();
    assert!(again.contains("New links: 1") && again.contains("none: Student already"), "{again}");
    let made = confirm(&site, &teacher, &again).await.text();
    assert!(made.contains("Ada King") && !made.contains("Zoë"), "{made}");
}

#[tokio::test]
async fn a_preview_refuses_a_list_with_the_number_of_a_member() {
    let site = Site::new().await;
    let teacher = site.join("Tess", Role::Instructor).await;
    let page = preview(&site, &teacher, "Zoe, zoe@x, 17", b"").await.text();
    let made = confirm(&site, &teacher, &page).await.text();
    let secret = made.split("/join/").nth(1).unwrap().split('<').next().unwrap();
    site.post(None, "/join", &format!("token={secret}")).await.leads_to();
    let known = preview(&site, &teacher, "Zoe, zoe@x, 17", b"").await.text();
    assert!(known.contains("none: Student already"), "{known}");
    for line in ["Zoe King, king@x, 17", "Zoe, 17"] {
        let page = preview(&site, &teacher, line, b"").await.text();
        assert!(page.contains("Another member of the course has the number"), "{page}");
    }
    let page = preview(&site, &teacher, "Zoe, zo\u{200b}e@x, 18", b"").await.text();
    assert!(page.contains("is not understood") && !page.contains("New links"), "{page}");
}

#[tokio::test]
async fn a_preview_does_not_reveal_staff_of_another_course() {
    let site = Site::new().await;
    let teacher = site.join("Tess", Role::Instructor).await;
    let (store, now) = (site.app.store(), judge_store::Timestamp::now());
    let (slug, title) = ("b".to_owned(), "B".to_owned());
    let course = judge_store::NewCourse { slug, title, time_zone: "UTC".to_owned() };
    let course = store.create_course(&course, now).await.unwrap();
    let address = Some("ina@x".to_owned());
    let new = judge_store::NewPerson { name: "Ina".to_owned(), address, ..Default::default() };
    let ina = store.add_person(&new, now).await.unwrap();
    store.join(&course.id, &ina.id, Role::Instructor, now).await.unwrap();
    let page = |address: &str| format!("Someone, {address}@x");
    let staff = preview(&site, &teacher, &page("ina"), b"").await;
    let nobody = preview(&site, &teacher, &page("ino"), b"").await;
    assert_eq!(staff.status, StatusCode::OK, "{}", staff.text());
    assert_eq!(staff.text().replace("ina@", "ino@"), nobody.text());
}

#[tokio::test]
async fn members_get_no_link_without_a_preview_either() {
    let site = Site::new().await;
    let teacher = site.join("Tess", Role::Instructor).await;
    let form = "role=student&names=Ada,+ada@x";
    let invitations = "/c/ai/manage/invitations";
    let made = site.post(Some(&teacher), invitations, form).await.text();
    let secret = made.split("/join/").nth(1).unwrap().split('<').next().unwrap();
    site.post(None, "/join", &format!("token={secret}")).await.leads_to();
    let again = site.post(Some(&teacher), invitations, form).await;
    let text = again.text();
    assert_eq!((again.status, text.contains("/join/")), (StatusCode::OK, false), "{text}");
    assert!(text.contains("New links: 0") && text.contains("none: Student already"), "{text}");
    let both = format!("{form}%0ABob,+bob@x");
    let made = site.post(Some(&teacher), invitations, &both).await.text();
    assert!(made.matches("<code>").count() == 1 && made.contains("Bob"), "{made}");
    // A link to a higher role is one that they do not have.
    let form = "role=assistant&names=Ada,+ada@x";
    let made = site.post(Some(&teacher), invitations, form).await.text();
    assert_eq!(made.matches("<code>").count(), 1, "{made}");
}

#[tokio::test]
async fn a_long_list_is_accepted_as_a_whole_or_refused_with_a_reason() {
    let site = Site::new().await;
    let teacher = site.join("Tess", Role::Instructor).await;
    let page = site.get(Some(&teacher), PEOPLE).await.text();
    let field = page.split("<textarea").nth(1).unwrap().split('>').next().unwrap();
    assert!(!field.contains("maxlength"), "a browser would cut the list: {field}");
    let line = |number: u32| {
        format!("Student Number {number}, student.{number}@students.example.org, {number:08}\n")
    };
    let list: String = (0..2000).map(line).collect();
    let page = preview(&site, &teacher, &list, b"").await.text();
    assert!(page.contains("New links: 2000"), "{page}");
    let made = confirm(&site, &teacher, &page).await;
    assert_eq!(made.status, StatusCode::OK, "{}", made.text());
    assert_eq!(made.text().matches("<code>").count(), 2000);
    let large: String = (0..9000).map(line).collect();
    let many: String = (0..3001).map(|number| format!("S{number}\n")).collect();
    for (list, why) in [(large, "more than 512 KiB"), (many, "more than 3000 people")] {
        let refused = preview(&site, &teacher, &list, b"").await;
        assert_eq!(refused.status, StatusCode::CONFLICT);
        assert!(refused.text().contains(why) && refused.text().contains("No link was made"));
    }
    assert_eq!(site.app.store().invitations(&site.course.id).await.unwrap().len(), 2000);
}

#[tokio::test]
async fn people_are_found_and_invitations_revoked_at_once() {
    let site = Site::new().await;
    let teacher = site.join("Tess", Role::Instructor).await;
    let assistant = site.join("Ann", Role::Assistant).await;
    let form = "role=student&names=Ada,+ada@x,+1017%0AZoë,+zoe@x,+2017%0ABob";
    for _ in 0..2 {
        site.post(Some(&teacher), "/c/ai/manage/invitations", form).await;
    }
    let page = site.get(Some(&teacher), PEOPLE).await.text();
    assert!(page.contains("2017") && page.matches("zoe@x").count() == 1, "a line each: {page}");
    for (find, found, other) in [("ZOË", "zoe@x", "ada@x"), ("1017", "ada@x", "zoe@x")] {
        let address = format!("{PEOPLE}?find={}", find.replace('Ë', "%C3%8B"));
        let page = site.get(Some(&teacher), &address).await.text();
        assert!(page.contains(found) && !page.contains(other), "{find}: {page}");
    }
    let page = site.get(Some(&assistant), &format!("{PEOPLE}?find=tess")).await.text();
    assert!(page.contains("1 of 2 people"), "{page}");

    let revoke = "/c/ai/manage/invitations/revoke";
    let zoe = site.app.store().person_by_address("zoe@x").await.unwrap().unwrap().id;
    let open = async || {
        let all = site.app.store().invitations(&site.course.id).await.unwrap();
        all.iter().filter(|one| one.revoked_at.is_none()).count()
    };
    assert_eq!(open().await, 6);
    assert_eq!(site.post(Some(&assistant), revoke, "sure=yes").await.status, StatusCode::FORBIDDEN);
    assert_eq!(site.post(Some(&teacher), revoke, "").await.status, StatusCode::BAD_REQUEST);
    assert_eq!(open().await, 6);
    site.post(Some(&teacher), revoke, &format!("person={zoe}")).await;
    assert_eq!(open().await, 4, "both of Zoë's");
    let page = site.get(Some(&teacher), PEOPLE).await.text();
    assert!(page.contains("Links that stop working: 4."), "{page}");
    assert_eq!(site.post(Some(&teacher), revoke, "sure=yes").await.leads_to(), PEOPLE);
    assert_eq!(open().await, 0);
}
