//! Tables of trained players by their hashes. With a round's specification, they are enough to fill
//! every seat.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

use judge_core::{Digest, Options, RoundSpec, SeatSpec, digest};
use judge_games::{Header, Learned, TableError};

use crate::SetupError;

/// The available tables.
#[derive(Clone, Default)]
pub struct Tables(BTreeMap<Digest, LearnedFile>);

/// A file and its content.
#[derive(Clone)]
struct LearnedFile {
    bytes: Arc<[u8]>,
    learned: Arc<dyn Learned>,
}

impl Tables {
    /// Adds a table and returns its hash, by which seats refer to it.
    ///
    /// # Errors
    /// When the bytes are not a valid table.
    pub fn add(&mut self, bytes: &[u8]) -> Result<Digest, TableError> {
        let sha256 = digest(bytes);
        if let Entry::Vacant(place) = self.0.entry(sha256) {
            let learned = judge_games::read_table(bytes)?.into();
            place.insert(LearnedFile { bytes: bytes.into(), learned });
        }
        Ok(sha256)
    }

    /// Adds all tables of another set.
    pub fn extend(&mut self, others: &Tables) {
        self.0.extend(others.0.iter().map(|(sha256, table)| (*sha256, table.clone())));
    }

    /// The file with that hash.
    pub fn bytes(&self, sha256: &Digest) -> Option<&[u8]> {
        self.0.get(sha256).map(|table| &*table.bytes)
    }

    /// The first line of the file with that hash.
    pub fn header(&self, sha256: &Digest) -> Option<Header> {
        self.0.get(sha256).map(|table| table.learned.header())
    }

    /// The content of a trained player's table, for a round of that game with these options.
    ///
    /// # Errors
    /// [`SetupError::NoTable`] when it is missing, [`SetupError::OtherBoard`] when it is for
    /// another board.
    pub fn find(
        &self,
        game: &str,
        options: &Options,
        name: &str,
        sha256: &Digest,
    ) -> Result<Arc<dyn Learned>, SetupError> {
        let Some(LearnedFile { learned, .. }) = self.0.get(sha256) else {
            return Err(SetupError::NoTable { name: name.to_owned(), sha256: *sha256 });
        };
        let trained = learned.header().game;
        let fits = if trained == game {
            learned.fits(options)
        } else {
            Err(format!("trained for {trained}, this match is {game}"))
        };
        match fits {
            Ok(()) => Ok(learned.clone()),
            Err(why) => Err(SetupError::OtherBoard { name: name.to_owned(), why }),
        }
    }

    /// Checks that the tables of a round's trained players are available and fit its board.
    ///
    /// # Errors
    /// As [`Tables::find`].
    pub fn check(&self, spec: &RoundSpec) -> Result<(), SetupError> {
        spec.seats.iter().try_for_each(|seat| match seat {
            SeatSpec::Trained { name, sha256 } => {
                self.find(&spec.game, &spec.options, name, sha256).map(|_| ())
            }
            SeatSpec::Bot { .. }
            | SeatSpec::Reference { .. }
            | SeatSpec::Human { .. }
            | SeatSpec::Native { .. } => Ok(()),
        })
    }
}

impl std::fmt::Debug for Tables {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}
