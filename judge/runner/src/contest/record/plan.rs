//! The plan of a recording: everything that determines the content of its files.

use judge_arena::Pairing;
use judge_core::{Fingerprint, SeatSpec};
use judge_grading::time_argument;
use judge_report::quoted;
use judge_report::recording::RecordingFormat;
use serde_json::{Value, json};

use super::Request;
use crate::contest;

/// Version of the folder's layout and tables.
const VERSION: u32 = 1;

/// The plan as in `record.json`. All shards of one recording have the same plan.
pub(super) fn plan(
    request: &Request,
    pairing: &Pairing,
    formats: &[RecordingFormat],
    fingerprint: &Fingerprint,
) -> Value {
    let names: Vec<&str> = formats.iter().map(|format| format.name()).collect();
    // Only bots have limits.
    let limited = pairing.players.iter().any(SeatSpec::is_bot);
    json!({
        "version": VERSION,
        "fingerprint": fingerprint,
        "command": command(request, pairing, &names),
        "game": pairing.game,
        "options": pairing.options,
        "players": pairing.players.each_ref().map(contest::player),
        "limits": limited.then_some(pairing.limits),
        "seed": pairing.seed,
        "games": request.games,
        "part": request.part,
        "formats": names,
    })
}

/// The command that makes the same files, in canonical form: without the folder, and without
/// options that change no file.
fn command(request: &Request, pairing: &Pairing, formats: &[&str]) -> String {
    let mut words =
        vec!["judge record".to_owned(), format!("--game {}", pairing.game), players(pairing)];
    let options = pairing.options.iter();
    words.extend(
        options
            .map(|(key, value)| quoted(&format!("{key}={value}")))
            .map(|option| format!("--option {option}")),
    );
    words.push(format!("--games {} --seed {}", request.games, pairing.seed));
    if pairing.players.iter().any(SeatSpec::is_bot) {
        let (time, memory) =
            (time_argument(pairing.limits.fuel), pairing.limits.memory_bytes / 1024);
        words.push(format!("{time} --memory-kib {memory}"));
    }
    words.push(format!("--part {} --format {}", request.part, formats.join(",")));
    words.join(" ")
}

/// The players, as separate arguments if a name contains a comma.
fn players(pairing: &Pairing) -> String {
    let names = pairing.players.each_ref().map(|player| match player {
        SeatSpec::Bot { name, .. } => quoted(&format!("{name}.wasm")),
        other => quoted(other.name()),
    });
    let separator = if names.concat().contains(',') { " --players " } else { "," };
    format!("--players {}", names.join(separator))
}

/// Metadata for the files, if their format has room for it.
pub(super) fn about(plan: &Value) -> Vec<(&'static str, String)> {
    let text = |value: &Value| match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    vec![
        ("judge.version", text(&plan["fingerprint"]["judge"])),
        ("judge.engine", text(&plan["fingerprint"]["engine"])),
        ("judge.command", text(&plan["command"])),
        ("judge.game", text(&plan["game"])),
        ("judge.options", text(&plan["options"])),
        ("judge.players", text(&plan["players"])),
        ("judge.limits", text(&plan["limits"])),
    ]
}
