//! The most expensive answer of a round.

use judge_core::{Call, RoundRecord, Seat};
use judge_grading::Repeat;

use crate::Error;
use crate::rounds::play::RoundSetup;

/// An answer and its cost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Costliest {
    /// The number of the answer among those of both seats, from 1.
    pub(super) ply: usize,
    pub(super) fuel: u64,
    /// The question's first word, and the answer.
    pub(super) question: String,
    pub(super) answer: String,
    /// Arguments of the command that profiles it, without the bot.
    pub(super) arguments: String,
}

impl Costliest {
    /// The more expensive of two answers; the first one if they are equal.
    pub(super) fn larger(self, other: Costliest) -> Costliest {
        if other.fuel > self.fuel { other } else { self }
    }
}

/// A call to the bot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Chosen {
    /// The index of the call among the bot's own, from 0.
    pub(super) call: u32,
    pub(super) fuel: u64,
}

/// Answers of both seats, with their numbers.
fn answers(record: &RoundRecord) -> impl Iterator<Item = (usize, usize, &Call)> {
    let calls = record.calls.iter().enumerate();
    let answered = calls.filter(|(_, call)| call.answer.is_some());
    answered.zip(1..).map(|((at, call), ply)| (ply, at, call))
}

/// The most expensive answer of that seat; the first one if several are equal.
pub(super) fn find(record: &RoundRecord, seat: Seat, setting: &RoundSetup) -> Option<Costliest> {
    let own = answers(record).filter(|(_, _, call)| call.seat == seat);
    let (ply, fuel, call) = own
        .filter_map(|(ply, _, call)| Some((ply, call.fuel?, call)))
        .reduce(|one, other| if other.1 > one.1 { other } else { one })?;
    let spec = &record.header.spec;
    let repeat = Repeat {
        game: spec.game.clone(),
        options: spec.options.clone(),
        seed: spec.seed,
        // A file is named by its path, which the record does not have.
        opponent: setting
            .against
            .as_deref()
            .map_or_else(|| spec.seat(seat.other()).name().to_owned(), judge_report::quoted),
        seat,
        fuel: spec.limits.fuel,
        memory_bytes: spec.limits.memory_bytes,
    };
    Some(Costliest {
        ply,
        fuel,
        question: call.line.split(' ').next().unwrap_or_default().to_owned(),
        answer: call.answer.clone().unwrap_or_default(),
        arguments: format!("{} --ply {ply}", repeat.arguments()),
    })
}

/// Finds the bot's call with that answer.
///
/// # Errors
/// If there is no such answer, or it is not the bot's.
pub(super) fn call_of(record: &RoundRecord, seat: Seat, ply: usize) -> Result<Chosen, Error> {
    let Some((_, at, call)) = answers(record).find(|(number, _, _)| *number == ply) else {
        let what = format!("move {ply} does not exist: the round has {}", answers(record).count());
        return Err(Error::Usage { what, hint: None });
    };
    if call.seat != seat {
        let own = answers(record).filter(|(_, _, call)| call.seat == seat);
        let near = own.map(|(own, _, _)| own).min_by_key(|own| own.abs_diff(ply));
        let what = format!("move {ply} is the opponent's");
        let hint = near.map(|near| format!("the bot's nearest move is `--ply {near}`"));
        return Err(Error::Usage { what, hint });
    }
    let before = record.calls[..at].iter().filter(|call| call.seat == seat).count();
    // A round has far fewer calls.
    let call_number = u32::try_from(before).unwrap_or(u32::MAX);
    Ok(Chosen { call: call_number, fuel: call.fuel.unwrap_or_default() })
}
