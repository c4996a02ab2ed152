//! Live pages. Each is a connection that stays open, so their number per person is bounded, and they
//! are cut off when the access with which they were opened ends.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::stream::unfold;
use futures_util::{Stream, StreamExt as _};
use judge_store::{AccessWatch, LostAccess, PersonId, Store, Timestamp, TokenId};
use tokio::sync::oneshot;

/// Most live pages of a person at a time.
pub const OF_ONE: usize = 20;

/// Time between two looks for access that has ended, while live pages are open. Another server can
/// share the database, so a message in this process would not do.
const LOOK_EVERY: Duration = Duration::from_secs(2);

/// The open live pages of each person.
#[derive(Debug, Clone, Default)]
pub struct Streams(Arc<Mutex<OpenStreams>>);

#[derive(Debug, Default)]
struct OpenStreams {
    opened: u64,
    of: BTreeMap<PersonId, Vec<Connected>>,
}

/// A live page. It is cut off when this is dropped.
#[derive(Debug)]
struct Connected {
    number: u64,
    token: TokenId,
    _connected: oneshot::Sender<()>,
}

/// A live page, closed when it is dropped.
#[derive(Debug)]
pub struct OpenStream {
    place: StreamPlace,
    cut: oneshot::Receiver<()>,
}

/// A live page in the list of its person.
#[derive(Debug)]
struct StreamPlace {
    streams: Streams,
    person: PersonId,
    number: u64,
}

impl Streams {
    /// Opens a live page for that person and their session; none if they have too many. Must be
    /// called before the page's rights are checked, so that no change is missed.
    pub fn open(&self, person: &PersonId, token: &TokenId) -> Option<OpenStream> {
        let mut open = self.lock();
        open.opened += 1;
        let number = open.opened;
        let of = open.of.entry(person.clone()).or_default();
        if of.len() >= OF_ONE {
            return None;
        }
        let (connected, cut) = oneshot::channel();
        of.push(Connected { number, token: token.clone(), _connected: connected });
        let place = StreamPlace { streams: self.clone(), person: person.clone(), number };
        Some(OpenStream { place, cut })
    }

    /// Cuts live pages off when the session with which they were opened ends, or the role of their
    /// person changes. A browser opens the page again if it still may.
    pub async fn cut_when_access_ends(self, store: Store) {
        let mut watch = AccessWatch::new(Timestamp::now());
        loop {
            tokio::time::sleep(LOOK_EVERY).await;
            if self.lock().of.is_empty() {
                watch = AccessWatch::new(Timestamp::now());
                continue;
            }
            match watch.look(&store, Timestamp::now()).await {
                Ok(lost) => self.cut(&lost),
                Err(error) => tracing::warn!(%error, "ended sessions cannot be read"),
            }
        }
    }

    fn cut(&self, lost: &LostAccess) {
        self.lock().of.retain(|person, of| {
            of.retain(|one| !lost.tokens.contains(&one.token));
            !of.is_empty() && !lost.people.contains(person)
        });
    }

    fn lock(&self) -> MutexGuard<'_, OpenStreams> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OpenStream {
    /// Passes messages on until they end or the page is cut off, and closes the page then.
    pub fn pass_on<T>(
        self,
        messages: impl Stream<Item = T> + Send,
    ) -> impl Stream<Item = T> + Send {
        let OpenStream { place, cut } = self;
        let messages = Box::pin(messages.take_until(cut));
        unfold((messages, place), |(mut messages, place)| async move {
            let message = messages.next().await?;
            Some((message, (messages, place)))
        })
    }
}

impl Drop for StreamPlace {
    fn drop(&mut self) {
        let mut open = self.streams.lock();
        if let Some(of) = open.of.get_mut(&self.person) {
            of.retain(|one| one.number != self.number);
            if of.is_empty() {
                open.of.remove(&self.person);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use futures_util::FutureExt as _;
    use futures_util::stream::pending;

    use super::*;

    fn id<T: std::str::FromStr<Err: std::fmt::Debug>>(letter: &str) -> T {
        letter.repeat(16).parse().expect("an id")
    }

    #[test]
    fn live_pages_of_one_person_do_not_delay_others() {
        let streams = Streams::default();
        let [ada, bob] = ["a", "b"].map(id::<PersonId>);
        let token = id("t");
        let mut open: Vec<_> =
            (0..OF_ONE).map(|_| streams.open(&ada, &token).expect("room")).collect();
        assert!(streams.open(&ada, &token).is_none());
        let other = streams.open(&bob, &token);
        assert!(other.is_some());
        open.pop();
        assert!(streams.open(&ada, &token).is_some(), "one was closed");
        drop((open, other));
        assert!(streams.lock().of.is_empty());
    }

    #[test]
    fn only_live_pages_without_access_are_closed() {
        let streams = Streams::default();
        let [ada, bob, eve] = ["a", "b", "e"].map(id::<PersonId>);
        let [one, other] = ["t", "u"].map(id::<TokenId>);
        let open = |person, token| {
            let open = streams.open(person, token).expect("room");
            Box::pin(open.pass_on(pending::<()>()))
        };
        let mut all = [open(&ada, &one), open(&ada, &other), open(&bob, &other), open(&eve, &one)];
        let tokens = BTreeSet::from([one.clone()]);
        streams.cut(&LostAccess { tokens, people: BTreeSet::from([bob.clone()]) });
        let ended = all.each_mut().map(|stream| stream.next().now_or_never() == Some(None));
        assert_eq!(ended, [true, false, true, true]);
        drop(all);
        assert!(streams.lock().of.is_empty());
    }
}
