//! A build of a source to a module file.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use judge_core::Explanation;
use judge_sandbox::intake::{self, MAX_MODULE_BYTES};
use judge_sandbox::interpreter_of;
use judge_toolchain::{Built, Identity};

use crate::Error;
use crate::base::files::{self, Readers};
use crate::base::workers::Workers;
use crate::bots::sources;
use crate::bots::start_up;
use crate::bots::versions::Versions;

/// The first bytes of a module.
const MAGIC: &[u8] = b"\0asm";

/// A source to build.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The source's file, or the folder of a Rust or Go project.
    pub source: PathBuf,
    /// The output file; by default next to the source, with the extension `.wasm`.
    pub out: Option<PathBuf>,
    /// The game that the bot plays, if the source does not state it.
    pub game: Option<String>,
    /// The bot's name; by default that of the source.
    pub name: Option<String>,
    /// The author.
    pub author: Option<String>,
}

/// A built module that is not written yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The output file.
    pub path: PathBuf,
    /// The module's bytes.
    pub module: Vec<u8>,
    /// The compiler's warnings, and remarks on the build.
    pub remarks: String,
    /// The compiler and its version; none if the judge builds the source itself.
    pub compiler: Option<String>,
    /// The reason why the judge would refuse the module, if any.
    pub refused: Option<Explanation>,
    /// The game that the module states.
    pub game: Option<String>,
}

/// Refuses to replace any file other than a module.
fn refuse_other_files(path: &Path) -> Result<(), Error> {
    if path == Path::new("-") {
        let hint = "name a file `NAME.wasm`";
        return Err(Error::usage("a module cannot be written to standard output", hint));
    }
    let mut start = Vec::new();
    // An unreadable file is reported when it is written.
    let file = File::open(path).ok().filter(|file| file.metadata().is_ok_and(|it| it.is_file()));
    let _ = file.map(|file| file.take(MAGIC.len() as u64).read_to_end(&mut start));
    if start.is_empty() || start == MAGIC {
        return Ok(());
    }
    let what = format!("`{}` exists and is not a module, and would be overwritten", path.display());
    Err(Error::Input { what, hint: Some("write to another file".to_owned()) })
}

/// Refuses a script that fails before it reads its first line. No compiler has read it before.
fn refuse_failing_script(source: &Path, module: &[u8], workers: &Workers) -> Result<(), Error> {
    let failure = interpreter_of(module)
        .and_then(|_| start_up::failure(module, start_up::ENOUGH_MEMORY, workers));
    let Some(failure) = failure else { return Ok(()) };
    let what = format!("`{}` is not built: {}", source.display(), failure.what);
    Err(Error::NotBuilt { what, words: None, hint: Some(failure.remedy.to_owned()) })
}

/// Builds a source.
///
/// # Errors
/// If the game or source does not exist, no compiler is found, compilation fails, or a script
/// fails when it starts.
pub fn run(
    request: &Request,
    workers: &Workers,
    starting: &mut dyn FnMut(),
) -> Result<Outcome, Error> {
    let Request { source, out, game, name, author } = request.clone();
    game.as_deref().map(judge_referee::find).transpose()?;
    let path = out.unwrap_or_else(|| module_path(&source));
    if sources::is_source(&path) {
        let what = format!("`{}` is the name of a source, not of a module", path.display());
        return Err(Error::usage(what, "name a file `NAME.wasm`"));
    }
    refuse_other_files(&path)?;
    let identity = Identity { name, author, game };
    let defines = sources::defines().to_vec();
    if let Some((what, hint)) = sources::without_effect(&source, &defines) {
        return Err(Error::usage(what, hint));
    }
    let request = judge_toolchain::Request::new(&source);
    let request = judge_toolchain::Request { identity, defines, ..request };
    let Built { module, compiler, remarks, .. } = judge_toolchain::build(&request, starting)?;
    let inspected = intake::inspect(&module);
    if inspected.is_ok() {
        refuse_failing_script(&source, &module, workers)?;
    }
    let refused = inspected.as_ref().err().map(Explanation::from);
    if let Some(versions) = Versions::of_bot(&source).filter(|_| refused.is_none()) {
        versions.keep(&module);
    }
    let game = inspected.ok().and_then(|info| info.manifest.games.first().cloned());
    Ok(Outcome { path, module, remarks, compiler, refused, game })
}

/// The module's default path: next to a source file, or in the folder of a project.
fn module_path(source: &Path) -> PathBuf {
    if !source.is_dir() {
        return source.with_extension("wasm");
    }
    let whole = source.canonicalize().unwrap_or_else(|_| source.to_owned());
    let name = whole.file_name().unwrap_or_default().to_string_lossy().into_owned();
    source.join(format!("{name}.wasm"))
}

impl Outcome {
    /// Writes the module completely or not at all. It may replace an older module, but no other
    /// file.
    ///
    /// # Errors
    /// If the file cannot be written, or another file would be lost.
    pub fn write(&self) -> Result<(), Error> {
        let before = std::fs::read(&self.path).unwrap_or_default();
        if !before.starts_with(b"\0asm") {
            files::is_no_result(&self.path)?;
            files::can_write(&self.path)?;
        }
        let unwritten = |source| Error::Write { path: self.path.clone(), source };
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let file = files::temporary(folder.unwrap_or(Path::new(".")), Readers::Usual);
        let mut file = file.map_err(unwritten)?;
        file.write_all(&self.module).map_err(unwritten)?;
        file.persist(&self.path).map_err(|error| unwritten(error.error))?;
        Ok(())
    }

    /// Summarizes the build in one line.
    pub fn to_text(&self) -> String {
        let compiler = self.compiler.as_ref().map(|name| format!(", by {name}"));
        let plays = self.game.as_ref().map(|game| format!(", plays {game}"));
        format!(
            "built `{}`: {} bytes of {MAX_MODULE_BYTES}{}{}\n",
            self.path.display(),
            self.module.len(),
            plays.unwrap_or_default(),
            compiler.unwrap_or_default()
        )
    }
}
