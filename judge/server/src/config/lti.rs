//! Settings of campus systems that open this server by LTI 1.3. Only the operator can set them.

use openidconnect::url::Url;
use serde::Deserialize;

use super::outside::is_outside;
use super::{Settings, Wrong};

/// An `[[lti]]` of the settings' file: a platform, that is, a campus system such as Moodle or
/// Canvas.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct LtiPlatform {
    /// Name on pages.
    pub name: String,
    /// Its identifier in tokens, an address.
    pub issuer: String,
    /// Client id of this server at the platform.
    pub client_id: String,
    /// Ids of the deployments that may send launches.
    pub deployments: Vec<String>,
    /// Address that signs people in.
    pub login_url: String,
    /// Address that gives access tokens.
    pub token_url: String,
    /// Address of its public keys.
    pub keys_url: String,
    /// Starts of further addresses that its services may have.
    #[serde(default)]
    pub services: Vec<String>,
    /// True if the platform verifies the addresses of its people.
    #[serde(default)]
    pub verified_addresses: bool,
}

impl LtiPlatform {
    /// Its identifier in the table of identities. One issuer can have several clients.
    pub fn id(&self) -> String {
        format!("lti {} {}", self.issuer, self.client_id)
    }

    /// True if requests of its services may go to this address: to a host that the settings name.
    pub fn may_ask(&self, address: &str) -> bool {
        let Ok(asked) = Url::parse(address) else { return false };
        let named = [&self.issuer, &self.login_url, &self.token_url, &self.keys_url];
        let mut named =
            named.into_iter().chain(&self.services).filter_map(|url| Url::parse(url).ok());
        let plain = asked.username().is_empty() && asked.password().is_none();
        plain && is_outside(address) && named.any(|url| url.origin() == asked.origin())
    }
}

impl Wrong {
    /// Checks the platforms and records their errors.
    pub(super) fn lti(&mut self, settings: &Settings) -> Vec<LtiPlatform> {
        let platforms = &settings.lti;
        if !platforms.is_empty() && settings.public_url.is_none() {
            let hint = "campus systems redirect people there: `--public-url https://…`";
            self.add("`[[lti]]` without `public-url`", hint);
        }
        for (at, platform) in platforms.iter().enumerate() {
            let LtiPlatform { name, client_id, deployments, .. } = platform;
            if name.is_empty() || platforms[..at].iter().any(|one| one.name == *name) {
                let what = format!("the platform name `{name}` is empty or used twice");
                self.add(&what, "give each `[[lti]]` a different name");
            }
            if platforms[..at].iter().any(|one| one.id() == platform.id()) {
                let what = format!("`{name}` has the issuer and client id of another platform");
                self.add(&what, "write each client once");
            }
            if client_id.is_empty() || client_id.contains(char::is_whitespace) {
                let what = format!("`{client_id}` cannot be the client id of `{name}`");
                self.add(&what, "register this server at the platform");
            }
            if deployments.is_empty() {
                let hint = "the platform shows the deployment id: `deployments = [\"1\"]`";
                self.add(&format!("`{name}` has no deployment"), hint);
            }
            let LtiPlatform { issuer, login_url, token_url, keys_url, services, .. } = platform;
            let urls = [issuer, login_url, token_url, keys_url].into_iter().chain(services);
            for url in urls.filter(|url| !is_outside(url) || Url::parse(url).is_err()) {
                self.add(&format!("`{url}` cannot be an address of `{name}`"), "`https://…`");
            }
        }
        platforms.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn platform() -> LtiPlatform {
        let at = |path: &str| format!("https://moodle.example{path}");
        LtiPlatform {
            name: "Moodle".to_owned(),
            issuer: at(""),
            client_id: "abc".to_owned(),
            deployments: vec!["1".to_owned()],
            login_url: at("/mod/lti/auth.php"),
            token_url: at("/mod/lti/token.php"),
            keys_url: "https://keys.example/certs".to_owned(),
            services: vec!["https://school.example:8443".to_owned()],
            verified_addresses: false,
        }
    }

    #[test]
    fn services_are_asked_only_at_hosts_of_the_settings() {
        let platform = platform();
        for fine in [
            "https://moodle.example/mod/lti/services.php/1?type=2",
            "https://school.example:8443/api",
            "https://keys.example/x",
        ] {
            assert!(platform.may_ask(fine), "{fine}");
        }
        for wrong in [
            "https://moodle.example.evil.example/",
            "https://moodle.example@evil.example/",
            "https://evil@moodle.example/",
            "https://moodle.example:8443/",
            "https://school.example/",
            "http://moodle.example/",
            "http://127.0.0.1:1/",
            "https://moodle.example/a b",
            "",
        ] {
            assert!(!platform.may_ask(wrong), "{wrong}");
        }
    }

    #[test]
    fn all_errors_of_platforms_are_named() {
        let settings = |lti| Settings {
            data: Some("x".into()),
            public_url: Some("https://judge.example".to_owned()),
            lti,
            ..Settings::default()
        };
        let config = settings(vec![platform()]).check().expect("fine");
        assert_eq!(config.lti, [platform()]);
        let wrong = LtiPlatform {
            client_id: "a b".to_owned(),
            deployments: Vec::new(),
            keys_url: "ftp://x".to_owned(),
            ..platform()
        };
        let twice = LtiPlatform { name: "Canvas".to_owned(), ..platform() };
        let mut settings = settings(vec![platform(), wrong, twice]);
        settings.public_url = None;
        let text = settings.check().expect_err("it is wrong").to_string();
        for part in [
            "without `public-url`",
            "`Moodle` is empty or used twice",
            "`a b` cannot be the client id",
            "has no deployment",
            "`ftp://x` cannot be an address",
            "`Canvas` has the issuer and client id of another platform",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
}
