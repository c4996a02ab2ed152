//! The rounds to profile.

use std::path::Path;

use judge_core::{Listener, RoundRecord, Seat};
use judge_grading::{Repeat, Testcase};

use super::{ProfiledRounds, Request};
use crate::Error;
use crate::bots::BotSource;
use crate::rounds::play::RoundSetup;
use crate::suites::find_testcase;

/// Finds the rounds, and their one-line title.
pub(super) fn find(
    request: &Request,
    bot: &BotSource,
    events: &mut dyn Listener,
) -> Result<(String, Vec<RoundSetup>), Error> {
    let name = &bot.submission.bot.name;
    let ply = only(request.ply);
    match &request.rounds {
        // The title is known after the round.
        ProfiledRounds::Single(setting) => Ok((String::new(), vec![setting.clone()])),
        ProfiledRounds::Testcase { testcase, round } => {
            let (testcase, rounds) = of_testcase(testcase, *round, bot, events)?;
            if request.ply.is_some() && rounds.len() != 1 {
                return Err(Error::usage("`--ply` needs a round", "add `--round N`"));
            }
            let which = match round {
                Some(number) => format!("round {number} of {}", testcase.seeds.len()),
                None => format!("{} rounds", rounds.len()),
            };
            Ok((format!("{name}: {}, {which}{ply}", testcase.name), rounds))
        }
    }
}

/// Describes a single round in one line.
pub(super) fn title(record: &RoundRecord, seat: Seat, ply: Option<usize>) -> String {
    let spec = &record.header.spec;
    let (game, seed, [own, other]) = (&spec.game, spec.seed, [seat, seat.other()]);
    let [bot, against] = [own, other].map(|seat| spec.seat(seat).name());
    format!("{bot}: {game}, seed {seed} against {against}, seat {seat}{}", only(ply))
}

fn only(ply: Option<usize>) -> String {
    ply.map(|ply| format!(", move {ply}")).unwrap_or_default()
}

/// The title and the rounds of a testcase, or one of the rounds.
fn of_testcase(
    path: &Path,
    round: Option<usize>,
    bot: &BotSource,
    events: &mut dyn Listener,
) -> Result<(Testcase, Vec<RoundSetup>), Error> {
    let testcase = find_testcase(path, std::slice::from_ref(bot), events)?;
    let fuel = testcase.limits.fuel;
    let repeat = |seed| RoundSetup::from(&Repeat::new(&testcase, seed, fuel));
    let all: Vec<RoundSetup> = testcase.seeds.iter().map(|seed| repeat(*seed)).collect();
    if all.is_empty() {
        let what = format!("the seeds of `{}` are secret", testcase.name);
        return Err(Error::usage(what, "measure a testcase with known seeds"));
    }
    let Some(number) = round else { return Ok((testcase, all)) };
    let one = number.checked_sub(1).and_then(|at| all.get(at)).cloned();
    let Some(one) = one else {
        let what = format!("round {number} does not exist: `{}` has {}", testcase.name, all.len());
        return Err(Error::Usage { what, hint: None });
    };
    Ok((testcase, vec![one]))
}
