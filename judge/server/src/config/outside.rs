//! Settings about other servers: single sign-on and webhooks. Only the operator can set their
//! addresses and secrets.

use std::fmt;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::{Settings, Wrong};

/// Environment variable with the client secret.
const SECRET_VARIABLE: &str = "JUDGE_SERVER_OIDC_SECRET";

/// A secret of the operator. It does not appear in messages and logs.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Wraps a secret.
    pub fn new(text: impl Into<String>) -> Secret {
        Secret(text.into())
    }

    /// The plain text.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// A `[[webhook]]` of the settings' file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct WebhookSettings {
    /// Name by which instructors choose it.
    pub name: String,
    /// Address that requests go to.
    pub url: String,
    /// File with the secret that signs requests.
    pub secret_file: PathBuf,
}

/// An external address that is notified of gradings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Webhook {
    /// Name by which instructors choose it.
    pub name: String,
    /// Its address.
    pub url: String,
    /// Secret that signs requests.
    pub secret: Secret,
}

/// Single sign-on by OpenID Connect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignOnConfig {
    /// Name of the issuer on pages.
    pub name: String,
    /// Address of the issuer.
    pub issuer: String,
    /// Client id of this server at the issuer.
    pub client_id: String,
    /// Client secret.
    pub secret: Secret,
    /// Course that newcomers join as students; none if they cannot sign in.
    pub join: Option<String>,
}

impl Wrong {
    /// Checks the webhooks and records their errors.
    pub(super) fn webhooks(&mut self, all: &[WebhookSettings]) -> Vec<Webhook> {
        let mut hooks: Vec<Webhook> = Vec::new();
        for WebhookSettings { name, url, secret_file } in all {
            if name.is_empty() || hooks.iter().any(|hook| hook.name == *name) {
                self.add(
                    &format!("the webhook name `{name}` is empty or used twice"),
                    "give each webhook a different name",
                );
            }
            if !is_outside(url) {
                self.add(&format!("`{url}` cannot be a webhook's address"), "`https://…`");
            }
            if let Some(secret) = self.secret_in(secret_file) {
                hooks.push(Webhook { name: name.clone(), url: url.clone(), secret });
            }
        }
        hooks
    }

    /// Checks the settings of single sign-on, if an issuer is named.
    pub(super) fn sign_on(&mut self, settings: &Settings) -> Option<SignOnConfig> {
        let Some(issuer) = settings.oidc_issuer.clone() else {
            if settings.oidc_client_id.is_some() || settings.oidc_join.is_some() {
                self.add(
                    "`oidc-client-id` or `oidc-join` without `oidc-issuer`",
                    "add the issuer's address",
                );
            }
            return None;
        };
        if !is_outside(&issuer) {
            self.add(&format!("`{issuer}` cannot be an issuer"), "`https://accounts.example.org`");
        }
        if settings.public_url.is_none() {
            let hint = "the issuer redirects people there: `--public-url https://…`";
            self.add("`oidc-issuer` without `public-url`", hint);
        }
        let client_id = settings.oidc_client_id.clone().unwrap_or_else(|| {
            self.add(
                "`oidc-issuer` without `oidc-client-id`",
                "register this server at the issuer",
            );
            String::new()
        });
        let secret = match &settings.oidc_secret_file {
            Some(file) => self.secret_in(file)?,
            None => self.secret_in_environment()?,
        };
        let name = settings.oidc_name.clone().unwrap_or_else(|| host(&issuer).to_owned());
        Some(SignOnConfig { name, issuer, client_id, secret, join: settings.oidc_join.clone() })
    }

    fn secret_in_environment(&mut self) -> Option<Secret> {
        let secret = std::env::var(SECRET_VARIABLE).ok().filter(|text| !text.is_empty());
        if secret.is_none() {
            let hint = format!("name its file with `oidc-secret-file`, or set `{SECRET_VARIABLE}`");
            self.add("`oidc-issuer` without a secret", &hint);
        }
        secret.map(Secret)
    }

    pub(super) fn secret_in(&mut self, file: &Path) -> Option<Secret> {
        let text = std::fs::read_to_string(file).map(|text| text.trim().to_owned());
        match text {
            Ok(text) if !text.is_empty() => Some(Secret(text)),
            Ok(_) => {
                self.add(&format!("`{}` is empty", file.display()), "put the secret in it");
                None
            }
            Err(error) => {
                let what = format!("cannot read `{}`: {error}", file.display());
                self.add(&what, "name the file with the secret");
                None
            }
        }
    }
}

/// True for addresses that requests may go to: over TLS, or on this machine.
pub(super) fn is_outside(url: &str) -> bool {
    let local = ["http://127.0.0.1:", "http://[::1]:", "http://localhost:"];
    let tame = url.chars().all(|letter| letter.is_ascii_graphic());
    tame && (url.starts_with("https://") || local.iter().any(|start| url.starts_with(start)))
}

/// The host of an address, for people.
fn host(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split(['/', '?', '#']).next().unwrap_or(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_sent_only_over_tls_or_to_this_machine() {
        for fine in ["https://a.example/x", "http://127.0.0.1:9000/hook", "http://localhost:1/"] {
            assert!(is_outside(fine), "{fine}");
        }
        for wrong in
            ["http://a.example", "ftp://a.example", "https://a b", "http://127.0.0.1.evil/"]
        {
            assert!(!is_outside(wrong), "{wrong}");
        }
        assert_eq!(host("https://accounts.example.org/realm"), "accounts.example.org");
    }

    #[test]
    fn missing_settings_of_single_sign_on_are_named_without_secrets() {
        let place = tempfile::tempdir().expect("a folder");
        let file = place.path().join("secret");
        std::fs::write(&file, "very-secret\n").expect("written");
        let settings = Settings {
            data: Some("x".into()),
            oidc_issuer: Some("http://accounts.example.org".to_owned()),
            ..Settings::default()
        };
        let text = settings.clone().check().expect_err("it is wrong").to_string();
        for part in ["cannot be an issuer", "without `public-url`", "without `oidc-client-id`"] {
            assert!(text.contains(part), "{part}: {text}");
        }
        let config = Settings {
            oidc_issuer: Some("https://accounts.example.org/x".to_owned()),
            oidc_client_id: Some("judge".to_owned()),
            oidc_secret_file: Some(file.clone()),
            public_url: Some("https://judge.example".to_owned()),
            webhook: vec![WebhookSettings {
                name: "chat".to_owned(),
                url: "https://chat.example/hook".to_owned(),
                secret_file: file,
            }],
            ..settings
        };
        let config = config.check().expect("fine");
        assert_eq!(config.webhooks[0].secret.reveal(), "very-secret");
        let sign_on = config.sign_on.as_ref().expect("there is one");
        assert_eq!((sign_on.name.as_str(), &sign_on.join), ("accounts.example.org", &None));
        assert!(!format!("{config:?}").contains("very-secret"));
    }
}
