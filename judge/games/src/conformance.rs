//! Requirements for every registered game, checked by playing it with its own reference opponents.

mod driver;
mod pointing;
#[cfg(test)]
mod recorded;
mod showing;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use judge_core::{Options, Player, Scoring, Seat, Seed};

use crate::{Game, GameState, IllegalMove, OpponentInfo, OptionError};
use driver::play_visiting;
pub(crate) use driver::{Played, play};

/// A promise of [`Game`] or [`GameState`] that a game breaks.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{game}` breaks \"{property}\": {detail}")]
pub struct Violation {
    /// Name of the game.
    pub game: &'static str,
    /// The required property.
    pub property: &'static str,
    /// The violation.
    pub detail: String,
}

/// A property and its check.
type Property = (&'static str, fn(&dyn Game) -> Result<(), String>);

/// All properties, in the order in which they are checked.
const PROPERTIES: [Property; 16] = [
    ("names and keys are words, and unique", names),
    ("defaults are accepted, other keys and values are not", options),
    ("the greeting has the rules and not the seed", facts),
    ("random play comes to an end in lines of the protocol", random_play),
    ("every opponent can play both seats", opponents),
    ("no score is larger than the largest", bounded),
    ("ranked by score if scores say more than the winner", scored),
    ("equal seeds give equal matches", repeatable),
    ("other seeds give other matches", seeded),
    ("a wrong answer is refused and changes nothing, a forfeit loses", refusals),
    ("legal answers are sorted, distinct, counted and taken", showing::legal),
    ("a state is one line, and is read back as it was", showing::states),
    ("no text is a state that cannot be played", showing::any_state),
    ("the standing at the end is the outcome", showing::standing),
    ("every view has a frame and a picture", showing::views),
    ("pointing leads to every legal answer and to no other", pointing::pointing),
];

/// Seeds for random play. The numbers are long, so that a leaked one is easy to find.
const SEEDS: std::ops::Range<u64> = 8_140_406_085_191_602..8_140_406_085_191_622;

/// Answers that no question of any game accepts.
const NONSENSE: [&str; 6] = ["", " ", "?", "no such answer", "\u{7f}\u{0}", "ÄÖÜ 1:2"];

/// Plays the game in many ways.
///
/// # Errors
/// The first property that does not hold.
pub fn check(game: &dyn Game) -> Result<(), Violation> {
    PROPERTIES.iter().try_for_each(|(property, holds)| {
        holds(game).map_err(|detail| Violation { game: game.name(), property, detail })
    })
}

/// `Err` with the detail unless the claim holds.
fn ensure(claim: bool, detail: impl FnOnce() -> String) -> Result<(), String> {
    if claim { Ok(()) } else { Err(detail()) }
}

fn is_word(text: &str) -> bool {
    !text.is_empty()
        && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"_-".contains(&b))
}

fn names(game: &dyn Game) -> Result<(), String> {
    ensure(is_word(game.name()), || format!("name `{}`", game.name()))?;
    ensure(!game.title().is_empty() && !game.summary().is_empty(), || "no title".to_owned())?;
    ensure(!game.opponents().is_empty(), || "no opponents".to_owned())?;
    distinct_words(game.opponents().iter().map(|opponent| opponent.name))?;
    distinct_words(game.options().iter().map(|option| option.key))
}

fn distinct_words(words: impl Iterator<Item = &'static str>) -> Result<(), String> {
    let mut seen = BTreeSet::new();
    for word in words {
        ensure(is_word(word) && seen.insert(word), || format!("`{word}`"))?;
    }
    Ok(())
}

/// A round with default options; the seed decides its luck.
fn start(game: &dyn Game, seed: u64) -> Result<Box<dyn GameState>, String> {
    game.start(&Options::new(), Seed(seed)).map_err(|error| error.to_string())
}

fn set(key: &str, value: &str) -> Options {
    Options::from([(key.to_owned(), value.to_owned())])
}

fn options(game: &dyn Game) -> Result<(), String> {
    let plain = start(game, SEEDS.start)?.facts();
    for option in game.options() {
        let spelled_out = game
            .start(&set(option.key, option.default), Seed(SEEDS.start))
            .map_err(|error| error.to_string())?;
        ensure(spelled_out.facts() == plain, || format!("the default of `{}`", option.key))?;
        let nonsense = game.start(&set(option.key, "no such value"), Seed(SEEDS.start));
        let refused = matches!(nonsense, Err(OptionError::Value { key, .. }) if key == option.key);
        ensure(refused, || format!("`{}` may be anything", option.key))?;
    }
    let unknown = game.start(&set("no_such_option", "1"), Seed(SEEDS.start));
    ensure(matches!(unknown, Err(OptionError::Unknown { .. })), || "unknown keys pass".to_owned())
}

fn facts(game: &dyn Game) -> Result<(), String> {
    let told = start(game, SEEDS.start)?.facts();
    for token in told.split(' ').filter(|_| !told.is_empty()) {
        let pair = token.split_once('=');
        let clean = pair.is_some_and(|(key, value)| is_word(key) && !value.is_empty());
        ensure(clean, || format!("`{token}` is not `key=value`"))?;
    }
    ensure(!told.contains(&SEEDS.start.to_string()), || format!("the seed is in `{told}`"))?;
    let other = start(game, SEEDS.end)?.facts();
    ensure(told == other, || format!("`{told}` depends on the seed: `{other}`"))
}

/// Plays one round between two opponents of the list, all seeds derived from one.
fn between(game: &dyn Game, seats: [&OpponentInfo; 2], seed: u64) -> Result<Played, String> {
    let mut players = seated(seats, seed);
    let [one, two] = &mut players;
    let played = play(&mut *start(game, seed)?, &mut [one, two]);
    played.map_err(|error| {
        format!("{} against {}, seed {seed}: {error}", seats[0].name, seats[1].name)
    })
}

fn seated(seats: [&OpponentInfo; 2], seed: u64) -> [Box<dyn Player>; 2] {
    [(seats[0].create)(Seat::One, Seed(seed)), (seats[1].create)(Seat::Two, Seed(seed))]
}

/// The weakest opponent on both sides: the one closest to random legal play.
fn weakest(game: &dyn Game) -> [&'static OpponentInfo; 2] {
    [&game.opponents()[0]; 2]
}

/// Every opponent in both seats, against the weakest.
fn pairings(game: &dyn Game) -> impl Iterator<Item = [&'static OpponentInfo; 2]> {
    let first = weakest(game)[0];
    game.opponents().iter().flat_map(move |other| [[other, first], [first, other]])
}

fn random_play(game: &dyn Game) -> Result<(), String> {
    SEEDS.clone().try_for_each(|seed| between(game, weakest(game), seed).map(|_| ()))
}

fn opponents(game: &dyn Game) -> Result<(), String> {
    pairings(game).try_for_each(|seats| between(game, seats, SEEDS.start).map(|_| ()))
}

fn bounded(game: &dyn Game) -> Result<(), String> {
    let Some(most) = game.max_score(&Options::new()) else { return Ok(()) };
    let mut seeds = SEEDS;
    seeds.try_for_each(|seed| {
        let Played { outcome, .. } = between(game, weakest(game), seed)?;
        let fits = outcome.scores.into_iter().all(|score| score <= most);
        ensure(fits, || format!("{outcome:?}, and the largest is {most}"))
    })
}

/// A game is ranked by its scores if, and only if, they say more than the winner does: winners are
/// ahead by different numbers.
fn scored(game: &dyn Game) -> Result<(), String> {
    let mut ahead = Vec::new();
    for seed in SEEDS {
        let Played { outcome, .. } = between(game, weakest(game), seed)?;
        if outcome.winner.is_some() {
            ahead.push(outcome.scores[0].abs_diff(outcome.scores[1]));
        }
    }
    let is_same = ahead.windows(2).all(|two| two[0] == two[1]);
    let expected = if is_same { Scoring::Result } else { Scoring::Score };
    // Weak players of some games hardly ever win.
    let fits = ahead.len() < 2 || game.scoring() == expected;
    ensure(fits, || format!("winners are ahead by {ahead:?}"))
}

fn repeatable(game: &dyn Game) -> Result<(), String> {
    pairings(game).try_for_each(|seats| {
        let runs = [(); 2].map(|()| between(game, seats, SEEDS.start + 1));
        ensure(runs[0] == runs[1], || format!("{} against {}", seats[0].name, seats[1].name))
    })
}

fn seeded(game: &dyn Game) -> Result<(), String> {
    let matches: Vec<_> = SEEDS.flat_map(|seed| between(game, weakest(game), seed)).collect();
    let same = matches.iter().filter(|played| played.exchanges == matches[0].exchanges).count();
    ensure(same < matches.len(), || "all seeds give the same match".to_owned())?;
    // With the luck of the round fixed, the opponents' own seeds must matter too.
    let by_opponent = |seed| {
        let [mut one, mut two] = seated(weakest(game), seed);
        play(&mut *start(game, SEEDS.start)?, &mut [&mut one, &mut two])
    };
    let first = by_opponent(SEEDS.start)?;
    let mut others = SEEDS.flat_map(by_opponent);
    ensure(others.any(|played| played.exchanges != first.exchanges), || {
        format!("`{}` plays the same with every seed", weakest(game)[0].name)
    })
}

fn refusals(game: &dyn Game) -> Result<(), String> {
    let [mut one, mut two] = seated(weakest(game), SEEDS.start);
    let mut first_problem = Ok(());
    let played =
        play_visiting(&mut *start(game, SEEDS.start)?, &mut [&mut one, &mut two], |running| {
            if first_problem.is_ok() {
                first_problem = refuses_nonsense(running).and_then(|()| forfeits(running));
            }
        });
    first_problem.and(played.map(|_| ()))
}

/// At a question: nonsense is refused, and the state stays.
fn refuses_nonsense(running: &mut dyn GameState) -> Result<(), String> {
    let before = running.frame(crate::View::Everything);
    let long = "x".repeat(driver::MAX_LINE);
    for answer in NONSENSE.into_iter().chain([long.as_str()]) {
        match running.answer(answer) {
            Err(IllegalMove::Malformed(reason)) if !reason.is_empty() => {}
            other => return Err(format!("answer {answer:.20?} gives {other:.99?}")),
        }
        ensure(running.frame(crate::View::Everything) == before, || {
            format!("answer {answer:.20?} changes the match")
        })?;
    }
    Ok(())
}

/// A failing side has lost, and does not gain by it.
fn forfeits(running: &mut dyn GameState) -> Result<(), String> {
    Seat::BOTH.into_iter().try_for_each(|loser| {
        let outcome = running.forfeit(loser);
        let fair = outcome.winner == Some(loser.other())
            && outcome.score(loser) <= outcome.score(loser.other())
            && !outcome.reason.is_empty();
        ensure(fair, || format!("forfeit by seat {loser} gives {outcome:?}"))
    })
}
