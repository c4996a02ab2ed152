//! Compiles each module once, in a separate process that ends before the rounds begin, or takes its
//! machine code from the user's cache. A module that fails to compile twice is at fault.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use judge_core::{Digest, Explanation, digest};
use judge_sandbox::worker::WorkerError;
use judge_sandbox::{CompileError, Compiled, interpreter_of};

use super::Pool;
use crate::bounds::Account;
use crate::code_cache::{CachedCode, CodeCache};

/// Time for compiling a module: an emergency stop far above the slowest known module that intake
/// accepts, so that slow and fast machines accept the same modules.
pub(crate) const COMPILE_DEADLINE: Duration = Duration::from_secs(120);

/// Most bytes of machine code kept for later, in addition to the code in use.
const KEPT_BYTES: usize = 64 << 20;

/// The same with a cache on disk, from which dropped code comes back quickly.
const KEPT_BESIDE_CACHE: usize = 8 << 20;

/// Hint for the author of a module that exceeds the compiler's limits.
const HINT: &str = "build with `-O2` or `-Os`, split very large functions, and keep tables in data \
                    rather than in code";

/// Machine code for a worker, or the reason for refusing the module.
type Made = Result<Arc<Vec<u8>>, Explanation>;

/// Machine code compiled so far. Clones of a pool share it.
#[derive(Default)]
pub struct Compiler {
    /// Machine code of earlier runs; none to compile every module in this run.
    cache: Option<CodeCache>,
    state: Mutex<CompilerState>,
}

#[derive(Default)]
struct CompilerState {
    /// Entries by the module's hash. A compiling thread holds the lock of its entry; others wait
    /// for it.
    entries: BTreeMap<Digest, Arc<Mutex<Option<Made>>>>,
    /// Entries with machine code, with their sizes, oldest first.
    order: VecDeque<(Digest, usize)>,
    /// Modules with machine code from the cache, even if it is no longer here.
    cached: BTreeSet<Digest>,
}

impl std::fmt::Debug for Compiler {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Compiler({} modules)", lock(&self.state).entries.len())
    }
}

impl Compiler {
    /// A compiler that uses that cache.
    pub fn with_cache(cache: Option<CodeCache>) -> Compiler {
        Compiler { cache, ..Compiler::default() }
    }

    /// The machine code of a module. For a script only the interpreter is compiled, once for all
    /// scripts, and no submission pays for it.
    ///
    /// # Errors
    /// [`WorkerError::Refused`] when the module is at fault. Any other error is the judge's
    /// failure, and is not remembered.
    pub(crate) fn machine_code(
        &self,
        pool: &Pool,
        module: &[u8],
        account: Option<&Account>,
    ) -> Result<Arc<Vec<u8>>, WorkerError> {
        let Some(interpreter) = interpreter_of(module) else {
            return self.compiled(pool, module, account);
        };
        let part = self.script_part(module)?;
        let code = self.compiled(pool, interpreter, None)?;
        let code = Compiled::machine_code_of_script(&code, &part);
        Ok(Arc::new(code.map_err(|error| WorkerError::Failed(error.to_string()))?))
    }

    /// The part of a script that is not machine code. A cached one was accepted by intake.
    fn script_part(&self, module: &[u8]) -> Result<Vec<u8>, WorkerError> {
        let hash = digest(module);
        if let Some(found) = self.cache.as_ref().and_then(|cache| cache.find(&hash)) {
            lock(&self.state).cached.insert(hash);
            return Ok(found.code);
        }
        let code = Compiled::script_part(module).map_err(|error| match error {
            CompileError::Refused(refusal) => WorkerError::Refused((&refusal).into()),
            error => WorkerError::Failed(error.to_string()),
        })?;
        let made = CachedCode { code, compile_time: Duration::ZERO };
        if let Some(cache) = &self.cache {
            cache.keep(&hash, &made);
        }
        Ok(made.code)
    }

    /// The machine code of a module, compiled on the first call.
    fn compiled(
        &self,
        pool: &Pool,
        module: &[u8],
        account: Option<&Account>,
    ) -> Result<Arc<Vec<u8>>, WorkerError> {
        let hash = digest(module);
        let entry = Arc::clone(lock(&self.state).entries.entry(hash).or_default());
        let mut made = lock(&entry);
        if made.is_none() {
            let payer = account.filter(|account| account.charge_compiling());
            *made = Some(match self.made(pool, module, &hash, payer) {
                Ok((code, is_on_disk)) => {
                    self.keep(hash, code.len(), is_on_disk);
                    Ok(Arc::new(code))
                }
                Err(WorkerError::Refused(reason)) => Err(reason),
                Err(error) => {
                    lock(&self.state).entries.remove(&hash);
                    return Err(error);
                }
            });
        }
        match &*made {
            Some(Ok(code)) => Ok(Arc::clone(code)),
            Some(Err(reason)) => Err(WorkerError::Refused(reason.clone())),
            None => Err(WorkerError::Failed("nothing was compiled".to_owned())),
        }
    }

    /// The machine code of a module, from the cache or the compiler, and whether it is in the cache
    /// now. Only the results of accepted modules are cached, for this version of intake, so each run
    /// refuses a module again.
    fn made(
        &self,
        pool: &Pool,
        module: &[u8],
        hash: &Digest,
        payer: Option<&Account>,
    ) -> Result<(Vec<u8>, bool), WorkerError> {
        if let Some(found) = self.cache.as_ref().and_then(|cache| cache.find(hash)) {
            lock(&self.state).cached.insert(*hash);
            // Its bound must not depend on what this machine has compiled before.
            if let Some(account) = payer {
                account.meter.add(found.compile_time);
            }
            return Ok((found.code, true));
        }
        let made = compile(pool, module, payer)?;
        let is_on_disk = self.cache.as_ref().is_some_and(|cache| cache.keep(hash, &made));
        Ok((made.code, is_on_disk))
    }

    /// Forgets the cached machine code of a module after its process failed, so that the next attempt
    /// compiles it: no bot is blamed for damaged machine code.
    pub(crate) fn distrust(&self, module: &[u8]) {
        let hashes = std::iter::once(module).chain(interpreter_of(module)).map(digest);
        let mut state = lock(&self.state);
        for hash in hashes {
            if state.cached.remove(&hash) {
                state.entries.remove(&hash);
                state.order.retain(|(other, _)| *other != hash);
                if let Some(cache) = &self.cache {
                    cache.remove(&hash);
                }
            }
        }
    }

    /// The reason for refusing that module, if it is known.
    pub(crate) fn refusal(&self, module: &[u8]) -> Option<Explanation> {
        let entry = lock(&self.state).entries.get(&digest(module)).cloned()?;
        // A locked entry is being compiled and has no result yet.
        let made = entry.try_lock().ok()?;
        made.as_ref().and_then(|made| made.as_ref().err().cloned())
    }

    /// Stores a new entry and drops the oldest ones.
    fn keep(&self, hash: Digest, bytes: usize, is_on_disk: bool) {
        let most = if is_on_disk { KEPT_BESIDE_CACHE } else { KEPT_BYTES };
        let mut kept = lock(&self.state);
        kept.order.push_back((hash, bytes));
        let mut sum: usize = kept.order.iter().map(|(_, bytes)| bytes).sum();
        // The newest entry stays, because it will be used next.
        while sum > most
            && kept.order.len() > 1
            && let Some((oldest, bytes)) = kept.order.pop_front()
        {
            kept.entries.remove(&oldest);
            sum -= bytes;
        }
    }
}

/// No thread panics while it holds such a lock.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Compiles a module in a new process, and again in another one if the module may be at fault.
fn compile(
    pool: &Pool,
    module: &[u8],
    account: Option<&Account>,
) -> Result<CachedCode, WorkerError> {
    match once(pool, module, account) {
        Err(CompileFailure::AtModule(error)) if error.may_be_the_modules() => {}
        other => return Ok(other?),
    }
    match once(pool, module, account) {
        Err(CompileFailure::AtModule(error)) if error.may_be_the_modules() => {
            Err(WorkerError::Refused(refusal(&error)))
        }
        other => Ok(other?),
    }
}

/// A failed attempt to compile a module.
#[derive(Debug, thiserror::Error)]
enum CompileFailure {
    /// The process did not reach the module.
    #[error(transparent)]
    BeforeModule(WorkerError),
    /// The process failed while it compiled the module.
    #[error(transparent)]
    AtModule(WorkerError),
}

impl From<CompileFailure> for WorkerError {
    fn from(failure: CompileFailure) -> WorkerError {
        match failure {
            CompileFailure::BeforeModule(error) | CompileFailure::AtModule(error) => error,
        }
    }
}

/// Compiles a module in a new process.
fn once(
    pool: &Pool,
    module: &[u8],
    account: Option<&Account>,
) -> Result<CachedCode, CompileFailure> {
    let begin = Instant::now();
    let started = pool.start(COMPILE_DEADLINE, account);
    let mut worker = started.map_err(CompileFailure::BeforeModule)?;
    match worker.compile(module, COMPILE_DEADLINE) {
        Ok(code) => {
            // As on the meter: the wall clock if the system does not report processor time.
            let compile_time = worker.processor_time().unwrap_or_else(|| begin.elapsed());
            Ok(CachedCode { code, compile_time })
        }
        // With too little memory, the failure proves nothing.
        Err(WorkerError::Died { what, .. }) if worker.is_short_of_memory() => {
            Err(CompileFailure::AtModule(WorkerError::Failed(format!(
                "it ended while it compiled ({what}), and the system allows it less memory than \
                 verdicts need (`ulimit -d`, `ulimit -v`)"
            ))))
        }
        Err(error) => Err(CompileFailure::AtModule(error)),
    }
}

/// The exceeded limit and a hint, worded for the module's author.
fn refusal(error: &WorkerError) -> Explanation {
    let what = match error {
        WorkerError::Deadline(seconds) => {
            format!("the compiler needs more than {seconds} s of processor time for it")
        }
        WorkerError::Died { what, .. } if is_about_memory(what) => {
            "the compiler needs more than 1 GiB of memory for it".to_owned()
        }
        other => other.to_string(),
    };
    Explanation::new(format!("the module cannot be compiled: {what}"), HINT)
}

/// True if a process ended because it ran out of memory, by its last output.
fn is_about_memory(words: &str) -> bool {
    ["memory allocation", "out of memory", "Cannot allocate"].iter().any(|one| words.contains(one))
}

#[cfg(test)]
mod tests {
    #[cfg(unix)]
    use judge_core::Fingerprint;
    #[cfg(unix)]
    use judge_sandbox::worker::WorkerCommand;

    use super::*;
    #[cfg(unix)]
    use crate::bounds::Bounds;

    #[test]
    fn a_refusal_names_the_exceeded_bound() {
        let died = |what: &str| WorkerError::Died { what: what.to_owned(), killed: false };
        let why = refusal(&died("signal: 6: memory allocation of 8 bytes failed"));
        assert!(why.reason.ends_with("needs more than 1 GiB of memory for it"), "{why}");
        assert_eq!(why.hint.as_deref(), Some(HINT));
        let why = refusal(&WorkerError::Deadline(120));
        assert!(why.reason.contains("more than 120 s of processor time"), "{why}");
        let why = refusal(&died("signal: 11"));
        assert!(why.reason.ends_with("the worker process ended: signal: 11"), "{why}");
    }

    /// A pool with workers that never start.
    #[cfg(unix)]
    fn pool(cache: CodeCache) -> Pool {
        let (program, identity) = ("/bin/false".into(), String::new());
        let command = WorkerCommand { program, arguments: Vec::new(), identity };
        let fingerprint = Fingerprint { judge: "test".to_owned(), engine: "none".to_owned() };
        Pool::new(command, 1, fingerprint).with_compiler(Compiler::with_cache(Some(cache)))
    }

    #[cfg(unix)]
    #[test]
    fn a_submission_pays_once_for_cached_machine_code() {
        let folder = tempfile::tempdir().expect("a folder");
        let cache = CodeCache::new(folder.path().join("code"), "judge 1");
        let compile_time = Duration::from_millis(283);
        assert!(cache.keep(&digest(b"bot"), &CachedCode { code: b"code".to_vec(), compile_time }));
        let pool = pool(cache);
        let bounds = Bounds { processor: Duration::from_secs(1), journal_bytes: 1 };
        let account = Account::new(bounds, None);
        for _ in 0..2 {
            let code = pool.compiler().machine_code(&pool, b"bot", Some(&account));
            assert_eq!(**code.expect("no worker is needed"), *b"code");
            assert_eq!(account.meter.used(), compile_time);
        }
        pool.compiler().distrust(b"bot");
        let code = pool.compiler().machine_code(&pool, b"bot", Some(&account));
        assert!(code.is_err(), "it was not compiled again");
    }

    #[test]
    fn machine_code_on_disk_is_dropped_first() {
        let compiler = Compiler::default();
        for (number, is_on_disk, left) in [(0, false, 1), (1, false, 2), (2, true, 1)] {
            let hash = digest(&[number]);
            lock(&compiler.state).entries.insert(hash, Arc::default());
            compiler.keep(hash, KEPT_BESIDE_CACHE, is_on_disk);
            assert_eq!(lock(&compiler.state).entries.len(), left);
        }
    }

    #[test]
    fn the_oldest_machine_code_is_dropped_above_the_limit() {
        let compiler = Compiler::default();
        let add = |name: &[u8], bytes| {
            lock(&compiler.state).entries.insert(digest(name), Arc::default());
            compiler.keep(digest(name), bytes, false);
        };
        add(b"one", KEPT_BYTES / 2);
        add(b"two", KEPT_BYTES / 2);
        assert_eq!(lock(&compiler.state).entries.len(), 2);
        add(b"three", 1);
        let kept = lock(&compiler.state);
        assert!(!kept.entries.contains_key(&digest(b"one")) && kept.entries.len() == 2);
    }
}
