//! The worst round of a testcase, found by playing all of its rounds as grading does.

use judge_core::{IgnoreEvents, TestcaseReport};
use judge_grading::{Repeat, Secrets, Suite, Testcase, deciding_round, round_budgets};

use crate::Error;
use crate::base::workers::Workers;
use crate::bots::BotSource;
use crate::rounds::play::RoundSetup;

/// The round of a testcase that decided it or, if the bot passed, that scored least, and a sentence
/// about the choice.
///
/// # Errors
/// If the testcase's seeds are secret, or the judge fails.
pub(super) fn round(
    testcase: &Testcase,
    own: &BotSource,
    workers: &Workers,
) -> Result<(RoundSetup, String), Error> {
    let suite = suite_of(testcase);
    let own = own.fitting(&suite);
    let report = judge_arena::grade(&workers.run(), &suite, &[own], &mut IgnoreEvents)?;
    let case = report.bots.first().and_then(|bot| bot.testcases.first());
    let setup = case.and_then(|case| Some((worst(case)?, case)));
    let Some((at, case)) = setup else {
        let what = format!("no round of `{}` was played", testcase.name);
        return Err(Error::usage(what, "name a testcase with known seeds"));
    };
    let fuel = round_budgets(testcase.limits.fuel, &case.rounds).get(at).copied().flatten();
    let round = &case.rounds[at];
    let repeat = Repeat::new(testcase, round.seed, fuel.unwrap_or(testcase.limits.fuel));
    let note = format!(
        "the worst of the {} rounds of `{}`: round {}, seed {}",
        case.rounds.len(),
        testcase.name,
        round.round,
        round.seed
    );
    Ok((RoundSetup::from(&repeat), note))
}

/// The index of the worst round.
fn worst(case: &TestcaseReport) -> Option<usize> {
    let decided = deciding_round(case).map(|round| round.round);
    let decided = decided.and_then(|round| case.rounds.iter().position(|one| one.round == round));
    decided.or_else(|| (0..case.rounds.len()).min_by_key(|at| case.rounds[*at].score))
}

fn suite_of(testcase: &Testcase) -> Suite {
    Suite {
        name: testcase.name.clone(),
        title: testcase.title.clone(),
        testcases: vec![testcase.clone()],
        rank: None,
        locked: Vec::new(),
        absent: None,
        files: Vec::new(),
        secrets: Secrets::default(),
    }
}
