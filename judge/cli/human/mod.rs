//! `judge play human`: a person plays at the terminal. The round is played again from its start
//! after each answer, so taking one back is no different from never having given it.

mod answers;
mod command;
mod input;
mod session;
mod words;

use std::path::PathBuf;

use judge_arena::{Partner, PartnerError};
use judge_core::{MatchSpec, Options, Seat, SeatSpec, Seed};

use crate::bots::{self, BotFile};
use crate::failure::{Exit, Failure};
use crate::{play, trained, worker};

use session::Session;

/// What stands on the command line in place of a bot.
pub(crate) const HUMAN: &str = "human";

pub(crate) fn run(arguments: &play::Arguments) -> Result<Exit, Failure> {
    let seat = arguments.seat();
    let limits = play::limits(arguments);
    let bot = opposing_bot(arguments)?;
    if let Some(bot) = &bot {
        play::check(bot, &limits)?;
    }
    let game = game(arguments, bot.as_ref())?;
    let own = SeatSpec::Human { name: arguments.name.clone().unwrap_or_else(|| HUMAN.to_owned()) };
    let trained = arguments.against.as_deref().map(trained::read).transpose()?.flatten();
    let other = match &trained {
        Some(trained) => trained.seat.clone(),
        None => opponent(arguments, &game, bot.as_ref()),
    };
    let seats = match seat {
        Seat::One => [own, other],
        Seat::Two => [other, own],
    };
    let options: Options = arguments.options.iter().cloned().collect();
    let spec = MatchSpec { game, options, seed: Seed(arguments.seed), seats, limits };
    let mut pool = worker::pool(Some(1), &arguments.walls)?;
    pool.tables = trained.map(|trained| trained.tables).unwrap_or_default();
    let modules: Vec<&[u8]> = bot.iter().map(|bot| bot.submission.module.as_slice()).collect();
    let partner = Partner::new(&pool, &modules, spec.clone()).map_err(|error| match error {
        PartnerError::Setup(error) => Failure::Setup(error),
        PartnerError::Persons => Failure::Judge(error.to_string()),
    })?;
    let played = Session::new(&spec, seat, partner)?.play()?;
    worker::warn_of_missing_walls(&pool);
    match played {
        None => Ok(Exit::Passed),
        Some(record) => play::finish(arguments, &record, seat),
    }
}

fn opposing_bot(arguments: &play::Arguments) -> Result<Option<BotFile>, Failure> {
    match &arguments.against {
        Some(against) if play::is_module(against) => {
            Ok(bots::read_all(&[PathBuf::from(against)])?.pop())
        }
        _ => Ok(None),
    }
}

fn game(arguments: &play::Arguments, bot: Option<&BotFile>) -> Result<String, Failure> {
    if let Some(game) = &arguments.game {
        return Ok(game.clone());
    }
    let claimed = bot.and_then(bots::claimed_game);
    let what = "which game do you want to play?";
    claimed.map(str::to_owned).ok_or_else(|| Failure::usage(what, play::hint_of_games()))
}

fn opponent(arguments: &play::Arguments, game: &str, bot: Option<&BotFile>) -> SeatSpec {
    match bot {
        Some(bot) => play::seat_of(&bot.submission),
        None => SeatSpec::Reference {
            name: arguments.against.clone().unwrap_or_else(|| play::weakest(game)),
        },
    }
}
