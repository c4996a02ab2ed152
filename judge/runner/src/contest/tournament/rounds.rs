//! The rounds of a tournament: notes in its journal, and each player's worst rounds for the page.

use std::path::Path;

use judge_arena::{Job, MeetingNote, Pairing, Run};
use judge_core::{RoundRow, Seat};
use judge_report::{Tournament, Worst, WorstRounds};
use serde_json::json;

use super::schedule::{Fixture, PlayedMeetings};
use super::{Request, TournamentReport, page};
use crate::Error;
use crate::contest::match_bots::only;
use crate::contest::{
    self, ContestRequest, PageRequest, Players, RoundTable, WhichPages, match_command, round_number,
};
use crate::rounds::round_pages::{self, RoundPages};

/// Number of rounds per player on the page.
pub(super) const SHOWN: usize = 10;

/// Notes in the journal, if there is one, which rounds count.
pub(super) fn note(
    request: &Request,
    run: &Run,
    players: &Players,
    played: &PlayedMeetings,
) -> Result<(), Error> {
    let meetings = played.meetings.iter().map(|meeting| {
        let Fixture { players, cycle, first } = meeting.fixture;
        MeetingNote { cycle, players, first, pairs: meeting.pairs.len() as u64 }
    });
    let Request { format, rounds, .. } = request;
    let asked = json!({"format": format, "rounds": rounds, "byes": played.byes});
    contest::note_played(run, players, meetings.collect(), asked)
}

/// Makes the page, and writes the pages of the selected rounds.
pub(super) fn page(
    contest: &ContestRequest,
    request: &PageRequest,
    (run, players): (&Run, &Players),
    report: &TournamentReport,
    table: &RoundTable,
) -> Result<Tournament, Error> {
    let path = &request.path;
    let mut worst = WorstOfEach::new(report);
    for row in table.rows() {
        worst.take(&row?);
    }
    let shown = worst.into_rows();
    let written = write_pages(request, (run, players), report, &shown)?;
    let mut page = page::page(report);
    let command = |row: &RoundRow| command(contest, path, players, report, row);
    page.worst = report.lines(shown, &written, &command);
    page.all_rounds = contest.journal_beside(path).map(|journal| format!("judge rounds {journal}"));
    Ok(page)
}

/// Writes the pages of those displayed rounds that are selected.
fn write_pages(
    request: &PageRequest,
    (run, players): (&Run, &Players),
    report: &TournamentReport,
    shown: &[Vec<ShownRound>],
) -> Result<Vec<(u64, String)>, Error> {
    let mut jobs: Vec<(u64, Job)> = match request.pages {
        WhichPages::None => return Ok(Vec::new()),
        WhichPages::Worst | WhichPages::All => {
            shown.iter().flatten().map(|(row, _)| (row.round, report.job(players, row))).collect()
        }
    };
    if jobs.is_empty() {
        return Ok(Vec::new());
    }
    // A round may be among the worst of both players.
    jobs.sort_by_key(|(round, _)| *round);
    jobs.dedup_by_key(|(round, _)| *round);
    RoundPages::next_to(&request.path).keep_all(run, &players.modules(), &jobs, &mut |_, _| {})
}

/// The command that shows a round, from the journal or by a replay. It runs in the folder of the
/// page.
fn command(
    contest: &ContestRequest,
    page: &Path,
    players: &Players,
    report: &TournamentReport,
    row: &RoundRow,
) -> String {
    let out = format!("--html round-{}.html", row.round);
    if let Some(journal) = contest.journal_beside(page) {
        return format!("judge replay {journal} --round {} {out}", row.round);
    }
    let words = report.fixture(row).players.map(|player| players.word_beside(player, page));
    let words = words.each_ref().map(String::as_str);
    let again = match_command(words, &report.pairing_of(row));
    let number = round_number(row.pair.unwrap_or(1) - 1, row.a);
    format!("{again} {} {out}", only(&[number]))
}

/// A round of the page: its row and the seat of its player.
type ShownRound = (RoundRow, Seat);

/// The worst rounds of each player.
pub(super) struct WorstOfEach<'a> {
    report: &'a TournamentReport,
    worst: Vec<Worst>,
}

impl<'a> WorstOfEach<'a> {
    pub(super) fn new(report: &'a TournamentReport) -> WorstOfEach<'a> {
        WorstOfEach { report, worst: vec![Worst::new(SHOWN); report.seats.len()] }
    }

    /// Takes the next row.
    pub(super) fn take(&mut self, row: &RoundRow) {
        let [a, b] = self.report.fixture(row).players;
        self.worst[a].take(row, row.a);
        self.worst[b].take(row, row.a.other());
    }

    /// The worst rounds of each player, worst first, with the player's seat.
    pub(super) fn into_rows(self) -> Vec<Vec<ShownRound>> {
        let report = self.report;
        let players = self.worst.into_iter().enumerate().map(|(player, worst)| {
            let seat = |row: &RoundRow| match report.fixture(row).players[0] == player {
                true => row.a,
                false => row.a.other(),
            };
            worst.into_rows().into_iter().map(|row| (row.clone(), seat(&row))).collect()
        });
        players.collect()
    }
}

impl TournamentReport {
    /// The rounds of each player for the page.
    pub(super) fn lines(
        &self,
        shown: Vec<Vec<ShownRound>>,
        written: &[(u64, String)],
        command: &dyn Fn(&RoundRow) -> String,
    ) -> Vec<WorstRounds> {
        let worst = shown.into_iter().enumerate().map(|(player, rows)| WorstRounds {
            name: self.seats[player].name().to_owned(),
            lines: rows
                .into_iter()
                .map(|(row, seat)| {
                    let command = command(&row);
                    round_pages::line(row, seat, written, Some(command))
                })
                .collect(),
        });
        worst.collect()
    }

    /// The fixture of a row's meeting.
    fn fixture(&self, row: &RoundRow) -> Fixture {
        self.played.meetings[row.meeting as usize - 1].fixture
    }

    /// The pairing of a row's meeting.
    fn pairing_of(&self, row: &RoundRow) -> Pairing {
        let Fixture { players, first, .. } = self.fixture(row);
        Pairing {
            players: players.map(|player| self.seats[player].clone()),
            seed: self.pairing.seed(first),
            ..self.pairing.clone()
        }
    }

    /// The job that plays a row's round.
    fn job(&self, players: &Players, row: &RoundRow) -> Job {
        let modules = self.fixture(row).players.map(|player| players.module(player));
        let pairing = Pairing { modules, ..self.pairing_of(row) };
        pairing.job(row.pair.unwrap_or(1) - 1, row.a)
    }
}
