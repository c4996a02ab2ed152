//! Claimed rounds: transcripts, replays and reports, checked against the rules.

use judge_core::{
    Fault, Fingerprint, GradeReport, Limits, Options, Replay, RoundRecord, RoundSpec, Seat,
    SeatSpec, Seed, Transcript, Verdict, digest,
};

/// Checks a transcript. The first line is `GAME PLAYERS SEED`, with two letters as players: `b` a
/// bot, `h` a person, `r` the weakest reference opponent. Each further line begins with a seat and
/// is `SEAT FUEL` for a notice, `SEAT FUEL ANSWER` for a question, or `SEAT !VERDICT WORDS` for the
/// failure at the end, with the verdict as its number.
///
/// # Panics
/// When the record of the transcript breaks one of its guarantees.
pub fn transcript(text: &str) {
    let Some(spec) = text.lines().next().and_then(spec) else { return };
    let mut transcript = Transcript::default();
    for line in text.lines().skip(1) {
        if note(&mut transcript, line).is_none() {
            return;
        }
    }
    let fingerprint = Fingerprint { judge: "fuzz".to_owned(), engine: "none".to_owned() };
    let Ok(record) = judge_referee::record(&spec, fingerprint.clone(), &transcript) else { return };
    let read = RoundRecord::from_replay(&record.to_replay()).expect("own text");
    assert_eq!(read, record);
    // A reference opponent answers again, and its answer may differ.
    if !text.lines().next().is_some_and(|first| first.contains('r')) {
        assert_eq!(judge_referee::check_by_rules(&record), Ok(()), "{}", record.to_replay());
    }
    let judge_failed = record.trailer.fault.as_ref().is_some_and(|fault| fault.seat.is_none());
    if !judge_failed {
        let told = judge_referee::transcript_of(&record);
        assert_eq!(judge_referee::record(&spec, fingerprint, &told), Ok(record));
    }
}

fn spec(line: &str) -> Option<RoundSpec> {
    let [game, players, seed] = line.split(' ').collect::<Vec<_>>().try_into().ok()?;
    let weakest = judge_games::find(game)?.opponents().first()?.name;
    let seat = |letter| match letter {
        'b' => Some(SeatSpec::Bot { name: "bot".to_owned(), sha256: digest(b"bot") }),
        'h' => Some(SeatSpec::Human { name: "person".to_owned() }),
        'r' => Some(SeatSpec::Reference { name: weakest.to_owned() }),
        _ => None,
    };
    let seats: Vec<SeatSpec> = players.chars().map(seat).collect::<Option<_>>()?;
    let (options, seed) = (Options::new(), Seed(seed.parse().ok()?));
    let (game, seats) = (game.to_owned(), seats.try_into().ok()?);
    Some(RoundSpec { game, options, seed, seats, limits: Limits::COURSE })
}

fn note(transcript: &mut Transcript, line: &str) -> Option<()> {
    let (seat, rest) = match line.split_once(' ')? {
        ("1", rest) => (Seat::One, rest),
        ("2", rest) => (Seat::Two, rest),
        _ => return None,
    };
    let (first, words) = rest.split_once(' ').map_or((rest, None), |(one, two)| (one, Some(two)));
    if let Some(number) = first.strip_prefix('!') {
        let verdict = *Verdict::ALL.get(number.parse::<usize>().ok()?)?;
        let detail = words.unwrap_or_default().into();
        transcript.fault = Some(Fault { seat: Some(seat), verdict, detail, call: None });
        return Some(());
    }
    let seat = transcript.seat_mut(seat);
    if first != "-" {
        seat.fuel.push(first.parse().ok()?);
    }
    seat.answers.extend(words.map(str::to_owned));
    Some(())
}

/// Checks a replay like `judge verify` without bots, with a valid seal or not.
///
/// # Panics
/// When the rules panic, or a value is written back differently.
pub fn verify(text: &str) {
    let Ok(replay) = Replay::read(text) else { return };
    if let Err(disproof) = judge_referee::check_by_rules(&replay.record) {
        assert!(!disproof.to_string().is_empty());
    }
    // With a new seal, it is a valid replay despite any change.
    let resealed = replay.record.to_replay();
    assert_eq!(Replay::read(&resealed).map(|replay| replay.check_seal().is_ok()), Ok(true));
}

/// Checks a report like `judge verify` without bots.
///
/// # Panics
/// When a value is written back differently.
pub fn report(text: &str) {
    let Ok(report) = GradeReport::from_json(text) else { return };
    if let Some(difference) = judge_grading::contradiction(&report, None) {
        assert!(!difference.path.is_empty());
    }
    assert!(GradeReport::from_json(&report.sealed().to_json()).is_ok());
}
