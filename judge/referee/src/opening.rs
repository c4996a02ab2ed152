//! The opening of a round: everything that its seed and the rules decide before the first question.

use judge_core::RoundSpec;
use judge_games::next_question;

use crate::setup::{SetupError, start};

/// The state at the first question, in the game's notation.
///
/// # Errors
/// When the round itself cannot begin.
pub fn opening(spec: &RoundSpec) -> Result<String, SetupError> {
    let (_, mut running) = start(spec)?;
    next_question(running.as_mut(), &mut String::new());
    Ok(running.state())
}
