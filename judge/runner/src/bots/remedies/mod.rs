//! Refusals of modules, with what to do in the words of the compiler that made the module.

mod contents;
mod remedy;

use judge_core::Explanation;
use judge_sandbox::intake::IntakeRefusal;

pub(crate) use contents::Contents;
pub use contents::Toolchain;

/// A refusal in words, with the remedy for the compiler that made the module.
pub(crate) fn explain(module: &[u8], refusal: &IntakeRefusal) -> Explanation {
    explained(&Contents::read(module), refusal)
}

/// The same for contents that are read already.
pub(crate) fn explained(contents: &Contents, refusal: &IntakeRefusal) -> Explanation {
    let hint = remedy::of_refusal(contents, refusal).unwrap_or_else(|| refusal.hint());
    Explanation::new(refusal.reason(), hint)
}
