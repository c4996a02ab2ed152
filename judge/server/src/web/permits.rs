//! Permits for connections, which bound their number, in total and per address.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::limits::whole_network;

/// Most connections at a time; more wait to be accepted.
const CONNECTIONS: usize = 4096;

/// File descriptors reserved for the database, workers and uploads. Without them, gradings would
/// fail.
const OTHER_FILES: usize = 512;

/// Fewest connections, even if the system allows very few file descriptors.
const FEWEST: usize = 64;

/// Each address gets at most one in this many of the permits.
const PART: usize = 4;

/// The permits for connections.
#[derive(Debug, Clone)]
pub(super) struct ConnectionPermits {
    all: Arc<Semaphore>,
    of_one: usize,
    of: Arc<Mutex<BTreeMap<IpAddr, usize>>>,
}

/// The permit of a connection; dropping it releases the permit.
#[derive(Debug)]
pub(super) struct ConnectionPermit {
    permits: ConnectionPermits,
    address: IpAddr,
    _permit: OwnedSemaphorePermit,
}

impl ConnectionPermits {
    /// As many permits as the system has file descriptors for. Behind a proxy, one address may have
    /// all of them, because all connections are the proxy's.
    pub(super) fn new(behind_proxy: bool) -> ConnectionPermits {
        ConnectionPermits::with_limit(most(), behind_proxy)
    }

    fn with_limit(many: usize, behind_proxy: bool) -> ConnectionPermits {
        let of_one = if behind_proxy { many } else { many / PART };
        ConnectionPermits { all: Arc::new(Semaphore::new(many)), of_one, of: Arc::default() }
    }

    /// Waits for room for one more connection.
    pub(super) async fn room(&self) -> OwnedSemaphorePermit {
        let all = Arc::clone(&self.all);
        all.acquire_owned().await.expect("it is never closed")
    }

    /// The permit of a connection from that address; none if it has too many.
    pub(super) fn take(
        &self,
        room: OwnedSemaphorePermit,
        address: IpAddr,
    ) -> Option<ConnectionPermit> {
        let address = whole_network(address);
        let mut counts = self.counts();
        let count = counts.get(&address).copied().unwrap_or_default();
        if count >= self.of_one {
            return None;
        }
        counts.insert(address, count + 1);
        Some(ConnectionPermit { permits: self.clone(), address, _permit: room })
    }

    fn counts(&self) -> MutexGuard<'_, BTreeMap<IpAddr, usize>> {
        self.of.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        let mut counts = self.permits.counts();
        if let Some(count) = counts.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.address);
            }
        }
    }
}

/// Number of connections that the file descriptors suffice for. Raises the soft limit, because
/// systems give a program few at first.
#[cfg(unix)]
fn most() -> usize {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    let wanted = (CONNECTIONS + OTHER_FILES) as u64;
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let mut files = current.unwrap_or(u64::MAX);
    if files < wanted {
        let more = maximum.map_or(wanted, |maximum| maximum.min(wanted));
        if setrlimit(Resource::Nofile, Rlimit { current: Some(more), maximum }).is_ok() {
            files = more;
        }
    }
    let files = usize::try_from(files).unwrap_or(usize::MAX);
    files.saturating_sub(OTHER_FILES).clamp(FEWEST, CONNECTIONS)
}

#[cfg(not(unix))]
fn most() -> usize {
    CONNECTIONS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn connections_of_one_address_leave_permits_for_others() {
        let permits = ConnectionPermits::with_limit(8, false);
        let [one, other] =
            ["203.0.113.7", "2001:db8:1:2::3"].map(|text| text.parse().expect("one"));
        let first = permits.take(permits.room().await, one).expect("a place");
        let second = permits.take(permits.room().await, one).expect("another");
        assert!(permits.take(permits.room().await, one).is_none(), "a quarter of eight");
        // Another address of the same network.
        let same = "2001:db8:1:2:ffff::".parse().expect("one");
        let others =
            [other, same].map(|address| (permits.all.clone().try_acquire_owned(), address));
        let others = others.map(|(room, address)| permits.take(room.expect("room"), address));
        assert!(others.iter().all(Option::is_some));
        assert!(permits.take(permits.room().await, other).is_none());
        drop(first);
        let again = permits.take(permits.room().await, one);
        assert!(again.is_some());
        drop((second, again, others));
        assert!(permits.counts().is_empty() && permits.all.available_permits() == 8);
    }

    #[tokio::test]
    async fn a_proxy_has_all_permits() {
        let permits = ConnectionPermits::with_limit(8, true);
        let proxy = "127.0.0.1".parse().expect("an address");
        let mut all = Vec::new();
        for _ in 0..8 {
            all.push(permits.take(permits.room().await, proxy).expect("a place"));
        }
        assert_eq!(permits.all.available_permits(), 0);
    }

    #[test]
    fn there_is_always_at_least_one_permit() {
        assert!((FEWEST..=CONNECTIONS).contains(&most()));
    }
}
