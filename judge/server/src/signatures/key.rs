//! The file with the server's private key.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use ed25519_dalek::SigningKey;

use super::{Signer, bytes, hex};

/// Name of the file in the server's folder.
const FILE: &str = "signing-key";

/// A key that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// The file cannot be read or made.
    #[error("cannot use `{}`: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file contains something else.
    #[error(
        "`{}` is not a signing key\n\nhint: put the one from the last backup in its place; without \
         it the server makes a new one, and what it handed out can no longer be checked",
        path.display()
    )]
    NotAKey {
        /// The file.
        path: PathBuf,
    },
}

impl Signer {
    /// Reads the key in the data folder; the first call makes it, for the server's account alone.
    ///
    /// # Errors
    /// When the file cannot be used.
    pub fn in_folder(data: &Path) -> Result<Signer, KeyError> {
        let path = data.join(FILE);
        let failed = |source| KeyError::File { path: path.clone(), source };
        match std::fs::read_to_string(&path) {
            Ok(text) => {
                let key = bytes(text.trim()).ok_or(KeyError::NotAKey { path })?;
                Ok(Signer(SigningKey::from_bytes(&key)))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let mut key = [0; 32];
                getrandom::fill(&mut key).map_err(|error| failed(io::Error::other(error)))?;
                keep(data, &path, &key).map_err(failed)?;
                Ok(Signer(SigningKey::from_bytes(&key)))
            }
            Err(error) => Err(failed(error)),
        }
    }
}

/// Writes the file as a whole or not at all, as half a key could never be used.
fn keep(data: &Path, path: &Path, key: &[u8; 32]) -> io::Result<()> {
    // A temporary file is for its owner alone from the beginning.
    let mut file = tempfile::NamedTempFile::new_in(data)?;
    writeln!(file, "{}", hex(key))?;
    file.as_file().sync_all()?;
    file.persist_noclobber(path)?;
    File::open(data)?.sync_all()
}
