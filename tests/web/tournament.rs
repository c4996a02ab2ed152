//! The page and the picture of a tournament fit the window, and run no injected script.

use std::path::{Path, PathBuf};

use judge_report::page::RoundLine;
use judge_report::{OpeningRow, Ranked, Tournament, WorstRounds};

use crate::Test;
use crate::browser::Browser;
use crate::shots::folder as shots;
use crate::support::{run, sample, write};

pub(crate) const TESTS: &[Test] = &[
    ("a_tournament_shows_its_players_and_their_ratings", shows),
    ("names_in_a_tournament_run_no_script", hostile),
    ("tournaments_of_any_size_fit_a_phone", fits),
];

/// Only for looking at pictures.
pub(crate) const SHOTS: &[Test] = &[("screenshots_of_tournaments_are_made", shoot)];

/// Names that try to inject markup.
const ATTACKS: [&str; 5] = [
    "<script>window.taken=1</script>",
    "</title><script>window.taken=1</script>",
    "<img src=x onerror='window.taken=1'>",
    "\"><svg onload=window.taken=1>",
    "\u{202e}gnp.<b>bold</b>\u{1b}[31m",
];

/// A tournament with players of all kinds: long names, hostile names, some that fail.
fn tournament(players: usize) -> Tournament {
    let ranked = |place: usize| {
        let rating = 600.0 - 800.0 * place as f64 / players as f64;
        let failing = place % 7 == 5;
        Ranked {
            name: match place % 9 {
                1 => format!("a-name-that-goes-on-and-on-{}", "longer-".repeat(20)),
                3 => ATTACKS[place % ATTACKS.len()].to_owned(),
                _ => format!("mahjong-player-{place}"),
            },
            rating,
            interval: (place + 1 != players).then_some([rating - 40.0, rating + 38.0]),
            score: 1.0 - place as f64 / players as f64,
            results: [100, 3, place as u64],
            seats: [0.6, 0.45],
            faults: if failing { 32 } else { 0 },
            kinds: if failing { vec![("Illegal move".to_owned(), 32)] } else { Vec::new() },
            first_fault: failing.then(|| format!("Illegal move, seed 1: {}", ATTACKS[0])),
        }
    };
    let results = |one: usize, other: usize| {
        (one != other).then(|| [(players + other - one) as u64, 0, (players + one - other) as u64])
    };
    Tournament {
        title: "Arcade Mahjong".to_owned(),
        format: "round robin".to_owned(),
        setting: "Arcade Mahjong, seeds 1 to 50, each from both seats.".to_owned(),
        about_ratings: "Ratings: Elo points above random.".to_owned(),
        players: (0..players).map(ranked).collect(),
        cross: (0..players)
            .map(|one| (0..players).map(|other| results(one, other)).collect())
            .collect(),
        meetings: players * (players - 1) / 2,
        rounds: 100 * (players * (players - 1) / 2) as u64,
        seats: vec!["Seat 1 made 51.0 % (50.1 to 51.9) of the points.".to_owned()],
        openings: vec![OpeningRow {
            seed: "18446744073709551615".to_owned(),
            seeds: 1,
            rounds: 182,
            seat_one: [0.95, 0.86, 0.99],
        }],
        remarks: vec![format!("{} against {} ended early, after 8 pairs.", ATTACKS[1], ATTACKS[2])],
        facts: vec![
            ("Judge".to_owned(), "0.1.0".to_owned()),
            (ATTACKS[0].to_owned(), "x".repeat(64)),
        ],
        worst: vec![WorstRounds { name: ATTACKS[0].to_owned(), lines: vec![attacked()] }],
        all_rounds: Some(format!("judge rounds '{}'", ATTACKS[1])),
    }
}

/// A round with such names of players and such a fault.
fn attacked() -> RoundLine {
    let hash = "0".repeat(64);
    let row = serde_json::json!({
        "round": 1, "meeting": 1, "pair": 1, "seed": 1, "opening": ATTACKS[0],
        "seat_1": ATTACKS[1], "seat_2": ATTACKS[2], "sha256_1": null, "sha256_2": hash,
        "a": 1, "result": "loss", "winner": 2, "score_1": 0, "score_2": 1, "reason": ATTACKS[0],
        "fault": "runtime-error", "blame": "seat-1", "detail": ATTACKS[2], "plies": 1,
        "fuel_1": null, "fuel_2": 5, "memory_1": null, "memory_2": 5, "counts": false,
        "course": "0".repeat(16), "digest": hash,
    });
    let row = serde_json::from_value(row).unwrap();
    let command = Some(format!("judge replay '{}' --round 1", ATTACKS[1]));
    RoundLine { row, seat: judge_core::Seat::One, page: None, command }
}

fn pages(folder: &Path, players: usize) -> [PathBuf; 2] {
    let tournament = tournament(players);
    [
        write(folder, &format!("page-{players}.html"), tournament.to_html()),
        write(folder, &format!("ratings-{players}.svg"), tournament.to_svg()),
    ]
}

/// A small real tournament.
fn shows() {
    let folder = tempfile::tempdir().unwrap();
    let [html, svg] = ["page.html", "ratings.svg"].map(|name| folder.path().join(name));
    let bot = sample("mahjong-distance");
    let players = ["random", "straightforward", bot.to_str().unwrap()];
    let files = ["--html", html.to_str().unwrap(), "--svg", svg.to_str().unwrap()];
    let more = ["--game", "mahjong", "--rounds", "12", "--seed", "1"];
    let ran = run(["tournament"].into_iter().chain(players).chain(more).chain(files));
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let mut browser = Browser::start();
    browser.open(&html);
    assert_eq!(browser.complaints(), Vec::<String>::new());
    let count = |browser: &mut Browser, what: &str| {
        browser.value(&format!("document.querySelectorAll({what:?}).length")).as_u64().unwrap()
    };
    for (what, expected) in [
        (".forest li:not(.axis)", 3),
        (".forest circle", 3),
        (".forest .interval", 2),
        (".cross tbody td:not(.none)", 3 + 6),
        (".faults", 0),
    ] {
        assert_eq!(count(&mut browser, what), expected, "{what}");
    }
    assert!(browser.text(".forest li:nth-child(2)").contains("mahjong-distance"));
    // The points of the picture are in the order of ratings.
    let places = "[...document.querySelectorAll('.forest circle')].map(one =>
        one.getBoundingClientRect().x)";
    let places: Vec<f64> = serde_json::from_value(browser.value(places)).unwrap();
    assert!(places[0] > places[1] && places[1] > places[2], "{places:?}");
    browser.open(&svg);
    assert_eq!(browser.complaints(), Vec::<String>::new());
    assert_eq!(count(&mut browser, "circle.point"), 3);
}

fn hostile() {
    let folder = tempfile::tempdir().unwrap();
    let mut browser = Browser::start();
    for page in pages(folder.path(), 60) {
        browser.open(&page);
        assert_eq!(browser.complaints(), Vec::<String>::new(), "{}", page.display());
        assert_eq!(browser.value("typeof window.taken"), "undefined");
        let strange =
            "document.querySelectorAll('img, b b, iframe, main script, svg script').length";
        assert_eq!(browser.value(strange), 0, "{}", page.display());
        let whole = browser.value("document.documentElement.textContent");
        let whole = whole.as_str().unwrap();
        assert!(ATTACKS[..4].iter().any(|attack| whole.contains(attack)), "{whole}");
        assert!(!whole.contains(['\u{202e}', '\u{1b}']), "{whole}");
    }
}

fn fits() {
    let folder = tempfile::tempdir().unwrap();
    let mut browser = Browser::start();
    for players in [2, 14, 60] {
        let [page, _] = pages(folder.path(), players);
        for width in [360, 1280] {
            browser.screen(width, 740);
            browser.open(&page);
            let wide = browser.value("document.documentElement.scrollWidth").as_u64().unwrap();
            assert!(wide <= u64::from(width), "{players} players: {wide} at {width}");
            let cut = "[...document.querySelectorAll('.forest .value')].filter(one =>
                one.scrollWidth > one.clientWidth + 1).length";
            assert_eq!(browser.value(cut), 0, "{players} players at {width}");
            // On a phone the number of faults is next to the name, in view.
            let signs = "[...document.querySelectorAll('th .sign')].filter(one =>
                one.offsetWidth > 0 && one.getBoundingClientRect().right < innerWidth).length";
            let failing = (0..players).filter(|place| place % 7 == 5).count();
            let expected = if width == 360 { failing } else { 0 };
            assert_eq!(browser.value(signs), expected, "{players} players at {width}");
        }
    }
}

fn shoot() {
    let folder = tempfile::tempdir().unwrap();
    let pictures = shots().expect("run only if there is one");
    std::fs::create_dir_all(&pictures).unwrap();
    let mut browser = Browser::start();
    for players in [2, 14, 60] {
        let [page, picture] = pages(folder.path(), players);
        for (looks, width, scheme) in [
            ("light", 1280, "light"),
            ("dark", 1280, "dark"),
            ("phone", 360, "light"),
            ("phone-dark", 360, "dark"),
        ] {
            browser.screen(width, if width < 500 { 740 } else { 900 });
            browser.prefer(scheme);
            for (what, file) in [("page", &page), ("picture", &picture)] {
                browser.open(file);
                let name = format!("tournament-{what}-{players}-{looks}.png");
                browser.shoot(&pictures.join(name), what == "page");
            }
        }
    }
}
