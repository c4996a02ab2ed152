//! The opening of a round: everything that its seed and the rules decide before the first question.

use judge_core::RoundSpec;
use judge_games::next_question;

use crate::setup::{SetupError, start};

/// The state when the first question is asked, in the game's own notation.
///
/// # Errors
/// When the match itself cannot begin.
pub fn opening(spec: &RoundSpec) -> Result<String, SetupError> {
    let (_, mut running) = start(spec)?;
    next_question(running.as_mut(), &mut String::new());
    Ok(running.state())
}
