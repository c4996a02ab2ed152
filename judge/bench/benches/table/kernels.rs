//! Eight small programs in C, as students write them: by the system's compiler for this machine, as bots in
//! the sandbox, and as the same modules in wasmtime without counting. The three alternate, so that noise
//! affects all alike.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use judge_bench::{BenchRow, Goal, PipePlayer, compile_c, judge, processor_time, root};
use judge_core::{Limits, Player as _, Seat, Seed};
use judge_sandbox::{BotPlayer, Compiled, Sandbox};
use wasmtime::{Engine, Linker, Module, Store};

use super::{Folder, median};

const KERNELS: [&str; 8] =
    ["sieve", "sort", "network", "bitboard", "table", "states", "distance", "chances"];

const REPEATS: usize = 9;

/// Least time of a measurement in the sandbox: the clock's steps and the start of a process do not matter then.
const LEAST: Duration = Duration::from_millis(150);

/// A kernel in its three forms.
struct Kernel {
    native: PathBuf,
    compiled: Compiled,
    bare: Module,
}

/// Milliseconds of a kernel in each form.
struct KernelTimes {
    native: f64,
    sandboxed: f64,
    bare: f64,
}

pub(crate) fn rows() -> Result<Vec<BenchRow>, String> {
    let folder = Folder::new("kernels")?;
    let mut rows = Vec::new();
    let (mut sandboxed, mut bare) = (1.0, 1.0);
    for name in KERNELS {
        let times = Kernel::build(name, folder.path()).and_then(|kernel| kernel.times());
        let times = times.map_err(|error| format!("`{name}`: {error}"))?;
        sandboxed *= times.sandboxed / times.native;
        bare *= times.bare / times.native;
        let peer = Some(("cc -O2", times.native));
        let (what, judge) = (format!("C program `{name}`"), times.sandboxed);
        rows.push(BenchRow { what, judge, unit: "ms", peer, goal: Goal::Shown });
    }
    let mean = |product: f64| product.powf(1.0 / KERNELS.len() as f64);
    let peer = Some(("wasmtime without counting", mean(bare)));
    let what = "geometric mean of the eight, times `cc -O2`".to_owned();
    let (judge, goal) = (mean(sandboxed), Goal::AtMost(1.40));
    rows.push(BenchRow { what, judge, unit: "×", peer, goal });
    Ok(rows)
}

impl Kernel {
    /// Builds a kernel as `judge build` does. The variable `JUDGE_KERNEL_FLAGS` has further flags to try.
    fn build(name: &str, folder: &Path) -> Result<Kernel, String> {
        let source = root().join("judge/bench/kernels").join(name).with_extension("c");
        let (native, module) = (folder.join(name), folder.join(name).with_extension("wasm"));
        compile_c(&source, &native)?;
        let flags = std::env::var("JUDGE_KERNEL_FLAGS").unwrap_or_default();
        let flags = flags.split_whitespace().map(|flag| format!("--flag={flag}"));
        let mut command = Command::new(judge());
        judge_bench::run(command.arg("build").arg(&source).arg("-o").arg(&module).args(flags))?;
        let bytes = std::fs::read(&module).map_err(super::text)?;
        let sandbox = Sandbox::new().map_err(super::text)?;
        let compiled = Compiled::new(&sandbox, &bytes).map_err(super::text)?;
        let bare = Module::new(&Engine::default(), &bytes).map_err(super::text)?;
        Ok(Kernel { native, compiled, bare })
    }

    /// Measures the three forms by turns.
    fn times(&self) -> Result<KernelTimes, String> {
        let mut repetitions = 1;
        while self.sandboxed(repetitions)?.0 < LEAST {
            repetitions *= 2;
        }
        let mut times: [Vec<f64>; 3] = Default::default();
        for _ in 0..REPEATS {
            let measured =
                [self.native(repetitions)?, self.sandboxed(repetitions)?, self.bare(repetitions)?];
            if measured.iter().any(|(_, answer)| *answer != measured[0].1) {
                return Err(format!("`{}`: different answers", self.native.display()));
            }
            for (times, (time, _)) in times.iter_mut().zip(&measured) {
                times.push(time.as_secs_f64() * 1e3);
            }
        }
        let [native, sandboxed, bare] = times.map(median);
        Ok(KernelTimes { native, sandboxed, bare })
    }

    /// Processor time and answer of the native program, without its start.
    fn native(&self, repetitions: u32) -> Result<(Duration, String), String> {
        let run = |repetitions: u32| {
            let mut player = PipePlayer::start(&self.native).map_err(super::text)?;
            let mut answer = String::new();
            player
                .ask(&repetitions.to_string(), &mut answer)
                .map_err(|fault| fault.detail.to_string())?;
            Ok::<_, String>((player.end().map_err(super::text)?, answer))
        };
        let start = run(0)?.0;
        run(repetitions).map(|(time, answer)| (time.saturating_sub(start), answer))
    }

    /// The same in the sandbox.
    fn sandboxed(&self, repetitions: u32) -> Result<(Duration, String), String> {
        // A round's time would end before the measurement is long enough.
        let limits = Limits { fuel: 16 * Limits::COURSE.fuel, ..Limits::COURSE };
        let mut player = BotPlayer::new(&self.compiled, limits).seeded(Seed(1), Seat::One);
        let mut ask = |repetitions: u32| {
            let mut answer = String::new();
            player
                .ask(&repetitions.to_string(), &mut answer)
                .map_err(|fault| fault.detail.to_string())?;
            Ok::<_, String>(answer)
        };
        ask(0)?;
        let begin = processor_time();
        let answer = ask(repetitions)?;
        Ok((processor_time() - begin, answer))
    }

    /// The same in wasmtime as it is by default.
    fn bare(&self, repetitions: u32) -> Result<(Duration, String), String> {
        let mut store = Store::new(self.bare.engine(), ());
        let mut linker = Linker::new(self.bare.engine());
        let defined = linker.define_unknown_imports_as_default_values(&mut store, &self.bare);
        defined.map_err(super::text)?;
        let instance = linker.instantiate(&mut store, &self.bare).map_err(super::text)?;
        let kernel =
            instance.get_typed_func::<u32, u32>(&mut store, "kernel").map_err(super::text)?;
        let begin = processor_time();
        let sum = kernel.call(&mut store, repetitions).map_err(super::text)?;
        Ok((processor_time() - begin, sum.to_string()))
    }
}
