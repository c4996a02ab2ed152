//! AssemblyScript: `asc`, in the project's `node_modules`, in `PATH`, or through `npx`.

use std::path::{Path, PathBuf};

use crate::tool::{Tool, run, version};
use crate::{BuildError, Cache, Compiled, Language, explain};

/// Options: small and quick; no import of `abort`; memory that fits into the course's.
const OPTIONS: &[&str] =
    &["-O3", "--converge", "--use", "abort=", "--stackSize", "32768", "--maximumMemory", "32"];

/// Builds a `.ts`.
pub(crate) fn build(
    source: &Path,
    cache: &Cache,
    starting: &mut dyn FnMut(),
) -> Result<Compiled, BuildError> {
    let text = std::fs::read(source)
        .map_err(|error| BuildError::Read { path: source.to_owned(), source: error })?;
    let missing = || BuildError::NoCompiler {
        path: source.to_owned(),
        language: Language::AssemblyScript,
        tried: Vec::new(),
    };
    let asc = find(source).ok_or_else(missing)?;
    let compiler =
        version(&asc, &["--version"]).map(|version| version.replacen("Version", "asc", 1));
    let key = format!(
        "assemblyscript {} {:?} {OPTIONS:?} {} {}",
        env!("CARGO_PKG_VERSION"),
        compiler,
        source.canonicalize().unwrap_or_else(|_| source.to_owned()).display(),
        judge_core::digest(&text),
    );
    if let Some(kept) = cache.find(&key) {
        let (module, remarks) = (kept.bytes, kept.remarks);
        return Ok(Compiled { module, compiler, remarks, cached: true, ..Compiled::default() });
    }
    starting();
    let work = tempfile::tempdir().map_err(BuildError::writing(&std::env::temp_dir()))?;
    let place = work.path().join("bot.wasm");
    let mut command = asc.command();
    command.arg(source).arg("--outFile").arg(&place).args(OPTIONS).arg("--noColors");
    let ran = run(&mut command)?;
    if !ran.success || !place.is_file() {
        return Err(explain::refused(source, "compile", ran.err));
    }
    let module = std::fs::read(&place)
        .map_err(|error| BuildError::Read { path: place.clone(), source: error })?;
    cache.keep(&key, &read_files(&asc, source), &module, &ran.err);
    Ok(Compiled { module, compiler, remarks: ran.err, ..Compiled::default() })
}

/// The files that the compiler reads besides its own library.
fn read_files(asc: &Tool, source: &Path) -> Vec<PathBuf> {
    let ran = run(asc.command().arg(source).args(OPTIONS).arg("--listFiles").arg("--noEmit"));
    let text = ran.map(|ran| String::from_utf8_lossy(&ran.out).into_owned()).unwrap_or_default();
    let lines = text.lines().map(|line| PathBuf::from(line.trim()));
    lines.filter(|path| path.is_file()).collect()
}

fn find(source: &Path) -> Option<Tool> {
    let of_project = || {
        let whole = source.canonicalize().ok()?;
        let script = whole.ancestors().find_map(|folder| {
            let script = folder.join("node_modules/assemblyscript/bin/asc.js");
            script.is_file().then_some(script)
        })?;
        Some(Tool { first: vec![script.into()], ..Tool::find(&["node"])? })
    };
    let of_npx = || {
        let npx = Tool::find(&["npx"])?.with(&["--no-install", "asc"]);
        version(&npx, &["--version"]).map(|_| npx)
    };
    Tool::of_variable("ASC").or_else(of_project).or_else(|| Tool::find(&["asc"])).or_else(of_npx)
}
