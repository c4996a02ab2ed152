//! Authentication of requests: a person by the cookie of a session, or a program by a token in a
//! header.

use std::time::Duration;

use axum::extract::{FromRequestParts, OptionalFromRequestParts};
use axum::http::header::{AUTHORIZATION, COOKIE as COOKIES};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue};
use judge_store::{LinkMaker, Person, Store, Timestamp, TokenId, TokenKind};

use super::{RequestFailure, chosen};
use crate::App;
use crate::config::Config;
use crate::words::Language;

/// Name of the cookie. With the prefix, browsers accept it only over TLS, and only for the whole of
/// this host.
pub const COOKIE: [&str; 2] = ["session", "__Host-session"];

/// The signed-in person of a request.
#[derive(Debug, Clone)]
pub struct Viewer {
    /// The person.
    pub person: Person,
    /// The session or token of the request.
    pub token: TokenId,
    /// The language of their pages.
    pub language: Language,
}

impl Viewer {
    /// The person as the maker of a link.
    pub fn maker(&self) -> LinkMaker<'_> {
        LinkMaker { person: &self.person.id, session: Some(&self.token) }
    }
}

/// The cookie of a new session.
pub fn cookie(config: &Config, secret: &str) -> HeaderValue {
    // The server ends it earlier if it is not used.
    let seconds = config.session.most.as_secs();
    let value = format!("{}={secret}; Max-Age={seconds}; {}", name(config), attributes(config));
    HeaderValue::try_from(value).expect("secrets are letters and digits")
}

/// The cookie that ends a session in the browser.
pub fn cleared(config: &Config) -> HeaderValue {
    cleared_cookie(config, name(config))
}

/// A cookie for a limited time, which browsers also send when another site redirects here.
pub fn short_cookie(config: &Config, name: &str, value: &str, holds: Duration) -> HeaderValue {
    let attributes = attributes(config).replace("SameSite=Strict", "SameSite=Lax");
    let value = format!("{name}={value}; Max-Age={}; {attributes}", holds.as_secs());
    HeaderValue::try_from(value).expect("values are letters, digits and few signs")
}

/// A cookie for a limited time, which browsers also send when another site posts a form here. Without
/// TLS they refuse one that says so, and send one without a rule for two minutes.
pub fn posted_cookie(config: &Config, name: &str, value: &str, holds: Duration) -> HeaderValue {
    let rule = if config.is_secure() { "; SameSite=None" } else { "" };
    let attributes = attributes(config).replace("; SameSite=Strict", rule);
    let value = format!("{name}={value}; Max-Age={}; {attributes}", holds.as_secs());
    HeaderValue::try_from(value).expect("values are letters, digits and few signs")
}

/// The cookie that removes one from the browser.
pub fn cleared_cookie(config: &Config, name: &str) -> HeaderValue {
    let value = format!("{name}=; Max-Age=0; {}", attributes(config));
    HeaderValue::try_from(value).expect("it has nothing from outside")
}

/// Begins a session for the person that a subject of an issuer is linked to, and returns its cookie;
/// none if the link has just been removed. The session is always new, so an attacker cannot have
/// planted it.
///
/// # Errors
/// When the database fails.
pub async fn begin_session(
    app: &App,
    identity: (&str, &str),
    now: Timestamp,
) -> Result<Option<HeaderValue>, RequestFailure> {
    let end = session_end(app.config(), now);
    let session = app.store().sign_in_by_identity(identity, end, now).await;
    let secret = session.map_err(RequestFailure::internal)?;
    Ok(secret.map(|secret| cookie(app.config(), secret.reveal())))
}

/// The end of a session that begins now, unless it is used.
pub fn session_end(config: &Config, now: Timestamp) -> Timestamp {
    now.after(config.session.unused)
}

fn name(config: &Config) -> &'static str {
    COOKIE[usize::from(config.is_secure())]
}

fn attributes(config: &Config) -> &'static str {
    match config.is_secure() {
        true => "Path=/; HttpOnly; SameSite=Strict; Secure",
        false => "Path=/; HttpOnly; SameSite=Strict",
    }
}

/// The session's secret in the cookies of a request.
fn token_of(config: &Config, headers: &HeaderMap) -> Option<String> {
    cookie_in(headers, name(config))
}

/// The value of a cookie of a request.
pub fn cookie_in(headers: &HeaderMap, name: &str) -> Option<String> {
    let texts = headers.get_all(COOKIES).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = texts.flat_map(|text| text.split(';')).filter_map(|pair| pair.split_once('='));
    pairs.find(|(key, _)| key.trim() == name).map(|(_, value)| value.trim().to_owned())
}

/// The secret of a program, from the only allowed header.
fn bearer(headers: &HeaderMap) -> Option<String> {
    let (scheme, token) = headers.get(AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim().to_owned())
}

impl Viewer {
    /// The database for acts of this person, which are logged.
    pub fn acting(&self, app: &App) -> Store {
        app.store().acting(Some(&self.person.id), Timestamp::now())
    }

    /// The signed-in person of the browser that sent these headers; none if that is unknown.
    pub async fn in_browser(app: &App, headers: &HeaderMap) -> Option<Viewer> {
        Viewer::find(app, headers, false).await.ok().flatten()
    }

    async fn find(
        app: &App,
        headers: &HeaderMap,
        api: bool,
    ) -> Result<Option<Viewer>, RequestFailure> {
        let secret = match api {
            true => bearer(headers),
            false => token_of(app.config(), headers),
        };
        let kind = if api { TokenKind::Api } else { TokenKind::Session };
        let Some(secret) = secret else { return Ok(None) };
        let store = app.store();
        let now = Timestamp::now();
        let found = match kind {
            TokenKind::Session => {
                store.authenticate_session(&secret, app.config().session, now).await
            }
            TokenKind::Api => store.authenticate(&secret, kind, now).await,
        };
        let Some(found) = found.map_err(RequestFailure::internal)? else { return Ok(None) };
        Ok(Some(Viewer {
            language: chosen(&found.person).unwrap_or_else(|| Language::preferred(headers)),
            person: found.person,
            token: found.token,
        }))
    }
}

impl FromRequestParts<App> for Viewer {
    type Rejection = RequestFailure;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Viewer, RequestFailure> {
        Viewer::find(app, &parts.headers, false).await?.ok_or(RequestFailure::SignIn)
    }
}

impl OptionalFromRequestParts<App> for Viewer {
    type Rejection = RequestFailure;

    async fn from_request_parts(
        parts: &mut Parts,
        app: &App,
    ) -> Result<Option<Viewer>, RequestFailure> {
        Viewer::find(app, &parts.headers, false).await
    }
}

/// The failure for a program without a valid token.
fn stranger(headers: &HeaderMap) -> RequestFailure {
    if headers.contains_key(AUTHORIZATION) {
        RequestFailure::BadToken
    } else {
        RequestFailure::SignIn
    }
}

/// A program with a person's token.
#[derive(Debug, Clone)]
pub struct TokenViewer(pub Viewer);

impl FromRequestParts<App> for TokenViewer {
    type Rejection = RequestFailure;

    async fn from_request_parts(
        parts: &mut Parts,
        app: &App,
    ) -> Result<TokenViewer, RequestFailure> {
        let found = Viewer::find(app, &parts.headers, true).await?;
        found.map(TokenViewer).ok_or_else(|| stranger(&parts.headers))
    }
}

/// A person with a session or an API token, for requests that only read.
#[derive(Debug, Clone)]
pub struct Reader(pub Viewer);

impl FromRequestParts<App> for Reader {
    type Rejection = RequestFailure;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Reader, RequestFailure> {
        let by_token = parts.headers.contains_key(AUTHORIZATION);
        let found = Viewer::find(app, &parts.headers, by_token).await?;
        found.map(Reader).ok_or_else(|| stranger(&parts.headers))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Settings;

    fn config(url: Option<&str>) -> Config {
        let (data, public_url) = (Some("x".into()), url.map(str::to_owned));
        Settings { data, public_url, ..Settings::default() }.check().expect("fine")
    }

    #[test]
    fn only_the_server_reads_and_sets_its_cookie() {
        let secure = config(Some("https://judge.example"));
        let text = cookie(&secure, "abc");
        let text = text.to_str().expect("text");
        assert!(text.starts_with("__Host-session=abc; "), "{text}");
        for part in ["HttpOnly", "SameSite=Strict", "Secure", "Path=/"] {
            assert!(text.split("; ").any(|one| one == part), "{text}");
        }
        let plain = config(None);
        assert!(!cookie(&plain, "abc").to_str().expect("text").contains("Secure"));
        let sent = HeaderMap::from_iter([(COOKIES, HeaderValue::from_static("a=1; session=abc"))]);
        assert_eq!(token_of(&plain, &sent).as_deref(), Some("abc"));
        // Another host or an unencrypted connection could have set this cookie.
        assert_eq!(token_of(&secure, &sent), None);
    }

    #[test]
    fn only_a_bearer_header_has_a_token() {
        let told = |text: &'static str| {
            bearer(&HeaderMap::from_iter([(AUTHORIZATION, HeaderValue::from_static(text))]))
        };
        assert_eq!(told("Bearer abc"), Some("abc".to_owned()));
        assert_eq!(told("bearer  abc"), Some("abc".to_owned()));
        assert_eq!((told("Basic abc"), told("abc")), (None, None));
    }
}
