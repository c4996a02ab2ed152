//! Mail through a real mail server, `smtp-server` on Node.js, which is started here. Skipped with a
//! message if either is missing.

use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use axum::http::StatusCode;
use judge_server::config::{MailConfig, MailSettings, Settings};
use judge_server::mail;
use judge_store::{NewPerson, Role, Timestamp};
use tempfile::TempDir;

use crate::lists::{confirm_with, preview};
use crate::site::{HOSTNAME, SignedIn, Site};

/// The process of the mail server, killed on drop.
struct MailServer {
    child: Child,
    port: u16,
    mails: Receiver<Mail>,
    secrets: TempDir,
}

/// A message that the server took.
#[derive(serde::Deserialize)]
struct Mail {
    from: String,
    to: Vec<String>,
    head: String,
    body: String,
}

impl Drop for MailServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The folder that `npm install smtp-server` has filled.
fn packages() -> Option<PathBuf> {
    let told = std::env::var_os("JUDGE_SMTP_SERVER").map(PathBuf::from);
    let home = || Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache/judge/smtp-server"));
    let folder = told.or_else(home)?;
    folder.join("node_modules/smtp-server").is_dir().then_some(folder)
}

impl MailServer {
    fn start(mode: &str) -> Option<MailServer> {
        let skipped = "skipped: mail needs `node` and `npm install smtp-server@3.21.6` in \
                       ~/.cache/judge/smtp-server";
        let Some(folder) = packages() else {
            println!("{skipped}");
            return None;
        };
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/server/mail_server.mjs");
        let mut command = Command::new("node");
        command.arg(script).arg(folder).arg(mode);
        let Ok(mut child) = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn() else {
            println!("{skipped}");
            return None;
        };
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
        let port = lines.next().unwrap().parse().unwrap();
        let (sender, mails) = channel();
        std::thread::spawn(move || {
            lines.try_for_each(|line| sender.send(serde_json::from_str(&line).unwrap()))
        });
        let secrets = tempfile::tempdir().unwrap();
        std::fs::write(secrets.path().join("password"), "hush\n").unwrap();
        Some(MailServer { child, port, mails, secrets })
    }

    fn settings(&self, scheme: &str) -> Settings {
        let server = format!("{scheme}://judge@127.0.0.1:{}", self.port);
        let password_file = Some(self.secrets.path().join("password"));
        let from = "The judge <judge@example.org>".to_owned();
        Settings {
            mail: Some(MailSettings { server, password_file, from }),
            public_url: Some(format!("http://{HOSTNAME}")),
            ..Settings::default()
        }
    }

    /// The message that was taken, or is taken within a minute.
    fn next(&self) -> Mail {
        self.mails.recv_timeout(Duration::from_secs(60)).expect("a message")
    }
}

fn config(site: &Site) -> MailConfig {
    site.app.config().mail.clone().unwrap()
}

async fn send(site: &Site, now: Timestamp) -> usize {
    mail::send_due(&site.app, &config(site), now).await.unwrap()
}

/// A member with an address.
async fn member(site: &Site, name: &str, address: &str) -> SignedIn {
    let (store, now) = (site.app.store(), Timestamp::now());
    let address = Some(address.to_owned());
    let new = NewPerson { name: name.to_owned(), address, ..NewPerson::default() };
    let person = store.add_person(&new, now).await.unwrap();
    store.join(&site.course.id, &person.id, Role::Student, now).await.unwrap();
    site.signed_in(person).await
}

async fn subscribe(site: &Site, who: &SignedIn) {
    assert_eq!(site.post(Some(who), "/me/mail", "results=yes").await.leads_to(), "/me");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn invitations_of_a_list_are_mailed_only_to_its_people() {
    let Some(server) = MailServer::start("plain") else { return };
    let site = Site::with(server.settings("smtp")).await;
    let teacher = site.join("Tess", Role::Instructor).await;
    let page = preview(&site, &teacher, "Zoë, zoe@x.example\nAda, ada@x.example\nBob\n", b"").await;
    let text = page.text();
    assert!(text.contains("to the 2 people with an address"), "{text}");
    let made = confirm_with(&site, &teacher, &text, "&mail=yes").await.text();
    assert_eq!(made.matches("/join/").count(), made.matches("Bob").count(), "only Bob's: {made}");
    assert!(made.contains("2 links are sent by e-mail"), "{made}");

    let now = Timestamp::now();
    assert_eq!(send(&site, now).await, 2);
    assert_eq!(send(&site, now.after(Duration::from_secs(600))).await, 0, "each once");
    let mut mails = [server.next(), server.next()];
    mails.sort_by(|one, other| one.to.cmp(&other.to));
    let [ada, zoe] = mails;
    assert_eq!((&*ada.from, &*ada.to), ("judge@example.org", &["ada@x.example".to_owned()][..]));
    assert!(ada.head.contains("From: \"The judge\" <judge@example.org>"), "{}", ada.head);
    assert!(ada.head.contains("Subject: Invitation to Artificial <i>Play</i>"), "{}", ada.head);
    assert!(ada.head.contains("Auto-Submitted: auto-generated"), "{}", ada.head);
    assert!(zoe.body.starts_with("Hello Zoë,"), "{}", zoe.body);
    let secret = ada.body.split("/join/").nth(1).unwrap();
    let secret = secret.split_whitespace().next().unwrap();
    let joined = site.post(None, "/join", &format!("token={secret}")).await;
    assert_eq!(joined.leads_to(), "/c/ai");
    let known = site.app.store().person_by_address("ada@x.example").await.unwrap().unwrap();
    let member = site.app.store().member(&site.course.id, &known.id).await.unwrap();
    assert_eq!(member.unwrap().role, Role::Student);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mail_about_a_first_result_has_no_points() {
    let Some(server) = MailServer::start("plain") else { return };
    let site = Site::with(server.settings("smtp")).await;
    let ada = member(&site, "Ada", "ada@x.example").await;
    let bob = member(&site, "Bob", "bob@x.example").await;
    let carl = member(&site, "Carl", "carl@x.example").await;
    site.post(Some(&carl), "/me/language", "language=zh").await;
    for one in [&ada, &carl] {
        subscribe(&site, one).await;
    }
    assert!(site.get(Some(&ada), "/me").await.text().contains("checked> Send a message to ada@x"));
    let told = site.result_of(&ada, 17).await;
    site.result_of(&bob, 3).await;
    site.result_of(&carl, 5).await;
    site.post(Some(&carl), "/me/mail", "").await;
    let again = site.result_of(&ada, 4).await;

    assert_eq!(send(&site, Timestamp::now()).await, 2, "nothing for Bob, and no more for Carl");
    let mails = [server.next(), server.next()];
    for submission in [told, again] {
        let link = format!("http://{HOSTNAME}/submissions/{submission}\n");
        let mail = mails.iter().find(|mail| mail.body.contains(&link)).expect("one for each");
        assert_eq!(mail.to, ["ada@x.example"]);
        assert!(!mail.body.replace(&link, "").contains("17"), "{}", mail.body);
    }
    subscribe(&site, &carl).await;
    site.result_of(&carl, 6).await;
    assert_eq!(send(&site, Timestamp::now()).await, 1);
    assert!(server.next().body.starts_with("Carl，你好："));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refused_message_is_repeated_for_a_limited_time() {
    let Some(server) = MailServer::start("plain") else { return };
    let site = Site::with(server.settings("smtp")).await;
    for name in ["later", "never"] {
        let who = member(&site, name, &format!("{name}@x.example")).await;
        subscribe(&site, &who).await;
        site.result_of(&who, 5).await;
    }
    let now = Timestamp::now();
    let minutes = |many: u64| now.after(Duration::from_secs(60 * many));
    assert_eq!(send(&site, now).await, 0);
    assert_eq!(send(&site, now).await, 0, "not at once");
    assert_eq!(send(&site, minutes(2)).await, 1);
    assert_eq!(server.next().to, ["later@x.example"]);
    let waiting = site.app.store().take_mail(minutes(60 * 24 * 6)).await.unwrap();
    assert_eq!(waiting, [], "no other attempt for a refused address");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_mail_goes_to_a_server_without_a_valid_certificate() {
    for mode in ["plain", "encrypted"] {
        let Some(server) = MailServer::start(mode) else { return };
        let site = Site::with(server.settings("smtps")).await;
        let error = tokio::task::spawn_blocking({
            let config = config(&site);
            move || mail::send(&config, (None, "ada@x.example"), "x", "x".to_owned())
        });
        let error = error.await.unwrap().expect_err(mode);
        assert!(!error.to_string().contains("hush"), "{error}");
        assert!(server.mails.try_recv().is_err(), "{mode}");
    }
}

#[tokio::test]
async fn without_settings_no_page_offers_mail() {
    let site = Site::new().await;
    let teacher = site.join("Tess", Role::Instructor).await;
    let ada = member(&site, "Ada", "ada@x.example").await;
    assert!(!site.get(Some(&ada), "/me").await.text().contains("id=\"mail\""));
    let page = preview(&site, &teacher, "Zoë, zoe@x.example\n", b"").await.text();
    assert!(!page.contains("name=\"mail\""), "{page}");
    let made = confirm_with(&site, &teacher, &page, "&mail=yes").await;
    assert_eq!(made.status, StatusCode::OK);
    assert!(made.text().contains("/join/"), "the link is not lost: {}", made.text());
}
