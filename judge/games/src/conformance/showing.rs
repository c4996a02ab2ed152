//! Displays of a round must agree with its play: legal answers, state, standing, counts, frames and
//! pictures, at every question of a random game.

use judge_core::{Options, RoundResult, Seat, Seed};

use super::driver::{self, play_visiting};
use super::{SEEDS, ensure, seated, start, weakest};
use crate::{Game, GameState, MAX_LISTED, ResumeError, Standing, View, next_question};

/// Most legal answers tried at one question; they are spread over the whole list.
const TRIED: usize = 8;

/// Games in which every question is checked.
const GAMES: usize = 2;

/// Runs `check` at every question of some random games, with a round resumed from its state.
pub(super) fn at_questions(
    game: &dyn Game,
    check: fn(&dyn Game, Seed, &mut dyn GameState) -> Result<(), String>,
) -> Result<(), String> {
    for seed in SEEDS.take(GAMES) {
        let [mut one, mut two] = seated(weakest(game), seed);
        let mut found = Ok(());
        let visit = |running: &mut dyn GameState| {
            if found.is_ok() {
                let place = running.state();
                found = check(game, Seed(seed), running).map_err(|e| format!("at `{place}`: {e}"));
            }
        };
        play_visiting(&mut *start(game, seed)?, &mut [&mut one, &mut two], visit)?;
        found?;
    }
    Ok(())
}

/// A round resumed from a state, at its question or end.
fn resume(game: &dyn Game, seed: Seed, state: &str) -> Result<Box<dyn GameState>, ResumeError> {
    let mut resumed = game.resume(&Options::new(), seed, state)?;
    next_question(&mut *resumed, &mut String::new());
    Ok(resumed)
}

/// The legal answers are sorted, distinct, accepted when given, and as many as are counted.
pub(super) fn legal(game: &dyn Game) -> Result<(), String> {
    at_questions(game, |game, seed, running| {
        let legal = running.legal();
        ensure(!legal.is_empty(), || "no legal answer".to_owned())?;
        ensure(legal.is_sorted_by(|a, b| a < b), || format!("not sorted: {legal:.99?}"))?;
        ensure(running.perft(0) == 1, || format!("perft 0 is {}", running.perft(0)))?;
        count(&legal, running)?;
        let told = running.legal_count();
        ensure(told == legal.len() as u64, || format!("{} answers, not {told}", legal.len()))?;
        let state = running.state();
        for answer in legal.iter().step_by(legal.len().div_ceil(TRIED)) {
            ensure(answer.len() <= driver::MAX_LINE, || format!("`{answer}` is too long"))?;
            let mut resumed = resume(game, seed, &state).map_err(|error| error.to_string())?;
            resumed.answer(answer).map_err(|error| format!("`{answer}` is refused: {error}"))?;
            next_question(&mut *resumed, &mut String::new());
        }
        Ok(())
    })
}

/// The list is as long as the count, unless the list may be cut: then counting could take forever.
fn count(legal: &[String], running: &dyn GameState) -> Result<(), String> {
    if legal.len() >= MAX_LISTED {
        return Ok(());
    }
    let counted = running.perft(1);
    ensure(counted == legal.len() as u64, || {
        format!("{} legal answers, perft 1 is {counted}", legal.len())
    })
}

/// A state that is read back is the same state.
pub(super) fn states(game: &dyn Game) -> Result<(), String> {
    at_questions(game, |game, seed, running| {
        let state = running.state();
        let line = state.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ');
        ensure(line && !state.is_empty(), || format!("not a line of ASCII: {state:?}"))?;
        let resumed = resume(game, seed, &state).map_err(|error| error.to_string())?;
        let again = resumed.state();
        ensure(again == state, || format!("read back as `{again}`"))?;
        ensure(resumed.legal() == running.legal(), || "other legal answers".to_owned())?;
        ensure(resumed.standing() == running.standing(), || {
            format!("standing {:?}, read back {:?}", running.standing(), resumed.standing())
        })
    })
}

/// No text makes the parser of states panic, and an accepted one can be played.
pub(super) fn any_state(game: &dyn Game) -> Result<(), String> {
    for text in super::NONSENSE {
        let refused = matches!(resume(game, Seed(SEEDS.start), text), Err(ResumeError::State(_)));
        ensure(refused, || format!("the state {text:?} is taken"))?;
    }
    at_questions(game, |game, seed, running| {
        for text in mutations(&running.state()) {
            match resume(game, seed, &text) {
                Ok(taken) => {
                    let again = resume(game, seed, &taken.state());
                    ensure(again.is_ok_and(|again| again.state() == taken.state()), || {
                        format!("`{text}` is taken as `{}`", taken.state())
                    })?;
                    let _ = (taken.legal(), taken.standing(), taken.frame(View::Everything));
                }
                Err(ResumeError::State(reason)) => {
                    ensure(!reason.is_empty(), || format!("`{text}` is refused without a reason"))?;
                }
                Err(ResumeError::Option(error)) => return Err(error.to_string()),
            }
        }
        Ok(())
    })
}

/// Some texts that differ a little from a state: a byte dropped, doubled, changed; a part swapped.
fn mutations(state: &str) -> Vec<String> {
    let bytes = state.as_bytes();
    let places = (0..bytes.len()).step_by(bytes.len().div_ceil(5).max(1));
    let mut texts: Vec<Vec<u8>> = places
        .flat_map(|at| {
            let (before, after) = (&bytes[..at], &bytes[at + 1..]);
            [
                [before, after].concat(),
                [before, &[bytes[at]; 2], after].concat(),
                [before, &[bytes[bytes.len() - 1 - at]], after].concat(),
                [before, b"0", after].concat(),
            ]
        })
        .collect();
    texts.push([bytes, b" ", bytes].concat());
    texts.push(bytes.iter().rev().copied().collect());
    texts.into_iter().filter_map(|text| String::from_utf8(text).ok()).collect()
}

/// At the end the standing is the outcome, and nothing is legal any more.
pub(super) fn standing(game: &dyn Game) -> Result<(), String> {
    for seed in SEEDS.take(GAMES) {
        let [mut one, mut two] = seated(weakest(game), seed);
        let mut running = start(game, seed)?;
        let mut open = Ok(());
        let played = play_visiting(&mut *running, &mut [&mut one, &mut two], |running| {
            if running.standing().outcome.is_some() {
                open = Err(format!("an outcome at the question at `{}`", running.state()));
            }
        })?;
        open?;
        agrees(&running.standing(), &played.outcome)?;
        let none = running.legal().is_empty() && running.legal_count() == 0;
        ensure(none, || "legal answers after the end".to_owned())?;
        let state = running.state();
        let resumed = resume(game, Seed(seed), &state)
            .map_err(|error| format!("the end `{state}` is refused: {error}"))?;
        agrees(&resumed.standing(), &played.outcome)?;
    }
    Ok(())
}

fn agrees(standing: &Standing, outcome: &RoundResult) -> Result<(), String> {
    let same = standing.outcome.as_ref() == Some(outcome) && standing.scores == outcome.scores;
    ensure(same, || format!("{standing:?} at the end {outcome:?}"))
}

/// Every view gives a frame and a picture, each with an end.
pub(super) fn views(game: &dyn Game) -> Result<(), String> {
    const VIEWS: [View; 3] = [View::Everything, View::Seat(Seat::One), View::Seat(Seat::Two)];
    at_questions(game, |_, _, running| {
        VIEWS.into_iter().try_for_each(|view| {
            let frame = running.frame(view);
            ensure(frame.len() > 1 && frame.ends_with('\n'), || format!("the frame {frame:?}"))?;
            let svg = running.svg(view);
            let whole = svg.starts_with("<svg") && svg.ends_with("</svg>\n");
            ensure(whole, || format!("the picture for {view:?}: {svg:.40?}"))
        })
    })
}
