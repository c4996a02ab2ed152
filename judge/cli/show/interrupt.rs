//! Signals that end the program. The first Ctrl-C stops a run that can be resumed, and the command
//! shows the result so far and how to resume. Every other signal ends the program at once, but
//! first removes its temporary folders, which may hold other people's files.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use indicatif::{ProgressBar, WeakProgressBar};
use judge_arena::Stop;
use judge_runner::bots::builds;
use signal_hook::consts::SIGINT;
use signal_hook::flag;

use super::tell;
use crate::exit::Exit;

/// Interval between looks for a signal or a stop.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Time that rounds in progress may take before the wait is explained.
const PATIENCE: Duration = Duration::from_millis(500);

const WAITING: &str = "stopping after the rounds in progress; press Ctrl-C again to stop at once";

/// Signals that end a program: Ctrl-C, Ctrl-\, a termination request, a closed terminal.
#[cfg(unix)]
const ENDING: &[i32] = &[
    SIGINT,
    signal_hook::consts::SIGQUIT,
    signal_hook::consts::SIGTERM,
    signal_hook::consts::SIGHUP,
];
#[cfg(not(unix))]
const ENDING: &[i32] = &[SIGINT];

/// The response to the first Ctrl-C.
enum First {
    /// The process ends at once.
    Ends,
    /// The run stops after the rounds in progress.
    Stops(Stop),
    /// The process ends at once, and prints how to resume.
    EndsWith(Box<dyn Fn() -> String + Send>),
}

static FIRST: Mutex<First> = Mutex::new(First::Ends);

fn set_first(first: First) {
    *FIRST.lock().unwrap_or_else(PoisonError::into_inner) = first;
}

/// Cleans up before a signal ends the process. Ignored signals, as after `nohup`, stay ignored.
pub(crate) fn watch() {
    let (last, cleared) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
    for signal in ENDING.iter().copied().filter(|signal| !is_ignored(*signal)) {
        // If the handler cannot be installed, the signal ends the judge at once, as by default.
        // After the cleanup the next signal always ends it.
        #[cfg(unix)]
        let _ = flag::register_conditional_default(signal, Arc::clone(&cleared));
        #[cfg(not(unix))]
        let _ = flag::register_conditional_shutdown(
            signal,
            Exit::Interrupted as i32,
            Arc::clone(&cleared),
        );
        let number = usize::try_from(signal).unwrap_or_default();
        let _ = flag::register_usize(signal, Arc::clone(&last), number);
    }
    // The thread ends with the process.
    std::thread::spawn(move || {
        loop {
            let signal = i32::try_from(last.swap(0, Ordering::Relaxed)).unwrap_or_default();
            if signal != 0 && !is_first_stop(signal) {
                end_at_once(signal, &cleared);
            }
            std::thread::sleep(LOOK_EVERY);
        }
    });
}

/// Stops a run that finishes its rounds. Returns false for other runs, or if the run is already
/// stopping.
fn is_first_stop(signal: i32) -> bool {
    match &*FIRST.lock().unwrap_or_else(PoisonError::into_inner) {
        First::Stops(stop) if signal == SIGINT && !stop.is_asked() => {
            stop.flag().store(true, Ordering::Relaxed);
            true
        }
        _ => false,
    }
}

fn end_at_once(signal: i32, cleared: &AtomicBool) {
    builds::clear();
    cleared.store(true, Ordering::Relaxed);
    if let First::EndsWith(words) = &*FIRST.lock().unwrap_or_else(PoisonError::into_inner) {
        tell("");
        words().lines().for_each(tell);
    }
    std::process::exit(i32::from(end_by(signal) as u8));
}

/// True for a signal that this process inherited as ignored.
#[cfg(target_os = "linux")]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default();
    mask & (1 << (signal - 1)) != 0
}

/// Other systems do not report this. There a closed terminal ends the judge like any program.
#[cfg(not(target_os = "linux"))]
fn is_ignored(signal: i32) -> bool {
    signal != SIGINT
}

/// Makes the first Ctrl-C stop the run, and the second one end the process.
pub(crate) fn stops(stop: &Stop) {
    set_first(First::Stops(stop.clone()));
}

/// Makes a signal end the process after printing how to resume. All rounds recorded until then are
/// kept.
pub(crate) fn ends_with(words: impl Fn() -> String + Send + 'static) {
    set_first(First::EndsWith(Box::new(words)));
}

/// Explains the wait, above the run's bar, when a stopped run takes long.
pub(crate) fn tell_of_waiting(stop: &Stop, bar: &ProgressBar) {
    // A weak reference: the bar is removed when the run ends, whatever the outcome.
    let (stop, bar) = (stop.clone(), bar.downgrade());
    // The thread ends with the bar, and is never joined.
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

/// Ends the process the way Ctrl-C ends any other, so that loops in shell scripts stop, too.
pub(crate) fn end() -> Exit {
    end_by(SIGINT)
}

fn end_by(signal: i32) -> Exit {
    // Without such signals, only the exit code reports the interrupt.
    #[cfg(unix)]
    let _ = signal_hook::low_level::emulate_default_handler(signal);
    #[cfg(not(unix))]
    let _ = signal;
    Exit::Interrupted
}
