//! Pictures of the pages for their developers: light, dark, and on a phone.

use std::path::PathBuf;

use crate::Test;
use crate::browser::Browser;
use crate::round::{ROUNDS, played};
use crate::scoreboard::course;
use crate::support::{large_report, run, write};

pub(crate) const TESTS: &[Test] = &[
    ("screenshots_of_round_pages_are_made", shoot),
    ("screenshots_of_scoreboards_are_made", boards),
];

/// The folder for pictures, if they are requested.
pub(crate) fn folder() -> Option<PathBuf> {
    std::env::var_os("JUDGE_SCREENSHOTS").map(PathBuf::from)
}

fn shoot() {
    let folder = folder().expect("run only if there is one");
    std::fs::create_dir_all(&folder).unwrap();
    let mut browser = Browser::start();
    for (bot, against) in ROUNDS {
        let played = played(bot, against);
        let game = bot.split('-').next().unwrap_or(bot);
        for (name, width, scheme) in [
            ("light", 1280, "light"),
            ("dark", 1280, "dark"),
            ("phone", 360, "light"),
            ("phone-dark", 360, "dark"),
        ] {
            browser.screen(width, if width < 500 { 740 } else { 900 });
            browser.prefer(scheme);
            browser.open(&played.page);
            for _ in 0..17 {
                browser.press("ArrowRight");
            }
            browser.shoot(&folder.join(format!("{game}-{name}.png")), false);
            browser.shoot(&folder.join(format!("{game}-{name}-whole.png")), true);
        }
    }
}

/// A large board, a small one, and a student's page of each kind.
fn boards() {
    let folder = folder().expect("run only if there is one");
    std::fs::create_dir_all(&folder).unwrap();
    let course = course();
    let report = write(course.path(), "large.json", large_report());
    let large = course.path().join("large.html");
    let arguments = [report.as_os_str(), "--html".as_ref(), large.as_os_str()];
    assert_eq!(run(["scoreboard".as_ref()].iter().chain(&arguments)).code, 0);
    let out = course.path().join("out");
    let pages = [
        ("large", large),
        ("board", out.join("scoreboard.html")),
        ("passed", out.join("students/ada.html")),
        ("below", out.join("students/grace.html")),
        ("broken", out.join("students/linus.html")),
        ("refused", out.join("students/eve.html")),
    ];
    let mut browser = Browser::start();
    for (name, page) in pages {
        for (looks, width, scheme) in
            [("light", 1280, "light"), ("dark", 1280, "dark"), ("phone", 360, "light")]
        {
            browser.screen(width, if width < 500 { 740 } else { 900 });
            browser.prefer(scheme);
            browser.open(&page);
            browser.shoot(&folder.join(format!("{name}-{looks}.png")), false);
            browser.shoot(&folder.join(format!("{name}-{looks}-whole.png")), true);
        }
    }
}
