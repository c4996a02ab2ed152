//! Accepts connections, bounds their number and time, and closes them in order.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use axum::extract::connect_info::ConnectInfo;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tower::service_fn;

use super::permits::ConnectionPermits;

/// Time for the head of a request, including the next one on a kept connection.
const HEADERS: Duration = Duration::from_secs(15);

/// Time for requests under way when the server stops.
const LAST_REQUESTS: Duration = Duration::from_secs(5);

/// Serves until `stop` completes, and then finishes the requests under way. Behind a proxy, one
/// address may have all connections.
///
/// # Errors
/// When the listener fails for good.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    behind_proxy: bool,
    stop: impl Future<Output = ()>,
) -> std::io::Result<()> {
    let permits = ConnectionPermits::new(behind_proxy);
    let connections = GracefulShutdown::new();
    tokio::pin!(stop);
    loop {
        let room = tokio::select! {
            room = permits.room() => room,
            () = &mut stop => break,
        };
        let (stream, peer) = tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok(accepted) => accepted,
                // Out of file descriptors, or a client that has already disconnected.
                Err(error) => {
                    tracing::warn!(%error, "a connection cannot be accepted");
                    tokio::time::sleep(Duration::from_millis(100)).await;
                    continue;
                }
            },
            () = &mut stop => break,
        };
        // Closed without an answer, which would cost the time that this saves.
        let Some(place) = permits.take(room, peer.ip()) else { continue };
        let connection = connections.watch(connection(stream, peer, router.clone()));
        tokio::spawn(async move {
            // A disconnected client is not logged.
            let _ = connection.await;
            drop(place);
        });
    }
    drop(listener);
    tokio::select! {
        () = connections.shutdown() => {}
        () = tokio::time::sleep(LAST_REQUESTS) => tracing::info!("open pages were cut off"),
    }
    Ok(())
}

/// One connection, with the client's address for limits and the log.
fn connection(
    stream: TcpStream,
    peer: SocketAddr,
    router: Router,
) -> impl hyper_util::server::graceful::GracefulConnection<Error = hyper::Error> {
    let service = service_fn(move |mut request: hyper::Request<hyper::body::Incoming>| {
        request.extensions_mut().insert(ConnectInfo(peer));
        let router = router.clone();
        async move {
            let response = tower::ServiceExt::oneshot(router, request.map(axum::body::Body::new));
            Ok::<_, Infallible>(response.await.unwrap_or_else(|never| match never {}))
        }
    });
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(HEADERS);
    builder.serve_connection(TokioIo::new(stream), TowerToHyperService::new(service))
}
