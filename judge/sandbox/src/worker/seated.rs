//! A bot in rounds with the referee in the parent, so that two bots of different authors never share
//! a process or its memory. Several rounds of the same bot may be under way, each in its slot.

use std::time::Instant;

use judge_core::{Player, PlayerFault};

use super::message::{BotTurn, BotTurnReply, Inspected, Reply};
use super::room;
use super::serve::guarded;
use crate::{BotPlayer, Compiled, SLOTS};

/// The rounds of the loaded bot.
#[derive(Default)]
pub(super) struct RoundSlots([Option<RoundSlot>; SLOTS as usize]);

struct RoundSlot {
    player: BotPlayer<'static>,
    /// The bot's limit.
    memory_bytes: u64,
}

impl RoundSlots {
    /// Sends the lines of all turns.
    pub(super) fn turns(&mut self, module: &'static Compiled, turns: &[BotTurn]) -> Reply {
        if !room::is_there_for(self.memory_bytes(turns)) {
            return Reply::NoRoom;
        }
        let mut replies = Vec::with_capacity(turns.len());
        let played = guarded(|| {
            for turn in turns {
                let Some(slot) = self.0.get_mut(usize::from(turn.slot)) else {
                    return Reply::Failed("no such slot".to_owned());
                };
                match play(slot, module, turn) {
                    Some(reply) => replies.push(reply),
                    None => return Reply::Failed("no bot is seated".to_owned()),
                }
            }
            Reply::Loaded
        });
        if matches!(played, Reply::Loaded) { Reply::Turned(replies) } else { played }
    }

    /// The profile and trace of the bot in a slot.
    pub(super) fn inspect(&mut self, slot: u8) -> Reply {
        let Some(Some(slot)) = self.0.get_mut(usize::from(slot)) else {
            return Reply::Failed("no bot is seated".to_owned());
        };
        let player = &mut slot.player;
        guarded(|| {
            let (profile, trace) = (player.profile(), player.trace().to_vec());
            let log = String::from_utf8_lossy(&player.usage().log).into_owned();
            Reply::Inspected(Box::new(Inspected { profile, trace, log }))
        })
    }

    /// The memory that the bot may have in all its rounds, those that begin now included.
    fn memory_bytes(&self, turns: &[BotTurn]) -> u64 {
        let seated = self.0.iter().flatten().map(|slot| slot.memory_bytes);
        let new = turns.iter().filter_map(|turn| Some(turn.begin.as_ref()?.limits.memory_bytes));
        seated.chain(new).fold(0, u64::saturating_add)
    }
}

/// Sends the lines of a turn; none if no bot is seated.
fn play(
    slot: &mut Option<RoundSlot>,
    module: &'static Compiled,
    turn: &BotTurn,
) -> Option<BotTurnReply> {
    if let Some(begin) = &turn.begin {
        let player = BotPlayer::new(module, begin.limits).with_random(begin.random, begin.seat);
        let player = player.measured(begin.measured).strict(begin.strict);
        *slot = Some(RoundSlot { player, memory_bytes: begin.limits.memory_bytes });
    }
    let player = &mut slot.as_mut()?.player;
    let (begin, mut reply) = (Instant::now(), BotTurnReply::default());
    reply.fault = send(player, turn, &mut reply).err();
    reply.bot_ns = u64::try_from(begin.elapsed().as_nanos()).unwrap_or(u64::MAX);
    if turn.finish {
        reply.usage = Some(player.usage());
        *slot = None;
    }
    Some(reply)
}

fn send(
    player: &mut BotPlayer<'_>,
    turn: &BotTurn,
    reply: &mut BotTurnReply,
) -> Result<(), PlayerFault> {
    let mut lines = turn.lines.lines().peekable();
    while let Some(line) = lines.next() {
        let asked = turn.question && lines.peek().is_none();
        let fuel = match asked {
            true => player.ask(line, &mut reply.answer)?,
            false => player.notice(line)?,
        };
        reply.fuel.push(fuel);
    }
    Ok(())
}
