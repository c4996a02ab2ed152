//! The scoreboard of a course with several suites: one tab at a time, and no injected script.

use serde_json::json;
use tempfile::TempDir;

use crate::Test;
use crate::browser::Browser;
use crate::support::{run, sample, write};

pub(crate) const TESTS: &[Test] = &[
    ("a_course_shows_one_suite_at_a_time_and_finds_names", tabs),
    ("pages_of_a_course_fit_a_phone_and_run_no_script", fits),
];

/// A name that tries to inject markup.
const ATTACK: &str = "<img src=x onerror='window.taken=1'>";

fn course() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for lab in ["lab1", "lab2"] {
        for part in ["suites", "in"] {
            std::fs::create_dir_all(path(part).join(lab)).unwrap();
        }
        let suite = path("suites").join(lab);
        write(&suite, "suite.toml", format!("title = \"{ATTACK}\"\n"));
        let testcase = "title = \"x\"\ngame = \"cc\"\nopponent = \"random\"\nseeds = [1]\n\
                        min_score = 0\npoints = 5\n[options]\nsize = 6\n";
        write(&suite, "01.toml", testcase);
        std::fs::copy(sample("cc-runner"), path("in").join(lab).join("ada.wasm")).unwrap();
    }
    write(
        folder.path(),
        "students.csv",
        format!("submission,student\nada,Ada\nbob,\"{ATTACK}\"\n"),
    );
    let suite = |name: &str| format!("[[suite]]\nname = \"{name}\"\npath = \"suites/{name}/\"\n");
    let head = format!("title = \"{ATTACK}\"\nstudents = \"students.csv\"\n");
    write(folder.path(), "course.toml", head + &suite("lab1") + &suite("lab2"));
    let [input, file, out] =
        ["in", "course.toml", "out"].map(|name| path(name).display().to_string());
    let ran = run(["grade", &input, "--course", &file, "--out", &out]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    folder
}

/// The displayed tabs.
fn shown(browser: &mut Browser) -> serde_json::Value {
    browser.value(
        "[...document.querySelectorAll('.tab')].filter(tab => !tab.hidden).map(tab => tab.id)",
    )
}

fn tabs() {
    let folder = course();
    let mut browser = Browser::start();
    browser.open(&folder.path().join("out/scoreboard.html"));
    assert_eq!(shown(&mut browser), json!(["all"]));
    browser.click("#tabs a[href='#suite-lab2']");
    browser.value("new Promise(done => requestAnimationFrame(() => setTimeout(done)))");
    assert_eq!(shown(&mut browser), json!(["suite-lab2"]));
    assert_eq!(browser.text("#tabs [aria-current]"), "lab2");
    let rows = "[...document.querySelectorAll('#all tbody tr')].filter(row => !row.hidden).length";
    assert_eq!(browser.value(rows), 2);
    browser.value("filter.value = 'AD'; filter.dispatchEvent(new Event('input'))");
    assert_eq!(browser.value(rows), 1);
    browser.click("#tabs a[href='#all']");
    browser.value("new Promise(done => requestAnimationFrame(() => setTimeout(done)))");
    browser.follow("#all a[href='students/ada.html']");
    assert!(browser.text("h1").starts_with("Ada"));
    browser.follow("a[href='../lab1/students/ada.html']");
    assert!(browser.text("h1").starts_with("Ada"));
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

fn fits() {
    let folder = course();
    let mut browser = Browser::start();
    for page in ["out/scoreboard.html", "out/students/ada.html", "out/students/bob.html"] {
        for width in [360, 1280] {
            browser.screen(width, 740);
            browser.open(&folder.path().join(page));
            browser.value("document.querySelectorAll('.tab').forEach(tab => tab.hidden = false)");
            let wide = browser.value("document.documentElement.scrollWidth").as_u64().unwrap();
            assert!(wide <= u64::from(width), "{page}: {wide} at {width}");
            assert_eq!(browser.value("typeof window.taken"), "undefined", "{page}");
            assert_eq!(browser.value("document.querySelectorAll('img').length"), 0, "{page}");
            assert!(browser.text("body").contains(ATTACK), "{page}");
            assert_eq!(browser.complaints(), Vec::<String>::new(), "{page}");
        }
    }
}
