//! Visibility of hidden testcases.

use judge_report::Visibility;

/// Visibility of hidden testcases.
#[derive(clap::Args)]
pub(crate) struct Secrecy {
    /// Write a version for students: of hidden testcases only what the suite shows (`shows` in
    /// `[hidden]`; by default whether they were passed), and nothing of their rounds. The formats
    /// of course tools always do so.
    #[arg(long)]
    pub(crate) for_student: bool,
    /// Set when students see the results of hidden testcases on Gradescope: `hidden` (never),
    /// `after_published`, `after_due_date` or `visible`.
    #[arg(long, value_name = "WHEN", default_value = "after_published")]
    pub(crate) hidden_visibility: Visibility,
}
