//! Whole games between opponents, and one of them line by line.

use judge_core::{Options, Seat, Seed};

use crate::Game as _;
use crate::agamemnon::{GAME, STANDARD_EDGES, State, score};
use crate::conformance::{Played, play};

/// Options of these keys and values.
pub(in crate::agamemnon) fn set(pairs: &[(&str, &str)]) -> Options {
    pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
}

/// A game of two opponents, by name, under these options.
pub(in crate::agamemnon) fn between_under(
    names: [&str; 2],
    seed: Seed,
    options: &Options,
) -> Played {
    let mut running = GAME.start(options, seed).expect("allowed options");
    let [mut one, mut two] = [0, 1].map(|at| {
        let named = |opponent: &&crate::OpponentInfo| opponent.name == names[at];
        let info = GAME.opponents().iter().find(named).expect("a known name");
        (info.create)(Seat::BOTH[at], seed)
    });
    play(&mut *running, &mut [&mut one, &mut two]).expect("sound opponents")
}

/// A game of two opponents, by name, under the default options.
pub(in crate::agamemnon) fn between(names: [&str; 2], seed: Seed) -> Played {
    between_under(names, seed, &Options::new())
}

/// The lines of a game as text: the seat, the notice or question, and the answer.
fn text(played: &Played) -> String {
    let [one, two] = played.outcome.scores;
    let mut lines: Vec<String> = played
        .exchanges
        .iter()
        .map(|exchange| match &exchange.answer {
            None => format!("{} {}", exchange.seat, exchange.line),
            Some(answer) => format!("{} {} -> {answer}", exchange.seat, exchange.line),
        })
        .collect();
    lines.push(format!("{}: {one} to {two}\n", played.outcome.reason));
    lines.join("\n")
}

#[test]
fn a_recorded_game_repeats_line_by_line() {
    let played = between(["greedy", "random"], Seed(2019));
    assert_eq!(text(&played), include_str!("../golden/playthrough.txt"));
}

#[test]
fn both_sides_receive_the_edges_and_the_other_sides_actions() {
    let options = set(&[("board", "loom"), ("mapping", "seed")]);
    let played = between_under(["random", "random"], Seed(7), &options);
    let edges = &played.exchanges[0].line;
    assert!(edges.starts_with("edges "));
    assert_eq!(&played.exchanges[1].line, edges);
    let actions = played.exchanges.iter().filter(|e| e.line.starts_with("move? "));
    let mut told = played.exchanges.iter().filter(|e| e.line.starts_with("opponent "));
    for asked in actions {
        let notice = told.next().expect("a notice of each action");
        assert_eq!(notice.seat, asked.seat.other());
        assert_eq!(Some(&notice.line["opponent ".len()..]), asked.answer.as_deref());
    }
    assert_eq!(told.next(), None);
}

/// The last question and its answer, replayed by hand, give the score of the outcome.
#[test]
fn the_outcome_is_the_score_of_the_last_state() {
    for seed in 0..10 {
        let played = between(["random", "random"], Seed(seed));
        let last = played.exchanges.iter().rfind(|e| e.answer.is_some()).expect("a question");
        let mut tokens = last.line.split(' ').skip(2);
        let mut token = || tokens.next().expect("tiles and edges");
        let State { board, mut position } = State::parse(token(), token()).expect("a state");
        let action = last.answer.as_deref().unwrap_or_default().parse().expect("an action");
        position.play_unchecked(&board, &action);
        assert!(position.is_over());
        assert_eq!(score(&board, &position).map(i64::from), played.outcome.scores);
    }
}

#[test]
fn seeds_reach_every_mapping() {
    let options = set(&[("board", "loom"), ("mapping", "seed")]);
    let edges = |seed| {
        let mut line = String::new();
        GAME.start(&options, Seed(seed)).expect("allowed options").step(&mut line);
        line
    };
    let boards: std::collections::BTreeSet<_> = (0..300).map(edges).collect();
    assert_eq!(boards.len(), 24);
    assert!(!boards.contains(&format!("edges {STANDARD_EDGES}")));
}

/// The switch changes one edge, and the greeting has it on the Loom.
#[test]
fn edge_2428_has_the_class_of_its_switch() {
    let begun = |pairs: &[(&str, &str)]| {
        let mut running = GAME.start(&set(pairs), Seed(1)).expect("allowed options");
        let mut line = String::new();
        running.step(&mut line);
        (running.facts(), line)
    };
    let loom = ("board", "loom");
    let [(printed, a), (example, b)] = ["a", "b"].map(|class| begun(&[loom, ("edge_2428", class)]));
    assert_eq!(begun(&[loom]), (printed.clone(), a.clone()));
    assert_eq!(printed, "board=loom mapping=LSEF edge_2428=a redraw=ask");
    assert_eq!(example, "board=loom mapping=LSEF edge_2428=b redraw=ask");
    assert!(a.contains("L2428") && b == a.replace("L2428", "S2428"), "{a}");
    assert_eq!(begun(&[("edge_2428", "b")]), begun(&[]), "the standard board has no classes");
}

/// Weavers among the tiles placed in the first two turns of each side, over some games.
fn early_weavers(redraw: &str) -> (usize, usize) {
    let options = set(&[("redraw", redraw)]);
    let (mut weavers, mut questions) = (0, 0);
    for seed in 0..40 {
        let played = between_under(["random", "random"], Seed(seed), &options);
        let moves = played.exchanges.iter().filter(|e| e.line.starts_with("move? "));
        let drawn = moves.take(4).filter_map(|e| e.line.split(' ').nth(1));
        weavers += drawn.flat_map(str::bytes).filter(|kind| b"ij".contains(kind)).count();
        questions += played.exchanges.iter().filter(|e| e.line.starts_with("redraw? ")).count();
    }
    (weavers, questions)
}

#[test]
fn a_redraw_is_asked_for_and_done_or_declined() {
    let (weavers, questions) = early_weavers("never");
    assert!(weavers > 50 && questions == 0, "{weavers} {questions}");
    let (weavers, questions) = early_weavers("ask");
    assert!(weavers > 20 && questions > weavers, "{weavers} {questions}");
    assert_eq!(early_weavers("auto"), (0, 0));
}

/// One side's redraws do not change the other side's tiles.
#[test]
fn the_luck_of_each_side_is_independent() {
    let drawn = |names| -> Vec<String> {
        let played = between(names, Seed(11));
        let moves = played.exchanges.into_iter().filter(|e| e.line.starts_with("move? "));
        let of_two = moves.filter(|e| e.seat == Seat::Two);
        of_two.map(|e| e.line.split(' ').nth(1).unwrap_or_default().to_owned()).collect()
    };
    assert_eq!(drawn(["random", "greedy"]), drawn(["greedy", "greedy"]));
}

#[test]
fn unknown_options_are_refused_with_the_known_ones() {
    let error = GAME.start(&set(&[("opening", "2")]), Seed(1)).err().expect("none").to_string();
    insta::assert_snapshot!(error, @"unknown option `opening`: agamemnon has `board`, `mapping`, `edge_2428`, `redraw`");
}

/// The table of examples in the README agrees with the rules.
#[test]
fn the_documented_scores_are_right() {
    let readme = include_str!("../README.md").lines();
    let examples = readme.filter_map(|line| {
        let cells: Vec<&str> = line.strip_prefix("| `O")?.split(" | ").collect();
        let tiles = format!("O{}", cells[0].trim_end_matches('`'));
        Some((tiles, [cells[1].parse().ok()?, cells[2].parse().ok()?]))
    });
    let examples: Vec<(String, [u32; 2])> = examples.collect();
    assert_eq!(examples.len(), 6);
    for (tiles, expected) in examples {
        let State { board, position } = State::parse(&tiles, STANDARD_EDGES).expect("a state");
        assert_eq!(score(&board, &position), expected, "{tiles}");
    }
}
