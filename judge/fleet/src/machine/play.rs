//! The bytes that a batch needs, and the thread that plays it.

use std::collections::{BTreeMap, BTreeSet};

use judge_arena::{Pool, RemoteResult, Run, Stop, round_modules};
use judge_core::{Digest, RoundSpec, SeatSpec};
use judge_referee::Tables;

use super::blobs::Blobs;
use crate::Error;
use crate::play::play;

/// Ends the rounds of a batch that the run no longer needs.
struct StopOnDrop(Stop);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.now();
    }
}

/// Plays a batch, and returns the results of all rounds in order.
pub(super) async fn batch(
    pool: &Pool,
    blobs: &Blobs,
    rounds: &[RoundSpec],
) -> Result<Vec<RemoteResult>, Error> {
    let mut modules = BTreeMap::new();
    let hashes: BTreeSet<Digest> = rounds.iter().flat_map(round_modules).collect();
    for hash in hashes {
        modules.insert(hash, blobs.bytes(&hash).await?);
    }
    let mut tables = Tables::default();
    let hashes: BTreeSet<Digest> = rounds.iter().flat_map(tables_of).collect();
    for hash in hashes {
        let table = blobs.bytes(&hash).await?;
        tables.add(&table).map_err(|error| Error::NoBytes(format!("{hash} ({error})")))?;
    }
    let stop = Stop::default();
    let _guard = StopOnDrop(stop.clone());
    let run = Run::new(pool.clone()).with_tables(tables).with_stop(stop);
    let rounds = rounds.to_vec();
    let played = tokio::task::spawn_blocking(move || {
        let modules = modules.iter().map(|(hash, bytes)| (*hash, bytes.as_slice())).collect();
        play(&run, &modules, &rounds)
    });
    let told = played.await.map_err(|_| Error::Play("the thread panicked".to_owned()))?;
    told.map_err(|error| Error::Play(error.to_string()))
}

/// The trained tables of a round.
fn tables_of(spec: &RoundSpec) -> impl Iterator<Item = Digest> {
    spec.seats.iter().filter_map(SeatSpec::table)
}
