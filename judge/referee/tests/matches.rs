//! Rounds from the first line to the record, and back from the record to the round.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use judge_core::{
    Branch, Fault, Fingerprint, GivenAnswers, Limits, Options, Player, PlayerFault, RoundRecord,
    RoundSpec, Seat, SeatSpec, Seed, Transcript, Usage, Verdict, digest,
};
use judge_games::IllegalMove;
use judge_referee::{
    Overruling, ScriptedPlayer, TranscriptObserver, play, record, reference, retrace,
    retrace_given, sit_down, start, transcript_of,
};

/// A reference opponent in the role of a bot: each call costs 7 fuel, and at call `fails_at` it
/// fails, or answers with `says`.
struct FakeBot {
    inner: Box<dyn Player>,
    calls: usize,
    fails_at: Option<usize>,
    says: Option<&'static str>,
}

impl FakeBot {
    fn count(&mut self) -> Result<Option<u64>, PlayerFault> {
        self.calls += 1;
        if Some(self.calls) == self.fails_at {
            return Err(PlayerFault::new(Verdict::RuntimeError, "integer division by zero"));
        }
        Ok(Some(7))
    }
}

impl Player for FakeBot {
    fn notice(&mut self, line: &str) -> Result<Option<u64>, PlayerFault> {
        self.inner.notice(line)?;
        self.count()
    }

    fn ask(&mut self, line: &str, answer: &mut String) -> Result<Option<u64>, PlayerFault> {
        self.inner.ask(line, answer)?;
        if let Some(says) = self.says {
            says.clone_into(answer);
        }
        self.count()
    }

    fn usage(&mut self) -> Usage {
        let log_parts = Some(vec![(0, 1).into()]);
        Usage { peak_memory_bytes: 65_536, log: b"hm".to_vec(), log_dropped: 3, log_parts }
    }
}

fn spec() -> RoundSpec {
    RoundSpec {
        game: "mahjong".to_owned(),
        options: Options::new(),
        seed: Seed(5),
        seats: [
            SeatSpec::Bot { name: "fake".to_owned(), sha256: digest(b"fake") },
            SeatSpec::Reference { name: "random".to_owned() },
        ],
        limits: Limits::COURSE,
    }
}

/// Plays as a worker does, and returns its message.
fn transcript(fails_at: Option<usize>, says: Option<&'static str>) -> Transcript {
    let spec = spec();
    let (game, mut state) = start(&spec).unwrap();
    let inner = reference(game, "straightforward", Seat::One, spec.seed).unwrap();
    let mut bot = FakeBot { inner, calls: 0, fails_at, says };
    let mut opponent = reference(game, "random", Seat::Two, spec.seed).unwrap();
    let mut observer = TranscriptObserver::default();
    let conclusion = play(game, state.as_mut(), [&mut bot, opponent.as_mut()], &mut observer);
    let mut transcript = observer.transcript;
    transcript.fault = conclusion.fault.filter(|_| observer.player_failed);
    let usage = bot.usage();
    transcript.seats[Seat::One].peak_memory_bytes = usage.peak_memory_bytes;
    transcript.seats[Seat::One].log = usage.log;
    transcript.seats[Seat::One].log_dropped = usage.log_dropped;
    transcript.seats[Seat::One].log_parts = usage.log_parts;
    transcript
}

fn recorded(transcript: &Transcript) -> RoundRecord {
    let fingerprint = Fingerprint { judge: "test".to_owned(), engine: "none".to_owned() };
    record(&spec(), fingerprint, transcript).unwrap()
}

fn fault(record: &RoundRecord) -> &Fault {
    record.trailer.fault.as_ref().expect("a fault")
}

#[test]
fn a_match_greets_plays_and_says_farewell() {
    let record = recorded(&transcript(None, None));
    assert_eq!(record.trailer.fault, None);
    assert!(record.calls[0].line.starts_with("game mahjong seat 1 void_suit=false "));
    assert!(record.calls[1].line.starts_with("game mahjong seat 2 void_suit=false "));
    let last: Vec<&str> =
        record.calls.iter().rev().take(2).map(|call| call.line.as_str()).collect();
    let [one, two] = record.trailer.outcome.scores;
    assert!(last[1].ends_with(&format!(" {one} {two}")), "{last:?}");
    assert!(last[0].ends_with(&format!(" {two} {one}")), "{last:?}");
    let own = record.calls.iter().filter(|call| call.seat == Seat::One).count() as u64;
    assert_eq!(record.fuel(Seat::One), 7 * own);
    assert_eq!(record.fuel(Seat::Two), 0);
    assert_eq!(record.trailer.logs[Seat::One], "hm");
    assert_eq!(record.logged(Seat::One), Some(vec![(0, "m")]));
}

/// Another first discard of the bot than its own.
fn other_discard(record: &RoundRecord) -> GivenAnswers {
    let own = || record.calls.iter().filter(|call| call.seat == Seat::One);
    let drawn: Vec<&str> = own().filter_map(|call| call.line.strip_prefix("draw ")).collect();
    let said = own().find(|call| call.line == "discard?").unwrap().answer.as_deref().unwrap();
    let answer = drawn[..13].iter().find(|tile| **tile != said).map(|tile| (*tile).to_owned());
    let question = own().filter(|call| call.answer.is_some());
    let question = question.take_while(|call| call.line != "discard?").count() as u32;
    let branch = Branch { seat: Seat::One, question, answer, luck: None };
    GivenAnswers::default().with_branch(branch)
}

#[test]
fn a_bot_that_fails_while_resuming_is_at_fault_at_its_next_line() {
    let spec = spec();
    let (game, _) = start(&spec).unwrap();
    let fake = |fails_at| {
        let inner = reference(game, "straightforward", Seat::One, spec.seed).unwrap();
        FakeBot { inner, calls: 0, fails_at, says: None }
    };
    let given = other_discard(&recorded(&transcript(None, None)));
    // At its greeting, at a line of the position, and in the rest of the round.
    for fails_at in [Some(1), Some(9), None] {
        let mut opponent = reference(game, "random", Seat::Two, spec.seed).unwrap();
        let mut spent_before = None;
        let mut again = |_: Seat, spent: u64| {
            spent_before = Some(spent);
            Some(Box::new(fake(fails_at)) as Box<dyn Player>)
        };
        let overruling = Overruling { answers: &given, again: &mut again };
        let mut bot = fake(None);
        let players: [&mut dyn Player; 2] = [&mut bot, opponent.as_mut()];
        let transcript = sit_down(&spec, players, Some(overruling)).unwrap();
        assert_eq!(spent_before, Some(7 * bot.calls as u64));
        let round = retrace_given(&spec, &transcript, Some(&given)).unwrap();
        let fingerprint = Fingerprint { judge: "test".to_owned(), engine: "none".to_owned() };
        let record = round.into_record(&spec, fingerprint, &transcript);
        assert_eq!(record.trailer.fault, transcript.fault);
        let expected = fails_at.map(|_| (Some(Seat::One), Verdict::RuntimeError));
        let found = record.trailer.fault.map(|fault| (fault.seat, fault.verdict));
        assert_eq!(found, expected, "{fails_at:?}");
    }
}

#[test]
fn log_parts_number_all_calls_in_a_record() {
    let mut transcript = transcript(None, None);
    let seat = &mut transcript.seats[Seat::One];
    // A character split over three calls, and bytes that are not text.
    seat.log = b"\xe2\x82\xac: \xff.".to_vec();
    let last = seat.fuel.len() as u32 - 1;
    seat.log_parts = Some(vec![(1, 1).into(), (2, 1).into(), (4, 3).into(), (last, 2).into()]);
    let record = recorded(&transcript);
    assert_eq!(record.trailer.fault, None);
    let logged = record.logged(Seat::One).expect("it is known");
    let own = record.calls.iter().enumerate().filter(|(_, call)| call.seat == Seat::One);
    let own: Vec<usize> = own.map(|(index, _)| index).collect();
    let last = own.len() - 1;
    assert_eq!(logged, [(own[1], "\u{20ac}"), (own[4], ": "), (own[last], "\u{fffd}.")]);
    assert_eq!(recorded(&transcript_of(&record)), record);
    assert_eq!(RoundRecord::from_replay(&record.to_replay()).unwrap(), record);
}

#[test]
fn parts_of_a_log_change_no_digest() {
    let known = transcript(Some(40), None);
    let mut unknown = known.clone();
    unknown.seats[Seat::One].log_parts = None;
    let [known, unknown] = [recorded(&known), recorded(&unknown)];
    assert_eq!(known.digest(), unknown.digest());
    assert!(!unknown.to_replay().contains("log_parts"));
    let [known, unknown] = [known, unknown].map(|record| judge_referee::check_by_rules(&record));
    assert_eq!((known, unknown), (Ok(()), Ok(())));
}

#[test]
fn replaying_a_record_gives_the_same_record() {
    for (fails_at, says) in [
        (None, None),
        (Some(1), None),
        (Some(40), None),
        (None, Some("1b")),
        (None, Some("what")),
        (Some(20), Some("1b")),
    ] {
        let record = recorded(&transcript(fails_at, says));
        let again = recorded(&transcript_of(&record));
        assert_eq!(again, record, "fails at {fails_at:?}, says {says:?}");
        let file = RoundRecord::from_replay(&record.to_replay()).unwrap();
        assert_eq!(file, record);
    }
}

#[test]
fn a_record_with_a_binary_log_replays_to_itself() {
    let mut transcript = transcript(None, None);
    // The longest possible log; in the record each byte becomes three.
    transcript.seats[Seat::One].log = vec![0xff; spec().limits.log_bytes as usize];
    let record = recorded(&transcript);
    assert_eq!(record.trailer.fault, None);
    assert_eq!(recorded(&transcript_of(&record)), record);
    transcript.seats[Seat::One].log.push(0xff);
    assert!(recorded(&transcript).trailer.fault.is_some(), "one too many");
}

/// The round if a person in seat 1 gives these answers and then gives up.
fn given_up(answers: &[&str]) -> (RoundSpec, Transcript) {
    let mut spec = spec();
    spec.seats[0] = SeatSpec::Human { name: "Ada".to_owned() };
    let (game, mut state) = start(&spec).unwrap();
    let mut transcript = Transcript::default();
    transcript.seats[Seat::One].answers = answers.iter().map(|&answer| answer.to_owned()).collect();
    let script = transcript.seats[Seat::One].clone();
    let mut person = ScriptedPlayer::new(&script, Some(PlayerFault::resigned()), false);
    let mut opponent = reference(game, "random", Seat::Two, spec.seed).unwrap();
    let mut observer = TranscriptObserver::default();
    let conclusion = play(game, state.as_mut(), [&mut person, opponent.as_mut()], &mut observer);
    transcript = observer.transcript;
    transcript.fault = conclusion.fault;
    (spec, transcript)
}

#[test]
fn a_person_who_gives_up_loses_at_the_question() {
    let (spec, transcript) = given_up(&[]);
    let round = retrace(&spec, &transcript).unwrap();
    assert_eq!(round.calls.last().unwrap().line, "discard?");
    assert_eq!(round.conclusion.outcome.winner, Some(Seat::Two));
    assert_eq!(round.conclusion.outcome.reason, "resigned");

    let fingerprint = Fingerprint { judge: "test".to_owned(), engine: "none".to_owned() };
    let kept = record(&spec, fingerprint.clone(), &transcript).unwrap();
    assert_eq!(fault(&kept).verdict, Verdict::Resigned);
    assert_eq!(record(&spec, fingerprint, &transcript_of(&kept)).unwrap(), kept);
    assert_eq!(RoundRecord::from_replay(&kept.to_replay()).unwrap(), kept);
}

#[test]
fn a_tried_answer_is_accepted_or_refused_with_the_reason() {
    let (spec, transcript) = given_up(&[]);
    let mut round = retrace(&spec, &transcript).unwrap();
    let legal = round.state.legal();
    for nonsense in ["", "1x", "b\u{1b}[31m", "größer", &"x".repeat(5000)] {
        assert!(matches!(round.try_answer(nonsense), Err(IllegalMove::Malformed(_))));
    }
    assert!(matches!(round.try_answer("5b"), Err(IllegalMove::Forbidden(_))), "{legal:?}");
    assert_eq!(round.state.legal(), legal, "a refused answer changes nothing");
    round.try_answer(&legal[0]).unwrap();
    let (_, longer) = given_up(&[&legal[0]]);
    let next = retrace(&spec, &longer).unwrap();
    assert!(next.calls.len() > round.calls.len());
}

#[test]
fn only_a_person_can_give_up() {
    let suspicion = |spec: &RoundSpec, transcript: &Transcript| {
        let conclusion = retrace(spec, transcript).unwrap().conclusion;
        conclusion.fault.filter(|fault| fault.seat.is_none()).map(|fault| fault.detail.to_string())
    };
    let (spec, honest) = given_up(&[]);
    assert_eq!(suspicion(&spec, &honest), None);
    let mut failed = honest.clone();
    failed.fault.as_mut().unwrap().verdict = Verdict::RuntimeError;
    let detail = suspicion(&spec, &failed).expect("refused");
    assert!(detail.ends_with("a person failed other than by giving up"), "{detail}");

    let mut gave_up = transcript(Some(40), None);
    gave_up.fault.as_mut().unwrap().verdict = Verdict::Resigned;
    let detail = suspicion(&self::spec(), &gave_up).expect("refused");
    assert!(detail.ends_with("a bot gave up"), "{detail}");
}

#[test]
fn an_illegal_move_forfeits_and_names_the_call() {
    let record = recorded(&transcript(None, Some("1b")));
    let fault = fault(&record);
    assert_eq!((fault.seat, fault.verdict), (Some(Seat::One), Verdict::IllegalMove));
    let call = &record.calls[fault.call.unwrap() as usize];
    assert_eq!(call.answer.as_deref(), Some("1b"));
    assert_eq!(fault.call.unwrap() as usize, record.calls.len() - 1, "nothing is said afterwards");
    assert_eq!(record.trailer.outcome.winner, Some(Seat::Two));
    assert_eq!(record.trailer.outcome.scores, [0, 0]);
}

#[test]
fn a_malformed_answer_is_a_protocol_error() {
    let record = recorded(&transcript(None, Some("what")));
    assert_eq!(fault(&record).verdict, Verdict::ProtocolError);
    assert!(fault(&record).detail.as_str().contains("`what`"), "{}", fault(&record).detail);
}

#[test]
fn a_player_that_fails_forfeits() {
    let record = recorded(&transcript(Some(30), None));
    let fault = fault(&record);
    assert_eq!((fault.seat, fault.verdict), (Some(Seat::One), Verdict::RuntimeError));
    let call = &record.calls[fault.call.unwrap() as usize];
    assert_eq!((call.answer.as_ref(), call.fuel), (None, None));
    let own = record.calls.iter().filter(|call| call.seat == Seat::One).count();
    assert_eq!(own, 30);
}

const PARTS: &str = "the parts of the log fit neither its calls nor its length";

/// Messages of a lying worker, and the records made from them.
#[test]
fn a_forged_transcript_is_a_judge_error() {
    type Lie = (&'static str, fn(&mut Transcript));
    let lies: [Lie; 17] = [
        ("ends before the match does", |t| t.seats[Seat::One].answers.truncate(3)),
        ("ends before the match does", |t| t.seats[Seat::One].fuel.truncate(3)),
        ("ends before the match does", |t| t.seats[Seat::Two].answers.truncate(3)),
        ("continues after the end", |t| t.seats[Seat::One].answers.push("3b".to_owned())),
        ("continues after the end", |t| t.seats[Seat::One].fuel.push(1)),
        ("holds an answer that is not a line", |t| {
            t.seats[Seat::One].answers[0] = "3\nb".to_owned();
        }),
        ("more fuel was spent than there was", |t| t.seats[Seat::One].fuel[0] = u64::MAX),
        ("more memory was held than allowed", |t| t.seats[Seat::One].peak_memory_bytes = 1 << 30),
        ("the log is longer than allowed", |t| t.seats[Seat::One].log = vec![b'x'; 1 << 20]),
        (PARTS, |t| t.seats[Seat::One].log_parts = Some(vec![(1, 1).into(), (0, 1).into()])),
        (PARTS, |t| t.seats[Seat::One].log_parts = Some(vec![(0, 3).into()])),
        (PARTS, |t| t.seats[Seat::One].log_parts = Some(vec![(0, 0).into()])),
        (PARTS, |t| {
            // As many as there are calls, so that one more is too many.
            let calls = t.seats[Seat::One].fuel.len() as u32;
            t.seats[Seat::One].log_parts = Some(vec![(calls, 1).into()]);
        }),
        (PARTS, |t| t.seats[Seat::Two].log_parts = Some(vec![])),
        ("its fault is none", |t| {
            t.fault = Some(Fault { verdict: Verdict::Accepted, ..Fault::judge("") });
        }),
        ("its fault does not occur in the replay", |t| {
            t.fault = Some(Fault {
                seat: Some(Seat::One),
                verdict: Verdict::RuntimeError,
                ..Fault::judge("")
            });
        }),
        ("a reference opponent failed", |t| {
            t.seats[Seat::Two].answers.truncate(3);
            t.fault = Some(Fault {
                seat: Some(Seat::Two),
                verdict: Verdict::RuntimeError,
                ..Fault::judge("")
            });
        }),
    ];
    for (expected, lie) in lies {
        let mut transcript = transcript(None, None);
        lie(&mut transcript);
        let record = recorded(&transcript);
        let fault = fault(&record);
        assert_eq!((fault.seat, fault.verdict), (None, Verdict::JudgeError), "{expected}");
        assert!(fault.detail.as_str().contains(expected), "{}", fault.detail);
    }
}

#[test]
fn unknown_games_and_opponents_are_named_with_the_known_ones() {
    let unknown = RoundSpec { game: "chess".to_owned(), ..spec() };
    let error = start(&unknown).err().unwrap().to_string();
    assert!(error.starts_with("unknown game `chess`: the games are `mahjong`"), "{error}");
    let error = judge_referee::check("mahjong", &Options::new(), "dragon").unwrap_err();
    assert!(error.to_string().starts_with("unknown opponent `dragon`: mahjong has `random`, "));
}
