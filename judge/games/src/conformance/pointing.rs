//! Pointing at the picture leads to every legal answer and to nothing else.

use std::collections::BTreeSet;

use super::ensure;
use super::showing::at_questions;
use crate::{Choices, Game, GameState, Target};

/// Most legal answers of a question at which every sequence of choices is tried.
const WALKED: u64 = 300;

/// Most parts of an answer.
const LONGEST: usize = 256;

/// The targets for pointing and their places, at every question of some random games.
pub(super) fn pointing(game: &dyn Game) -> Result<(), String> {
    at_questions(game, |_, _, running| {
        let targets = running.targets();
        inside(&targets, &running.svg(crate::View::Everything))?;
        apart(&targets)?;
        if running.legal_count() <= WALKED { walk_all(running) } else { walk_one(running) }
    })
}

/// Every target is inside the picture, which begins at 0 0.
fn inside(targets: &[Target], picture: &str) -> Result<(), String> {
    let sizes = picture.split("viewBox=\"0 0 ").nth(1).and_then(|rest| rest.split('"').next());
    let sizes = sizes.into_iter().flat_map(|sizes| sizes.split(' '));
    let sizes: Vec<i32> = sizes.filter_map(|size| size.parse().ok()).collect();
    let [width, height] = sizes[..] else { return Err("a picture without its size".to_owned()) };
    for target in targets {
        let ([left, top], [wide, high]) = (target.at, target.size);
        let fits = left >= 0 && top >= 0 && left + wide <= width && top + high <= height;
        ensure(fits && wide > 0 && high > 0, || format!("{target:?} in {width} x {height}"))?;
    }
    Ok(())
}

/// No place stands for two parts.
fn apart(targets: &[Target]) -> Result<(), String> {
    for (at, one) in targets.iter().enumerate() {
        let over = targets[..at].iter().find(|other| other.part != one.part && overlap(one, other));
        ensure(over.is_none(), || format!("{one:?} overlaps {over:?}"))?;
    }
    Ok(())
}

fn overlap(one: &Target, other: &Target) -> bool {
    (0..2).all(|axis| {
        let ends = [one, other].map(|target| target.at[axis] + target.size[axis]);
        one.at[axis] < ends[1] && other.at[axis] < ends[0]
    })
}

/// All sequences of choices together give the legal answers, each a different one.
fn walk_all(running: &dyn GameState) -> Result<(), String> {
    let mut found = BTreeSet::new();
    let mut open: Vec<Vec<String>> = vec![Vec::new()];
    while let Some(chosen) = open.pop() {
        let Choices { next, answer } = running.choices(&chosen);
        ensure(answer.is_some() || !next.is_empty(), || format!("{chosen:?} leads nowhere"))?;
        if let Some(answer) = answer {
            ensure(found.insert(answer.clone()), || format!("two ways to `{answer}`"))?;
        }
        for choice in next {
            ensure(!choice.words.is_empty(), || format!("no words for `{}`", choice.part))?;
            open.push(chosen.iter().cloned().chain([choice.part]).collect());
        }
    }
    let legal: BTreeSet<String> = running.legal().into_iter().collect();
    let other: Vec<&String> = found.symmetric_difference(&legal).take(3).collect();
    ensure(other.is_empty(), || format!("only by pointing, or only by the rules: {other:?}"))?;
    let nothing = running.choices(&["no such part".to_owned()]);
    ensure(nothing == Choices::default(), || format!("anything may be chosen: {nothing:?}"))
}

/// Choosing the last part each time ends in a legal answer.
fn walk_one(running: &dyn GameState) -> Result<(), String> {
    let mut chosen = Vec::new();
    while chosen.len() < LONGEST {
        let Choices { next, answer } = running.choices(&chosen);
        if let Some(answer) = answer {
            let legal = running.legal();
            let listed = legal.len() >= crate::MAX_LISTED || legal.contains(&answer);
            return ensure(listed, || format!("`{answer}` is not legal"));
        }
        let last = next.into_iter().next_back();
        chosen.push(last.ok_or_else(|| format!("{chosen:?} leads nowhere"))?.part);
    }
    Err(format!("a way without an end: {:?}", &chosen[..4]))
}
