//! Seeds of pairs, computed from the arena's secret and the pair's number: they are unpredictable,
//! and a pair that is played again after a failure has the same seed.

use judge_core::{Seed, digest};
use sqlx::AnyConnection;

use crate::basics::error::Error;
use crate::basics::id::{self, ArenaId};
use crate::row::Columns as _;

/// Bytes of a secret.
const SECRET: usize = 32;

/// Bits of a seed, as on the command line, so that it fits into a signed 64-bit integer.
const BITS: u32 = 63;

const READ: &str = "SELECT secret FROM arena WHERE id = $1";

/// A new secret.
pub(super) fn new_secret() -> Result<String, Error> {
    id::random(SECRET)
}

/// The seed of the pair with that number.
pub(super) async fn seed(
    connection: &mut AnyConnection,
    arena: &ArenaId,
    number: i64,
) -> Result<Seed, Error> {
    let row = sqlx::query(READ).bind(arena.as_str()).fetch_one(connection).await?;
    Ok(pair_seed(&row.text("secret")?, number))
}

fn pair_seed(secret: &str, number: i64) -> Seed {
    let hash = digest(format!("{secret} {number}").as_bytes());
    let bytes = hash.bytes().iter().take(8);
    let bits = bytes.fold(0_u64, |bits, byte| bits << 8 | u64::from(*byte));
    Seed(bits >> (u64::BITS - BITS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_seed_depends_on_secret_and_number() {
        assert_eq!(pair_seed("a", 1), pair_seed("a", 1));
        assert_ne!(pair_seed("a", 1), pair_seed("a", 2));
        assert_ne!(pair_seed("a", 1), pair_seed("b", 1));
        assert_ne!(new_secret().expect("randomness"), new_secret().expect("randomness"));
        assert!((0..100).all(|number| i64::try_from(pair_seed("a", number).0).is_ok()));
    }
}
