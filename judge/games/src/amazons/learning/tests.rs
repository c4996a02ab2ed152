//! Learning: repeatable, resumable, bounded, and worth it.

use judge_core::{Options, Player, Seat, Seed};

use super::super::knowledge::{Entry, Known};
use super::super::opponents::OPPONENTS;
use super::super::position::Move;
use super::*;
use crate::conformance::play;
use crate::{Game as _, TableError, read_table};

fn options(size: u8) -> Options {
    Options::from([("size".to_owned(), size.to_string())])
}

fn begin(board: &str, playouts: u32) -> Box<dyn Learned> {
    LEARNER.begin(&Plan { board: board.to_owned(), seed: 1, playouts }).expect("a board")
}

fn position(text: &str) -> super::super::Position {
    text.parse().expect("a position")
}

/// Trained by so many games.
fn trained(board: &str, playouts: u32, games: u32) -> Box<dyn Learned> {
    let mut learned = begin(board, playouts);
    (0..games).for_each(|_| {
        learned.play_game();
    });
    learned
}

fn untrained(seat: Seat, seed: Seed) -> Box<dyn Player> {
    let info = OPPONENTS.iter().find(|info| info.name == "mcts").expect("an opponent");
    (info.create)(seat, seed)
}

/// The winner of a round on the smallest board between players for seats 1 and 2.
fn winner(seed: Seed, mut players: [Box<dyn Player>; 2]) -> Option<Seat> {
    let mut options = options(4);
    options.insert("opening".to_owned(), "0".to_owned());
    let mut running = super::super::GAME.start(&options, seed).expect("known options");
    let [one, two] = &mut players;
    play(&mut *running, &mut [one, two]).expect("sound players").outcome.winner
}

#[test]
fn an_empty_table_plays_like_the_untrained_search() {
    for (board, text) in [("4x4", "1b2/3b/w3/2w1 w"), ("6x6", "2b3/6/b5/5w/6/3w2 w")] {
        let learned: Arc<dyn Learned> = begin(board, 200).into();
        for seed in 0..10 {
            let answers = |mut player: Box<dyn Player>| {
                let mut position = position(text);
                let mut answers = Vec::new();
                while position.can_move() {
                    let mut answer = String::new();
                    player.ask(&format!("move? {position}"), &mut answer).expect("a question");
                    position.play(answer.parse().expect("a move")).expect("a legal move");
                    answers.push(answer);
                }
                answers
            };
            let own = learned.clone().player(Seat::Two, Seed(seed));
            assert_eq!(answers(own), answers(untrained(Seat::Two, Seed(seed))), "{board} {seed}");
        }
    }
}

#[test]
fn an_interrupted_training_gives_the_same_bytes() {
    let whole = trained("4x4", 30, 9).to_bytes();
    assert_eq!(trained("4x4", 30, 9).to_bytes(), whole);
    let mut learned = begin("4x4", 30);
    for _ in 0..9 {
        learned.play_game();
        let bytes = learned.to_bytes();
        learned = read_table(&bytes).expect("own bytes");
        assert_eq!(learned.to_bytes(), bytes);
    }
    assert_eq!(learned.to_bytes(), whole);
    let mut other =
        LEARNER.begin(&Plan { board: "4x4".to_owned(), seed: 2, playouts: 30 }).expect("a board");
    (0..9).for_each(|_| {
        other.play_game();
    });
    assert_ne!(other.to_bytes(), whole, "another seed");
}

#[test]
fn a_changed_byte_of_a_table_is_found() {
    let whole = trained("4x4", 20, 1).to_bytes();
    for at in 0..whole.len() {
        let mut changed = whole.clone();
        changed[at] ^= 1 << (at % 8);
        assert!(read_table(&changed).is_err(), "byte {at}");
        assert!(read_table(&whole[..at]).is_err(), "cut at {at}");
    }
}

/// The bytes between first line and checksum, with the number of states that the line says.
fn forged(states: usize, body: &[u8]) -> Result<Box<dyn Learned>, TableError> {
    let plan = Plan { board: "4x4".to_owned(), seed: 1, playouts: 200 };
    let header = Header { game: "amazons".to_owned(), plan, games: 1, states };
    let mut bytes = header.begin();
    bytes.extend_from_slice(body);
    read_table(&file::seal(bytes))
}

/// A state and one move of it.
fn entry(position: &str, chosen: &str, visits: u32, sum: u32) -> Vec<u8> {
    let place = Place::new(&self::position(position));
    let Move { from, to, arrow } = place.inward(chosen.parse().expect("a move"));
    let squares = [from, to, arrow].map(|square| square.index() as u8);
    let counts = [visits.to_le_bytes(), sum.to_le_bytes()].concat();
    [place.key.bytes(4), &[1], &squares, &counts].concat()
}

const START: &str = "1b2/3b/w3/2w1 w";

#[test]
fn a_forged_table_is_refused_with_the_wrong_part() {
    let good = entry(START, "a2-a3/a2", 2, 160);
    assert!(forged(1, &good).is_ok());
    let error = |states: usize, body: &[u8]| {
        let error = forged(states, body).err().expect("a forgery");
        // The first line is the same for each of them.
        let line = "judge-table 1 amazons board=4x4 seed=1 playouts=200 games=1 states=1\n".len();
        let TableError::Body { state, at, what } = error else { panic!("{error}") };
        (state, at - line, what)
    };
    let what = |body: &[u8]| error(1, body).2;
    assert_eq!(error(2, &good), (2, 16, "the file ends in the middle of it".to_owned()));
    assert_eq!(error(0, &good), (0, 0, "more bytes than states".to_owned()));
    let twice = [&good[..], &good].concat();
    assert_eq!(error(2, &twice).0, 2);
    assert!(error(2, &twice).2.contains("does not come behind the state"));
    assert!(what(&entry("1b2/3b/w3/4 w", "a2-a3/a2", 1, 1)).contains("1 amazons of one side"));
    assert!(what(&entry(START, "a2-a4/c4", 1, 1)).contains("cannot enter or cross"));
    assert!(what(&entry(START, "c1-b1/c1", 0, 0)).contains("0 visits"));
    assert!(what(&entry(START, "c1-b1/c1", (1 << 24) + 1, 0)).contains("visits: expected"));
    assert!(what(&entry(START, "c1-b1/c1", 1, 81)).contains("cannot be worth 81"));
    let mut turned = good.clone();
    turned[..4].reverse();
    assert!(what(&turned).contains("least of its turned and mirrored keys"), "{}", what(&turned));
    for count in [25, 254] {
        let mut changed = good.clone();
        changed[4] = count;
        assert_eq!(error(1, &changed), (1, 4, format!("{count} moves: expected 1 to 24")));
    }
    let [lost, won] = [0, 255].map(|kind| [&good[..4], &[kind]].concat());
    assert!(forged(1, &lost).is_ok());
    assert!(forged(1, &[&won[..], &good[5..8]].concat()).is_ok());
    assert_eq!(error(1, &won), (1, 5, "the file ends in the middle of it".to_owned()));
    assert!(what(&[&won[..], &[0, 0, 0]].concat()).contains("no amazon"));
    let mut repeated = [&good[..], &good[5..]].concat();
    repeated[4] = 2;
    assert!(what(&repeated).contains("does not come behind the move"));
}

#[test]
fn a_table_with_another_first_line_is_refused() {
    let error = |line: &str| {
        let bytes = file::seal(format!("{line}\n").into_bytes());
        read_table(&bytes).err().expect("no table").to_string()
    };
    let rest = "seed=1 playouts=200 games=0 states=0";
    let told = error(&format!("judge-table 1 amazons board=9x9 {rest}"));
    assert_eq!(told, "first line: `board` is `9x9`: there are 4x4, 5x5, 6x6, 8x8, 10x10");
    assert!(
        error(&format!("judge-table 1 cc board=6x6 {rest}")).contains("`cc` is not a game that")
    );
    assert!(
        error(&format!("judge-table 1 chess board=8x8 {rest}")).contains("`chess` is not a game")
    );
    let none = rest.replace("200", "0");
    let none = error(&format!("judge-table 1 amazons board=4x4 {none}"));
    assert!(none.contains("`playouts` is `0`"), "{none}");
}

/// Knowledge about the smallest board, with room for so many bytes and games that begin after so
/// many random plies.
fn knowledge(playouts: u32, limit: usize, opening: u8) -> Knowledge {
    let setup = Setup { opening, ..setup("4x4").expect("a board") };
    let plan = Plan { board: "4x4".to_owned(), seed: 3, playouts };
    Knowledge { plan, setup, games: 0, table: Table::with_limit(4, limit) }
}

#[test]
fn a_full_table_drops_the_least_visited_positions() {
    let limit = 20_000;
    let mut learned = knowledge(40, limit, 0);
    let mut forgotten = 0;
    for _ in 0..60 {
        forgotten += learned.play_game();
        let size = learned.to_bytes().len();
        assert!(size < limit / 16 * 15 + 128, "{size} bytes");
    }
    assert!(forgotten > 0);
    let (_, entry) = learned.table.look_up(&position(START)).expect("this board");
    let Entry::Open(moves) = entry else { panic!("{entry:?}") };
    assert!(moves.len() > 2, "the start of all games is not forgotten");
}

#[test]
fn counts_that_grow_too_large_are_halved() {
    let place = Place::new(&position(START));
    let chosen = place.inward("a2-a3/a2".parse().expect("a move"));
    let mut table = Table::new(4);
    let most = 1 << 24;
    for (visits, sum) in [(most - 1, 80 * (most - 1)), (2, 160)] {
        table.learn(vec![(place.key, vec![Known { chosen, visits, sum }])]);
    }
    let halved = Known { chosen, visits: most / 2 + 1, sum: 40 * (most + 1) };
    let entries: Vec<&Entry> = table.iter().map(|(_, entry)| entry).collect();
    assert_eq!(entries, [&Entry::Open(vec![halved])]);
}

#[test]
fn proofs_propagate_from_the_end() {
    let mut table = Table::new(4);
    // White on turn is shut in; Black on turn shuts White in by his only move.
    let (lost, won) = (position("wxbx/xxxx/4/4 w"), position("xxxx/xwxb/xxx1/xxxx b"));
    assert!(table.prove(Place::new(&lost).key));
    assert_eq!(table.look_up(&lost).map(|(_, entry)| entry), Some(Entry::Lost));
    assert!(table.prove(Place::new(&won).key));
    let only = "d3-d2/d3".parse().expect("a move");
    assert_eq!(table.look_up(&won).map(|(_, entry)| entry), Some(Entry::Won(only)));
    // White has one move left, and Black three squares for himself.
    let open = position("w1xb/xxx1/xxx1/xxx1 w");
    assert!(!table.prove(Place::new(&open).key), "the next states are not known yet");
    open.each_move(|chosen| {
        let mut after = open.clone();
        after.play_unchecked(chosen);
        assert!(table.prove(Place::new(&after).key), "{after}");
    });
    assert!(table.prove(Place::new(&open).key));
    assert_eq!(table.look_up(&open).map(|(_, entry)| entry), Some(Entry::Lost));
}

#[test]
fn a_proven_win_is_played() {
    // Won by the table's proof, although another move has more visits.
    let (before, winning) = (position("4/1w2/3b/4 w"), "b3-c2/b3".parse().expect("a move"));
    let mut learned = knowledge(200, 10_000, 2);
    let place = Place::new(&before);
    learned.table.put(place.key, Entry::Won(place.inward(winning)));
    let learned = Arc::new(learned);
    let asked = |position: &super::super::Position| {
        let mut answer = String::new();
        let mut player = learned.clone().player(Seat::One, Seed(1));
        player.ask(&format!("move? {position}"), &mut answer).expect("a question");
        answer
    };
    assert_eq!(asked(&before), "b3-c2/b3");
    // A losing side without that knowledge plays on.
    let mut lost = knowledge(200, 10_000, 2);
    lost.table.put(place.key, Entry::Lost);
    let (mut own, mut other) = (String::new(), String::new());
    let line = format!("move? {before}");
    Arc::new(lost).player(Seat::One, Seed(1)).ask(&line, &mut own).expect("a question");
    untrained(Seat::One, Seed(1)).ask(&line, &mut other).expect("a question");
    assert_eq!(own, other);
}

#[test]
fn a_table_is_refused_for_another_board() {
    let learned = begin("4x4", 200);
    assert_eq!(learned.fits(&options(4)), Ok(()));
    let opening =
        Options::from([("size", "4"), ("opening", "4")].map(|(k, v)| (k.into(), v.into())));
    assert_eq!(learned.fits(&opening), Ok(()), "openings lead to positions of the same board");
    let spelled = [("size", "4"), ("white", "c1,a2")].map(|(k, v)| (k.into(), v.into()));
    assert_eq!(learned.fits(&Options::from(spelled)), Ok(()));
    let other = learned.fits(&Options::new());
    assert_eq!(other, Err("trained for 4x4, this match is 10x10".to_owned()));
    let moved = [("size", "4"), ("white", "a1,c1")].map(|(k, v)| (k.into(), v.into()));
    let other = learned.fits(&Options::from(moved)).expect_err("other squares");
    assert!(other.contains("with White on a2,c1 and Black on b4,d3"), "{other}");
}

/// On one start that all games of the training have seen, a few seconds of training are enough.
#[test]
fn a_trained_player_beats_the_untrained_one() {
    let mut learned = knowledge(200, 10 << 20, 0);
    (0..300).for_each(|_| {
        learned.play_game();
    });
    let learned: Arc<dyn Learned> = Arc::new(learned);
    let mut won = 0;
    for (seed, seat) in (1..=60).flat_map(|seed| Seat::BOTH.map(|seat| (Seed(seed), seat))) {
        let own = learned.clone().player(seat, seed);
        let other = untrained(seat.other(), seed);
        let players = if seat == Seat::One { [own, other] } else { [other, own] };
        won += u32::from(winner(seed, players) == Some(seat));
    }
    // Equal players win 60 of 120; they win fewer than 50 or more than 70 in one of twenty runs.
    assert!(won > 75, "won {won} of 120");
}
