//! Modules of the hostile corpus in the page that grades: it stays usable, each of them ends by its
//! budget, and *Stop* ends it before.

use std::path::{Path, PathBuf};

use serde_json::json;

use crate::Test;
use crate::browser::Browser;
use crate::grade::{choose, expected, graded, idle, opened, site_of};
use crate::support::{root, sample};

pub(crate) const TESTS: &[Test] = &[
    ("the_budget_ends_a_hostile_module_in_the_page", ended_by_budget),
    ("a_click_ends_a_hostile_module", stopped),
];

/// Modules that never end: in a loop, growths, bulk operators, calls of the host and sleeps.
const ENDLESS: [&str; 8] = [
    "c01-stdio-infinite-loop",
    "c05-grow-spin",
    "c06-bulk-fill-spin",
    "c07-host-call-spin",
    "c07-stdio-random-spin",
    "c08-stdio-sleeps-for-ever",
    "d04-table-grow-loop",
    "e03-log-flood",
];

/// Modules that loop in their start-up, use all memory, print without end, or answer with text that turns
/// around what follows.
const OTHERS: [&str; 7] = [
    "abort",
    "c02-loop-in-start",
    "d03-touch-all-pages",
    "d10-all-memory-and-a-table",
    "e01-stdio-flood",
    "e02-stdio-endless-line",
    "e06-right-to-left",
];

fn hostile(name: &str) -> PathBuf {
    root().join("judge/hostile-corpus").join(name).join("bot.wasm")
}

/// A site with suites of so many judge-milliseconds, and its address. Most hostile modules expect Mahjong.
fn site(folder: &Path) -> String {
    let suite = |time: u64| {
        format!(
            "title = \"Hostile\"\ngame = \"mahjong\"\nopponent = \"random\"\nseeds = [1, 2]\n\
             min_score = 10000\npoints = 20\n[limits]\ntime_ms = {time}\n"
        )
    };
    site_of(folder, &[("quick", &suite(30)), ("long", &suite(10_000_000))])
}

fn ended_by_budget() {
    let folder = tempfile::tempdir().unwrap();
    let (address, quick) = (site(folder.path()), folder.path().join("quick/"));
    let mut browser = opened(&address, "quick");
    for name in ENDLESS.into_iter().chain(OTHERS) {
        let bot = folder.path().join(format!("{name}.wasm"));
        std::fs::copy(hostile(name), &bot).unwrap();
        choose(&mut browser, &bot);
        let report = graded(&mut browser, folder.path());
        assert_eq!(report, expected(&bot, quick.to_str().unwrap()), "{name}");
        let verdict = &report["bots"][0]["testcases"][0]["verdict"];
        let is_out = verdict == "time-limit-exceeded";
        assert!(is_out || !ENDLESS.contains(&name), "{name}: {verdict}");
    }
}

/// Waits until the page's own timers run while a module does.
fn beat(browser: &mut Browser, name: &str) {
    browser.value("window.beats = 0");
    browser.until("window.beats > 10");
    let busy = browser.value("document.querySelector('main').getAttribute('aria-busy')");
    let state = browser.text("#state") + &browser.text("#trouble");
    assert_eq!(busy, json!("true"), "{name} does not run any more: {state}");
}

fn stopped() {
    let folder = tempfile::tempdir().unwrap();
    let address = site(folder.path());
    let mut browser = opened(&address, "long");
    browser.value("setInterval(() => { window.beats += 1; }, 10)");
    for name in ENDLESS {
        choose(&mut browser, &hostile(name));
        for button in ["#grade", "#run"] {
            browser.click(button);
            browser.until("!document.querySelector('#stop').hidden");
            beat(&mut browser, name);
            browser.click("#stop");
            idle(&mut browser);
            assert_eq!(browser.text("#state"), "stopped", "{name}, {button}");
        }
    }
    let honest = sample("mahjong-distance");
    choose(&mut browser, &honest);
    let long = folder.path().join("long/");
    let report = graded(&mut browser, folder.path());
    assert_eq!(report, expected(&honest, long.to_str().unwrap()), "it plays on");
}
