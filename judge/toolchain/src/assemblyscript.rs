//! AssemblyScript: `asc` in `PATH`, or for a trusted project the one in its `node_modules`.

use std::path::{Path, PathBuf};

use crate::tool::{Tool, ToolRun, as_a_file, run, version};
use crate::{
    BuildError, Cache, Compiled, Define, Language, Scratch, are_projects_trusted, explain, folder,
};

mod page;

pub use page::{PageArguments, PageCompiler, PageCompilerError, page_compiler};

/// Options for fast code, function names and memory that fits the course's limit.
const OPTIONS: &[&str] = &["-O3", "--debug", "--stackSize", "32768", "--maximumMemory", "32"];

/// The function to call when a bot fails, because the judge has no `env.abort`: a function of the
/// kit that writes to the log, or none.
const FAILURE: (&str, &str) = ("abort=judgeFailure", "abort=");

/// The compiler's error if the source does not import the kit.
const NO_FAILURE: &str = "Element 'judgeFailure' not found";

/// The compiler's configuration file, in the source's folder.
const CONFIGURATION: &str = "asconfig.json";

/// Remark if only the project has a compiler.
const UNTRUSTED: &str = "the compiler in the project's `node_modules` runs only with `--trust-project`, \
                         as it is part of the source: add that if you have installed it yourself";

/// The compiler's text before a file name.
const IN: &str = "└─ in ";

/// Builds a `.ts` file.
pub(crate) fn build(
    source: &Path,
    defines: &[Define],
    cache: &Cache,
    starting: &mut dyn FnMut(),
) -> Result<Compiled, BuildError> {
    let text = std::fs::read(source)
        .map_err(|error| BuildError::Read { path: source.to_owned(), source: error })?;
    let missing = || BuildError::NoCompiler {
        path: source.to_owned(),
        language: Language::AssemblyScript,
        tried: of_project(source).map(|_| UNTRUSTED.to_owned()).into_iter().collect(),
    };
    let asc = find(source).ok_or_else(missing)?;
    let folder = source.parent().unwrap_or(Path::new(""));
    let compiler =
        version(&asc, &["--version"]).map(|version| version.replacen("Version", "asc", 1));
    let settings = are_projects_trusted().then(|| std::fs::read(folder.join(CONFIGURATION)).ok());
    let key = format!(
        "assemblyscript {} {:?} {OPTIONS:?} {:?} {} {} {defines:?}",
        env!("CARGO_PKG_VERSION"),
        compiler,
        settings.flatten().map(|bytes| judge_core::digest(&bytes).to_string()),
        source.canonicalize().unwrap_or_else(|_| source.to_owned()).display(),
        judge_core::digest(&text),
    );
    if let Some(kept) = cache.find(&key) {
        let (module, remarks) = (kept.bytes, kept.remarks);
        return Ok(Compiled { module, compiler, remarks, cached: true, ..Compiled::default() });
    }
    starting();
    let work = Scratch::new("build-").map_err(BuildError::writing(&std::env::temp_dir()))?;
    let place = work.path().join("bot.wasm");
    let mut ran = compile(&asc, source, work.path(), FAILURE.0, defines)?;
    if ran.err.contains(NO_FAILURE) {
        ran = compile(&asc, source, work.path(), FAILURE.1, defines)?;
    }
    let remarks = with_folder(&ran.err, folder);
    if !ran.success || !place.is_file() {
        return Err(explain::failed(source, "compile", ToolRun { err: remarks, ..ran }));
    }
    let module = std::fs::read(&place)
        .map_err(|error| BuildError::Read { path: place.clone(), source: error })?;
    cache.keep(&key, &read_files(source), &module, &remarks);
    Ok(Compiled { module, compiler, remarks, ..Compiled::default() })
}

/// Runs the compiler. It names files relative to the source's folder, so that the module does not
/// depend on that folder's path.
fn compile(
    asc: &Tool,
    source: &Path,
    work: &Path,
    failure: &str,
    defines: &[Define],
) -> Result<ToolRun, BuildError> {
    let folder = source.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut command = asc.command();
    command.arg(as_a_file(Path::new(source.file_name().unwrap_or_default())));
    command.arg("--baseDir").arg(folder.unwrap_or(Path::new(".")));
    command.arg("--outFile").arg(work.join("bot.wasm")).args(fixed_arguments(failure));
    for define in defines {
        command.arg("--use").arg(define.to_string());
    }
    if !are_projects_trusted() {
        // The source's configuration could name programs that change it during compilation.
        let empty = work.join(CONFIGURATION);
        std::fs::write(&empty, "{}").map_err(BuildError::writing(&empty))?;
        command.arg("--config").arg(empty);
    }
    // Without this, node reads the system's configuration, which a confined build cannot open.
    command.env("OPENSSL_CONF", if cfg!(windows) { "nul" } else { "/dev/null" });
    run(&command)
}

/// The arguments that depend neither on the source nor on its place.
fn fixed_arguments(failure: &str) -> Vec<&str> {
    [OPTIONS, &["--use", failure, "--noColors"]].concat()
}

/// The compiler's output, with paths as the user gave them.
fn with_folder(words: &str, folder: &Path) -> String {
    let whole = |line: &str| match line.split_once(IN) {
        Some((before, file)) if !file.starts_with('~') => {
            format!("{before}{IN}{}", folder.join(file).display())
        }
        _ => line.to_owned(),
    };
    words.split_inclusive('\n').map(whole).collect()
}

/// The files that the source may import: those of its folder and below. The compiler does not
/// report which it read.
fn read_files(source: &Path) -> Vec<PathBuf> {
    folder::files(source)
        .into_iter()
        .filter(|path| path.extension() == source.extension())
        .collect()
}

/// The system-wide compiler: `node` with the script of `asc`.
pub(crate) fn installed() -> Option<Tool> {
    if let Some(named) = Tool::of_variable("ASC").filter(|tool| !tool.first.is_empty()) {
        return Some(named);
    }
    let script = Tool::of_variable("ASC").or_else(|| Tool::find(&["asc"]))?;
    let script = script.program.canonicalize().ok()?;
    Some(Tool { first: vec![script.into()], ..Tool::find(&["node"])? })
}

/// The compiler in a project's own packages.
fn of_project(source: &Path) -> Option<Tool> {
    let whole = source.canonicalize().ok()?;
    let script = whole.ancestors().find_map(|folder| {
        let script = folder.join("node_modules/assemblyscript/bin/asc.js");
        script.is_file().then_some(script)
    })?;
    Some(Tool { first: vec![script.into()], ..Tool::find(&["node"])? })
}

fn find(source: &Path) -> Option<Tool> {
    let named = Tool::of_variable("ASC");
    if are_projects_trusted() {
        return named.or_else(|| of_project(source)).or_else(|| Tool::find(&["asc"]));
    }
    named.or_else(|| Tool::find(&["asc"]).filter(|asc| !is_of_project(asc, source)))
}

/// True for a program of the project, which `npm` scripts add to `PATH`.
fn is_of_project(asc: &Tool, source: &Path) -> bool {
    let Ok(whole) = source.canonicalize() else { return false };
    let packages = whole.ancestors().map(|folder| folder.join("node_modules"));
    let Some(packages) = packages.into_iter().find(|folder| folder.is_dir()) else { return false };
    let real = asc.program.canonicalize().ok();
    asc.program.starts_with(&packages) || real.is_some_and(|real| real.starts_with(&packages))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_named_relative_to_the_current_folder() {
        let words = " └─ in bot.ts(3,7)\nx\n └─ in ~lib/array.ts(1,1)\n └─ in parts/a.ts(1,1)";
        let expected = words.replace("bot.ts", "my/bot.ts").replace("parts/", "my/parts/");
        assert_eq!(with_folder(words, Path::new("my")), expected);
        assert_eq!(with_folder(words, Path::new("")), words);
    }
}
