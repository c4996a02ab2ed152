//! Plays the rounds of a batch in worker processes, and gathers the transcripts.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use judge_arena::{Account, ArenaError, Bounds, Finished, Job, RemoteResult, Run};
use judge_core::{BySeat, Digest, RoundRecord, RoundSpec, SeatSpec, Transcript, Verdict};

use crate::memory_store::MemoryStore;

/// No bounds: the side that hands out rounds applies them.
const UNBOUNDED: Bounds = Bounds { processor: Duration::MAX, journal_bytes: u64::MAX };

/// Plays rounds, and returns the results in order. Only the run's workers, tables and stop are
/// used.
pub(crate) fn play(
    run: &Run,
    modules: &BTreeMap<Digest, &[u8]>,
    rounds: &[RoundSpec],
) -> Result<Vec<RemoteResult>, ArenaError> {
    let results = Arc::new(MemoryStore::default());
    let accounts: Vec<Arc<Account>> =
        modules.iter().map(|_| Arc::new(Account::new(UNBOUNDED, None))).collect();
    let run = Run::new(run.pool().clone().with_machines(None))
        .with_tables(run.tables().clone())
        .with_stop(run.stop().clone())
        .with_rounds(results.clone())
        .with_accounts(accounts.clone());
    let hashes: Vec<&Digest> = modules.keys().collect();
    let bytes: Vec<&[u8]> = modules.values().copied().collect();
    let jobs: Vec<Job> = rounds.iter().map(|spec| job(spec, &hashes)).collect();
    let mut told: Vec<Option<RemoteResult>> = rounds.iter().map(|_| None).collect();
    let mut finished = |Finished { job, played }: Finished| {
        let Some(played) = played else { return };
        let transcript = results.transcript(&rounds[job]).or_else(|| refused(&played.record));
        let fault = || played.record.trailer.fault.as_ref().map(|fault| fault.detail.to_string());
        let took = Duration::from_nanos(played.timing.total_ns) + played.start_up;
        told[job] = Some(RemoteResult {
            played: transcript.ok_or_else(|| fault().unwrap_or_default()),
            processor: took,
            took,
            machine: None,
        });
    };
    run.play_all(&bytes, &jobs, &|_| false, &mut finished)?;
    let not_played = || RemoteResult {
        played: Err("it was not played".to_owned()),
        processor: Duration::ZERO,
        took: Duration::ZERO,
        machine: None,
    };
    let mut told: Vec<RemoteResult> =
        told.into_iter().map(|told| told.unwrap_or_else(not_played)).collect();
    share(&mut told, accounts.iter().map(|account| account.unwritten_ms()).sum());
    Ok(told)
}

/// Replaces the time that rounds took by their share of the processor time of all of them, because
/// a worker process plays many rounds and is measured as a whole.
fn share(told: &mut [RemoteResult], processor_ms: u64) {
    let total: Duration = told.iter().map(|round| round.took).sum();
    let part = Duration::from_millis(processor_ms).as_secs_f64() / total.as_secs_f64().max(1e-9);
    for round in told {
        round.processor = round.took.mul_f64(part.max(0.0));
    }
}

/// The transcript of a round with a module that cannot be compiled. No store keeps it, because the
/// refusal is about the module and not about the round.
fn refused(record: &RoundRecord) -> Option<Transcript> {
    let fault = record.trailer.fault.clone();
    let fault = fault.filter(|fault| fault.verdict == Verdict::InvalidModule)?;
    Some(Transcript { fault: Some(fault), ..Transcript::default() })
}

fn job(spec: &RoundSpec, hashes: &[&Digest]) -> Job {
    let module = |seat| match spec.seat(seat) {
        SeatSpec::Bot { sha256, .. } => hashes.iter().position(|hash| *hash == sha256),
        _ => None,
    };
    Job { spec: spec.clone(), modules: BySeat::from_fn(module) }
}
