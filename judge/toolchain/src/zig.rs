//! Zig: `zig`, or the one in the Python package `ziglang`.

use std::path::{Path, PathBuf};

use wasmparser::{Parser, Payload};

use crate::tool::{Tool, run, version};
use crate::{BuildError, Cache, Compiled, Language, Scratch, explain};

/// Bytes of a module before its sections.
const HEADER: usize = 8;

/// Finds the compiler: in `PATH`, or in a Python package.
pub(crate) fn find() -> Option<Tool> {
    Tool::find(&["zig"]).or_else(of_python)
}

/// The program inside the package; Python only reports where that is.
fn of_python() -> Option<Tool> {
    let ask = "import os, ziglang; print(os.path.join(os.path.dirname(ziglang.__file__), 'zig'))";
    let names: &[&str] = if cfg!(windows) { &["py", "python"] } else { &["python3", "python"] };
    let found = |name: &&str| {
        let python = Tool::find(&[name])?;
        let path = PathBuf::from(python_says(&python, ask)?);
        let path = if cfg!(windows) { path.with_extension("exe") } else { path };
        path.is_file().then(|| Tool::new(path))
    };
    names.iter().find_map(found)
}

/// The first line of a Python program's output. Python first looks for modules in the current
/// folder, which may be a source's: so it runs in another one.
fn python_says(python: &Tool, program: &str) -> Option<String> {
    let folder = Scratch::new("python-").ok()?;
    let mut command = python.command();
    if let Some(path) = std::env::var_os("PYTHONPATH") {
        let folders = std::env::split_paths(&path).filter(|folder| folder.is_absolute());
        command.env("PYTHONPATH", std::env::join_paths(folders).ok()?);
    }
    let ran = run(command.args(["-c", program]).current_dir(folder.path())).ok()?;
    let text = String::from_utf8_lossy(&ran.out).into_owned();
    ran.success.then(|| text.lines().next().map(|line| line.trim().to_owned()))?
}

/// Builds a `.zig` file: with `judge_line` for the judge's own transport, otherwise as a program
/// that reads and prints lines. The compiler has its own cache.
pub(crate) fn build(
    source: &Path,
    cache: &Cache,
    starting: &mut dyn FnMut(),
) -> Result<Compiled, BuildError> {
    let text = std::fs::read_to_string(source)
        .map_err(|error| BuildError::Read { path: source.to_owned(), source: error })?;
    let missing = || BuildError::NoCompiler {
        path: source.to_owned(),
        language: Language::Zig,
        tried: Vec::new(),
    };
    let zig = find().ok_or_else(missing)?;
    starting();
    let work = Scratch::new("build-").map_err(BuildError::writing(&std::env::temp_dir()))?;
    let module = work.path().join("bot.wasm");
    let mut command = zig.command();
    command.arg("build-exe").arg(source);
    let target = match text.contains("judge_line") {
        true => ["-target", "wasm32-freestanding", "-fno-entry", "-rdynamic"].as_slice(),
        false => &["-target", "wasm32-wasi"],
    };
    command.args(target).args(["-O", "ReleaseSafe", "--stack", "65536"]);
    command.arg("--max-memory=2097152");
    let mut place = std::ffi::OsString::from("-femit-bin=");
    place.push(&module);
    command.arg(place).args(["--color", "off"]);
    let kept = cache.folder("zig").unwrap_or_else(|| work.path().join("cache"));
    command.arg("--cache-dir").arg(&kept).arg("--global-cache-dir").arg(&kept);
    let ran = run(&command)?;
    if !ran.success {
        return Err(explain::failed(source, "compile", ran));
    }
    let module = std::fs::read(&module)
        .map_err(|error| BuildError::Read { path: module.clone(), source: error })?;
    let compiler = version(&zig, &["version"]).map(|version| format!("zig {version}"));
    let module = without_debug(&module);
    Ok(Compiled { module, compiler, remarks: ran.err, ..Compiled::default() })
}

/// The module with function names but without debug information, which has paths of this machine in
/// it and is by far the larger part.
fn without_debug(module: &[u8]) -> Vec<u8> {
    let mut kept = module.get(..HEADER).unwrap_or(module).to_vec();
    let mut end = kept.len();
    for payload in Parser::new(0).parse_all(module) {
        let Ok(payload) = payload else { return module.to_vec() };
        let Some((_, range)) = payload.as_section() else { continue };
        let is_debug = matches!(
            &payload, Payload::CustomSection(section) if section.name().starts_with(".debug_")
        );
        if !is_debug {
            kept.extend_from_slice(&module[end..range.end]);
        }
        end = range.end;
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_debug_information_is_removed() {
        let text = r#"(module (@custom ".debug_line" "/home/me") (func $f (export "f"))
            (@custom ".debug_str" "me") (@custom "other" "x"))"#;
        let module = wat::parse_str(text).expect("a module");
        let kept = without_debug(&module);
        let found = |bytes: &[u8], text: &str| {
            bytes.windows(text.len()).any(|part| part == text.as_bytes())
        };
        assert!(found(&module, "/home/me") && found(&module, ".debug_str"));
        assert!(!found(&kept, "me\0") && !found(&kept, ".debug_"));
        assert!(found(&kept, "other") && found(&kept, "name"));
        let expected = r#"(module (func $f (export "f")) (@custom "other" "x"))"#;
        assert_eq!(kept, wat::parse_str(expected).expect("a module"));
        assert_eq!(without_debug(&kept), kept);
        assert_eq!(without_debug(&module[..20]), module[..20]);
        assert_eq!(without_debug(b""), b"");
    }
}
