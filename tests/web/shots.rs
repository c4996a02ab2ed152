//! Pictures of the pages for those who change them: light, dark, and on a phone.

use std::path::PathBuf;

use crate::Test;
use crate::browser::Browser;
use crate::round::{ROUNDS, played};

pub(crate) const TESTS: &[Test] = &[("the_pages_can_be_looked_at", shoot)];

/// Where the pictures are to be left, if they are wanted.
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
