//! Limits on the number and form of requests.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::{ConnectInfo, Request, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_ENCODING;
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use tower_governor::governor::GovernorConfigBuilder;
use tower_governor::key_extractor::KeyExtractor;
use tower_governor::{GovernorError, GovernorLayer};

use super::RequestFailure;
use crate::App;
use crate::config::Config;

/// The address that a request comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClientAddress {
    behind_proxy: bool,
}

impl ClientAddress {
    /// The rule for a configuration.
    pub fn new(config: &Config) -> ClientAddress {
        ClientAddress { behind_proxy: config.behind_proxy }
    }

    /// The client's address. A proxy adds it at the end of the header: anything before that comes
    /// from the client and is not trusted.
    fn read<T>(self, request: &axum::http::Request<T>) -> IpAddr {
        let told = request.headers().get_all("x-forwarded-for").iter().next_back();
        let told =
            told.and_then(|value| value.to_str().ok()?.rsplit(',').next()?.trim().parse().ok());
        let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
        let peer = peer.map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |info| info.0.ip());
        let address = told.filter(|_| self.behind_proxy).unwrap_or(peer);
        whole_network(address)
    }
}

/// Reduces an IPv6 address to its first half, because a client usually has all addresses of such a
/// network.
pub(super) fn whole_network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            IpAddr::V6(std::net::Ipv6Addr::from_bits(address.to_bits() >> 64 << 64))
        }
        address @ IpAddr::V4(_) => address,
    }
}

impl KeyExtractor for ClientAddress {
    type Key = IpAddr;

    fn extract<T>(&self, request: &axum::http::Request<T>) -> Result<IpAddr, GovernorError> {
        Ok(self.read(request))
    }
}

/// Time after which addresses without requests are forgotten.
const FORGET: Duration = Duration::from_secs(60);

/// Limits the requests of an address to these routes: `per_second` in the long run, and ten times
/// that in a burst.
pub fn rate_limited(router: Router<App>, config: &Config, per_second: u32) -> Router<App> {
    let mut builder = GovernorConfigBuilder::default();
    let governor = builder
        .per_nanosecond(1_000_000_000 / u64::from(per_second.max(1)))
        .burst_size(per_second.saturating_mul(10).max(1))
        .key_extractor(ClientAddress::new(config))
        .finish()
        .expect("neither period nor burst is zero");
    let limiter = Arc::downgrade(governor.limiter());
    tokio::spawn(async move {
        loop {
            tokio::time::sleep(FORGET).await;
            let Some(limiter) = limiter.upgrade() else { break };
            limiter.retain_recent();
        }
    });
    let refuse = |_| RequestFailure::TooMany.into_response();
    router.layer(GovernorLayer::new(governor).error_handler(refuse))
}

/// Most unknown secrets from one address within [`FORGET`]. A lecture hall shares an address, so
/// only failures count.
const FAILURES: u32 = 100;

/// The unknown secrets that each address sent, with the time of the first one.
#[derive(Debug)]
pub struct FailureLimit {
    client: ClientAddress,
    failures: Mutex<BTreeMap<IpAddr, (Instant, u32)>>,
}

impl FailureLimit {
    /// A limit without failures.
    pub fn new(config: &Config) -> Arc<FailureLimit> {
        let client = ClientAddress::new(config);
        Arc::new(FailureLimit { client, failures: Mutex::default() })
    }

    fn is_reached(&self, address: IpAddr, now: Instant) -> bool {
        let failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        let found = failures.get(&address);
        found.is_some_and(|(first, many)| *many >= FAILURES && now < *first + FORGET)
    }

    fn count(&self, address: IpAddr, now: Instant) {
        let mut failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        failures.retain(|_, (first, _)| now < *first + FORGET);
        failures.entry(address).or_insert((now, 0)).1 += 1;
    }
}

/// Refuses the requests of an address that has sent too many unknown secrets. A request with a
/// known secret never counts.
pub async fn few_failures(
    State(limit): State<Arc<FailureLimit>>,
    request: Request,
    next: Next,
) -> Response {
    let address = limit.client.read(&request);
    if limit.is_reached(address, Instant::now()) {
        return RequestFailure::TooMany.into_response();
    }
    let response = next.run(request).await;
    let failure = response.extensions().get::<RequestFailure>();
    if matches!(failure, Some(RequestFailure::Refused("refusal.invitation_unknown", _))) {
        limit.count(address, Instant::now());
    }
    response
}

/// Refuses compressed bodies, because they may be zip bombs.
pub async fn plain_bodies_only(request: Request, next: Next) -> Response {
    let plain =
        |value: &axum::http::HeaderValue| value.as_bytes().eq_ignore_ascii_case(b"identity");
    if !request.headers().get_all(CONTENT_ENCODING).iter().all(plain) {
        return StatusCode::UNSUPPORTED_MEDIA_TYPE.into_response();
    }
    next.run(request).await
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(behind_proxy: bool, header: &'static str) -> String {
        let request = axum::http::Request::builder().header("x-forwarded-for", header);
        let request = request.body(()).expect("a request");
        ClientAddress { behind_proxy }.read(&request).to_string()
    }

    #[test]
    fn failures_of_an_address_are_forgotten_after_a_minute() {
        let limit = FailureLimit {
            client: ClientAddress { behind_proxy: false },
            failures: Mutex::default(),
        };
        let [one, other] = [1, 2].map(|last| IpAddr::from([192, 0, 2, last]));
        let now = Instant::now();
        for _ in 0..FAILURES {
            assert!(!limit.is_reached(one, now));
            limit.count(one, now);
        }
        assert!(limit.is_reached(one, now) && !limit.is_reached(other, now));
        assert!(!limit.is_reached(one, now + FORGET));
        limit.count(other, now + FORGET);
        assert_eq!(limit.failures.lock().expect("no panic").len(), 1);
    }

    #[test]
    fn only_the_address_added_by_the_proxy_counts() {
        assert_eq!(address(false, "203.0.113.7"), "127.0.0.1");
        assert_eq!(address(true, "1.2.3.4, 203.0.113.7"), "203.0.113.7");
        assert_eq!(address(true, "2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::");
        assert_eq!(address(true, "nonsense"), "127.0.0.1");
    }
}
