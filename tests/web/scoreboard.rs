//! The scoreboard and a student's page sort, find and explain, and run no injected script.

use std::path::PathBuf;

use judge_core::{BotReport, GradeReport};
use serde_json::json;
use tempfile::TempDir;

use crate::Test;
use crate::browser::Browser;
use crate::support::{large_report, run, sample, write};

pub(crate) const TESTS: &[Test] = &[
    ("a_board_is_sorted_by_any_column", sorts),
    ("a_board_finds_names_and_explains_cells", finds),
    ("names_on_a_scoreboard_run_no_script", hostile),
    ("scoreboards_and_students_pages_fit_a_phone", fits),
    ("a_board_of_300_students_opens_fast", opens),
    ("links_lead_from_a_mark_to_its_moves", traces),
    ("signs_stay_next_to_the_names_on_a_phone", signs),
    ("equal_faults_are_folded_into_one", folded),
];

/// Names that try to inject markup.
const ATTACKS: [&str; 5] = [
    "<script>window.taken=1</script>",
    "</title><script>window.taken=1</script>",
    "<img src=x onerror='window.taken=1'>",
    "\"><svg onload=window.taken=1>",
    "\u{202e}gnp.<b>bold</b>\u{1b}[31m",
];

/// The board of a report.
fn board(folder: &TempDir, report: &str) -> PathBuf {
    let report = write(folder.path(), "report.json", report);
    let page = folder.path().join("scoreboard.html");
    let ran = run(["scoreboard".as_ref(), report.as_os_str(), "--html".as_ref(), page.as_os_str()]);
    assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.as_str()), (0, "", ""));
    page
}

fn changed(change: impl Fn(&mut Vec<BotReport>)) -> String {
    let mut report = GradeReport::from_json(&large_report()).unwrap();
    change(&mut report.bots);
    report.sealed().to_json()
}

/// A course with pages: a good bot, a weak one, one for another game and an invalid module.
pub(crate) fn course() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let submissions = folder.path().join("in");
    std::fs::create_dir(&submissions).unwrap();
    for (name, bot) in [
        ("ada", "mahjong-hunter"),
        ("grace", "mahjong-distance"),
        ("<img src=x onerror=window.taken=1>", "mahjong-straightforward"),
        ("linus", "cc-runner"),
    ] {
        std::fs::copy(sample(bot), submissions.join(name).with_extension("wasm")).unwrap();
    }
    write(&submissions, "eve.wasm", "not a module");
    let out = folder.path().join("out");
    let [submissions, out] = [&submissions, &out].map(|path| path.to_str().unwrap());
    let ran = run(["grade", submissions, "--suite", "mahjong", "--out", out]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    folder
}

/// The cells of a column, from the top.
fn column(browser: &mut Browser, at: usize) -> Vec<String> {
    let script = format!(
        "[...document.querySelectorAll('#board tbody tr')].filter(row => !row.hidden)
             .map(row => row.cells[{at}].textContent)"
    );
    let found = browser.value(&script);
    found.as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect()
}

/// The first whole number in each. Cells of faults have none, and come last.
fn figures(texts: &[String]) -> Vec<i64> {
    let has_figure = |text: &String| text.contains(|c: char| c.is_ascii_digit());
    let count = texts.partition_point(has_figure);
    assert!(!texts[count..].iter().any(has_figure), "{texts:?}");
    let texts = &texts[..count];
    let figure = |text: &String| {
        let from = text.find(|c: char| c.is_ascii_digit()).unwrap();
        let digits: String = text[from..].chars().take_while(char::is_ascii_digit).collect();
        let minus = text[..from].ends_with('-');
        digits.parse::<i64>().unwrap() * if minus { -1 } else { 1 }
    };
    texts.iter().map(figure).collect()
}

fn sorts() {
    let folder = tempfile::tempdir().unwrap();
    let page = board(&folder, &large_report());
    let mut browser = Browser::start();
    browser.open(&page);
    let order = |browser: &mut Browser, at: usize| figures(&column(browser, at));
    let rising = |figures: &[i64]| figures.is_sorted();
    let falling = |figures: &[i64]| figures.is_sorted_by(|one, other| one >= other);
    let ranks = order(&mut browser, 0);
    assert_eq!(ranks.len(), 300);
    assert!(rising(&ranks) && falling(&order(&mut browser, 2)), "best first: {ranks:?}");
    for at in [2, 3, 4, 6, 45] {
        let button = format!("#board thead th:nth-child({}) button", at + 1);
        browser.value(&format!("document.querySelector('{button}').click()"));
        assert!(falling(&order(&mut browser, at)), "column {at}");
        browser.value(&format!("document.querySelector('{button}').click()"));
        assert!(rising(&order(&mut browser, at)), "column {at}, the other way");
        let sorted = browser.value(
            "[...document.querySelectorAll('[aria-sort]')].map(head => head.cellIndex + head.ariaSort).join()",
        );
        assert_eq!(sorted, format!("{at}ascending"));
    }
    browser.click("#board thead th:nth-child(2) button");
    let names = column(&mut browser, 1);
    assert!(names.is_sorted() && names[0].contains("student 000"), "{:?}", &names[..3]);
    browser.click("#board thead th:nth-child(1) button");
    assert_eq!(order(&mut browser, 0), ranks);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

fn finds() {
    let folder = tempfile::tempdir().unwrap();
    let page = board(&folder, &large_report());
    let mut browser = Browser::start();
    browser.open(&page);
    let find = |browser: &mut Browser, text: &str| {
        browser.value(&format!(
            "filter.value = {}; filter.dispatchEvent(new Event('input'))",
            json!(text)
        ));
        column(browser, 1)
    };
    assert_eq!(find(&mut browser, "STUDENT 04").len(), 10);
    assert_eq!(browser.text("#count"), "10 of 300");
    assert_eq!(find(&mut browser, "nobody").len(), 0);
    assert_eq!(find(&mut browser, "").len(), 300);
    assert_eq!(browser.text("#count"), "");
    find(&mut browser, "student 299");
    browser.value(
        "document.querySelector('#board tbody tr:not([hidden]) td:nth-child(9)')
             .dispatchEvent(new PointerEvent('pointerover', { bubbles: true }))",
    );
    let told = browser.text("#told");
    assert!(told.starts_with("student 299") && told.contains("03-testcase: "), "{told}");
    assert!(told.contains("of 390 needed ("), "{told}");
    // Switches to symbols instead of scores, and back.
    let size = "document.querySelector('#board tbody td:nth-child(8)').offsetWidth";
    let narrow = browser.value(size).as_u64().unwrap();
    browser.value("document.getElementById('scores').click()");
    let wide = browser.value(size).as_u64().unwrap();
    assert!(narrow < 40 && wide > 80, "{narrow}, {wide}");
    // Header and names stay in place.
    browser.value("document.querySelector('.scroll').scrollTo(900, 2000)");
    let places = browser.value(
        "(() => { const box = document.querySelector('.scroll').getBoundingClientRect();
             const head = document.querySelector('#board thead .name').getBoundingClientRect();
             return [Math.abs(head.top - box.top) < 3, head.left - box.left < 80]; })()",
    );
    assert_eq!(places, json!([true, true]));
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

fn hostile() {
    let folder = tempfile::tempdir().unwrap();
    let report = changed(|bots| {
        for (bot, attack) in std::iter::zip(bots.iter_mut(), ATTACKS) {
            attack.clone_into(&mut bot.bot.name);
        }
    });
    let page = board(&folder, &report);
    let course = course();
    let mut pages = vec![page];
    pages.push(course.path().join("out/scoreboard.html"));
    let students = std::fs::read_dir(course.path().join("out/students")).unwrap();
    let html = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "html");
    pages.extend(students.map(|entry| entry.unwrap().path()).filter(html));
    assert_eq!(pages.len(), 7);
    let mut browser = Browser::start();
    for page in pages {
        browser.open(&page);
        browser.value("document.querySelector('thead th:nth-child(2) button')?.click()");
        browser.value("document.querySelectorAll('details').forEach(part => part.open = true)");
        assert_eq!(browser.complaints(), Vec::<String>::new(), "{}", page.display());
        assert_eq!(browser.value("typeof window.taken"), "undefined", "{}", page.display());
        let strange =
            "document.querySelectorAll('img, iframe, main script, td svg, th svg').length";
        assert_eq!(browser.value(strange), 0, "{}", page.display());
        let whole = browser.text("body");
        assert!(!whole.contains(['\u{202e}', '\u{1b}']), "{}", page.display());
    }
    browser.open(&folder.path().join("scoreboard.html"));
    for attack in &ATTACKS[..4] {
        assert!(browser.text("#board").contains(attack), "{attack} is shown");
    }
}

fn fits() {
    let folder = tempfile::tempdir().unwrap();
    let course = course();
    let long = changed(|bots| bots[7].bot.name = "x".repeat(300));
    let pages = [
        board(&folder, &long),
        course.path().join("out/scoreboard.html"),
        course.path().join("out/students/grace.html"),
        course.path().join("out/students/linus.html"),
        course.path().join("out/students/eve.html"),
    ];
    let mut browser = Browser::start();
    for page in pages {
        for width in [360, 1280] {
            browser.screen(width, 740);
            browser.open(&page);
            browser.value("document.querySelectorAll('details').forEach(part => part.open = true)");
            browser.value("document.getElementById('scores')?.click()");
            let wide = browser.value("document.documentElement.scrollWidth").as_u64().unwrap();
            assert!(wide <= u64::from(width), "{}: {wide} at {width}", page.display());
        }
    }
}

/// The page is small, and complete at the first frame. A limit in milliseconds would test the
/// machine, so the time is only printed.
fn opens() {
    let folder = tempfile::tempdir().unwrap();
    let page = board(&folder, &large_report());
    let size = std::fs::metadata(&page).unwrap().len();
    let mut browser = Browser::start();
    browser.open(&page);
    let frame = "new Promise(done => requestAnimationFrame(() => setTimeout(done)))";
    browser.value(frame);
    let rows = browser.value("document.querySelectorAll('tbody tr').length").as_u64().unwrap();
    assert_eq!(rows, 300, "nothing comes later");
    eprintln!("300 × 40: {size} bytes, {:.0} ms of a processor", browser.spent());
    assert!(size < 1_000_000, "{size} bytes");
}

/// Board → student's page → round → back, only by clicks.
fn traces() {
    let folder = course();
    let [submissions, out] =
        ["in", "out"].map(|name| folder.path().join(name).to_str().unwrap().to_owned());
    let more = ["--out", &out, "--resume", "--pages", "worst"];
    let ran = run(["grade", &submissions, "--suite", "mahjong"].iter().chain(&more));
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let mut browser = Browser::start();
    browser.open(&folder.path().join("out/scoreboard.html"));
    browser.follow("a[href='students/grace.html']");
    let seed = "document.querySelector(\"a[href*='rounds/']\").closest('article')
                    .querySelector('.note').textContent";
    let seed = browser.value(seed).as_str().unwrap().to_owned();
    browser.follow("a[href*='rounds/']");
    assert_eq!(browser.text("h1 small"), seed, "the round that was clicked on");
    let before = browser.value("picture.innerHTML");
    browser.click("#last");
    assert_ne!(browser.value("picture.innerHTML"), before, "it moves");
    browser.follow("a[href*='students/']");
    assert!(browser.text("h1").starts_with("grace"), "{}", browser.text("h1"));
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// On a phone the verdict is next to the name, and the testcases' symbols start in view.
fn signs() {
    let course = course();
    let mut browser = Browser::start();
    let left = |browser: &mut Browser| {
        let first =
            "document.querySelector('#board tbody td:nth-child(7)').getBoundingClientRect().left";
        browser.value(first).as_f64().unwrap()
    };
    let sign = "getComputedStyle(document.querySelector('#board tbody th'), '::before').content";
    browser.screen(390, 844);
    browser.open(&course.path().join("out/scoreboard.html"));
    assert!(left(&mut browser) < 390.0 - 28.0, "{}", left(&mut browser));
    assert_eq!(browser.value(sign), "\"✓\"");
    // Names are found and sorted without symbols.
    assert_eq!(browser.value("document.querySelector('#board tbody th').textContent"), "ada");
    browser.screen(1280, 900);
    browser.open(&course.path().join("out/scoreboard.html"));
    assert_eq!(browser.value(sign), "none");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// A bot that always fails by the same fault: one testcase shows it, with one round.
fn folded() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["in", "suite"] {
        std::fs::create_dir(folder.path().join(name)).unwrap();
    }
    write(&folder.path().join("suite"), "suite.toml", "title = \"Two\"\n");
    for name in ["01-one.toml", "02-two.toml"] {
        let testcase = "title = \"x\"\ngame = \"cc\"\nopponent = \"random\"\n\
                        seeds = [1, 2, 3]\nmin_score = 1\npoints = 10\n";
        write(&folder.path().join("suite"), name, testcase);
    }
    write(
        &folder.path().join("in"),
        "eve.wasm",
        wat::parse_str(crate::support::SILENT_BOT).unwrap(),
    );
    let path = |name: &str| folder.path().join(name).display().to_string();
    let [submissions, suite, out] = ["in", "suite", "out"].map(path);
    let ran = run(["grade", &submissions, "--suite", &suite, "--out", &out, "--pages", "worst"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let mut browser = Browser::start();
    browser.open(&folder.path().join("out/students/eve.html"));
    let open = "[...document.querySelectorAll('.case')].map((one) => one.open).join()";
    assert_eq!(browser.value(open), "true,false");
    let text = browser.text("#case-1");
    assert!(text.contains("2 more rounds like this"), "{text}");
    let shown = "[...document.querySelectorAll('#case-1 .round')].filter((one) => one.checkVisibility()).length";
    assert_eq!(browser.value(shown), 1);
    browser.click("#case-1 .alike > summary");
    assert_eq!(browser.value(shown), 3);
    browser.click("#case-2 > summary");
    let text = browser.text("#case-2");
    assert!(text.contains("The same fault as in 01-one."), "{text}");
    // The line of the protocol with the fault links to the move.
    browser.follow("#case-1 .what a");
    assert_eq!(browser.text("#place"), "1 / 2");
    assert!(browser.text("#said").contains("failed"), "the line at fault");
}
