//! Draws the pages of rounds, a bounded number at a time and one for each account, and caches the
//! latest.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use judge_store::PersonId;

use crate::turns::{AccountTurns, TooManyRequests, locked};

/// The reason why a text was not drawn.
#[derive(Debug, thiserror::Error)]
pub enum DrawingError {
    /// The account has too many open requests.
    #[error("too many requests from one account are waiting for pictures")]
    TooMany,
    /// The drawing failed, or produced another text.
    #[error("the drawing failed: {0}")]
    Failed(String),
}

impl From<TooManyRequests> for DrawingError {
    fn from(_: TooManyRequests) -> DrawingError {
        DrawingError::TooMany
    }
}

impl DrawingError {
    fn failed(reason: impl std::fmt::Display) -> DrawingError {
        DrawingError::Failed(reason.to_string())
    }
}

/// Most open requests of an account; more are refused.
const OPEN_OF_ONE: usize = 6;

/// Bytes of drawings that are kept.
const KEPT_BYTES: usize = 32 << 20;

/// A drawing has a page and its style.
const TEXTS_OF_A_DRAWING: usize = 2;

/// Drawings under way, and the latest ones.
#[derive(Debug)]
pub struct Drawings {
    turns: AccountTurns,
    kept: Arc<Mutex<DrawingCache>>,
    drawn: Arc<AtomicU64>,
}

/// The latest drawings by their keys, each with the number of its last use.
#[derive(Debug, Default)]
struct DrawingCache {
    texts: BTreeMap<String, (u64, Arc<str>)>,
    bytes: usize,
    uses: u64,
}

impl Default for Drawings {
    /// Leaves at least half of the processors to other requests, on machines with two or more.
    fn default() -> Drawings {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        Drawings::with_room(processors.div_ceil(2).min(processors.saturating_sub(1).max(1)))
    }
}

impl Drawings {
    /// Allows at most that many drawings at a time.
    fn with_room(many: usize) -> Drawings {
        let turns = AccountTurns::new(many, OPEN_OF_ONE);
        Drawings { turns, kept: Arc::default(), drawn: Arc::default() }
    }

    /// Number of drawings so far.
    pub fn drawn(&self) -> u64 {
        self.drawn.load(Ordering::Relaxed)
    }

    /// The text with this key, from the cache or from `draw`. All texts that `draw` returns are
    /// cached.
    ///
    /// When the client of a waiting request disconnects, the request leaves the queue and nothing
    /// is drawn for it.
    ///
    /// # Errors
    /// [`DrawingError::TooMany`] when the account has too many open requests; when `draw` fails.
    pub async fn text<F, E>(&self, person: &PersonId, key: &str, draw: F) -> Result<Arc<str>, E>
    where
        F: FnOnce() -> Result<Vec<(String, String)>, E> + Send + 'static,
        E: From<DrawingError> + Send + 'static,
    {
        if let Some(text) = self.cached(key) {
            return Ok(text);
        }
        let turn = self.turns.turn(person).await.map_err(DrawingError::from)?;
        // Another request of the account may have drawn it meanwhile.
        if let Some(text) = self.cached(key) {
            return Ok(text);
        }
        let (kept, key) = (Arc::clone(&self.kept), key.to_owned());
        self.drawn.fetch_add(1, Ordering::Relaxed);
        // The thread has the turn, so a request of a disconnected client returns it only once the
        // drawing is done.
        let drawing = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            let drawn = draw()?;
            let mut kept = locked(&kept);
            drawn.into_iter().for_each(|(key, text)| kept.put(key, text.into()));
            let missing = || DrawingError::failed("a different text was drawn").into();
            kept.get(&key).ok_or_else(missing)
        });
        drawing.await.map_err(DrawingError::failed)?
    }

    fn cached(&self, key: &str) -> Option<Arc<str>> {
        locked(&self.kept).get(key)
    }
}

impl DrawingCache {
    fn get(&mut self, key: &str) -> Option<Arc<str>> {
        self.uses += 1;
        let (used, text) = self.texts.get_mut(key)?;
        *used = self.uses;
        Some(Arc::clone(text))
    }

    /// Caches a text, and drops the least recently used ones. The two newest stay, whatever their
    /// size: one drawing makes a page and its style.
    fn put(&mut self, key: String, text: Arc<str>) {
        self.uses += 1;
        self.bytes += text.len();
        if let Some((_, old)) = self.texts.insert(key, (self.uses, text)) {
            self.bytes -= old.len();
        }
        while self.bytes > KEPT_BYTES && self.texts.len() > TEXTS_OF_A_DRAWING {
            let oldest = self.texts.iter().min_by_key(|(_, (used, _))| *used);
            let Some(key) = oldest.map(|(key, _)| key.clone()) else { return };
            if let Some((_, text)) = self.texts.remove(&key) {
                self.bytes -= text.len();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;
    use std::sync::mpsc;

    use super::*;

    fn person(letter: &str) -> PersonId {
        letter.repeat(16).parse().expect("an id")
    }

    /// A drawing that counts calls, and waits for a message if it gets a receiver.
    fn draw(
        key: &str,
        count: &Arc<AtomicUsize>,
        wait: Option<mpsc::Receiver<()>>,
    ) -> impl FnOnce() -> Result<Vec<(String, String)>, DrawingError> + Send + 'static {
        let (key, count) = (key.to_owned(), Arc::clone(count));
        move || {
            count.fetch_add(1, Ordering::SeqCst);
            wait.map(|wait| wait.recv());
            Ok(vec![(key.clone(), format!("text of {key}")), (format!("{key}.css"), key)])
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn the_pictures_and_style_of_a_round_are_drawn_once() {
        let (drawings, count) = (Drawings::with_room(1), Arc::default());
        let ada = person("a");
        for key in ["one", "one.css", "one"] {
            let text = drawings.text(&ada, key, draw("one", &count, None)).await.expect("drawn");
            assert!(text.contains("one"));
        }
        assert_eq!(count.load(Ordering::SeqCst), 1);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn an_account_with_many_drawings_does_not_delay_others() {
        let (drawings, count) = (Arc::new(Drawings::with_room(2)), Arc::default());
        let (go, wait) = mpsc::channel();
        let (ada, bob) = (person("a"), person("b"));
        let mut requests = Vec::new();
        let mut wait = Some(wait);
        for number in 0..OPEN_OF_ONE {
            let (own, who) = (Arc::clone(&drawings), ada.clone());
            let drawing = draw(&format!("page {number}"), &count, wait.take());
            let key = format!("page {number}");
            requests.push(tokio::spawn(async move { own.text(&who, &key, drawing).await }));
            while drawings.turns.open_of(&ada) <= number {
                tokio::task::yield_now().await;
            }
        }
        let more = drawings.text(&ada, "more", draw("more", &count, None)).await;
        assert!(matches!(more, Err(DrawingError::TooMany)));
        drawings.text(&bob, "his", draw("his", &count, None)).await.expect("there is room");
        while count.load(Ordering::SeqCst) < 2 {
            tokio::task::yield_now().await;
        }
        assert_eq!(count.load(Ordering::SeqCst), 2, "one of hers, and his");
        // Nothing is drawn for disconnected clients.
        for request in requests.drain(1..) {
            request.abort();
            assert!(request.await.is_err_and(|error| error.is_cancelled()));
        }
        go.send(()).expect("it waits");
        requests.remove(0).await.expect("no panic").expect("drawn");
        assert_eq!(count.load(Ordering::SeqCst), 2);
        while drawings.turns.open_of(&ada) > 0 {
            tokio::task::yield_now().await;
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_disconnected_client_keeps_its_slot_until_the_page_is_drawn() {
        let (drawings, count) = (Arc::new(Drawings::with_room(1)), Arc::default());
        let (go, wait) = mpsc::channel();
        let (ada, drawing) = (person("a"), draw("one", &count, Some(wait)));
        let (own, key) = (Arc::clone(&drawings), "one");
        let request = tokio::spawn(async move { own.text(&ada, key, drawing).await.map(|_| ()) });
        while count.load(Ordering::SeqCst) == 0 {
            tokio::task::yield_now().await;
        }
        request.abort();
        assert!(request.await.is_err());
        assert_eq!(drawings.turns.free(), 0);
        go.send(()).expect("it draws on");
        while drawings.turns.free() == 0 {
            tokio::task::yield_now().await;
        }
        assert!(drawings.cached("one").is_some(), "the next request has it");
    }

    #[test]
    fn the_cache_drops_the_least_recently_used_page() {
        let mut kept = DrawingCache::default();
        let text: Arc<str> = "x".repeat(KEPT_BYTES / 3).into();
        for key in ["a", "b", "c"] {
            kept.put(key.to_owned(), Arc::clone(&text));
        }
        kept.get("a").expect("it is kept");
        kept.put("d".to_owned(), Arc::clone(&text));
        assert_eq!(kept.texts.keys().collect::<Vec<_>>(), ["a", "c", "d"]);
        assert_eq!(kept.bytes, 3 * text.len());
    }
}
