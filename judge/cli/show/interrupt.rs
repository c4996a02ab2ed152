//! Ctrl-C in a run that can be resumed: it stops, and shows the result so far and how to resume. A
//! second Ctrl-C ends the judge at once, as it ends any program.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use indicatif::{ProgressBar, WeakProgressBar};
use judge_arena::Stop;
use signal_hook::consts::SIGINT;
use signal_hook::flag;

use super::tell;
use crate::exit::Exit;

/// Interval at which the watch checks for a stop.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Time that rounds in progress may take before the user is told about the wait.
const PATIENCE: Duration = Duration::from_millis(500);

/// Message about the wait.
const WAITING: &str = "stopping after the rounds in progress; press Ctrl-C again to stop at once";

/// Lets the first Ctrl-C stop the run, and the second one end the process.
pub(crate) fn stops(stop: &Stop) {
    // Where the system takes no handler, Ctrl-C ends the judge at once, as without one. The second
    // handler runs after the first: it is the next signal that finds the flag set.
    #[cfg(unix)]
    let _ = flag::register_conditional_default(SIGINT, stop.flag());
    #[cfg(not(unix))]
    let _ = flag::register_conditional_shutdown(SIGINT, Exit::Interrupted as i32, stop.flag());
    let _ = flag::register(SIGINT, stop.flag());
}

/// Lets Ctrl-C end the process at once, as it ends any program, with a word on how to go on. What was
/// recorded until then is kept in any case.
pub(crate) fn ends_with(words: impl Fn() -> String + Send + 'static) {
    let asked = Arc::new(AtomicBool::new(false));
    // The second Ctrl-C finds the flag set, and needs no words.
    #[cfg(unix)]
    let _ = flag::register_conditional_default(SIGINT, Arc::clone(&asked));
    if flag::register(SIGINT, Arc::clone(&asked)).is_err() {
        return;
    }
    // It ends with the process.
    std::thread::spawn(move || {
        while !asked.load(Ordering::Relaxed) {
            std::thread::sleep(LOOK_EVERY);
        }
        tell("");
        words().lines().for_each(tell);
        std::process::exit(i32::from(end() as u8));
    });
}

/// Tells the user, beside the bar of the run, when a run that was stopped takes its time.
pub(crate) fn tell_of_waiting(stop: &Stop, bar: &ProgressBar) {
    // A bar that has no other owner is removed, whatever the outcome of the run.
    let (stop, bar) = (stop.clone(), bar.downgrade());
    // It ends with the bar, and is never joined.
    std::thread::spawn(move || wait(&stop, &bar));
}

fn wait(stop: &Stop, bar: &WeakProgressBar) {
    let running = || bar.upgrade().filter(|bar| !bar.is_finished());
    while !stop.is_asked() {
        if running().is_none() {
            return;
        }
        std::thread::sleep(LOOK_EVERY);
    }
    std::thread::sleep(PATIENCE);
    if let Some(bar) = running() {
        bar.suspend(|| tell(WAITING));
    }
}

/// Ends the process as Ctrl-C ends any other, so that shells stop their loops as well.
pub(crate) fn end() -> Exit {
    // Where there are no such signals, the exit code says it.
    #[cfg(unix)]
    let _ = signal_hook::low_level::emulate_default_handler(SIGINT);
    Exit::Interrupted
}
