//! Secrecy of hidden testcases.

/// Secrecy of hidden testcases.
#[derive(clap::Args)]
pub(crate) struct Secrecy {
    /// Write a version for students: of hidden testcases only what the suite shows (`shows` in
    /// `[hidden]`; by default whether they were passed), and nothing of their rounds. `junit` and
    /// the formats of course tools always do so.
    #[arg(long)]
    pub(crate) for_student: bool,
}
