//! Settings for mail: the server that takes it, and the sender.

use std::path::PathBuf;

use lettre::message::Mailbox;
use serde::Deserialize;

use super::Wrong;
use super::outside::Secret;

/// The `[mail]` table of the settings' file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct MailSettings {
    /// The server: `smtps://USER@HOST`, or `smtp://…` for one that begins without TLS.
    pub server: String,
    /// File with the user's password.
    pub password_file: Option<PathBuf>,
    /// The sender: `Judge <judge@example.org>`.
    pub from: String,
}

/// Encryption of the connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MailTls {
    /// From the first byte.
    Whole,
    /// After `STARTTLS`, without which nothing is sent.
    Started,
    /// None, on this machine.
    None,
}

/// Checked settings for mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailConfig {
    /// Host of the server.
    pub host: String,
    /// Port, if it is not the usual one.
    pub port: Option<u16>,
    /// Encryption.
    pub tls: MailTls,
    /// User and password, if the server asks for them.
    pub user: Option<(String, Secret)>,
    /// The sender.
    pub from: Mailbox,
}

/// The parts of a server's address.
struct ServerAddress<'a> {
    tls: MailTls,
    user: Option<&'a str>,
    host: &'a str,
    port: Option<u16>,
}

impl Wrong {
    /// Checks the settings for mail, if there are any.
    pub(super) fn mail(&mut self, settings: Option<&MailSettings>) -> Option<MailConfig> {
        let settings = settings?;
        let server = server_address(&settings.server);
        if server.is_none() {
            // It may contain a password.
            self.add(
                "`server` of `[mail]` is not the address of a mail server",
                "`smtps://user@mail.example.org`, and the password in `password-file`",
            );
        }
        let from = settings.from.parse::<Mailbox>();
        if from.is_err() {
            let what = format!("`{}` of `[mail]` is not a sender", settings.from);
            self.add(&what, "`from = \"Judge <judge@example.org>\"`");
        }
        let password = settings.password_file.as_deref().map(|file| self.secret_in(file));
        let user = server.as_ref().and_then(|server| server.user);
        if user.is_some() != password.is_some() {
            let hint = "name both, or neither for a server that asks for none";
            self.add("`[mail]` has a user without `password-file`, or the reverse", hint);
        }
        let server = server?;
        Some(MailConfig {
            host: server.host.to_owned(),
            port: server.port,
            tls: server.tls,
            user: user.map(str::to_owned).zip(password.flatten()),
            from: from.ok()?,
        })
    }
}

/// Splits the address of a mail server; none if it is not one. Without TLS only this machine is
/// reached.
fn server_address(text: &str) -> Option<ServerAddress<'_>> {
    let (scheme, rest) = text.split_once("://")?;
    let (user, place) = match rest.rsplit_once('@') {
        Some((user, place)) => (Some(user), place),
        None => (None, rest),
    };
    let (host, port) = match place.rsplit_once(':').filter(|_| !place.ends_with(']')) {
        Some((host, port)) => (host, Some(port.parse::<u16>().ok().filter(|port| *port > 0)?)),
        None => (place, None),
    };
    let fits = |c: char| c.is_ascii_alphanumeric() || ".-[]:".contains(c);
    let is_user = |user: &str| {
        !user.is_empty() && !user.contains(':') && user.chars().all(|c| c.is_ascii_graphic())
    };
    if host.is_empty() || !host.chars().all(fits) || !user.is_none_or(is_user) {
        return None;
    }
    let is_here = ["127.0.0.1", "[::1]", "localhost"].contains(&host);
    let tls = match scheme {
        "smtps" => MailTls::Whole,
        "smtp" if is_here => MailTls::None,
        "smtp" => MailTls::Started,
        _ => return None,
    };
    Some(ServerAddress { tls, user, host, port })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Settings;

    fn settings(server: &str, from: &str, password_file: Option<PathBuf>) -> Settings {
        let mail = MailSettings { server: server.to_owned(), password_file, from: from.to_owned() };
        Settings { data: Some("x".into()), mail: Some(mail), ..Settings::default() }
    }

    #[test]
    fn passwords_are_sent_only_over_tls_or_to_this_machine() {
        let place = tempfile::tempdir().expect("a folder");
        let file = place.path().join("password");
        std::fs::write(&file, "very-secret\n").expect("written");
        let mail = |server: &str| {
            let password = server.contains('@').then(|| file.clone());
            let config = settings(server, "Judge <judge@a.example>", password).check();
            config.expect("fine").mail.expect("mail")
        };
        let whole = mail("smtps://me@mail.a.example:4650");
        assert_eq!((whole.tls, whole.port), (MailTls::Whole, Some(4650)));
        assert!(!format!("{whole:?}").contains("very-secret"), "{whole:?}");
        assert_eq!(whole.user.expect("a user").1.reveal(), "very-secret");
        assert_eq!(mail("smtp://me@b.example@mail.a.example").tls, MailTls::Started);
        assert_eq!(mail("smtp://127.0.0.1.a.example").tls, MailTls::Started);
        for here in ["smtp://localhost", "smtp://127.0.0.1:2525", "smtp://[::1]:25", "smtp://[::1]"]
        {
            assert_eq!(mail(here).tls, MailTls::None, "{here}");
        }
    }

    #[test]
    fn all_mistakes_in_the_mail_settings_are_named() {
        for (server, from, part) in [
            ("mail.example", "a@b.example", "is not the address of a mail server"),
            ("smtps://", "a@b.example", "is not the address of a mail server"),
            ("smtps://me:very-secret@mail.example", "a@b.example", "`password-file`"),
            ("http://mail.example", "a@b.example", "is not the address of a mail server"),
            ("smtps://mail.example:0", "a@b.example", "is not the address of a mail server"),
            ("smtps://mail.example/x", "a@b.example", "is not the address of a mail server"),
            ("smtps://me@mail.example", "a@b.example", "a user without `password-file`"),
            ("smtps://mail.example", "the judge", "`the judge` of `[mail]` is not a sender"),
            ("smtps://mail.example", "a@b\r\nBcc: c@d", "is not a sender"),
        ] {
            let wrong = settings(server, from, None).check().expect_err(server).to_string();
            assert!(wrong.contains(part) && !wrong.contains("very-secret"), "{wrong}");
        }
    }
}
