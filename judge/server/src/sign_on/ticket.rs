//! The ticket that a browser keeps in a cookie while it is at the issuer. The server signs it, so
//! that it cannot be forged or changed.

use std::fmt;
use std::time::Duration;

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use hmac::{Hmac, Mac as _};
use judge_store::Timestamp;
use serde::{Deserialize, Serialize};
use sha2::Sha256;

/// Time that a person has at the issuer.
pub const HOLDS: Duration = Duration::from_secs(10 * 60);

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
        let json = serde_json::to_vec(self).expect("texts and a number are JSON");
        let text = BASE64_URL_SAFE_NO_PAD.encode(json);
        let mac = key.mac(&text).finalize().into_bytes();
        format!("{text}.{}", BASE64_URL_SAFE_NO_PAD.encode(mac))
    }

    /// Reads a cookie; none unless the server signed it and it has not expired.
    pub fn read(text: &str, key: &TicketKey, now: Timestamp) -> Option<Ticket> {
        let (text, mac) = text.split_once('.')?;
        let mac = BASE64_URL_SAFE_NO_PAD.decode(mac).ok()?;
        key.mac(text).verify_slice(&mac).ok()?;
        let json = BASE64_URL_SAFE_NO_PAD.decode(text).ok()?;
        let ticket: Ticket = serde_json::from_slice(&json).ok()?;
        (now.millis() < ticket.until).then_some(ticket)
    }

    /// True if `state` is the ticket's; takes the same time for every wrong state.
    pub fn has_state(&self, state: &str, key: &TicketKey) -> bool {
        let mac = key.mac(&self.state).finalize().into_bytes();
        key.mac(state).verify_slice(&mac).is_ok()
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
        assert!(ticket.has_state("s", &key) && !ticket.has_state("t", &key));
    }
}
