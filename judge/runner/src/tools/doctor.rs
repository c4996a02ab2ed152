//! `judge doctor`: the resources of this machine, and its isolation measures for bots.

use std::path::PathBuf;
use std::time::Duration;

use judge_arena::{CacheUse, MAX_CACHE_BYTES};
use judge_core::{Fingerprint, printable};
use judge_sandbox::worker::{Attempt, Supervisor, Terms, Wall};
use serde_json::json;

use crate::Error;
use crate::base::workers::{Workers, code_cache_of_user, fingerprint};

/// Wall-clock time for a reply of the worker.
const DEADLINE: Duration = Duration::from_secs(30);

/// This machine, as the process of a bot sees it.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// Fingerprint of this build.
    pub fingerprint: Fingerprint,
    /// Processors that the judge may use.
    pub processors: usize,
    /// Isolation measures, with the reasons for those that are missing.
    pub measures: Vec<Wall>,
    /// Attempts to break out, from inside a worker.
    pub attempts: Vec<Attempt>,
    /// The user's cache of machine code; none if the system has no folder for caches.
    pub code_cache: Option<CodeCacheState>,
}

/// The state of the cache of machine code.
#[derive(Debug, Clone)]
pub struct CodeCacheState {
    /// Its folder.
    pub folder: PathBuf,
    /// Its content, or the reason why it is not used.
    pub found: Result<CacheUse, String>,
}

/// Starts a worker as in grading, and lets it attempt what a bot that broke out of the sandbox
/// would attempt.
///
/// # Errors
/// If the worker does not start or does not answer.
pub fn run(workers: &Workers) -> Result<Outcome, Error> {
    let failed = |error: judge_sandbox::worker::WorkerError| Error::Judge(error.to_string());
    let mut worker = Supervisor::start(&workers.command, &Terms::default()).map_err(failed)?;
    let measures = worker.hello(DEADLINE).map_err(failed)?;
    let attempts = worker.probe(DEADLINE).map_err(failed)?;
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let code_cache = code_cache_of_user().map(|cache| CodeCacheState {
        folder: cache.folder().to_owned(),
        found: cache.check().map_err(|error| error.to_string()),
    });
    Ok(Outcome { fingerprint: fingerprint(), processors, measures, attempts, code_cache })
}

impl CodeCacheState {
    fn to_text(&self) -> String {
        let folder = self.folder.display();
        match &self.found {
            Ok(CacheUse { entries, bytes }) => {
                let (mib, most) = (bytes.div_ceil(1 << 20), MAX_CACHE_BYTES >> 20);
                format!("  `{folder}`: {entries} modules, {mib} of at most {most} MiB")
            }
            Err(reason) => format!("  NOT USED  {reason}"),
        }
    }

    fn to_json(&self) -> serde_json::Value {
        let (found, reason) = match &self.found {
            Ok(found) => (Some(found), None),
            Err(reason) => (None, Some(reason)),
        };
        json!({
            "folder": self.folder.display().to_string(),
            "modules": found.map(|found| found.entries),
            "bytes": found.map(|found| found.bytes),
            "most_bytes": MAX_CACHE_BYTES,
            "not_used": reason,
        })
    }
}

impl Outcome {
    /// True if all measures are effective and no attempt succeeded.
    pub fn is_sound(&self) -> bool {
        self.measures.iter().all(|measure| measure.missing.is_none())
            && self.attempts.iter().all(|attempt| attempt.refused)
    }

    /// Formats a line for each measure and each attempt.
    pub fn to_text(&self) -> String {
        let Fingerprint { judge, engine } = &self.fingerprint;
        let (system, processor) = (std::env::consts::OS, std::env::consts::ARCH);
        let mut lines = vec![
            format!("judge {judge}, {engine}"),
            format!("{system} on {processor}, {} processors", self.processors),
            "isolation of a bot's process:".to_owned(),
        ];
        lines.extend(self.measures.iter().map(|measure| match &measure.missing {
            None => format!("  in place {}", measure.name),
            Some(reason) => format!("  MISSING  {}: {reason}", measure.name),
        }));
        lines.push("tried from inside:".to_owned());
        lines.extend(self.attempts.iter().map(|attempt| {
            format!("  {}  {}", if attempt.refused { "refused " } else { "POSSIBLE" }, attempt.what)
        }));
        lines.push("machine code of earlier runs:".to_owned());
        let none = || "  NOT USED  this system has no folder for caches".to_owned();
        let cache = self.code_cache.as_ref().map_or_else(none, CodeCacheState::to_text);
        lines.extend(cache.lines().map(str::to_owned));
        lines.iter().map(|line| printable(line, usize::MAX) + "\n").collect()
    }

    /// Renders the result as JSON.
    pub fn to_json(&self) -> String {
        let value = json!({
            "judge": self.fingerprint.judge,
            "engine": self.fingerprint.engine,
            "system": std::env::consts::OS,
            "processor": std::env::consts::ARCH,
            "walls": self.measures,
            "attempts": self.attempts,
            "code_cache": self.code_cache.as_ref().map(CodeCacheState::to_json),
        });
        format!("{value:#}\n")
    }
}
