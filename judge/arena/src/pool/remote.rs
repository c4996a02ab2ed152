//! The interface to other machines that play rounds. The judge applies the rules to their replies,
//! so it trusts another machine no more than a worker process.

use std::fmt::Debug;
use std::time::Duration;

use judge_core::{Digest, RoundSpec, Transcript};

use super::{ArenaError, Run};

/// Machines that play rounds instead of this machine's worker processes.
pub trait RemotePool: Debug + Send + Sync {
    /// Dispatches these rounds of a run. If machines contradict each other, the workers of the run's
    /// pool decide. The caller waits for the rounds in about this order, each once, and for some
    /// never. Dropping the returned run recalls all rounds that have not begun.
    ///
    /// # Errors
    /// When the rounds cannot be dispatched.
    fn dispatch<'a>(
        &'a self,
        run: &'a Run,
        rounds: Vec<RoundSpec>,
        modules: &'a [&'a [u8]],
    ) -> Result<Box<dyn RemoteRun + 'a>, ArenaError>;
}

/// Dispatched rounds. Several threads call it at once.
pub trait RemoteRun: Send + Sync {
    /// Waits for a round. Dispatches it now if that has not happened before.
    ///
    /// # Errors
    /// When its result cannot be obtained, or the run was stopped.
    fn wait(&self, spec: &RoundSpec) -> Result<RemoteResult, ArenaError>;

    /// Rejects a result from which the rules make no round. That machine gets no more rounds,
    /// another one plays the round, and the caller waits for it again.
    fn disbelieve(&self, spec: &RoundSpec, told: &RemoteResult, why: &str);

    /// Reports that the machine's result is false, although the rules allow it.
    fn expose(&self, spec: &RoundSpec, machine: &str, why: &str);
}

/// Another machine's result of a round.
#[derive(Debug, Clone)]
pub struct RemoteResult {
    /// The transcript, or the reason why the judge could not play the round.
    pub played: Result<Transcript, String>,
    /// Processor time, start-up and compiling included: measured if the judge played it here, else
    /// the machine's claim.
    pub processor: Duration,
    /// Wall clock of the round, start-up and compiling included.
    pub took: Duration,
    /// Name of the machine; none if the judge played it here, or it could not be played.
    pub machine: Option<String>,
}

/// The modules of a run by their digests.
pub fn modules_by_digest<'a>(modules: &[&'a [u8]]) -> Vec<(Digest, &'a [u8])> {
    modules.iter().map(|module| (judge_core::digest(module), *module)).collect()
}
