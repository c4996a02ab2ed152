//! A bot in a round with the referee in the parent. Lines pass one by one, so that two bots of
//! different authors never share a process or its memory.

use std::io::{Read, Write};
use std::time::Instant;

use judge_core::Player;

use super::frame::{self, FrameError};
use super::message::{Inspected, LineResult, Reply, Request};
use super::serve::guarded;
use crate::BotPlayer;

/// Passes lines to the bot until the round is over for it.
pub(super) fn serve(
    requests: &mut impl Read,
    replies: &mut impl Write,
    mut player: BotPlayer<'_>,
) -> Result<(), FrameError> {
    frame::write(replies, &Reply::Begun)?;
    while let Some(request) = frame::read(requests)? {
        let (reply, over) = match request {
            Request::Tell { line, question } => (tell(&mut player, &line, question), false),
            Request::Inspect => {
                (guarded(|| Reply::Inspected(Box::new(inspect(&mut player)))), false)
            }
            Request::Finish => (guarded(|| Reply::Used(player.usage())), true),
            _ => (Reply::Failed("a match is under way".to_owned()), true),
        };
        frame::write(replies, &reply)?;
        if over {
            return Ok(());
        }
    }
    Ok(())
}

fn inspect(player: &mut BotPlayer<'_>) -> Inspected {
    Inspected { profile: player.profile(), trace: player.trace().to_vec() }
}

fn tell(player: &mut BotPlayer<'_>, line: &str, question: bool) -> Reply {
    let begin = Instant::now();
    let mut answer = String::new();
    guarded(|| {
        let called = if question { player.ask(line, &mut answer) } else { player.notice(line) };
        let bot_ns = u64::try_from(begin.elapsed().as_nanos()).unwrap_or(u64::MAX);
        match called {
            Ok(fuel) => {
                Reply::Told(LineResult { answer: std::mem::take(&mut answer), fuel, bot_ns })
            }
            Err(fault) => Reply::Faulted(fault),
        }
    })
}
