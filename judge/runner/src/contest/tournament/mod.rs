//! A tournament: many players in pairs of rounds, and their ranking.

mod document;
mod merge;
mod openings;
mod outcome;
mod page;
mod part;
mod ranking;
mod rounds;
mod runner;
mod saved;
mod schedule;
mod tables;
mod words;

use std::time::{Duration, Instant};

use judge_arena::{Pairing, Run};
use judge_core::{Event, Fingerprint, Listener, SeatSpec};

use crate::Error;
use crate::base::shard::Shard;
use crate::base::workers::{self, Workers};
use crate::contest::{
    self, ContestRequest, KeptRounds, MOST_PLAYERS, Outlook, PageRequest, Players, RoundTable,
};
pub use merge::{Merged, merge_parts};
pub use openings::{Opening, Openings};
pub use outcome::{Finished, Outcome, Unfinished};
pub use part::TournamentPart;
pub use ranking::{RankedPlayer, Ranking};
use runner::TournamentRunner;
pub(crate) use saved::SavedTournament;
pub use schedule::{Fixture, Format, Meeting, PairKind, PlayedMeetings};

/// A tournament to play.
#[derive(Debug, Clone)]
pub struct Request {
    /// The players: paths of modules, names of reference opponents, or `trained:TABLE`.
    pub players: Vec<String>,
    /// The rule for pairing players.
    pub format: Format,
    /// Number of meetings per player in a Swiss tournament. Default: the number that singles out
    /// one player by halving.
    pub cycles: Option<u64>,
    /// Number of rounds per meeting, two per pair.
    pub rounds: u64,
    /// The part of the meetings to play; all by default.
    pub shard: Option<Shard>,
    /// The page to make, if any.
    pub page: Option<PageRequest>,
    /// The rounds and their conditions.
    pub contest: ContestRequest,
}

impl Request {
    /// Returns a round robin of these players with that many rounds per meeting, with default
    /// settings.
    pub fn new(players: Vec<String>, rounds: u64) -> Request {
        Request {
            players,
            format: Format::default(),
            cycles: None,
            rounds,
            shard: None,
            page: None,
            contest: ContestRequest::default(),
        }
    }
}

/// The figures of a tournament.
#[derive(Debug)]
pub struct TournamentReport {
    /// The judge that played it.
    pub fingerprint: Fingerprint,
    /// The players, in the order of the request.
    pub seats: Vec<SeatSpec>,
    /// The game and its rules, with the first two players.
    pub pairing: Pairing,
    /// The rule for pairing players.
    pub format: Format,
    /// Maximum number of pairs per meeting.
    pub pairs: u64,
    /// The meetings that were played.
    pub played: PlayedMeetings,
    /// The players, best first.
    pub ranking: Ranking,
    /// The effects of seats and openings on the results.
    pub openings: Openings,
}

/// Plays a tournament, or a part of one.
///
/// # Errors
/// If the request is contradictory, a player cannot play, or a file cannot be written. An error
/// with the page is part of the outcome.
pub fn run(
    request: &Request,
    workers: &Workers,
    events: &mut dyn Listener,
) -> Result<Outcome, Error> {
    let (contest, pairs) = (&request.contest, contest::pairs(request.rounds)?);
    let players = Players::find(&request.players, contest.game.as_deref(), events)?;
    refuse_what_cannot_be(&players)?;
    let cycles = cycles(request, players.count())?;
    if let Some(shard) = request.shard {
        part::check(request, shard, players.count())?;
    }
    contest.check_rounds_to()?;
    let pairing = contest.pairing(&players, events)?;
    let plan = contest::plan("tournament", &pairing, &players);
    if let Some(shard) = request.shard {
        return part::play(request, shard, (&players, &pairing, plan), workers, events);
    }
    let run = contest.run(&plan, &players, workers, events)?;
    let note = Outlook::new(players.game, &pairing, pairs).note(players.game);
    if let Some(text) = &note {
        events.event(&Event::Note { text: text.clone() })?;
    }
    let begin = Instant::now();
    let table = contest.table(request.page.is_some())?;
    let mut runner =
        TournamentRunner::new(&run, &players, &pairing, pairs, events).with_table(table);
    let played = match request.format {
        Format::Swiss => runner.play_swiss(cycles)?,
        format => runner.play(&format.fixtures(players.count()))?,
    };
    let (is_stopped, rounds, table) = (runner.is_stopped(), runner.rounds(), runner.into_table());
    let report = TournamentReport::new(request, &run, &players, &pairing, played);
    if is_stopped {
        let (played, seed) = (report.played.rounds(), pairing.seed);
        let (report, kept) = (Some(Box::new(report)), KeptRounds::in_journal_of(&run, played));
        return Ok(Outcome::Unfinished(Unfinished { report, played, rounds, seed, kept }));
    }
    rounds::note(request, &run, &players, &report.played)?;
    let told = (begin.elapsed(), note, table);
    let finished = finished(request, (&run, &players), report, told)?;
    workers::tell_of_missing_walls(&run, events)?;
    events.event(&Event::Finished)?;
    Ok(Outcome::Finished(Box::new(finished)))
}

/// Writes the table of rounds and makes the page.
fn finished(
    request: &Request,
    played_by: (&Run, &Players),
    report: TournamentReport,
    (wall, note, table): (Duration, Option<String>, Option<RoundTable>),
) -> Result<Finished, Error> {
    let contest = &request.contest;
    contest.write_rounds(table.as_ref())?;
    let page = request.page.as_ref().zip(table.as_ref());
    Ok(Finished {
        notes: Vec::from_iter(note),
        page: page.map(|(page, table)| {
            rounds::page(contest, page, played_by, &report, table).map(|page| page.to_html())
        }),
        rows: contest.rows(table),
        journal: contest.journal.clone(),
        wall,
        workers: played_by.0.pool().workers(),
        report,
    })
}

impl TournamentReport {
    fn new(
        request: &Request,
        run: &Run,
        players: &Players,
        pairing: &Pairing,
        played: PlayedMeetings,
    ) -> TournamentReport {
        let seats = players.seats();
        TournamentReport {
            fingerprint: run.pool().fingerprint().clone(),
            ranking: Ranking::new(&seats, &played),
            openings: Openings::new(pairing, &played.meetings),
            seats,
            pairing: pairing.clone(),
            format: request.format,
            pairs: request.rounds / 2,
            played,
        }
    }

    /// Number of pairs in which the judge failed.
    fn left_out(&self) -> u64 {
        self.played.meetings.iter().map(|meeting| meeting.tally.left_out).sum()
    }

    fn is_complete(&self) -> Result<bool, Error> {
        let meetings = &self.played.meetings;
        if meetings.iter().any(|meeting| meeting.tally.table.pairs() > 0) {
            return Ok(meetings.iter().all(|meeting| meeting.tally.left_out == 0));
        }
        let first = meetings.iter().find_map(|meeting| meeting.tally.first_failure.as_deref());
        let first = first.unwrap_or_default();
        Err(Error::Judge(format!("no pair counts, as the judge failed in each: {first}")))
    }
}

fn refuse_what_cannot_be(players: &Players) -> Result<(), Error> {
    if players.count() < 2 {
        let what = "a tournament needs at least two players";
        return Err(Error::usage(what, "name one more"));
    }
    if players.count() > MOST_PLAYERS {
        let what = format!("{} players are too many: at most {MOST_PLAYERS}", players.count());
        return Err(Error::usage(what, "play groups first"));
    }
    match players.twins() {
        None => Ok(()),
        Some([one, other]) => {
            let what = format!("`{one}` and `{other}` are the same player");
            Err(Error::usage(what, "modules with the same bytes are one player: name each once"))
        }
    }
}

/// Number of cycles of a Swiss tournament.
fn cycles(request: &Request, players: usize) -> Result<usize, Error> {
    let swiss = request.format == Format::Swiss;
    let Some(cycles) = request.cycles else {
        return Ok((players - 1).ilog2() as usize + 1);
    };
    if !swiss {
        let what = "`--cycles` is only for Swiss tournaments: this schedule is fixed";
        return Err(Error::usage(what, "`--format swiss`, or leave it out"));
    }
    let most = players as u64 - 1;
    if cycles > most {
        let what = format!("{players} players have {most} others to meet, not {cycles}");
        let hint = format!("`--cycles {most}` at most; `--format round-robin` is all against all");
        return Err(Error::usage(what, hint));
    }
    Ok(cycles as usize)
}
