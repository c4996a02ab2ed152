//! Webhooks: signed, retried, and without the result of the grading.

use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use base64::Engine as _;
use hmac::Mac as _;
use judge_server::config::{Settings, WebhookSettings};
use judge_server::hooks;
use judge_store::Role;
use tokio::net::TcpListener;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use crate::site::Site;

/// Only two source files can reach another machine: for requests and for mail. They and their callers
/// take addresses from the operator's settings.
#[test]
fn only_named_source_files_open_outgoing_connections() {
    let mut open = vec![std::path::PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/src"))];
    let (mut doors, mut callers) = (Vec::new(), Vec::new());
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if ["ureq", "SmtpTransport::", "TcpStream", "UdpSocket", "lookup_host"]
            .iter()
            .any(|way| text.contains(way))
        {
            doors.push(name.clone());
        }
        if text.contains("crate::outside") {
            callers.push(path.strip_prefix(env!("CARGO_MANIFEST_DIR")).unwrap().to_owned());
        }
    }
    doors.sort();
    assert_eq!(doors, ["connections.rs", "mail.rs", "outside.rs"], "the first one only listens");
    callers.sort();
    assert_eq!(
        callers,
        ["src/hooks.rs", "src/lti/mod.rs", "src/sign_on/mod.rs"].map(std::path::PathBuf::from)
    );
}

type Heard = UnboundedSender<(HeaderMap, String)>;

/// Accepts messages after a number of failures.
async fn hear(
    State((heard, failures)): State<(Heard, std::sync::Arc<std::sync::atomic::AtomicU32>)>,
    headers: HeaderMap,
    body: String,
) -> StatusCode {
    heard.send((headers, body)).unwrap();
    let before = failures.fetch_update(
        std::sync::atomic::Ordering::SeqCst,
        std::sync::atomic::Ordering::SeqCst,
        |left| left.checked_sub(1),
    );
    if before.is_ok() { StatusCode::SERVICE_UNAVAILABLE } else { StatusCode::NO_CONTENT }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_operators_hook_gets_gradings_without_results() {
    let (heard, mut news) = unbounded_channel();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/hook", listener.local_addr().unwrap());
    let failures = std::sync::Arc::new(std::sync::atomic::AtomicU32::new(2));
    let router = Router::new().fallback(hear).with_state((heard, failures));
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });

    let secrets = tempfile::tempdir().unwrap();
    let secret_file = secrets.path().join("secret");
    std::fs::write(&secret_file, "hush\n").unwrap();
    let webhook = vec![WebhookSettings { name: "chat".to_owned(), url, secret_file }];
    let site = Site::with(Settings { webhook, ..Settings::default() }).await;
    let tasks = hooks::start_with(&site.app, [Duration::from_millis(1); 3]);
    assert_eq!(tasks.len(), 1);
    let (ada, teacher) =
        (site.join("Ada", Role::Student).await, site.join("Tess", Role::Instructor).await);
    let suite = site.suite().await;

    let address = "/c/ai/manage/webhook";
    let own = site.post(Some(&teacher), address, "webhook=https://evil.example").await;
    assert_eq!(own.status, StatusCode::BAD_REQUEST, "no address of an instructor's");
    let student = site.post(Some(&ada), address, "webhook=chat").await;
    assert_eq!(student.status, StatusCode::NOT_FOUND);
    site.post(Some(&teacher), address, "webhook=chat").await.leads_to();
    assert!(site.get(Some(&teacher), "/c/ai/manage").await.text().contains("selected>chat"));

    let told = site.result_of(&ada, 17).await;
    site.app.hub().finish(&told.parse().unwrap(), &suite.id);
    let mut ids = Vec::new();
    for _ in 0..3 {
        let heard = tokio::time::timeout(Duration::from_secs(60), news.recv()).await;
        let (headers, body) = heard.expect("it is sent again").unwrap();
        let text = |name: &str| headers[name].to_str().unwrap().to_owned();
        ids.push(text("webhook-id"));
        let signed = format!("{}.{}.{body}", text("webhook-id"), text("webhook-timestamp"));
        let mac = hmac::Hmac::<sha2::Sha256>::new_from_slice(b"hush").unwrap();
        let mac = mac.chain_update(signed).finalize().into_bytes();
        let mac = base64::prelude::BASE64_STANDARD.encode(mac);
        assert_eq!(text("webhook-signature"), format!("v1,{mac}"));
        let news: serde_json::Value = serde_json::from_str(&body).unwrap();
        assert_eq!(news["type"], "submission.graded");
        assert_eq!(news["data"]["submission"], told.as_str(), "{body}");
        assert_eq!(news["data"]["course"], "ai");
        for secret in ["17", "points", "Ada", "below", "hush"] {
            let data = news["data"].to_string().replace(&told, "");
            assert!(!data.contains(secret), "{secret}: {data}");
        }
    }
    assert!(ids.iter().all(|id| *id == ids[0]), "a repeated message keeps its id: {ids:?}");

    site.post(Some(&teacher), address, "webhook=").await.leads_to();
    let silent = site.result_of(&ada, 5).await;
    site.app.hub().finish(&silent.parse().unwrap(), &suite.id);
    let heard = tokio::time::timeout(Duration::from_secs(1), news.recv()).await;
    assert!(heard.is_err(), "the course has chosen none: {heard:?}");
}
