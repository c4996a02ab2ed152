//! AssemblyScript on the page that grades: the command line's reports, errors at their lines, and the
//! compiler, which is loaded only on demand.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::browser::Browser;
use crate::completions::complete;
use crate::grade::{choose, expected, graded, idle, opened, opened_in, pick, site};
use crate::support::{all_tests, run, sample, write};
use crate::{Test, server, shots};

pub(crate) const TESTS: &[Test] = &[
    ("templates_in_assemblyscript_get_the_report_of_the_command_line", templates),
    ("errors_of_assemblyscript_are_marked_at_their_lines", errors),
    ("the_editor_completes_names_of_the_kit_for_assemblyscript", completed),
    ("a_compilation_ends_by_a_click", stopped),
    ("a_compiler_is_kept_after_its_first_use", kept),
    ("a_page_without_a_compiler_says_what_to_do", without_compiler),
];

pub(crate) const FIREFOX: &[Test] =
    &[("firefox_compiles_assemblyscript_to_the_module_of_the_command_line", in_firefox)];

pub(crate) const SHOTS: &[Test] = &[("assemblyscript_can_be_looked_at", shoot)];

/// The text of an error in the template for Capturing & Conquering, with its place.
const WRONG: (&str, &str) = ("return 1000;", "return \"a\";");
const WRONG_AT: &str = "if (cc.result(cc.apply(state, move)) == state.seat) return \"a\";";
const MESSAGE: &str = "line 11: Type '~lib/string/String' is not assignable to type 'i32'.";

/// A site of short suites with the compiler, one of each game, and its address; none without a
/// compiler.
fn site_with_compiler(folder: &Path) -> Option<String> {
    let suites = judge_games::all().iter().map(|game| {
        let suite = folder.join(game.name());
        std::fs::create_dir(&suite).unwrap();
        write(&suite, "suite.toml", "title = \"Short\"\n");
        let opponent = game.opponents()[0].name;
        let testcase = format!(
            "title = \"One\"\ngame = \"{}\"\nopponent = \"{opponent}\"\nseeds = [1, 2]\n\
             min_score = 1\npoints = 10\n",
            game.name(),
        );
        write(&suite, "01-one.toml", testcase);
        format!("--suite={}/", suite.display())
    });
    let site = folder.join("site");
    let first = ["page".to_owned(), site.display().to_string(), "--assemblyscript".to_owned()];
    let ran = run(first.into_iter().chain(suites));
    if ran.stderr.contains("error: no compiler for AssemblyScript") {
        assert!(!all_tests(), "{}", ran.stderr);
        eprintln!("skipped: no compiler for AssemblyScript");
        return None;
    }
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    Some(server::start_in(&site))
}

/// The source of a new project.
fn template(folder: &Path, game: &str) -> PathBuf {
    let project = folder.join("projects").join(game);
    std::fs::create_dir_all(project.parent().unwrap()).unwrap();
    let made = run(["new", project.to_str().unwrap(), "--lang", "ts", "--game", game]);
    assert_eq!(made.code, 0, "{}", made.stderr);
    project.join("bot.ts")
}

/// The editor's marked line.
const MARKED: &str =
    "document.querySelector('#editor').shadowRoot.querySelector('.cm-fault')?.textContent ?? ''";

/// Presses a button; returns the page's complaint.
fn refused(browser: &mut Browser, button: &str) -> String {
    browser.click(button);
    browser.until("document.querySelector('main').getAttribute('aria-busy') === 'false'");
    browser.until("!document.querySelector('#trouble').hidden");
    browser.text("#trouble")
}

/// Asserts that the page asked only its own server.
fn assert_own(browser: &mut Browser, address: &str) {
    let complaints = browser.complaints();
    let own = |one: &&String| !one.starts_with(address) && !one.starts_with("blob:");
    let others: Vec<&String> = complaints.iter().filter(own).collect();
    assert!(others.is_empty(), "{others:?}");
}

fn templates() {
    let folder = tempfile::tempdir().unwrap();
    let Some(address) = site_with_compiler(folder.path()) else { return };
    let mut browser = opened(&address, "cc");
    for game in judge_games::all() {
        pick(&mut browser, "#suite", game.name());
        idle(&mut browser);
        pick(&mut browser, "#kind", "ts");
        idle(&mut browser);
        let report = graded(&mut browser, folder.path());
        let suite = format!("{}/", folder.path().join(game.name()).display());
        let source = template(folder.path(), game.name());
        assert_eq!(report, expected(&source, &suite), "{}", game.name());
    }
    assert_own(&mut browser, &address);
}

/// Firefox runs the compiler under the same content policy.
fn in_firefox() {
    let folder = tempfile::tempdir().unwrap();
    let Some(address) = site_with_compiler(folder.path()) else { return };
    let mut browser = opened_in(Browser::start_firefox(), &address, "cc");
    let source = template(folder.path(), "cc");
    browser.choose_file("#file", &source);
    idle(&mut browser);
    let report = graded(&mut browser, folder.path());
    let suite = format!("{}/", folder.path().join("cc").display());
    assert_eq!(report, expected(&source, &suite));
}

/// Errors of the compiler, and a failure in a round.
fn errors() {
    let folder = tempfile::tempdir().unwrap();
    let Some(address) = site_with_compiler(folder.path()) else { return };
    let text = std::fs::read_to_string(template(folder.path(), "cc")).unwrap();
    let wrong = write(folder.path(), "wrong.ts", text.replace(WRONG.0, WRONG.1));
    let mut browser = opened(&address, "cc");
    browser.choose_file("#file", &wrong);
    idle(&mut browser);
    let trouble = refused(&mut browser, "#grade");
    assert_eq!(trouble, format!("`wrong.ts` does not compile:\n{MESSAGE}"));
    let marked = browser.value(MARKED);
    assert!(marked.as_str().unwrap().contains(WRONG_AT), "{marked}");
    // Without the error nothing is marked, and the page plays on.
    let thrown =
        text.replace("let best = moves[0];", "let best = moves[0];\n  throw new Error(\"lost\");");
    let thrown = write(folder.path(), "thrown.ts", thrown);
    browser.choose_file("#file", &thrown);
    browser.until("document.querySelector('main').getAttribute('aria-busy') === 'false'");
    browser.click("#run");
    idle(&mut browser);
    let marked = browser.value(MARKED);
    assert!(marked.as_str().unwrap().contains("throw new Error"), "{marked}");
    assert!(browser.text("#ending").contains("aborted"), "{}", browser.text("#ending"));
}

/// The editor completes the names of this kit, too.
fn completed() {
    let folder = tempfile::tempdir().unwrap();
    let Some(address) = site_with_compiler(folder.path()) else { return };
    let text = "\nimport * as rules from './judge-bot/cc';\n";
    let source = write(folder.path(), "bot.ts", text);
    let mut browser = opened(&address, "cc");
    for (typed, completion, help) in [
        ("rules.leg", "legalMoves(state, most)", "The legal moves"),
        ("nextState.max", "maxPlies", "Number of moves after which"),
        ("tools.lo", "log(text)", "Writes a line to the bot's log"),
    ] {
        let [found, told] = complete(&mut browser, &source, typed);
        assert_eq!(found, completion, "{typed}");
        assert!(told.starts_with(help), "{typed}: {told}");
    }
}

fn stopped() {
    let folder = tempfile::tempdir().unwrap();
    let Some(address) = site_with_compiler(folder.path()) else { return };
    let mut browser = opened(&address, "cc");
    pick(&mut browser, "#kind", "ts");
    idle(&mut browser);
    let told = browser.value(
        "(() => {
           document.querySelector('#grade').click();
           const { textContent: told } = document.querySelector('#state');
           document.querySelector('#stop').click();
           return told;
         })()",
    );
    assert_eq!(told, json!("loading the compiler…"));
    idle(&mut browser);
    assert_eq!(browser.text("#state"), "stopped");
    let report = graded(&mut browser, folder.path());
    assert_eq!(report["bots"][0]["points"], json!(10), "it plays on: {report}");
}

/// True if a file of the site is kept for visits without a network.
fn is_kept(browser: &mut Browser, name: &str) -> bool {
    browser.value(&format!("caches.match('{name}').then(Boolean)")) == json!(true)
}

fn kept() {
    let folder = tempfile::tempdir().unwrap();
    let Some(address) = site_with_compiler(folder.path()) else { return };
    let mut browser = opened(&address, "cc");
    browser.until("navigator.serviceWorker.ready.then(() => true)");
    assert!(is_kept(&mut browser, "compile-worker.js"));
    assert!(!is_kept(&mut browser, "assemblyscript/binaryen.js"));
    pick(&mut browser, "#kind", "ts");
    idle(&mut browser);
    browser.click("#run");
    idle(&mut browser);
    for name in ["asc.js", "assemblyscript.js", "binaryen.js", "long.js", "compiler.json"] {
        browser.until(&format!("caches.match('assemblyscript/{name}').then(Boolean)"));
    }
}

fn without_compiler() {
    let folder = tempfile::tempdir().unwrap();
    let address = site(folder.path());
    let mut browser = opened(&address, "short");
    let offered =
        browser.value("[...document.querySelectorAll('#kind option')].map((one) => one.value)");
    assert_eq!(offered, json!(["js", "py", "wat", "wasm"]));
    let source = write(folder.path(), "mine.ts", "run();\n");
    browser.choose_file("#file", &source);
    browser.until("!document.querySelector('#trouble').hidden");
    let trouble = browser.text("#trouble");
    assert!(trouble.contains("run `judge build mine.ts`, and choose the module"), "{trouble}");
    choose(&mut browser, &sample("cc-runner"));
    graded(&mut browser, folder.path());
}

/// The editor with an error, and a graded bot.
fn shoot() {
    let folder = shots::folder().expect("run only if there is one");
    std::fs::create_dir_all(&folder).unwrap();
    let place = tempfile::tempdir().unwrap();
    let Some(address) = site_with_compiler(place.path()) else { return };
    let text = std::fs::read_to_string(template(place.path(), "cc")).unwrap();
    let text = text.replace(WRONG.0, WRONG.1).replace("let i = 1", "let i: u8 = far");
    let wrong = write(place.path(), "wrong.ts", text);
    for (name, width, scheme) in [
        ("light", 1280, "light"),
        ("dark", 1280, "dark"),
        ("phone", 360, "light"),
        ("phone-dark", 360, "dark"),
    ] {
        let mut browser = opened(&address, "cc");
        browser.screen(width, if width < 500 { 740 } else { 900 });
        browser.prefer(scheme);
        browser.choose_file("#file", &wrong);
        idle(&mut browser);
        refused(&mut browser, "#grade");
        browser.shoot(&folder.join(format!("assemblyscript-{name}-error.png")), true);
        browser.click("#template");
        browser.until("document.querySelector('main').getAttribute('aria-busy') === 'false'");
        let report: Value = graded(&mut browser, place.path());
        assert_eq!(report["bots"][0]["points"], json!(10), "{report}");
        browser.shoot(&folder.join(format!("assemblyscript-{name}.png")), true);
    }
}
