//! A course with an instructor and two students, each in a separate browser.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::browser::Browser;
use crate::program::Program;

/// A server and the people on it.
pub(crate) struct Scene {
    pub(crate) program: Program,
    pub(crate) teacher: Browser,
    pub(crate) ada: Browser,
    pub(crate) bob: Browser,
    /// Removed on drop.
    pub(crate) folder: TempDir,
}

/// The path of a sample bot's module.
pub(crate) fn bot(name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sample-bots/prebuilt");
    root.join(format!("{name}.wasm")).canonicalize().unwrap()
}

impl Scene {
    /// Sets up two signed-in students from an empty folder, using only the pages.
    pub(crate) fn new() -> Scene {
        let folder = tempfile::tempdir().unwrap();
        let program = Program::start(&folder.path().join("data"));
        let [mut teacher, mut ada, mut bob] = [(); 3].map(|()| Browser::start());
        become_instructor(&program, &mut teacher);
        let links = make_course(&program, &mut teacher);
        for (browser, link) in [(&mut ada, &links[0]), (&mut bob, &links[1])] {
            browser.visit(link);
            browser.follow("button.main");
        }
        Scene { program, teacher, ada, bob, folder }
    }

    /// The address of a page.
    pub(crate) fn at(&self, path: &str) -> String {
        format!("{}{path}", self.program.base)
    }
}

pub(crate) fn become_instructor(program: &Program, teacher: &mut Browser) {
    teacher.visit(&program.link);
    teacher.type_into("input[name=name]", "Tess");
    teacher.follow("button.main");
}

/// Creates a course with a suite, and returns the links of Ada and Bob.
pub(crate) fn make_course(program: &Program, teacher: &mut Browser) -> Vec<String> {
    teacher.visit(&program.base);
    teacher.type_into("input[name=title]", "Artificial Play");
    teacher.type_into("input[name=slug]", "ai");
    teacher.follow("form[action='/courses'] button");
    teacher.visit(&format!("{}/c/ai/manage", program.base));
    teacher.value("document.querySelector('select[name=bundled]').value = 'mahjong'");
    teacher.type_into("input[name=slug]", "mahjong");
    teacher.type_into("input[name=due]", "2099-12-24 23:59");
    teacher.follow("form[action$='/suites'] button");
    teacher.visit(&format!("{}/c/ai/manage/people", program.base));
    teacher.type_into("textarea[name=names]", "Ada Lovelace\nBob");
    teacher.follow("form[action$='/preview'] button");
    teacher.follow("form[action$='/invitations'] button");
    let links = teacher.value("[...document.querySelectorAll('code')].map(e => e.textContent)");
    serde_json::from_value(links).unwrap()
}

/// Submits a module by the form of the suite's page, and returns the address of the submission's
/// page.
pub(crate) fn submit(browser: &mut Browser, base: &str, module: &str) -> String {
    browser.visit(&format!("{base}/c/ai/s/mahjong"));
    browser.choose_file("input[type=file]", &bot(module));
    browser.follow("form[enctype] button");
    let page = browser.location();
    assert!(page.contains("/submissions/"), "{page}: {}", browser.text("main"));
    page
}

/// Waits until the submission's page shows its result.
pub(crate) fn graded(browser: &mut Browser) {
    browser
        .until("document.readyState === 'complete' && document.querySelector('.tiles') !== null");
}

/// Creates an arena of the suite's game.
pub(crate) fn make_arena(teacher: &mut Browser, base: &str) {
    teacher.visit(&format!("{base}/c/ai/manage"));
    let form = "form[action$='/manage/arenas']";
    teacher.value(&format!("document.querySelector(\"{form} [name=game]\").value = 'mahjong'"));
    teacher.type_into(&format!("{form} [name=slug]"), "tiles");
    teacher.type_into(&format!("{form} [name=season]"), "Autumn");
    teacher.follow(&format!("{form} button"));
}

/// Enters the latest submission.
pub(crate) fn enter(browser: &mut Browser, base: &str, name: &str) {
    browser.visit(&format!("{base}/c/ai/a/tiles"));
    browser.type_into("#enter [name=name]", name);
    browser.follow("#enter button");
    let entered = browser.text("main");
    assert!(entered.contains(name), "{entered}");
}

/// Reloads a page until a script returns true.
pub(crate) fn visit_until(browser: &mut Browser, address: &str, script: &str) {
    browser.visit(address);
    while !browser.says(script) {
        browser.visit(address);
    }
}
