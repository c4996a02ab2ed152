//! `judge rules`: vector files, and exploring the rules from the shell.

use std::ffi::OsString;
use std::path::Path;

use crate::support::{Ran, root, run, run_with_input, write};

fn check(text: &str) -> Ran {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), "vectors.json", text);
    let mut ran = run([OsString::from("rules"), "check".into(), path.into()]);
    let shown = format!("{}/", folder.path().display());
    ran.stdout = ran.stdout.replace(&shown, "");
    ran.stderr = ran.stderr.replace(&shown, "");
    ran
}

#[test]
fn every_vector_of_every_game_passes() {
    let file = |game: &str| root().join("judge/games/src").join(game).join("golden/vectors.json");
    let files = judge_games::all().iter().map(|game| file(game.name()));
    let ran = run(["rules".into(), "check".into()].into_iter().chain(files.map(OsString::from)));
    let passed = ran.stdout.strip_suffix(" passed, 0 failed\n").expect(&ran.stderr);
    assert!(ran.code == 0 && passed.parse::<usize>().unwrap() >= 435, "{}", ran.stdout);
}

/// Runs `judge rules` with these arguments.
fn rules(words: &[&str]) -> Ran {
    run(["rules"].iter().chain(words))
}

/// An Amazons board near the end of a game.
const SMALL: &str = "1b2/3b/w3/2w1 w";

#[test]
fn perft_counts_match_the_rules() {
    let ran = rules(&["perft", "2", "--game", "patchwork", "--json"]);
    let one = ran.json()["counts"][1].as_u64().unwrap();
    let legal = rules(&["legal", "--game", "patchwork"]);
    assert_eq!(legal.stdout.lines().count() as u64, one);
    let ran = rules(&["perft", "4", "--game", "cc", "--option", "size=6", "--option", "opening=0"]);
    assert_eq!(ran.stdout, "1 16\n2 257\n3 5075\n4 103814\n", "{}", ran.stderr);
    let divided = rules(&["perft", "2", SMALL, "--game", "amazons", "--divide"]);
    let (counts, sum) = divided.stdout.trim().rsplit_once("\nsum ").unwrap();
    let counts = counts.lines().map(|line| line.rsplit_once(' ').unwrap().1);
    let added: u64 = counts.map(|count| count.parse::<u64>().unwrap()).sum();
    assert_eq!(sum, added.to_string());
    assert_eq!(rules(&["perft", "0", "--game", "cc", "--divide"]).code, 2);
}

#[test]
fn rules_play_a_move_to_the_next_state() {
    let legal = rules(&["legal", SMALL, "--game", "amazons"]);
    let first = legal.stdout.lines().next().unwrap();
    let after = rules(&["apply", SMALL, first, "--game", "amazons"]);
    assert_eq!(after.code, 0, "{}", after.stderr);
    let state = after.stdout.trim_end();
    assert!(state.ends_with(" b"), "{state}");
    let shown = rules(&["show", state, "--game", "amazons"]);
    assert!(shown.stdout.contains(&format!("state: {state}\n")), "{}", shown.stdout);
    let json = rules(&["apply", SMALL, first, "--game", "amazons", "--json"]).json();
    assert_eq!((&json["state"], &json["seat"]), (&state.into(), &2.into()));
}

#[test]
fn an_illegal_move_exits_with_1_and_the_reason() {
    let ran = rules(&["apply", SMALL, "c1-c1/c2", "--game", "amazons"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""));
    assert!(ran.stderr.contains("illegal: `c1-c1`"), "{}", ran.stderr);
    let ran = rules(&["apply", SMALL, "nonsense", "--game", "amazons", "--json"]);
    assert_eq!((ran.code, &ran.json()["refused"]["kind"]), (1, &"malformed".into()));
}

#[test]
fn a_score_is_printed_with_its_terms() {
    let ran = rules(&["score", "--game", "patchwork"]);
    assert_eq!(ran.code, 0);
    assert!(ran.stdout.contains("seat 1    seat 2\nscore"), "{}", ran.stdout);
    assert!(ran.stdout.contains("-157      -157"), "{}", ran.stdout);
    let json = rules(&["score", "--game", "patchwork", "--json"]).json();
    assert_eq!(json["scores"], serde_json::json!([-157, -157]));
    assert!(json["outcome"].is_null() && json["terms"].is_object());
}

#[test]
fn a_picture_of_a_state_hides_what_the_player_may_not_see() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("hand.svg");
    let ran = rules(&["show", "--game", "mahjong", "--svg", path.to_str().unwrap()]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, ""));
    assert!(std::fs::read_to_string(&path).unwrap().starts_with("<svg"));
    let all = rules(&["show", "--game", "mahjong"]).stdout;
    let own = rules(&["show", "--game", "mahjong", "--view", "2"]).stdout;
    assert!(all.contains("state: ") && !own.contains("state: "), "{own}");
    assert!(own.len() < all.len());
    let own = rules(&["show", "--game", "mahjong", "--view", "2", "--json"]).json();
    let keys: Vec<&String> = own.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["frame", "game", "view"]);
}

#[test]
fn a_state_can_be_read_from_standard_input() {
    let divided =
        run_with_input(["rules", "perft", "2", "-", "--divide", "--game", "amazons"], SMALL);
    assert_eq!(divided.code, 0, "{}", divided.stderr);
    let typed = rules(&["perft", "2", SMALL, "--divide", "--game", "amazons"]);
    assert_eq!(divided.stdout, typed.stdout);
}

#[test]
fn impossible_states_are_invalid_input() {
    let states = [
        ("cc", "2"),
        ("cc", "0010101000000000001010000000000000000000000000000000000000000000000000012"),
        ("amazons", "1b2/3b/w3 w"),
        ("amazons", "1b2/3b/w3/2w2 w"),
        ("patchwork", "AABC -"),
        ("patchwork", "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg AAAA"),
        ("agamemnon", "- Oa00Oa01 S0001"),
        ("mahjong", "discard 1"),
    ];
    for (game, state) in states {
        let ran = rules(&["show", state, "--game", game]);
        assert_eq!((ran.code, ran.stdout.as_str()), (3, ""), "{game}: {}", ran.stderr);
        assert!(
            ran.stderr.starts_with(&format!("error: not a state of {game}: ")),
            "{}",
            ran.stderr
        );
        assert!(ran.stderr.contains("hint: "), "{}", ran.stderr);
    }
    let shown = states.map(|(game, state)| rules(&["show", state, "--game", game]).stderr);
    insta::assert_snapshot!(shown.concat());
    assert_eq!(rules(&["show", "--game", "chess"]).code, 2);
    assert_eq!(rules(&["show", "--game", "cc", "--option", "size=99"]).code, 2);
}

/// The example of the seed itself: six tiles, including the first of two in its last turn.
#[test]
fn the_states_in_the_course_material_are_read() {
    let tiles = "Of04Bc08Bf09Oc11Oj13Bh14";
    let edges = judge_games::agamemnon::STANDARD_EDGES.replace("S1315F1314", "F1315S1314");
    let texts = [
        format!("{{“{tiles}”, “{edges}”}}"),
        format!("{{\"{tiles}\", \"{edges}\"}}"),
        format!("{tiles} {edges}"),
        format!("- {tiles} {edges}"),
    ];
    for text in texts {
        let shown = rules(&["show", &text, "--game", "agamemnon"]);
        assert_eq!(shown.code, 0, "{text}: {}", shown.stderr);
        assert!(shown.stdout.contains(&format!(" {tiles} {edges}\n")), "{}", shown.stdout);
        assert!(shown.stdout.contains("seat 2 is asked: move? "), "{}", shown.stdout);
        let legal = rules(&["legal", &text, "--game", "agamemnon"]);
        assert!(legal.code == 0 && legal.stdout.starts_with('B'), "{}", legal.stderr);
        assert!(rules(&["score", &text, "--game", "agamemnon"]).stdout.contains("score"));
    }
    let two = rules(&["show", "Of04Bc08", "--game", "agamemnon", "--json"]).json();
    assert_eq!(two["seat"], 2, "B has one more tile to place: {two:#}");
}

#[test]
fn hints_repeat_the_given_options() {
    let loom = ["--game", "agamemnon", "--option", "board=loom"];
    let ran = rules(&[&["show", "Oa99"][..], &loom].concat());
    let hint = "hint: `judge rules show --game agamemnon --option board=loom` prints the start";
    assert!(ran.code == 3 && ran.stderr.contains(hint), "{}", ran.stderr);
    let start = rules(&[&["show", "start", "--json"][..], &loom].concat()).json();
    let state = start["state"].as_str().unwrap();
    assert!(state.contains("L2428"), "{state}");
    assert_eq!(rules(&[&["legal", state][..], &loom].concat()).code, 0);
    let standard = rules(&["legal", state, "--game", "agamemnon"]).stderr;
    assert!(standard.contains("under `board=loom` they fit"), "{standard}");
    let other = [&loom[..], &["--option", "edge_2428=b"]].concat();
    let refused = rules(&[&["legal", state][..], &other].concat()).stderr;
    assert!(refused.contains("under `edge_2428=a` they fit"), "{refused}");
    let of_b = state.replace("L2428", "S2428");
    assert_eq!(rules(&[&["legal", &of_b][..], &other].concat()).code, 0);
}

/// A state on a page.
struct Shown {
    game: &'static str,
    state: String,
}

/// The game of a state, by the letters in its text.
fn game_of(text: &str) -> Option<&'static str> {
    let all = |letters: &str| text.chars().all(|letter| letters.contains(letter));
    let is_tiles = |word: &str| {
        let whole = word.len() >= 4 && word.len().is_multiple_of(4) && word.starts_with('O');
        let digits = |tile: &[u8]| tile[2].is_ascii_digit() && tile[3].is_ascii_digit();
        let placed = |tile: &[u8]| b"OB".contains(&tile[0]) && tile[1].is_ascii_lowercase();
        whole && word.as_bytes().chunks(4).all(|tile| placed(tile) && digits(tile))
    };
    let circle: std::collections::BTreeSet<char> = text.chars().take(33).collect();
    if all("01…") && text.len() > 5 {
        return Some("cc");
    }
    if text.contains('/') && (text.ends_with(" w") || text.ends_with(" b")) {
        return Some("amazons");
    }
    if text.contains("S0001") && text.contains(' ') || text.split(' ').any(is_tiles) {
        return Some("agamemnon");
    }
    (circle.len() == 33 && circle.iter().all(char::is_ascii_alphabetic)).then_some("patchwork")
}

/// States in the code and the lines of a page. Questions of Patchwork follow their circle.
fn states_of(page: &str) -> Vec<Shown> {
    let mut circle = String::new();
    let mut shown = Vec::new();
    for line in page.lines() {
        let code = line.split('`').skip(1).step_by(2).map(str::to_owned);
        let after = |word: &str| Some(line.split_once(word)?.1.split('`').next()?.to_owned());
        if let Some(known) = after("circle ").filter(|text| text.len() == 33) {
            circle = known;
        }
        // The columns of a table are further apart.
        let asked = after("move? ").filter(|text| !text.starts_with(' ')).into_iter().map(|text| {
            match game_of(&text) {
                None if !circle.is_empty() => format!("{circle} {text}"),
                _ => text,
            }
        });
        let found =
            code.chain(asked).filter_map(|state| Some(Shown { game: game_of(&state)?, state }));
        shown.extend(found);
    }
    shown
}

fn pages(folder: &Path, found: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() && !name.starts_with('.') && name != "target" && name != "node_modules" {
            pages(&path, found);
        } else if name.ends_with(".md") {
            found.push(path);
        }
    }
}

/// Every state on a page is accepted, or is refused for the reason on the page. A shortened one is
/// refused for that.
#[test]
fn every_state_in_the_documentation_is_read() {
    let mut found = Vec::new();
    for part in ["judge", "sdk", "sample-bots", "testcases"] {
        pages(&root().join(part), &mut found);
    }
    found.push(root().join("README.md"));
    let (mut read, mut shortened, mut games) = (0, 0, std::collections::BTreeSet::new());
    for path in found {
        let page = std::fs::read_to_string(&path).unwrap();
        for Shown { game, state } in states_of(&page) {
            let place = format!("{}: {state}", path.display());
            let legal = rules(&["legal", &state, "--game", game]);
            if legal.code == 0 {
                assert_eq!(rules(&["show", &state, "--game", game]).code, 0, "{place}");
                read += 1;
                games.insert(game);
                continue;
            }
            let reason = legal.stderr.lines().next().unwrap().split_once(&format!("{game}: "));
            let reason = reason.expect(&legal.stderr).1;
            let said = reason.contains("is shortened") && state.contains('…');
            shortened += usize::from(said);
            let in_page = page.contains(reason);
            assert!(said || in_page, "{place}: {}", legal.stderr);
        }
    }
    assert_eq!(games.into_iter().collect::<Vec<_>>(), ["agamemnon", "amazons", "cc", "patchwork"]);
    assert!(read > 25 && shortened > 3, "{read} states, {shortened} shortened");
    for (game, question, why) in [
        ("patchwork", "move? FAAAEBAB", "the circle is missing"),
        ("agamemnon", "redraw? i", "the question `redraw?` does not contain"),
        ("mahjong", "win? 7d self", "the question `win?` does not contain"),
    ] {
        let ran = rules(&["show", question, "--game", game]);
        assert!(ran.code == 3 && ran.stderr.contains(why), "{}", ran.stderr);
    }
}

#[test]
fn a_failing_vector_is_printed_with_expected_and_found() {
    let ran = check(
        r#"{"game": "mahjong", "vectors": [
            {"id": "a", "kind": "distance", "hand": "122367c1478b1389d", "tiles": 14, "distance": 3},
            {"id": "b", "kind": "distance", "hand": "122367c1478b1389d", "tiles": 14, "distance": 2}
        ]}"#,
    );
    assert_eq!(ran.code, 1);
    assert_eq!(
        ran.stdout,
        "vectors.json: b (distance): distance: expected `2`, found `3`\n1 passed, 1 failed\n"
    );
}

#[test]
fn malformed_files_are_invalid_input() {
    let files = [
        ("{", "not a file of test vectors"),
        ("{}", "missing field `game`"),
        (r#"{"game": "chess", "vectors": []}"#, "unknown game `chess`"),
        (r#"{"game": "mahjong", "vectors": [{"id": "a", "kind": "riddle"}]}"#, "vector `a`: "),
        (r#"{"game": "mahjong", "vectors": [{"kind": "distance"}]}"#, "vector `number 1`: "),
    ];
    for (text, expected) in files {
        let ran = check(text);
        assert_eq!(ran.code, 3, "{text}");
        assert!(ran.stderr.contains(expected), "{}", ran.stderr);
    }
    let missing = run(["rules", "check", "no/such/file.json"]);
    assert_eq!(missing.code, 3);
}
