//! `judge record`: records many games for machine learning.

mod folder;
mod outcome;
mod plan;
mod relay;
mod request;
#[cfg(test)]
mod tests;
mod writer;

use std::time::{Duration, Instant};

use judge_core::{Event, Listener, SeatSpec, Unit};

use crate::Error;
use crate::base::workers::{Workers, tell_of_missing_walls};
use crate::contest;
use folder::Folder;
pub use outcome::{Counts, Outcome};
pub use request::Request;
use writer::Writer;

/// Records the requested games.
///
/// # Errors
/// If the request is impossible, a file cannot be written, or the judge fails in all games.
pub fn run(
    request: &Request,
    workers: &Workers,
    events: &mut dyn Listener,
) -> Result<Outcome, Error> {
    let players = request.players(events)?;
    let pairing = request.pairing(&players)?;
    let formats = request.formats(players.game)?;
    let parts = request.parts()?;
    let run = workers.run().with_tables(players.tables());
    let plan = plan::plan(request, &pairing, &formats, run.pool().fingerprint());
    let folder = Folder::open(&request.out, &plan, &formats, request.resume)?;
    let own = |part: &usize| request.shard.is_none_or(|shard| shard.takes(*part));
    let (present, missing): (Vec<usize>, Vec<usize>) =
        (0..parts.len()).filter(own).partition(|part| folder.has(*part));
    let names = pairing.players.each_ref().map(|player| SeatSpec::name(player).to_owned());
    let damaged = folder.damaged(&missing);
    if damaged > 0 {
        let parts =
            if damaged == 1 { "1 part was".to_owned() } else { format!("{damaged} parts were") };
        note(events, format!("{parts} cut off, and will be recorded again"))?;
    }
    if missing.is_empty() {
        return Ok(Outcome::nothing(names, present.len()));
    }
    if request.resume {
        let all = present.len() + missing.len();
        note(events, format!("resuming: {} of {all} parts are there", present.len()))?;
    }
    if let Some(text) = contest::note_of_luck(players.game, &pairing) {
        note(events, text)?;
    }
    let begin = Instant::now();
    let writer = Writer::new(&folder, &formats, &missing, plan::about(&plan), &parts);
    let games = writer.games();
    let total = games.iter().map(|part| part.end - part.start).sum();
    events.event(&Event::Started { unit: Unit::Games, total: Some(total) })?;
    relay::with_progress(events, &workers.stop, &writer, |recorder| {
        Ok(pairing.record(&run, &players.modules(), &games, recorder)?)
    })?;
    let counts = writer.finish()?;
    let wall = begin.elapsed();
    tell_of_missing_walls(&run, events)?;
    if let Some(text) = counts.note_of_faults() {
        note(events, text)?;
    }
    events.event(&Event::Finished)?;
    Ok(Outcome { players: names, present: present.len(), counts: Some(counts), wall })
}

fn note(events: &mut dyn Listener, text: String) -> Result<(), Error> {
    Ok(events.event(&Event::Note { text })?)
}

impl Outcome {
    /// The outcome if all parts exist already.
    fn nothing(players: [String; 2], present: usize) -> Outcome {
        Outcome { players, present, counts: None, wall: Duration::ZERO }
    }
}
