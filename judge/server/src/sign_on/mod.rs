//! Single sign-on by OpenID Connect, with the authorization code flow and PKCE. `state`, `nonce`
//! and verifier are kept in a cookie that the server has signed.

mod ticket;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use openidconnect::core::{
    CoreAuthenticationFlow, CoreClient, CoreIdToken, CoreIdTokenClaims, CoreProviderMetadata,
    CoreUserInfoClaims,
};
use openidconnect::{
    AuthorizationCode, ClaimsVerificationError, ClientId, ClientSecret, CsrfToken,
    EndpointMaybeSet, EndpointNotSet, EndpointSet, IssuerUrl, Nonce, OAuth2TokenResponse as _,
    PkceCodeChallenge, PkceCodeVerifier, RedirectUrl, Scope, TokenResponse as _,
};

use judge_store::has_one_form;

use crate::config::SignOnConfig;
use crate::outside::{AskTurns, Outside};

pub use ticket::{HOLDS, Ticket, TicketKey};

/// Path of the redirect URI.
pub const RETURN: &str = "/sign-in/return";

/// Single sign-on with one issuer.
#[derive(Debug, Clone)]
pub struct SignOn {
    config: SignOnConfig,
    back: String,
    outside: Outside,
    key: TicketKey,
    turns: AskTurns,
    /// The issuer's metadata, and the time of reading it.
    metadata: Arc<Mutex<Option<(Instant, CoreProviderMetadata)>>>,
}

/// Time for which the issuer's metadata, its keys included, is cached.
const KEPT: Duration = Duration::from_secs(10 * 60);

/// Most sign-ins that ask the issuer at a time; others wait.
const TURNS: usize = 16;

/// The issuer's data about a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IssuerClaims {
    /// Identifier at the issuer, which never changes.
    pub subject: String,
    /// Email address, if the issuer has verified it.
    pub address: Option<String>,
    /// True if the issuer has an address that it has not verified.
    pub is_unverified: bool,
    /// The person's name.
    pub name: Option<String>,
}

/// The reason why the sign-in failed.
#[derive(Debug, thiserror::Error)]
pub enum SignOnError {
    /// The issuer does not answer, or gives an unexpected answer.
    #[error("the issuer does not answer: {0}")]
    Unreachable(String),
    /// The issuer does not accept the code.
    #[error("the issuer refuses the code: {0}")]
    Code(String),
    /// The answer came too late.
    #[error("the issuer's answer has expired: {0}")]
    Expired(String),
    /// The answer is not about this sign-in, or not from the issuer.
    #[error("the issuer's answer is invalid: {0}")]
    Unbelievable(String),
}

/// The client, with the endpoints that discovery always finds marked as set.
type Client = CoreClient<
    EndpointSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointMaybeSet,
    EndpointMaybeSet,
>;

impl SignOn {
    /// Single sign-on for a server that people reach at `base`.
    pub fn new(config: SignOnConfig, base: &str, key: TicketKey) -> SignOn {
        let back = format!("{base}{RETURN}");
        let turns = AskTurns::new(TURNS);
        let metadata = Arc::default();
        SignOn { config, back, outside: Outside::default(), key, turns, metadata }
    }

    /// Waits for a turn, and asks the issuer on a blocking thread.
    ///
    /// # Errors
    /// When the issuer does not answer, or gives an unexpected answer.
    pub async fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&SignOn) -> Result<T, SignOnError> + Send + 'static,
    ) -> Result<T, SignOnError> {
        let own = self.clone();
        let asked = self.turns.ask(move || question(&own)).await;
        asked.map_err(|error| SignOnError::Unreachable(error.to_string()))?
    }

    /// Name of the issuer on pages.
    pub fn name(&self) -> &str {
        &self.config.name
    }

    /// Address of the issuer.
    pub fn issuer(&self) -> &str {
        &self.config.issuer
    }

    /// Course that newcomers join; none if they cannot sign in.
    pub fn join(&self) -> Option<&str> {
        self.config.join.as_deref()
    }

    /// Key that signs tickets.
    pub fn key(&self) -> &TicketKey {
        &self.key
    }

    /// Begins a sign-in: returns the issuer's address to redirect to, and state, nonce and verifier
    /// to keep. Blocks while it asks the issuer.
    ///
    /// # Errors
    /// When the issuer does not answer.
    pub fn begin(&self) -> Result<(String, [String; 3]), SignOnError> {
        let client = self.client()?;
        let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
        let flow = CoreAuthenticationFlow::AuthorizationCode;
        let (url, state, nonce) = client
            .authorize_url(flow, CsrfToken::new_random, Nonce::new_random)
            .add_scope(Scope::new("email".to_owned()))
            .add_scope(Scope::new("profile".to_owned()))
            .set_pkce_challenge(challenge)
            .url();
        let kept = [state.secret(), nonce.secret(), verifier.secret()].map(ToOwned::to_owned);
        Ok((url.to_string(), kept))
    }

    /// Ends a sign-in: exchanges the code for the person's identity. Blocks while it asks the
    /// issuer.
    ///
    /// # Errors
    /// When the issuer does not answer, or its answer is not about this sign-in.
    pub fn end(
        &self,
        code: &str,
        nonce: &str,
        verifier: &str,
    ) -> Result<IssuerClaims, SignOnError> {
        let client = self.client()?;
        let http = |request| self.outside.ask(request);
        let exchange = client.exchange_code(AuthorizationCode::new(code.to_owned()));
        let exchange = exchange.map_err(|error| SignOnError::Unreachable(error.to_string()))?;
        let exchange = exchange.set_pkce_verifier(PkceCodeVerifier::new(verifier.to_owned()));
        let tokens =
            exchange.request(&http).map_err(|error| SignOnError::Code(with_causes(&error)))?;
        let missing = || SignOnError::Unbelievable("it has no ID token".to_owned());
        let token = tokens.id_token().ok_or_else(missing)?;
        let claims = self.claims(&client, token, &Nonce::new(nonce.to_owned()))?;
        if claims.email().is_some() {
            return IssuerClaims::of_token(claims);
        }
        // Many issuers return the address only at the userinfo endpoint. The subject must be the
        // same.
        let subject = Some(claims.subject().clone());
        let Ok(asked) = client.user_info(tokens.access_token().clone(), subject) else {
            return IssuerClaims::of_token(claims);
        };
        let info: CoreUserInfoClaims =
            asked.request(&http).map_err(|error| SignOnError::Unbelievable(with_causes(&error)))?;
        IssuerClaims::of_info(&info)
    }

    /// The claims of a checked token.
    fn claims<'t>(
        &self,
        client: &Client,
        token: &'t CoreIdToken,
        nonce: &Nonce,
    ) -> Result<&'t CoreIdTokenClaims, SignOnError> {
        let claims = match token.claims(&client.id_token_verifier(), nonce) {
            // The issuer may have new keys since they were read.
            Err(ClaimsVerificationError::SignatureVerification(_)) => {
                token.claims(&self.newer_client()?.id_token_verifier(), nonce)
            }
            claims => claims,
        };
        claims.map_err(|error| {
            let told = error.to_string();
            match error {
                ClaimsVerificationError::Expired(_) => SignOnError::Expired(told),
                _ => SignOnError::Unbelievable(told),
            }
        })
    }

    /// A client with freshly read metadata of the issuer.
    fn newer_client(&self) -> Result<Client, SignOnError> {
        *self.cached_metadata() = None;
        self.client()
    }

    /// The issuer's metadata, read within the last minutes.
    fn metadata(&self) -> Result<CoreProviderMetadata, SignOnError> {
        if let Some((at, metadata)) = self.cached_metadata().as_ref()
            && at.elapsed() < KEPT
        {
            return Ok(metadata.clone());
        }
        let unreachable = |error: String| SignOnError::Unreachable(error);
        let http = |request| self.outside.ask(request);
        let issuer = IssuerUrl::new(self.config.issuer.clone());
        let issuer = issuer.map_err(|error| unreachable(error.to_string()))?;
        // Without the lock, so that a slow issuer delays only this request.
        let metadata = CoreProviderMetadata::discover(&issuer, &http);
        let metadata = metadata.map_err(|error| unreachable(with_causes(&error)))?;
        *self.cached_metadata() = Some((Instant::now(), metadata.clone()));
        Ok(metadata)
    }

    fn cached_metadata(&self) -> MutexGuard<'_, Option<(Instant, CoreProviderMetadata)>> {
        self.metadata.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn client(&self) -> Result<Client, SignOnError> {
        let unreachable = |error: String| SignOnError::Unreachable(error);
        let metadata = self.metadata()?;
        let id = ClientId::new(self.config.client_id.clone());
        let secret = ClientSecret::new(self.config.secret.reveal().to_owned());
        let back = RedirectUrl::new(self.back.clone());
        let back = back.map_err(|error| unreachable(error.to_string()))?;
        Ok(CoreClient::from_provider_metadata(metadata, id, Some(secret)).set_redirect_uri(back))
    }
}

/// An error with its causes, as one line for the log.
pub(crate) fn with_causes(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

impl IssuerClaims {
    fn of_token(claims: &CoreIdTokenClaims) -> Result<IssuerClaims, SignOnError> {
        let name = claims.name().and_then(|name| name.get(None)).map(|name| name.to_string());
        let address = claims.email().map(|email| email.to_string());
        let is_verified = claims.email_verified() == Some(true);
        IssuerClaims::new(claims.subject().to_string(), address, is_verified, name)
    }

    fn of_info(claims: &CoreUserInfoClaims) -> Result<IssuerClaims, SignOnError> {
        let name = claims.name().and_then(|name| name.get(None)).map(|name| name.to_string());
        let address = claims.email().map(|email| email.to_string());
        let is_verified = claims.email_verified() == Some(true);
        IssuerClaims::new(claims.subject().to_string(), address, is_verified, name)
    }

    fn new(
        subject: String,
        address: Option<String>,
        is_verified: bool,
        name: Option<String>,
    ) -> Result<IssuerClaims, SignOnError> {
        // Accounts that share an empty subject would be one person here, and not every database can
        // store control characters.
        if subject.trim().is_empty() || subject.chars().any(char::is_control) {
            return Err(SignOnError::Unbelievable("its subject cannot be used".to_owned()));
        }
        let is_usable = |address: &String| is_verified && has_one_form(address);
        let is_unverified = address.as_ref().is_some_and(|address| !is_usable(address));
        let address = address.filter(is_usable);
        Ok(IssuerClaims { subject, address, is_unverified, name })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_needs_a_subject_of_its_own() {
        let claims = |subject: &str| {
            let address = Some("ada@example.org".to_owned());
            IssuerClaims::new(subject.to_owned(), address, true, None)
        };
        for subject in ["", " ", "\t", "ada\0", "ada\n", "\u{85}"] {
            let refused = claims(subject);
            assert!(matches!(refused, Err(SignOnError::Unbelievable(_))), "{subject:?}");
        }
        for (address, is_usable) in [
            ("kay@example.org", true),
            ("zoë@example.org", true),
            ("\u{212a}ay@example.org", false),
            ("\u{212b}sa@example.org", false),
            ("zoe\u{308}@example.org", false),
        ] {
            let made = IssuerClaims::new("ada".to_owned(), Some(address.to_owned()), true, None);
            let made = made.expect("a subject");
            assert_eq!((made.address.is_some(), made.is_unverified), (is_usable, !is_usable));
        }
        for subject in ["ada", "248289761001", "auth0|5 c", "艾达"] {
            assert_eq!(claims(subject).expect("a subject").subject, subject);
        }
    }
}
