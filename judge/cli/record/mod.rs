//! `judge record`: many games written down for machines to learn from.

mod arguments;
mod folder;
mod plan;
mod summary;
#[cfg(test)]
mod tests;
mod writer;

use std::time::Instant;

use judge_arena::Pairing;
use judge_core::{SeatSpec, printable};

use crate::contest;
use crate::failure::{Exit, Failure};
use crate::{output, worker};
pub(crate) use arguments::Arguments;
use folder::Folder;
use summary::Summary;
use writer::Writer;

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let players = arguments.players()?;
    let pairing = arguments.pairing(&players)?;
    let formats = arguments.formats(players.game)?;
    let parts = arguments.parts()?;
    let mut pool = worker::pool(arguments.jobs, &arguments.walls)?;
    pool.tables = players.tables();
    let plan = plan::of(arguments, &pairing, &formats, &pool.fingerprint);
    let folder = Folder::open(&arguments.out, &plan, &formats, arguments.resume)?;
    let own = |part: &usize| arguments.shard.is_none_or(|shard| shard.takes(*part));
    let (there, missing): (Vec<usize>, Vec<usize>) =
        (0..parts.len()).filter(own).partition(|part| folder.has(*part));
    if missing.is_empty() {
        let line = match there.len() {
            0 => "nothing to record: this shard has no part\n".to_owned(),
            parts => format!("nothing to record: all parts are there, {parts} of them\n"),
        };
        output::unless_reader_left(output::print(&line))?;
        return Ok(Exit::Passed);
    }
    if arguments.resume {
        let all = there.len() + missing.len();
        contest::tell(&format!("going on: {} of {all} parts are there", there.len()));
    }
    if let Some(note) = contest::note_of_luck(players.game, &pairing) {
        contest::tell(&format!("note: {note}"));
    }
    let begin = Instant::now();
    let writer = Writer::new(&folder, &formats, &missing, plan::about(&plan), &parts);
    pairing.record(&pool, &players.modules(), &writer.games(), &writer)?;
    let summary = writer.finish()?;
    worker::warn_of_missing_walls(&pool);
    finish(&pairing, &summary, there.len(), begin)?;
    Ok(summary.exit())
}

/// Says what was recorded.
fn finish(
    pairing: &Pairing,
    summary: &Summary,
    there: usize,
    begin: Instant,
) -> Result<(), Failure> {
    let names = pairing.players.each_ref().map(SeatSpec::name);
    output::unless_reader_left(output::print(&summary.line(names, there)))?;
    let seconds = begin.elapsed().as_secs_f64();
    if summary.games > 0 {
        let rate = summary.games as f64 / seconds.max(0.001);
        contest::tell(&format!("{seconds:.1} s, {rate:.0} games a second"));
    }
    for line in summary.warnings() {
        contest::tell(&printable(&line, usize::MAX));
    }
    Ok(())
}
