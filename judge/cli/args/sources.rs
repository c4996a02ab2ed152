//! Trust in the folder of a source, and constants of its build.

use judge_core::BotReport;
use judge_report::quoted;
use judge_runner::bots::builds;
use judge_runner::bots::sources::{self, Define};

/// Trust in the folder of a source.
#[derive(clap::Args, Default)]
pub(crate) struct SourceArgs {
    /// Let a source's own folder choose the programs that build it, which run with all your privileges:
    /// a compiler in `node_modules`, build scripts and macros of Rust, settings of cargo,
    /// `asconfig.json`, the versions in `rust-toolchain.toml` and `go.mod`. Only for sources that
    /// you have written or read.
    #[arg(long)]
    trust_project: bool,
}

/// Constants of builds.
#[derive(clap::Args, Default)]
pub(crate) struct DefineArgs {
    /// Set a constant in a source that is built; may be repeated. Without a value, `NAME` is 1. A
    /// macro in C and C++, an integer in AssemblyScript, a string variable of the package `main` in
    /// Go, `option_env!("JUDGE_NAME")` in Rust, and the line `NAME = …` in JavaScript and Python.
    #[arg(short = 'D', long = "define", value_name = "NAME=VALUE")]
    defines: Vec<Define>,
}

impl SourceArgs {
    /// Applies the trust to all builds of this process.
    pub(crate) fn apply(&self) {
        if self.trust_project {
            builds::trust_projects();
        }
    }
}

impl DefineArgs {
    /// Applies the constants to all builds of this process.
    pub(crate) fn apply(&self) {
        sources::define(&self.defines);
    }
}

/// The user's own bot, as arguments of a suggested command.
pub(crate) fn named(path: &str) -> String {
    let trust = if builds::are_projects_trusted() { " --trust-project" } else { "" };
    let define = |define: &Define| format!(" -D {}", quoted(&define.to_string()));
    let defines: String = sources::defines().iter().map(define).collect();
    format!("{}{trust}{defines}", quoted(path))
}

/// [`named`] for a bot that was graded.
pub(crate) fn own(_: &BotReport, path: &str) -> String {
    named(path)
}

/// A bot with another author's source, as an argument of a suggested command.
pub(crate) fn of_others(report: &BotReport, path: &str) -> String {
    quoted(&builds::file_for_commands(report, path))
}
