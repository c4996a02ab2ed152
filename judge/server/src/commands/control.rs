//! The socket through which a command reaches the running server of the same data folder. It is in
//! that folder and open only to this account. A command sends its task as a line of JSON and gets
//! the outcome back.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{UnixListener, UnixStream};

use super::Failed;
use super::task::Task;
use crate::App;
use crate::config::Config;

/// Name of the socket in the folder of the data.
const SOCKET: &str = "control.sock";

/// Most bytes of a task.
const MOST: u64 = 1 << 20;

/// Time that a command has to send its task.
const PATIENCE: Duration = Duration::from_secs(10);

/// The outcome of a task.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Outcome {
    out: String,
    /// The error's text and exit code, if the task failed.
    failed: Option<(String, u8)>,
}

/// The open socket; dropping it removes the file.
pub(super) struct Control(PathBuf);

impl Drop for Control {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Starts to listen to commands. A server also works without the socket, so a failure is only
/// logged.
pub(super) fn listen(app: &App) -> Option<Control> {
    let path = app.config().data.join(SOCKET);
    match bind(&path) {
        Ok(listener) => {
            let app = app.clone();
            tokio::spawn(async move {
                while let Ok((stream, _)) = listener.accept().await {
                    let app = app.clone();
                    tokio::spawn(async move { answer(&app, stream).await });
                }
            });
            Some(Control(path))
        }
        Err(error) => {
            tracing::warn!(%error, "commands cannot reach this server");
            None
        }
    }
}

fn bind(path: &Path) -> std::io::Result<UnixListener> {
    // The lock on the folder is ours, so a killed server left the socket in it.
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let listener = UnixListener::bind(path)?;
    std::fs::set_permissions(path, Permissions::from_mode(0o600))?;
    Ok(listener)
}

async fn answer(app: &App, mut stream: UnixStream) -> std::io::Result<()> {
    let mut line = String::new();
    let mut reader = BufReader::new((&mut stream).take(MOST));
    match tokio::time::timeout(PATIENCE, reader.read_line(&mut line)).await {
        Ok(read) => read?,
        Err(_) => return Ok(()),
    };
    let mut outcome = Outcome::default();
    let done = match serde_json::from_str::<Task>(&line) {
        Ok(task) => task.work(app.config(), app.store(), &mut outcome.out).await,
        Err(error) => {
            let text = format!("the server has a different version: {error}");
            Err(Failed::There { text, code: 3 })
        }
    };
    outcome.failed = done.err().map(|failed| (failed.to_string(), failed.code()));
    let text = serde_json::to_string(&outcome)?;
    stream.write_all(text.as_bytes()).await?;
    stream.shutdown().await
}

/// Passes a task to the server that runs on this folder; none if no server runs there.
pub(super) async fn ask(
    config: &Config,
    task: &Task,
    out: &mut String,
) -> Option<Result<(), Failed>> {
    let stream = UnixStream::connect(config.data.join(SOCKET)).await.ok()?;
    Some(match exchange(stream, task).await {
        Ok(outcome) => {
            out.push_str(&outcome.out);
            outcome.failed.map_or(Ok(()), |(text, code)| Err(Failed::There { text, code }))
        }
        Err(error) => Err(Failed::System(error)),
    })
}

async fn exchange(mut stream: UnixStream, task: &Task) -> std::io::Result<Outcome> {
    let line = serde_json::to_string(task)? + "\n";
    stream.write_all(line.as_bytes()).await?;
    let mut text = String::new();
    stream.read_to_string(&mut text).await?;
    Ok(serde_json::from_str(&text)?)
}
