//! The assertions of the fuzz targets. A panic is a finding. Any value that a parser accepts must
//! be written back unchanged.

mod calls;
mod modules;
mod rules;
mod targets;

use std::sync::Arc;

use judge_core::{Options, RoundRecord, Seat, Seed, digest};
use judge_games::{Game, GameState, Learned, MAX_LISTED, View, next_question};

pub use calls::{Buffer, System, buffer, system};
pub use modules::{damaged, intake, pipe};
pub use rules::{report, transcript, verify};
pub use targets::{TARGETS, Target, run};

/// The seed of every round: the text decides everything else.
const SEED: Seed = Seed(1);

/// Most answers in one run.
const ANSWERS: usize = 16;

/// Most legal answers to try at one question.
const TRIED: usize = 4;

/// Resumes a round: the first line is a state, each further line an answer.
///
/// # Panics
/// When the round breaks one of its guarantees.
pub fn play(game: &str, text: &str) {
    let game = judge_games::find(game).expect("a registered game");
    let mut lines = text.split('\n');
    let state = lines.next().unwrap_or_default();
    let Some(mut running) = resume(game, state) else { return };
    look(game, &*running);
    for answer in lines.take(ANSWERS) {
        let legal = running.legal().iter().any(|other| other == answer);
        let taken = running.answer(answer);
        assert!(taken.is_ok() || !legal, "`{answer}` is legal, but refused: {taken:?}");
        if taken.is_ok() {
            next_question(&mut *running, &mut String::new());
            look(game, &*running);
        }
    }
}

/// A round in this state, at its question or end; none if the text is refused.
fn resume(game: &dyn Game, state: &str) -> Option<Box<dyn GameState>> {
    match game.resume(&Options::new(), SEED, state) {
        Ok(mut running) => {
            next_question(&mut *running, &mut String::new());
            Some(running)
        }
        Err(error) => {
            assert!(!error.to_string().is_empty(), "refused without a reason");
            None
        }
    }
}

/// Checks that all data of a round is consistent.
fn look(game: &dyn Game, running: &dyn GameState) {
    let state = running.state();
    let legal = running.legal();
    let again = || resume(game, &state).unwrap_or_else(|| panic!("own state refused: `{state}`"));
    let read = again();
    assert_eq!(read.state(), state);
    assert_eq!(read.legal(), legal);
    assert_eq!(read.standing(), running.standing());
    assert!(legal.is_sorted_by(|a, b| a < b), "legal answers of `{state}`: {legal:?}");
    if legal.len() < MAX_LISTED {
        assert_eq!(running.perft(1), legal.len() as u64, "`{state}`");
    }
    for answer in legal.iter().step_by(legal.len().div_ceil(TRIED).max(1)) {
        assert_eq!(again().answer(answer), Ok(()), "`{answer}` at `{state}`");
    }
    for view in [View::Everything, View::Seat(Seat::One), View::Seat(Seat::Two)] {
        assert!(running.frame(view).ends_with('\n'));
        assert!(running.svg(view).ends_with("</svg>\n"));
    }
}

/// Sets the switches of each game from lines `key=value`.
///
/// # Panics
/// When the facts of a round do not start a round with the same facts.
pub fn options(text: &str) {
    let given = read_options(text.lines());
    for game in judge_games::all() {
        let Ok(running) = game.start(&given, SEED) else { continue };
        let facts = running.facts();
        let told = read_options(facts.split(' '));
        let again = game.start(&told, SEED).unwrap_or_else(|error| panic!("`{facts}`: {error}"));
        assert_eq!(again.facts(), facts);
    }
}

fn read_options<'a>(pairs: impl Iterator<Item = &'a str>) -> Options {
    let pairs = pairs.filter_map(|pair| pair.split_once('='));
    pairs.map(|(key, value)| (key.to_owned(), value.to_owned())).collect()
}

/// Reads a record of a round.
///
/// # Panics
/// When an accepted record does not print as one that reads back.
pub fn replay(text: &str) {
    if let Ok(record) = RoundRecord::from_replay(text) {
        let again = RoundRecord::from_replay(&record.to_replay()).expect("own text");
        assert_eq!(again, record);
    }
}

/// Reads a testcase.
///
/// # Panics
/// When it is refused without a reason.
pub fn testcase(text: &str) {
    if let Err(error) = judge_grading::Testcase::parse("fuzz/01-text.toml", text) {
        assert!(!error.to_string().is_empty(), "refused without a reason");
    }
}

/// Reads a table of `judge train`, unchanged and with a valid checksum.
///
/// # Panics
/// When an accepted table is written differently, or makes a player that cannot play.
pub fn table(bytes: &[u8]) {
    let sealed = [bytes, digest(bytes).bytes()].concat();
    for bytes in [bytes, &sealed] {
        match judge_games::read_table(bytes) {
            Ok(learned) => {
                assert_eq!(learned.to_bytes(), bytes);
                begin(&learned.header().plan.board, learned.into());
            }
            Err(error) => assert!(!error.to_string().is_empty(), "refused without a reason"),
        }
    }
}

/// Lets a trained player of Amazons play on its board.
fn begin(board: &str, learned: Arc<dyn Learned>) {
    let game = judge_games::find("amazons").expect("a registered game");
    let size = board.split('x').next().unwrap_or_default().to_owned();
    let options =
        Options::from([("size".to_owned(), size), ("opening".to_owned(), "0".to_owned())]);
    assert_eq!(learned.fits(&options), Ok(()));
    let mut running = game.start(&options, SEED).expect("a board with usual squares");
    let (mut question, mut answer) = (String::new(), String::new());
    next_question(&mut *running, &mut question);
    learned.player(Seat::One, SEED).ask(&question, &mut answer).expect("a question");
    assert_eq!(running.answer(&answer), Ok(()), "`{answer}` to `{question}`");
}
