//! Collections from journals with rounds in any order.

use judge_core::{
    BotIdentity, BySeat, Limits, Options, SeatResult, SeatSpec, Seed, Transcript, digest,
};
use serde_json::json;

use super::*;
use crate::{FactStore, SubmissionNote};

fn fingerprint() -> Fingerprint {
    Fingerprint { judge: "test".to_owned(), engine: "none".to_owned() }
}

fn reference(name: &str) -> SeatSpec {
    SeatSpec::Reference { name: name.to_owned() }
}

/// A round on a small board.
fn spec(seed: u64, names: [&str; 2]) -> RoundSpec {
    RoundSpec {
        game: "cc".to_owned(),
        options: Options::from([("size".to_owned(), "5".to_owned())]),
        seed: Seed(seed),
        seats: names.map(reference),
        limits: Limits::COURSE,
    }
}

/// Plays a round into a journal.
fn add(journal: &Journal, spec: &RoundSpec) {
    let transcript = crate::play(spec, BySeat::default(), &[]).expect("a game").transcript;
    let record = judge_referee::record(spec, fingerprint(), &transcript).expect("the same game");
    add_record(journal, &record, &transcript);
}

fn add_record(journal: &Journal, record: &RoundRecord, transcript: &Transcript) {
    let outline = RoundOutline::new(record);
    journal.add(&record.header.spec, &outline, transcript).expect("room");
}

fn plan(command: &str, players: &[&str], seed: u64) -> Value {
    let players: Vec<Value> = players.iter().map(|name| identity(&reference(name))).collect();
    json!({"command": command, "game": "cc", "seed": seed, "players": players})
}

/// A closed journal with rounds of these seeds and players.
fn journal(
    folder: &Path,
    plan: Value,
    rounds: &[(u64, [&str; 2])],
    note: Option<PlayedNote>,
) -> PathBuf {
    let path = folder.join(format!("{}.journal", rounds.len()));
    let _ = std::fs::remove_file(&path);
    let journal = Journal::create(&path, fingerprint(), plan).expect("a new file");
    rounds.iter().for_each(|(seed, names)| add(&journal, &spec(*seed, *names)));
    if let Some(note) = note {
        note.write(&journal).expect("room");
    }
    path
}

fn note(meetings: &[(usize, [usize; 2], u64, u64)]) -> Option<PlayedNote> {
    let meeting = |(cycle, players, first, pairs): &(usize, [usize; 2], u64, u64)| MeetingNote {
        cycle: *cycle,
        players: *players,
        first: *first,
        pairs: *pairs,
    };
    let meetings = meetings.iter().map(meeting).collect();
    Some(PlayedNote { names: Vec::new(), meetings, asked: Value::Null })
}

const ONE: [&str; 2] = ["smart", "random"];
const TWO: [&str; 2] = ["random", "smart"];

/// Number, meeting, pair, seed, seat of A and whether it counts.
type Short = (u64, u64, Option<u64>, u64, Seat, bool);

fn short(path: &Path) -> Vec<Short> {
    let collection = Collection::open(path).expect("a journal");
    let row = |row: Result<RoundRow, CollectionError>| {
        let row = row.expect("a round");
        (row.round, row.meeting, row.pair, row.seed.0, row.a, row.counts)
    };
    collection.rows().map(row).collect()
}

#[test]
fn rounds_are_read_in_the_order_of_the_schedule() {
    let folder = tempfile::tempdir().expect("a folder");
    let orders = [
        [(7, ONE), (7, TWO), (8, ONE), (8, TWO), (9, ONE), (9, TWO)],
        [(9, TWO), (8, ONE), (7, TWO), (9, ONE), (8, TWO), (7, ONE)],
    ];
    let rows = orders.map(|order| {
        let ended = note(&[(0, [0, 1], 0, 2)]);
        let path = journal(folder.path(), plan("match", &ONE, 7), &order, ended);
        let collection = Collection::open(&path).expect("a journal");
        assert_eq!((collection.kind(), collection.len()), (RunKind::Match, 4), "the end was noted");
        let mut made = Vec::new();
        let mut take = |round: Result<(StoredRound, usize), CollectionError>| {
            let (round, calls) = round?;
            assert_eq!(round.record.calls.len(), calls);
            made.push(round.row);
            Ok::<(), CollectionError>(())
        };
        collection.check_each(|record| record.calls.len(), &mut take).expect("the same rounds");
        let rows = collection.rows().collect::<Result<Vec<_>, _>>().expect("rounds");
        assert_eq!(rows, made, "what the lines claim is what the rules give");
        rows
    });
    assert_eq!(rows[0], rows[1]);
    let short: Vec<_> = rows[0].iter().map(|row| (row.round, row.seed.0, row.a)).collect();
    let expected = [(1, 7, Seat::One), (2, 7, Seat::Two), (3, 8, Seat::One), (4, 8, Seat::Two)];
    assert_eq!(short, expected);
    assert!(rows[0].iter().all(|row| row.name(row.a) == "smart"));
    assert!(rows[0].iter().all(|row| row.plies > 1 && row.opening.len() > 9));
}

#[test]
fn an_unfinished_run_shows_its_finished_rounds() {
    let folder = tempfile::tempdir().expect("a folder");
    let rounds = [(9, ONE), (7, TWO), (7, ONE)];
    let path = journal(folder.path(), plan("match", &ONE, 7), &rounds, None);
    let whole = |round, seat| (round, 1, Some(1), 7, seat, true);
    let half = (5, 1, Some(3), 9, Seat::One, false);
    assert_eq!(short(&path), [whole(1, Seat::One), whole(2, Seat::Two), half]);
    let collection = Collection::open(&path).expect("a journal");
    assert_eq!(collection.round(5).expect("a round").row.seed, Seed(9));
    for missing in [0, 3, 6] {
        let error = collection.round(missing).expect_err("no such round").to_string();
        assert!(error.contains("has 3 rounds, the last is `5`"), "{error}");
    }
}

#[test]
fn a_repeated_meeting_is_separate() {
    let folder = tempfile::tempdir().expect("a folder");
    let rounds = [(3, ONE), (2, TWO), (3, TWO), (2, ONE)];
    let players = ["random", "smart", "lookahead"];
    let ended = note(&[(0, [0, 1], 0, 1), (1, [1, 0], 1, 1)]);
    let path = journal(folder.path(), plan("tournament", &players, 2), &rounds, ended);
    let expected = [
        (1, 1, Some(1), 2, Seat::One, true),
        (2, 1, Some(1), 2, Seat::Two, true),
        (3, 2, Some(1), 3, Seat::One, true),
        (4, 2, Some(1), 3, Seat::Two, true),
    ];
    assert_eq!(short(&path), expected);
    let collection = Collection::open(&path).expect("a journal");
    let first = |number| collection.round(number).expect("a round").row.seat_1;
    assert_eq!([1, 2, 3, 4].map(first), ["random", "smart", "smart", "random"]);
}

#[test]
fn identical_modules_share_a_round() {
    let folder = tempfile::tempdir().expect("a folder");
    let same = ["smart", "smart"];
    for ended in [None, note(&[(0, [0, 1], 0, 2)])] {
        let rounds = [(1, same), (2, same)];
        let path = journal(folder.path(), plan("match", &same, 1), &rounds, ended);
        let seats: Vec<_> = short(&path).into_iter().map(|row| (row.0, row.4, row.5)).collect();
        let (one, two) = (Seat::One, Seat::Two);
        assert_eq!(seats, [(1, one, true), (2, two, true), (3, one, true), (4, two, true)]);
    }
}

#[test]
fn a_file_that_is_not_a_run_or_was_changed_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let message = |path: &Path| match Collection::open(path) {
        Err(error) => error.to_string(),
        Ok(collection) => match collection.round(1).err() {
            Some(error) => error.to_string(),
            None => "nothing is wrong".to_owned(),
        },
    };
    let path = journal(folder.path(), json!({"command": "dance"}), &[], None);
    assert!(message(&path).ends_with("that this judge does not know: `dance`"));
    let path = journal(folder.path(), plan("match", &ONE, 1), &[(1, ["smart", "lookahead"])], None);
    assert!(message(&path).contains("line 2: one of its players is not in"));
    let path = folder.path().join("empty.journal");
    std::fs::write(&path, "{\"entry\":").expect("room");
    assert!(message(&path).contains("is empty"), "{}", message(&path));
}

#[test]
fn rounds_of_a_course_are_sorted_by_submission_testcase_and_seed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("course.journal");
    let journal = Journal::create(&path, fingerprint(), json!({"command": "course"})).expect("new");
    for name in ["zoe", "ada"] {
        let bot = BotIdentity { name: name.to_owned(), sha256: digest(b"same"), author: None };
        let note = SubmissionNote { file: format!("{name}.wasm"), bot, refused: None };
        let store: &dyn FactStore = &journal;
        store.keep(name, &note).expect("room");
    }
    for (seed, name, module) in [(5, "bob", b"other"), (4, "zoe", b"same!"), (3, "bob", b"other")] {
        let module = if module == b"same!" { digest(b"same") } else { digest(module) };
        let mut spec = spec(seed, ONE);
        spec.seats[1] = SeatSpec::Bot { name: name.to_owned(), sha256: module };
        let fault = judge_core::Fault {
            seat: Some(Seat::Two),
            verdict: judge_core::Verdict::RuntimeError,
            detail: "x".into(),
            call: None,
        };
        let transcript = judge_core::Transcript { fault: Some(fault), ..Default::default() };
        let record = judge_referee::record(&spec, fingerprint(), &transcript).expect("a game");
        add_record(&journal, &record, &transcript);
    }
    drop(journal);
    let collection = Collection::open(&path).expect("a journal");
    assert_eq!(collection.kind(), RunKind::Grading);
    let rows: Vec<RoundRow> = collection.rows().collect::<Result<_, _>>().expect("rounds");
    let short: Vec<_> =
        rows.iter().map(|row| (row.round, row.meeting, row.seat_2.as_str(), row.seed.0)).collect();
    assert_eq!(short, [(1, 1, "ada", 4), (2, 2, "bob", 3), (3, 2, "bob", 5)]);
    assert!(rows.iter().all(|row| row.a == Seat::Two && row.pair.is_none()));
    assert!(rows.iter().all(|row| row.result == SeatResult::Loss));
}

#[test]
fn only_the_rules_find_a_forged_result_in_a_valid_chain() {
    type Lie = fn(&mut RoundOutline);
    let lies: [(Lie, &str); 6] = [
        (|outline| outline.outcome.scores = [99, 0], "its `outcome.scores[0]`"),
        (|outline| outline.plies += 1, "its `plies`"),
        (|outline| outline.course ^= 1, "its `course`"),
        (|outline| outline.fuel[1] = Some(1), "its `fuel[1]`"),
        (|outline| outline.final_scores = Some([1, 0]), "its `final_scores`"),
        (|outline| outline.digest = digest(b"other"), "replayed by this judge, it differs"),
    ];
    let folder = tempfile::tempdir().expect("a folder");
    let transcript = crate::play(&spec(1, ONE), BySeat::default(), &[]).expect("a game").transcript;
    let record = judge_referee::record(&spec(1, ONE), fingerprint(), &transcript).expect("a game");
    let honest = RoundOutline::new(&record);
    for (number, (lie, told)) in lies.into_iter().enumerate() {
        let path = folder.path().join(format!("{number}.journal"));
        let journal = Journal::create(&path, fingerprint(), plan("match", &ONE, 1)).expect("new");
        add(&journal, &spec(2, ONE));
        let mut outline = honest.clone();
        lie(&mut outline);
        journal.add(&record.header.spec, &outline, &transcript).expect("room");
        let checked = check_rounds(&journal).expect_err("a lie").to_string();
        drop(journal);
        let collection = Collection::open(&path).expect("the chain holds");
        assert_eq!(collection.rows().filter_map(Result::ok).count(), 2, "the owner is believed");
        let seen = collection.check_each(|_| (), &mut |round| round.map(drop));
        let one = collection.round(1).expect_err("it is shown in full").to_string();
        for error in [checked, seen.expect_err("a lie").to_string(), one] {
            assert!(error.contains("line 3: ") && error.contains(told), "{error}");
        }
    }
}
