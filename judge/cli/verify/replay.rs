//! A kept round: seal, then rules, then the bots themselves.

use judge_arena::{Job, Partner, PartnerError, Pool};
use judge_core::{
    BrokenSeal, Call, Fault, MatchRecord, MatchSpec, Replay, ReplayError, Seat, SeatSpec,
};
use judge_referee::{Difference, Disproof, TRAINED, Tables};
use judge_report::{fuel_as_ms, kib};

use super::{
    Arguments, Findings, Given, NOT_CANONICAL, Problem, Stop, check_name, hashes, same_build,
    tell_of_build,
};
use crate::bots::BotFile;
use crate::failure::Failure;
use crate::trained::Trained;
use crate::{play, worker};

pub(super) fn check(
    text: &str,
    arguments: &Arguments,
    given: &Given,
    findings: &mut Findings,
) -> Result<(), Stop> {
    findings.kind = "replay";
    let replay = read(text, arguments)?;
    let record = &replay.record;
    let broken = replay.check_seal().err();
    // A change in the calls is looked for there; any other has its place by the hashes alone.
    if let Some(broken) = broken.filter(|broken| !matches!(broken, BrokenSeal::Calls { .. })) {
        return Err(problem_of_seal(&broken).into());
    }
    let fingerprint = &record.header.fingerprint;
    if !given.is_empty() {
        same_build(arguments, fingerprint)?;
        findings.checked("the fingerprint is that of this judge");
    } else if !is_all_the_judges(record) {
        tell_of_build(fingerprint, findings);
    }
    findings.note(played(record));
    let disproof = judge_referee::check_by_rules(record).err();
    if let Some(disproof @ (Disproof::Setup(_) | Disproof::Limits)) = &disproof {
        return Err(by_rules(record, disproof).into());
    }
    // The answers of a person are lost with the round.
    let is_lost = is_judges_failure(record) && record.header.spec.human().is_some();
    let again = match given.is_empty() || is_lost {
        true => None,
        false => Some(play_again(record, arguments, given)?),
    };
    // Nothing that was played can be held against a record in which nothing was.
    let played = again.as_ref().filter(|_| !is_judges_failure(record));
    first_problem(record, disproof.as_ref(), played)?;
    findings.checked(format!(
        "the {} lines between judge and players, the result and the scores follow from the rules",
        record.calls.len()
    ));
    if let Some(broken) = broken {
        return Err(problem_of_seal(&broken).into());
    }
    findings.checked(format!("the seal, and the digest {}", replay.digest));
    if is_judges_failure(record) {
        tell_of_failure(again.as_ref(), findings);
    } else {
        tell_of_seats(record, !given.is_empty(), findings);
    }
    tell_of_names(&record.header.spec, given, findings);
    Ok(())
}

/// Says what is known of a round that was recorded as the judge's failure: whoever has it may have
/// written that in the place of a result.
fn tell_of_failure(again: Option<&MatchRecord>, findings: &mut Findings) {
    findings.note("the judge failed in this round: nothing in it counts");
    let Some(again) = again else {
        findings.unchecked(
            "that the judge failed, which nothing in the file shows; name the bots to have the \
             round played",
        );
        return;
    };
    let end = play::summary(again);
    let how = if is_judges_failure(again) { "the judge failed again" } else { "it was played now" };
    findings.unchecked(format!("that the judge failed; {how}: {}", end.join("; ")));
}

/// Holds the names in the record against those of the given files.
fn tell_of_names(spec: &MatchSpec, given: &Given, findings: &mut Findings) {
    for seat in Seat::BOTH {
        let (file, name) = match spec.seat(seat) {
            SeatSpec::Bot { sha256, name } => {
                let mut bots = given.bots.iter();
                let bot = bots.find(|bot| bot.submission.bot.sha256 == *sha256);
                (bot.map(|bot| &bot.path), name.as_str())
            }
            SeatSpec::Trained { sha256, name } => {
                let mut tables = given.trained.iter();
                let table = tables.find(|trained| trained.seat.table() == Some(*sha256));
                (table.map(|trained| &trained.path), name.strip_prefix(TRAINED).unwrap_or(name))
            }
            SeatSpec::Reference { .. } | SeatSpec::Human { .. } => continue,
        };
        if let Some(file) = file {
            check_name(&format!("seat {seat}"), name, file, findings);
        }
    }
}

fn read(text: &str, arguments: &Arguments) -> Result<Replay, Stop> {
    Replay::read(text).map_err(|error| match error {
        ReplayError::NotCanonical { line, column } => {
            let place = format!("line {line}, column {column}");
            Problem::new(place, NOT_CANONICAL).into()
        }
        error => {
            let what = format!("not a replay of `judge play --replay`: {error}");
            Failure::input(&arguments.file, &what).into()
        }
    })
}

fn problem_of_seal(broken: &BrokenSeal) -> Problem {
    let mut what = format!("changed after it was written: {broken}");
    if matches!(broken, BrokenSeal::Calls { .. }) {
        what += "; the rules allow every line, so it is a cost, an answer that changes nothing, \
                 memory or a log: name the bots to find it";
    }
    Problem::new(broken.place(), what)
}

/// Whether all of a round was played by the rules and the judge's own players, so that the rules
/// alone show each line of it.
fn is_all_the_judges(record: &MatchRecord) -> bool {
    let own = |seat: &SeatSpec| matches!(seat, SeatSpec::Reference { .. });
    record.header.spec.seats.iter().all(own) && record.header.fingerprint == worker::fingerprint()
}

/// What the file claims to be: another seed, option or limit makes it the record of another round,
/// which may hold as well.
fn played(record: &MatchRecord) -> String {
    let MatchSpec { game, options, seed, seats, limits } = &record.header.spec;
    let options: String = options.iter().map(|(key, value)| format!(" {key}={value}")).collect();
    let [one, two] = seats.each_ref().map(SeatSpec::name);
    let (time, memory) = (fuel_as_ms(limits.fuel), kib(limits.memory_bytes));
    format!(
        "this is a round of {game}{options}, seed {seed}: {one} against {two}, {time}, {memory}"
    )
}

/// Whether nothing was played that could be played again.
fn is_judges_failure(record: &MatchRecord) -> bool {
    record.trailer.fault.as_ref().is_some_and(|fault| fault.seat.is_none())
}

fn place(index: usize) -> String {
    format!("line {} (call {})", Replay::line_of_call(index), index + 1)
}

/// A call as people read it; `none` for one that is not there.
fn shown(call: Option<&Call>, none: &str) -> String {
    call.map_or_else(|| none.to_owned(), play::traced)
}

const END_OF_RECORD: &str = "nothing: the record ends here";
const END_OF_MATCH: &str = "nothing: the match ends before";

fn by_rules(record: &MatchRecord, disproof: &Disproof) -> Problem {
    match disproof {
        Disproof::Setup(_) | Disproof::Limits => Problem::new("line 1", disproof.to_string()),
        Disproof::Call { index, found, fault } => {
            let fault = fault.as_deref().filter(|_| found.is_none());
            if let Some(fault) = fault.filter(|fault| fault.call.is_some()) {
                return refused(record, index.saturating_sub(1), fault);
            }
            let recorded = shown(record.calls.get(*index), END_OF_RECORD);
            let what = "not what the rules and the opponent give; it, or an answer before it, was \
                        changed";
            Problem::new(place(*index), what).with(recorded, shown(found.as_ref(), END_OF_MATCH))
        }
        Disproof::Ends(differences) => at_the_end(record, differences, "not what the rules give"),
    }
}

/// A record that goes on after an answer that ends the match.
fn refused(record: &MatchRecord, index: usize, fault: &Fault) -> Problem {
    let what = "the match ends here by the rules, but the record goes on";
    let found = format!("{}: {}", fault.verdict, fault.detail);
    Problem::new(place(index), what).with(shown(record.calls.get(index), END_OF_RECORD), found)
}

/// What the rules or the bots contradict, whichever see it first: the rules often see only what
/// follows from a changed answer.
fn first_problem(
    record: &MatchRecord,
    disproof: Option<&Disproof>,
    again: Option<&MatchRecord>,
) -> Result<(), Stop> {
    let seen_by_rules = match disproof {
        Some(Disproof::Call { index, .. }) => *index,
        _ => record.calls.len(),
    };
    if let Some(again) = again {
        let parted = judge_referee::parting_call(&record.calls, &again.calls);
        if disproof.is_none() || parted.is_some_and(|index| index <= seen_by_rules) {
            compare(record, again)?;
        }
    }
    disproof.map_or(Ok(()), |disproof| Err(by_rules(record, disproof).into()))
}

fn at_the_end(record: &MatchRecord, differences: &[Difference], why: &str) -> Problem {
    let line = Replay::line_of_call(record.calls.len());
    match differences.last() {
        None => Problem::new(format!("line {line}"), why),
        // An impossible transcript shows as a failure of the judge, and its fault says why.
        Some(last) => {
            let fault = differences.iter().find(|difference| difference.what == "fault");
            let Difference { what, sides: [recorded, found] } = fault.unwrap_or(last);
            Problem::new(format!("line {line}, {what}"), why).with(recorded, found)
        }
    }
}

/// Plays the round again with the given modules. A person's answers are those of the record.
fn play_again(
    record: &MatchRecord,
    arguments: &Arguments,
    given: &Given,
) -> Result<MatchRecord, Stop> {
    let (spec, bots) = (&record.header.spec, given.bots.as_slice());
    let seated = seat_modules(spec, bots)?;
    let tables = seat_tables(spec, &given.trained)?;
    for bot in seated.into_iter().flatten() {
        play::check(&bots[bot], &spec.limits)?;
    }
    let pool = Pool { tables, ..worker::pool(Some(1), &arguments.walls)? };
    let again = match spec.human() {
        Some(person) => with_person(&pool, record, person, bots, seated),
        None => {
            let modules: Vec<&[u8]> =
                bots.iter().map(|bot| bot.submission.module.as_slice()).collect();
            let job = Job { spec: spec.clone(), modules: seated };
            Ok(pool.play(&modules, &job).map_err(Failure::from)?.record)
        }
    };
    worker::warn_of_missing_walls(&pool);
    again
}

fn with_person(
    pool: &Pool,
    record: &MatchRecord,
    person: Seat,
    bots: &[BotFile],
    seated: [Option<usize>; 2],
) -> Result<MatchRecord, Stop> {
    let spec = &record.header.spec;
    let modules: Vec<&[u8]> =
        seated.into_iter().flatten().map(|bot| bots[bot].submission.module.as_slice()).collect();
    let given = judge_referee::transcript_of(record);
    let mut partner = Partner::new(pool, &modules, spec.clone()).map_err(|error| match error {
        PartnerError::Setup(error) => Failure::Setup(error),
        PartnerError::Persons => Failure::Judge(error.to_string()),
    })?;
    let transcript = partner.play(&given.seat(person).answers).map_err(Failure::from)?;
    let again = judge_referee::record(spec, record.header.fingerprint.clone(), &transcript);
    Ok(again.map_err(Failure::from)?)
}

/// For each bot's seat, which of the given files played there.
fn seat_modules(spec: &MatchSpec, bots: &[BotFile]) -> Result<[Option<usize>; 2], Stop> {
    let mut seated = [None; 2];
    for seat in Seat::BOTH {
        let SeatSpec::Bot { name, sha256 } = spec.seat(seat) else { continue };
        let found = bots.iter().position(|bot| bot.submission.bot.sha256 == *sha256);
        seated[seat.index()] = found;
        // With a bot in each seat and one file, the file may well be right and only be alone.
        let stray = bots.iter().any(|bot| !plays_in(spec, bot));
        if found.is_none() && stray {
            let what = format!("seat {seat} was played by another module, called `{name}`");
            let problem = Problem::new(format!("line 1, SHA-256 of seat {seat}"), what);
            return Err(problem.with(sha256.to_string(), hashes(bots)).into());
        }
        if found.is_none() {
            let what = format!("in seat {seat} another bot played: `{name}`, SHA-256 {sha256}");
            return Err(Failure::usage(what, "name the modules of both seats").into());
        }
    }
    match bots.iter().find(|bot| !plays_in(spec, bot)) {
        None => Ok(seated),
        Some(stray) => {
            let what = format!("`{}` did not play in this round", stray.path.display());
            Err(Failure::Usage { what, hint: None }.into())
        }
    }
}

/// The tables of the trained players, each of which must have been given.
fn seat_tables(spec: &MatchSpec, given: &[Trained]) -> Result<Tables, Stop> {
    let plays = |trained: &Trained| {
        spec.seats.iter().any(|seat| seat.table().is_some() && seat.table() == trained.seat.table())
    };
    let stray = given.iter().find(|trained| !plays(trained));
    let mut tables = Tables::default();
    for seat in Seat::BOTH {
        let SeatSpec::Trained { name, sha256 } = spec.seat(seat) else { continue };
        let found = given.iter().find(|trained| trained.seat.table() == Some(*sha256));
        match (found, stray) {
            (Some(found), _) => tables.extend(&found.tables),
            (None, Some(stray)) => {
                let what = format!("seat {seat} was played from another table, called `{name}`");
                let problem = Problem::new(format!("line 1, SHA-256 of seat {seat}"), what);
                return Err(problem.with(sha256.to_string(), hash_of_table(stray)).into());
            }
            (None, None) => {
                let what =
                    format!("seat {seat} was played from a table: `{name}`, SHA-256 {sha256}");
                return Err(Failure::usage(what, "name it as well: `trained:TABLE`").into());
            }
        }
    }
    match stray {
        None => Ok(tables),
        Some(stray) => {
            let what = format!("`{}` did not play in this round", stray.path.display());
            Err(Failure::Usage { what, hint: None }.into())
        }
    }
}

fn hash_of_table(trained: &Trained) -> String {
    let sha256 = trained.seat.table().map(|sha256| sha256.to_string()).unwrap_or_default();
    format!("{sha256} (`{}`)", trained.path.display())
}

fn plays_in(spec: &MatchSpec, bot: &BotFile) -> bool {
    let own = |seat: &SeatSpec| matches!(seat, SeatSpec::Bot { sha256, .. } if *sha256 == bot.submission.bot.sha256);
    spec.seats.iter().any(own)
}

/// Answers and costs must be the same, call by call, and so must what is told at the end.
fn compare(record: &MatchRecord, again: &MatchRecord) -> Result<(), Stop> {
    if is_judges_failure(again) {
        let why = again.trailer.fault.as_ref().map(|fault| fault.detail.clone());
        return Err(Failure::Judge(why.unwrap_or_default()).into());
    }
    if let Some(index) = judge_referee::parting_call(&record.calls, &again.calls) {
        let recorded = shown(record.calls.get(index), END_OF_RECORD);
        let found = shown(again.calls.get(index), END_OF_MATCH);
        let what = "not what the bots do when they play again";
        return Err(Problem::new(place(index), what).with(recorded, found).into());
    }
    let differences = judge_referee::trailers(&record.trailer, &again.trailer);
    if differences.is_empty() {
        return Ok(());
    }
    Err(at_the_end(record, &differences, "not what comes of it when the bots play again").into())
}

/// Says for each seat what is known of its answers.
fn tell_of_seats(record: &MatchRecord, again: bool, findings: &mut Findings) {
    for seat in Seat::BOTH {
        let name = record.header.spec.seat(seat).name();
        match record.header.spec.seat(seat) {
            SeatSpec::Reference { .. } => findings.checked(format!(
                "seat {seat} (`{name}`): the reference opponent gives the same answers"
            )),
            SeatSpec::Trained { .. } if again => findings.checked(format!(
                "seat {seat} (`{name}`): the search from its table gives the same answers"
            )),
            SeatSpec::Trained { sha256, .. } => findings.unchecked(format!(
                "seat {seat} (`{name}`): that a search from its table answers so; name the table \
                 as `trained:TABLE` (SHA-256 {}…) to have it play again",
                sha256.short()
            )),
            SeatSpec::Bot { .. } if again => findings.checked(format!(
                "seat {seat} (`{name}`): the bot gives the same answers at the same cost, with \
                 the same memory and log"
            )),
            SeatSpec::Bot { sha256, .. } => findings.unchecked(format!(
                "seat {seat} (`{name}`): that this bot answers so, and at this cost; name its \
                 module (SHA-256 {}…) to have it play again",
                sha256.short()
            )),
            SeatSpec::Human { .. } => findings.unchecked(format!(
                "seat {seat} (`{name}`): a person's answers, which nobody can give again; the \
                 rules allow each of them"
            )),
        }
    }
}
