//! From the first link to a round against your own bot.

use judge_core::Replay;

use crate::BrowserTest;
use crate::browser::Browser;
use crate::playing::{answer_once, choose_language, click, idle, is_free, is_over, to_the_end};
use crate::scene::{Scene, enter, graded, make_arena, submit, visit_until};

pub(crate) const TESTS: &[BrowserTest] = &[
    ("a_better_submission_moves_a_student_up_the_scoreboard", climbs),
    ("a_bot_is_written_graded_and_submitted_in_the_browser", writes),
    ("only_its_owner_watches_a_round_by_keyboard", watches),
    ("a_round_against_a_reference_opponent_is_played_by_clicking", plays),
    ("a_round_page_starts_another_round_in_the_readers_language", plays_again),
    ("a_student_plays_and_watches_a_round_against_the_own_bot", plays_own_bot),
    ("another_student_plays_against_a_public_bot", plays_public_bot),
    ("a_course_runs_within_minutes_of_an_empty_folder", everything_at_once),
];

/// Keeps every state of the grading that a page shows.
const KEEP_STATES: &str = "
    addEventListener('DOMContentLoaded', () => {
      const state = document.getElementById('state');
      const keep = () => sessionStorage.setItem('states',
        `${sessionStorage.getItem('states') ?? ''}${state.textContent}\\n`);
      if (state) new MutationObserver(keep).observe(state, { childList: true });
    });";

fn climbs() {
    let mut scene = Scene::new();
    let base = scene.program.base.clone();
    let scoreboard = scene.at("/c/ai/s/mahjong/scoreboard");
    scene.bob.visit(&scoreboard);
    scene.bob.value("window.sameDocument = true");
    assert!(!scene.bob.text("#scoreboard").contains("/160"), "the scoreboard has no row yet");
    scene.ada.begin_with(KEEP_STATES);
    submit(&mut scene.ada, &base, "mahjong-hunter");
    graded(&mut scene.ada);
    let states = scene.ada.value("sessionStorage.getItem('states')");
    let states = states.as_str().unwrap();
    assert!(states.contains("Round ") && states.contains(" of 64"), "{states}");
    assert!(scene.ada.text(".tiles").contains("of 8 testcases passed"));
    // The scoreboard changes in the other browser without a reload.
    scene.bob.until("document.querySelectorAll('#scoreboard tbody tr').length === 1");
    assert_eq!(scene.bob.value("window.sameDocument"), true);
    assert!(!scene.bob.text("#scoreboard").contains("Ada"), "students see pseudonyms");
    scene.teacher.visit(&scoreboard);
    assert!(scene.teacher.text("#scoreboard").contains("Ada Lovelace"));
    scene.ada.visit(&scoreboard);
    assert!(scene.ada.text("#scoreboard tr.me").contains("you"));
    no_complaints(&mut scene.ada, &base);
    no_complaints(&mut scene.bob, &base);
}

/// The server's result has the verdicts that the page showed.
fn writes() {
    let mut scene = Scene::new();
    let base = scene.program.base.clone();
    let ada = &mut scene.ada;
    ada.visit(&format!("{base}/c/ai/s/mahjong"));
    ada.follow("a[href$='/write']");
    is_free(ada);
    assert!(ada.text("nav").contains("Artificial Play"), "{}", ada.text("nav"));
    assert!(ada.text("#sent").contains("only when you submit it"));
    choose_language(ada, "wat");
    ada.click("#grade");
    is_free(ada);
    assert_eq!(ada.text("#trouble"), "");
    let digest = ada.text("#digest");
    let total = ada.text("#total");
    ada.click("#submit");
    ada.until("location.pathname.startsWith('/submissions/')");
    graded(ada);
    let points = ada.text(".tiles b");
    assert!(total.contains(&format!(": {points} of 160 points")), "{total}: {points}");
    let page = ada.value("document.querySelector('main').textContent");
    assert!(page.as_str().unwrap().contains(&digest), "{digest}: {page}");
    no_complaints(ada, &base);
    // Submitting the same module again shows the reason for the refusal.
    ada.visit(&format!("{base}/c/ai/s/mahjong/write"));
    is_free(ada);
    choose_language(ada, "wat");
    ada.click("#grade");
    is_free(ada);
    ada.click("#submit");
    ada.until("document.querySelector('#trouble').textContent !== ''");
    assert!(ada.text("#trouble").contains("already submitted"), "{}", ada.text("#trouble"));
    ada.follow("form[action='/sign-out'] button");
    assert_eq!(status(ada, "/me"), 401, "{}", ada.text("h1"));
}

/// Checks that the page has no errors and requested nothing from other servers.
fn no_complaints(browser: &mut Browser, base: &str) {
    let complaints = browser.complaints();
    let wrong: Vec<&String> = complaints
        .iter()
        .filter(|what| !what.starts_with(base) && !what.starts_with("blob:"))
        .collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}

/// The status of an address, as the page's own scripts see it.
fn status(browser: &mut Browser, address: &str) -> u64 {
    let script = format!("fetch('{address}').then((answer) => answer.status)");
    browser.value(&script).as_u64().unwrap()
}

fn watches() {
    let mut scene = Scene::new();
    let base = scene.program.base.clone();
    let page = submit(&mut scene.ada, &base, "mahjong-distance");
    graded(&mut scene.ada);
    scene.ada.value("document.querySelectorAll('details').forEach((one) => one.open = true)");
    scene.ada.follow(".rounds a");
    let round = scene.ada.location();
    assert!(round.starts_with(&page), "{round}");
    assert!(scene.ada.text("#place").starts_with("0 / "));
    for (key, step) in [("ArrowRight", "1"), ("ArrowRight", "2"), ("ArrowLeft", "1")] {
        scene.ada.press(key);
        assert!(scene.ada.text("#place").starts_with(&format!("{step} / ")));
    }
    let first = scene.ada.value("document.getElementById('picture').innerHTML");
    scene.ada.press("End");
    assert_ne!(scene.ada.value("document.getElementById('picture').innerHTML"), first);
    // Each step has an address.
    scene.ada.press("Home");
    (0..17).for_each(|_| scene.ada.press("ArrowRight"));
    scene.ada.click("#here");
    scene.ada.until("location.hash === '#17'");
    let link = scene.ada.location();
    scene.ada.visit("about:blank");
    scene.ada.visit(&link);
    assert!(scene.ada.text("#place").starts_with("17 / "));
    assert!(scene.ada.text(".moves").contains("ms"), "the cost of each move");
    assert!(scene.ada.value("document.querySelector('.logs pre, .logs .note')").is_object());
    no_complaints(&mut scene.ada, &base);
    // For others it does not exist.
    scene.bob.visit(&base);
    for address in [page.clone(), round.clone(), format!("{round}.jsonl"), format!("{page}/events")]
    {
        assert_eq!(status(&mut scene.bob, &address), 404, "{address}");
    }
    scene.bob.visit(&page);
    assert!(scene.bob.text("h1").contains("no such page"));
    assert_eq!(status(&mut scene.ada, &round), 200);
}

fn plays() {
    let mut scene = Scene::new();
    let address = "/play/play.html?game=amazons&opponent=random&seed=5&seat=1&option.size=4";
    let address = scene.at(address);
    scene.ada.visit(&address);
    idle(&mut scene.ada);
    to_the_end(&mut scene.ada);
    let replay = scene.ada.download("#save", scene.folder.path());
    let digest = Replay::read(&replay).unwrap().record.digest().to_string();
    assert_eq!(scene.ada.text("#digest"), digest);
    let base = scene.program.base.clone();
    no_complaints(&mut scene.ada, &base);
}

/// The page is in the reader's language, and a round offers another one in the other seat.
fn plays_again() {
    let mut scene = Scene::new();
    let base = scene.program.base.clone();
    let ada = &mut scene.ada;
    ada.visit(&format!("{base}/me"));
    ada.value("document.querySelector('[name=language]').value = 'zh'");
    ada.follow("form[action='/me/language'] button");
    ada.visit(&format!(
        "{base}/play/play.html?game=amazons&opponent=greedy&seed=5&seat=1&option.size=4&course=ai"
    ));
    idle(ada);
    assert!(ada.text("nav").contains("Artificial Play"), "{}", ada.text("nav"));
    assert_eq!(ada.text("#resign"), "认输");
    assert!(ada.text(".foreign").contains("英文"));
    assert_eq!(ada.value("document.querySelector('.foreign').hidden"), false);
    click(ada, "#resign");
    assert_eq!(ada.text("#result"), "你输了。");
    for (button, seat) in [("#rematch", "1"), ("#swap", "2"), ("#swap", "1")] {
        let before = ada.location();
        click(ada, button);
        assert!(!is_over(ada), "{button}");
        let now = ada.location();
        assert_ne!(now, before, "other luck");
        for part in ["opponent=greedy", "option.size=4", "course=ai", &format!("seat={seat}")] {
            assert!(now.contains(part), "{part}: {now}");
        }
        assert!(ada.text("#score").contains(&format!("座位 {seat}，你")), "{}", ada.text("#score"));
        click(ada, "#resign");
    }
    // The same against a bot on the server.
    submit(ada, &base, "mahjong-distance");
    ada.follow("a[href*='/play/play.html?submission=']");
    ada.until("document.querySelector('#game').options.length === 1");
    ada.click("#start");
    ada.until("!document.querySelector('main').hasAttribute('data-empty')");
    idle(ada);
    click(ada, "#resign");
    let digest = ada.text("#digest");
    let watch = ada.value("document.getElementById('watch').href");
    let watch = watch.as_str().unwrap().to_owned();
    assert!(watch.ends_with("?course=ai"), "{watch}");
    click(ada, "#swap");
    assert!(ada.text("#score").contains("座位 2，你"), "{}", ada.text("#score"));
    if !is_over(ada) {
        click(ada, "#resign");
    }
    assert_ne!(ada.text("#digest"), digest);
    no_complaints(ada, &base);
    ada.visit(&watch);
    assert!(ada.text("nav").contains("Artificial Play"), "{}", ada.text("nav"));
    assert!(ada.text(".facts").contains("课程"), "{}", ada.text(".facts"));
}

fn plays_own_bot() {
    let mut scene = Scene::new();
    let base = scene.program.base.clone();
    let page = submit(&mut scene.ada, &base, "mahjong-distance");
    scene.ada.follow("a[href*='/play/play.html?submission=']");
    scene.ada.until("document.querySelector('#game').options.length === 1");
    assert!(scene.ada.text("#opponent").contains("mahjong-distance"));
    scene.ada.value("document.querySelector('#seat').value = '2'");
    scene.ada.click("#start");
    scene.ada.until("!document.querySelector('main').hasAttribute('data-empty')");
    idle(&mut scene.ada);
    (0..3).for_each(|_| answer_once(&mut scene.ada));
    // The round continues after a reload.
    let said = scene.ada.text("#log");
    let address = scene.ada.location();
    scene.ada.visit(&address);
    scene.ada.until("!document.querySelector('main').hasAttribute('data-empty')");
    idle(&mut scene.ada);
    assert_eq!(scene.ada.text("#log"), said);
    if !is_over(&mut scene.ada) {
        answer_once(&mut scene.ada);
    }
    if !is_over(&mut scene.ada) {
        click(&mut scene.ada, "#resign");
    }
    let replay = scene.ada.download("#save", scene.folder.path());
    let digest = Replay::read(&replay).unwrap().record.digest().to_string();
    assert_eq!(scene.ada.text("#digest"), digest);
    no_complaints(&mut scene.ada, &base);
    scene.ada.follow("#watch");
    assert!(scene.ada.location().contains("/rounds/"));
    assert!(scene.ada.text(".facts").contains(&digest));
    scene.ada.press("ArrowRight");
    assert!(scene.ada.text("#place").starts_with("1 / "));
    let round = scene.ada.location();
    scene.ada.visit(&page);
    assert!(scene.ada.text("main").contains("Your rounds against this bot"));
    // Another student can neither see the round nor play against the bot.
    scene.bob.visit(&round);
    assert!(scene.bob.text("h1").contains("no such page"));
    scene.bob.visit(&address);
    scene.bob.until("!document.querySelector('#trouble').hidden");
    assert!(scene.bob.text("#trouble").contains("there is no such bot"));
}

fn plays_public_bot() {
    let mut scene = Scene::new();
    let base = scene.program.base.clone();
    make_arena(&mut scene.teacher, &base);
    submit(&mut scene.ada, &base, "mahjong-distance");
    graded(&mut scene.ada);
    enter(&mut scene.ada, &base, "Nearest");
    let bob = &mut scene.bob;
    bob.visit(&format!("{base}/c/ai/a/tiles"));
    let link = "[...document.querySelectorAll('a')].find((a) => a.textContent === 'Nearest').href";
    let bot = bob.value(link).as_str().unwrap().to_owned();
    bob.visit(&bot);
    bob.follow("a[href*='/play/play.html?bot=']");
    bob.until("document.querySelector('#game').options.length === 1");
    bob.click("#start");
    bob.until("!document.querySelector('main').hasAttribute('data-empty')");
    idle(bob);
    answer_once(bob);
    if !is_over(bob) {
        click(bob, "#resign");
    }
    assert!(bob.text("#score").contains("Nearest"));
    bob.follow("#watch");
    let address = bob.location();
    bob.visit(&bot);
    assert!(bob.text("main").contains("Your rounds against this bot"));
    no_complaints(bob, &base);
    scene.ada.visit(&address);
    assert!(scene.ada.text("h1").contains("no such page"), "a round is its player's");
}

/// The promises of `judge/docs/server.md`: three bots of two students, a scoreboard, a replay, a
/// challenge, and a round against a bot.
fn everything_at_once() {
    let begun = std::time::Instant::now();
    let mut scene = Scene::new();
    let base = scene.program.base.clone();
    make_arena(&mut scene.teacher, &base);
    for (browser, bots) in [
        (&mut scene.ada, ["mahjong-distance"].as_slice()),
        (&mut scene.bob, ["mahjong-straightforward", "mahjong-hunter"].as_slice()),
    ] {
        for bot in bots {
            submit(browser, &base, bot);
            graded(browser);
            enter(browser, &base, bot);
        }
    }
    let scoreboard = format!("{base}/c/ai/s/mahjong/scoreboard");
    scene.teacher.visit(&scoreboard);
    scene.teacher.until("document.querySelectorAll('#scoreboard tbody tr').length === 2");
    let ada = &mut scene.ada;
    ada.visit(&format!("{base}/c/ai/a/tiles"));
    let choose = |select: &str, bot: &str| {
        format!(
            "const {select} = document.querySelector('#challenge [name={select}]');
             {select}.value = [...{select}.options].find((o) => o.text.includes('{bot}')).value; 0"
        )
    };
    ada.value(&choose("one", "mahjong-distance"));
    ada.value(&choose("other", "mahjong-hunter"));
    ada.follow("#challenge button");
    let pair = ada.location();
    visit_until(ada, &pair, "document.querySelectorAll('a.main').length === 2");
    ada.follow("a.main");
    ada.press("ArrowRight");
    assert!(ada.text("#place").starts_with("1 / "));
    ada.visit(&format!("{base}/play/play.html?game=cc&opponent=random&seed=1&seat=1"));
    idle(ada);
    answer_once(ada);
    no_complaints(ada, &base);
    eprintln!("from an empty folder to a course with all of it: {:?}", begun.elapsed());
}
