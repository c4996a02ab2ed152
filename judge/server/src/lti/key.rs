//! The server's own key at platforms: RSA, because every platform must accept RS256 and few accept
//! more. It signs only requests for access tokens.

use std::sync::Arc;

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use judge_core::digest;
use openidconnect::core::{CoreJwsSigningAlgorithm, CoreRsaPrivateSigningKey};
use openidconnect::{JsonWebKeyId, PrivateSigningKey as _};
use rsa::RsaPrivateKey;
use rsa::pkcs1::{EncodeRsaPrivateKey as _, LineEnding};
use serde_json::{Value, json};

/// Bits of the key.
const BITS: usize = 2048;

/// Time in seconds for which a signed request can be used.
const SECONDS: i64 = 5 * 60;

/// The reason why the key cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ToolKeyError {
    /// It cannot be made or read.
    #[error("the key for campus systems cannot be used: {0}")]
    Key(String),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] judge_store::Error),
}

/// The private key.
#[derive(Clone)]
pub struct ToolKey {
    private: Arc<CoreRsaPrivateSigningKey>,
    id: String,
}

impl std::fmt::Debug for ToolKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ToolKey").field("id", &self.id).finish_non_exhaustive()
    }
}

impl ToolKey {
    /// A new random key, as PEM. In a debug build this takes seconds.
    ///
    /// # Errors
    /// When the system has no randomness.
    pub fn random_pem() -> Result<String, ToolKeyError> {
        let key = RsaPrivateKey::new(&mut rsa::rand_core::OsRng, BITS);
        let pem = key
            .map_err(|error| error.to_string())
            .and_then(|key| key.to_pkcs1_pem(LineEnding::LF).map_err(|error| error.to_string()));
        Ok(pem.map_err(ToolKeyError::Key)?.to_string())
    }

    /// The key from its PEM (PKCS #1).
    ///
    /// # Errors
    /// When it is not a key.
    pub fn from_pem(pem: &str) -> Result<ToolKey, ToolKeyError> {
        // A part of a digest gives nothing of the key away.
        let id: String = digest(pem.as_bytes()).to_string().chars().take(16).collect();
        let private = CoreRsaPrivateSigningKey::from_pem(pem, Some(JsonWebKeyId::new(id.clone())));
        Ok(ToolKey { private: Arc::new(private.map_err(ToolKeyError::Key)?), id })
    }

    /// The public key as a JSON Web Key Set, which platforms read.
    pub fn public(&self) -> Value {
        let mut key = serde_json::to_value(self.private.as_verification_key()).unwrap_or_default();
        key["alg"] = json!("RS256");
        key["use"] = json!("sig");
        json!({ "keys": [key] })
    }

    /// A signed statement that the sender is that client, for the address of access tokens. `now`
    /// in seconds since 1970.
    pub(super) fn assertion(
        &self,
        client: &str,
        audience: &str,
        now: i64,
    ) -> Result<String, ToolKeyError> {
        let mut random = [0; 16];
        getrandom::fill(&mut random).map_err(|error| ToolKeyError::Key(error.to_string()))?;
        let head = json!({ "alg": "RS256", "typ": "JWT", "kid": self.id });
        let claims = json!({
            "iss": client,
            "sub": client,
            "aud": audience,
            "iat": now,
            "exp": now + SECONDS,
            "jti": BASE64_URL_SAFE_NO_PAD.encode(random),
        });
        let part = |json: &Value| BASE64_URL_SAFE_NO_PAD.encode(json.to_string());
        let text = format!("{}.{}", part(&head), part(&claims));
        let signed =
            self.private.sign(&CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha256, text.as_bytes());
        let signed = signed.map_err(|error| ToolKeyError::Key(error.to_string()))?;
        Ok(format!("{text}.{}", BASE64_URL_SAFE_NO_PAD.encode(signed)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_key_is_read_back_and_only_its_public_part_is_shown() {
        let pem = ToolKey::random_pem().expect("random");
        let key = ToolKey::from_pem(&pem).expect("a key");
        let public = &key.public()["keys"][0];
        assert_eq!([&public["kty"], &public["alg"], &public["use"]], ["RSA", "RS256", "sig"]);
        assert_eq!(public["kid"], key.id.as_str());
        let shown = public.as_object().expect("an object");
        assert!(["d", "p", "q", "dp", "dq", "qi"].iter().all(|part| !shown.contains_key(*part)));
        let [one, other] = [1, 2].map(|_| key.assertion("judge", "https://x", 0).expect("signed"));
        assert!(one.split('.').count() == 3 && one != other, "each has an id");
        assert!(!format!("{key:?}").contains("BEGIN"));
        assert!(ToolKey::from_pem("no key").is_err());
    }
}
