//! The launch: the platform asks for a sign-in, this server redirects back to it, and the platform
//! posts an ID token.

use std::time::Duration;

use judge_store::{Role, Timestamp, has_one_form};
use openidconnect::core::{
    CoreGenderClaim, CoreJweContentEncryptionAlgorithm, CoreJwsSigningAlgorithm,
};
use openidconnect::url::Url;
use openidconnect::{
    ClaimsVerificationError, ClientId, CsrfToken, IdToken, IdTokenClaims, IdTokenVerifier,
    IssuerUrl, Nonce,
};
use serde::{Deserialize, Serialize};

use super::claims::{LtiClaims, role};
use super::{KEPT, LAUNCH, Lti, Platform, READ_AGAIN};
use crate::config::LtiPlatform;
use crate::sign_on::{HOLDS, SignOnError};

/// The permission to send marks.
pub(super) const SCORES: &str = "https://purl.imsglobal.org/spec/lti-ags/scope/score";

/// Oldest accepted token. It must also not have expired by its own claim.
const OLDEST: Duration = Duration::from_secs(10 * 60);

/// Most bytes of a launch's texts together. It must fit into a cookie.
const MOST: usize = 2400;

type LaunchToken =
    IdToken<LtiClaims, CoreGenderClaim, CoreJweContentEncryptionAlgorithm, CoreJwsSigningAlgorithm>;

type LaunchClaims = IdTokenClaims<LtiClaims, CoreGenderClaim>;

/// The platform's request for a sign-in, which begins a launch.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct LoginRequest {
    /// The platform's issuer.
    #[serde(default)]
    pub iss: String,
    /// Client id of this server there.
    pub client_id: Option<String>,
    /// The person, as the platform writes them.
    #[serde(default)]
    pub login_hint: String,
    /// The launch, as the platform writes it.
    pub lti_message_hint: Option<String>,
}

/// A launch that has begun, kept by the browser.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LaunchTicket {
    /// Id of the platform.
    pub platform: String,
    /// Value that the platform must send back.
    pub state: String,
    /// Value that the ID token must contain.
    pub nonce: String,
    /// When it expires, in milliseconds since 1970.
    pub until: i64,
}

/// A course of a platform.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Context {
    /// The deployment.
    pub deployment: String,
    /// Its id there.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Address of its list of members.
    pub members_url: Option<String>,
}

/// A launch that the platform has confirmed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Launch {
    /// A random text, for one use of the launch after it was confirmed.
    pub id: String,
    /// Id of the platform.
    pub platform: String,
    /// The person's id at the platform.
    pub subject: String,
    /// The person's name, if the platform gives it.
    pub name: Option<String>,
    /// E-mail address, if the platform gives it.
    pub address: Option<String>,
    /// Number at the school, if the platform gives it.
    pub number: Option<String>,
    /// The role here of a newcomer.
    #[serde(with = "role_name")]
    pub role: Role,
    /// The platform's course.
    pub context: Option<Context>,
    /// Path of the page here that the link names, such as `/c/ai/s/mahjong`.
    pub target: String,
    /// Address of the gradebook's column, if marks may be sent to it.
    pub line_item: Option<String>,
    /// When it expires, in milliseconds since 1970.
    pub until: i64,
}

/// A role in a ticket, by its name.
mod role_name {
    use judge_store::Role;
    use serde::{Deserialize as _, Deserializer, Serializer, de::Error as _};

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature is serde's")]
    pub(super) fn serialize<S: Serializer>(role: &Role, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(role.name())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(text: D) -> Result<Role, D::Error> {
        String::deserialize(text)?.parse().map_err(D::Error::custom)
    }
}

fn invalid(why: impl Into<String>) -> SignOnError {
    SignOnError::Unbelievable(why.into())
}

impl Lti {
    /// Begins a launch: returns the platform's address to redirect to, and the ticket to keep. None
    /// for an unknown platform.
    pub fn begin(&self, asked: &LoginRequest, now: Timestamp) -> Option<(String, LaunchTicket)> {
        let mut known = self.platforms().filter(|platform| {
            let is_client = asked.client_id.as_ref().is_none_or(|id| *id == platform.client_id);
            platform.issuer == asked.iss && is_client
        });
        let platform = known.next()?;
        // Without a client id, the issuer must be enough.
        if known.next().is_some() {
            return None;
        }
        let (state, nonce) = (CsrfToken::new_random(), Nonce::new_random());
        let mut url = Url::parse(&platform.login_url).ok()?;
        let back = format!("{}{LAUNCH}", self.base);
        url.query_pairs_mut()
            .append_pair("scope", "openid")
            .append_pair("response_type", "id_token")
            .append_pair("response_mode", "form_post")
            .append_pair("prompt", "none")
            .append_pair("client_id", &platform.client_id)
            .append_pair("redirect_uri", &back)
            .append_pair("login_hint", &asked.login_hint)
            .append_pair("state", state.secret())
            .append_pair("nonce", nonce.secret())
            .extend_pairs(asked.lti_message_hint.iter().map(|hint| ("lti_message_hint", hint)));
        let ticket = LaunchTicket {
            platform: platform.id(),
            state: state.secret().clone(),
            nonce: nonce.secret().clone(),
            until: now.after(HOLDS).millis(),
        };
        Some((url.into(), ticket))
    }

    /// Ends a launch: checks the token that the platform posted. Blocks while it asks the platform
    /// for its keys.
    ///
    /// # Errors
    /// When the platform does not answer, or the token is not for this launch.
    pub fn end(
        &self,
        ticket: &LaunchTicket,
        token: &str,
        now: Timestamp,
    ) -> Result<Launch, SignOnError> {
        let platform = self.platforms.iter().find(|one| one.config.id() == ticket.platform);
        let platform = platform.ok_or_else(|| invalid("its platform is not in the settings"))?;
        if !self.use_up(&ticket.state, ticket.until, now.millis()) {
            return Err(invalid("its state was used before"));
        }
        let token: LaunchToken =
            token.parse().map_err(|error| invalid(format!("not an ID token: {error}")))?;
        let nonce = Nonce::new(ticket.nonce.clone());
        let checked = match self.claims(platform, &token, &nonce, KEPT) {
            // The platform may have new keys since they were read.
            Err(BadToken::Signature(_)) => self.claims(platform, &token, &nonce, READ_AGAIN),
            checked => checked,
        };
        let claims = checked.map_err(|refused| match refused {
            BadToken::Signature(error) | BadToken::Other(error) => error,
        })?;
        Launch::new(&platform.config, claims, &self.base, now)
    }

    fn claims<'t>(
        &self,
        platform: &Platform,
        token: &'t LaunchToken,
        nonce: &Nonce,
        oldest: Duration,
    ) -> Result<&'t LaunchClaims, BadToken> {
        let config = &platform.config;
        let keys = self.keys(platform, oldest).map_err(BadToken::Other)?;
        let issuer = IssuerUrl::new(config.issuer.clone());
        let issuer = issuer.map_err(|error| BadToken::Other(invalid(error.to_string())))?;
        let client = ClientId::new(config.client_id.clone());
        let verifier = IdTokenVerifier::new_public_client(client, issuer, keys);
        let verifier = verifier
            .set_allowed_algs([CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha256])
            .set_issue_time_verifier_fn(|at| issued_lately(at.timestamp_millis()));
        token.claims(&verifier, nonce).map_err(|error| {
            let told = error.to_string();
            match error {
                ClaimsVerificationError::SignatureVerification(_) => {
                    BadToken::Signature(invalid(told))
                }
                ClaimsVerificationError::Expired(_) => BadToken::Other(SignOnError::Expired(told)),
                _ => BadToken::Other(invalid(told)),
            }
        })
    }
}

/// A token that is not accepted.
enum BadToken {
    /// Its key is missing, or the signature is not by that key.
    Signature(SignOnError),
    Other(SignOnError),
}

/// Checks the time at which a token was issued. The platform's clock may be a minute ahead.
fn issued_lately(at: i64) -> Result<(), String> {
    let age = Timestamp::now().millis().saturating_sub(at);
    let oldest = i64::try_from(OLDEST.as_millis()).unwrap_or(i64::MAX);
    if (-60_000..oldest).contains(&age) { Ok(()) } else { Err(format!("it is {age} ms old")) }
}

impl Launch {
    fn new(
        platform: &LtiPlatform,
        claims: &LaunchClaims,
        base: &str,
        now: Timestamp,
    ) -> Result<Launch, SignOnError> {
        let lti = claims.additional_claims();
        check(platform, claims)?;
        let endpoint = lti.endpoint.as_ref();
        let endpoint = endpoint.filter(|endpoint| endpoint.scope.iter().any(|one| one == SCORES));
        let line_item = endpoint.and_then(|endpoint| text(endpoint.lineitem.as_ref()));
        let launch = Launch {
            id: CsrfToken::new_random().secret().clone(),
            platform: platform.id(),
            subject: claims.subject().to_string(),
            name: name(claims),
            address: text(claims.email().map(|email| email.to_string()).as_ref())
                .filter(|address| has_one_form(address)),
            number: text(lti.lis.as_ref().and_then(|lis| lis.person_sourcedid.as_ref())),
            role: role(&lti.roles),
            context: Context::new(platform, lti),
            target: path_here(&lti.target, base),
            line_item: line_item.filter(|url| platform.may_ask(url)),
            until: now.after(HOLDS).millis(),
        };
        let bytes: usize = launch.texts().map(String::len).sum();
        if bytes > MOST {
            return Err(invalid(format!("its texts have {bytes} bytes")));
        }
        Ok(launch)
    }

    /// The texts that the platform has written.
    fn texts(&self) -> impl Iterator<Item = &String> {
        let Launch { subject, name, address, number, line_item, context, target, .. } = self;
        let of_context = context.iter().flat_map(|context| {
            let Context { deployment, id, title, members_url } = context;
            [deployment, id, title].into_iter().chain(members_url)
        });
        let own = [name, address, number, line_item].into_iter().flatten();
        own.chain(of_context).chain([subject, target])
    }
}

/// Checks the claims of LTI, and the subject.
fn check(platform: &LtiPlatform, claims: &LaunchClaims) -> Result<(), SignOnError> {
    let LtiClaims { message_type: kind, version, deployment, .. } = claims.additional_claims();
    if kind != "LtiResourceLinkRequest" || version != "1.3.0" {
        return Err(invalid(format!("`{kind}` {version} is not a launch of a link")));
    }
    if !platform.deployments.contains(deployment) {
        return Err(invalid(format!("deployment `{deployment}` is not in the settings")));
    }
    // A token without an authorized party is for its only audience.
    if claims.authorized_party().is_some_and(|party| **party != platform.client_id) {
        return Err(invalid("it is for another authorized party"));
    }
    let context = claims.additional_claims().context.as_ref();
    if context.is_some_and(|context| context.id.chars().any(char::is_control)) {
        return Err(invalid("its course cannot be used"));
    }
    let subject = claims.subject().as_str();
    if subject.trim().is_empty() || subject.chars().any(char::is_control) {
        return Err(invalid("its subject cannot be used"));
    }
    Ok(())
}

/// A text that is not empty, without control characters.
pub(super) fn text(text: Option<&String>) -> Option<String> {
    let text = text?.replace(char::is_control, " ");
    Some(text).filter(|text| !text.trim().is_empty())
}

/// The person's name, or the parts of it that there are.
fn name(claims: &LaunchClaims) -> Option<String> {
    let whole = claims.name().and_then(|name| name.get(None)).map(|name| name.to_string());
    let given = claims.given_name().and_then(|name| name.get(None)).map(|name| name.to_string());
    let family = claims.family_name().and_then(|name| name.get(None)).map(|name| name.to_string());
    let parts = [text(given.as_ref()), text(family.as_ref())];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    text(whole.as_ref()).or_else(|| text(Some(&parts.join(" "))))
}

impl Context {
    fn new(platform: &LtiPlatform, lti: &LtiClaims) -> Option<Context> {
        let context = lti.context.as_ref().filter(|context| !context.id.is_empty())?;
        let title = text(context.title.as_ref()).or_else(|| text(context.label.as_ref()));
        let names = lti.names.as_ref();
        let members_url = names.and_then(|names| text(names.context_memberships_url.as_ref()));
        Some(Context {
            deployment: lti.deployment.clone(),
            id: context.id.clone(),
            title: title.unwrap_or_else(|| context.id.clone()),
            members_url: members_url.filter(|url| platform.may_ask(url)),
        })
    }
}

/// The path of an address of this server; `/` for all others.
fn path_here(address: &str, base: &str) -> String {
    let url = Url::parse(address).ok();
    let is_here = |url: &Url| Url::parse(base).is_ok_and(|base| base.origin() == url.origin());
    let path = url.filter(is_here).map(|url| url.path().to_owned());
    // Two slashes would begin the host name of another server.
    path.filter(|path| !path.starts_with("//")).unwrap_or_else(|| "/".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_leads_only_to_pages_here() {
        let base = "https://judge.example";
        assert_eq!(path_here("https://judge.example/c/ai/s/mahjong?x=1", base), "/c/ai/s/mahjong");
        for other in [
            "https://evil.example/c/ai",
            "https://judge.example.evil.example/c",
            "https://judge.example//evil.example",
            "http://judge.example/c",
            "/c/ai",
            "",
        ] {
            assert_eq!(path_here(other, base), "/", "{other}");
        }
    }

    #[test]
    fn only_a_known_client_begins_a_launch() {
        let platform = |client: &str| LtiPlatform {
            issuer: "https://moodle.example".to_owned(),
            client_id: client.to_owned(),
            login_url: "https://moodle.example/auth?x=1".to_owned(),
            ..LtiPlatform::default()
        };
        let key = crate::sign_on::TicketKey::random().expect("random");
        let lti = Lti::new(&[platform("a"), platform("b")], "https://judge.example", key);
        let asked = |client: Option<&str>| LoginRequest {
            iss: "https://moodle.example".to_owned(),
            client_id: client.map(str::to_owned),
            login_hint: "7&x=y".to_owned(),
            lti_message_hint: Some("h".to_owned()),
        };
        let now = Timestamp::from_millis(0);
        assert_eq!(lti.begin(&asked(None), now), None, "two clients");
        assert_eq!(lti.begin(&asked(Some("c")), now), None);
        let other = LoginRequest { iss: "https://evil.example".to_owned(), ..asked(Some("a")) };
        assert_eq!(lti.begin(&other, now), None);
        let (url, ticket) = lti.begin(&asked(Some("b")), now).expect("known");
        assert!(url.starts_with("https://moodle.example/auth?x=1&scope=openid&"), "{url}");
        for part in ["client_id=b", "login_hint=7%26x%3Dy", "lti_message_hint=h", "prompt=none"] {
            assert!(url.contains(part), "{part}: {url}");
        }
        assert!(url.contains(&format!("nonce={}", ticket.nonce)), "{url}");
        assert!(lti.use_up(&ticket.state, 10, 0) && !lti.use_up(&ticket.state, 10, 1));
    }

    #[test]
    fn old_and_future_tokens_are_refused() {
        let now = Timestamp::now().millis();
        assert_eq!(issued_lately(now - 1000), Ok(()));
        assert_eq!(issued_lately(now + 30_000), Ok(()));
        assert!(issued_lately(now - 601_000).is_err() && issued_lately(now + 120_000).is_err());
    }
}
