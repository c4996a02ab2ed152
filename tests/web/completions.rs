//! Completions in the editor: the names of the kits with their help, for the game of the suite.

use std::path::Path;

use crate::Test;
use crate::browser::Browser;
use crate::grade::{idle, opened, pick, site};
use crate::shots;
use crate::support::write;

pub(crate) const TESTS: &[Test] =
    &[("the_editor_completes_names_of_the_kit_for_the_game", completed)];

pub(crate) const SHOTS: &[Test] = &[("screenshots_of_completions_are_made", shoot)];

/// A source that begins with an empty line, at which the cursor is.
const SCRIPT: &str = "\nimport * as rules from 'judge-bot/cc';\n";
const PYTHON: &str = "\nfrom judge_bot import cc as rules, run\n";

/// Types a text at the start of a source; returns the chosen completion and its help.
pub(crate) fn complete(browser: &mut Browser, file: &Path, text: &str) -> [String; 2] {
    browser.choose_file("#file", file);
    idle(browser);
    let root = "document.querySelector('#editor').shadowRoot";
    browser.value(&format!("{root}.querySelector('.cm-content').focus()"));
    browser.type_into("#editor", text);
    browser.until(&format!("{root}.querySelector('.cm-completionInfo') !== null"));
    let shown = ["li[aria-selected]", ".cm-completionInfo"]
        .map(|part| browser.value(&format!("{root}.querySelector('{part}').textContent")));
    shown.map(|text| text.as_str().unwrap().to_owned())
}

fn completed() {
    let folder = tempfile::tempdir().unwrap();
    let address = site(folder.path());
    let [script, python] = [("bot.js", SCRIPT), ("bot.py", PYTHON)]
        .map(|(name, text)| write(folder.path(), name, text));
    let mut browser = opened(&address, "short");
    for (file, typed, completion, help) in [
        (&script, "rules.leg", "legalMoves(state, most)", "The legal moves: man by man"),
        (&script, "nextState.max", "maxPlies", "Number of moves after which"),
        (&script, "tools.ra", "random", "random numbers, the same in every"),
        (&script, "otherS", "otherSeat(seat)", "The other seat."),
        (&python, "rules.leg", "legal_moves(state, most)", "The legal moves: man by man"),
        (&python, "next_state.max", "max_plies", "The number of moves after which"),
        (&python, "tools.random.be", "below(bound)", "A uniform number from 0"),
    ] {
        let [found, told] = complete(&mut browser, file, typed);
        assert_eq!(found, completion, "{typed}");
        assert!(told.starts_with(help), "{typed}: {told}");
    }
    pick(&mut browser, "#suite", "mahjong");
    idle(&mut browser);
    let [found, told] = complete(&mut browser, &script, "state.ri");
    assert_eq!([found.as_str(), &told], ["river", "The bot's discards, in order."]);
    let complaints = browser.complaints();
    let logged = complaints.iter().filter(|one| !one.starts_with(&address));
    assert_eq!(logged.collect::<Vec<_>>(), Vec::<&String>::new());
}

/// The list of names with the help of the chosen one.
fn shoot() {
    let folder = shots::folder().expect("run only if there is one");
    std::fs::create_dir_all(&folder).unwrap();
    let place = tempfile::tempdir().unwrap();
    let address = site(place.path());
    let source = write(place.path(), "bot.js", SCRIPT);
    let mut browser = opened(&address, "short");
    for (name, width, scheme) in
        [("light", 1280, "light"), ("dark", 1280, "dark"), ("phone", 360, "light")]
    {
        browser.screen(width, if width < 500 { 740 } else { 900 });
        browser.prefer(scheme);
        complete(&mut browser, &source, "rules.");
        browser.shoot(&folder.join(format!("names-{name}.png")), false);
    }
}
