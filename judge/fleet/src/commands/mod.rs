//! The commands of `judge-worker`.

mod status;

use std::error::Error as StdError;
use std::time::Duration;

use judge_fleet::{Machine, MachineSettings, Trust, set_up_role};
use judge_runner::base::workers::{self, Workers};
use judge_runner::bots::builds::{Cache, Scratch};
use tokio::sync::watch;

use crate::Play;

pub(crate) use status::status;

/// Neither the option nor the environment names a database.
#[derive(Debug, thiserror::Error)]
#[error(
    "no database is named; hint: set `JUDGE_DATABASE`, or give `--database postgres://user@host/name`"
)]
pub(crate) struct NoDatabase;

/// Creates tables and queue, and gives a role its rights.
pub(crate) async fn set_up(database: &str, role: &str) -> Result<(), Box<dyn StdError>> {
    let can_end = set_up_role(database, role, &workers::fingerprint()).await?;
    println!("`{role}` can play rounds and do nothing else");
    if !can_end {
        eprintln!(
            "warning: sessions of `{role}` that lock tables cannot be ended\n\nhint: \
             `GRANT {role} TO …` gives that right to the role that distributes rounds"
        );
    }
    Ok(())
}

/// Trusts a machine again.
pub(crate) async fn trust(database: &str, machine: &str) -> Result<(), Box<dyn StdError>> {
    Trust::connect(database).await?.give_back(machine).await?;
    println!("`{machine}` is trusted again: start it");
    Ok(())
}

/// Plays until the program is asked to stop.
pub(crate) async fn play(database: &str, play: Play) -> Result<(), Box<dyn StdError>> {
    let mut workers = Workers::of_this_program()?;
    workers.require_isolation = play.require_isolation;
    if let Err(reason) = workers.use_control_groups() {
        tracing::info!(reason, "no control groups: workers have per-process limits only");
    }
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    // Other users can neither write nor read files there.
    let scratch = Scratch::new("worker-")?;
    let kept = Cache::folder_of_user().map(|folder| folder.join("worker"));
    let settings = MachineSettings {
        name: play.name.unwrap_or_else(host),
        jobs: play.jobs.map_or(processors, usize::from),
        lease: Duration::from_secs(play.lease),
        cache: play.cache.or(kept).unwrap_or_else(|| scratch.path().to_owned()),
        grace: Duration::from_secs(play.grace),
    };
    let (stop, stopped) = watch::channel(false);
    tokio::spawn(async move {
        asked_to_stop().await;
        tracing::info!("asked to stop: batches in progress are finished or returned");
        let _ = stop.send(true);
        // Keeps the sender: dropping it would look like a stop request.
        std::future::pending::<()>().await;
    });
    Ok(Machine::new(database, &workers, settings).run(stopped).await?)
}

/// The host's name, or the process if it has none.
fn host() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    match name.trim() {
        "" => format!("process-{}", std::process::id()),
        name => name.to_owned(),
    }
}

/// Completes when Ctrl-C is pressed, or the system asks the program to end.
async fn asked_to_stop() {
    let interrupt = async { _ = tokio::signal::ctrl_c().await };
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                () = interrupt => {}
                _ = terminate.recv() => {}
            }
            return;
        }
    }
    interrupt.await;
}
