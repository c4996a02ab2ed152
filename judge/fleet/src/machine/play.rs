//! Plays the rounds of a batch in worker processes.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use judge_arena::{ArenaError, Finished, Job, Pool, Stop, Told, round_modules};
use judge_core::{BySeat, Digest, FUEL_PER_MS, MatchSpec, SeatSpec, Transcript};
use judge_referee::Tables;

use super::blobs::Blobs;
use crate::Error;
use crate::gathered::Gathered;

/// Ends the rounds of a batch that nobody waits for any more.
struct StopOnDrop(Stop);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.now();
    }
}

/// What is told of each round, in their order.
pub(super) async fn batch(
    pool: &Pool,
    blobs: &Blobs,
    rounds: &[MatchSpec],
) -> Result<Vec<Told>, Error> {
    let mut modules = BTreeMap::new();
    for hash in rounds.iter().flat_map(round_modules) {
        if !modules.contains_key(&hash) {
            modules.insert(hash, blobs.bytes(&hash).await?);
        }
    }
    let mut tables = Tables::default();
    for hash in rounds.iter().flat_map(tables_of) {
        let table = blobs.bytes(&hash).await?;
        tables.add(&table).map_err(|error| Error::NoBytes(format!("{hash} ({error})")))?;
    }
    let (gathered, stop) = (Arc::new(Gathered::default()), Stop::default());
    let _guard = StopOnDrop(stop.clone());
    let pool = Pool { journal: Some(gathered.clone()), tables, stop, ..pool.clone() };
    let rounds = rounds.to_vec();
    let played = tokio::task::spawn_blocking(move || play(&pool, &gathered, &modules, &rounds));
    let told = played.await.map_err(|_| Error::Queue("playing panicked".to_owned()))?;
    told.map_err(|error| Error::Queue(error.to_string()))
}

/// The trained tables of a round.
fn tables_of(spec: &MatchSpec) -> impl Iterator<Item = Digest> {
    spec.seats.iter().filter_map(SeatSpec::table)
}

fn play(
    pool: &Pool,
    gathered: &Gathered,
    modules: &BTreeMap<Digest, Vec<u8>>,
    rounds: &[MatchSpec],
) -> Result<Vec<Told>, ArenaError> {
    let hashes: Vec<&Digest> = modules.keys().collect();
    let bytes: Vec<&[u8]> = modules.values().map(Vec::as_slice).collect();
    let job = |spec: &MatchSpec| Job {
        spec: spec.clone(),
        modules: BySeat::from_fn(|seat| match spec.seat(seat) {
            SeatSpec::Bot { sha256, .. } => hashes.iter().position(|hash| *hash == sha256),
            _ => None,
        }),
    };
    let jobs: Vec<Job> = rounds.iter().map(job).collect();
    let mut told: Vec<Option<Told>> = rounds.iter().map(|_| None).collect();
    let mut finished = |Finished { job, played }: Finished| {
        let Some(played) = played else { return };
        let nanoseconds = Duration::from_nanos(played.timing.total_ns);
        let transcript = gathered.transcript(&rounds[job]);
        let processor = transcript.as_ref().map_or(Duration::ZERO, fuel_time);
        let fault = || played.record.trailer.fault.as_ref().map(|fault| fault.detail.to_string());
        told[job] = Some(Told {
            played: transcript.ok_or_else(|| fault().unwrap_or_default()),
            processor: processor.max(nanoseconds) + played.start_up,
        });
    };
    pool.run(&bytes, &jobs, &|_| false, &mut finished)?;
    let not_played =
        || Told { played: Err("it was not played".to_owned()), processor: Duration::ZERO };
    Ok(told.into_iter().map(|told| told.unwrap_or_else(not_played)).collect())
}

/// The time that the bots' fuel stands for.
fn fuel_time(transcript: &Transcript) -> Duration {
    let calls = transcript.seats.iter().flat_map(|seat| &seat.fuel);
    Duration::from_millis(calls.fold(0, |sum: u64, fuel| sum.saturating_add(*fuel)) / FUEL_PER_MS)
}
