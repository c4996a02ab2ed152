//! Trained players, given as `trained:TABLE`.

use std::path::{Path, PathBuf};

use judge_core::SeatSpec;
use judge_referee::{TRAINED, Tables};

use crate::Error;

/// A trained player's file.
pub(crate) struct Trained {
    /// The path of its table.
    pub(crate) path: PathBuf,
    /// The seat for this player.
    pub(crate) seat: SeatSpec,
    /// The game that it was trained for.
    pub(crate) game: String,
    /// A collection with only this table.
    pub(crate) tables: Tables,
}

/// True for the names of trained players.
pub(crate) fn is_trained(name: &str) -> bool {
    name.starts_with(TRAINED)
}

/// Reads the table of a trained player; `None` for any other name.
pub(crate) fn read(name: &str) -> Result<Option<Trained>, Error> {
    let Some(path) = name.strip_prefix(TRAINED).map(Path::new) else { return Ok(None) };
    let bytes = Error::read(path)?;
    let mut tables = Tables::default();
    let sha256 = tables.add(&bytes).map_err(|error| Error::Input {
        what: format!("`{}`: {error}", path.display()),
        hint: Some("`judge train` makes tables".to_owned()),
    })?;
    let file = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    let seat = SeatSpec::Trained { name: format!("{TRAINED}{file}"), sha256 };
    let game = tables.header(&sha256).map(|header| header.game).unwrap_or_default();
    Ok(Some(Trained { path: path.to_owned(), seat, game, tables }))
}
