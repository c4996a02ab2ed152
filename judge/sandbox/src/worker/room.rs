//! Memory for a round, reserved before it starts. So a bot's growth can only reach its own cap, and
//! a process with too little memory is replaced before the round.

/// Memory for a round in addition to the bot's, in bytes: answers, logs, the referee and the
/// reference opponents.
const BESIDE: u64 = 128 << 20;

/// True if the process can still get `memory_bytes` for the bot and the memory of the round itself.
/// It frees the memory at once; nothing else in the process uses memory meanwhile.
pub(super) fn is_there_for(memory_bytes: u64) -> bool {
    let Ok(bytes) = usize::try_from(memory_bytes.saturating_add(BESIDE)) else { return false };
    let mut room = Vec::<u8>::new();
    let taken = room.try_reserve_exact(bytes);
    std::hint::black_box(&room);
    taken.is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_memory_is_found_up_to_what_exists() {
        assert!(is_there_for(2 << 20));
        assert!(!is_there_for(1 << 62));
        assert!(!is_there_for(u64::MAX));
    }
}
