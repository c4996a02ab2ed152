//! The one way out: requests to addresses that the operator has named, with bounds on time and size.
//! Nothing that a user or an instructor writes becomes an address here.

use std::time::Duration;

use axum::http::{Request, Response};
use ureq::Agent;
use ureq::tls::{RootCerts, TlsConfig};

/// Time for a whole request.
const TIME: Duration = Duration::from_secs(10);

/// Most bytes of an answer.
const MOST: u64 = 1 << 20;

/// Asks other servers. Redirects are not followed, and no proxy of the environment is asked.
#[derive(Debug, Clone)]
pub struct Outside(Agent);

/// A request that has no answer.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Unanswered(String);

impl Unanswered {
    /// A request that has no answer for that reason.
    pub fn new(why: String) -> Unanswered {
        Unanswered(why)
    }
}

impl Default for Outside {
    fn default() -> Outside {
        // The system's certificates: an operator may have a certificate authority of their own.
        let tls = TlsConfig::builder().root_certs(RootCerts::PlatformVerifier).build();
        let config = Agent::config_builder()
            .timeout_global(Some(TIME))
            .max_redirects(0)
            // A connection that waited for the next request may be closed by then.
            .max_idle_connections(0)
            .http_status_as_error(false)
            .proxy(None)
            .user_agent("judge-server")
            .tls_config(tls);
        Outside(config.build().new_agent())
    }
}

impl Outside {
    /// The answer to a request, whatever its status is. Waits for it.
    ///
    /// # Errors
    /// When there is none, or it is too long.
    pub fn ask(&self, request: Request<Vec<u8>>) -> Result<Response<Vec<u8>>, Unanswered> {
        let failed = |error: ureq::Error| Unanswered(error.to_string());
        let (parts, body) = self.0.run(request).map_err(failed)?.into_parts();
        let body = body.into_with_config().limit(MOST).read_to_vec().map_err(failed)?;
        Ok(Response::from_parts(parts, body))
    }
}
