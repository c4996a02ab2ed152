//! Rounds resumed from text, and their counts.

use judge_core::{Options, Seat, Seed};
use proptest::prelude::*;
use serde_json::Value;

use crate::agamemnon::tests::games::{between_under, set};
use crate::agamemnon::{Action, GAME, STANDARD_EDGES, State};
use crate::{Game as _, GameState, ResumeError, Step, View, next_question};

const VIEWS: [View; 3] = [View::Everything, View::Seat(Seat::One), View::Seat(Seat::Two)];

/// A round resumed from a state, at its question or end.
fn resume(options: &Options, seed: u64, state: &str) -> Result<Box<dyn GameState>, ResumeError> {
    let mut resumed = GAME.resume(options, Seed(seed), state)?;
    next_question(&mut *resumed, &mut String::new());
    Ok(resumed)
}

/// A round resumed from the state at a question has the same displays.
fn shows_the_same(running: &dyn GameState, options: &Options, seed: u64) {
    let state = running.state();
    let resumed = resume(options, seed, &state).unwrap_or_else(|e| panic!("`{state}`: {e}"));
    assert_eq!(resumed.state(), state);
    assert_eq!(resumed.legal(), running.legal(), "{state}");
    assert_eq!(resumed.standing(), running.standing(), "{state}");
    for view in VIEWS {
        assert_eq!(resumed.frame(view), running.frame(view), "{state}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// Holds under all rules, and with other luck to come.
    #[test]
    fn every_question_can_be_resumed(
        seed in any::<u64>(),
        board in prop::sample::select(vec!["standard", "loom"]),
        mapping in prop::sample::select(vec!["LSEF", "EFLS", "seed"]),
        edge_2428 in prop::sample::select(vec!["a", "b"]),
        redraw in prop::sample::select(vec!["never", "ask", "auto"]),
    ) {
        let options = set(&[
            ("board", board),
            ("mapping", mapping),
            ("edge_2428", edge_2428),
            ("redraw", redraw),
        ]);
        let played = between_under(["random", "random"], Seed(seed), &options);
        let answers = played.exchanges.into_iter().filter_map(|exchange| exchange.answer);
        let mut running = GAME.start(&options, Seed(seed)).expect("allowed options");
        for (number, answer) in (seed % 3..).zip(answers) {
            next_question(&mut *running, &mut String::new());
            // There may be 100,000 legal actions, too many to compare at every question.
            if number % 3 == 0 {
                shows_the_same(&*running, &options, seed ^ 1);
            }
            running.answer(&answer).expect("an answer that was taken before");
        }
        next_question(&mut *running, &mut String::new());
        shows_the_same(&*running, &options, seed ^ 1);
    }
}

/// The questions that the golden game asks are themselves states.
#[test]
fn a_question_is_a_state() {
    let golden = include_str!("../golden/playthrough.txt");
    let asked = golden.lines().filter_map(|line| line.split_once("move? ")?.1.split_once(" -> "));
    for (state, answer) in asked {
        let mut resumed = resume(&Options::new(), 5, state).expect("a state");
        assert_eq!(resumed.state(), state);
        assert!(resumed.legal().contains(&answer.to_owned()), "{answer}");
        resumed.answer(answer).expect("a legal answer");
    }
    assert_eq!(golden.lines().filter(|line| line.contains("move? ")).count(), 16);
}

/// The seed's own example: six tiles, so the second side has one more to place.
#[test]
fn a_state_within_a_turn_continues_with_the_second_tile() {
    let tiles = "Of04Bc08Bf09Oc11Oj13Bh14";
    let edges = STANDARD_EDGES.replace("S1315F1314", "F1315S1314");
    let as_printed = format!("{{“{tiles}”, “{edges}”}}");
    let strings = [format!("{tiles} {edges}"), as_printed, format!("- {tiles} {edges}")];
    let opened = strings.map(|text| resume(&Options::new(), 7, &text).expect("a state"));
    let [mut running, others @ ..] = opened;
    for other in others {
        assert_eq!(other.state(), running.state());
    }
    let state = running.state();
    let drawn = state.split(' ').next().unwrap_or_default();
    assert!(drawn.len() == 1 && state.ends_with(&format!(" {tiles} {edges}")), "{state}");
    assert_eq!(resume(&Options::new(), 8, &state).expect("a state").legal(), running.legal());
    let answer = running.legal().into_iter().next().expect("a legal action");
    assert!(answer.starts_with(&format!("B{drawn}")), "{answer}");
    running.answer(&answer).expect("a legal action");
    let mut line = String::new();
    assert_eq!(next_question(&mut *running, &mut line), Step::Ask(Seat::One));
    assert!(line.split(' ').nth(1).is_some_and(|drawn| drawn.len() == 2), "{line}");
}

/// The second tile of an early turn may be put back like the first.
#[test]
fn a_weaver_drawn_within_a_turn_is_offered() {
    let text = format!("i Oa14Bb15 {STANDARD_EDGES} redraw:1");
    let mut resumed = resume(&Options::new(), 3, &text).expect("a state");
    assert_eq!(resumed.state(), text);
    resumed.answer("no").expect("an answer");
    let mut line = String::new();
    next_question(&mut *resumed, &mut line);
    assert_eq!(line, format!("move? i Oa14Bb15 {STANDARD_EDGES}"));
}

/// Draw and edges may be omitted: the edges are then those at the start.
#[test]
fn a_state_can_have_only_tiles() {
    for (text, options) in [
        ("Oa00Bg09Bj04", &[][..]),
        ("ff Oa00", &[]),
        ("-", &[]),
        ("i - redraw:1", &[]),
        ("Oa00Bg32", &[("board", "loom"), ("edge_2428", "b")]),
        ("f -", &[("board", "loom"), ("mapping", "seed")]),
    ] {
        let options = set(options);
        let resumed = resume(&options, 5, text).unwrap_or_else(|e| panic!("`{text}`: {e}"));
        let mut begun = GAME.start(&options, Seed(5)).expect("allowed options");
        next_question(&mut *begun, &mut String::new());
        let edges = |state: String| state.split(' ').nth(2).unwrap_or_default().to_owned();
        assert_eq!(edges(resumed.state()), edges(begun.state()), "{text}");
        let tiles = text.split(' ').find(|word| word.starts_with(['O', '-'])).expect("tiles");
        assert!(resumed.state().contains(&format!(" {tiles} ")), "{}", resumed.state());
    }
    let scores = resume(&Options::new(), 1, "Oa00Bg09Bj04").expect("a state").standing().scores;
    assert_eq!(scores, [0, 5]);
}

/// Every turn of the games in the vectors, before its tiles are drawn and at the end.
#[test]
fn games_of_the_vectors_can_be_resumed() {
    let file: Value = serde_json::from_str(include_str!("../golden/vectors.json")).expect("JSON");
    let vectors = file["vectors"].as_array().expect("a list");
    let games: Vec<_> = vectors.iter().filter(|vector| vector["kind"] == "game").collect();
    assert!(games.len() >= 3);
    for game in games {
        let edges = game["edges"].as_str().expect("edges");
        let board = if edges.len() == STANDARD_EDGES.len() { "standard" } else { "loom" };
        // The vectors have class B.
        let rules =
            set(&[("board", board), ("mapping", "seed"), ("edge_2428", "b"), ("redraw", "never")]);
        let State { board, mut position } = State::parse("", edges).expect("a state");
        for action in game["actions"].as_array().expect("actions") {
            let action: Action = action.as_str().expect("a text").parse().expect("an action");
            position.play_unchecked(&board, &action);
            let state = State { board: board.clone(), position };
            let text = format!("- {} {}", state.tiles_text(), state.edges_text());
            let resumed = resume(&rules, 1, &text).unwrap_or_else(|e| panic!("`{text}`: {e}"));
            let scores = resumed.standing().scores;
            assert_eq!(scores, crate::agamemnon::score(&board, &position).map(i64::from));
        }
        assert!(position.is_over());
    }
}

#[test]
fn the_seed_draws_the_remaining_tiles() {
    let tiles = "Og30Bh11Bf23Oh14Oa04Bb21Ba20Of02Od27Bi13Bc05Of06Og28Bg29Be24Oe00Oj19Bg22Bf07\
                 Oi26Oj09Bj15Bd10Oc03Oi18Bj25Bi31";
    let edges = STANDARD_EDGES;
    let drawn = |seed| {
        let resumed =
            resume(&Options::new(), seed, &format!("- {tiles} {edges}")).expect("a state");
        resumed.state().split(' ').next().unwrap_or_default().to_owned()
    };
    // O has only a leader and a warrior left.
    let draws: std::collections::BTreeSet<String> = (0..20).map(drawn).collect();
    assert_eq!(draws.into_iter().collect::<Vec<_>>(), ["bf", "fb"]);
}

#[test]
fn an_offer_can_be_made_for_the_second_tile() {
    let text = format!("ij Oa14 {STANDARD_EDGES} redraw:2");
    let mut resumed = resume(&Options::new(), 3, &text).expect("a state");
    assert_eq!((resumed.state(), resumed.legal()), (text, vec!["no".to_owned(), "yes".to_owned()]));
    let mut line = String::new();
    assert_eq!((resumed.step(&mut line), line.as_str()), (Step::Ask(Seat::Two), "redraw? j"));
    resumed.answer("no").expect("an answer");
    line.clear();
    resumed.step(&mut line);
    assert_eq!(line, format!("move? ij Oa14 {STANDARD_EDGES}"));
}

/// The counts of the vectors, with the first seed that gives the vector's draw.
#[test]
fn perft_counts_as_in_the_vectors() {
    let rules = set(&[("redraw", "never")]);
    let count = |first: &str, second: &str, expected: [u64; 3]| {
        let text = format!("{first} - {STANDARD_EDGES}");
        let answer = if first == "j" { "Oj000101" } else { "Of00" };
        let matches = (0..).map(|seed| {
            let resumed = resume(&rules, seed, &text).expect("a state");
            let mut next = resume(&rules, seed, &text).expect("a state");
            next.answer(answer).expect("a legal answer");
            next_question(&mut *next, &mut String::new());
            (resumed, next.state())
        });
        let drawn = |state: &String| state.starts_with(&format!("{second} "));
        let (found, _) = matches.into_iter().find(|(_, state)| drawn(state)).expect("some seed");
        assert_eq!([0, 1, 2].map(|depth| found.perft(depth)), expected);
    };
    count("f", "fg", [1, 32, 59520]);
    count("j", "fg", [1, 314, 584_040]);
}

/// Redraw answers count too, and the later counts depend on them.
#[test]
fn perft_counts_redraws() {
    let text = format!("i - {STANDARD_EDGES} redraw:1");
    let counts: Vec<u64> = (0..3)
        .map(|depth| resume(&Options::new(), 1, &text).expect("a state").perft(depth))
        .collect();
    // Kept: 32 actions. Put back: seed 1 draws a tile other than a weaver, again 32.
    assert_eq!(counts, [1, 2, 64]);
}

#[test]
fn no_question_follows_the_end() {
    let tiles = "Og30Bh11Bf23Oh14Oa04Bb21Ba20Of02Od27Bi13Bc05Of06Og28Bg29Be24Oe00Oj19Bg22Bf07\
                 Oi26Oj09Bj15Bd10Oc03Oi18Bj25Bi31Of16Ob12Bf01";
    let ended =
        resume(&Options::new(), 1, &format!("- {tiles} {STANDARD_EDGES}")).expect("a state");
    assert_eq!([0, 1, 2].map(|depth| ended.perft(depth)), [1, 0, 0]);
    let standing = ended.standing();
    assert_eq!(standing.outcome.expect("the end").scores, standing.scores);
}

#[test]
fn terms_of_the_score_add_up() {
    let state = format!("fg Oa00Bg09Bj04Oe02Oj11 {STANDARD_EDGES}");
    let standing = resume(&Options::new(), 1, &state).expect("a state").standing();
    let told = standing.terms.iter().map(|term| format!("{} {:?}", term.name, term.values));
    insta::assert_snapshot!(told.collect::<Vec<_>>().join("\n"), @r"
    strength edges [0, 5]
    leadership edges [3, 0]
    force edges [3, 0]
    ");
    assert_eq!((standing.scores, standing.outcome), ([6, 5], None));
}

/// No view of the other seat shows a draw, and the own view hides tiles not yet asked about.
#[test]
fn the_view_of_a_seat_has_only_its_lines() {
    let news = |state: &str, view| {
        let frame = resume(&Options::new(), 1, state).expect("a state").frame(view);
        frame.lines().last().unwrap_or_default().trim().to_owned()
    };
    let drawn = |draw: &str| format!("{draw} Oa14 {STANDARD_EDGES}");
    let offered = |draw: &str| drawn(draw) + " redraw:2";
    assert_eq!(news(&drawn("cf"), View::Seat(Seat::Two)), "seat 2 drew cf");
    assert_eq!(news(&drawn("cf"), View::Seat(Seat::One)), "seat 2 draws and places");
    assert_eq!(news(&offered("ci"), View::Everything), "seat 2 drew ci and may put i back");
    assert_eq!(news(&offered("ci"), View::Seat(Seat::Two)), "seat 2 drew i and may put i back");
    assert_eq!(news(&offered("ci"), View::Seat(Seat::One)), "seat 2 draws and places");
    // Nothing else in the frame depends on the hidden tiles.
    for (one, other, seat) in [("cf", "gh", Seat::One), ("ci", "fi", Seat::Two)] {
        let states =
            [one, other].map(|draw| if seat == Seat::One { drawn(draw) } else { offered(draw) });
        let [one, other] = states.map(|state| {
            resume(&Options::new(), 1, &state).expect("a state").frame(View::Seat(seat))
        });
        assert_eq!(one, other);
    }
}
