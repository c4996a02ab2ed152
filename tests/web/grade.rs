//! The page that grades and compares: reports and figures equal those of the command line, and endless
//! loops end.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::Test;
use crate::browser::Browser;
use crate::support::{SILENT_BOT, run, sample, write};
use crate::{server, shots};

pub(crate) const TESTS: &[Test] = &[
    ("a_dropped_bot_gets_the_report_of_the_command_line", module),
    ("templates_in_the_editor_get_the_report_of_the_command_line", templates),
    ("the_budget_or_a_click_ends_an_endless_loop", endless),
    ("a_result_is_kept_until_its_rounds_are_replaced", replaced),
    ("a_digest_that_may_change_is_marked", doubtful),
    ("stored_versions_can_be_moved_to_another_browser", versions),
    ("a_lost_round_is_watched_and_its_replay_is_genuine", watched),
    ("a_bot_is_compared_with_its_earlier_version", compared),
    ("an_undecided_comparison_has_a_reason", unanswered),
    ("a_bot_is_compared_with_an_opponent_and_a_lost_round_is_watched", compared_with_opponent),
    ("the_budget_or_a_click_ends_an_endless_loop_in_a_comparison", compared_endless),
    ("the_site_works_without_a_network_after_a_visit", offline),
];

pub(crate) const FIREFOX: &[Test] =
    &[("firefox_gives_bots_the_report_of_the_command_line", in_firefox)];

pub(crate) const SHOTS: &[Test] = &[("screenshots_of_the_grading_page_are_made", shoot)];

/// A short suite, so that a test takes seconds.
const TESTCASE: &str = "title = \"Both ways\"\ngame = \"cc\"\nopponent = \"random\"\n\
                        seeds = [1, 2]\nmin_score = 10000\npoints = 20\n";

/// A bot that never answers.
const ENDLESS: &str = r#"(module (memory (export "memory") 1)
    (func (export "judge_buffer") (result i32) i32.const 0)
    (func (export "judge_line") (param i32) (result i32) (loop $again (br $again)) i32.const 0))"#;

/// A bot that calls itself until the stack is full, whose end each engine words in its own way.
const RECURSIVE: &str = r#"(module (memory (export "memory") 1)
    (func (export "judge_buffer") (result i32) i32.const 0)
    (func $down (export "judge_line") (param i32) (result i32)
        (i32.add (call $down (local.get 0)) (i32.const 1))))"#;

/// A bot that intake refuses, so that no worker plays it.
const REFUSED: &str = r#"(module (import "env" "system" (func)) (memory (export "memory") 1))"#;

/// A site with a short suite, one with little time and two bundled ones, and its address.
pub(crate) fn site(folder: &Path) -> String {
    let quick = format!("{TESTCASE}[limits]\ntime_ms = 30\n");
    site_of(folder, &[("short", TESTCASE), ("quick", &quick)])
}

/// A site with suites of one testcase each, by their names.
pub(crate) fn site_of(folder: &Path, suites: &[(&str, &str)]) -> String {
    let own = suites.iter().map(|(name, testcase)| {
        let suite = folder.join(name);
        std::fs::create_dir(&suite).unwrap();
        write(&suite, "suite.toml", "title = \"Short\"\n");
        write(&suite, "01-both.toml", testcase);
        format!("--suite={}/", suite.display())
    });
    let bundled = ["--suite=cc", "--suite=mahjong"].map(str::to_owned);
    let site = folder.join("site");
    let suites = own.chain(bundled);
    let ran = run(["page".to_owned(), site.display().to_string()].into_iter().chain(suites));
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    server::start_in(&site)
}

/// The page with one of the suites.
pub(crate) fn opened(address: &str, suite: &str) -> Browser {
    opened_in(Browser::start(), address, suite)
}

pub(crate) fn opened_in(mut browser: Browser, address: &str, suite: &str) -> Browser {
    browser.visit(&format!("{address}/?suite={suite}"));
    idle(&mut browser);
    browser
}

pub(crate) fn idle(browser: &mut Browser) {
    browser.until("document.querySelector('main')?.getAttribute('aria-busy') === 'false'");
    let trouble = browser.text("#trouble");
    assert_eq!(trouble, "", "{:?}", browser.complaints());
}

/// Chooses a file of the bot.
pub(crate) fn choose(browser: &mut Browser, file: &Path) {
    browser.value("document.querySelector('#kind').value = 'wasm'");
    browser.value("document.querySelector('#kind').dispatchEvent(new Event('change'))");
    idle(browser);
    browser.choose_file("#file", file);
    idle(browser);
}

/// Grades the bot in the page; returns the report without its times and traces.
pub(crate) fn graded(browser: &mut Browser, folder: &Path) -> Value {
    browser.click("#grade");
    idle(browser);
    let report = browser.download("#save-report", folder);
    comparable(&report)
}

/// A report as it can be compared: the functions in a trace come from a replay, which the page does
/// not make.
fn comparable(report: &str) -> Value {
    let mut report: Value = serde_json::from_str(report).unwrap();
    report.as_object_mut().unwrap().remove("timing");
    let bots = report["bots"].as_array_mut().unwrap().iter_mut();
    for case in bots.filter_map(|bot| bot["testcases"].as_array_mut()).flatten() {
        case.as_object_mut().unwrap().remove("trace");
    }
    report
}

/// The command line's report.
pub(crate) fn expected(bot: &Path, suite: &str) -> Value {
    let ran = run(["grade", bot.to_str().unwrap(), "--suite", suite, "--json", "-"]);
    assert!(ran.code < 2, "{}", ran.stderr);
    comparable(&ran.stdout)
}

/// The suite with all the time, for the command line.
fn short(folder: &Path) -> String {
    format!("{}/", folder.join("short").display())
}

fn module() {
    let folder = tempfile::tempdir().unwrap();
    let address = site(folder.path());
    let bots: &[&str] = &["cc-runner", "cc-stdio-c"];
    for bot in bots {
        let mut browser = opened(&address, "cc");
        choose(&mut browser, &sample(bot));
        let report = graded(&mut browser, folder.path());
        assert_eq!(report, expected(&sample(bot), "cc"), "{bot}");
        let digest = report["bots"][0]["digest"].as_str().unwrap().to_owned();
        assert_eq!(browser.text("#digest"), digest);
    }
}

/// A module and a script, with another engine than Chromium's.
fn in_firefox() {
    let folder = tempfile::tempdir().unwrap();
    let address = site(folder.path());
    let script = folder.path().join("script");
    let made = run(["new", script.to_str().unwrap(), "--lang", "javascript", "--game", "cc"]);
    assert_eq!(made.code, 0, "{}", made.stderr);
    let short = short(folder.path());
    let mut browser = opened_in(Browser::start_firefox(), &address, "short");
    for bot in [sample("cc-runner"), script.join("bot.js")] {
        browser.choose_file("#file", &bot);
        idle(&mut browser);
        let report = graded(&mut browser, folder.path());
        assert_eq!(report, expected(&bot, &short), "{}", bot.display());
        let digest = report["bots"][0]["digest"].as_str().unwrap();
        assert_eq!(browser.text("#digest"), digest);
    }
    // Firefox requests an icon, which the policy refuses, and uses a built-in font for parts of forms.
    let own = [address.as_str(), "blob:", "data:font/"];
    let complaints = browser.complaints();
    let others = complaints.iter().filter(|one| !own.iter().any(|start| one.starts_with(start)));
    let others: Vec<&String> = others.filter(|one| !one.contains("/favicon.ico")).collect();
    assert!(others.is_empty(), "{others:?}");
}

fn templates() {
    let folder = tempfile::tempdir().unwrap();
    let address = site(folder.path());
    for language in ["javascript", "python", "wat"] {
        let project = folder.path().join(language);
        let made = run(["new", project.to_str().unwrap(), "--lang", language, "--game", "cc"]);
        assert_eq!(made.code, 0, "{}", made.stderr);
        let ending = match language {
            "javascript" => "js",
            "python" => "py",
            _ => "wat",
        };
        let mut browser = opened(&address, "short");
        let kind = format!("document.querySelector('#kind').value = '{ending}'");
        browser.value(&kind);
        browser.value("document.querySelector('#kind').dispatchEvent(new Event('change'))");
        idle(&mut browser);
        let report = graded(&mut browser, &project);
        let source = project.join(format!("bot.{ending}"));
        assert_eq!(report, expected(&source, &short(folder.path())), "{language}");
    }
}

fn endless() {
    let folder = tempfile::tempdir().unwrap();
    let address = site(folder.path());
    let bot = write(folder.path(), "bot.wat", ENDLESS);
    let mut browser = opened(&address, "short");
    choose(&mut browser, &bot);
    let report = graded(&mut browser, folder.path());
    assert_eq!(report, expected(&bot, &short(folder.path())));
    let testcase = &report["bots"][0]["testcases"][0];
    assert_eq!(testcase["verdict"], "time-limit-exceeded", "{testcase}");
    browser.click("#grade");
    browser.until("!document.querySelector('#stop').hidden");
    browser.click("#stop");
    idle(&mut browser);
    assert_eq!(browser.text("#state"), "stopped");
    choose(&mut browser, &sample("cc-runner"));
    let report = graded(&mut browser, folder.path());
    assert_eq!(report, expected(&sample("cc-runner"), &short(folder.path())), "it plays on");
}

/// Buttons of an old result would play rounds of another suite or bot.
fn replaced() {
    let folder = tempfile::tempdir().unwrap();
    let address = site(folder.path());
    let bot = write(folder.path(), "bot.wat", ENDLESS);
    let mut browser = opened(&address, "short");
    let is_shown = |browser: &mut Browser| {
        browser.value("!document.querySelector('.graded').hidden") == json!(true)
    };
    choose(&mut browser, &sample("cc-runner"));
    graded(&mut browser, folder.path());
    assert!(is_shown(&mut browser));
    browser.value("document.querySelector('#suite').value = 'cc'");
    browser.value("document.querySelector('#suite').dispatchEvent(new Event('change'))");
    idle(&mut browser);
    assert!(!is_shown(&mut browser), "it is of another suite");
    graded(&mut browser, folder.path());
    choose(&mut browser, &bot);
    assert!(is_shown(&mut browser), "nothing was graded since");
    browser.click("#grade");
    browser.until("!document.querySelector('#stop').hidden");
    browser.until("/of/.test(document.querySelector('#state').textContent)");
    browser.click("#stop");
    idle(&mut browser);
    assert!(!is_shown(&mut browser), "it is of another bot");
}

/// Every graded source can be opened again, here and in a browser that imports the file.
fn versions() {
    let folder = tempfile::tempdir().unwrap();
    let address = site(folder.path());
    let bot = write(folder.path(), "endless.wat", ENDLESS);
    let mut browser = opened(&address, "short");
    let kept = |browser: &mut Browser| browser.text("#count");
    choose(&mut browser, &bot);
    graded(&mut browser, folder.path());
    graded(&mut browser, folder.path());
    assert_eq!(kept(&mut browser), "1", "the same source");
    let other = write(folder.path(), "deep.wat", RECURSIVE);
    choose(&mut browser, &other);
    assert_eq!(kept(&mut browser), "1", "it was graded");
    let unfinished = write(folder.path(), "unfinished.wat", "(module");
    choose(&mut browser, &unfinished);
    assert_eq!(kept(&mut browser), "2", "what is replaced is kept");
    let list = browser.text("#kept");
    assert!(
        list.contains("deep.wat not graded") && list.contains("endless.wat 0 points"),
        "{list}"
    );
    browser.value("document.querySelector('#versions').open = true");
    browser.click("#kept li:last-child button");
    idle(&mut browser);
    assert_eq!(kept(&mut browser), "3");
    let draft = browser.value(
        "new Promise((done) => {
           indexedDB.open('judge').onsuccess = ({ target: { result } }) => {
             const asked = result.transaction('drafts').objectStore('drafts').get('short/wat');
             asked.onsuccess = () => done(asked.result);
           };
         })",
    );
    assert_eq!(draft, json!(ENDLESS));
    let file = browser.download("#export", folder.path());
    let file = write(folder.path(), "moved.json", file);
    let mut elsewhere = opened(&address, "short");
    assert_eq!(kept(&mut elsewhere), "0");
    elsewhere.choose_file("#import", &file);
    idle(&mut elsewhere);
    assert_eq!(kept(&mut elsewhere), "3");
    elsewhere.choose_file("#import", &bot);
    elsewhere.until("!document.querySelector('#trouble').hidden");
    assert!(elsewhere.text("#trouble").contains("no versions"));
}

/// Chooses an entry of a list.
pub(crate) fn pick(browser: &mut Browser, list: &str, value: &str) {
    let picked = format!(
        "(() => {{ const list = document.querySelector('{list}'); list.value = '{value}';
           list.dispatchEvent(new Event('change')); return list.value; }})()"
    );
    assert_eq!(browser.value(&picked), json!(value));
}

/// A bot in WebAssembly text: the template with a change, because the page keeps no template.
fn changed_template(folder: &Path) -> PathBuf {
    let project = folder.join("template");
    let made = run(["new", project.to_str().unwrap(), "--lang", "wat", "--game", "cc"]);
    assert_eq!(made.code, 0, "{}", made.stderr);
    let text = std::fs::read_to_string(project.join("bot.wat")).unwrap();
    write(&project, "bot.wat", text + ";; changed\n")
}

/// Compares in the page, with 25 rounds; returns its figures as shown.
fn compare(browser: &mut Browser) -> [String; 4] {
    pick(browser, "#most", "25");
    browser.click("#compare");
    idle(browser);
    assert!(browser.text("#state").starts_with("compared in "), "{}", browser.text("#state"));
    ["#answer", "#difference", "#passed", "#compared tbody"].map(|place| browser.text(place))
}

/// The command line's figures of a comparison with 25 rounds, as the page shows them.
fn figures(old: &Path, new: &Path, suite: &Path) -> (Value, String) {
    let suite = format!("--suite={}/", suite.display());
    let (old, new) = (old.to_str().unwrap(), new.to_str().unwrap());
    let ran = run(["compare", old, new, &suite, "--rounds=25", "--json=-"]);
    assert!([0, 1, 5].contains(&ran.code), "{}", ran.stderr);
    let figures = ran.json();
    let signed = |end: &str| {
        let end = figures["difference"][end].as_f64().unwrap();
        format!("{end:+.2}").replace('-', "−")
    };
    let [value, low, high] = ["value", "low", "high"].map(signed);
    (figures, format!("Score difference in a round: {value}, 95 % interval {low} … {high}."))
}

/// The figures are those of the command line, and the compared source is kept.
fn compared() {
    let folder = tempfile::tempdir().unwrap();
    let address = site(folder.path());
    let silent = write(folder.path(), "silent.wat", SILENT_BOT);
    let bot = changed_template(folder.path());
    let mut browser = opened(&address, "short");
    choose(&mut browser, &silent);
    graded(&mut browser, folder.path());
    browser.choose_file("#file", &bot);
    idle(&mut browser);
    let [answer, difference, passed, row] = compare(&mut browser);
    assert_eq!(answer, "The present version scores more than the earlier one.");
    let (figures, told) = figures(&silent, &bot, &folder.path().join("short"));
    assert_eq!(difference, format!("{told} 25 rounds per testcase and version."));
    assert!(passed.starts_with("Testcases passed on average: 0.00 → "), "{passed}");
    let mean = figures["testcases"][0]["mean"][1].as_f64().unwrap();
    assert!(row.contains(&format!("– → {mean:.2}")), "{row}");
    assert!(row.contains("rounds with faults: 25 → 0"), "{row}");
    assert!(browser.text("#no-loss").contains("no points"), "{row}");
    assert_eq!(browser.text("#count"), "2", "a compared source is kept");
    // The newest version is the one in the editor.
    let newest = browser.value("document.querySelectorAll('#rival option')[1].value");
    pick(&mut browser, "#rival", newest.as_str().unwrap());
    browser.click("#compare");
    browser.until("!document.querySelector('#trouble').hidden");
    assert_eq!(browser.text("#trouble"), "both versions are the same module");
    let shown = browser.value("!document.querySelector('.compared').hidden");
    assert_eq!(shown, json!(true), "nothing was compared since");
    let mut elsewhere = opened(&address, "short");
    elsewhere.click("#compare");
    elsewhere.until("!document.querySelector('#trouble').hidden");
    assert!(elsewhere.text("#trouble").contains("grade one first"));
}

/// An error of the earlier version is not one of the source in the editor, and a failure of the judge is
/// not a draw.
fn unanswered() {
    let folder = tempfile::tempdir().unwrap();
    let address = site(folder.path());
    let broken = write(folder.path(), "broken.wat", "(module");
    let bot = changed_template(folder.path());
    let mut browser = opened(&address, "short");
    for file in [&broken, &bot] {
        browser.choose_file("#file", file);
        idle(&mut browser);
    }
    browser.click("#compare");
    browser.until("!document.querySelector('#trouble').hidden");
    let trouble = browser.text("#trouble");
    assert!(trouble.starts_with("the earlier version does not build: "), "{trouble}");
    let hidden = "['#losses', '#no-loss'].map((part) => document.querySelector(part).hidden)";
    assert_eq!(answer(&mut browser, 25), JUDGE_FAILED);
    assert_eq!(browser.value(hidden), json!([true, true]), "no round was lost, and none was won");
    assert_eq!(answer(&mut browser, 24), EQUAL);
    assert_eq!(browser.value(hidden), json!([false, false]));
}

const JUDGE_FAILED: &str = "The judge failed on every seed, so there is no answer.";
const EQUAL: &str = "Every seed gives the same difference, so the rounds do not decide.";

/// The page's answer for a comparison of 25 seeds, on some of which the judge failed.
fn answer(browser: &mut Browser, errors: u64) -> Value {
    let figures = json!({
        "testcases": [], "worst": [], "rounds": 25, "judge_errors": errors, "passed": [0, 0],
        "difference": { "value": 0, "low": null, "high": null }, "answer": "undecided",
    });
    browser.value(&format!(
        "import('./compare.js').then(({{ Comparison }}) => {{
           new Comparison(() => {{}}).show({figures});
           return document.querySelector('#answer').textContent;
         }})"
    ))
}

/// Both replays of a lost round are genuine.
fn compared_with_opponent() {
    let folder = tempfile::tempdir().unwrap();
    let address = site(folder.path());
    let module = sample("cc-runner");
    let mut browser = opened(&address, "short");
    choose(&mut browser, &module);
    pick(&mut browser, "#rival", "opponent/lookahead");
    let [answer, difference, ..] = compare(&mut browser);
    assert!(answer.contains("lookahead"), "{answer}");
    assert!(difference.contains("25 rounds"), "{difference}");
    for (button, player, modules) in [(1, "lookahead", &[][..]), (2, "cc-runner", &[&module])] {
        browser.click(&format!("#lost li:first-child button:nth-of-type({button})"));
        idle(&mut browser);
        assert!(browser.text("#players").starts_with(player), "{}", browser.text("#players"));
        let replay = browser.download("#save-replay", folder.path());
        let file = write(folder.path(), "round.jsonl", &replay);
        let modules = modules.iter().map(|module: &&PathBuf| module.as_path());
        let ran = run([Path::new("verify"), &file].into_iter().chain(modules));
        assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
        let label = browser.text(&format!("#lost li:first-child button:nth-of-type({button})"));
        let (_, score) = label.split_once(": ").unwrap();
        let trailer: Value = serde_json::from_str(replay.lines().next_back().unwrap()).unwrap();
        let scores = trailer["outcome"]["scores"].as_array().unwrap();
        assert_eq!(scores[0].to_string(), score, "{trailer}");
    }
    browser.value("document.querySelector('#suite').value = 'cc'");
    browser.value("document.querySelector('#suite').dispatchEvent(new Event('change'))");
    idle(&mut browser);
    let hidden = browser.value("document.querySelector('.compared').hidden");
    assert_eq!(hidden, json!(true), "it is of another suite");
}

fn compared_endless() {
    let folder = tempfile::tempdir().unwrap();
    let address = site(folder.path());
    let bot = changed_template(folder.path());
    let endless = write(folder.path(), "endless.wat", ENDLESS);
    let mut browser = opened(&address, "quick");
    choose(&mut browser, &bot);
    graded(&mut browser, folder.path());
    browser.choose_file("#file", &endless);
    idle(&mut browser);
    let [answer, difference, _, row] = compare(&mut browser);
    assert_eq!(answer, "The present version scores less than the earlier one.");
    let (_, told) = figures(&bot, &endless, &folder.path().join("quick"));
    assert!(difference.starts_with(&told), "{difference}, {told}");
    assert!(row.contains("rounds with faults: 0 → 25"), "{row}");
    // With all the time of the other suite.
    pick(&mut browser, "#suite", "short");
    idle(&mut browser);
    browser.choose_file("#file", &endless);
    idle(&mut browser);
    pick(&mut browser, "#rival", "opponent/random");
    pick(&mut browser, "#most", "400");
    browser.click("#compare");
    browser.until("/of at most 800 rounds/.test(document.querySelector('#state').textContent)");
    browser.click("#stop");
    idle(&mut browser);
    assert_eq!(browser.text("#state"), "stopped");
    assert_eq!(browser.value("document.querySelector('.compared').hidden"), json!(true));
    browser.choose_file("#file", &bot);
    idle(&mut browser);
    let [answer, ..] = compare(&mut browser);
    assert!(answer.contains("random"), "it plays on: {answer}");
}

fn doubtful() {
    let folder = tempfile::tempdir().unwrap();
    let address = site(folder.path());
    let mut browser = opened(&address, "short");
    for (text, is_doubtful) in [(RECURSIVE, true), (REFUSED, false), (ENDLESS, false)] {
        let bot = write(folder.path(), "bot.wat", text);
        choose(&mut browser, &bot);
        graded(&mut browser, folder.path());
        let hidden = browser.value("document.querySelector('#unsure').hidden");
        assert_eq!(hidden, json!(!is_doubtful), "{text}");
    }
}

fn watched() {
    let folder = tempfile::tempdir().unwrap();
    let address = site(folder.path());
    let mut browser = opened(&address, "short");
    choose(&mut browser, &sample("cc-runner"));
    let report = graded(&mut browser, folder.path());
    browser.click("#testcases button");
    idle(&mut browser);
    let replay = browser.download("#save-replay", folder.path());
    let rounds = report["bots"][0]["testcases"][0]["rounds"].as_array().unwrap();
    let file = write(folder.path(), "round.jsonl", &replay);
    let module = sample("cc-runner");
    let ran = run(["verify", file.to_str().unwrap(), module.to_str().unwrap()]);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    let known = |round: &Value| replay.contains(round["digest"].as_str().unwrap());
    assert!(rounds.iter().any(known), "{rounds:?}");
    let at = |browser: &mut Browser| browser.value("document.querySelector('#at').value");
    assert_eq!(at(&mut browser), json!("0"));
    browser.click("#last");
    browser.until("document.querySelector('#line').textContent === 'the end'");
    browser.until("document.querySelector('#picture svg') !== null");
    let complaints = browser.complaints();
    let others: Vec<&String> = complaints
        .iter()
        .filter(|one| !one.starts_with(&address) && !one.starts_with("blob:"))
        .collect();
    assert!(others.is_empty(), "{others:?}");
}

/// The site's files are kept after the first visit.
fn offline() {
    let folder = tempfile::tempdir().unwrap();
    let address = site(folder.path());
    let mut browser = opened(&address, "short");
    browser.until("navigator.serviceWorker.ready.then(() => true)");
    for name in ["index.html", "judge-grade.wasm", "site.json", "codemirror.js", "system.js"] {
        browser.until(&format!("caches.match('{name}').then(Boolean)"));
    }
}

/// The page before and after a grading.
fn shoot() {
    let folder = shots::folder().expect("run only if there is one");
    std::fs::create_dir_all(&folder).unwrap();
    let place = tempfile::tempdir().unwrap();
    let address = site(place.path());
    for (name, width, scheme) in
        [("light", 1280, "light"), ("dark", 1280, "dark"), ("phone", 360, "light")]
    {
        let mut browser = opened(&address, "cc");
        browser.screen(width, if width < 500 { 740 } else { 900 });
        browser.prefer(scheme);
        browser.shoot(&folder.join(format!("grade-{name}-start.png")), true);
        browser.click("#grade");
        idle(&mut browser);
        browser.click("#testcases button");
        idle(&mut browser);
        browser.shoot(&folder.join(format!("grade-{name}.png")), true);
        pick(&mut browser, "#rival", "opponent/lookahead");
        compare(&mut browser);
        browser.shoot(&folder.join(format!("compare-{name}.png")), true);
        shoot_unanswered(&mut browser, place.path(), &folder.join(format!("compare-{name}")));
    }
}

/// A refused comparison, and one without an answer because the judge failed.
fn shoot_unanswered(browser: &mut Browser, place: &Path, to: &Path) {
    for text in ["(module", SILENT_BOT] {
        let bot = write(place, "bot.wat", text);
        browser.choose_file("#file", &bot);
        browser.until("document.querySelector('main').getAttribute('aria-busy') === 'false'");
    }
    pick(browser, "#rival", "previous");
    browser.click("#compare");
    browser.until("!document.querySelector('#trouble').hidden");
    browser.shoot(&to.with_extension("refused.png"), true);
    assert_eq!(answer(browser, 25), JUDGE_FAILED);
    browser.shoot(&to.with_extension("failed.png"), true);
    assert_eq!(answer(browser, 24), EQUAL);
    browser.shoot(&to.with_extension("equal.png"), true);
}
