//! The judge and other programs to measure: the released binary, and the native forms of a C++ sample bot.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The repository's folder.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The released judge in Cargo's folder for builds, or the program that the variable `JUDGE` names. Without
/// one the process ends with a hint.
pub fn judge() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    let built = target.unwrap_or_else(|| root().join("target")).join("release/judge");
    let judge = std::env::var_os("JUDGE").map_or(built, PathBuf::from);
    if !judge.exists() {
        eprintln!("`{}` is missing\n\nhint: cargo build --release", judge.display());
        std::process::exit(1);
    }
    judge
}

/// A C++ sample bot, built for this machine.
pub struct Native {
    /// A shared library with one function per callback.
    pub library: PathBuf,
    /// A program that communicates by lines.
    pub pipe: PathBuf,
    /// A program that plays rounds by itself, in C++ without lines.
    pub arcade: PathBuf,
}

impl Native {
    /// Builds the sample bot with that name into the target folder.
    ///
    /// # Errors
    /// The compiler's output, or a note that none is installed.
    pub fn build(bot: &str) -> Result<Native, String> {
        let folder = root().join("target/bench").join(bot);
        std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
        let form = |form: &str, file: &str| {
            let out = folder.join(file);
            let script = root().join("sdk/cpp/build-native.sh");
            let source = root().join("sample-bots").join(bot).join("brain.cpp");
            run(Command::new(script).arg(source).arg(form).arg("-o").arg(&out))?;
            Ok::<_, String>(out)
        };
        Ok(Native {
            library: form("library", "bot.so")?,
            pipe: form("pipe", "pipe")?,
            arcade: form("arcade", "arcade")?,
        })
    }
}

/// Compiles a C program for this machine, with `$CC` or `cc`.
///
/// # Errors
/// The compiler's output, or a note that none is installed.
pub fn compile_c(source: &Path, program: &Path) -> Result<(), String> {
    let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
    run(Command::new(compiler).arg("-O2").arg(source).arg("-o").arg(program).arg("-lm"))
}

/// Runs a command to its end.
///
/// # Errors
/// Its output, when it fails.
pub fn run(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|error| format!("`{command:?}`: {error}"))?;
    match output.status.success() {
        true => Ok(()),
        false => Err(format!("`{command:?}`: {}", String::from_utf8_lossy(&output.stderr))),
    }
}
