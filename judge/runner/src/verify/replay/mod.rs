//! The check of a recorded round: seal, then rules, then the bots themselves.

mod again;
mod problems;

use judge_core::{Replay, ReplayError, RoundRecord, RoundSpec, Seat, SeatSpec};
use judge_referee::{Contradiction, Disproof, TRAINED, is_in_calls};
use judge_report::{fuel_as_ms, kib};

use super::{Check, CheckStop, Finding, FirstProblem, NOT_CANONICAL};
use crate::Error;
use crate::base::workers::fingerprint;
use crate::bots::players::Given;
use crate::rounds::round_text::{self, ShownLog};
use problems::first_problem;

pub(super) fn check(text: &str, check: &mut Check<'_>) -> Result<(), CheckStop> {
    let replay = read(text, check)?;
    let record = &replay.record;
    let broken = replay.check_seal().err();
    // A change in the calls is located later. Any other change is only located by the hashes.
    if let Some(broken) = broken.as_ref().filter(|broken| !is_in_calls(broken)) {
        return Err(FirstProblem::from(Contradiction::of_seal(broken)).into());
    }
    check_build(record, check)?;
    check.outcome.note(claim(record));
    check_calls(record, check).and_then(|again| {
        check.outcome.checked(format!(
            "the {} lines between judge and players, the result and the scores follow from the \
             rules",
            record.calls.len()
        ));
        if let Some(broken) = &broken {
            return Err(FirstProblem::from(Contradiction::of_seal(broken)).into());
        }
        check.outcome.checked(format!("the seal, and the digest {}", replay.digest));
        match is_judges_failure(record) {
            true => note_failure(again.as_ref(), check),
            false => note_seats(record, check),
        }
        check_names(&record.header.spec, check);
        Ok(())
    })
}

fn check_build(record: &RoundRecord, check: &mut Check<'_>) -> Result<(), Error> {
    let recorded = &record.header.fingerprint;
    if !check.given.is_empty() {
        check.same_build(recorded)?;
        check.outcome.checked("the fingerprint is that of this judge");
    } else if !is_all_the_judges(record) {
        check.note_build(recorded);
    }
    Ok(())
}

/// Checks every call against the rules and against the given players, and returns their round.
fn check_calls(
    record: &RoundRecord,
    check: &mut Check<'_>,
) -> Result<Option<RoundRecord>, CheckStop> {
    let disproof = judge_referee::check_by_rules(record).err();
    if let Some(disproof @ (Disproof::Setup(_) | Disproof::Limits)) = &disproof {
        return Err(FirstProblem::from(Contradiction::by_rules(record, disproof)).into());
    }
    // After a judge error the answers of a person are lost.
    let is_lost = is_judges_failure(record) && record.header.spec.human().is_some();
    let again = match check.given.is_empty() || is_lost {
        true => None,
        false => Some(again::play(record, check)?),
    };
    // A record without calls cannot be compared with calls.
    let played = again.as_ref().filter(|_| !is_judges_failure(record));
    first_problem(record, disproof.as_ref(), played)?;
    Ok(again)
}

/// Notes a round with a judge error. The file's owner may have written it to hide the real result.
fn note_failure(again: Option<&RoundRecord>, check: &mut Check<'_>) {
    check.outcome.note("the judge failed in this round: nothing in it counts");
    check.outcome.add(match again {
        None => Finding::unchecked("that the judge failed, which nothing in the file shows")
            .because("name the bots to have the round played"),
        Some(again) => {
            let end = round_text::summary(again, ShownLog::None).join("; ");
            let failed = is_judges_failure(again);
            let how = if failed { "the judge failed again" } else { "it was played now" };
            Finding::unchecked("that the judge failed").because(format!("{how}: {end}"))
        }
    });
}

/// Checks the names in the record against those of the given files.
fn check_names(spec: &RoundSpec, check: &mut Check<'_>) {
    let Given { bots, trained } = check.given;
    for seat in Seat::BOTH {
        let (file, name) = match spec.seat(seat) {
            SeatSpec::Bot { name, .. } => {
                let module = check.given.module(spec.seat(seat));
                (module.map(|bot| &bots[bot].path), name.as_str())
            }
            SeatSpec::Trained { sha256, name } => {
                let table = trained.iter().find(|one| one.seat.table() == Some(*sha256));
                (table.map(|trained| &trained.path), name.strip_prefix(TRAINED).unwrap_or(name))
            }
            SeatSpec::Reference { .. } | SeatSpec::Human { .. } | SeatSpec::Native { .. } => {
                continue;
            }
        };
        if let Some(file) = file {
            check.check_name(&format!("seat {seat}"), name, file);
        }
    }
}

fn read(text: &str, check: &Check<'_>) -> Result<Replay, CheckStop> {
    Replay::read(text).map_err(|error| match error {
        ReplayError::NotCanonical { line, column } => {
            let place = format!("line {line}, column {column}");
            FirstProblem::new(place, NOT_CANONICAL).into()
        }
        error => {
            let what = format!("not a replay of `judge play --replay`: {error}");
            Error::input(&check.request.file, &what).into()
        }
    })
}

/// True for a round with only the judge's own players, where the rules determine every line.
fn is_all_the_judges(record: &RoundRecord) -> bool {
    let own = |seat: &SeatSpec| matches!(seat, SeatSpec::Reference { .. });
    record.header.spec.seats.iter().all(own) && record.header.fingerprint == fingerprint()
}

/// The claim of the file. With another seed, option or limit it is the record of another round,
/// which may also hold.
fn claim(record: &RoundRecord) -> String {
    let RoundSpec { game, options, seed, seats, limits } = &record.header.spec;
    let options: String = options.iter().map(|(key, value)| format!(" {key}={value}")).collect();
    let [one, two] = seats.each_ref().map(SeatSpec::name);
    let (time, memory) = (fuel_as_ms(limits.fuel), kib(limits.memory_bytes));
    format!(
        "this is a round of {game}{options}, seed {seed}: {one} against {two}, {time}, {memory}"
    )
}

/// True for a record of a judge error, in which nothing can be replayed.
fn is_judges_failure(record: &RoundRecord) -> bool {
    record.trailer.fault.as_ref().is_some_and(|fault| fault.seat.is_none())
}

/// Notes the status of each seat's answers.
fn note_seats(record: &RoundRecord, check: &mut Check<'_>) {
    let again = !check.given.is_empty();
    for seat in Seat::BOTH {
        let player = record.header.spec.seat(seat);
        let place = format!("seat {seat} (`{}`)", player.name());
        check.outcome.add(of_seat(player, again).at(place));
    }
}

/// The finding about the answers of a player.
fn of_seat(player: &SeatSpec, again: bool) -> Finding {
    match player {
        SeatSpec::Reference { .. } => {
            Finding::checked("the reference opponent gives the same answers")
        }
        SeatSpec::Trained { .. } if again => {
            Finding::checked("the search from its table gives the same answers")
        }
        SeatSpec::Trained { sha256, .. } => {
            Finding::unchecked("that a search from its table gives these answers").because(format!(
                "name the table as `trained:TABLE` (SHA-256 {}…) to have it play again",
                sha256.short()
            ))
        }
        SeatSpec::Bot { .. } if again => Finding::checked(
            "the bot gives the same answers at the same cost, with the same memory and log",
        ),
        SeatSpec::Bot { sha256, .. } => Finding::unchecked(
            "that this bot gives these answers, at this cost",
        )
        .because(format!("name its module (SHA-256 {}…) to have it play again", sha256.short())),
        SeatSpec::Human { .. } => {
            Finding::unchecked("a person's answers, which cannot be repeated")
                .because("the rules allow each of them")
        }
        SeatSpec::Native { .. } => Finding::unchecked("that this program gives these answers")
            .because("it ran outside the sandbox, so the judge does not run it again"),
    }
}
