//! Rounds that other machines play: what a pool asks of whoever hands them out. The rules are applied
//! here all the same, so another machine is believed what a worker process is, and no more.

use std::fmt::Debug;
use std::time::Duration;

use judge_core::{Digest, RoundSpec, Transcript};

use super::{ArenaError, Pool};

/// Machines that play rounds in place of this machine's worker processes.
pub trait RemotePool: Debug + Send + Sync {
    /// Takes over the rounds of a run of that pool, whose worker processes decide where other machines
    /// contradict each other. The rounds are asked for in about this order, each once, and some never.
    /// Dropping what is returned calls back what nobody has begun.
    ///
    /// # Errors
    /// When they cannot be handed out.
    fn hand_out<'a>(
        &'a self,
        pool: &'a Pool,
        rounds: Vec<RoundSpec>,
        modules: &'a [&'a [u8]],
    ) -> Result<Box<dyn RemoteRun + 'a>, ArenaError>;
}

/// Rounds that were handed out. Called from several threads at once.
pub trait RemoteRun: Send + Sync {
    /// Waits for a round to be played. One that was not handed out before is handed out now.
    ///
    /// # Errors
    /// When nothing can be learned of it, or the run was stopped.
    fn wait(&self, spec: &RoundSpec) -> Result<RemoteResult, ArenaError>;

    /// Learns that the rules make no round of what was told: whoever told it is not asked again, and
    /// somebody else plays the round, which is waited for once more.
    fn disbelieve(&self, spec: &RoundSpec, told: &RemoteResult, why: &str);

    /// Learns that this machine's account of a round is false, although the rules allow it.
    fn expose(&self, spec: &RoundSpec, machine: &str, why: &str);
}

/// What another machine tells of a round.
#[derive(Debug, Clone)]
pub struct RemoteResult {
    /// What the players did; why the judge could not play it.
    pub played: Result<Transcript, String>,
    /// Processor time, start-up and compiling included: measured if the judge played it here, else
    /// the machine's claim.
    pub processor: Duration,
    /// Time that it took, start-up and compiling included.
    pub took: Duration,
    /// Name of the machine; none if the judge played it here, or nobody could.
    pub machine: Option<String>,
}

/// The modules of a run by their digests.
pub fn modules_by_digest<'a>(modules: &[&'a [u8]]) -> Vec<(Digest, &'a [u8])> {
    modules.iter().map(|module| (judge_core::digest(module), *module)).collect()
}
