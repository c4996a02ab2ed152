//! Serves until a stop request.

use std::io::IsTerminal as _;
use std::path::Path;
use std::time::Duration;

use judge_fleet::Fleet;
use judge_runner::base::workers::{Workers, code_cache_in, fingerprint};
use judge_runner::bots::builds::{Cache, UploadBuilder, clear};
use judge_store::{NewInvitation, Role, Store, Timestamp};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tracing_subscriber::filter::LevelFilter;

use super::{Failed, open};
use crate::builds::new_folder;
use crate::config::Config;
use crate::{App, app, grading, hooks, mail, retention, web};

/// Lifetime of the link for the first instructor.
const FIRST_LINK: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// Time to hand back gradings under way when the server stops.
const LAST_ROUNDS: Duration = Duration::from_secs(10);

/// Time for the last queries when the server stops. After it, the log of changes remains next to
/// the database, and the next start reads it.
const LAST_QUERIES: Duration = Duration::from_secs(10);

pub(super) async fn run(config: Config) -> Result<(), Failed> {
    start_log(config.log_json);
    let store = match &config.fleet {
        // A machine's role could keep the schema from being brought up to date.
        Some(fleet) => judge_fleet::while_unblocked(&fleet.database, open(&config)).await??,
        None => open(&config).await?,
    };
    let listener = TcpListener::bind(config.listen).await;
    let listener = listener.map_err(|source| Failed::Listen { address: config.listen, source })?;
    let config = Config { listen: listener.local_addr()?, ..config };
    let name = own_name(&config.data)?;
    let parts = App::new(config, store);
    parts.uploads().clear()?;
    if parts.signer().await?.is_none() {
        tracing::warn!("{}", super::copies::NO_KEY);
    }
    // Commands and signals can reach the server as soon as it has printed its address.
    let asked_to_stop = asked_to_stop()?;
    #[cfg(unix)]
    let _control = super::control::listen(&parts);
    greet(parts.config(), parts.store()).await?;
    let mut workers = Workers::of_this_program()?;
    workers.code_cache = Some(code_cache_in(&parts.config().data));
    if let Err(reason) = workers.use_control_groups() {
        tracing::info!(reason, "no control groups: workers have per-process limits only");
        parts.lanes().note_ungrouped();
    }
    if parts.config().builds > 0 {
        let folder = new_folder(&parts.config().data)?;
        parts.builds().open(UploadBuilder::open(&workers, Cache::at(&folder))?);
        parts.builds().warm_up();
        tracing::info!(languages = parts.builds().languages().join(", "), "sources are built");
    }
    if let Some(fleet) = &parts.config().fleet {
        parts.play_on(Fleet::open(&fleet.database, &fingerprint()).await?);
        tracing::info!("rounds are played by the machines that run `judge-worker`");
    }
    let lanes = grading::start(&parts, &name, workers).await?;
    let hooks = hooks::start(&parts);
    let mail = mail::start(&parts);
    let keeping = tokio::spawn(retention::run(parts.clone()));
    let streams = parts.hub().streams().clone();
    let cutting = tokio::spawn(streams.cut_when_access_ends(parts.store().clone()));
    if let Some(probe) = parts.store().probe() {
        let followed = parts.clone();
        tokio::spawn(async move { followed.outage().follow(probe).await });
    }
    let (stopping, mut stopped) = watch::channel(false);
    tokio::spawn(async move {
        asked_to_stop.await;
        tracing::info!("stopping");
        // A request that waits for a build would hold up the stop.
        clear();
        let _ = stopping.send(true);
    });
    let stop = async move { _ = stopped.wait_for(|stopped| *stopped).await };
    let behind_proxy = parts.config().behind_proxy;
    web::serve(listener, app(parts.clone()), behind_proxy, stop).await?;
    parts.lanes().stop();
    parts.rounds().close();
    hooks.iter().chain(&mail).chain([&cutting, &keeping]).for_each(tokio::task::JoinHandle::abort);
    let ended = futures_util::future::join_all(lanes);
    if tokio::time::timeout(LAST_ROUNDS, ended).await.is_err() {
        tracing::warn!("rounds in progress were cut off, and will be played again");
    }
    let closed = parts.store().clone().close();
    if tokio::time::timeout(LAST_QUERIES, closed).await.is_err() {
        tracing::warn!("the database was still in use");
    }
    tracing::info!("stopped");
    Ok(())
}

fn start_log(json: bool) {
    let log = tracing_subscriber::fmt().with_writer(std::io::stderr);
    let log = log.with_max_level(LevelFilter::INFO).with_target(false);
    // A log handler that is already installed, for example by a test, stays.
    let _ = match json {
        true => log.json().try_init(),
        false => log.with_ansi(std::io::stderr().is_terminal()).try_init(),
    };
}

/// Prints the server's address and, for a new database, a link for its first instructor.
async fn greet(config: &Config, store: &Store) -> Result<(), Failed> {
    let base = config.base_url();
    println!("judge-server listens at {base}");
    let now = Timestamp::now();
    if store.has_people().await? {
        return Ok(());
    }
    let (course, person) = (None, None);
    let expires_at = now.after(FIRST_LINK);
    let (role, listed) = (Role::Instructor, None);
    let new = NewInvitation { course, role, person, listed, expires_at };
    let (_, secret) = store.invite(&new, now).await?;
    println!("no administrator yet; open this link to become one:");
    println!("{base}/join/{}", secret.reveal());
    Ok(())
}

/// The server's name in the database, the same at each start.
fn own_name(data: &Path) -> std::io::Result<String> {
    let path = data.join("server-name");
    if let Ok(name) = std::fs::read_to_string(&path) {
        return Ok(name.trim().to_owned());
    }
    let mut random = [0; 8];
    getrandom::fill(&mut random).map_err(std::io::Error::other)?;
    let name = format!("server-{:016x}", u64::from_le_bytes(random));
    std::fs::write(&path, format!("{name}\n"))?;
    Ok(name)
}

/// Starts to listen for Ctrl-C and for the system's stop signal. The returned future completes when
/// one of them arrives.
#[cfg(unix)]
fn asked_to_stop() -> std::io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}

/// Listens for Ctrl-C.
#[cfg(not(unix))]
fn asked_to_stop() -> std::io::Result<impl Future<Output = ()>> {
    Ok(async { _ = tokio::signal::ctrl_c().await })
}
