//! What a browser keeps between leaving for the issuer and coming back, signed by the server: it can
//! be neither made up nor changed.

use std::fmt;
use std::time::Duration;

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use hmac::{Hmac, Mac as _};
use judge_store::Timestamp;
use serde::{Deserialize, Serialize};
use sha2::Sha256;

/// How long somebody may take at the issuer.
pub const HOLDS: Duration = Duration::from_secs(10 * 60);

/// A key that tickets are signed with: a new one at each start.
#[derive(Clone)]
pub struct Key([u8; 32]);

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(…)")
    }
}

impl Key {
    /// A random one.
    ///
    /// # Errors
    /// When the system has no randomness.
    pub fn random() -> Result<Key, getrandom::Error> {
        let mut key = [0; 32];
        getrandom::fill(&mut key)?;
        Ok(Key(key))
    }

    fn mac(&self, text: &str) -> Hmac<Sha256> {
        let mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("any length is a key");
        mac.chain_update(text)
    }
}

/// What is kept of a sign-in that began.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ticket {
    /// What the issuer has to send back.
    pub state: String,
    /// What the issuer's word has to hold.
    pub nonce: String,
    /// What shows the issuer that the same one comes back.
    pub verifier: String,
    /// The person to link, of whoever is signed in already.
    pub link: Option<String>,
    /// When it ends, in milliseconds since 1970.
    pub until: i64,
}

impl Ticket {
    /// The text of a cookie.
    pub fn signed(&self, key: &Key) -> String {
        let json = serde_json::to_vec(self).expect("texts and a number are JSON");
        let text = BASE64_URL_SAFE_NO_PAD.encode(json);
        let mac = key.mac(&text).finalize().into_bytes();
        format!("{text}.{}", BASE64_URL_SAFE_NO_PAD.encode(mac))
    }

    /// The ticket in the text of a cookie, if the server signed it and it holds.
    pub fn read(text: &str, key: &Key, now: Timestamp) -> Option<Ticket> {
        let (text, mac) = text.split_once('.')?;
        let mac = BASE64_URL_SAFE_NO_PAD.decode(mac).ok()?;
        key.mac(text).verify_slice(&mac).ok()?;
        let json = BASE64_URL_SAFE_NO_PAD.decode(text).ok()?;
        let ticket: Ticket = serde_json::from_slice(&json).ok()?;
        (now.millis() < ticket.until).then_some(ticket)
    }

    /// True if that is its state; takes the same time for every wrong one.
    pub fn has_state(&self, state: &str, key: &Key) -> bool {
        let mac = key.mac(&self.state).finalize().into_bytes();
        key.mac(state).verify_slice(&mac).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ticket_is_the_servers_own_or_none() {
        let (key, other) = (Key::random().expect("random"), Key::random().expect("random"));
        let ticket = Ticket {
            state: "s".to_owned(),
            nonce: "n".to_owned(),
            verifier: "v".to_owned(),
            link: None,
            until: 1000,
        };
        let text = ticket.signed(&key);
        let at = Timestamp::from_millis;
        assert_eq!(Ticket::read(&text, &key, at(999)), Some(ticket.clone()));
        assert_eq!(Ticket::read(&text, &key, at(1000)), None, "over");
        assert_eq!(Ticket::read(&text, &other, at(0)), None, "another server's");
        let forged = Ticket { link: Some("somebody".to_owned()), ..ticket.clone() }.signed(&other);
        let (forged, _) = forged.split_once('.').expect("two parts");
        let (_, mac) = text.split_once('.').expect("two parts");
        assert_eq!(Ticket::read(&format!("{forged}.{mac}"), &key, at(0)), None, "changed");
        assert_eq!(Ticket::read("", &key, at(0)), None);
        assert!(ticket.has_state("s", &key) && !ticket.has_state("t", &key));
    }
}
