//! The user's key, and seals under it.

use hmac::{Hmac, Mac};
use sha2::Sha256;

use super::CacheError;
use super::folder::PrivateFolder;

/// Length of a seal.
pub(super) const SEAL_BYTES: usize = 32;

const KEY_BYTES: usize = 32;

/// The key's file.
const KEY_NAME: &str = "key";

/// Separates these seals from any other use of the key.
const PURPOSE: &[u8] = b"machine code 1\n";

/// A random key that only the user can read.
pub(super) struct UserKey([u8; KEY_BYTES]);

impl UserKey {
    /// The key in the folder; makes one at the first use.
    pub(super) fn read_or_make(folder: &PrivateFolder) -> Result<UserKey, CacheError> {
        if let Some(key) = UserKey::read(folder)? {
            return Ok(key);
        }
        let mut bytes = [0; KEY_BYTES];
        let filled = getrandom::fill(&mut bytes).map_err(std::io::Error::other);
        filled.map_err(|error| folder.failed(KEY_NAME, error))?;
        // Of several processes at once, one makes the key for all.
        match folder.create(KEY_NAME, &bytes)? {
            true => Ok(UserKey(bytes)),
            false => UserKey::read(folder)?
                .ok_or_else(|| folder.failed(KEY_NAME, std::io::ErrorKind::InvalidData.into())),
        }
    }

    /// The key, if there is one. One that was cut is removed.
    fn read(folder: &PrivateFolder) -> Result<Option<UserKey>, CacheError> {
        let Some(bytes) = folder.read(KEY_NAME, KEY_BYTES)? else { return Ok(None) };
        let key = <[u8; KEY_BYTES]>::try_from(bytes).ok().map(UserKey);
        if key.is_none() {
            folder.remove(KEY_NAME);
        }
        Ok(key)
    }

    /// The seal of an entry. It covers the name, so that no entry can take another one's place.
    pub(super) fn seal(&self, name: &str, content: &[u8]) -> [u8; SEAL_BYTES] {
        self.authenticator(name, content).finalize().into_bytes().into()
    }

    /// True if the entry carries a seal under this key. Takes the same time for every wrong seal.
    pub(super) fn has_sealed(&self, name: &str, content: &[u8], seal: &[u8; SEAL_BYTES]) -> bool {
        self.authenticator(name, content).verify_slice(seal).is_ok()
    }

    fn authenticator(&self, name: &str, content: &[u8]) -> Hmac<Sha256> {
        let key = &self.0;
        let mut seal = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes keys of any length");
        // All names have the same length.
        [PURPOSE, name.as_bytes(), content].iter().for_each(|part| seal.update(part));
        seal
    }
}
