//! A window with a shell in which `judge` is the judge under test.

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use crate::support::{judge, root};

/// Far longer than any step here on a busy machine.
const LONG: Duration = Duration::from_secs(60);

/// Time for the next drawing of a bar, on a busy machine.
const SOON: Duration = Duration::from_secs(20);

/// The prompt of the shell.
const PROMPT: &str = "ready>";

/// Number of windows so far. Each has a separate server.
static WINDOWS: AtomicU32 = AtomicU32::new(0);

/// True if a terminal is available.
pub(crate) fn is_there() -> bool {
    let version = Command::new("tmux").arg("-V").stdout(Stdio::null()).status();
    version.is_ok_and(|status| status.success())
}

/// A window with a shell in a separate folder.
pub(crate) struct Screen {
    server: String,
    folder: tempfile::TempDir,
}

impl Screen {
    /// A window with this number of columns and a waiting shell.
    pub(crate) fn new(columns: u16) -> Screen {
        let folder = tempfile::tempdir().unwrap();
        let number = WINDOWS.fetch_add(1, Ordering::Relaxed);
        let server = format!("judge-test-{}-{number}", std::process::id());
        let screen = Screen { server, folder };
        let program = judge().get_program().to_owned();
        std::os::unix::fs::symlink(program, screen.path().join("judge")).unwrap();
        let path = format!("{}:{}", screen.path().display(), std::env::var("PATH").unwrap());
        let environment = [format!("PATH={path}"), format!("PS1={PROMPT} ")];
        screen.tmux(&[
            &["-f", "/dev/null", "new-session", "-d", "-x", &columns.to_string(), "-y", "50"],
            &["-c", screen.path().to_str().unwrap()],
            &["env", "-u", "NO_COLOR", &environment[0], &environment[1], "sh"],
        ]);
        screen.until("the shell", |text| text.contains(PROMPT));
        screen
    }

    /// The shell's folder.
    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    fn tmux(&self, parts: &[&[&str]]) -> String {
        let mut command = Command::new("tmux");
        command.args(["-L", &self.server]).args(parts.concat()).current_dir(root());
        let output = command.env("LC_ALL", "C.UTF-8").output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    /// Types a text.
    pub(crate) fn write(&self, text: &str) {
        self.tmux(&[&["send-keys", "-l", text]]);
    }

    /// Types a line.
    pub(crate) fn line(&self, text: &str) {
        self.write(text);
        self.key("Enter");
    }

    /// Presses a key by its name.
    pub(crate) fn key(&self, name: &str) {
        self.tmux(&[&["send-keys", name]]);
    }

    /// Sets the window's number of columns.
    pub(crate) fn resize(&self, columns: u16) {
        self.tmux(&[&["resize-window", "-x", &columns.to_string(), "-y", "50"]]);
    }

    /// The text of the window.
    pub(crate) fn text(&self) -> String {
        self.tmux(&[&["capture-pane", "-p"]])
    }

    /// The text of the window with color codes.
    pub(crate) fn colored(&self) -> String {
        self.tmux(&[&["capture-pane", "-p", "-e"]])
    }

    /// Waits until the window shows the expected text, and returns it.
    pub(crate) fn until(&self, what: &str, wanted: impl Fn(&str) -> bool) -> String {
        let begun = Instant::now();
        loop {
            let text = self.text();
            if wanted(&text) {
                return text;
            }
            assert!(begun.elapsed() < LONG, "{what} does not come:\n{text}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits for the expected text, and returns whether it came within a few seconds.
    pub(crate) fn comes(&self, wanted: impl Fn(&str) -> bool) -> bool {
        let begun = Instant::now();
        while begun.elapsed() < SOON {
            if wanted(&self.text()) {
                return true;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        false
    }

    /// Waits for the end of the last command; returns its exit code and the text of the window.
    pub(crate) fn ended(&self) -> (i32, String) {
        let last = |text: &str| text.trim_end().lines().last().map(str::to_owned);
        let text = self.until("the prompt", |text| last(text).is_some_and(|line| line == PROMPT));
        self.line("echo code=$?");
        let with_code = self.until("the code", |text| exit_code(text).is_some());
        // A slow shell may show the prompt before it has read the command, which is not its end.
        let text = if with_code.contains("\ncode=") { text } else { with_code.clone() };
        (exit_code(&with_code).unwrap(), text)
    }
}

/// The last exit code that the shell printed.
fn exit_code(text: &str) -> Option<i32> {
    text.rsplit("code=").next()?.lines().next()?.trim().parse().ok()
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = Command::new("tmux").args(["-L", &self.server, "kill-server"]).status();
    }
}
