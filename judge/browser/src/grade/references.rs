//! A round between two reference opponents, which needs no engine of the page.

use judge_core::{RoundRecord, RoundSpec, Seat};

use super::request::GradeRefusal;
use crate::engine::fingerprint;

/// Plays a round in which a reference opponent has the seat of a bot.
pub(crate) fn between(spec: &RoundSpec) -> Result<RoundRecord, GradeRefusal> {
    let game = judge_referee::find(&spec.game)?;
    let player = |seat| judge_referee::reference(game, spec.seat(seat).name(), seat, spec.seed);
    let (mut one, mut two) = (player(Seat::One)?, player(Seat::Two)?);
    let transcript = judge_referee::sit_down(spec, [one.as_mut(), two.as_mut()], None)?;
    Ok(judge_referee::record(spec, fingerprint(), &transcript)?)
}
