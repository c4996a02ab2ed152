//! Sends mail through the operator's mail server. Like a webhook's, a message does not contain a
//! result: its reader opens the page.

use std::time::Duration;

use judge_store::{DueMail, Error, MailKind, Timestamp};
use lettre::message::header::{ContentType, Header, HeaderName, HeaderValue};
use lettre::message::{Mailbox, Message};
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Tls, TlsParameters};
use lettre::{Address, SmtpTransport, Transport as _};
use tokio::task::JoinHandle;

use crate::App;
use crate::config::{MailConfig, MailTls};
use crate::words::Language;

/// Time between two looks for due messages.
const PAUSE: Duration = Duration::from_secs(5);

/// Time for each step of the conversation with the mail server.
const STEP: Duration = Duration::from_secs(20);

/// A message that was not sent.
#[derive(Debug, thiserror::Error)]
pub enum NotSent {
    /// The settings or the address cannot be used.
    #[error("{0}")]
    Unusable(String),
    /// The mail server cannot be reached, or does not take the message.
    #[error(transparent)]
    Smtp(#[from] lettre::transport::smtp::Error),
}

impl NotSent {
    /// True if the same message is never taken.
    fn is_final(&self) -> bool {
        match self {
            NotSent::Unusable(_) => true,
            NotSent::Smtp(error) => error.is_permanent(),
        }
    }
}

/// A header that stops automatic answers, such as those of people on holiday (RFC 3834).
#[derive(Debug, Clone)]
struct AutoSubmitted;

impl Header for AutoSubmitted {
    fn name() -> HeaderName {
        HeaderName::new_from_ascii_str("Auto-Submitted")
    }

    fn parse(_: &str) -> Result<AutoSubmitted, Box<dyn std::error::Error + Send + Sync>> {
        Ok(AutoSubmitted)
    }

    fn display(&self) -> HeaderValue {
        HeaderValue::new(AutoSubmitted::name(), "auto-generated".to_owned())
    }
}

/// Starts the task that sends mail, if the operator has named a server.
pub fn start(app: &App) -> Option<JoinHandle<()>> {
    let config = app.config().mail.clone()?;
    let app = app.clone();
    Some(tokio::spawn(async move {
        loop {
            if let Err(error) = send_due(&app, &config, Timestamp::now()).await {
                tracing::error!(%error, "the mail to send cannot be read");
            }
            tokio::time::sleep(PAUSE).await;
        }
    }))
}

/// Sends the messages that are due, and returns how many were sent.
///
/// # Errors
/// When the database fails.
pub async fn send_due(app: &App, config: &MailConfig, now: Timestamp) -> Result<usize, Error> {
    let mut sent = 0;
    for mail in app.store().take_mail(now).await? {
        let Some((subject, body)) = text(app, &mail, now).await? else {
            app.store().end_mail(&mail).await?;
            continue;
        };
        let (config, name, to) = (config.clone(), mail.name.clone(), mail.address.clone());
        let send = move || send(&config, (Some(&name), &to), &subject, body);
        let sending = tokio::task::spawn_blocking(send);
        let kind = mail.kind.name();
        match sending.await {
            Ok(Ok(())) => {
                sent += 1;
                app.store().end_mail(&mail).await?;
            }
            Ok(Err(error)) if error.is_final() || mail.is_last_attempt() => {
                tracing::warn!(kind, %error, "mail was given up");
                app.store().end_mail(&mail).await?;
            }
            Ok(Err(error)) => tracing::info!(kind, %error, "mail will be tried again"),
            Err(error) => tracing::error!(kind, %error, "mail was not sent"),
        }
    }
    Ok(sent)
}

/// The keys of a message's texts: subject, body, and the reason why its reader gets it.
fn keys(kind: MailKind) -> [&'static str; 3] {
    match kind {
        MailKind::Invited => ["mail.invited_subject", "mail.invited", "mail.invited_why"],
        MailKind::Graded => ["mail.graded_subject", "mail.graded", "mail.subscribed"],
        MailKind::Answered => ["mail.answered_subject", "mail.answered", "mail.subscribed"],
    }
}

/// Subject and body of a message; none if its link cannot be used any more.
async fn text(
    app: &App,
    mail: &DueMail,
    now: Timestamp,
) -> Result<Option<(String, String)>, Error> {
    let words = mail.language.as_deref().and_then(Language::find).unwrap_or_default().words();
    let base = app.config().base_url();
    let (what, link) = match (&mail.invitation, &mail.submission) {
        (Some(invitation), _) => {
            let Some(secret) = app.store().renew_link(invitation, now).await? else {
                return Ok(None);
            };
            (&mail.course, format!("{base}/join/{}", secret.reveal()))
        }
        (None, Some(submission)) => {
            let suite = mail.suite.as_ref().unwrap_or(&mail.course);
            (suite, format!("{base}/submissions/{submission}"))
        }
        (None, None) => return Ok(None),
    };
    let [subject, body, why] = keys(mail.kind);
    let lines = [
        words.t1("mail.hello", &mail.name),
        words.t2(body, what, &mail.course),
        link,
        words.t1(why, &base),
    ];
    Ok(Some((words.t1(subject, what), lines.join("\n\n") + "\n")))
}

/// Sends a message.
///
/// # Errors
/// When the address cannot be used, or the mail server does not take the message.
pub fn send(
    config: &MailConfig,
    (name, address): (Option<&str>, &str),
    subject: &str,
    body: String,
) -> Result<(), NotSent> {
    let address: Address = address
        .parse()
        .map_err(|error| NotSent::Unusable(format!("not an address for mail: {error}")))?;
    let message = Message::builder()
        .from(config.from.clone())
        .to(Mailbox::new(name.map(str::to_owned), address))
        .subject(subject)
        .header(AutoSubmitted)
        .header(ContentType::TEXT_PLAIN)
        .body(body)
        .map_err(|error| NotSent::Unusable(error.to_string()))?;
    transport(config)?.send(&message)?;
    Ok(())
}

/// The connection to the mail server.
fn transport(config: &MailConfig) -> Result<SmtpTransport, NotSent> {
    let host = config.host.clone();
    let parameters = || TlsParameters::new(host.clone());
    let (tls, usual) = match config.tls {
        MailTls::Whole => (Tls::Wrapper(parameters()?), 465),
        MailTls::Started => (Tls::Required(parameters()?), 587),
        MailTls::None => (Tls::None, 25),
    };
    let builder = SmtpTransport::builder_dangerous(host.trim_matches(['[', ']']));
    let builder = builder.tls(tls).port(config.port.unwrap_or(usual)).timeout(Some(STEP));
    let credentials = config
        .user
        .as_ref()
        .map(|(user, password)| Credentials::new(user.clone(), password.reveal().to_owned()));
    Ok(match credentials {
        Some(credentials) => builder.credentials(credentials).build(),
        None => builder.build(),
    })
}
