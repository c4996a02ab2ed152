//! Price of counting: the lines of a round of each sample bot in wasmtime without counting, with its own
//! fuel as in the sandbox, and rewritten by `judge/meter`. The three alternate, so that noise affects all
//! alike.
//!
//! `cargo bench -p judge-bench --bench meter [-- BOT…]`

use std::path::{Path, PathBuf};
use std::time::Duration;

use judge_bench::{root, thread_time};
use judge_core::{
    Limits, Options, Player, PlayerFault, RoundSpec, Seat, SeatSpec, Seed, Usage, digest,
};
use judge_meter::{
    FEATURES, FUEL, FuelAccount, OWED, PAGES, REST, START, TABLE_COPY_ELEMENT, cost_table,
};
use judge_sandbox::{BotPlayer, Compiled, Sandbox};
use wasmtime::{
    Config, Engine, Instance, Linker, Module, OperatorCost, Store, TypedFunc, Val, WasmFeatures,
};

const REPEATS: usize = 21;

/// Least time of a measurement, so that the clock's steps do not matter.
const LEAST: Duration = Duration::from_millis(20);

/// Fuel for a round, of which no bot needs half.
const BUDGET: u64 = Limits::COURSE.fuel;

fn main() {
    let named: Vec<String> = std::env::args().skip(1).filter(|one| !one.starts_with('-')).collect();
    let bots = samples().into_iter().filter(|path| {
        named.is_empty()
            || named.iter().any(|name| path.file_stem().is_some_and(|stem| **name == *stem))
    });
    println!(
        "| bot | bytes | rewritten | fuel of a round | own fuel / none | rewritten / none | rewritten / own fuel |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|");
    let ratios: Vec<f64> = bots.filter_map(|path| measure(&path)).collect();
    let mean = ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len().max(1) as f64;
    println!("\ngeometric mean of the ratios: {:.2}", mean.exp());
}

fn samples() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join("sample-bots/prebuilt")).expect("sample bots");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a file").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|end| end == "wasm"));
    paths.sort();
    paths
}

macro_rules! costs {
    ($($cost:literal: $($operator:ident)+;)*) => {
        fn costs() -> OperatorCost {
            let mut costs = OperatorCost::new();
            $($(costs.$operator = $cost;)+)*
            costs.variable.table_copy_per_element = TABLE_COPY_ELEMENT;
            costs.variable.table_grow_per_element = 0;
            costs
        }
    };
}

cost_table!(costs);

/// A way to count.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Counting {
    Nothing,
    Own,
    Rewritten,
}

impl Counting {
    /// wasmtime as this way needs it. NaN bits are canonical in both ways that count.
    fn engine(self) -> Engine {
        let mut config = Config::new();
        config.wasm_features(WasmFeatures::all(), false);
        config.wasm_features(FEATURES, true);
        if self == Counting::Own {
            config.consume_fuel(true);
            config.operator_cost(costs());
            config.cranelift_nan_canonicalization(true);
        }
        Engine::new(&config).expect("an engine")
    }
}

/// A bot that is compiled for one way to count.
struct MeteredModule {
    counting: Counting,
    module: Module,
}

/// A bot that listens, with a way to give it a line.
struct MeteredInstance {
    store: Store<()>,
    instance: Instance,
    line: TypedFunc<i32, i32>,
    address: usize,
}

impl MeteredModule {
    fn new(counting: Counting, bytes: &[u8]) -> MeteredModule {
        let module = Module::new(&counting.engine(), bytes).expect("a module");
        MeteredModule { counting, module }
    }

    /// Starts an instance. The host's functions do nothing.
    fn start(&self) -> MeteredInstance {
        let mut store = Store::new(self.module.engine(), ());
        let mut linker = Linker::new(self.module.engine());
        if self.counting == Counting::Own {
            store.set_fuel(BUDGET).expect("an engine with fuel");
        }
        let defined = linker.define_unknown_imports_as_default_values(&mut store, &self.module);
        defined.expect("imports are functions");
        let instance = linker.instantiate(&mut store, &self.module).expect("an instance");
        if self.counting == Counting::Rewritten {
            fill(&mut store, instance);
        }
        for name in [START, "_initialize"] {
            if let Ok(begin) = instance.get_typed_func::<(), ()>(&mut store, name) {
                begin.call(&mut store, ()).expect("a start-up");
            }
        }
        let buffer = instance.get_typed_func::<(), i32>(&mut store, "judge_buffer");
        let address = buffer.expect("a bot").call(&mut store, ()).expect("an address");
        let line = instance.get_typed_func(&mut store, "judge_line").expect("a bot");
        MeteredInstance { store, instance, line, address: address as u32 as usize }
    }

    /// Time of some rounds without their start, and the sum of the answers' lengths.
    fn rounds(&self, lines: &[String], count: u32) -> (Duration, i64) {
        let (mut time, mut answers) = (Duration::ZERO, 0);
        for _ in 0..count {
            let mut running = self.start();
            let begin = thread_time();
            answers += lines.iter().map(|line| i64::from(running.hear(line))).sum::<i64>();
            time += thread_time() - begin;
        }
        (time, answers)
    }
}

/// Puts fuel and memory into a rewritten module.
fn fill(store: &mut Store<()>, instance: Instance) {
    let pages = Limits::COURSE.memory_bytes / 65_536;
    let funds = FuelAccount::new(Limits::COURSE.memory_bytes).put(BUDGET);
    for (name, value) in
        [(FUEL, funds.fuel), (REST, funds.rest), (OWED, funds.owed), (PAGES, pages as i64)]
    {
        let global = instance.get_global(&mut *store, name).expect("a global");
        global.set(&mut *store, Val::I64(value)).expect("a mutable global");
    }
}

impl MeteredInstance {
    /// Gives a line to the bot; returns the length of its answer.
    fn hear(&mut self, line: &str) -> i32 {
        let memory = self.instance.get_memory(&mut self.store, "memory").expect("a memory");
        memory.write(&mut self.store, self.address, line.as_bytes()).expect("room for a line");
        self.line.call(&mut self.store, line.len() as i32).expect("an answer")
    }
}

/// Measures a bot and prints its row; returns the time of the rewritten module relative to own fuel.
fn measure(path: &Path) -> Option<f64> {
    let name = path.file_stem()?.to_str()?;
    let bytes = std::fs::read(path).expect("a sample bot");
    let (lines, fuel) = round(name, &bytes)?;
    let rewritten = judge_meter::rewrite(&bytes).expect("a module that intake accepts");
    let forms = [
        MeteredModule::new(Counting::Nothing, &bytes),
        MeteredModule::new(Counting::Own, &bytes),
        MeteredModule::new(Counting::Rewritten, &rewritten),
    ];
    let mut count = 1;
    while forms[1].rounds(&lines, count).0 < LEAST {
        count *= 2;
    }
    let mut times: [Vec<Duration>; 3] = Default::default();
    for _ in 0..REPEATS {
        let measured = forms.each_ref().map(|form| form.rounds(&lines, count));
        assert!(measured.iter().all(|(_, answers)| *answers == measured[0].1), "{name}");
        times.iter_mut().zip(measured).for_each(|(times, (time, _))| times.push(time));
    }
    let [nothing, own, other] = times.map(|mut times| {
        times.sort();
        times[REPEATS / 2].as_secs_f64()
    });
    println!(
        "| `{name}` | {} | {} | {fuel} | {:.2} | {:.2} | {:.2} |",
        bytes.len(),
        rewritten.len(),
        own / nothing,
        other / nothing,
        other / own
    );
    Some(other / own)
}

/// A bot in a round, with the lines that it hears.
struct RecordedBot<'a> {
    player: BotPlayer<'a>,
    lines: Vec<String>,
    fuel: u64,
}

impl Player for RecordedBot<'_> {
    fn notice(&mut self, line: &str) -> Result<Option<u64>, PlayerFault> {
        self.lines.push(line.to_owned());
        let fuel = self.player.notice(line)?;
        self.fuel += fuel.unwrap_or(0);
        Ok(fuel)
    }

    fn ask(&mut self, line: &str, answer: &mut String) -> Result<Option<u64>, PlayerFault> {
        self.lines.push(line.to_owned());
        let fuel = self.player.ask(line, answer)?;
        self.fuel += fuel.unwrap_or(0);
        Ok(fuel)
    }

    fn usage(&mut self) -> Usage {
        self.player.usage()
    }
}

/// The lines and the fuel of a round; none for a program, which reads its lines itself.
fn round(name: &str, bytes: &[u8]) -> Option<(Vec<String>, u64)> {
    if name.contains("stdio") {
        return None;
    }
    let sandbox = Sandbox::new().expect("an engine");
    let compiled = Compiled::new(&sandbox, bytes).expect("a module that intake accepts");
    let game = name.split('-').next()?;
    let found = judge_referee::find(game).expect("a game");
    let (opponent, seed) = (found.opponents()[0].name, Seed(2022));
    let bot = SeatSpec::Bot { name: name.to_owned(), sha256: digest(bytes) };
    let seats = [bot, SeatSpec::Reference { name: opponent.to_owned() }];
    let (options, limits) = (Options::new(), Limits::COURSE);
    let spec = RoundSpec { game: game.to_owned(), options, seed, seats, limits };
    let player = BotPlayer::new(&compiled, limits).seeded(seed, Seat::One);
    let mut bot = RecordedBot { player, lines: Vec::new(), fuel: 0 };
    let mut other = judge_referee::reference(found, opponent, Seat::Two, seed).expect("it exists");
    let ended = judge_referee::sit_down(&spec, [&mut bot, other.as_mut()], None);
    let fault = ended.expect("a round").fault;
    assert!(fault.is_none(), "{name}: {fault:?}");
    Some((bot.lines, bot.fuel))
}
