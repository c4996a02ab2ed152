//! Files that only one judge at a time may write.

use std::fs::{File, TryLockError};
use std::time::Duration;

/// Number of attempts to get a lock, and the pause between them.
const TRIES: u32 = 25;
const PAUSE: Duration = Duration::from_millis(10);

/// Locks a file for this judge until it is closed; false if another one keeps it.
///
/// It is asked for a moment long: a process that was started while the file was open has a copy of
/// it until it runs its own program, and so keeps a lock that has no holder any more. File systems
/// without locks exist; there the user has to see to it.
pub fn lock(file: &File) -> bool {
    for _ in 0..TRIES {
        match file.try_lock() {
            Ok(()) | Err(TryLockError::Error(_)) => return true,
            Err(TryLockError::WouldBlock) => std::thread::sleep(PAUSE),
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::{PAUSE, lock};

    #[test]
    fn a_lock_that_goes_soon_is_waited_for_and_another_is_not() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        let open = || std::fs::File::open(file.path()).expect("a file");
        let (first, second) = (open(), open());
        assert!(lock(&first));
        assert!(!lock(&second), "it is kept");
        let leaving = std::thread::spawn(move || {
            std::thread::sleep(3 * PAUSE);
            drop(first);
        });
        assert!(lock(&second));
        leaving.join().expect("it leaves");
    }
}
