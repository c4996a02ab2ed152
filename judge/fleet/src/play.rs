//! Plays the rounds of a batch in worker processes, and gathers what the players did.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use judge_arena::{ArenaError, Finished, Job, Pool, Told};
use judge_core::{BySeat, Digest, FUEL_PER_MS, MatchSpec, SeatSpec, Transcript};

use crate::gathered::Gathered;

/// What is told of each round, in their order. Nothing of the pool's but its workers, its tables and its
/// way to stop is used.
pub(crate) fn play(
    pool: &Pool,
    modules: &BTreeMap<Digest, &[u8]>,
    rounds: &[MatchSpec],
) -> Result<Vec<Told>, ArenaError> {
    let gathered = Arc::new(Gathered::default());
    let pool = Pool {
        journal: Some(gathered.clone()),
        elsewhere: None,
        journal_only: false,
        bounds: None,
        accounts: Vec::new(),
        ..pool.clone()
    };
    let hashes: Vec<&Digest> = modules.keys().collect();
    let bytes: Vec<&[u8]> = modules.values().copied().collect();
    let jobs: Vec<Job> = rounds.iter().map(|spec| job(spec, &hashes)).collect();
    let mut told: Vec<Option<Told>> = rounds.iter().map(|_| None).collect();
    let mut finished = |Finished { job, played }: Finished| {
        let Some(played) = played else { return };
        let transcript = gathered.transcript(&rounds[job]);
        let fuel = transcript.as_ref().map_or(Duration::ZERO, fuel_time);
        let total = Duration::from_nanos(played.timing.total_ns);
        let fault = || played.record.trailer.fault.as_ref().map(|fault| fault.detail.to_string());
        told[job] = Some(Told {
            played: transcript.ok_or_else(|| fault().unwrap_or_default()),
            processor: fuel.max(total) + played.start_up,
            took: total + played.start_up,
            machine: None,
        });
    };
    pool.run(&bytes, &jobs, &|_| false, &mut finished)?;
    let not_played = || Told {
        played: Err("it was not played".to_owned()),
        processor: Duration::ZERO,
        took: Duration::ZERO,
        machine: None,
    };
    Ok(told.into_iter().map(|told| told.unwrap_or_else(not_played)).collect())
}

fn job(spec: &MatchSpec, hashes: &[&Digest]) -> Job {
    let module = |seat| match spec.seat(seat) {
        SeatSpec::Bot { sha256, .. } => hashes.iter().position(|hash| *hash == sha256),
        _ => None,
    };
    Job { spec: spec.clone(), modules: BySeat::from_fn(module) }
}

/// The time that the bots' fuel stands for.
fn fuel_time(transcript: &Transcript) -> Duration {
    let calls = transcript.seats.iter().flat_map(|seat| &seat.fuel);
    Duration::from_millis(calls.fold(0, |sum: u64, fuel| sum.saturating_add(*fuel)) / FUEL_PER_MS)
}
