//! What a worker process does with a match: sandboxed bots and reference opponents at one table.

use std::time::{Duration, Instant};

use judge_core::{MatchSpec, Player, Seat, SeatSpec};
use judge_referee::TranscriptObserver;
use judge_sandbox::worker::{PlayReply, PlayTiming, ServeError};
use judge_sandbox::{BotPlayer, Compiled};

use crate::stopwatch::Stopwatch;

/// Turns this process into a worker that plays matches until its standard input ends.
///
/// # Errors
/// When the process cannot be confined or its pipes carry nonsense.
pub fn serve() -> Result<(), ServeError> {
    judge_sandbox::worker::serve(&play)
}

/// Plays one match.
///
/// # Errors
/// When the match cannot begin: an unknown game, opponent or option, a missing module.
pub fn play(spec: &MatchSpec, modules: [Option<&Compiled>; 2]) -> Result<PlayReply, String> {
    let begin = Instant::now();
    let mut one = Stopwatch::new(player(spec, Seat::One, modules[0])?);
    let mut two = Stopwatch::new(player(spec, Seat::Two, modules[1])?);
    let mut reply = sit_down(spec, [&mut one, &mut two])?;
    let watches = std::iter::zip(&spec.seats, [one.elapsed, two.elapsed]);
    let bot: Duration = watches.filter(|(seat, _)| seat.is_bot()).map(|(_, time)| time).sum();
    reply.timing = PlayTiming { total_ns: nanoseconds(begin.elapsed()), bot_ns: nanoseconds(bot) };
    Ok(reply)
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

fn player<'a>(
    spec: &MatchSpec,
    seat: Seat,
    module: Option<&'a Compiled>,
) -> Result<Box<dyn Player + 'a>, String> {
    match (spec.seat(seat), module) {
        (SeatSpec::Bot { .. }, Some(module)) => Ok(Box::new(BotPlayer::new(module, spec.limits))),
        (SeatSpec::Bot { name, .. }, None) => Err(format!("no module for the bot `{name}`")),
        (SeatSpec::Reference { name }, _) => {
            let game = judge_referee::find(&spec.game).map_err(|error| error.to_string())?;
            judge_referee::reference(game, name, seat, spec.seed).map_err(|error| error.to_string())
        }
    }
}

fn sit_down(spec: &MatchSpec, mut players: [&mut dyn Player; 2]) -> Result<PlayReply, String> {
    let (game, mut state) = judge_referee::start(spec).map_err(|error| error.to_string())?;
    let mut observer = TranscriptObserver::default();
    let [one, two] = &mut players;
    let conclusion = judge_referee::play(game, state.as_mut(), [*one, *two], &mut observer);
    let mut transcript = observer.transcript;
    transcript.fault = conclusion.fault.filter(|_| observer.player_failed);
    for (seat, player) in std::iter::zip(&mut transcript.seats, players) {
        let usage = player.usage();
        seat.peak_memory_bytes = usage.peak_memory_bytes;
        seat.log = usage.log;
        seat.log_dropped = usage.log_dropped;
    }
    Ok(PlayReply { transcript, timing: PlayTiming::default() })
}
