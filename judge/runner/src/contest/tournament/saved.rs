//! A tournament from its journal or JSON, counted and rated again.

use std::path::Path;

use judge_report::{Tournament, quoted};
use serde::{Deserialize, Serialize};

use super::document::TournamentDocument;
use super::openings::Openings;
use super::ranking::Ranking;
use super::rounds::WorstOfEach;
use super::schedule::{Fixture, Format, Meeting, PlayedMeetings};
use super::{TournamentReport, page, tables};
use crate::Error;
use crate::base::address::seen_from;
use crate::contest::match_bots::report;
use crate::contest::{Saved, SavedPair, Starts};
use crate::rounds::source::Source;

/// A tournament after its rounds were counted again.
pub(crate) struct SavedTournament {
    report: TournamentReport,
    /// The shard, if it is only a part of the whole.
    shard: Option<String>,
}

impl SavedTournament {
    /// Counts the rounds.
    pub(crate) fn new(
        path: &Path,
        source: &Source,
        saved: &Saved,
    ) -> Result<SavedTournament, Error> {
        let fixture = |note: &judge_arena::MeetingNote| Fixture {
            players: note.players,
            cycle: note.cycle,
            first: note.first,
        };
        let mut meetings: Vec<Meeting> =
            saved.meetings.iter().map(|note| Meeting::new(fixture(note))).collect();
        let mut starts = Starts::new(saved.game, &saved.pairing);
        saved.pairs(path, source, &mut |SavedPair { meeting, pair, present }| {
            let meeting = &mut meetings[meeting];
            let number = meeting.fixture.first.wrapping_add(pair.number);
            // A missing pair does not count, so its start is not needed.
            let start = if present == 0 { number } else { starts.number(number) };
            let _ = meeting.take(&pair, start);
        })?;
        let asked = &saved.asked;
        let byes: Vec<usize> = Deserialize::deserialize(&asked["byes"]).unwrap_or_default();
        let byes = byes.into_iter().filter(|player| *player < saved.seats.len()).collect();
        let played = PlayedMeetings { meetings, byes };
        let report = TournamentReport {
            fingerprint: saved.fingerprint.clone(),
            seats: saved.seats.clone(),
            pairing: saved.pairing.clone(),
            format: Deserialize::deserialize(&asked["format"]).unwrap_or(Format::RoundRobin),
            pairs: saved.meetings.iter().map(|meeting| meeting.pairs).max().unwrap_or(0),
            ranking: Ranking::new(&saved.seats, &played),
            openings: Openings::new(&saved.pairing, &played.meetings),
            played,
        };
        let shard = saved.shard.clone();
        Ok(SavedTournament { report, shard })
    }

    /// True if all pairs count.
    pub(crate) fn is_complete(&self) -> Result<bool, Error> {
        self.report.is_complete()
    }

    /// Formats the tables for people, as Markdown. They begin with the missing parts.
    pub(crate) fn text(&self) -> String {
        let warnings = [self.part(), self.incomplete()].into_iter().flatten();
        let warnings = warnings.map(|warning| warning + "\n\n");
        warnings.chain([tables::markdown(&self.report)]).collect()
    }

    /// A sentence on the shard, if it is one.
    fn part(&self) -> Option<String> {
        let shard = self.shard.as_ref()?;
        Some(format!(
            "PART {shard} of a tournament: the meetings of the other parts are not counted here. \
             `judge merge PART… --out JOURNAL` joins the parts."
        ))
    }

    /// A sentence on pairs that are left out, if any.
    fn incomplete(&self) -> Option<String> {
        let left_out = self.report.left_out();
        let pairs = if left_out == 1 { "pair is" } else { "pairs are" };
        (left_out > 0)
            .then(|| format!("INCOMPLETE: {left_out} {pairs} left out, as the judge failed there."))
    }

    /// Formats the ranking as CSV, one line per player.
    pub(crate) fn csv(&self) -> Result<String, Error> {
        tables::csv(&self.report.ranking)
    }

    /// Returns the document without rows, notes and times.
    pub(crate) fn json(&self) -> impl Serialize {
        let timing = report::timing(std::time::Duration::ZERO, 0);
        TournamentDocument::new(&self.report, self.part().as_slice(), &timing)
    }

    /// Returns the page for `out`, with each player's worst rounds.
    pub(crate) fn page(
        &self,
        path: &Path,
        source: &Source,
        out: &Path,
    ) -> Result<Tournament, Error> {
        let mut worst = WorstOfEach::new(&self.report);
        for row in source.rows() {
            worst.take(&row?);
        }
        let file = quoted(&seen_from(out, path));
        let mut page = page::page(&self.report);
        page.remarks.splice(0..0, self.part());
        page.worst = self.report.lines(worst.into_rows(), &[], &|row| {
            format!("judge replay {file} --round {0} --html round-{0}.html", row.round)
        });
        page.all_rounds = Some(format!("judge rounds {file}"));
        Ok(page)
    }
}
