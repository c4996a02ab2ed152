//! The check of a run: the journal of a match, tournament or course, or the JSON of a match or
//! tournament. Every round is checked by the rules, and replayed if its players are given. Sums are
//! computed again.

mod again;
mod meetings;
mod missing;
mod progress;
mod schedule;
mod sums;
mod swiss;

use std::path::Path;

use judge_arena::{Collection, CollectionError, JournalError, MeetingNote, PlayedNote, RunKind};
use judge_core::{RoundRow, RoundSpec, Seat, SeatSpec};

use super::{Check, CheckStop, CheckedFile, Finding, FirstProblem};
use crate::Error;
use crate::base::workers::fingerprint;
use crate::contest::{self, Saved};
use crate::rounds::source::{self, Document, FileKind, Source};
use again::{Again, FileRound};
use schedule::Schedule;
pub(crate) use sums::refuse_changed;

/// The kind of a file with many rounds; none for other files.
pub(super) fn kind(file: &Path) -> Option<CheckedFile> {
    match source::kind_of(file) {
        FileKind::Journal => Some(CheckedFile::Journal),
        FileKind::Replay => None,
        FileKind::Other => source::is_document(file).then_some(CheckedFile::Result),
    }
}

pub(super) fn check(check: &mut Check<'_>) -> Result<(), CheckStop> {
    let source = match Source::read(&check.request.file) {
        Err(Error::Journal(JournalError::Damaged { line, what, .. })) => {
            return Err(FirstProblem::new(format!("line {line}"), what).into());
        }
        source => source?,
    };
    let recorded = match &source {
        Source::Journal(collection) => collection.fingerprint(),
        Source::Document(document) => &document.setting.fingerprint,
    };
    if !check.given.is_empty() {
        check.same_build(recorded)?;
    }
    check.outcome.note(format!("this is {}", described(&source)?));
    let mut again = Again::new(check.workers, check.given, *recorded == fingerprint());
    match &source {
        Source::Journal(collection) => check_journal(&source, collection, &mut again, check)?,
        Source::Document(document) => check_document(&source, document, &mut again, check)?,
    }
    match again.is_all() {
        true => check.outcome.checked("the fingerprint is that of this judge"),
        false => check.note_build(recorded),
    }
    again.note(check)?;
    Ok(())
}

/// Describes the file by its own claim.
fn described(source: &Source) -> Result<String, FirstProblem> {
    let what = match (source.kind(), schedule::shard(source)?) {
        (RunKind::Match, _) => "a match".to_owned(),
        (RunKind::Tournament, None) => "a tournament".to_owned(),
        (RunKind::Tournament, Some(shard)) => format!("part {shard} of a tournament"),
        (RunKind::Grading, _) => "grading".to_owned(),
    };
    Ok(format!("{what}: {} rounds", source.len()))
}

fn check_journal(
    source: &Source,
    collection: &Collection,
    again: &mut Again<'_>,
    check: &mut Check<'_>,
) -> Result<(), CheckStop> {
    let path = &check.request.file;
    // An unfinished run without its note does not say which rounds it should have.
    let is_scheduled = collection.kind() != RunKind::Grading && collection.note().is_some();
    let saved = is_scheduled.then(|| Saved::new(path, source)).transpose()?;
    let schedule = saved.as_ref().map(|saved| Schedule::new(path, source, saved));
    let mut schedule = schedule.transpose()?;
    collection.check_each(judge_referee::check_by_rules, &mut |made| {
        let (kept, checked) = made.map_err(problem)?;
        let place = format!("round {}", kept.row.round);
        if let Err(disproof) = checked {
            return Err(FirstProblem::new(place, disproof.to_string()).into());
        }
        if let Some(schedule) = &mut schedule {
            schedule.take(&kept.row)?;
        }
        let spec = kept.record.header.spec;
        // The rules have just made the reference opponents answer again.
        match spec.seats.iter().all(|seat| matches!(seat, SeatSpec::Reference { .. })) {
            true => {
                again.count_by_rules();
                Ok(())
            }
            false => again.take(FileRound { place, row: kept.row }, spec),
        }
    })?;
    again.finish()?;
    check.outcome.checked("the hash chain over all lines");
    check.outcome.checked("every round by the rules: lines, luck, legality, result, digest");
    match schedule {
        Some(schedule) => check.outcome.add(schedule.finish()?.finding()),
        None => note_unscheduled(collection, check),
    }
    note_uncounted(collection, check);
    note_beyond_bounds(collection, check);
    note_other_facts(collection, check);
    Ok(())
}

/// Notes that a journal does not say which rounds it must have.
fn note_unscheduled(collection: &Collection, check: &mut Check<'_>) {
    if collection.kind() == RunKind::Grading {
        return check.outcome.beside.push("rounds that may be missing");
    }
    let what = "the end of the run is not in the file";
    let why = "the run is unfinished, or its last lines were removed: so nothing says which rounds \
               it must have; run the same command with `--resume` to finish it";
    check.outcome.add(Finding::missing(what).because(why));
}

/// Notes facts in a journal for which only the chain of hashes was checked.
fn note_other_facts(collection: &Collection, check: &mut Check<'_>) {
    let facts = collection.journal().facts();
    if facts.iter().any(|(name, _)| name != PlayedNote::NAME) {
        check.outcome.beside.push("other notes of its run");
    }
}

/// Notes the submissions that were refused for exceeding measured bounds, which no round shows.
fn note_beyond_bounds(collection: &Collection, check: &mut Check<'_>) {
    for (name, refused) in collection.beyond_bounds() {
        let why = format!(
            "{}; this was measured while it was graded, and nothing in the journal shows it: grade \
             the module again without `--resume`",
            refused.why.reason
        );
        let finding = Finding::unchecked("that it went beyond the bounds of a submission");
        check.outcome.add(finding.at(format!("`{name}`")).because(why));
    }
}

/// Notes rounds in a journal that do not count, and are not checked.
fn note_uncounted(collection: &Collection, check: &mut Check<'_>) {
    let uncounted = collection.uncounted();
    if uncounted > 0 {
        check.outcome.note(format!("{uncounted} more rounds are in the journal and do not count"));
        check.outcome.beside.push("rounds in it that do not count");
    }
}

/// The problem of a file that cannot be read to its end.
fn problem(error: CollectionError) -> CheckStop {
    let (line, what) = match error {
        CollectionError::OtherRules { line, .. } => {
            (line, "the rules give a different round for these answers".to_owned())
        }
        CollectionError::FalseOutline { line, field, .. } => {
            (line, format!("its `{field}` does not follow from its moves"))
        }
        CollectionError::Journal(JournalError::Damaged { line, what, .. }) => (line, what),
        error => return Error::from(error).into(),
    };
    FirstProblem::new(format!("line {line}"), what).into()
}

fn check_document(
    source: &Source,
    document: &Document,
    again: &mut Again<'_>,
    check: &mut Check<'_>,
) -> Result<(), CheckStop> {
    let path = &check.request.file;
    let saved = Saved::new(path, source)?;
    let missing = schedule::check(path, source, &saved)?;
    sums::check(path, source, document, &saved)?;
    check.outcome.checked("sums, estimates and faults follow from the rows");
    check.outcome.add(missing.finding());
    let offsets = offsets(&saved);
    for (number, row) in document.rows.iter().enumerate() {
        let place = format!("rows[{number}]");
        let Some(spec) = document.spec(row) else {
            return Err(FirstProblem::new(place, "names an unknown player").into());
        };
        let opening = judge_referee::opening(&spec).map_err(Error::from)?;
        if opening != row.opening {
            let what = "not the start that the rules give for this seed";
            let problem = FirstProblem::new(format!("{place}.opening"), what);
            return Err(problem.with(row.opening.clone(), opening).into());
        }
        check_place(&saved, &offsets, row, &spec).map_err(|what| {
            FirstProblem::new(format!("{place}.{what}"), "not the one that the schedule has here")
        })?;
        again.take(FileRound { place, row: row.clone() }, spec)?;
    }
    again.finish()?;
    check.outcome.checked("seats, seeds and openings of the rows are those of the schedule");
    check.outcome.beside.push("`timing` and `notes`");
    Ok(())
}

/// The number of rounds before each meeting.
fn offsets(saved: &Saved) -> Vec<u64> {
    let next = |before: &mut u64, note: &MeetingNote| {
        let offset = *before;
        *before += 2 * note.pairs;
        Some(offset)
    };
    saved.meetings.iter().scan(0, next).collect()
}

/// Checks a row against its number, and fails with the first column that does not fit.
fn check_place(
    saved: &Saved,
    offsets: &[u64],
    row: &RoundRow,
    spec: &RoundSpec,
) -> Result<(), &'static str> {
    let meeting = usize::try_from(row.meeting).ok().and_then(|number| number.checked_sub(1));
    let meeting = meeting.filter(|number| *number < offsets.len()).ok_or("meeting")?;
    let (note, before) = (&saved.meetings[meeting], offsets[meeting]);
    let pair = row.pair.and_then(|pair| pair.checked_sub(1));
    let pair = pair.filter(|pair| *pair < note.pairs).ok_or("pair")?;
    if row.round != before + contest::round_number(pair, row.a) {
        return Err("round");
    }
    if row.seed != saved.pairing.seed(note.first.wrapping_add(pair)) {
        return Err("seed");
    }
    let [a, b] = note.players.map(|player| &saved.seats[player]);
    let seats = if row.a == Seat::One { [a, b] } else { [b, a] };
    match seats == [&spec.seats[0], &spec.seats[1]]
        && seats[0].name() == row.seat_1
        && seats[1].name() == row.seat_2
    {
        true => Ok(()),
        false => Err("seat_1"),
    }
}
