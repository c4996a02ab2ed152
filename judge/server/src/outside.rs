//! Sends all requests to other servers, with bounds on time and size. Addresses come only from the
//! operator's settings, never from a student or an instructor.

use std::sync::Arc;
use std::time::Duration;

use axum::http::{Request, Response};
use tokio::sync::Semaphore;
use ureq::Agent;
use ureq::tls::{RootCerts, TlsConfig};

/// Time for a whole request.
const TIME: Duration = Duration::from_secs(10);

/// Most bytes of an answer.
const MOST: u64 = 1 << 20;

/// A client for other servers. It follows no redirects and uses no proxy from the environment.
#[derive(Debug, Clone)]
pub struct Outside(Agent);

/// A request without a usable answer.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Unanswered(String);

impl Unanswered {
    /// A request that failed for that reason.
    pub fn new(why: String) -> Unanswered {
        Unanswered(why)
    }
}

impl Default for Outside {
    fn default() -> Outside {
        // The system's certificates, because an operator may have their own certificate authority.
        let tls = TlsConfig::builder().root_certs(RootCerts::PlatformVerifier).build();
        let config = Agent::config_builder()
            .timeout_global(Some(TIME))
            .max_redirects(0)
            // The other server may close an idle connection before the next request.
            .max_idle_connections(0)
            .http_status_as_error(false)
            .proxy(None)
            .user_agent("judge-server")
            .tls_config(tls);
        Outside(config.build().new_agent())
    }
}

impl Outside {
    /// Sends a request and waits for the answer, whatever its status.
    ///
    /// # Errors
    /// When the other server does not answer, or its answer is too long.
    pub fn ask(&self, request: Request<Vec<u8>>) -> Result<Response<Vec<u8>>, Unanswered> {
        let failed = |error: ureq::Error| Unanswered(error.to_string());
        let (parts, body) = self.0.run(request).map_err(failed)?.into_parts();
        let body = body.into_with_config().limit(MOST).read_to_vec().map_err(failed)?;
        Ok(Response::from_parts(parts, body))
    }
}

/// Turns to ask a server on a blocking thread, so that a slow one takes only few threads.
#[derive(Debug, Clone)]
pub struct AskTurns(Arc<Semaphore>);

impl AskTurns {
    /// Turns for that many questions at a time; others wait.
    pub fn new(most: usize) -> AskTurns {
        AskTurns(Arc::new(Semaphore::new(most)))
    }

    /// Waits for a turn, and asks on a blocking thread.
    ///
    /// # Errors
    /// When the thread ended without an answer.
    pub async fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Unanswered> {
        let gone = |error: &dyn std::error::Error| Unanswered(error.to_string());
        let turn = self.0.clone().acquire_owned().await.map_err(|error| gone(&error))?;
        let asked = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            question()
        });
        asked.await.map_err(|error| gone(&error))
    }
}
