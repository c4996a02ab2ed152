//! Clicks through a round on the page for playing.

use serde_json::json;

use crate::browser::Browser;

/// More parts than an answer has.
const MOST_PARTS: usize = 40;

/// Waits until the page accepts clicks.
pub(crate) fn idle(browser: &mut Browser) {
    browser.until("document.querySelector('main').getAttribute('aria-busy') === 'false'");
}

/// Clicks on an element and waits for the page's reaction.
pub(crate) fn click(browser: &mut Browser, selector: &str) {
    browser.click(selector);
    idle(browser);
}

pub(crate) fn is_over(browser: &mut Browser) -> bool {
    browser.value("!document.querySelector('.end').hidden") == true
}

fn answers(browser: &mut Browser) -> u64 {
    browser.value("document.querySelectorAll('#log .own').length").as_u64().unwrap()
}

/// Gives one whole answer by clicking, on the board if the page has a place for it there.
pub(crate) fn answer_once(browser: &mut Browser) {
    let before = answers(browser);
    for _ in 0..MOST_PARTS {
        let exists = format!("document.querySelector({}) !== null", json!("#targets .next"));
        let place = browser.value(&exists) == true;
        click(browser, if place { "#targets .next" } else { "#parts button" });
        if answers(browser) > before {
            return;
        }
    }
    panic!("no answer of {MOST_PARTS} parts");
}

/// Plays a round to its end by clicking.
pub(crate) fn to_the_end(browser: &mut Browser) {
    while !is_over(browser) {
        answer_once(browser);
    }
}

/// Waits until the page for writing is idle.
pub(crate) fn is_free(browser: &mut Browser) {
    browser.until("document.querySelector('main')?.getAttribute('aria-busy') === 'false'");
}

/// Chooses the language of the source on the page for writing, by the ending of its files.
pub(crate) fn choose_language(browser: &mut Browser, ending: &str) {
    browser.value(&format!("document.querySelector('#kind').value = '{ending}'"));
    browser.value("document.querySelector('#kind').dispatchEvent(new Event('change'))");
    is_free(browser);
}
