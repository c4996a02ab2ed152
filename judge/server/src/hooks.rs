//! Webhooks: notify addresses from the operator's settings that a submission was graded. A message
//! does not contain the result; the receiver asks the server for it. Messages are signed as
//! <https://www.standardwebhooks.com> says.

use std::time::Duration;

use axum::http::{Request, Response, StatusCode};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use hmac::{Hmac, Mac as _};
use judge_store::{Error, SubmissionId, Timestamp};
use serde::Serialize;
use sha2::Sha256;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::task::JoinHandle;

use crate::App;
use crate::config::Webhook;
use crate::outside::{Outside, Unanswered};

/// Waits between attempts to deliver a message, which is given up after the last one.
const PAUSES: [Duration; 3] =
    [Duration::from_secs(1), Duration::from_secs(10), Duration::from_secs(60)];

/// The message.
#[derive(Debug, Serialize)]
struct News {
    /// `submission.graded`.
    r#type: &'static str,
    /// When the message was made, in UTC.
    timestamp: String,
    data: HookSubmission,
}

/// A submission that was graded.
#[derive(Debug, Serialize)]
struct HookSubmission {
    course: String,
    suite: String,
    submission: String,
    /// Address of the submission's page, for readers who may see it.
    page: String,
}

/// Starts a task for each webhook, so that a slow one does not delay the others.
pub fn start(app: &App) -> Vec<JoinHandle<()>> {
    start_with(app, PAUSES)
}

/// Starts a task for each webhook, with given waits.
pub fn start_with(app: &App, pauses: [Duration; 3]) -> Vec<JoinHandle<()>> {
    let task = |hook: &Webhook| {
        let (app, hook, results) = (app.clone(), hook.clone(), app.hub().follow_results());
        tokio::spawn(async move { run(&app, &hook, results, pauses).await })
    };
    app.config().webhooks.iter().map(task).collect()
}

async fn run(
    app: &App,
    hook: &Webhook,
    mut results: Receiver<SubmissionId>,
    pauses: [Duration; 3],
) {
    let outside = Outside::default();
    loop {
        let submission = match results.recv().await {
            Ok(submission) => submission,
            Err(RecvError::Lagged(many)) => {
                tracing::warn!(webhook = hook.name, many, "too slow: messages were dropped");
                continue;
            }
            Err(RecvError::Closed) => return,
        };
        match news(app, hook, &submission).await {
            Ok(Some(graded)) => deliver(&outside, hook, graded, pauses).await,
            Ok(None) => {}
            Err(error) => tracing::error!(%error, "the message for a webhook cannot be made"),
        }
    }
}

/// The message for a submission; none if its course has not chosen this webhook.
async fn news(
    app: &App,
    hook: &Webhook,
    submission: &SubmissionId,
) -> Result<Option<HookSubmission>, Error> {
    let store = app.store();
    let Some(found) = store.submission(submission).await? else { return Ok(None) };
    let Some(suite) = store.suite(&found.suite).await? else { return Ok(None) };
    let Some(course) = store.course(&suite.course).await? else { return Ok(None) };
    if course.webhook.as_ref() != Some(&hook.name) {
        return Ok(None);
    }
    let page = format!("{}/submissions/{submission}", app.config().base_url());
    let submission = submission.to_string();
    Ok(Some(HookSubmission { course: course.slug, suite: suite.slug, submission, page }))
}

/// Sends a message until it is accepted, refused for good, or has failed too often.
async fn deliver(outside: &Outside, hook: &Webhook, graded: HookSubmission, pauses: [Duration; 3]) {
    let id = format!("msg_{}", graded.submission);
    let (r#type, timestamp) = ("submission.graded", Timestamp::now().to_string());
    let news = News { r#type, timestamp, data: graded };
    let body = serde_json::to_vec(&news).expect("texts are JSON");
    let mut pauses = pauses.into_iter();
    loop {
        let answer = send(outside, hook, &id, &body).await;
        let what = match &answer {
            Ok(answer) if answer.status().is_success() => return,
            Ok(answer) => answer.status().to_string(),
            Err(error) => error.to_string(),
        };
        let next = pauses.next().filter(|_| may_be_taken_later(&answer));
        let Some(pause) = next else {
            tracing::warn!(webhook = hook.name, what, "given up");
            return;
        };
        tracing::info!(webhook = hook.name, what, "to be tried again");
        tokio::time::sleep(pause).await;
    }
}

/// True if the same request may be accepted later.
fn may_be_taken_later(answer: &Result<Response<Vec<u8>>, Unanswered>) -> bool {
    let Ok(answer) = answer else { return true };
    let later = [StatusCode::REQUEST_TIMEOUT, StatusCode::TOO_MANY_REQUESTS];
    answer.status().is_server_error() || later.contains(&answer.status())
}

async fn send(
    outside: &Outside,
    hook: &Webhook,
    id: &str,
    body: &[u8],
) -> Result<Response<Vec<u8>>, Unanswered> {
    let seconds = Timestamp::now().millis().div_euclid(1000);
    let request = Request::post(&hook.url)
        .header("content-type", "application/json")
        .header("webhook-id", id)
        .header("webhook-timestamp", seconds)
        .header("webhook-signature", signature(hook.secret.reveal(), id, seconds, body))
        .body(body.to_vec());
    let request = request.map_err(|error| Unanswered::new(error.to_string()))?;
    let outside = outside.clone();
    let asked = tokio::task::spawn_blocking(move || outside.ask(request)).await;
    asked.map_err(|error| Unanswered::new(error.to_string()))?
}

/// The signature: `v1,` and the HMAC-SHA-256 of id, time and body in base64.
fn signature(secret: &str, id: &str, seconds: i64, body: &[u8]) -> String {
    let mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).expect("any length is a key");
    let mac = mac.chain_update(format!("{id}.{seconds}.")).chain_update(body);
    format!("v1,{}", BASE64_STANDARD.encode(mac.finalize().into_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_signature_is_that_of_the_standard() {
        // printf 'msg_a.1700000000.{"x":1}' | openssl dgst -sha256 -hmac key -binary | base64
        let signed = signature("key", "msg_a", 1_700_000_000, b"{\"x\":1}");
        assert_eq!(signed, "v1,C9G+SsdPyyXO+hXic8oAhGeX7fBtri2yEVwO58Oc5yY=");
    }

    #[test]
    fn a_permanently_refused_request_is_not_repeated() {
        let answer =
            |status: u16| Ok(Response::builder().status(status).body(vec![]).expect("one"));
        let again: Vec<u16> = [200, 302, 400, 404, 408, 410, 429, 500, 503]
            .into_iter()
            .filter(|status| may_be_taken_later(&answer(*status)))
            .collect();
        assert_eq!(again, [408, 429, 500, 503]);
    }
}
