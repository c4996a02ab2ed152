//! Checks every page at two widths, light and dark: nothing overflows, and axe-core finds no
//! barriers. Also takes screenshots for developers of the pages.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::BrowserTest;
use crate::browser::Browser;
use crate::playing::{choose_language, click, idle, is_free};
use crate::scene::{Scene, bot, enter, graded, make_arena, submit, visit_until};

pub(crate) const TESTS: &[BrowserTest] = &[("every_page_fits_and_is_accessible", all)];

/// Widths of the window, and preferred colour schemes.
const LOOKS: [(u32, &str); 4] = [(1280, "light"), (1280, "dark"), (390, "light"), (390, "dark")];

/// Stops reloads, because a page that follows a grading would change before it is checked.
const STAND_STILL: &str = "
    if (!sessionStorage.getItem('live')) {
      window.EventSource = class { addEventListener() {} close() {} };
    }";

/// Completes once transitions have ended, because colours change gradually.
const STILL: &str = "new Promise(requestAnimationFrame).then(() =>
    Promise.all(document.getAnimations().map((one) => one.finished))).then(() => 0)";

/// Opens everything that is folded.
const OPEN_ALL: &str = "document.querySelectorAll('details').forEach((one) => one.open = true)";

/// The tools of a check, and the folder for pictures.
pub(crate) struct Check {
    axe: Option<String>,
    shots: Option<PathBuf>,
    pub(crate) wrong: Vec<String>,
}

impl Check {
    pub(crate) fn new() -> Check {
        let axe = std::env::var_os("JUDGE_AXE");
        if axe.is_none() {
            eprintln!("not checked by axe-core: `JUDGE_AXE` names no file");
        }
        let shots = std::env::var_os("JUDGE_SCREENSHOTS").map(PathBuf::from);
        if let Some(folder) = &shots {
            std::fs::create_dir_all(folder).unwrap();
        }
        let axe = axe.map(|path| std::fs::read_to_string(path).unwrap());
        Check { axe, shots, wrong: Vec::new() }
    }

    /// Checks the page that the browser shows.
    pub(crate) fn look(&mut self, browser: &mut Browser, name: &str) {
        for (width, scheme) in LOOKS {
            browser.screen(width, if width < 500 { 844 } else { 900 });
            browser.prefer(scheme);
            browser.value(STILL);
            let name = format!("{name}-{width}-{scheme}");
            let wide = browser.value("document.documentElement.scrollWidth").as_u64().unwrap();
            if wide > u64::from(width) {
                self.wrong.push(format!("{name}: {wide} wide"));
            }
            if let Some(folder) = &self.shots {
                browser.shoot(&folder.join(format!("{name}.png")), true);
            }
            self.barriers(browser, &name);
        }
        browser.screen(1280, 900);
    }

    /// The findings of axe-core.
    fn barriers(&mut self, browser: &mut Browser, name: &str) {
        let Some(axe) = &self.axe else { return };
        browser.value(&format!("{axe}\n0"));
        let found = browser.value(
            "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
               violations.map(({ id, nodes }) => id + ': ' + nodes.map(
                 (node) => node.target.join(' ') + ' ' + node.any.map((one) => one.message).join('; ')
               ).join(' | ')))",
        );
        let found = found.as_array().unwrap().iter().filter_map(Value::as_str);
        self.wrong.extend(found.map(|what| format!("{name}: {what}")));
    }

    /// Opens a page and checks it.
    pub(crate) fn visit(&mut self, browser: &mut Browser, address: &str, name: &str) {
        browser.visit(address);
        self.look(browser, name);
    }
}

fn all() {
    let mut check = Check::new();
    let mut scene = Scene::new();
    before_anything(&mut check, &mut scene);
    of_the_student(&mut check, &mut scene);
    of_the_arena(&mut check, &mut scene);
    of_the_instructor(&mut check, &mut scene);
    for_playing(&mut check, &mut scene);
    for_writing(&mut check, &mut scene);
    in_chinese(&mut check, &mut scene);
    assert!(check.wrong.is_empty(), "{}", check.wrong.join("\n"));
}

/// Checks the page for writing, before and after a grading.
fn for_writing(check: &mut Check, scene: &mut Scene) {
    let address = scene.at("/c/ai/s/mahjong/write");
    scene.ada.visit(&address);
    is_free(&mut scene.ada);
    check.look(&mut scene.ada, "write");
    choose_language(&mut scene.ada, "wat");
    scene.ada.click("#grade");
    is_free(&mut scene.ada);
    scene.ada.click("#testcases button");
    is_free(&mut scene.ada);
    check.look(&mut scene.ada, "write-graded");
}

/// Checks the front pages, and the pages that are empty at the start.
fn before_anything(check: &mut Check, scene: &mut Scene) {
    let mut stranger = Browser::start();
    let at = |path: &str| scene.program.base.clone() + path;
    check.visit(&mut stranger, &at("/"), "stranger");
    check.visit(&mut stranger, &at("/c/ai"), "not-signed-in");
    check.visit(&mut stranger, &at("/start"), "start");
    check.visit(&mut stranger, &at("/join/abc"), "no-invitation");
    check.visit(&mut scene.teacher, &at("/"), "home-instructor");
    check.visit(&mut scene.bob, &at("/c/ai/s/mahjong/scoreboard"), "board-empty");
    check.visit(&mut scene.bob, &at("/c/ai"), "course-empty");
    check.visit(&mut scene.bob, &at("/nothing"), "not-found");
}

/// Checks a student's pages from the suite to the replay.
fn of_the_student(check: &mut Check, scene: &mut Scene) {
    let base = scene.program.base.clone();
    let at = |path: &str| base.clone() + path;
    let ada = &mut scene.ada;
    check.visit(ada, &at("/"), "home");
    check.visit(ada, &at("/c/ai/s/mahjong"), "suite");
    // A file that is not a module is reported on the suite's page.
    let text = scene.folder.path().join("notes.wasm");
    std::fs::write(&text, "not a module").unwrap();
    ada.choose_file("input[type=file]", &text);
    ada.follow("form[enctype] button");
    check.look(ada, "refused");
    submit(&mut scene.bob, &base, "mahjong-straightforward");
    ada.begin_with(STAND_STILL);
    let page = submit(ada, &base, "mahjong-distance");
    check.look(ada, "waiting");
    ada.value("sessionStorage.setItem('live', 'yes')");
    ada.visit(&page);
    graded(ada);
    graded(&mut scene.bob);
    ada.visit(&at("/c/ai/s/mahjong"));
    ada.choose_file("input[type=file]", &bot("mahjong-distance"));
    ada.follow("form[enctype] button");
    check.look(ada, "handed-in-before");
    check.visit(ada, &page, "submission");
    ada.value("document.querySelectorAll('details').forEach((one) => one.open = true)");
    check.look(ada, "submission-open");
    check.visit(ada, &format!("{page}/rounds/0/1#17"), "round");
    of_reviews(check, ada, &mut scene.teacher, &page);
    check.visit(ada, &at("/c/ai"), "course");
    check.visit(ada, &at("/c/ai/s/mahjong"), "suite-graded");
    check.visit(ada, &at("/c/ai/s/mahjong/scoreboard"), "board");
    ada.visit(&at("/me"));
    ada.type_into("input[name=label]", "laptop");
    ada.follow("form[action='/me/tokens'] button");
    check.look(ada, "token");
    check.visit(ada, &at("/me"), "me");
}

/// Checks a request for a review, its answer and adjusted points.
fn of_reviews(check: &mut Check, ada: &mut Browser, teacher: &mut Browser, page: &str) {
    ada.visit(page);
    ada.value(OPEN_ALL);
    let lines = "Round 2 of the second testcase ended by a trap.\n\nAt home it does not: \
                 https://example.org/a-very-long-address-that-has-no-place-to-break-a-line/12345678";
    ada.type_into("#review textarea", lines);
    ada.follow("#review form button");
    check.look(ada, "review-asked");
    let list = page.split("/submissions/").next().unwrap().to_owned() + "/c/ai/manage/reviews";
    check.visit(teacher, &list, "reviews");
    check.visit(teacher, page, "review-staff");
    teacher.type_into("#review textarea", "You are right: the testcase was wrong.");
    teacher.follow("#review form button");
    teacher.value(OPEN_ALL);
    teacher.type_into("#points textarea", "The testcase was wrong.");
    teacher.type_into("#points input[name=points]", "many");
    teacher.follow("#points form button");
    check.look(teacher, "points-refused");
    teacher.value("document.querySelector('#points input[name=points]').value = ''");
    teacher.type_into("#points input[name=points]", "9.5");
    teacher.follow("#points form button");
    check.look(teacher, "points-adjusted");
    check.visit(teacher, &list, "reviews-adjusted");
    check.visit(ada, page, "review-answered");
}

/// Checks a ladder with two bots, after their submissions were graded.
fn of_the_arena(check: &mut Check, scene: &mut Scene) {
    let base = scene.program.base.clone();
    make_arena(&mut scene.teacher, &base);
    let arena = format!("{base}/c/ai/a/tiles");
    check.visit(&mut scene.ada, &arena, "arena-empty");
    enter(&mut scene.ada, &base, "Nearest to ready");
    enter(&mut scene.bob, &base, "Simple");
    let played = "document.querySelectorAll(\"a[href*='/pairs/']\").length > 1";
    let bob = &mut scene.bob;
    visit_until(bob, &arena, played);
    check.look(bob, "arena");
    check.visit(bob, &format!("{base}/c/ai"), "course-arena");
    bob.visit(&arena);
    bob.follow("a[href*='/pairs/']");
    // The arena's page may reload itself in the meantime.
    bob.until("document.querySelector(\"a.main[href*='/pairs/']\") !== null");
    check.look(bob, "pair");
    bob.follow("a.main[href*='/pairs/']");
    check.look(bob, "pair-round");
    check.visit(&mut scene.teacher, &format!("{base}/c/ai/manage/a/tiles"), "manage-arena");
    check.visit(&mut scene.ada, &arena, "arena-author");
    scene.ada.follow("a[href*='/bots/']");
    check.look(&mut scene.ada, "arena-bot");
}

fn of_the_instructor(check: &mut Check, scene: &mut Scene) {
    let base = scene.program.base.clone();
    let teacher = &mut scene.teacher;
    for (path, name) in [
        ("/c/ai", "course-instructor"),
        ("/c/ai/s/mahjong/scoreboard", "board-instructor"),
        ("/c/ai/manage", "manage"),
        ("/c/ai/manage/people", "people"),
        ("/c/ai/manage/s/mahjong", "manage-suite"),
        ("/c/ai/manage/s/mahjong/submissions", "manage-submissions"),
        ("/c/ai/manage/s/mahjong/rejudge?which=all", "rejudge"),
    ] {
        check.visit(teacher, &format!("{base}{path}"), name);
    }
    preview(check, teacher, &base);
    teacher.visit(&format!("{base}/c/ai/manage/people"));
    teacher.type_into("textarea[name=names]", "Grace Hopper");
    teacher.follow("form[action$='/preview'] button");
    check.look(teacher, "people-preview");
    teacher.follow("form[action$='/invitations'] button");
    check.look(teacher, "links");
    let link = teacher.text("code");
    refusals(check, teacher, &base);
    let mut guest = Browser::start();
    check.visit(&mut guest, &link, "invitation");
    check.visit(teacher, &format!("{base}/c/ai/manage/people"), "people-invited");
}

/// Checks a preview of a grading with fewer testcases, from the form that asks for it.
fn preview(check: &mut Check, teacher: &mut Browser, base: &str) {
    teacher.visit(&format!("{base}/c/ai/manage"));
    let texts = ["suite.toml", "01-warm-up.toml"].map(|name| {
        let suite = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testcases/mahjong");
        json!([name, std::fs::read_to_string(suite.join(name)).unwrap()])
    });
    teacher.value(&format!(
        "const form = document.querySelector(\"form[action$='/upload']\"), all = new DataTransfer();
        form.closest('details').open = true;
        for (const [name, text] of {}) all.items.add(new File([text], name));
        form.elements.files.files = all.files;
        for (const name of ['replace', 'held']) form.elements[name].checked = true;",
        json!(texts),
    ));
    teacher.type_into("form[action$='/upload'] input[name=slug]", "mahjong");
    check.look(teacher, "manage-upload");
    teacher.follow("form[action$='/upload'] button");
    check.look(teacher, "manage-suite-waits");
    check.visit(teacher, &format!("{base}/c/ai/manage/s/mahjong/preview"), "preview");
    let page = teacher.location();
    visit_until(teacher, &page, "document.querySelector('tbody') !== null");
    check.look(teacher, "preview-complete");
    teacher.follow("form[action$='/discard'] button");
}

/// Checks refused forms, with the typed text, and a season that has ended.
fn refusals(check: &mut Check, teacher: &mut Browser, base: &str) {
    teacher.visit(&format!("{base}/c/ai/manage/people"));
    teacher.type_into("textarea[name=names]", "Eve eve@example.org");
    teacher.follow("form[action$='/preview'] button");
    check.look(teacher, "people-refused");
    teacher.visit(&format!("{base}/c/ai/manage"));
    teacher.type_into("form[action$='/suites'] input[name=slug]", "mahjong");
    teacher.follow("form[action$='/suites'] button");
    check.look(teacher, "manage-refused");
    teacher.visit(&format!("{base}/c/ai/manage/s/mahjong"));
    teacher.type_into("input[name=opens]", "2099-01-01 00:00");
    teacher.type_into("input[name=due]", "2098-01-01 00:00");
    teacher.follow("form[action$='/settings'] button");
    check.look(teacher, "manage-suite-refused");
    let arena = format!("{base}/c/ai/a/tiles");
    teacher.visit(&format!("{base}/c/ai/manage/a/tiles"));
    teacher.value("document.querySelector('[name=state]').value = 'paused'");
    teacher.follow("form[action$='/a/tiles'] button");
    teacher.value("document.querySelectorAll('details').forEach((one) => one.open = true)");
    teacher.follow("form[action$='/end'] button");
    check.visit(teacher, &format!("{arena}/seasons/1"), "season-closed");
    check.visit(teacher, &arena, "arena-new-season");
}

/// Checks pages in Chinese, where most texts are shorter.
fn in_chinese(check: &mut Check, scene: &mut Scene) {
    let base = scene.program.base.clone();
    let bob = &mut scene.bob;
    bob.visit(&format!("{base}/me"));
    bob.value("document.querySelector('[name=language]').value = 'zh'");
    bob.follow("form[action='/me/language'] button");
    for (path, name) in [
        ("/start?course=ai", "start-zh"),
        ("/c/ai", "course-zh"),
        ("/play/verify.html", "verify-zh"),
    ] {
        check.visit(bob, &format!("{base}{path}"), name);
    }
    bob.visit(&format!("{base}/c/ai/s/mahjong"));
    bob.follow("a[href^='/submissions/']");
    bob.value("document.querySelectorAll('details').forEach((one) => one.open = true)");
    bob.follow(".rounds a");
    check.look(bob, "round-zh");
    bob.visit(&format!("{base}/play/play.html?game=cc&seed=3&seat=1&course=ai"));
    idle(bob);
    check.look(bob, "play-zh");
    click(bob, "#resign");
    check.look(bob, "play-end-zh");
}

fn for_playing(check: &mut Check, scene: &mut Scene) {
    let base = scene.program.base.clone();
    let ada = &mut scene.ada;
    check.visit(ada, &format!("{base}/play/verify.html"), "verify");
    ada.visit(&format!("{base}/play/play.html"));
    ada.until("document.querySelector('#game').options.length > 0");
    check.look(ada, "play-form");
    ada.visit(&format!("{base}/play/play.html?game=cc&seed=3&seat=1"));
    idle(ada);
    check.look(ada, "play");
    ada.visit(&format!("{base}/c/ai/s/mahjong"));
    ada.follow("a[href^='/submissions/']");
    ada.follow("a[href*='/play/play.html?submission=']");
    ada.until("document.querySelector('#game').options.length === 1");
    check.look(ada, "play-own-form");
    ada.click("#start");
    ada.until("!document.querySelector('main').hasAttribute('data-empty')");
    idle(ada);
    check.look(ada, "play-own");
    click(ada, "#resign");
    check.look(ada, "play-own-end");
    ada.follow("#watch");
    check.look(ada, "play-own-round");
    // The list of rounds on the submission's page.
    ada.visit(&format!("{base}/c/ai/s/mahjong"));
    ada.follow("a[href^='/submissions/']");
    check.look(ada, "submission-played");
}
