//! The file of a table: a first line that describes it, the game's own bytes, and a checksum over
//! both.

use judge_core::{Digest, digest};

use super::Plan;
use crate::text::{excerpt, number};

/// Version of the format written by this judge.
const VERSION: u32 = 1;

/// The start of every table.
const MAGIC: &str = "judge-table ";

/// Longest first line, in bytes.
const MAX_HEADER: usize = 256;

/// Size of the checksum.
pub(crate) const CHECKSUM: usize = 32;

/// Largest table, in bytes: it has to go through the pipe to a worker process in one message.
pub const MAX_TABLE_BYTES: usize = 15 << 20;

/// The content of the first line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// Name of the game.
    pub game: String,
    /// The plan of the training.
    pub plan: Plan,
    /// Games played so far.
    pub games: u64,
    /// Number of known states.
    pub states: usize,
}

/// A file that is not a valid table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TableError {
    /// It does not begin like a table.
    #[error("not a table of `judge train`: its first line does not begin with `judge-table`")]
    NotATable,
    /// Written by a newer judge.
    #[error("table version `{found}` is newer than this judge, which reads up to `{VERSION}`")]
    Newer {
        /// The version in the file.
        found: u32,
    },
    /// Larger than any table that a judge writes.
    #[error("{found} bytes: a table has at most {MAX_TABLE_BYTES}")]
    TooLarge {
        /// Its size.
        found: usize,
    },
    /// The first line is invalid.
    #[error("first line: {what}")]
    Header {
        /// The error.
        what: String,
    },
    /// Too short for its content.
    #[error("ends at byte {found}, before its checksum")]
    Cut {
        /// Its size.
        found: usize,
    },
    /// The bytes are not those that were written.
    #[error("damaged: its bytes hash to `{found}`, but the checksum at byte {at} is `{recorded}`")]
    Checksum {
        /// The place of the checksum.
        at: usize,
        /// Hash of the bytes before it.
        found: Digest,
        /// The recorded checksum.
        recorded: String,
    },
    /// This judge learns no such game.
    #[error("first line: `{name}` is not a game that this judge learns")]
    Game {
        /// The name in the file.
        name: String,
    },
    /// The table's content is invalid.
    #[error("state {state}, at byte {at}: {what}")]
    Body {
        /// Number of the state, counted from 1.
        state: usize,
        /// The place in the file.
        at: usize,
        /// The error there.
        what: String,
    },
}

/// The first fault in a game's own bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BodyError {
    /// Number of the state, counted from 1.
    pub state: usize,
    /// The place in the body, counted from 0.
    pub at: usize,
    /// The error there.
    pub what: String,
}

impl Header {
    /// Begins a file; the game's own bytes follow.
    pub(crate) fn begin(&self) -> Vec<u8> {
        format!("{}\n", self.line()).into_bytes()
    }

    fn line(&self) -> String {
        let Header { game, plan: Plan { board, seed, playouts }, games, states } = self;
        format!(
            "{MAGIC}{VERSION} {game} board={board} seed={seed} playouts={playouts} games={games} \
             states={states}"
        )
    }

    fn read(line: &str) -> Result<Header, String> {
        let mut words = line.split(' ').skip(2);
        let game = words.next().unwrap_or_default().to_owned();
        let mut field = |key: &str| {
            let word = words.next().unwrap_or_default();
            let value = word.strip_prefix(key).and_then(|rest| rest.strip_prefix('='));
            value.ok_or_else(|| format!("`{}` where `{key}=` is expected", excerpt(word)))
        };
        let board = field("board")?.to_owned();
        let [seed, playouts, games, states] = ["seed", "playouts", "games", "states"]
            .map(|key| field(key).and_then(|value| whole(key, value)));
        let plan = Plan { board, seed: seed?, playouts: fitting("playouts", playouts?)? };
        let header = Header { game, plan, games: games?, states: fitting("states", states?)? };
        // The line had something behind its fields, or another spelling.
        if header.line() == line { Ok(header) } else { Err("not as a judge writes it".to_owned()) }
    }
}

fn whole(key: &str, value: &str) -> Result<u64, String> {
    number(value).ok_or_else(|| format!("`{key}` is `{}`: expected a number", excerpt(value)))
}

fn fitting<N: TryFrom<u64>>(key: &str, value: u64) -> Result<N, String> {
    N::try_from(value).map_err(|_| format!("`{key}` is `{value}`: that is too large"))
}

/// Ends a file that was begun with [`Header::begin`].
pub(crate) fn seal(mut bytes: Vec<u8>) -> Vec<u8> {
    let checksum = digest(&bytes);
    bytes.extend_from_slice(checksum.bytes());
    bytes
}

/// The first line of a whole file and the bytes between it and the checksum.
pub(crate) fn open(bytes: &[u8]) -> Result<(Header, &[u8]), TableError> {
    if bytes.len() > MAX_TABLE_BYTES {
        return Err(TableError::TooLarge { found: bytes.len() });
    }
    if !bytes.starts_with(MAGIC.as_bytes()) {
        return Err(TableError::NotATable);
    }
    let header = |what: &str| TableError::Header { what: what.to_owned() };
    let end = bytes.iter().take(MAX_HEADER).position(|byte| *byte == b'\n');
    let end = end.ok_or_else(|| header("it does not end"))?;
    let line = std::str::from_utf8(&bytes[..end]).map_err(|_| header("it is not text"))?;
    check_version(line)?;
    let Some(whole) = bytes.len().checked_sub(CHECKSUM).filter(|whole| *whole > end) else {
        return Err(TableError::Cut { found: bytes.len() });
    };
    let (content, checksum) = bytes.split_at(whole);
    let found = digest(content);
    if found.bytes() != checksum {
        let recorded = checksum.iter().map(|byte| format!("{byte:02x}")).collect();
        return Err(TableError::Checksum { at: whole, found, recorded });
    }
    let header = Header::read(line).map_err(|what| TableError::Header { what })?;
    Ok((header, &content[end + 1..]))
}

fn check_version(line: &str) -> Result<(), TableError> {
    let version = line[MAGIC.len()..].split(' ').next().unwrap_or_default();
    match number::<u32>(version) {
        Some(VERSION) => Ok(()),
        Some(found) if found > VERSION => Err(TableError::Newer { found }),
        _ => Err(TableError::Header { what: format!("version `{}`", excerpt(version)) }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header() -> Header {
        let plan = Plan { board: "4x4".to_owned(), seed: 7, playouts: 200 };
        Header { game: "amazons".to_owned(), plan, games: 12, states: 3 }
    }

    fn file(line: &str) -> Vec<u8> {
        seal([line.as_bytes(), b"\nbody"].concat())
    }

    #[test]
    fn a_written_table_reads_back() {
        let mut bytes = header().begin();
        bytes.extend_from_slice(b"body\nand more");
        let sealed = seal(bytes);
        assert_eq!(open(&sealed), Ok((header(), &b"body\nand more"[..])));
        let line = "judge-table 1 amazons board=4x4 seed=7 playouts=200 games=12 states=3";
        assert!(sealed.starts_with(format!("{line}\n").as_bytes()));
    }

    #[test]
    fn the_first_mistake_is_named() {
        let error = |bytes: &[u8]| open(bytes).expect_err("no table").to_string();
        let line = header().line();
        assert!(error(b"").starts_with("not a table"));
        assert!(error(b"\0asm\x01\0\0\0").starts_with("not a table"));
        assert!(error(&file(&line.replace("table 1", "table 2"))).contains("newer"));
        assert!(error(&file(&line.replace("table 1", "table x"))).contains("version `x`"));
        assert!(error(line.as_bytes()).contains("does not end"));
        assert!(error(format!("{line}\n1234").as_bytes()).contains("before its checksum"));
        assert!(error(&file(&line.replace("seed=", "seat="))).contains("`seat=7` where `seed=`"));
        assert!(error(&file(&line.replace("=7", "=07"))).contains("`seed` is `07`"));
        assert!(error(&file(&line.replace("=200", "=4294967296"))).contains("too large"));
        assert!(error(&file(&format!("{line} more"))).contains("not as a judge writes it"));
        assert!(error(&vec![b' '; MAX_TABLE_BYTES + 1]).contains("at most"));
    }

    #[test]
    fn a_changed_byte_is_found() {
        let whole = file(&header().line());
        for at in 0..whole.len() {
            for bit in [1, 16, 128] {
                let mut changed = whole.clone();
                changed[at] ^= bit;
                assert!(open(&changed).is_err(), "byte {at}");
            }
            assert!(open(&whole[..at]).is_err(), "cut at {at}");
        }
    }
}
