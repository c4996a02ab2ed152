//! Queue of games, and of incomplete parts.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::Recorded;

/// A game in its part.
#[derive(Debug, Clone, Copy)]
pub(super) struct GameSlot {
    /// Position of the part in the list.
    pub(super) part: usize,
    /// Number of the game.
    pub(super) game: u64,
}

/// Hands out games in order and collects them by part. A complete part is dropped, so there are
/// never more parts in memory than workers.
pub(super) struct Queue<'a> {
    parts: &'a [Range<u64>],
    state: Mutex<RecordingState>,
}

struct RecordingState {
    /// The part of the next game.
    part: usize,
    /// Number of its games already handed out.
    taken: u64,
    is_stopped: bool,
    waiting: BTreeMap<usize, BTreeMap<u64, Recorded>>,
}

impl Queue<'_> {
    pub(super) fn new(parts: &[Range<u64>]) -> Queue<'_> {
        let state =
            RecordingState { part: 0, taken: 0, is_stopped: false, waiting: BTreeMap::new() };
        Queue { parts, state: Mutex::new(state) }
    }

    /// The next game to play.
    pub(super) fn next(&self) -> Option<GameSlot> {
        let mut state = self.state();
        let mut games = self.parts.get(state.part)?;
        while games.start + state.taken >= games.end {
            (state.part, state.taken) = (state.part + 1, 0);
            games = self.parts.get(state.part)?;
        }
        let place = GameSlot { part: state.part, game: games.start + state.taken };
        state.taken += 1;
        Some(place)
    }

    /// Hands out no more games.
    pub(super) fn stop(&self) {
        let mut state = self.state();
        (state.part, state.is_stopped) = (self.parts.len(), true);
    }

    /// True if it was stopped before its end.
    pub(super) fn is_stopped(&self) -> bool {
        self.state().is_stopped
    }

    /// Stores a game; returns the games of its part if that was the last one.
    pub(super) fn put(&self, place: GameSlot, game: Recorded) -> Option<Vec<Recorded>> {
        let mut state = self.state();
        let part = state.waiting.entry(place.part).or_default();
        part.insert(place.game, game);
        let range = &self.parts[place.part];
        if (part.len() as u64) < range.end - range.start {
            return None;
        }
        Some(state.waiting.remove(&place.part)?.into_values().collect())
    }

    /// A worker that panicked has left a consistent state.
    fn state(&self) -> MutexGuard<'_, RecordingState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use judge_core::Fault;

    use super::*;

    fn names(games: &[Recorded]) -> Vec<&str> {
        games.iter().filter_map(|game| game.as_ref().err()).map(|one| one.detail.as_str()).collect()
    }

    fn game(number: u64) -> Recorded {
        Err(Fault::judge(number.to_string()))
    }

    #[test]
    fn games_come_in_order_and_parts_when_they_are_complete() {
        let parts = [3..5, 7..7, 10..13];
        let queue = Queue::new(&parts);
        let mut places: Vec<GameSlot> = std::iter::from_fn(|| queue.next()).collect();
        let numbers: Vec<(usize, u64)> = places.iter().map(|at| (at.part, at.game)).collect();
        assert_eq!(numbers, [(0, 3), (0, 4), (2, 10), (2, 11), (2, 12)]);
        places.reverse();
        let mut complete = places.iter().filter_map(|at| queue.put(*at, game(at.game)));
        assert_eq!(complete.next().as_deref().map(names), Some(vec!["10", "11", "12"]));
        assert_eq!(complete.next().as_deref().map(names), Some(vec!["3", "4"]));
        assert!(complete.next().is_none());
    }

    #[test]
    fn no_game_is_started_after_a_stop() {
        let queue = Queue::new(std::slice::from_ref(&(0..9)));
        assert_eq!(queue.next().map(|at| at.game), Some(0));
        queue.stop();
        assert!(queue.next().is_none());
    }
}
