//! Replays a recorded round with the given players.

use judge_arena::{Job, Partner, Run};
use judge_core::{BySeat, RoundRecord, RoundSpec, Seat, SeatSpec};
use judge_referee::Tables;

use super::super::{Check, CheckStop, FirstProblem, hashes};
use crate::Error;
use crate::base::workers;
use crate::bots::BotSource;
use crate::bots::players::{self, Given};
use crate::bots::trained::Trained;

/// Plays the round again. A person's answers come from the record.
pub(super) fn play(record: &RoundRecord, check: &mut Check<'_>) -> Result<RoundRecord, CheckStop> {
    let spec = &record.header.spec;
    let Given { bots, trained } = check.given;
    let seated = seat_modules(spec, bots)?;
    let tables = seat_tables(spec, trained)?;
    for bot in seated.into_iter().flatten() {
        players::check(&bots[bot], &spec.limits)?;
    }
    let run = check.workers.clone().with_jobs(1).run().with_tables(tables);
    let again = match spec.human() {
        Some(person) => with_person(&run, record, person, bots, seated),
        None => {
            let job = Job { spec: spec.clone(), modules: seated };
            let played = run.play(&check.given.modules(), &job).map_err(Error::from)?;
            Ok(played.record)
        }
    };
    workers::tell_of_missing_walls(&run, check.events)?;
    again
}

fn with_person(
    run: &Run,
    record: &RoundRecord,
    person: Seat,
    bots: &[BotSource],
    seated: BySeat<Option<usize>>,
) -> Result<RoundRecord, CheckStop> {
    let spec = &record.header.spec;
    let modules: Vec<&[u8]> =
        seated.into_iter().flatten().map(|bot| bots[bot].submission.module.as_slice()).collect();
    let given = judge_referee::transcript_of(record);
    let mut partner =
        Partner::new(run, &modules, spec.clone(), None).map_err(players::no_partner)?;
    let transcript = partner.play(&given.seat(person).answers).map_err(Error::from)?;
    let again = judge_referee::record(spec, record.header.fingerprint.clone(), &transcript);
    Ok(again.map_err(Error::from)?)
}

/// The index of each seat's module among the given files.
fn seat_modules(spec: &RoundSpec, bots: &[BotSource]) -> Result<BySeat<Option<usize>>, CheckStop> {
    let mut seated = BySeat::default();
    for seat in Seat::BOTH {
        let SeatSpec::Bot { name, sha256 } = spec.seat(seat) else { continue };
        let found = bots.iter().position(|bot| bot.submission.bot.sha256 == *sha256);
        seated[seat] = found;
        // With bots in both seats and only one given file, the file may be right and the other one
        // missing.
        let stray = bots.iter().any(|bot| !plays_in(spec, bot));
        if found.is_none() && stray {
            let what = format!("seat {seat} was played by another module, called `{name}`");
            let problem = FirstProblem::new(format!("line 1, SHA-256 of seat {seat}"), what);
            return Err(problem.with(sha256.to_string(), hashes(bots)).into());
        }
        if found.is_none() {
            let what = format!("in seat {seat} another bot played: `{name}`, SHA-256 {sha256}");
            return Err(Error::usage(what, "name the modules of both seats").into());
        }
    }
    match bots.iter().find(|bot| !plays_in(spec, bot)) {
        None => Ok(seated),
        Some(stray) => {
            let what = format!("`{}` did not play in this round", stray.path.display());
            Err(Error::Usage { what, hint: None }.into())
        }
    }
}

/// The tables of the trained players, which must all be given.
fn seat_tables(spec: &RoundSpec, given: &[Trained]) -> Result<Tables, CheckStop> {
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
                let problem = FirstProblem::new(format!("line 1, SHA-256 of seat {seat}"), what);
                return Err(problem.with(sha256.to_string(), hash_of_table(stray)).into());
            }
            (None, None) => {
                let what =
                    format!("seat {seat} was played from a table: `{name}`, SHA-256 {sha256}");
                return Err(Error::usage(what, "name it as well: `trained:TABLE`").into());
            }
        }
    }
    match stray {
        None => Ok(tables),
        Some(stray) => {
            let what = format!("`{}` did not play in this round", stray.path.display());
            Err(Error::Usage { what, hint: None }.into())
        }
    }
}

fn hash_of_table(trained: &Trained) -> String {
    let sha256 = trained.seat.table().map(|sha256| sha256.to_string()).unwrap_or_default();
    format!("{sha256} (`{}`)", trained.path.display())
}

fn plays_in(spec: &RoundSpec, bot: &BotSource) -> bool {
    let own = |seat: &SeatSpec| matches!(seat, SeatSpec::Bot { sha256, .. } if *sha256 == bot.submission.bot.sha256);
    spec.seats.iter().any(own)
}
