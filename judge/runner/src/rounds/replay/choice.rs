//! The requested rounds of a run. The JSON of a match has no moves, so its rounds are played again.

use std::path::Path;

use judge_arena::Job;
use judge_core::{BySeat, Listener, RoundRecord, RoundRow, Seat, SeatSpec};
use judge_report::{RoundFilter, quoted};

use super::Request;
use crate::Error;
use crate::base::workers::{self, Workers};
use crate::bots::players::Given;
use crate::rounds;
use crate::rounds::source::{self, Document, FileKind, Source};

/// A round to show.
pub(super) struct Chosen {
    pub(super) row: RoundRow,
    /// The seat that it is seen from.
    pub(super) seat: Seat,
    pub(super) record: RoundRecord,
}

/// True for a file with many rounds, and false for a replay.
pub(super) fn is_run(request: &Request) -> Result<bool, Error> {
    let Request { file, players, rounds, worst, filter, .. } = request;
    refuse_filters_beside_numbers(request)?;
    let chosen = !rounds.is_empty()
        || worst.is_some()
        || !players.is_empty()
        || *filter != RoundFilter::default();
    match source::kind_of(file) {
        FileKind::Journal => Ok(true),
        FileKind::Replay if chosen => {
            let what =
                format!("`{}` is a single round: there is nothing to choose", file.display());
            let hint = format!("`judge replay {}`", quoted(&file.to_string_lossy()));
            Err(Error::usage(what, hint))
        }
        FileKind::Replay => Ok(false),
        FileKind::Other => Ok(chosen),
    }
}

/// Refuses filters for rounds that are requested by number. Only the player is allowed, as the side
/// that the round is shown from.
fn refuse_filters_beside_numbers(request: &Request) -> Result<(), Error> {
    let RoundFilter { player, .. } = &request.filter;
    let alone = RoundFilter { player: player.clone(), ..RoundFilter::default() };
    if request.rounds.is_empty() || request.filter == alone {
        return Ok(());
    }
    let hint = "leave out the filters, or select with `--worst N`";
    Err(Error::usage("`--round` names rounds by their numbers, so filters have no effect", hint))
}

pub(super) fn none_chosen(file: &Path) -> Error {
    let what = format!("`{}` holds many rounds: which one?", file.display());
    Error::usage(what, format!("`--round N`, or `--worst 10 --html FOLDER`; {}", list(file)))
}

/// The hint with the command that lists the rounds of a run.
pub(super) fn list(file: &Path) -> String {
    format!("`judge rounds {}` lists them", quoted(&file.to_string_lossy()))
}

/// Selects the requested rounds.
pub(super) fn choose(
    request: &Request,
    source: &Source,
    workers: &Workers,
    events: &mut dyn Listener,
) -> Result<Vec<Chosen>, Error> {
    let rows = match request.worst {
        Some(most) => rounds::worst(source, &request.filter, most)?,
        None => numbered(request, source)?,
    };
    match source {
        Source::Journal(collection) => {
            if !request.players.is_empty() {
                let what = "a journal has every move, so no bot is needed";
                return Err(Error::usage(what, "leave the bots out"));
            }
            let chosen = rows.into_iter().map(|(row, seat)| {
                let record = collection.round(row.round)?.record;
                Ok(Chosen { row, seat, record })
            });
            chosen.collect()
        }
        Source::Document(document) => play_again(request, document, rows, workers, events),
    }
}

/// The rounds with the requested numbers.
fn numbered(request: &Request, source: &Source) -> Result<Vec<(RoundRow, Seat)>, Error> {
    let mut rows = Vec::new();
    for number in &request.rounds {
        let row = match source {
            Source::Journal(collection) => collection.round(*number)?.row,
            Source::Document(document) => {
                let found = document.rows.iter().find(|row| row.round == *number);
                found.cloned().ok_or_else(|| no_round(request, document, *number))?
            }
        };
        let seat = request.filter.seat(&row).unwrap_or(row.a);
        rows.push((row, seat));
    }
    Ok(rows)
}

fn no_round(request: &Request, document: &Document, number: u64) -> Error {
    let (file, count) = (request.file.display(), document.rows.len());
    let what = format!("round `{number}` does not exist: `{file}` has {count} rounds");
    Error::usage(what, list(&request.file))
}

/// Plays rounds of a document again, and checks that they give the recorded results.
fn play_again(
    request: &Request,
    document: &Document,
    rows: Vec<(RoundRow, Seat)>,
    workers: &Workers,
    events: &mut dyn Listener,
) -> Result<Vec<Chosen>, Error> {
    same_build(request, document)?;
    let given = Given::read(&request.players, events)?;
    let jobs: Vec<Job> =
        rows.iter().map(|(row, _)| job(document, row, &given)).collect::<Result<_, _>>()?;
    let run = workers.run().with_tables(given.tables());
    let mut records: Vec<Option<RoundRecord>> = jobs.iter().map(|_| None).collect();
    run.play_all(&given.modules(), &jobs, &|_| false, &mut |done| {
        records[done.job] = done.played.map(|played| played.record);
    })?;
    workers::tell_of_missing_walls(&run, events)?;
    let chosen = std::iter::zip(rows, records).map(|((row, seat), record)| match record {
        Some(record) if record.digest() == row.digest => Ok(Chosen { row, seat, record }),
        _ => {
            let what = format!("round {} gives another result when it is played again", row.round);
            Err(Error::input(&request.file, &what))
        }
    });
    chosen.collect()
}

/// Refuses to replay rounds of another build.
fn same_build(request: &Request, document: &Document) -> Result<(), Error> {
    let (own, written) = (workers::fingerprint(), &document.setting.fingerprint);
    if *written == own {
        return Ok(());
    }
    let what = format!(
        "`{}` has no moves, and was written by another judge: judge `{}`, engine `{}`; this \
         is judge `{}`, engine `{}`",
        request.file.display(),
        written.judge,
        written.engine,
        own.judge,
        own.engine
    );
    let hint = Some("play its rounds again with the judge that wrote it".to_owned());
    Err(Error::Input { what, hint })
}

/// The job that plays a row's round, with the given modules.
fn job(document: &Document, row: &RoundRow, given: &Given) -> Result<Job, Error> {
    let Some(spec) = document.spec(row) else {
        let what = format!("round {} names an unknown player", row.round);
        return Err(Error::Input { what, hint: None });
    };
    if let Some(missing) = spec.seats.iter().find(|seat| !given.has(seat)) {
        return Err(needed(missing));
    }
    let modules = BySeat::from_fn(|seat| given.module(spec.seat(seat)));
    Ok(Job { spec, modules })
}

/// The error for a missing player.
fn needed(seat: &SeatSpec) -> Error {
    let hash = match seat {
        SeatSpec::Bot { sha256, .. } | SeatSpec::Trained { sha256, .. } => sha256.short(),
        SeatSpec::Reference { .. } | SeatSpec::Human { .. } | SeatSpec::Native { .. } => {
            String::new()
        }
    };
    let what = format!(
        "this file has no moves, and `{}` (SHA-256 {hash}…) is needed to play its rounds again",
        seat.name()
    );
    Error::usage(what, "name the bots after the file, or use a journal")
}
