//! A profile as text.

use judge_core::{Blame, printable};
use judge_report::fuel_as_ms;

use super::{BrokenRound, Outcome};
use crate::rounds::check_bot::Maker;

impl Outcome {
    /// Formats the table of the most expensive functions, at most `top`, and remarks on it. `bot`
    /// is the bot's file in commands, ready for a shell.
    pub fn to_text(&self, bot: &str, top: usize) -> String {
        let (title, calls) = (&self.profile.title, self.calls);
        let spent = fuel_as_ms(self.profile.fuel());
        let plural = if calls == 1 { "" } else { "s" };
        let mut text = format!("{title}\n{spent} in {calls} call{plural}\n\n");
        text += &self.profile.to_table(top);
        let lines = self.failures.iter().flat_map(failure).chain(self.lines.iter().cloned());
        for line in lines.chain(self.about_names()).chain(self.about_costliest(bot)) {
            // Answers and reasons are untrusted.
            text += &printable(&line, usize::MAX);
            text.push('\n');
        }
        text
    }

    fn about_costliest(&self, bot: &str) -> Vec<String> {
        let Some(one) = &self.costliest else { return Vec::new() };
        let (ply, question, answer) = (one.ply, &one.question, &one.answer);
        let answer = printable(answer, 60);
        let spent = fuel_as_ms(one.fuel);
        vec![
            format!("most expensive move: move {ply}, `{question}` -> `{answer}`: {spent}"),
            format!("  details: judge profile {bot} {}", one.arguments),
        ]
    }

    fn about_names(&self) -> Option<String> {
        if self.is_interpreter {
            let what = "the script stopped at no sample, so these are functions of the interpreter";
            return Some(what.to_owned());
        }
        if !self.lines.is_empty() {
            return None;
        }
        let (count, advice) = (self.unnamed, keep_names(self.toolchain));
        let functions = if count == 1 { "function has" } else { "functions have" };
        (count > 0).then(|| format!("{count} {functions} no name: {advice}"))
    }
}

fn failure(failure: &BrokenRound) -> Vec<String> {
    let who = match failure.blame {
        Blame::Bot => "the bot",
        Blame::Opponent => "the opponent",
        Blame::Judge => "the judge",
    };
    let mut lines = vec![format!("{who} failed: {}", failure.what)];
    lines.extend(failure.trace.iter().map(|line| format!("  {line}")));
    lines
}

/// The way to keep function names in a module.
fn keep_names(toolchain: Maker) -> &'static str {
    match toolchain {
        Maker::Clang => "link without `-s` and `--strip-all`; `-g` keeps lines as well",
        Maker::Emscripten => "build with `--profiling-funcs`, or `-g`",
        Maker::Rust => {
            "set `strip = false` in the profile of `Cargo.toml`; built with `cargo` itself, \
             `debug = \"line-tables-only\"` keeps lines as well"
        }
        Maker::Go => "`judge build` leaves them out; build it yourself without `-ldflags=-s`",
        Maker::TinyGo => "build without `-no-debug`",
        Maker::Zig => "build without `-fstrip`",
        Maker::AssemblyScript => "compile with `--debug`",
        Maker::DotNet => "build without stripping symbols",
        Maker::Unknown => "build without stripping symbols (`-s`, `wasm-strip`)",
    }
}
