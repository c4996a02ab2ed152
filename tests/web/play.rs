//! The page for playing, and the page that checks replays: the rules run in the browser.

use std::path::Path;

use judge_browser::Desk;
use serde_json::{Value, json};

use crate::Test;
use crate::browser::Browser;
use crate::support::{run, run_with_input, says, write};
use crate::{server, shots};

pub(crate) const TESTS: &[Test] = &[
    ("a_round_of_mahjong_is_played_by_clicking", mahjong),
    ("a_round_of_patchwork_is_played_by_clicking", patchwork),
    ("a_round_of_agamemnon_is_played_by_clicking", agamemnon),
    ("a_round_of_cc_is_played_by_clicking", cc),
    ("a_round_of_amazons_is_played_by_clicking", amazons),
    ("answers_can_be_taken_back_and_rounds_given_up", undo_and_resign),
    ("two_people_play_in_one_page", two_people),
    ("an_illegal_answer_is_refused_with_the_rules_reason", refused),
    ("a_round_can_be_played_only_by_keyboard", keys),
    ("opponents_play_the_same_in_the_page_and_outside", opponents),
    ("a_chosen_patch_has_a_preview", preview),
    ("the_form_starts_a_round_or_shows_the_mistake", form),
    ("the_page_stays_responsive_while_the_opponent_thinks", thinking),
    ("the_checking_page_distinguishes_genuine_and_changed_replays", verified),
];

pub(crate) const SHOTS: &[Test] = &[("screenshots_of_the_playing_page_are_made", shoot)];

/// Rounds of the five games: parameters for the address, and for the command line.
struct SampleRound {
    game: &'static str,
    opponent: &'static str,
    seed: u64,
    seat: u8,
    options: &'static [(&'static str, &'static str)],
}

const MAHJONG: SampleRound =
    SampleRound { game: "mahjong", opponent: "straightforward", seed: 11, seat: 1, options: &[] };
const PATCHWORK: SampleRound =
    SampleRound { game: "patchwork", opponent: "first", seed: 12, seat: 2, options: &[] };
const AGAMEMNON: SampleRound =
    SampleRound { game: "agamemnon", opponent: "greedy", seed: 13, seat: 1, options: &[] };
const CC: SampleRound = SampleRound {
    game: "cc",
    opponent: "smart",
    seed: 14,
    seat: 2,
    options: &[("max_plies", "40"), ("size", "6")],
};
const AMAZONS: SampleRound = SampleRound {
    game: "amazons",
    opponent: "greedy",
    seed: 15,
    seat: 1,
    options: &[("size", "6")],
};

impl SampleRound {
    fn address(&self) -> String {
        let SampleRound { game, opponent, seed, seat, options } = self;
        let base = server::start();
        let options: String =
            options.iter().map(|(key, value)| format!("&option.{key}={value}")).collect();
        format!("{base}/play.html?game={game}&opponent={opponent}&seed={seed}&seat={seat}{options}")
    }

    /// The command line's file for these answers.
    fn native(&self, answers: &[String], folder: &Path) -> String {
        let file = folder.join("native.jsonl");
        let (seed, seat) = (self.seed.to_string(), self.seat.to_string());
        let options: Vec<String> =
            self.options.iter().map(|(key, value)| format!("--option={key}={value}")).collect();
        let mut arguments = vec!["play", "human", "--game", self.game, "--against", self.opponent];
        arguments.extend(["--seed", &seed, "--seat", &seat, "--replay", file.to_str().unwrap()]);
        arguments.extend(options.iter().map(String::as_str));
        let ran = run_with_input(&arguments, &(answers.join("\n") + "\n"));
        assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
        std::fs::read_to_string(file).unwrap()
    }
}

/// A browser with a round that has begun.
fn begun(round: &SampleRound) -> Browser {
    let mut browser = Browser::start();
    browser.visit(&round.address());
    idle(&mut browser);
    browser
}

/// Waits until the page accepts clicks.
fn idle(browser: &mut Browser) {
    browser.until("document.querySelector('main').getAttribute('aria-busy') === 'false'");
}

/// Clicks on an element and waits for the effect.
fn click(browser: &mut Browser, selector: &str) {
    browser.click(selector);
    idle(browser);
}

fn exists(browser: &mut Browser, selector: &str) -> bool {
    browser.value(&format!("document.querySelector({}) !== null", json!(selector))) == true
}

fn is_over(browser: &mut Browser) -> bool {
    browser.value("!document.querySelector('.end').hidden") == true
}

/// Chooses a part, on the board if it has a position there.
fn choose(browser: &mut Browser) {
    let place = exists(browser, "#targets .next");
    click(browser, if place { "#targets .next" } else { "#parts button" });
}

/// The person's answers in the page's list.
fn answers(browser: &mut Browser) -> Vec<String> {
    let said =
        browser.value("[...document.querySelectorAll('#log .own bdi')].map(e => e.textContent)");
    said.as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect()
}

/// Checks that there were no errors and no requests elsewhere.
fn nothing_wrong(browser: &mut Browser, round: &str) {
    let own = round.split("/play.html").next().unwrap().to_owned();
    let complaints = browser.complaints();
    let wrong: Vec<&String> = complaints
        .iter()
        .filter(|what| !what.starts_with(&own) && !what.starts_with("blob:"))
        .collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}

/// Plays a whole round by clicking; its file equals the command line's.
fn whole(round: &SampleRound) {
    let address = round.address();
    let mut browser = Browser::start();
    browser.visit(&address);
    idle(&mut browser);
    while !is_over(&mut browser) {
        answer_once(&mut browser);
    }
    let folder = tempfile::tempdir().unwrap();
    let replay = browser.download("#save", folder.path());
    let answers = answers(&mut browser);
    assert!(answers.len() > 3, "{answers:?}");
    let native = round.native(&answers, folder.path());
    let mut pairs = replay.lines().zip(native.lines());
    let different = pairs.find(|(page, command)| page != command);
    assert!(replay == native, "not the command line's file; first difference: {different:?}");
    let file = write(folder.path(), "round.jsonl", &replay);
    let checked = run(["verify".as_ref(), file.as_os_str()]);
    says(&checked.stdout, &["nothing contradicts the replay", "lines between judge and players"]);
    assert!(!checked.stdout.contains("another judge"), "{}", checked.stdout);
    assert!(replay.contains(&browser.text("#digest")), "the digest is that of the file");
    nothing_wrong(&mut browser, &address);
}

fn mahjong() {
    whole(&MAHJONG);
}

fn patchwork() {
    whole(&PATCHWORK);
}

fn agamemnon() {
    whole(&AGAMEMNON);
}

fn cc() {
    whole(&CC);
}

fn amazons() {
    whole(&AMAZONS);
}

fn picture(browser: &mut Browser) -> String {
    browser.value("document.getElementById('picture').innerHTML").as_str().unwrap().to_owned()
}

/// More parts than any answer in these rounds has.
const MOST_PARTS: usize = 40;

/// Gives one whole answer.
fn answer_once(browser: &mut Browser) {
    let before = answers(browser).len();
    for _ in 0..MOST_PARTS {
        choose(browser);
        if answers(browser).len() > before {
            return;
        }
    }
    panic!("no answer of {MOST_PARTS} parts");
}

fn undo_and_resign() {
    let mut browser = begun(&AMAZONS);
    let begin = picture(&mut browser);
    assert_eq!(browser.value("document.getElementById('undo').disabled"), true);
    answer_once(&mut browser);
    let after = picture(&mut browser);
    assert_ne!(after, begin);
    click(&mut browser, "#undo");
    assert_eq!((picture(&mut browser), answers(&mut browser).len()), (begin, 0));
    click(&mut browser, "#redo");
    assert_eq!(picture(&mut browser), after, "the opponent answers the same again");
    assert_eq!(browser.value("document.getElementById('redo').disabled"), true);
    click(&mut browser, "#undo");
    answer_once(&mut browser);
    assert_eq!(picture(&mut browser), after);
    // An incomplete answer is dropped.
    choose(&mut browser);
    assert!(exists(&mut browser, "#targets .chosen"));
    click(&mut browser, "#again");
    assert!(!exists(&mut browser, "#targets .chosen"));
    click(&mut browser, "#resign");
    assert!(is_over(&mut browser));
    assert_eq!(browser.text("#result"), "You have lost.");
    let folder = tempfile::tempdir().unwrap();
    let replay = browser.download("#save", folder.path());
    let given = [answers(&mut browser), vec!["resign".to_owned()]].concat();
    assert!(
        replay == AMAZONS.native(&given, folder.path()),
        "another file than the command line's"
    );
}

/// Both people are asked in turn. Secret tiles are covered until their owner looks.
fn two_people() {
    let round = SampleRound { opponent: "human", ..MAHJONG };
    let address = round.address();
    let mut browser = Browser::start();
    browser.visit(&address);
    idle(&mut browser);
    let covered = "document.querySelector('main').hasAttribute('data-covered') &&
        getComputedStyle(document.querySelector('.stage')).display === 'none'";
    let mut given = Vec::new();
    for seat in [1, 2, 1, 2] {
        assert_eq!(browser.value(covered), true);
        assert!(browser.text("#next").contains(&format!("seat {seat} (human {seat})")));
        click(&mut browser, "#uncover");
        assert_eq!(browser.value(covered), false);
        assert!(browser.text("#asked").starts_with(&format!("Seat {seat} (human {seat}): ")));
        let listed = "document.querySelector('#legal button').textContent";
        given.push(browser.value(listed).as_str().unwrap().to_owned());
        browser.value("document.querySelector('#legal button').click()");
        idle(&mut browser);
    }
    click(&mut browser, "#uncover");
    click(&mut browser, "#resign");
    assert_eq!(browser.text("#result"), "Seat 2 (human 2) has won.");
    let folder = tempfile::tempdir().unwrap();
    let replay = browser.download("#save", folder.path());
    given.push("resign".to_owned());
    assert!(replay == round.native(&given, folder.path()), "another file than the command line's");
    nothing_wrong(&mut browser, &address);

    let open = SampleRound { opponent: "human", ..AMAZONS };
    let mut browser = begun(&open);
    let begin = picture(&mut browser);
    assert_eq!(browser.value(covered), false, "nothing is hidden in this game");
    browser.value("document.querySelector('#legal button').click()");
    idle(&mut browser);
    assert!(browser.text("#asked").starts_with("Seat 2 (human 2): "));
    click(&mut browser, "#undo");
    assert_eq!(picture(&mut browser), begin);
}

fn refused() {
    let mut browser = begun(&AMAZONS);
    let begin = picture(&mut browser);
    click(&mut browser, ".answers summary");
    for (answer, reason) in [("a1-a1/a1", "a1"), ("dance", "dance")] {
        browser.value(&format!("document.getElementById('answer').value = '{answer}'"));
        click(&mut browser, "#typed button");
        let refusal = browser.text("#refusal");
        assert!(refusal.contains(reason), "{refusal}");
        assert_eq!(browser.value("document.getElementById('refusal').hidden"), false);
    }
    assert_eq!(picture(&mut browser), begin);
    let listed = browser.text("#legal button");
    click(&mut browser, "#legal button");
    assert_eq!(answers(&mut browser), [listed]);
    assert_eq!(browser.value("document.getElementById('refusal').hidden"), true);
}

fn keys() {
    let mut browser = begun(&AMAZONS);
    let part = "document.activeElement.dataset.part";
    let first = browser.value(part);
    assert!(first.is_string(), "the focus is on a place: {first}");
    for key in ["ArrowRight", "ArrowLeft", "ArrowUp", "ArrowDown"] {
        browser.press(key);
    }
    assert!(browser.value(part).is_string());
    // Amazon, square, arrow: the focus moves from one to the next.
    for _ in 0..3 {
        browser.press(" ");
        idle(&mut browser);
    }
    assert_eq!(answers(&mut browser).len(), 1);
    assert!(browser.value(part).is_string(), "the focus is on a place of the next question");
    let names = browser.value(
        "[...document.querySelectorAll('#targets button')].every(e => e.getAttribute('aria-label'))",
    );
    assert_eq!(names, true);
}

/// Answers of a round against an opponent: some legal ones, the same everywhere.
const PLAYED: usize = 3;

/// The module in the browser and the same crate here write the same files.
fn opponents() {
    let mut browser = Browser::start();
    browser.visit(&format!("{}/verify.html", server::start()));
    for game in judge_games::all() {
        for (number, opponent) in (1..).zip(game.opponents()) {
            let seat = 1 + number % 2;
            let start = json!({ "do": "start", "game": game.name(), "seed": number.to_string(),
                                "seat": seat, "opponent": opponent.name });
            let script = format!(
                "(async () => {{
                    const {{ Judge }} = await import('./judge.js');
                    const judge = new Judge();
                    let round = await judge.ask({start});
                    for (let given = 0; given < {PLAYED} && !round.end; given++) {{
                        const text = round.question.legal.at(-1);
                        round = await judge.ask({{ do: 'answer', text }});
                    }}
                    if (!round.end) await judge.ask({{ do: 'resign' }});
                    const {{ text }} = await judge.ask({{ do: 'replay' }});
                    judge.stop();
                    return text;
                }})()"
            );
            let inside = browser.value(&script);
            assert_eq!(inside, outside(&start), "{} against {}", game.name(), opponent.name);
        }
    }
}

fn outside(start: &Value) -> String {
    let mut desk = Desk::default();
    let mut ask = |request: &Value| -> Value {
        let reply: Value = serde_json::from_str(&desk.handle(&request.to_string())).unwrap();
        reply["done"].clone()
    };
    let mut round = ask(start);
    for _ in 0..PLAYED {
        if let Some(legal) = round["question"]["legal"].as_array() {
            round = ask(&json!({ "do": "answer", "text": legal.last() }));
        }
    }
    if round["end"].is_null() {
        ask(&json!({ "do": "resign" }));
    }
    ask(&json!({ "do": "replay" }))["text"].as_str().unwrap().to_owned()
}

/// After patch and orientation, the focused position shows the covered squares.
fn preview() {
    let mut browser = begun(&PATCHWORK);
    choose(&mut browser);
    let squares = "document.querySelectorAll('#parts button:last-of-type rect').length";
    let squares = browser.value(squares).as_u64().unwrap();
    click(&mut browser, "#parts button:last-of-type");
    let shown = "document.querySelectorAll('#targets .ghost').length";
    assert!(squares > 1, "{squares} squares of a patch");
    assert_eq!(browser.value(shown), squares);
    let on_the_place = "(() => {
        const place = document.activeElement.getBoundingClientRect();
        return [...document.querySelectorAll('#targets .ghost')].some((ghost) => {
            const box = ghost.getBoundingClientRect();
            return Math.abs(box.left - place.left) < 1 && Math.abs(box.top - place.top) < 1;
        }); })()";
    assert_eq!(browser.value(on_the_place), true);
    let part = browser.value("document.activeElement.dataset.part");
    browser.press(" ");
    idle(&mut browser);
    let answer = answers(&mut browser).pop().unwrap();
    assert_eq!(answer.len(), 4, "{answer} on {part}");
    assert_eq!(browser.value(shown), 0);
}

fn form() {
    let mut browser = Browser::start();
    browser.visit(&format!("{}/play.html?game=cc&seat=2", server::start()));
    browser.until("document.querySelector('#game').options.length > 0");
    assert_eq!(browser.value("document.querySelector('#game').value"), "cc");
    assert_eq!(browser.value("document.querySelector('#seat').value"), "2");
    browser.value("document.querySelector('[name=\"option.size\"]').value = '99'");
    click(&mut browser, "#start");
    let trouble = browser.text("#trouble");
    assert!(trouble.contains("option `size` is `99`"), "{trouble}");
    browser.value("document.querySelector('[name=\"option.size\"]').value = '6'");
    click(&mut browser, "#start");
    assert_eq!(browser.text("h1"), "Capturing & Conquering");
    let query = browser.value("location.search");
    let query = query.as_str().unwrap();
    let seed = query.split("seed=").nth(1).and_then(|rest| rest.split('&').next()).unwrap();
    assert!(seed.parse::<u32>().is_ok(), "a seed by chance: {query}");
    assert!(query.contains("option.size=6") && query.contains("seat=2"), "{query}");
}

/// The strongest opponent thinks in a worker: the page keeps drawing and shows a message.
fn thinking() {
    let round =
        SampleRound { game: "agamemnon", opponent: "search", seed: 1, seat: 1, options: &[] };
    let mut browser = begun(&round);
    browser.value(
        "window.seen = new Set(); window.frames = 0;
         const asked = document.getElementById('asked');
         new MutationObserver(() => seen.add(asked.textContent))
             .observe(asked, { childList: true, characterData: true, subtree: true });
         const tick = () => {
             if (document.querySelector('main').getAttribute('aria-busy') === 'true') frames++;
             requestAnimationFrame(tick);
         };
         tick(); 0",
    );
    answer_once(&mut browser);
    answer_once(&mut browser);
    let seen = browser.value("[...seen]").to_string();
    assert!(seen.contains("search is thinking…"), "{seen}");
    let frames = browser.value("frames").as_u64().unwrap();
    assert!(frames > 2, "{frames} frames while it was thinking");
}

/// Gives the page a file, by dropping it or by the button, and returns its message.
fn check(browser: &mut Browser, content: &str, dropped: bool) -> String {
    let how = if dropped {
        "document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true }))"
    } else {
        "input.files = data.files; input.dispatchEvent(new Event('change'))"
    };
    browser.value(&format!(
        "const data = new DataTransfer(), input = document.getElementById('file');
         data.items.add(new File([{}], 'round.jsonl')); {how}; 0",
        json!(content)
    ));
    browser.until(
        "!/No file yet|checking it against/.test(document.getElementById('verdict').textContent)",
    );
    browser.text(".facts")
}

fn verified() {
    let folder = tempfile::tempdir().unwrap();
    let replay = AMAZONS.native(&["resign".to_owned()], folder.path());
    let mut browser = Browser::start();
    let address = format!("{}/verify.html", server::start());
    let mut found = |content: &str, dropped: bool, words: &[&str]| {
        browser.visit(&address);
        let told = check(&mut browser, content, dropped);
        for word in words {
            assert!(told.contains(word), "`{word}` is missing in: {told}");
        }
    };
    for dropped in [false, true] {
        found(
            &replay,
            dropped,
            &["consistent with the rules", "seed 15", "greedy", "not checked: seat 1"],
        );
        let changed = replay.replacen("\"seed\":15", "\"seed\":16", 1);
        found(&changed, dropped, &["does not hold", "not true: line 1"]);
    }
    found("<b>hello</b>", true, &["is not a replay"]);
    found("{}\n{}\n{}\n", false, &["is not a replay"]);
}

/// Each game after three answers and during the fourth, and its end.
fn shoot() {
    let folder = shots::folder().expect("run only if there is one");
    std::fs::create_dir_all(&folder).unwrap();
    for round in [MAHJONG, PATCHWORK, AGAMEMNON, CC, AMAZONS] {
        let mut browser = begun(&round);
        for _ in 0..3 {
            answer_once(&mut browser);
        }
        choose(&mut browser);
        looks(&mut browser, &folder, &format!("play-{}", round.game));
        click(&mut browser, "#resign");
        looks(&mut browser, &folder, &format!("play-{}-end", round.game));
    }
    let mut browser = Browser::start();
    browser.visit(&format!("{}/play.html", server::start()));
    browser.until("document.querySelector('#game').options.length > 0");
    looks(&mut browser, &folder, "play-form");
    browser.visit(&format!("{}/verify.html", server::start()));
    check(&mut browser, &AMAZONS.native(&["resign".to_owned()], &folder), true);
    looks(&mut browser, &folder, "verify");
}

fn looks(browser: &mut Browser, folder: &Path, name: &str) {
    for (width, scheme) in [(1280, "light"), (1280, "dark"), (390, "light"), (390, "dark")] {
        browser.screen(width, if width < 500 { 780 } else { 900 });
        browser.prefer(scheme);
        browser.shoot(&folder.join(format!("{name}-{width}-{scheme}.png")), true);
    }
}
