//! The result of a tournament for programs.

use judge_core::Seed;
use serde_json::{Value, json};

use super::TournamentReport;
use super::schedule::{Format, Meeting};
use crate::contest;
use crate::contest::match_bots::report::counted;

/// Version of the JSON document. Version 3 added the rows of all rounds. Since version 4 each
/// meeting has the same weight in a score, and a bot's actions after the end of a round change no
/// score.
const VERSION: u32 = 4;

/// Returns the document without notes and times.
pub(super) fn document(report: &TournamentReport) -> Value {
    let (pairing, played) = (&report.pairing, &report.played);
    let seats = report.seats.iter().map(contest::player);
    let meeting = |meeting| one(report, meeting);
    let mut json = json!({
        "version": VERSION,
        "fingerprint": report.fingerprint,
        "game": pairing.game,
        "options": pairing.options,
        "seed": pairing.seed,
        "limits": pairing.limits,
        "format": report.format,
        "players": seats.collect::<Vec<_>>(),
        "standing": report.ranking.rows,
        "meetings": played.meetings.iter().map(meeting).collect::<Vec<_>>(),
        "openings": report.openings,
    });
    if report.format == Format::Swiss {
        json["byes"] = json!(played.byes);
    }
    json
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
