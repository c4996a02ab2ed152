//! Other machines that play rounds, connected through a database.

use std::sync::Arc;

use judge_arena::RemotePool;
use judge_runner::Error;

/// Machines that play rounds instead of this one.
#[derive(clap::Args, Default)]
pub(crate) struct MachineArgs {
    /// Have rounds played by the machines that run `judge-worker` on this PostgreSQL database:
    /// `postgres://…`. Changes no result.
    #[arg(long, value_name = "URL", hide = !cfg!(feature = "fleet"))]
    database: Option<String>,
    /// Play this percentage of the rounds on two machines, which must agree. Default: 1.
    #[arg(long, value_name = "PERCENT", requires = "database", hide = !cfg!(feature = "fleet"), value_parser = percent)]
    audit: Option<f64>,
}

impl MachineArgs {
    /// The other machines; none if this machine plays.
    pub(crate) fn remote_pool(&self) -> Result<Option<Arc<dyn RemotePool>>, Error> {
        match &self.database {
            Some(database) => machines(database, self.audit).map(Some),
            None => Ok(None),
        }
    }
}

#[cfg(feature = "fleet")]
fn machines(database: &str, audit: Option<f64>) -> Result<Arc<dyn RemotePool>, Error> {
    use judge_fleet::{Fleet, Terms};
    use judge_runner::base::workers::fingerprint;

    judge_fleet::tell_on_stderr();
    let fleet = Fleet::open_and_wait(database, &fingerprint()).map_err(|error| Error::Input {
        what: error.to_string(),
        hint: Some("start PostgreSQL, or leave `--database` out to play here".to_owned()),
    })?;
    let terms = Terms::default();
    let terms = Terms { audit: audit.map_or(terms.audit, |percent| percent / 100.0), ..terms };
    let purpose = format!("judge {}", std::env::args().nth(1).unwrap_or_default());
    Ok(Arc::new(fleet.dispatch(&purpose, terms)))
}

#[cfg(not(feature = "fleet"))]
fn machines(_: &str, _: Option<f64>) -> Result<Arc<dyn RemotePool>, Error> {
    Err(Error::Input {
        what: "`--database` is not built in: this `judge` plays only on this machine".to_owned(),
        hint: Some("build it with `cargo build --release --features fleet`".to_owned()),
    })
}

/// Parses `--audit`.
fn percent(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if (0.0..=100.0).contains(&number) => Ok(number),
        _ => Err("expected a number from 0 to 100".to_owned()),
    }
}
