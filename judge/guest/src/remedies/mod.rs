//! Refusals of modules, with remedies in the terms of the compiler that made the module.

mod contents;
mod remedy;

use judge_core::Explanation;

pub use contents::{Contents, Maker};

use crate::intake::IntakeRefusal;

/// Explains a refusal, with the remedy for the module's compiler.
pub fn explain(module: &[u8], refusal: &IntakeRefusal) -> Explanation {
    explained(&Contents::read(module), refusal)
}

/// Explains a refusal of a module after its contents were read.
pub fn explained(contents: &Contents, refusal: &IntakeRefusal) -> Explanation {
    let hint = remedy::of_refusal(contents, refusal).unwrap_or_else(|| refusal.hint());
    Explanation::new(refusal.reason(), hint)
}
