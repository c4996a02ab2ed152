//! Rounds in a worker process, between sandboxed bots and reference opponents.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use judge_core::{BySeat, GivenAnswers, Player, RoundSpec, Seat, SeatSpec, SeatTranscript};
use judge_referee::{Overruling, SetupError, Tables, answers, person, sit_down};
use judge_sandbox::worker::{Host, Life, PlayReply, PlayTiming, ServeError};
use judge_sandbox::{BotPlayer, Compiled};

use crate::stopwatch::Stopwatch;

/// Turns this process into a worker that plays rounds until its standard input ends.
///
/// # Errors
/// When the process cannot be confined, or its pipe carries invalid requests.
pub fn serve(life: &Life) -> Result<(), ServeError> {
    judge_sandbox::worker::serve(&Worker::default(), life)
}

/// Plays one round without trained players. A person in it gives the answers of `script` and then
/// gives up, so the round ends at the first question without an answer.
///
/// # Errors
/// When the round cannot begin: an unknown game, opponent or option, a missing module or table.
pub fn play(
    spec: &RoundSpec,
    modules: BySeat<Option<&Compiled>>,
    script: &[String],
) -> Result<PlayReply, String> {
    Worker::default().play(spec, modules, &GivenAnswers::answers(script))
}

/// A worker with the tables that it received.
#[derive(Default)]
struct Worker {
    tables: Mutex<Tables>,
}

impl Worker {
    fn tables(&self) -> MutexGuard<'_, Tables> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Host for Worker {
    fn keep(&self, table: &[u8]) -> Result<(), String> {
        self.tables().add(table).map(|_| ()).map_err(|error| error.to_string())
    }

    fn play(
        &self,
        spec: &RoundSpec,
        modules: BySeat<Option<&Compiled>>,
        given: &GivenAnswers,
    ) -> Result<PlayReply, String> {
        let begin = Instant::now();
        let script = answers(&given.answers);
        let seated = |seat: Seat| {
            let player = player(spec, seat, modules[seat], &script, &self.tables());
            player.map(Stopwatch::new)
        };
        let (mut one, mut two) = (seated(Seat::One)?, seated(Seat::Two)?);
        let mut again = |seat: Seat, spent: u64| {
            let mut left = spec.clone();
            left.limits.fuel = left.limits.fuel.saturating_sub(spent);
            player(&left, seat, modules[seat], &script, &self.tables()).ok()
        };
        let given = Overruling { answers: given, again: &mut again };
        let transcript = sit_down(spec, [&mut one, &mut two], Some(given))
            .map_err(|error: SetupError| error.to_string())?;
        let watches = std::iter::zip(&spec.seats, [one.elapsed, two.elapsed]);
        let bot: Duration = watches.filter(|(seat, _)| seat.is_bot()).map(|(_, time)| time).sum();
        let timing =
            PlayTiming { total_ns: nanoseconds(begin.elapsed()), bot_ns: nanoseconds(bot) };
        Ok(PlayReply { transcript, timing })
    }
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// The player of a seat: a bot if its module is given, or one of the judge's own players.
pub(crate) fn player<'a>(
    spec: &RoundSpec,
    seat: Seat,
    module: Option<&'a Compiled>,
    script: &'a SeatTranscript,
    tables: &Tables,
) -> Result<Box<dyn Player + 'a>, String> {
    match (spec.seat(seat), module) {
        (SeatSpec::Bot { .. }, Some(module)) => {
            Ok(Box::new(BotPlayer::new(module, spec.limits).seeded(spec.seed, seat)))
        }
        (SeatSpec::Bot { name, .. }, None) => Err(format!("no module for the bot `{name}`")),
        (SeatSpec::Human { .. }, _) => Ok(Box::new(person(script))),
        (SeatSpec::Native { .. }, _) => Err(SetupError::Native { seat }.to_string()),
        (SeatSpec::Reference { name }, _) => {
            let game = judge_referee::find(&spec.game).map_err(|error| error.to_string())?;
            judge_referee::reference(game, name, seat, spec.seed).map_err(|error| error.to_string())
        }
        (SeatSpec::Trained { name, sha256 }, _) => {
            let learned = tables.find(&spec.game, &spec.options, name, sha256);
            Ok(learned.map_err(|error| error.to_string())?.player(seat, spec.seed))
        }
    }
}
