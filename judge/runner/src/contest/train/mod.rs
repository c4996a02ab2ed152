//! `judge train`: improves a player by self-play, and saves it as a table.

mod request;

use judge_arena::Stop;
use judge_core::{Digest, Event, Listener, ProgressResult, Unit, digest};
use judge_games::{Header, Learned};

use crate::Error;
use crate::base::files;
pub use request::Request;

/// The outcome of a training.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// Description of the table and its training.
    pub header: Header,
    /// Size of the file in bytes.
    pub bytes: usize,
    /// Hash of the file.
    pub sha256: Digest,
}

impl Outcome {
    /// Describes the table in one line.
    pub fn to_text(&self) -> String {
        let Header { game, plan, games, states } = &self.header;
        let (board, kib) = (&plan.board, self.bytes.div_ceil(1024));
        let sha256 = &self.sha256;
        format!("{game} {board}: {games} games, {states} states, {kib} KiB, SHA-256 {sha256}\n")
    }
}

/// Trains a table, or continues training. No bot takes part, so no workers are needed. When
/// stopped, saves the table so far.
///
/// # Errors
/// If the request is impossible, or the table cannot be saved.
pub fn run(request: &Request, stop: &Stop, events: &mut dyn Listener) -> Result<Outcome, Error> {
    let new = request.new_table()?;
    let learned = match request.saved_table(&new.header())? {
        Some(learned) => {
            let Header { games, states, .. } = learned.header();
            let text = format!("resuming: {games} games, {states} states");
            events.event(&Event::Note { text })?;
            learned
        }
        None => new,
    };
    Training { request, learned, events }.run(stop)
}

/// A training in progress.
struct Training<'a> {
    request: &'a Request,
    learned: Box<dyn Learned>,
    events: &'a mut dyn Listener,
}

impl Training<'_> {
    fn run(mut self, stop: &Stop) -> Result<Outcome, Error> {
        let total = Some(self.request.games);
        self.events.event(&Event::Started { unit: Unit::Games, total })?;
        let (mut saved, mut is_full) = (None, false);
        while self.learned.header().games < self.request.games && !stop.is_asked() {
            let forgotten = self.learned.play_game();
            if forgotten > 0 && !is_full {
                is_full = true;
                self.note_full(forgotten)?;
            }
            saved = self.after_game()?;
        }
        let bytes = saved.map_or_else(|| self.save(), Ok)?;
        self.events.event(&Event::Finished)?;
        let header = self.learned.header();
        Ok(Outcome { header, bytes: bytes.len(), sha256: digest(&bytes) })
    }

    /// Reports a game, and saves the table if it is due. Returns the saved bytes.
    fn after_game(&mut self) -> Result<Option<Vec<u8>>, Error> {
        let Header { games, states, .. } = self.learned.header();
        let standing = Some(ProgressResult::Training { states: states as u64 });
        self.events.event(&Event::Progress { done: games, standing })?;
        if !games.is_multiple_of(self.request.save_every) {
            return Ok(None);
        }
        let bytes = self.save()?;
        if self.request.note_saves {
            let text = format!("saved: {games} of {} games, {states} states", self.request.games);
            self.events.event(&Event::Note { text })?;
        }
        Ok(Some(bytes))
    }

    /// Saves the table, completely or not at all.
    fn save(&self) -> Result<Vec<u8>, Error> {
        let bytes = self.learned.to_bytes();
        files::renew(&self.request.out, &bytes)?;
        Ok(bytes)
    }

    fn note_full(&mut self, forgotten: usize) -> Result<(), Error> {
        let text = format!(
            "the table is full: {forgotten} of the least visited states were dropped, and \
             others will be whenever it is full again"
        );
        Ok(self.events.event(&Event::Note { text })?)
    }
}
