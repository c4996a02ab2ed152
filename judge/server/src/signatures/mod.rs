//! Signatures of reports, replays and mark sheets, so that readers can check later that a file came
//! from this server. The server itself never accepts such a file as a result.

mod about;

use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};
use judge_core::digest;

pub use about::{About, CourseNamed, PersonNamed, SuiteNamed};

/// Prefix of every signed message, so that no signature can be reused from another protocol.
const KIND: &[u8] = b"judge-server file 2\n";

/// Prefix of a line with a signature.
const HEAD: &str = "judge-server-signature 2 ed25519";

/// A server's private key.
#[derive(Debug)]
pub struct Signer(SigningKey);

/// The public part of a server's key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PublicKey(VerifyingKey);

/// A signature that does not verify.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadSignature {
    /// The text is not a public key.
    #[error(
        "not a key: `{0}`\n\nhint: a key has 64 digits; the server shows it on the page `/key`"
    )]
    Key(String),
    /// The text is not a signature.
    #[error("not a signature of a judge-server")]
    Form,
    /// It was made by another server.
    #[error("the signature was made with another key: `{0}`")]
    Other(String),
    /// The file is not the one that was signed.
    #[error("the signature does not match: this is not the file that the server signed")]
    Changed,
}

impl Signer {
    /// A signer with this private key.
    pub fn new(secret: &[u8; 32]) -> Signer {
        Signer(SigningKey::from_bytes(secret))
    }

    /// The public key.
    pub fn public(&self) -> PublicKey {
        PublicKey(self.0.verifying_key())
    }

    /// The signature of a file, and of a statement about its origin: a line of text in ASCII.
    pub fn sign(&self, file: &[u8], about: &About) -> String {
        let about = about.to_text();
        let signature = hex(&self.0.sign(&message(file, &about)).to_bytes());
        format!("{HEAD} {} {signature} {about}", self.public())
    }
}

impl PublicKey {
    /// Checks that the owner of this key signed the file, and returns the signed statement about
    /// its origin.
    ///
    /// # Errors
    /// When the signature does not match.
    pub fn check(&self, file: &[u8], signature: &str) -> Result<About, BadSignature> {
        let rest = signature.trim().strip_prefix(HEAD).ok_or(BadSignature::Form)?;
        let (key, rest) = rest.trim().split_once(' ').ok_or(BadSignature::Form)?;
        let (signature, about) = rest.split_once(' ').ok_or(BadSignature::Form)?;
        if key != self.to_string() {
            return Err(BadSignature::Other(judge_core::printable(key, 64)));
        }
        let bytes: [u8; 64] = bytes(signature).ok_or(BadSignature::Form)?;
        let checked = self.0.verify_strict(&message(file, about), &Signature::from_bytes(&bytes));
        checked.map_err(|_| BadSignature::Changed)?;
        About::from_text(about).ok_or(BadSignature::Form)
    }
}

impl std::fmt::Display for PublicKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&hex(self.0.as_bytes()))
    }
}

impl std::str::FromStr for PublicKey {
    type Err = BadSignature;

    fn from_str(text: &str) -> Result<PublicKey, BadSignature> {
        let key = bytes(text.trim()).and_then(|bytes| VerifyingKey::from_bytes(&bytes).ok());
        key.map(PublicKey).ok_or_else(|| BadSignature::Key(judge_core::printable(text, 100)))
    }
}

/// The signed message. It has two digests of fixed length, so that no byte of the file can become
/// one of the statement.
fn message(file: &[u8], about: &str) -> Vec<u8> {
    [KIND, digest(about.as_bytes()).bytes(), digest(file).bytes()].concat()
}

fn hex(bytes: &[u8]) -> String {
    let digit = |value: u8| char::from_digit(u32::from(value), 16).unwrap_or('0');
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// Parses bytes from lower-case hexadecimal digits.
fn bytes<const N: usize>(text: &str) -> Option<[u8; N]> {
    let fits = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    if text.len() != 2 * N || !text.bytes().all(fits) {
        return None;
    }
    let mut bytes = [0; N];
    for (at, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(text.get(2 * at..2 * at + 2)?, 16).ok()?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests;
