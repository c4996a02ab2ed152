//! Index of a journal, built in one pass, without the transcripts.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _, Seek as _, SeekFrom};
use std::path::Path;

use judge_core::{Digest, FUEL_PER_MS, Fingerprint};
use serde_json::Value;

use super::copy::round_modules;
use super::costs::Costs;
use super::line::{self, JournalEntry, OutlinedEntry};
use super::{JournalError, PLAN, VERSION};

/// Longest line, in bytes: far above the size of a worker's reply.
const LONGEST: u64 = 128 << 20;

/// The reason to reject a line.
enum Refused {
    /// The judge does not write such a line there.
    Damage(String),
    /// The journal has this unsupported version.
    Version(u32),
}

impl From<String> for Refused {
    fn from(what: String) -> Refused {
        Refused::Damage(what)
    }
}

/// Position of a round.
#[derive(Debug, Clone, Copy)]
pub(super) struct RoundOffset {
    /// Offset in the file.
    pub(super) offset: u64,
    /// Length in bytes, including the line break.
    pub(super) length: usize,
    /// Line number, counted from 1.
    pub(super) number: u64,
    /// Link of the previous line.
    pub(super) previous: Digest,
}

/// A journal without its transcripts.
#[derive(Debug)]
pub(super) struct Index {
    /// Fingerprint and plan.
    pub(super) header: Option<(Fingerprint, Value)>,
    /// Facts by name.
    pub(super) facts: BTreeMap<String, Value>,
    /// Rounds by key.
    pub(super) rounds: BTreeMap<Digest, RoundOffset>,
    /// Processor time of the rounds, by the bot's module.
    pub(super) costs: Costs,
    /// Link of the last line.
    pub(super) link: Digest,
    /// Bytes up to the end of the last complete line.
    pub(super) end: u64,
    /// Number of complete lines.
    lines: u64,
}

impl Index {
    pub(super) fn new() -> Index {
        Index {
            header: None,
            facts: BTreeMap::new(),
            rounds: BTreeMap::new(),
            costs: Costs::default(),
            link: line::first_link(),
            end: 0,
            lines: 0,
        }
    }

    /// Reads all complete lines of a file. It leaves out a last line without a line break, whose
    /// writer was stopped.
    pub(super) fn read(path: &Path, file: &mut File) -> Result<Index, JournalError> {
        let failed = |source| JournalError::Read { path: path.to_owned(), source };
        file.seek(SeekFrom::Start(0)).map_err(failed)?;
        let mut index = Index::new();
        let mut reader = BufReader::new(file);
        let mut bytes = Vec::new();
        loop {
            bytes.clear();
            let mut limited = reader.by_ref().take(LONGEST);
            limited.read_until(b'\n', &mut bytes).map_err(failed)?;
            let damaged = |line, what| JournalError::Damaged { path: path.to_owned(), line, what };
            if bytes.last() != Some(&b'\n') && (bytes.len() as u64) < LONGEST {
                // Another file without a line break must not pass for a truncated journal.
                let ours = index.lines > 0 || line::begins_like_first(&bytes);
                let what = "it is not a line of a journal".to_owned();
                return if ours { Ok(index) } else { Err(damaged(1, what)) };
            }
            let number = index.lines + 1;
            index.take_line(&bytes).map_err(|refused| match refused {
                Refused::Damage(what) => damaged(number, what),
                Refused::Version(found) => JournalError::Version { path: path.to_owned(), found },
            })?;
        }
    }

    fn take_line(&mut self, bytes: &[u8]) -> Result<(), Refused> {
        let text = std::str::from_utf8(bytes).map_err(|error| error.to_string())?;
        let (entry, link): (OutlinedEntry, _) =
            line::decode(text.trim_end_matches('\n'), self.link)?;
        let key = entry.key();
        match (&entry, &self.header) {
            (JournalEntry::Journal { version: VERSION, .. }, None) => {}
            (JournalEntry::Journal { version, .. }, None) => {
                return Err(Refused::Version(*version));
            }
            (JournalEntry::Journal { .. }, Some(_)) => {
                return Err("it is a second header".to_owned().into());
            }
            (_, None) => return Err("the header before it is missing".to_owned().into()),
            // The judge writes a round only once, and only one of two could count.
            _ if key.is_some_and(|key| self.rounds.contains_key(&key)) => {
                return Err("duplicate round".to_owned().into());
            }
            _ => {}
        }
        self.take(entry, key, bytes.len(), link);
        Ok(())
    }

    /// Adds an entry of `length` bytes at the end of the file.
    pub(super) fn take<T>(
        &mut self,
        entry: JournalEntry<T>,
        key: Option<Digest>,
        length: usize,
        link: Digest,
    ) {
        let (offset, previous) = (self.end, self.link);
        self.end += length as u64;
        self.lines += 1;
        self.link = link;
        match entry {
            JournalEntry::Journal { fingerprint, plan, .. } => {
                self.header = Some((fingerprint, plan));
            }
            JournalEntry::Fact { name, value } => {
                if name == PLAN
                    && let Some((_, plan)) = &mut self.header
                {
                    plan.clone_from(&value);
                }
                self.facts.insert(name, value);
            }
            JournalEntry::Round { spec, outline, processor_ms, .. } => {
                // If nothing was measured, there is only the fuel. A judge-millisecond takes at
                // least one millisecond.
                let fuel = outline.fuel.into_iter().flatten().fold(0, u64::saturating_add);
                let took = processor_ms.unwrap_or(fuel / FUEL_PER_MS);
                for module in round_modules(&spec) {
                    self.costs.add(module, &spec, took);
                }
                let place = RoundOffset { offset, length, number: self.lines, previous };
                self.rounds.extend(key.map(|key| (key, place)));
            }
        }
    }
}
