//! A round of a program outside the sandbox.

use judge_arena::Job;
use judge_core::{BySeat, Listener, SeatSpec};

use super::setting::Opponent;
use super::{HUMAN, NativeRequest, Outcome, RoundSetup, person_not_first, read_bot};
use crate::Error;
use crate::base::workers::{self, Workers};
use crate::bots;
use crate::bots::native::{NativePlayer, NativeSetup};
use crate::bots::players;

/// Plays a round of a program outside the sandbox against a module, or against the opponent of the
/// setup.
///
/// # Errors
/// If the program cannot be found or the system cannot run it, a module cannot be read or is
/// refused, or the game, option or opponent is unknown. A fault in the round is not an error.
pub fn run_native(
    request: &NativeRequest,
    workers: &Workers,
    events: &mut dyn Listener,
) -> Result<Outcome, Error> {
    let NativeRequest { native, bot, setting } = request;
    super::refuse_beginning(setting)?;
    if setting.against.as_deref() == Some(HUMAN) {
        return Err(person_not_first());
    }
    match bot {
        Some(_) => check(native, setting)?,
        None => native.check()?,
    }
    let own = bot.as_ref().map(|bot| read_bot(bot, &setting.limits, events)).transpose()?;
    let Opponent { bot: other, trained } = match &own {
        Some(_) => Opponent { bot: None, trained: None },
        None => Opponent::read(setting, None, events)?,
    };
    let module = own.as_ref().or(other.as_ref());
    let game = setting.game(module, "which game does the program play?")?;
    if let Some(bot) = module {
        bots::tell_of_other_game(bot, &game, events)?;
    }
    let (first, second) = match &own {
        Some(bot) => (players::seat_of(&bot.submission), native.seat()),
        None => (native.seat(), setting.opposite(&game, other.as_ref(), trained.as_ref())),
    };
    if let SeatSpec::Reference { name } = &second {
        judge_referee::check(&game, &setting.options, name)?;
        players::tell_that_a_file_is_not_meant(name, events)?;
    }
    let spec = setting.spec(game, first, second);
    let modules = BySeat::from_fn(|seat| spec.seat(seat).is_bot().then_some(0));
    let tables = trained.map(|trained| trained.tables).unwrap_or_default();
    let run = workers.clone().with_jobs(1).run().with_tables(tables);
    let code: Vec<&[u8]> = module.iter().map(|bot| bot.submission.module.as_slice()).collect();
    let mut player = NativePlayer::new(native.clone(), spec.limits.log_bytes);
    let record = run.play_native(&code, &Job { spec, modules }, &mut player)?;
    workers::tell_of_missing_walls(&run, events)?;
    Ok(Outcome { record, seat: setting.seat, trace: Vec::new() })
}

/// Checks a program that plays against a named first player.
pub(super) fn check(native: &NativeSetup, setting: &RoundSetup) -> Result<(), Error> {
    if let Some(against) = &setting.against {
        let what = format!("two opponents: the native program and `{against}`");
        return Err(Error::usage(what, "leave out `--against`, or the bot before it"));
    }
    native.check()
}
