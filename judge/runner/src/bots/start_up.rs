//! The start of a bot, before it reads its first line. Scripts are parsed there, so this is where
//! their syntax errors show.

use judge_arena::Job;
use judge_core::{
    Blame, Fault, Limits, Options, RoundSpec, Seat, SeatSpec, Seed, Verdict, digest, printable,
};
use judge_report::{FailedCall, TimePattern};

use crate::base::workers::Workers;
use crate::bots::players;

/// More memory than a script can have at its start, so that no limit is to blame.
pub(crate) const ENOUGH_MEMORY: u64 = 16 << 20;

/// The ends of the sandbox's texts for errors of the start.
const MOMENTS: [&str; 2] = ["before it read its first line", "while starting up"];

/// A failure that a bot repeats in every game and round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FailedStart {
    /// The verdict.
    pub(crate) verdict: Verdict,
    /// The reason. A script's has file and line.
    pub(crate) what: String,
    /// Advice for its author.
    pub(crate) remedy: &'static str,
}

/// The failure of a module with that much memory before it reads its first line. None if it starts,
/// and if the judge cannot try it.
pub(crate) fn failure(module: &[u8], memory_bytes: u64, workers: &Workers) -> Option<FailedStart> {
    let game = judge_games::all().first()?.name();
    let bot = SeatSpec::Bot { name: "bot".to_owned(), sha256: digest(module) };
    // The start has its own budget, and the round ends with the first line.
    let limits = Limits { fuel: 1, memory_bytes, ..Limits::COURSE };
    let spec = RoundSpec {
        game: game.to_owned(),
        options: Options::default(),
        seed: Seed(1),
        seats: [bot, SeatSpec::Reference { name: players::weakest(game) }],
        limits,
    };
    let job = Job { spec, modules: [Some(0), None].into() };
    let record = workers.clone().with_jobs(1).run().play(&[module], &job).ok()?.record;
    let fault = record.trailer.fault.filter(is_of_start)?;
    let what = printable(fault.detail.as_str(), usize::MAX);
    let (verdict, frames) = (fault.verdict, &[]);
    let call =
        FailedCall { verdict, detail: &what, message: None, frames, time: TimePattern::Spread };
    let remedy = call.advice().unwrap_or_default();
    Some(FailedStart { verdict, what, remedy })
}

fn is_of_start(fault: &Fault) -> bool {
    let detail = fault.detail.as_str();
    let is_late = match fault.verdict {
        Verdict::RuntimeError => !MOMENTS.iter().any(|moment| detail.contains(moment)),
        Verdict::TimeLimitExceeded => fault.spent_the_budget(),
        _ => true,
    };
    fault.blame(Seat::One) == Blame::Bot && !is_late
}
