//! `judge doctor`: what this machine gives the judge, and which walls stand around bots here.

use std::io::Write;
use std::time::Duration;

use judge_core::printable;
use judge_sandbox::worker::{Attempt, Supervisor, Terms, Wall};
use serde_json::json;

use crate::failure::{Exit, Failure};
use crate::{output, worker};

/// Wall clock for a reply of the worker.
const DEADLINE: Duration = Duration::from_secs(30);

/// Show which walls stand around bots on this machine, and try them from inside.
///
/// Starts a worker process as grading does, and lets it try what a bot that broke out of the
/// sandbox would try. Exits with 1 when a wall is missing or something was possible.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let failed = |error: judge_sandbox::worker::WorkerError| Failure::Judge(error.to_string());
    let mut worker = Supervisor::start(&worker::command()?, &Terms::default()).map_err(failed)?;
    let walls = worker.hello(DEADLINE).map_err(failed)?;
    let attempts = worker.probe(DEADLINE).map_err(failed)?;
    let sound = walls.iter().all(|wall| wall.missing.is_none())
        && attempts.iter().all(|attempt| attempt.refused);
    let text = if arguments.json { as_json(&walls, &attempts) } else { as_text(&walls, &attempts) };
    let mut out = std::io::stdout().lock();
    output::unless_reader_left(writeln!(out, "{text}"))?;
    Ok(if sound { Exit::Passed } else { Exit::Failed })
}

fn as_text(walls: &[Wall], attempts: &[Attempt]) -> String {
    let fingerprint = worker::fingerprint();
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let mut lines = vec![
        format!("judge {}, {}", fingerprint.judge, fingerprint.engine),
        format!("{} on {}, {processors} processors", std::env::consts::OS, std::env::consts::ARCH),
        "walls around a bot's process:".to_owned(),
    ];
    lines.extend(walls.iter().map(|wall| match &wall.missing {
        None => format!("  stands   {}", wall.name),
        Some(reason) => format!("  MISSING  {}: {reason}", wall.name),
    }));
    lines.push("tried from inside:".to_owned());
    lines.extend(attempts.iter().map(|attempt| {
        format!("  {}  {}", if attempt.refused { "refused " } else { "POSSIBLE" }, attempt.what)
    }));
    let lines: Vec<String> = lines.iter().map(|line| printable(line, usize::MAX)).collect();
    lines.join("\n")
}

fn as_json(walls: &[Wall], attempts: &[Attempt]) -> String {
    let fingerprint = worker::fingerprint();
    let value = json!({
        "judge": fingerprint.judge,
        "engine": fingerprint.engine,
        "system": std::env::consts::OS,
        "processor": std::env::consts::ARCH,
        "walls": walls,
        "attempts": attempts,
    });
    format!("{value:#}")
}
