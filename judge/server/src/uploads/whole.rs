//! Distinguishes truncated modules from invalid ones.

/// The first bytes of every module.
pub const MAGIC: &[u8] = b"\0asm";

/// True if a module's last section is longer than the rest of the file, which means that the file
/// is truncated.
pub fn ends_early(module: &[u8]) -> bool {
    let Some(mut rest) = module.strip_prefix(MAGIC).and_then(|rest| rest.get(4..)) else {
        return module.starts_with(MAGIC);
    };
    while let Some((_, after)) = rest.split_first() {
        let Some((size, content)) = section_size(after) else { return after.len() < LONGEST_SIZE };
        match content.get(size..) {
            Some(next) => rest = next,
            None => return true,
        }
    }
    false
}

/// Most bytes of a section's size.
const LONGEST_SIZE: usize = 5;

/// Reads a size of up to 32 bits, seven in each byte, and returns it with the remaining bytes. None
/// if it is truncated or longer.
fn section_size(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let last = bytes.iter().take(LONGEST_SIZE).position(|byte| byte & 0x80 == 0)?;
    let (size, rest) = bytes.split_at(last + 1);
    let digits = size.iter().rev().fold(0_u64, |sum, byte| (sum << 7) | u64::from(byte & 0x7f));
    Some((usize::try_from(digits).ok()?, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn truncated_and_malformed_modules_get_different_messages() {
        let whole = include_bytes!("../../../../sample-bots/prebuilt/mahjong-straightforward.wasm");
        assert!(!ends_early(whole));
        for length in [4, 7, 9, 20, 500, whole.len() - 1] {
            assert!(ends_early(&whole[..length]), "{length}");
        }
        assert!(!ends_early(b"\0asm\x01\0\0\0"), "a module without sections");
        assert!(!ends_early(b"\0asm\x01\0\0\0\x01\xff\xff\xff\xff\xff\xff"), "no size at all");
        assert!(!ends_early(b"PK\x03\x04"));
    }
}
