//! Secrecy of hidden testcases.

/// Secrecy of hidden testcases.
#[derive(clap::Args)]
pub(crate) struct Secrecy {
    /// Write a version for students: hidden testcases show only what the suite allows (`shows` in
    /// `[hidden]`; by default whether they were passed), and nothing about their rounds. `junit`
    /// and the formats of course tools always do so.
    #[arg(long)]
    pub(crate) for_student: bool,
}
