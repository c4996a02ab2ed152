//! Locks on files that only one judge at a time may write.

use std::fs::{File, TryLockError};
use std::time::Duration;

/// Number of attempts to lock a file, and the pause between them: a second in all, because a
/// starting process needs part of it on a busy machine.
const TRIES: u32 = 100;
const PAUSE: Duration = Duration::from_millis(10);

/// Locks a file for this judge until it is closed; false if another judge holds the lock.
///
/// It tries for a second: a process that was started while the file was open has a copy of it until
/// it runs its own program, and so keeps the lock of a holder that has ended. Some file systems
/// have no locks; on them the user has to take care.
pub fn lock(file: &File) -> bool {
    lock_pausing(file, || std::thread::sleep(PAUSE))
}

/// The same with another pause between two attempts.
fn lock_pausing(file: &File, mut pause: impl FnMut()) -> bool {
    for _ in 0..TRIES {
        match file.try_lock() {
            Ok(()) | Err(TryLockError::Error(_)) => return true,
            Err(TryLockError::WouldBlock) => pause(),
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::{TRIES, lock, lock_pausing};

    #[test]
    fn only_a_short_lock_is_waited_for() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        let open = || std::fs::File::open(file.path()).expect("a file");
        let (first, second) = (open(), open());
        assert!(lock(&first));
        let mut pauses = 0;
        assert!(!lock_pausing(&second, || pauses += 1), "it is kept");
        assert_eq!(pauses, TRIES);
        let (mut first, mut pauses) = (Some(first), 0);
        let leave_soon = || {
            pauses += 1;
            first.take_if(|_| pauses == 3);
        };
        assert!(lock_pausing(&second, leave_soon));
        assert_eq!(pauses, 3);
    }
}
