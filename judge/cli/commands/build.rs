//! `judge build`: a module from a source.

use std::path::PathBuf;

use judge_runner::Error;
use judge_runner::base::workers::Workers;
use judge_runner::bots::build::{self, Request};
use judge_runner::bots::native::NativeProgram;

use crate::args::{DefineArgs, SourceArgs};
use crate::exit::Exit;
use crate::show::{output, tell};

/// Build a bot from its source.
///
/// Sources are `.c`, `.cpp`, `.zig`, `.go`, `.ts` (AssemblyScript), `.js`, `.py`, `.wat`, and the
/// folder of a Rust or Go project. The other commands accept a source instead of a module, so this
/// is only needed for a file to submit. Finds the compiler, or says what to install. Exits with 3
/// if the source does not compile, a script fails before it reads its first line, or the judge would
/// refuse the module.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Source: a file, or the folder of a Rust or Go project.
    #[arg(value_name = "SOURCE")]
    source: PathBuf,
    /// Write the module to this file. Default: next to the source, with the ending `.wasm`.
    #[arg(short, long, value_name = "FILE.wasm")]
    out: Option<PathBuf>,
    /// Set the game that the bot plays, as the default of other commands. A source can also set it
    /// in a comment near its start: `// judge: game=amazons`.
    #[arg(long)]
    game: Option<String>,
    /// Set its name. Default: that of the source.
    #[arg(long)]
    name: Option<String>,
    /// Set its author.
    #[arg(long)]
    author: Option<String>,
    /// Build a program for this machine instead, for a debugger and `judge play --native`: from C,
    /// C++, Rust, Zig or Go. Default of `--out`: next to the source, without an extension.
    #[arg(long, conflicts_with_all = ["game", "name", "author"])]
    native: bool,
    #[command(flatten)]
    sources: SourceArgs,
    #[command(flatten)]
    defines: DefineArgs,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Error> {
    let Arguments { source, out, game, name, author, native, sources, defines } = arguments;
    sources.apply();
    defines.apply();
    let mut starting = || tell(&format!("building `{}`…", source.display()));
    if *native {
        let program = NativeProgram::build(source, out.as_ref(), &mut starting)?;
        program.remarks().lines().for_each(tell);
        output::unless_reader_left(output::print(&program.to_text()))?;
        return Ok(Exit::Passed);
    }
    let request = Request {
        source: source.clone(),
        out: out.clone(),
        game: game.clone(),
        name: name.clone(),
        author: author.clone(),
    };
    let workers = Workers::of_this_program()?.with_cache_of_user();
    let outcome = build::run(&request, &workers, &mut starting)?;
    outcome.remarks.lines().for_each(tell);
    outcome.write()?;
    output::unless_reader_left(output::print(&outcome.to_text()))?;
    let Some(why) = &outcome.refused else { return Ok(Exit::Passed) };
    let what = format!("the judge would refuse `{}`: {}", outcome.path.display(), why.reason);
    Err(Error::Input { what, hint: why.hint.clone() })
}
