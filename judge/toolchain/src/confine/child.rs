//! The worker's side: it confines itself, tests its confinement, and builds.

use std::io::{BufRead as _, Read, Write};
use std::path::Path;

use super::process::parts;
use super::protocol;
use super::protocol::{ChildReply, LARGEST_MODULE, Task};
use crate::{BuildError, Built, Cache, Request, bounds, build};

/// Reads one task, executes it and writes the reply. Call it in a process that was started for
/// this, on its first thread, before other threads exist.
///
/// # Errors
/// When the task cannot be read, or the reply cannot be written.
pub fn serve(input: &mut dyn Read, output: &mut dyn Write) -> std::io::Result<()> {
    let mut line = String::new();
    std::io::BufReader::new(input).read_line(&mut line)?;
    let task: Task = serde_json::from_str(&line)?;
    let clock = ChildClock::start();
    let answer = confine(&task).unwrap_or_else(|| if_built(&task, &clock));
    let head = serde_json::to_string(&answer)?;
    writeln!(output, "{head}")?;
    if let ChildReply::Built { module, .. } = answer {
        output.write_all(&module)?;
    }
    output.flush()
}

fn if_built(task: &Task, clock: &ChildClock) -> ChildReply {
    if task.try_walls {
        return ChildReply::Confined;
    }
    let [_, cache] = parts(&task.folder);
    let source = match task.source.as_os_str().is_empty() {
        true => Path::new(".").to_owned(),
        false => task.source.clone(),
    };
    let (identity, cache) = (task.identity(), Cache::at(&cache));
    let request = Request { source, identity, cache, defines: Vec::new() };
    match build(&request, &mut || {}) {
        Ok(Built { module, .. }) if module.len() > LARGEST_MODULE => too_large(module.len()),
        Ok(Built { module, .. }) => ChildReply::Built { bytes: module.len(), module },
        Err(BuildError::OutOfTime { .. }) => ChildReply::TooLong,
        Err(error) if clock.is_over(task.seconds) && !has_mistakes(&error) => ChildReply::TooLong,
        Err(BuildError::Killed { .. }) => {
            ChildReply::Interrupted { what: "a compiler was killed".to_owned() }
        }
        Err(error) => reply(&error, &task.folder),
    }
}

/// The reply about a module that the judge would not read.
fn too_large(bytes: usize) -> ChildReply {
    let most = LARGEST_MODULE >> 20;
    let what = format!("the built module has {bytes} bytes; the most is {most} MiB");
    let hint = "make its tables smaller, or compute them when the bot starts";
    ChildReply::Source { what, words: None, hint: Some(hint.to_owned()) }
}

/// True if a compiler got far enough to report errors.
fn has_mistakes(error: &BuildError) -> bool {
    error.words().is_some_and(|words| words.lines().any(names_a_mistake))
}

/// True for an error with a source location, which excludes a driver's report on a dead compiler.
fn names_a_mistake(line: &str) -> bool {
    line.split_once(": error: ").is_some_and(|(place, _)| place.contains(':'))
}

/// Converts an error to a reply that blames the source or the machine.
fn reply(error: &BuildError, folder: &Path) -> ChildReply {
    // Absolute paths are rare, and of no use to the student.
    let place = format!("{}/", parts(folder)[0].display());
    let own = format!("{}/", folder.display());
    let clean = |text: String| text.replace(&place, "").replace(&own, "");
    let (what, hint) = (clean(error.to_string()), error.hint().map(&clean));
    let words = error.words().map(shortened).map(clean);
    match error {
        BuildError::Crashed { .. } => ChildReply::Crashed { what, hint },
        BuildError::Refused { .. } | BuildError::Source { .. } | BuildError::Unknown { .. } => {
            ChildReply::Source { what, words, hint }
        }
        BuildError::Read { source, .. } if source.kind() == std::io::ErrorKind::InvalidData => {
            ChildReply::Source { what, words, hint: Some("save it as UTF-8".to_owned()) }
        }
        _ => {
            let what = words.map_or(what.clone(), |words| super::words::below(&what, &words));
            ChildReply::Machine { what, hint }
        }
    }
}

/// Shortens a compiler's output to fit into a reply.
fn shortened(mut words: String) -> String {
    const MOST: usize = 128 << 10;
    words.truncate(words.floor_char_boundary(MOST));
    words
}

/// Raises the walls and tests them; returns a reply if that fails.
fn confine(task: &Task) -> Option<ChildReply> {
    let lowered = lower_limits(task.seconds).map(|()| bounds::are_lowered());
    let why = lowered.and_then(|()| if task.walls { raise(task) } else { Ok(()) }).err()?;
    let super::ConfinedFailure::Machine { what, hint } = protocol::no_walls(&why) else {
        return None;
    };
    Some(ChildReply::Machine { what, hint })
}

#[cfg(target_os = "linux")]
fn raise(task: &Task) -> Result<(), String> {
    super::limits::drop_rights()?;
    super::paths::close_off(&task.read, &task.folder)?;
    super::calls::install()?;
    match super::attempts::first_success(&task.folder) {
        None => Ok(()),
        Some(what) => Err(format!("a confined process could still {what}")),
    }
}

#[cfg(not(target_os = "linux"))]
fn raise(_task: &Task) -> Result<(), String> {
    Err("confinement needs Linux".to_owned())
}

#[cfg(unix)]
fn lower_limits(seconds: u64) -> Result<(), String> {
    super::limits::lower(seconds)
}

#[cfg(not(unix))]
fn lower_limits(_seconds: u64) -> Result<(), String> {
    Ok(())
}

/// Processor time of all ended descendants of this process. A compiler that its limit stopped may
/// be a grandchild.
struct ChildClock(Option<std::fs::File>);

impl ChildClock {
    /// Call it before the walls are raised: afterwards the file cannot be opened.
    fn start() -> ChildClock {
        ChildClock(std::fs::File::open("/proc/self/stat").ok())
    }

    /// True if they have used one process's time limit, within the system's precision.
    fn is_over(&self, seconds: u64) -> bool {
        let Some(mut file) = self.0.as_ref() else { return false };
        let mut text = String::new();
        if file.read_to_string(&mut text).is_err() {
            return false;
        }
        // The name in parentheses may contain spaces. A tick is a hundredth of a second.
        let fields = text.rsplit(')').next().unwrap_or_default();
        let ticks = fields.split_whitespace().skip(13).take(2);
        let ticks: u64 = ticks.filter_map(|field| field.parse::<u64>().ok()).sum();
        10 * ticks >= 9 * seconds * TICKS
    }
}

/// Ticks per second of Linux, on every processor.
const TICKS: u64 = 100;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_without_a_place_is_not_a_mistake_in_the_source() {
        assert!(names_a_mistake("bot.cpp:1:2: error: unknown type name 'x'"));
        for line in [
            "clang++-22: error: unable to execute command: CPU time limit exceeded",
            "wasm-ld: error: x",
            "bot.cpp:1:2: warning: x",
        ] {
            assert!(!names_a_mistake(line), "{line}");
        }
    }
}
