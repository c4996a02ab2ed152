//! Searches for the slowest module that intake accepts: among modules at intake's limits, those
//! that need the most time or memory to compile.
//!
//! The search tries every shape, then changes the worst of them step by step and keeps a change
//! that is worse. Figures differ from run to run; the tried modules depend on the seed and on the
//! results.

mod best;
mod coverage;
mod genome;
mod module;
mod shapes;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Parser;
use judge_core::{Purpose, Random, Seed};
use judge_sandbox::intake::inspect;

use crate::trial::{self, Trial};
use best::{Best, RatedModule};
use genome::{FunctionKind, Genome};
use shapes::Shape;

/// Finds the modules that intake accepts and that cost most to compile.
#[derive(Debug, Parser)]
pub struct Arguments {
    /// Seed of the search.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Random modules of each shape, before the search.
    #[arg(long, default_value_t = 1)]
    tries: u32,
    /// Changes to each of the worst.
    #[arg(long, default_value_t = 60)]
    steps: u32,
    /// Number of modules that are changed, among the slowest and among those that need most memory.
    #[arg(long, default_value_t = 3)]
    climbers: usize,
    /// Begins again, with other random modules, until so many minutes are over.
    #[arg(long, value_name = "N")]
    minutes: Option<u64>,
    /// Print which shapes hold which operators and sections, instead of a search.
    #[arg(long)]
    coverage: bool,
    /// Output file for the slowest module.
    #[arg(long, value_name = "PATH")]
    keep: Option<PathBuf>,
    /// Compile standard input and say how long it took: what the search runs for each module.
    #[arg(long, hide = true)]
    compile: bool,
}

/// Runs the search of the arguments; returns the text to print.
///
/// # Errors
/// When a process cannot be started, or a file cannot be written.
pub fn run(arguments: &Arguments) -> Result<String, String> {
    if arguments.compile {
        return trial::compile();
    }
    if arguments.coverage {
        return Ok(coverage::table());
    }
    search(arguments).map_err(|error| error.to_string())
}

/// Number of times that functions are made smaller until intake accepts them.
const HALVINGS: u32 = 12;

/// The state of a search.
struct SlowestSearch {
    random: Random,
    best: Best,
    end: Option<Instant>,
}

fn search(arguments: &Arguments) -> std::io::Result<String> {
    let end = arguments.minutes.map(|minutes| Instant::now() + Duration::from_secs(60 * minutes));
    let random = Seed(arguments.seed).random(Purpose::Chance);
    let mut search = SlowestSearch { random, best: Best::default(), end };
    loop {
        search.survey(arguments.tries)?;
        let worst = |list: &[RatedModule]| list.iter().take(arguments.climbers).cloned().collect();
        let slowest: Vec<RatedModule> = worst(&search.best.slowest);
        let hungriest: Vec<RatedModule> = worst(&search.best.hungriest);
        for climber in slowest {
            search.climb(climber, arguments.steps, |trial| trial.time().as_micros())?;
        }
        for climber in hungriest {
            search.climb(climber, arguments.steps, |trial| trial.peak_kib().into())?;
        }
        if search.end.is_none() || search.is_over() {
            break;
        }
    }
    if let (Some(path), Some((_, genome))) = (&arguments.keep, search.best.slowest.first()) {
        std::fs::write(path, module::assemble(genome))?;
    }
    Ok(format!("\n{}", search.best))
}

/// The genome with as many functions as intake accepts; with smaller ones if it accepts none.
fn fitted(mut genome: Genome) -> Genome {
    let is_taken = |genome: &Genome| inspect(&module::assemble(genome)).is_ok();
    for _ in 0..HALVINGS {
        if is_taken(&genome) {
            break;
        }
        let (mut least, mut most) = (0, genome.functions);
        while most - least > 1 + most / 50 {
            let functions = least.midpoint(most);
            if is_taken(&Genome { functions, ..genome.clone() }) {
                least = functions;
            } else {
                most = functions;
            }
        }
        if least > 0 {
            genome.functions = least;
            break;
        }
        for part in &mut genome.parts {
            part.bytes = (part.bytes / 2).max(32);
        }
    }
    genome
}

impl SlowestSearch {
    fn is_over(&self) -> bool {
        self.end.is_some_and(|end| Instant::now() >= end)
    }

    fn run(&mut self, genome: Genome) -> std::io::Result<RatedModule> {
        let genome = fitted(genome);
        let found = (trial::run(&module::assemble(&genome))?, genome);
        self.best.note(&found);
        Ok(found)
    }

    /// A plain module of each shape, and some random ones.
    fn survey(&mut self, tries: u32) -> std::io::Result<()> {
        for shape in Shape::all() {
            let plain = self.run(Genome::with_part(FunctionKind::plain(shape)))?;
            eprintln!("{}: {}", plain.0, plain.1);
            let mut taken = 0;
            // Intake refuses many, but the number of attempts is bounded.
            for _ in 0..tries * 10 {
                if taken == tries || self.is_over() {
                    break;
                }
                let genome = Genome::with_part(FunctionKind {
                    shape,
                    ..FunctionKind::random(&mut self.random)
                });
                let found = self.run(genome)?;
                if found.0 != Trial::Refused {
                    taken += 1;
                    eprintln!("{}: {}", found.0, found.1);
                }
            }
        }
        Ok(())
    }

    /// Changes a module while it gets worse by `key`.
    fn climb(
        &mut self,
        mut worst: RatedModule,
        steps: u32,
        key: impl Fn(&Trial) -> u128,
    ) -> std::io::Result<()> {
        for _ in 0..steps {
            if self.is_over() {
                break;
            }
            let next = worst.1.changed(&mut self.random);
            let found = self.run(next)?;
            if key(&found.0) > key(&worst.0) {
                eprintln!("{}: {}", found.0, found.1);
                worst = found;
            }
        }
        Ok(())
    }
}
