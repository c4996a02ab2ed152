//! The ticket that a browser keeps in a cookie while it is at an issuer. The server signs it, so
//! that it cannot be forged or changed.

use std::fmt;
use std::time::Duration;

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use hmac::{Hmac, Mac as _};
use judge_store::Timestamp;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::Sha256;

/// Time that a person has at the issuer.
pub const HOLDS: Duration = Duration::from_secs(10 * 60);

/// Kind of the signed text.
const KIND: &str = "sign-on";

/// Key that signs tickets, a new one at each start of the server.
#[derive(Clone)]
pub struct TicketKey([u8; 32]);

impl fmt::Debug for TicketKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(…)")
    }
}

impl TicketKey {
    /// A random key.
    ///
    /// # Errors
    /// When the system has no randomness.
    pub fn random() -> Result<TicketKey, getrandom::Error> {
        let mut key = [0; 32];
        getrandom::fill(&mut key)?;
        Ok(TicketKey(key))
    }

    fn mac(&self, text: &str) -> Hmac<Sha256> {
        let mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("any length is a key");
        mac.chain_update(text)
    }

    /// A value with its signature, as the text of a cookie. Only the same kind is read again.
    ///
    /// # Panics
    /// If the value has a map with keys other than texts.
    pub fn seal(&self, kind: &str, value: &impl Serialize) -> String {
        let json = serde_json::to_vec(value).expect("its keys are texts");
        let text = BASE64_URL_SAFE_NO_PAD.encode(json);
        let mac = self.mac(kind).chain_update(" ").chain_update(&text).finalize().into_bytes();
        format!("{text}.{}", BASE64_URL_SAFE_NO_PAD.encode(mac))
    }

    /// Reads a value from the text of a cookie; none unless this key signed it as that kind.
    pub fn open<T: DeserializeOwned>(&self, kind: &str, text: &str) -> Option<T> {
        let (text, mac) = text.split_once('.')?;
        let mac = BASE64_URL_SAFE_NO_PAD.decode(mac).ok()?;
        self.mac(kind).chain_update(" ").chain_update(text).verify_slice(&mac).ok()?;
        let json = BASE64_URL_SAFE_NO_PAD.decode(text).ok()?;
        serde_json::from_slice(&json).ok()
    }

    /// True if two texts are the same; takes the same time for every wrong one.
    pub fn is_same(&self, text: &str, other: &str) -> bool {
        let mac = self.mac(text).finalize().into_bytes();
        self.mac(other).verify_slice(&mac).is_ok()
    }
}

/// A sign-in that has begun.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ticket {
    /// Value that the issuer must send back.
    pub state: String,
    /// Value that the ID token must contain.
    pub nonce: String,
    /// PKCE verifier: proves to the issuer that the same client comes back.
    pub verifier: String,
    /// Ids of the person to link and of their session, if the sign-in began in a session.
    pub link: Option<(String, String)>,
    /// When it expires, in milliseconds since 1970.
    pub until: i64,
}

impl Ticket {
    /// The ticket with its signature, as the text of a cookie.
    pub fn signed(&self, key: &TicketKey) -> String {
        key.seal(KIND, self)
    }

    /// Reads a cookie; none unless the server signed it and it has not expired.
    pub fn read(text: &str, key: &TicketKey, now: Timestamp) -> Option<Ticket> {
        let ticket: Ticket = key.open(KIND, text)?;
        (now.millis() < ticket.until).then_some(ticket)
    }

    /// True if `state` is the ticket's.
    pub fn has_state(&self, state: &str, key: &TicketKey) -> bool {
        key.is_same(&self.state, state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ticket_from_another_server_is_refused() {
        let (key, other) =
            (TicketKey::random().expect("random"), TicketKey::random().expect("random"));
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
        let forged =
            Ticket { link: Some(("somebody".to_owned(), "session".to_owned())), ..ticket.clone() }
                .signed(&other);
        let (forged, _) = forged.split_once('.').expect("two parts");
        let (_, mac) = text.split_once('.').expect("two parts");
        assert_eq!(Ticket::read(&format!("{forged}.{mac}"), &key, at(0)), None, "changed");
        assert_eq!(Ticket::read("", &key, at(0)), None);
        assert_eq!(key.open::<Ticket>("launch", &text), None, "another kind");
        assert!(ticket.has_state("s", &key) && !ticket.has_state("t", &key));
    }
}
