//! Settings from a file, the environment and flags, checked as a whole.

mod lti;
mod mail;
mod outside;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use judge_runner::base::bounds::SubmissionBounds;
use judge_store::Lifetime;
use serde::Deserialize;

pub use lti::LtiPlatform;
pub use mail::{MailConfig, MailSettings, MailTls};
pub use outside::{Secret, SignOnConfig, Webhook, WebhookSettings};

/// Size of the largest module, in MiB. Every person must have room for one.
const MODULE_MIB: u64 = 4;

/// Settings as written in flags, environment or file. Each may be missing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Settings {
    /// The folder of the server's data
    #[arg(long, value_name = "DIR", env = "JUDGE_SERVER_DATA", global = true)]
    pub data: Option<PathBuf>,
    /// The address to listen at [default: 127.0.0.1:8080]
    #[arg(long, value_name = "ADDR", env = "JUDGE_SERVER_LISTEN", global = true)]
    pub listen: Option<String>,
    /// The database, if it is not a file in the folder: `postgres://…`
    #[arg(
        long,
        value_name = "URL",
        env = "JUDGE_SERVER_DATABASE",
        hide_env_values = true,
        global = true
    )]
    pub database: Option<String>,
    /// The address by which people reach the server: `https://judge.example.org`
    #[arg(long, value_name = "URL", env = "JUDGE_SERVER_PUBLIC_URL", global = true)]
    pub public_url: Option<String>,
    /// The server is behind a reverse proxy: take the client's address from its header
    #[arg(long, env = "JUDGE_SERVER_BEHIND_PROXY", global = true, num_args = 0..=1, default_missing_value = "true")]
    pub behind_proxy: Option<bool>,
    /// Submissions that are graded at a time [default: one per processor]
    #[arg(long, value_name = "N", env = "JUDGE_SERVER_LANES", global = true)]
    pub lanes: Option<usize>,
    /// Submitted sources that are built at a time; 0 takes only built modules [default: 0]
    #[arg(long, value_name = "N", env = "JUDGE_SERVER_BUILDS", global = true)]
    pub builds: Option<usize>,
    /// Have rounds played by the machines that run `judge-worker` on the same PostgreSQL database
    #[arg(long, env = "JUDGE_SERVER_FLEET", global = true, num_args = 0..=1, default_missing_value = "true")]
    pub fleet: Option<bool>,
    /// Percentage of rounds that two machines play, which must agree [default: 1]
    #[arg(long, value_name = "PERCENT", env = "JUDGE_SERVER_AUDIT", global = true)]
    pub audit: Option<u32>,
    /// Most people that can play against bots at the same time; 0 switches it off [default: 8]
    #[arg(long, value_name = "N", env = "JUDGE_SERVER_PEOPLE_PLAY", global = true)]
    pub people_play: Option<usize>,
    /// Play nothing unless every isolation measure is in place
    #[arg(long, env = "JUDGE_SERVER_REQUIRE_ISOLATION", global = true, num_args = 0..=1, default_missing_value = "true")]
    pub require_isolation: Option<bool>,
    /// Days without use after which people sign in again [default: 30]
    #[arg(long, value_name = "DAYS", env = "JUDGE_SERVER_SESSION_DAYS", global = true)]
    pub session_days: Option<u32>,
    /// Days after which people sign in again, however often they use the server [default: 180]
    #[arg(long, value_name = "DAYS", env = "JUDGE_SERVER_SESSION_MOST_DAYS", global = true)]
    pub session_most_days: Option<u32>,
    /// Submissions of a person that may wait for grading [default: 5]
    #[arg(long, value_name = "N", env = "JUDGE_SERVER_PENDING", global = true)]
    pub pending: Option<u32>,
    /// Most space for the different modules of a person, in MiB [default: 256]
    #[arg(long, value_name = "N", env = "JUDGE_SERVER_PERSON_MIB", global = true)]
    pub person_mib: Option<u64>,
    /// Most processor time for a submission, in seconds [default: depends on the suite]
    #[arg(long, value_name = "N", env = "JUDGE_SERVER_SUBMISSION_SECONDS", global = true)]
    pub submission_seconds: Option<u64>,
    /// Most space for a submission's rounds in the database, in MiB [default: depends on the suite]
    #[arg(long, value_name = "N", env = "JUDGE_SERVER_SUBMISSION_MIB", global = true)]
    pub submission_mib: Option<u64>,
    /// Requests per second that one address may make for long [default: 50]
    #[arg(long, value_name = "N", env = "JUDGE_SERVER_RATE", global = true)]
    pub rate: Option<u32>,
    /// Days after which an archived course is deleted [default: it is kept]
    #[arg(long, value_name = "DAYS", env = "JUDGE_SERVER_ARCHIVED_DAYS", global = true)]
    pub archived_days: Option<u32>,
    /// Days after which entries of the log of acts are removed [default: they are kept]
    #[arg(long, value_name = "DAYS", env = "JUDGE_SERVER_LOG_DAYS", global = true)]
    pub log_days: Option<u32>,
    /// Log as JSON, a line for each event
    #[arg(long, env = "JUDGE_SERVER_LOG_JSON", global = true, num_args = 0..=1, default_missing_value = "true")]
    pub log_json: Option<bool>,
    /// Address of the OpenID Connect issuer with which people can sign in
    #[arg(long, value_name = "URL", env = "JUDGE_SERVER_OIDC_ISSUER", global = true)]
    pub oidc_issuer: Option<String>,
    /// Name of the issuer on pages [default: its host]
    #[arg(long, value_name = "NAME", env = "JUDGE_SERVER_OIDC_NAME", global = true)]
    pub oidc_name: Option<String>,
    /// Client id of this server at the issuer
    #[arg(long, value_name = "ID", env = "JUDGE_SERVER_OIDC_CLIENT_ID", global = true)]
    pub oidc_client_id: Option<String>,
    /// File with the client secret [default: the variable JUDGE_SERVER_OIDC_SECRET]
    #[arg(long, value_name = "FILE", env = "JUDGE_SERVER_OIDC_SECRET_FILE", global = true)]
    pub oidc_secret_file: Option<PathBuf>,
    /// Course that newcomers join as students when they sign in [default: they cannot sign in]
    #[arg(long, value_name = "COURSE", env = "JUDGE_SERVER_OIDC_JOIN", global = true)]
    pub oidc_join: Option<String>,
    /// Webhooks, which only the settings' file can name
    #[arg(skip)]
    #[serde(default)]
    pub webhook: Vec<WebhookSettings>,
    /// Campus systems, which only the settings' file can name
    #[arg(skip)]
    #[serde(default)]
    pub lti: Vec<LtiPlatform>,
    /// The server for mail, which only the settings' file can name
    #[arg(skip)]
    pub mail: Option<MailSettings>,
}

/// Settings that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("cannot read `{path}`: {source}")]
    Read {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: std::io::Error,
    },
    /// The file is not valid.
    #[error("`{path}`: {what}")]
    File {
        /// The file.
        path: PathBuf,
        /// The error and its position.
        what: String,
    },
    /// All values that cannot be used.
    #[error("{}", .0.join("\n"))]
    Values(Vec<String>),
}

/// Checked settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// The folder of the server's data.
    pub data: PathBuf,
    /// The address to listen at.
    pub listen: SocketAddr,
    /// The database, if it is not a file in the folder.
    pub database: Option<String>,
    /// Scheme and host by which people reach the server, without a slash at the end.
    pub public_url: Option<String>,
    /// True if the client's address is in a proxy's header.
    pub behind_proxy: bool,
    /// Submissions that are graded at a time.
    pub lanes: usize,
    /// Submitted sources that are built at a time; none if only modules are accepted.
    pub builds: usize,
    /// Settings for other machines, if they play.
    pub fleet: Option<FleetConfig>,
    /// Number of people that can play against bots at the same time.
    pub people_play: usize,
    /// True if bots are played only with full isolation.
    pub require_isolation: bool,
    /// Lifetime of a session.
    pub session: Lifetime,
    /// Submissions of a person that may wait.
    pub pending: u32,
    /// Most bytes that the different modules of a person may have in total.
    pub stored_at_most: u64,
    /// Bounds on the cost of a submission.
    pub bounds: SubmissionBounds,
    /// Requests per second of one address.
    pub rate: u32,
    /// Time for which an archived course is kept; none for ever.
    pub archived_kept: Option<Duration>,
    /// Time for which entries of the log of acts are kept; none for ever.
    pub log_kept: Option<Duration>,
    /// True if the log is JSON.
    pub log_json: bool,
    /// Single sign-on, if there is one.
    pub sign_on: Option<SignOnConfig>,
    /// Webhooks that courses can choose.
    pub webhooks: Vec<Webhook>,
    /// Campus systems that open this server.
    pub lti: Vec<LtiPlatform>,
    /// Settings for mail, if it is sent.
    pub mail: Option<MailConfig>,
}

impl Settings {
    /// Reads settings from a file.
    ///
    /// # Errors
    /// When it cannot be read or is not valid.
    pub fn read(path: &Path) -> Result<Settings, ConfigError> {
        let text = std::fs::read_to_string(path)
            .map_err(|source| ConfigError::Read { path: path.to_owned(), source })?;
        toml::from_str(&text).map_err(|error| ConfigError::File {
            path: path.to_owned(),
            what: error.to_string().trim_end().to_owned(),
        })
    }

    /// These settings, with missing ones from `other`.
    #[must_use]
    pub fn or(self, other: Settings) -> Settings {
        Settings {
            data: self.data.or(other.data),
            listen: self.listen.or(other.listen),
            database: self.database.or(other.database),
            public_url: self.public_url.or(other.public_url),
            behind_proxy: self.behind_proxy.or(other.behind_proxy),
            lanes: self.lanes.or(other.lanes),
            builds: self.builds.or(other.builds),
            fleet: self.fleet.or(other.fleet),
            audit: self.audit.or(other.audit),
            people_play: self.people_play.or(other.people_play),
            require_isolation: self.require_isolation.or(other.require_isolation),
            session_days: self.session_days.or(other.session_days),
            session_most_days: self.session_most_days.or(other.session_most_days),
            pending: self.pending.or(other.pending),
            person_mib: self.person_mib.or(other.person_mib),
            submission_seconds: self.submission_seconds.or(other.submission_seconds),
            submission_mib: self.submission_mib.or(other.submission_mib),
            rate: self.rate.or(other.rate),
            archived_days: self.archived_days.or(other.archived_days),
            log_days: self.log_days.or(other.log_days),
            log_json: self.log_json.or(other.log_json),
            oidc_issuer: self.oidc_issuer.or(other.oidc_issuer),
            oidc_name: self.oidc_name.or(other.oidc_name),
            oidc_client_id: self.oidc_client_id.or(other.oidc_client_id),
            oidc_secret_file: self.oidc_secret_file.or(other.oidc_secret_file),
            oidc_join: self.oidc_join.or(other.oidc_join),
            webhook: if self.webhook.is_empty() { other.webhook } else { self.webhook },
            lti: if self.lti.is_empty() { other.lti } else { self.lti },
            mail: self.mail.or(other.mail),
        }
    }

    /// Checks the settings as a whole.
    ///
    /// # Errors
    /// With all errors, not just the first.
    pub fn check(self) -> Result<Config, ConfigError> {
        let mut wrong = Wrong::default();
        let listen = self.listen.as_deref().unwrap_or("127.0.0.1:8080");
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let (sign_on, webhooks) = (wrong.sign_on(&self), wrong.webhooks(&self.webhook));
        let (lti, mail) = (wrong.lti(&self), wrong.mail(self.mail.as_ref()));
        let fleet = wrong.fleet(&self);
        let lanes = self.lanes.unwrap_or(if fleet.is_some() { FLEET_LANES } else { processors });
        let config = Config {
            sign_on,
            webhooks,
            lti,
            mail,
            data: self.data.unwrap_or_else(|| {
                wrong.add("no folder for the data", "name it: `--data DIR`");
                PathBuf::new()
            }),
            listen: listen.parse().unwrap_or_else(|_| {
                wrong.add(
                    &format!("`{listen}` is not a valid address to listen on"),
                    "`127.0.0.1:8080`",
                );
                SocketAddr::from(([127, 0, 0, 1], 8080))
            }),
            database: self.database.filter(|url| wrong.database(url)),
            public_url: self.public_url.and_then(|url| wrong.public_url(&url)),
            behind_proxy: self.behind_proxy.unwrap_or(false),
            lanes: wrong.within("lanes", lanes, 1..=256),
            builds: wrong.within("builds", self.builds.unwrap_or(0), 0..=256),
            fleet,
            people_play: wrong.within("people-play", self.people_play.unwrap_or(8), 0..=256),
            require_isolation: self.require_isolation.unwrap_or(false),
            session: wrong.session(self.session_days, self.session_most_days),
            pending: wrong.within("pending", self.pending.unwrap_or(5), 1..=1000),
            stored_at_most: wrong
                .within("person-mib", self.person_mib.unwrap_or(256), MODULE_MIB..=1_000_000)
                .saturating_mul(1 << 20),
            bounds: SubmissionBounds {
                seconds: self
                    .submission_seconds
                    .map(|seconds| wrong.within("submission-seconds", seconds, 1..=1_000_000)),
                mebibytes: self
                    .submission_mib
                    .map(|mib| wrong.within("submission-mib", mib, 1..=1_000_000)),
            },
            rate: wrong.within("rate", self.rate.unwrap_or(50), 1..=10_000),
            archived_kept: wrong.days("archived-days", self.archived_days),
            log_kept: wrong.days("log-days", self.log_days),
            log_json: self.log_json.unwrap_or(false),
        };
        if config.behind_proxy && config.public_url.is_none() {
            wrong.add(
                "`behind-proxy` without `public-url`",
                "name the public address of the proxy: `--public-url https://…`",
            );
        }
        if wrong.0.is_empty() { Ok(config) } else { Err(ConfigError::Values(wrong.0)) }
    }
}

impl Config {
    /// True if people reach the server by TLS. Cookies are then sent only over TLS.
    pub fn is_secure(&self) -> bool {
        self.public_url.as_ref().is_some_and(|url| url.starts_with("https://"))
    }

    /// The address of the server for printed links.
    pub fn base_url(&self) -> String {
        self.public_url.clone().unwrap_or_else(|| format!("http://{}", self.listen))
    }
}

/// Submissions that are graded at a time if other machines play.
const FLEET_LANES: usize = 16;

/// Settings for other machines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FleetConfig {
    /// The database that connects them.
    pub database: String,
    /// Percentage of rounds that two machines play.
    pub audit: u32,
}

/// All errors found.
#[derive(Default)]
struct Wrong(Vec<String>);

impl Wrong {
    fn add(&mut self, what: &str, hint: &str) {
        self.0.push(format!("{what}\nhint: {hint}"));
    }

    fn within<T>(&mut self, name: &str, value: T, range: std::ops::RangeInclusive<T>) -> T
    where
        T: PartialOrd + std::fmt::Display + Copy,
    {
        if !range.contains(&value) {
            let hint = format!("from {} to {}", range.start(), range.end());
            self.add(&format!("`{name}` is `{value}`"), &hint);
        }
        value
    }

    /// A period of days, if there is one.
    fn days(&mut self, name: &str, days: Option<u32>) -> Option<Duration> {
        let days = self.within(name, days?, 1..=36_500);
        Some(Duration::from_secs(u64::from(days) * 24 * 60 * 60))
    }

    /// Lifetime of a session. The time without use is never longer than the total.
    fn session(&mut self, unused: Option<u32>, most: Option<u32>) -> Lifetime {
        let unused = self.within("session-days", unused.unwrap_or(30), 1..=365);
        let most = most.unwrap_or_else(|| unused.max(180));
        let most = self.within("session-most-days", most, unused..=3650);
        let days = |days: u32| Duration::from_secs(u64::from(days) * 24 * 60 * 60);
        Lifetime { unused: days(unused), most: days(most) }
    }

    /// Checks that the database can also be reached by other machines.
    fn fleet(&mut self, settings: &Settings) -> Option<FleetConfig> {
        let audit = self.within("audit", settings.audit.unwrap_or(1), 0..=100);
        if !settings.fleet.unwrap_or(false) {
            return None;
        }
        let database = settings.database.clone().filter(|url| url.starts_with("postgres"));
        if database.is_none() {
            self.add("`fleet` without PostgreSQL", "name it: `--database postgres://…`");
        }
        Some(FleetConfig { database: database?, audit })
    }

    fn database(&mut self, url: &str) -> bool {
        let known = ["postgres://", "postgresql://", "sqlite:"];
        let fine = known.iter().any(|scheme| url.starts_with(scheme));
        if !fine {
            // The address may contain a password.
            self.add("`database` has an unknown scheme", "`postgres://…`, or leave it out");
        }
        fine
    }

    /// Checks that the address has only scheme and host.
    fn public_url(&mut self, url: &str) -> Option<String> {
        let url = url.trim_end_matches('/');
        let host = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
        let plain = |host: &&str| {
            let fits = |c: char| c.is_ascii_alphanumeric() || ".-:[]".contains(c);
            !host.is_empty() && host.chars().all(fits)
        };
        if host.filter(plain).is_none() {
            let hint = "only scheme and host: `https://judge.example.org`";
            self.add(&format!("`{url}` is not a valid public address"), hint);
            return None;
        }
        Some(url.to_ascii_lowercase())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(settings: Settings) -> String {
        settings.check().expect_err("it is wrong").to_string()
    }

    #[test]
    fn all_mistakes_in_the_settings_are_reported_together() {
        let text = wrong(Settings {
            listen: Some("here".to_owned()),
            database: Some("mysql://root:secret@host".to_owned()),
            public_url: Some("judge.example.org/path".to_owned()),
            lanes: Some(0),
            fleet: Some(true),
            person_mib: Some(3),
            session_days: Some(40),
            session_most_days: Some(39),
            behind_proxy: Some(true),
            ..Settings::default()
        });
        for part in [
            "no folder for the data",
            "`here` is not a valid address",
            "`database` has an unknown scheme",
            "`judge.example.org/path`",
            "`lanes` is `0`",
            "`fleet` without PostgreSQL",
            "`session-most-days` is `39`\nhint: from 40 to 3650",
            "`person-mib` is `3`\nhint: from 4 to 1000000",
            "`behind-proxy` without `public-url`",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert!(!text.contains("secret"), "{text}");
    }

    #[test]
    fn flags_override_the_file() {
        let file: Settings = toml::from_str(
            "data = \"/srv/judge\"\nlisten = \"0.0.0.0:80\"\npublic-url = \"https://A.example/\"\n",
        )
        .expect("settings");
        let flags = Settings { listen: Some("[::1]:8081".to_owned()), ..Settings::default() };
        let config = flags.or(file).check().expect("fine");
        assert_eq!(config.data, Path::new("/srv/judge"));
        assert_eq!(config.listen.port(), 8081);
        assert_eq!(config.base_url(), "https://a.example");
        assert!(config.is_secure());
    }

    #[test]
    fn an_unknown_key_in_the_file_is_named() {
        let place = tempfile::tempdir().expect("a folder");
        let path = place.path().join("server.toml");
        std::fs::write(&path, "data = \"x\"\nlitsen = \"y\"\n").expect("written");
        let error = Settings::read(&path).expect_err("a typo").to_string();
        assert!(error.contains("litsen") && error.contains("listen"), "{error}");
    }

    /// The default in a row of the table in `server.md`, if it is a value.
    fn documented<'a>(table: &'a str, setting: &str) -> Option<&'a str> {
        let row = table.lines().find(|line| line.starts_with(&format!("| `{setting}` |")))?;
        row.trim_end_matches(" |").rsplit("| ").next()?.split('`').nth(1)
    }

    #[test]
    fn the_help_and_the_documentation_name_the_same_defaults() {
        let table = include_str!("../../docs/server.md");
        let command = Settings::augment_args(clap::Command::new("judge-server"));
        let mut compared = 0;
        for argument in command.get_arguments() {
            let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
            let default = help.split_once("[default: ").map(|(_, rest)| rest.trim_end_matches(']'));
            let setting = argument.get_long().unwrap_or_default();
            // Defaults in words, such as `one per processor`, are not compared.
            let value = default.filter(|default| !default.contains(' '));
            if let Some(value) = value {
                assert_eq!(documented(table, setting), Some(value), "--{setting}");
                compared += 1;
            }
        }
        assert!(compared >= 8, "{compared}");
    }
}
