//! A class that comes from a campus system at another site, with the cookies and forms of a real
//! browser. Skipped with a message without `lti1p3platform`.

use std::net::TcpListener;

use serde_json::json;

use crate::BrowserTest;
use crate::browser::Browser;
use crate::pages::Check;
use crate::program::Program;
use crate::scene::{become_instructor, graded, make_course, submit};
use crate::support::campus::CampusSystem;

pub(crate) const TESTS: &[BrowserTest] =
    &[("a_class_comes_from_a_campus_system_and_its_marks_go_back", class)];

/// Opens a link to a page of the server as a person there, and waits until the launch has ended.
fn launch(browser: &mut Browser, campus: &CampusSystem, who: &str, target: &str, leads_to: &str) {
    browser.visit(&format!("{}/open?user={who}&target={target}", campus.base));
    let script =
        format!("document.readyState === 'complete' && location.pathname === '{leads_to}'");
    browser.until(&script);
}

fn class() {
    // Another host name than the campus system's, so that browsers see two sites.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let base = format!("http://localhost:{port}");
    let Some(campus) = CampusSystem::start(&base) else { return };
    let folder = tempfile::tempdir().unwrap();
    let settings = folder.path().join("judge.toml");
    let platform = campus.settings();
    let text = format!(
        "public-url = \"{base}\"\n[[lti]]\nname = \"Campus\"\nissuer = \"{issuer}\"\nclient-id = \"judge\"\n\
         deployments = [\"1\"]\nlogin-url = \"{}\"\ntoken-url = \"{}\"\nkeys-url = \"{}\"\n",
        platform.login_url,
        platform.token_url,
        platform.keys_url,
        issuer = platform.issuer,
    );
    std::fs::write(&settings, text).unwrap();
    drop(listener);
    let options = ["--config", settings.to_str().unwrap()];
    let listen = format!("127.0.0.1:{port}");
    let program = Program::start_at(&listen, &folder.path().join("data"), &options);
    let [mut teacher, mut ada] = [(); 2].map(|()| Browser::start());
    let mut check = Check::new();
    become_instructor(&program, &mut teacher);
    make_course(&program, &mut teacher);
    // The campus system reads the server's key, as an operator registers it.
    teacher.visit(&format!("{base}/lti/keys"));
    let keys: serde_json::Value = serde_json::from_str(&teacher.text("body")).unwrap();
    let people = json!({
        "t1": { "name": "Tess", "roles": ["#Instructor"] },
        "s1": { "name": "Ada", "email": "ada@example.org", "roles": ["#Learner"], "number": "17" },
        "s2": { "name": "A student with a long name \u{2014} Wilhelmina", "roles": ["#Learner"] },
    });
    ureq::post(format!("{}/control", campus.base))
        .header("content-type", "application/json")
        .send(json!({ "tool_keys": keys, "people": people }).to_string())
        .unwrap();
    launch(&mut ada, &campus, "s1", "/c/ai/s/mahjong", "/lti/launch");
    check.look(&mut ada, "lti-not-connected");
    launch(&mut teacher, &campus, "t1", "/c/ai", "/lti/connect");
    check.look(&mut teacher, "lti-course");
    teacher.follow("form[action='/lti/connect'] button");
    check.look(&mut teacher, "people-lti");
    launch(&mut ada, &campus, "s1", "/c/ai/s/mahjong", "/lti/connect");
    check.look(&mut ada, "lti-account");
    ada.follow("form[action='/lti/connect'] button");
    assert!(ada.location().ends_with("/c/ai/s/mahjong"), "{}", ada.location());
    submit(&mut ada, &base, "mahjong-distance");
    graded(&mut ada);
    teacher.visit(&format!("{base}/c/ai/manage/people"));
    teacher.follow("form[action$='/lti/members'] button");
    check.look(&mut teacher, "lti-members");
    teacher.follow("form[action$='/lti/members'] button");
    assert!(teacher.text("main").contains("Wilhelmina"));
    teacher.visit(&format!("{base}/c/ai/manage/s/mahjong"));
    teacher.follow("form[action$='/marks/send'] button");
    let sent = teacher.text("main");
    assert!(sent.contains("Marks sent: 1."), "{sent}");
    check.look(&mut teacher, "lti-sent");
    // A second click signs in at once, in a browser without a session.
    let mut other = Browser::start();
    launch(&mut other, &campus, "s1", "/c/ai/s/mahjong", "/c/ai/s/mahjong");
    check.visit(&mut other, &format!("{base}/me"), "me-lti");
    assert!(check.wrong.is_empty(), "{}", check.wrong.join("\n"));
}
