//! Refusals of modules, with remedies in the terms of the compiler that made the module.

mod contents;
mod remedy;

use judge_core::Explanation;
use judge_sandbox::intake::IntakeRefusal;

pub(crate) use contents::Contents;
pub use contents::Maker;

/// Explains a refusal, with the remedy for the module's compiler.
pub(crate) fn explain(module: &[u8], refusal: &IntakeRefusal) -> Explanation {
    explained(&Contents::read(module), refusal)
}

/// Explains a refusal of a module after its contents were read.
pub(crate) fn explained(contents: &Contents, refusal: &IntakeRefusal) -> Explanation {
    let hint = remedy::of_refusal(contents, refusal).unwrap_or_else(|| refusal.hint());
    Explanation::new(refusal.reason(), hint)
}
