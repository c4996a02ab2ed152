//! The page of a round shows the replay, and follows its address.

use std::path::{Path, PathBuf};

use serde_json::json;
use tempfile::TempDir;

use crate::Test;
use crate::browser::Browser;
use crate::support::{LOGGER, SILENT_BOT, run, sample, write};

pub(crate) const TESTS: &[Test] = &[
    ("every_games_page_shows_every_step_without_errors", every_game),
    ("pictures_match_the_replay", pictures),
    ("buttons_keys_slider_list_and_chart_go_to_steps", ways),
    ("a_replay_plays_and_stops_at_the_end", plays),
    ("a_seat_sees_only_its_view", views),
    ("the_layout_is_stable_and_fits_the_window", layout),
    ("every_control_can_be_reached_by_keyboard", keyboard),
    ("a_round_with_a_fault_opens_at_the_fault", fault),
    ("a_step_shows_its_log", logged),
    ("a_wide_picture_is_read_on_a_phone", readable),
];

/// A bot for each game, with an opponent that makes the round long.
pub(crate) const ROUNDS: [(&str, &str); 5] = [
    ("mahjong-hunter", "straightforward"),
    ("patchwork-quilter", "greedy"),
    ("agamemnon-seer", "greedy"),
    ("cc-runner", "smart"),
    ("amazons-hedger", "greedy"),
];

/// A played round and its page.
pub(crate) struct PlayedPage {
    _folder: TempDir,
    pub(crate) replay: PathBuf,
    pub(crate) page: PathBuf,
}

pub(crate) fn played(bot: &str, against: &str) -> PlayedPage {
    let folder = tempfile::tempdir().unwrap();
    let [replay, page] = ["round.jsonl", "round.html"].map(|name| folder.path().join(name));
    let bot = sample(bot);
    let [bot, kept] = [&bot, &replay].map(|path| path.to_str().unwrap());
    let ran = run(["play", bot, "--against", against, "--replay", kept]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let ran = run(["replay", kept, "--html", page.to_str().unwrap()]);
    assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.as_str()), (0, "", ""));
    PlayedPage { _folder: folder, replay, page }
}

/// A round in which a bot in seat 2 says nothing: the fault is at the second question.
fn broken() -> PlayedPage {
    let folder = tempfile::tempdir().unwrap();
    let [replay, page] = ["round.jsonl", "round.html"].map(|name| folder.path().join(name));
    let bot = write(folder.path(), "silent.wasm", wat::parse_str(SILENT_BOT).unwrap());
    let [bot, written] = [&bot, &page].map(|path| path.to_str().unwrap());
    let ran = run(["play", bot, "--game", "cc", "--seat", "2", "--html", written]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    PlayedPage { _folder: folder, replay, page }
}

/// The page opens at the fault; its button and an address lead there too.
fn fault() {
    let played = broken();
    let mut browser = opened(&played.page);
    assert_eq!(place(&mut browser), (2, 3));
    assert!(browser.text("#said").contains("failed"), "the line at fault");
    assert!(browser.text("#said").contains("5: judge → 2"), "{}", browser.text("#said"));
    assert_eq!(browser.text("#moves [aria-current] .what"), "no answer");
    browser.press("Home");
    assert_eq!(place(&mut browser).0, 0);
    browser.click("#to-fault");
    assert_eq!(place(&mut browser).0, 2);
    // The step's number is its address.
    browser.click("#here");
    assert_eq!((browser.value("location.hash"), place(&mut browser).0), (json!("#2"), 2));
    for (line, step) in [(1, 0), (2, 0), (3, 1), (4, 1), (5, 2), (99, 3)] {
        browser.value(&format!(
            "location.hash = '#line-{line}'; new Promise(done => setTimeout(done, 50))"
        ));
        assert_eq!(place(&mut browser).0, step, "line {line}");
    }
    assert_eq!(browser.complaints(), Vec::<String>::new());
    // A round without a fault begins at its start, and has no button.
    let whole = self::played("cc-runner", "random");
    browser.open(&whole.page);
    assert_eq!(place(&mut browser).0, 0);
    assert_eq!(browser.value("document.getElementById('to-fault')"), json!(null));
}

/// A log is shown with its line of the protocol; the whole log is unchanged.
fn logged() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("round.html");
    let bot = write(folder.path(), "logger.wasm", wat::parse_str(LOGGER).unwrap());
    let [bot, written] = [&bot, &page].map(|path| path.to_str().unwrap());
    let ran = run(["play", bot, "--game", "mahjong", "--seed", "5", "--html", written]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let mut browser = opened(&page);
    let shown = "[...document.querySelectorAll('#said .log')].map(log => log.textContent)";
    // Each of the first draws begins a character, but only a question completes one.
    let begun = [vec!["\u{fffd}"; 13], vec!["\u{20ac}"]].concat();
    assert_eq!(browser.value(shown), json!(begun));
    browser.click("#moves [data-step='1']");
    let tile = browser.text("#moves [aria-current] bdi");
    assert_eq!(browser.value(shown)[0], json!(format!(" {tile}\n")));
    assert!(browser.text("#said").contains("1 logged"));
    browser.press("End");
    assert_eq!(browser.value(shown), json!(["bye\n"]));
    // Seat 2 does not see the log of seat 1.
    browser.click("[name=view][value='2'] + span");
    assert_eq!(browser.value(shown), json!([]));
    assert!(browser.text(".logs pre").starts_with("begin\n"));
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// No letter is smaller than seven pixels, and a button enlarges the picture.
fn readable() {
    let played = played("patchwork-quilter", "greedy");
    let mut browser = Browser::start();
    browser.screen(390, 844);
    browser.open(&played.page);
    for _ in 0..12 {
        browser.press("ArrowRight");
    }
    let smallest = "(() => {
        const svg = document.querySelector('#picture > svg');
        const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
        const shown = [...svg.querySelectorAll('text')].filter((text) => text.getClientRects().length);
        return Math.min(...shown.map((text) => scale * parseFloat(getComputedStyle(text).fontSize)));
    })()";
    let size = browser.value(smallest).as_f64().unwrap();
    assert!(size > 7.5, "{size} pixels");
    browser.click("#zoom");
    assert!(browser.value(smallest).as_f64().unwrap() > 1.5 * size, "larger");
    let wide = browser.value("document.documentElement.scrollWidth");
    assert_eq!(wide, 390, "the picture scrolls, not the page");
    browser.screen(1280, 900);
    browser.open(&played.page);
    assert_eq!(browser.value("getComputedStyle(document.getElementById('zoom')).display"), "none");
}

fn opened(page: &Path) -> Browser {
    let mut browser = Browser::start();
    browser.open(page);
    browser
}

/// The current step of the page, and the last one.
fn place(browser: &mut Browser) -> (usize, usize) {
    let text = browser.text("#place");
    let (step, last) = text.split_once(" / ").unwrap();
    (step.parse().unwrap(), last.parse().unwrap())
}

/// The identity of the displayed picture.
fn picture(browser: &mut Browser) -> String {
    browser.value("document.querySelector('#picture > svg').outerHTML").to_string()
}

fn every_game() {
    for (bot, against) in ROUNDS {
        let played = played(bot, against);
        let mut browser = opened(&played.page);
        let (step, last) = place(&mut browser);
        assert!(step == 0 && last > 10, "{bot}: {step} of {last}");
        let mut before = picture(&mut browser);
        let mut changes = 0;
        for expected in 1..=last {
            browser.press("ArrowRight");
            assert_eq!(place(&mut browser).0, expected, "{bot}");
            let shown = picture(&mut browser);
            assert!(shown.contains("viewBox") && !shown.contains("parsererror"), "{bot}: {shown}");
            changes += usize::from(shown != before);
            before = shown;
        }
        assert!(changes + 2 >= last, "{bot}: {changes} of {last} steps change the picture");
        assert_eq!(browser.complaints(), Vec::<String>::new(), "{bot}");
    }
}

/// The picture in the page equals that of `judge replay --svg`, except for its style.
fn pictures() {
    for (bot, against) in ROUNDS {
        let played = played(bot, against);
        let mut browser = opened(&played.page);
        for number in [1, 2, 7, 12] {
            let (file, number) = (played.replay.to_str().unwrap(), number.to_string());
            let drawn = run(["replay", file, "--move", &number, "--svg", "-"]);
            assert_eq!(drawn.code, 0, "{}", drawn.stderr);
            // The picture of the previous step asks for move n.
            while place(&mut browser).0 + 1 < number.parse().unwrap() {
                browser.press("ArrowRight");
            }
            let script = format!(
                "(() => {{ const plain = (svg) => new XMLSerializer().serializeToString(svg)
                       .replace(/\\s+/g, ' ').replaceAll('> <', '><');
                   const drawn = new DOMParser().parseFromString({}, 'image/svg+xml');
                   drawn.querySelector('style').remove();
                   const shown = document.querySelector('#picture > svg');
                   return plain(drawn.documentElement) === plain(shown); }})()",
                json!(drawn.stdout)
            );
            assert_eq!(browser.value(&script), true, "{bot}, move {number}");
        }
    }
}

fn ways() {
    let played = played("cc-runner", "smart");
    let mut browser = opened(&played.page);
    let last = place(&mut browser).1;
    let start = picture(&mut browser);
    let expect = |browser: &mut Browser, step: usize, way: &str| {
        assert_eq!(place(browser), (step, last), "{way}");
        let current = browser.value(
            "[...document.querySelectorAll('[aria-current]')].map(item => item.dataset.step).join()",
        );
        assert_eq!(current, step.to_string(), "{way}: one entry of the list is marked");
        assert_eq!(picture(browser) == start, step == 0, "{way}: the picture follows");
    };
    browser.press("End");
    expect(&mut browser, last, "End");
    browser.press("ArrowRight");
    expect(&mut browser, last, "nothing after the end");
    browser.press("ArrowLeft");
    expect(&mut browser, last - 1, "ArrowLeft");
    browser.press("Home");
    expect(&mut browser, 0, "Home");
    for (button, step) in
        [("#forward", 1), ("#forward", 2), ("#back", 1), ("#last", last), ("#first", 0)]
    {
        browser.click(button);
        expect(&mut browser, step, button);
    }
    browser.click("#moves [data-step='5']");
    expect(&mut browser, 5, "the list");
    browser.press("ArrowDown");
    expect(&mut browser, 6, "down in the list");
    browser.click_at("#slider", 99.5);
    expect(&mut browser, last, "the slider");
    browser.press("ArrowLeft");
    expect(&mut browser, last - 1, "an arrow on the slider is one step");
    browser.click_at("#fuel", 100.0 * 8.5 / (last + 1) as f64);
    expect(&mut browser, 8, "the chart");
    let costliest: usize = browser
        .value("Number(document.getElementById('costliest').dataset.step)")
        .as_u64()
        .unwrap() as usize;
    browser.click("#costliest");
    expect(&mut browser, costliest, "the most expensive call");
    browser.value("location.hash = '#3'; new Promise(done => setTimeout(done, 50))");
    expect(&mut browser, 3, "an address with a step");
    let lines = browser.text("#said");
    assert!(lines.contains("move?") && lines.contains(" ms ("), "{lines}");
    let answer = browser.text("#moves [data-step='3'] bdi");
    assert!(lines.contains(&answer), "{answer} in {lines}");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// Lets time pass in the page.
fn wait(browser: &mut Browser, milliseconds: u32) {
    browser.value(&format!("new Promise(done => setTimeout(done, {milliseconds}))"));
}

/// Waits until a script holds for the page, on a machine of any speed.
fn wait_until(browser: &mut Browser, condition: &str) {
    browser.value(&format!(
        "new Promise(done => {{
            const look = () => {condition} ? done() : setTimeout(look, 10); look(); }})"
    ));
}

fn plays() {
    let played = played("mahjong-distance", "random");
    let mut browser = opened(&played.page);
    let last = place(&mut browser).1;
    browser.value(
        "window.seen = []; new MutationObserver(() => seen.push(parseInt(place.textContent)))
            .observe(place, { childList: true, subtree: true })",
    );
    browser.value("speed.value = '0.5'");
    browser.press(" ");
    assert_eq!(browser.value("play.ariaLabel"), "Pause");
    wait(&mut browser, 1000);
    assert_eq!(place(&mut browser).0, 0, "at half the speed a step takes longer than a second");
    browser.value("speed.value = '8'");
    wait_until(&mut browser, "seen.at(-1) >= 3");
    browser.press(" ");
    let paused = place(&mut browser).0;
    wait(&mut browser, 400);
    assert_eq!(place(&mut browser).0, paused, "it stays");
    browser.click("#play");
    wait_until(&mut browser, "play.ariaLabel === 'Play'");
    let steps: Vec<usize> = (1..=last).collect();
    assert_eq!(browser.value("seen"), json!(steps), "each step once, up to the end");
    browser.click("#play");
    wait_until(&mut browser, "seen.at(-1) === 1");
    assert_eq!(browser.value("seen.slice(-2)"), json!([0, 1]), "after the end it begins anew");
}

fn views() {
    let played = played("mahjong-distance", "random");
    let mut browser = opened(&played.page);
    let seats = |browser: &mut Browser| {
        browser.value("[...new Set([...document.querySelectorAll('#said p')].map(p => p.className))].sort().join()")
    };
    let everything = picture(&mut browser);
    assert_eq!(seats(&mut browser), "seat-1,seat-2", "the tiles are dealt to both");
    let mut seen = vec![everything.clone()];
    for seat in [1, 2] {
        browser.click(&format!(".views label:nth-of-type({})", seat + 1));
        assert_eq!(seats(&mut browser), format!("seat-{seat}"));
        seen.push(picture(&mut browser));
    }
    seen.dedup();
    assert_eq!(seen.len(), 3, "each sees another picture");
    browser.click(".views label:nth-of-type(1)");
    assert_eq!(picture(&mut browser), everything);
    let open = self::played("amazons-hedger", "greedy");
    browser.open(&open.page);
    assert_eq!(browser.value("document.querySelectorAll('.views').length"), 0, "all is open there");
}

/// On a phone and a desktop, no step moves any element.
fn layout() {
    for (bot, against) in ROUNDS {
        let played = played(bot, against);
        let mut browser = Browser::start();
        for (width, height) in [(360, 740), (1280, 900)] {
            browser.screen(width, height);
            browser.open(&played.page);
            let boxes = "JSON.stringify([...document.querySelectorAll('main > *, #picture, #slider, #play')]
                .map(part => { const box = part.getBoundingClientRect();
                    return [part.id || part.className, box.top + scrollY, box.width, box.height].join(' '); }))";
            let first = browser.value(boxes);
            let last = place(&mut browser).1;
            for _ in 0..last {
                browser.value("document.getElementById('forward').click()");
                assert_eq!(browser.value(boxes), first, "{bot} at {width}");
            }
            let wide = browser.value("document.documentElement.scrollWidth");
            assert!(wide.as_u64().unwrap() <= u64::from(width), "{bot}: {wide} at {width}");
        }
    }
}

fn keyboard() {
    let played = played("mahjong-distance", "random");
    let mut browser = opened(&played.page);
    let mut reached = Vec::new();
    for _ in 0..14 {
        browser.press("Tab");
        let at = browser.value("document.activeElement.id || document.activeElement.name || document.activeElement.tagName");
        reached.push(at.as_str().unwrap().to_owned());
    }
    for part in ["view", "slider", "first", "back", "play", "forward", "last", "speed", "said"] {
        assert!(reached.iter().any(|at| at == part), "{part} in {reached:?}");
    }
    let unnamed = browser.value(
        "[...document.querySelectorAll('button, input, select, svg[role=img]')].filter(part =>
            !part.ariaLabel && !part.textContent.trim() && !part.closest('label')).length",
    );
    assert_eq!(unnamed, 0, "everything to be used has a name");
}
