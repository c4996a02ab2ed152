//! Trained players as the command line names them: `trained:TABLE`.

use std::path::{Path, PathBuf};

use judge_core::SeatSpec;
use judge_referee::{TRAINED, Tables};

use crate::failure::Failure;

/// A trained player's file.
pub(crate) struct Trained {
    /// As it stands on the command line.
    pub(crate) path: PathBuf,
    /// The seat that it takes.
    pub(crate) seat: SeatSpec,
    /// What it was trained for.
    pub(crate) game: String,
    /// It alone.
    pub(crate) tables: Tables,
}

/// Whether a name is that of a trained player.
pub(crate) fn is_trained(name: &str) -> bool {
    name.starts_with(TRAINED)
}

/// Reads the file of a trained player; `None` for the name of anybody else.
pub(crate) fn read(name: &str) -> Result<Option<Trained>, Failure> {
    let Some(path) = name.strip_prefix(TRAINED).map(Path::new) else { return Ok(None) };
    let bytes = Failure::read(path)?;
    let mut tables = Tables::default();
    let sha256 = tables.add(&bytes).map_err(|error| Failure::Input {
        what: format!("`{}`: {error}", path.display()),
        hint: Some("`judge train` makes tables".to_owned()),
    })?;
    let stem = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy();
    let seat = SeatSpec::Trained { name: format!("{TRAINED}{stem}"), sha256 };
    let game = tables.header(&sha256).map(|header| header.game).unwrap_or_default();
    Ok(Some(Trained { path: path.to_owned(), seat, game, tables }))
}
