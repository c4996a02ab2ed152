//! A tournament for programs.

use judge_core::Seed;
use serde_json::{Value, json};

use super::TournamentReport;
use super::schedule::{Format, Meeting};
use crate::contest;
use crate::contest::match_bots::report::counted;

/// Version of the JSON document: since 3 it has the rows of all rounds, since 4 each meeting weighs
/// the same in a score, and what a bot does after the end changes no score.
const VERSION: u32 = 4;

/// The document, but for notes and times.
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
