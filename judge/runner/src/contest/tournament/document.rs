//! The result of a tournament for programs.

use judge_core::Seed;
use serde::ser::{Serialize, Serializer};
use serde_json::{Value, json};

use super::TournamentReport;
use super::schedule::{Format, Meeting};
use crate::contest;
use crate::contest::match_bots::report::counted;

/// Version of the JSON document. Version 3 added the rows of all rounds. Since version 4 each
/// meeting has the same weight in a score, and a bot's actions after the end of a round change no
/// score.
const VERSION: u32 = 4;

/// The document without rows. Its meetings, of which there may be thousands, are made one by one
/// when it is written.
#[derive(serde::Serialize)]
pub(super) struct TournamentDocument<'a> {
    #[serde(flatten)]
    head: Value,
    meetings: MeetingList<'a>,
}

impl TournamentDocument<'_> {
    pub(super) fn new<'a>(
        report: &'a TournamentReport,
        notes: &[String],
        timing: &Value,
    ) -> TournamentDocument<'a> {
        let (pairing, played) = (&report.pairing, &report.played);
        let seats = report.seats.iter().map(contest::player);
        let mut head = json!({
            "version": VERSION,
            "fingerprint": report.fingerprint,
            "game": pairing.game,
            "options": pairing.options,
            "seed": pairing.seed,
            "limits": pairing.limits,
            "format": report.format,
            "players": seats.collect::<Vec<_>>(),
            "standing": report.ranking.rows,
            "openings": report.openings,
            "notes": notes,
            "timing": timing,
        });
        if report.format == Format::Swiss {
            head["byes"] = json!(played.byes);
        }
        TournamentDocument { head, meetings: MeetingList(report) }
    }
}

struct MeetingList<'a>(&'a TournamentReport);

impl Serialize for MeetingList<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.played.meetings.iter().map(|meeting| one(self.0, meeting)))
    }
}

fn one(report: &TournamentReport, meeting: &Meeting) -> Value {
    let fixture = &meeting.fixture;
    let mut json = counted(&meeting.tally, meeting.end);
    json["players"] = json!(fixture.players);
    let seed: Seed = report.pairing.seed(fixture.first);
    json["seed"] = json!(seed);
    if report.format == Format::Swiss {
        json["cycle"] = json!(fixture.cycle + 1);
    }
    json
}
