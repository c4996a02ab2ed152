//! Tests of truncated, changed, duplicated and mixed up journals.

use judge_core::{BySeat, Limits, Options, RoundRecord, Seat, SeatSpec, Seed, digest};
use serde_json::json;

use super::*;

fn fingerprint() -> Fingerprint {
    Fingerprint { judge: "test".to_owned(), engine: "none".to_owned() }
}

fn plan() -> Value {
    json!({"suite": "some"})
}

/// A round between two reference opponents, as the referee plays it.
fn round(seed: u64) -> (RoundRecord, Transcript) {
    let reference = || SeatSpec::Reference { name: "random".to_owned() };
    let spec = RoundSpec {
        game: "cc".to_owned(),
        options: Options::from([("size".to_owned(), "6".to_owned())]),
        seed: Seed(seed),
        seats: [reference(), reference()],
        limits: Limits::COURSE,
    };
    let transcript = crate::play(&spec, BySeat::default(), &[]).expect("a game").transcript;
    let record = judge_referee::record(&spec, fingerprint(), &transcript).expect("the same game");
    (record, transcript)
}

fn add(
    journal: &Journal,
    record: &RoundRecord,
    transcript: &Transcript,
) -> Result<(), JournalError> {
    journal.add(&record.header.spec, &RoundOutline::new(record), transcript)
}

/// A closed journal of three rounds, and its bytes.
fn written(folder: &Path) -> (PathBuf, Vec<u8>) {
    let path = folder.join("run.jsonl");
    let journal = Journal::create(&path, fingerprint(), plan()).expect("a new file");
    journal.note("a fact", &json!(1)).expect("room");
    for seed in 1..=3 {
        let (record, transcript) = round(seed);
        add(&journal, &record, &transcript).expect("room");
        add(&journal, &record, &transcript).expect("nothing is written twice");
    }
    journal.note("a fact", &json!(2)).expect("room");
    drop(journal);
    let bytes = std::fs::read(&path).expect("a file");
    (path, bytes)
}

#[test]
fn added_rounds_are_read_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, bytes) = written(folder.path());
    let journal = Journal::resume(&path, &fingerprint(), &plan()).expect("the same run");
    assert_eq!((journal.rounds(), journal.cut()), (3, 0));
    assert_eq!(journal.facts(), [("a fact".to_owned(), json!(2))]);
    for seed in 1..=3 {
        let (record, transcript) = round(seed);
        let found = journal.find(&record.header.spec).expect("readable");
        assert_eq!(found, Some((transcript, record.digest())));
        let outline = journal.outline(&record.header.spec).expect("readable");
        assert_eq!(outline, Some(RoundOutline::new(&record)));
    }
    let (unknown, _) = round(4);
    assert_eq!(journal.find(&unknown.header.spec).expect("readable"), None);
    assert_eq!(std::fs::read(&path).expect("a file"), bytes, "reading changes nothing");
}

#[test]
fn a_journal_cut_anywhere_continues_to_the_same_bytes() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, bytes) = written(folder.path());
    let rounds = [1, 2, 3].map(round);
    for length in 0..bytes.len() {
        std::fs::write(&path, &bytes[..length]).expect("room");
        let journal = Journal::resume(&path, &fingerprint(), &plan()).expect("a prefix");
        let whole = bytes[..length].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        assert_eq!(journal.cut(), (length - whole) as u64, "after {length} bytes");
        if journal.rounds() < 1 {
            journal.note("a fact", &json!(1)).expect("room");
        }
        for (record, transcript) in &rounds {
            add(&journal, record, transcript).expect("room");
        }
        journal.note("a fact", &json!(2)).expect("room");
        drop(journal);
        assert!(std::fs::read(&path).expect("a file") == bytes, "cut after {length} bytes");
    }
}

#[test]
fn a_changed_byte_is_found_and_nothing_is_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, bytes) = written(folder.path());
    for at in (0..bytes.len()).step_by(7) {
        let mut changed = bytes.clone();
        changed[at] ^= 1;
        std::fs::write(&path, &changed).expect("room");
        let opened = Journal::resume(&path, &fingerprint(), &plan());
        let last_break = at == bytes.len() - 1;
        match opened {
            Err(JournalError::Damaged { line, .. }) => {
                let before = bytes[..at].iter().filter(|byte| **byte == b'\n').count() as u64;
                assert_eq!(line, before + 1, "byte {at}");
            }
            other => assert!(last_break, "byte {at}: {other:?}"),
        }
        if !last_break {
            assert!(std::fs::read(&path).expect("a file") == changed, "byte {at}");
        }
    }
}

#[test]
fn lines_that_were_dropped_doubled_or_swapped_are_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, bytes) = written(folder.path());
    let text = String::from_utf8(bytes).expect("text");
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let orders: [&[usize]; 4] =
        [&[0, 1, 3, 4, 5], &[0, 1, 2, 2, 3, 4, 5], &[0, 1, 3, 2, 4, 5], &[1, 2, 3, 4, 5]];
    for order in orders {
        let changed: String = order.iter().map(|line| lines[*line]).collect();
        std::fs::write(&path, changed).expect("room");
        let opened = Journal::resume(&path, &fingerprint(), &plan());
        assert!(matches!(opened, Err(JournalError::Damaged { .. })), "{order:?}: {opened:?}");
    }
}

#[test]
fn a_file_that_is_not_a_journal_is_never_truncated() {
    let folder = tempfile::tempdir().expect("a folder");
    for text in ["{\"my\": \"notes\"}", "x", "{\"entry\":{\"round\""] {
        let path = folder.path().join("notes.json");
        std::fs::write(&path, text).expect("room");
        let opened = Journal::resume(&path, &fingerprint(), &plan());
        assert!(matches!(opened, Err(JournalError::Damaged { line: 1, .. })), "{opened:?}");
        assert_eq!(std::fs::read_to_string(&path).expect("a file"), text);
    }
    let (path, bytes) = written(folder.path());
    let cut = &bytes[..bytes.len() - 5];
    std::fs::write(&path, cut).expect("room");
    assert!(Journal::resume(&path, &fingerprint(), &json!({"suite": "other"})).is_err());
    assert!(std::fs::read(&path).expect("a file") == cut, "another run's journal stays as it is");
}

#[test]
fn a_round_finished_by_two_workers_is_written_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("run.jsonl");
    let journal = Journal::create(&path, fingerprint(), plan()).expect("a new file");
    let (record, transcript) = round(1);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| add(&journal, &record, &transcript).expect("room"));
        }
    });
    drop(journal);
    assert_eq!(std::fs::read_to_string(&path).expect("text").lines().count(), 2);
}

#[test]
fn a_changed_plan_keeps_the_rounds_of_the_journal() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, bytes) = written(folder.path());
    let other = json!({"suite": "other"});
    let resume =
        |plan: &Value, may: bool| Journal::resume_changed(&path, &fingerprint(), plan, &|_| may);
    assert!(resume(&other, false).is_err());
    assert_eq!(std::fs::read(&path).expect("a journal"), bytes, "a refusal writes nothing");
    drop(resume(&plan(), true).expect("the same plan"));
    assert_eq!(std::fs::read(&path).expect("a journal"), bytes, "nothing changed");
    let changed = resume(&other, true).expect("allowed");
    assert_eq!(
        (changed.rounds(), changed.header().map(|(_, plan)| plan)),
        (3, Some(other.clone()))
    );
    drop(changed);
    let read = Journal::open(&path).expect("whole");
    assert_eq!(read.header(), Some((fingerprint(), other.clone())), "read back from the file");
    drop(read);
    assert!(Journal::resume(&path, &fingerprint(), &plan()).is_err(), "the first plan is replaced");
    drop(Journal::resume(&path, &fingerprint(), &other).expect("the plan now"));
    drop(resume(&plan(), true).expect("and back again"));
    drop(Journal::resume(&path, &fingerprint(), &plan()).expect("the plan now"));
}

#[test]
fn another_run_another_judge_and_a_busy_journal_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, _) = written(folder.path());
    let message = |opened: Result<Journal, JournalError>| {
        opened.expect_err("another run").to_string().replace(&path.display().to_string(), "J")
    };
    let other = Fingerprint { judge: "2".to_owned(), ..fingerprint() };
    assert_eq!(
        message(Journal::resume(&path, &other, &plan())),
        "the journal `J` belongs to another run: it was begun with judge `test`, engine `none`; this is \
         judge `2`, engine `none`"
    );
    assert_eq!(
        message(Journal::resume(&path, &fingerprint(), &json!({"suite": "other"}))),
        "the journal `J` belongs to another run: `suite` is \"some\" in the journal and \"other\" in this run"
    );
    let first = Journal::resume(&path, &fingerprint(), &plan()).expect("free");
    assert!(message(Journal::open(&path)).contains("in use by another judge"));
    drop(first);
    assert!(Journal::open(&path).is_ok());
    assert!(message(Journal::create(&path, fingerprint(), plan())).contains("cannot create"));
}

/// A journal with these rounds, each changed by `change`, and a fact.
fn part(path: &Path, seeds: &[u64], fact: i32, change: impl Fn(&mut Transcript)) -> Journal {
    let journal = Journal::create(path, fingerprint(), plan()).expect("a new file");
    journal.note("a fact", &json!(fact)).expect("room");
    journal.note("its own", &json!(path.display().to_string())).expect("room");
    for seed in seeds {
        let (record, mut transcript) = round(*seed);
        change(&mut transcript);
        add(&journal, &record, &transcript).expect("room");
    }
    journal
}

#[test]
fn contradictory_journals_are_not_merged() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let honest = || part(&path("a"), &[1, 2], 1, |_| {});
    let agree = |other: Journal| {
        let journals = [honest(), other];
        let agreed = Agreed::new(&journals, &["its own"]).map(drop);
        journals.iter().for_each(|one| std::fs::remove_file(one.path()).expect("removed"));
        agreed.map_err(|error| error.to_string())
    };
    assert_eq!(agree(part(&path("b"), &[2, 3], 1, |_| {})), Ok(()), "the same round in both");
    let other = agree(part(&path("b"), &[2, 3], 1, |told| told.seats[Seat::One].log = b"x".into()));
    let told = other.expect_err("another log");
    let end = "about the round of cc, seed 2: `random` against `random`, and `random` against \
               `random`";
    assert!(told.ends_with(end), "{told}");
    assert!(told.contains("/a` and `") && told.contains("/b` contradict"), "{told}");
    let logged = |parts: Option<(u32, u32)>| {
        move |told: &mut Transcript| {
            told.seats[Seat::One].log = b"x".into();
            told.seats[Seat::One].log_parts = parts.map(|part| vec![part.into()]);
        }
    };
    let both = |one: Option<(u32, u32)>, other: Option<(u32, u32)>| {
        let journals = [("c", one), ("d", other)]
            .map(|(name, parts)| part(&path(name), &[2], 1, logged(parts)));
        let agreed = Agreed::new(&journals, &["its own"]).is_ok();
        journals.iter().for_each(|one| std::fs::remove_file(one.path()).expect("removed"));
        agreed
    };
    assert!(both(Some((1, 1)), Some((1, 1))) && !both(Some((1, 1)), Some((2, 1))));
    let told = agree(part(&path("b"), &[3], 2, |_| {})).expect_err("another fact");
    assert!(told.ends_with("contradict each other about `a fact`"), "{told}");
    let journals = [honest(), part(&path("b"), &[2, 3], 1, |_| {})];
    let agreed = Agreed::new(&journals, &["its own"]).expect("they agree");
    let whole = Journal::create(&path("whole"), fingerprint(), plan()).expect("a new file");
    whole.take_over(&agreed).expect("room");
    assert_eq!((whole.rounds(), whole.facts().len()), (3, 1));
}

#[test]
fn a_duplicate_round_in_a_journal_is_damage() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, _) = written(folder.path());
    let journal = Journal::open(&path).expect("a journal");
    let (record, mut transcript) = round(2);
    transcript.seats[Seat::Two].log = b"another".into();
    let spec = Box::new(record.header.spec.clone());
    let told = Box::new(JournalRecord::new(&transcript));
    let outline = Box::new(RoundOutline::new(&record));
    journal.append(JournalEntry::Round { spec, outline, told, processor_ms: None }).expect("room");
    drop(journal);
    let told = Journal::open(&path).expect_err("damage").to_string();
    assert!(told.ends_with("line 7: duplicate round"), "{told}");
}

#[test]
fn a_folder_or_device_is_refused_as_a_journal() {
    let folder = tempfile::tempdir().expect("a folder");
    assert!(Journal::open(folder.path()).is_err());
    #[cfg(unix)]
    assert!(Journal::open(Path::new("/dev/zero")).is_err());
}

/// Transcript of the player in seat 1, attributed to a bot with that module.
fn bots(seed: u64, module: Digest, fuel: u64) -> (RoundRecord, Transcript) {
    let (mut record, mut transcript) = round(seed);
    record.header.spec.seats[0] = SeatSpec::Bot { name: "bot".to_owned(), sha256: module };
    transcript.seats[Seat::One].fuel = vec![fuel / 2, fuel - fuel / 2];
    let called = record.calls.iter_mut().find(|call| call.seat == Seat::One);
    called.expect("a call").fuel = Some(fuel);
    (record, transcript)
}

#[test]
fn rounds_have_their_processor_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("run.jsonl");
    let [old, new] = [b"old", b"new"].map(|module| digest(module));
    let journal = Journal::create(&path, fingerprint(), plan()).expect("a new file");
    let bounds = crate::Bounds { processor: Duration::from_secs(9), journal_bytes: 9 };
    let account = Arc::new(Account::new(bounds, None));
    journal.charge(new, &account);
    // Nothing is measured yet: the time in the line has priority over fuel.
    for (seed, module) in [(1, old), (2, old), (3, new)] {
        let (record, transcript) = bots(seed, module, 7 * judge_core::FUEL_PER_MS);
        add(&journal, &record, &transcript).expect("room");
    }
    let times = |journal: &Journal| {
        [old, new, digest(b"none")].map(|module| journal.processor_time(&module))
    };
    let ms = Duration::from_millis;
    assert_eq!(times(&journal), [Some(ms(14)), Some(ms(0)), None]);
    drop(journal);
    let read = Journal::resume(&path, &fingerprint(), &plan()).expect("the same run");
    assert_eq!(times(&read), [Some(ms(14)), Some(ms(0)), None]);
    // Only rounds of the suite: one seed of two, no seed, more time than the suite gives.
    let on = |changed: &str| {
        let testcase = format!(
            "title = \"x\"\ngame = \"cc\"\nopponent = \"random\"\nmin_score = 0\npoints = 1\n{changed}"
        );
        let files = [("suite.toml", "title = \"x\""), ("01.toml", testcase.as_str())];
        let suite = Suite::from_files("x", files).expect("a suite");
        [old, new].map(|module| read.processor_time_on(&module, &suite))
    };
    let options = "[options]\nsize = 6\n";
    assert_eq!(on(&format!("seeds = [2, 9]\n{options}")), [Some(ms(7)), None]);
    assert_eq!(on(&format!("seeds = [1, 2, 3]\n{options}")), [Some(ms(14)), Some(ms(0))]);
    assert_eq!(on(&format!("seeds = [9]\n{options}")), [None, None]);
    assert_eq!(on("seeds = [1, 2, 3]\n"), [None, None], "other rules");
    let short = format!("seeds = [1, 2, 3]\n{options}[limits]\ntime_ms = 100\n");
    assert_eq!(on(&short), [None, None]);
    let long = format!("seeds = [1, 2, 3]\n{options}[limits]\ntime_ms = 9000\n");
    assert_eq!(on(&long)[0], Some(ms(14)), "its remaining time");
}
