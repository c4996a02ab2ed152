//! A bound on expensive requests: a few at a time over all accounts, and one per account.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use judge_store::PersonId;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The account has too many open requests.
#[derive(Debug, thiserror::Error)]
#[error("too many open requests from one account")]
pub struct TooManyRequests;

/// The open requests of one kind.
#[derive(Debug)]
pub(crate) struct AccountTurns {
    /// Permits for simultaneous work of all accounts.
    room: Arc<Semaphore>,
    /// Maximum number of open requests per account; further ones are refused.
    most: usize,
    /// The permit to work, and the number of requests, of each account with an open request.
    accounts: Arc<Mutex<BTreeMap<PersonId, Account>>>,
}

#[derive(Debug)]
struct Account {
    turn: Arc<Semaphore>,
    open: usize,
}

/// An open request of an account. Dropping it frees its place.
#[derive(Debug)]
struct OpenRequest {
    accounts: Arc<Mutex<BTreeMap<PersonId, Account>>>,
    person: PersonId,
}

/// Permission to work for an account, until it is dropped.
#[derive(Debug)]
pub struct AccountTurn {
    room: Option<OwnedSemaphorePermit>,
    _turn: OwnedSemaphorePermit,
    _open: OpenRequest,
}

impl AccountTurn {
    /// Makes room for other accounts. This account still has to wait until the turn is dropped.
    pub fn make_room(&mut self) {
        self.room = None;
    }
}

impl AccountTurns {
    /// Allows that many simultaneous turns of all accounts, and that many open requests of each.
    pub(crate) fn new(room: usize, most: usize) -> AccountTurns {
        AccountTurns { room: Arc::new(Semaphore::new(room)), most, accounts: Arc::default() }
    }

    /// Waits for the account's earlier requests, and then for room.
    ///
    /// # Errors
    /// When the account has too many open requests.
    pub(crate) async fn turn(&self, person: &PersonId) -> Result<AccountTurn, TooManyRequests> {
        let (open, turn) = self.open(person)?;
        // The semaphores are never closed.
        let turn = turn.acquire_owned().await.map_err(|_| TooManyRequests)?;
        let room = Arc::clone(&self.room).acquire_owned().await.map_err(|_| TooManyRequests)?;
        Ok(AccountTurn { room: Some(room), _turn: turn, _open: open })
    }

    fn open(&self, person: &PersonId) -> Result<(OpenRequest, Arc<Semaphore>), TooManyRequests> {
        let mut accounts = locked(&self.accounts);
        let new = || Account { turn: Arc::new(Semaphore::new(1)), open: 0 };
        let account = accounts.entry(person.clone()).or_insert_with(new);
        if account.open >= self.most {
            return Err(TooManyRequests);
        }
        account.open += 1;
        let open = OpenRequest { accounts: Arc::clone(&self.accounts), person: person.clone() };
        Ok((open, Arc::clone(&account.turn)))
    }

    /// Number of open requests of an account.
    #[cfg(test)]
    pub(crate) fn open_of(&self, person: &PersonId) -> usize {
        locked(&self.accounts).get(person).map_or(0, |account| account.open)
    }

    /// Number of turns for which there is room.
    #[cfg(test)]
    pub(crate) fn free(&self) -> usize {
        self.room.available_permits()
    }
}

impl Drop for OpenRequest {
    fn drop(&mut self) {
        let mut accounts = locked(&self.accounts);
        if let Some(account) = accounts.get_mut(&self.person) {
            account.open -= 1;
            if account.open == 0 {
                accounts.remove(&self.person);
            }
        }
    }
}

/// Locks a mutex. Threads never panic while they hold one of these.
pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    #[tokio::test]
    async fn an_account_that_frees_a_slot_early_still_has_one_turn() {
        let turns = AccountTurns::new(1, 1);
        let person = |letter: &str| letter.repeat(16).parse::<PersonId>().expect("an id");
        let (ada, bob) = (person("a"), person("b"));
        let mut hers = turns.turn(&ada).await.expect("the first one");
        assert_eq!(turns.free(), 0);
        hers.make_room();
        let his = turns.turn(&bob).now_or_never().expect("there is room").expect("his first one");
        assert!(turns.turn(&ada).await.is_err());
        drop((hers, his));
        assert_eq!((turns.open_of(&ada), turns.free()), (0, 1));
        turns.turn(&ada).await.expect("her place is free");
    }
}
