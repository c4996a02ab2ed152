//! The slowest module that intake accepts: a search over modules at the edges of intake's limits
//! for the one that takes longest to compile.
//!
//! First every shape alone at several figures, then the worst of them changed step by step, each
//! change kept if it is slower. The times differ from run to run; the modules tried depend on the
//! seed and on which of them were slower.

mod genome;
mod module;
mod shapes;

use std::path::PathBuf;

use clap::Parser;
use judge_core::{Purpose, Random, Seed};

use genome::{Genome, Part};
use shapes::Shape;
use crate::trial::{self, Trial};

/// Finds the module that intake accepts and that takes longest to compile.
#[derive(Debug, Parser)]
pub struct Arguments {
    /// Seed of the search.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Random modules of each shape, before the search.
    #[arg(long, default_value_t = 6)]
    tries: u32,
    /// Changes to the worst of them.
    #[arg(long, default_value_t = 100)]
    steps: u32,
    /// How many of the worst are changed, each as often.
    #[arg(long, default_value_t = 3)]
    climbers: usize,
    /// Where to write the slowest module.
    #[arg(long, value_name = "PATH")]
    keep: Option<PathBuf>,
    /// Compile standard input and say how long it took: what the search runs for each module.
    #[arg(long, hide = true)]
    compile: bool,
}

/// A module and what became of it.
type Found = (Trial, Genome);

/// Does what the arguments say; returns what is to be printed.
///
/// # Errors
/// When a process cannot be started, or a file cannot be written.
pub fn run(arguments: &Arguments) -> Result<String, String> {
    if arguments.compile {
        return trial::compile();
    }
    search(arguments).map_err(|error| error.to_string())
}

fn search(arguments: &Arguments) -> std::io::Result<String> {
    let mut random = Seed(arguments.seed).random(Purpose::Chance);
    let mut found = survey(arguments.tries, &mut random)?;
    found.sort_by_key(|one| std::cmp::Reverse(one.0));
    found.truncate(arguments.climbers.max(1));
    for climber in &mut found {
        climb(climber, arguments.steps, &mut random)?;
    }
    found.sort_by_key(|one| std::cmp::Reverse(one.0));
    if let (Some(path), Some((_, genome))) = (&arguments.keep, found.first()) {
        std::fs::write(path, module::assemble(genome))?;
    }
    let lines = found.iter().map(|(trial, genome)| format!("{trial}: {genome}\n"));
    Ok(format!("\nslowest\n{}", lines.collect::<String>()))
}

/// The worst of some random modules of each shape.
fn survey(tries: u32, random: &mut Random) -> std::io::Result<Vec<Found>> {
    let mut all = Vec::new();
    for shape in Shape::ALL {
        let mut worst: Option<Found> = None;
        let mut taken = 0;
        // Many are refused; not for ever.
        for _ in 0..tries * 10 {
            let genome = Genome::of(Part { shape, ..Part::random(random) });
            let trial = trial::run(&module::assemble(&genome))?;
            taken += u32::from(trial != Trial::Refused);
            if worst.as_ref().is_none_or(|(known, _)| *known < trial) {
                worst = Some((trial, genome));
            }
            if taken == tries {
                break;
            }
        }
        if let Some(found) = worst {
            eprintln!("{}: {}", found.0, found.1);
            all.push(found);
        }
    }
    Ok(all)
}

fn climb(found: &mut Found, steps: u32, random: &mut Random) -> std::io::Result<()> {
    for _ in 0..steps {
        let next = found.1.changed(random);
        let trial = trial::run(&module::assemble(&next))?;
        if trial > found.0 {
            eprintln!("{trial}: {next}");
            *found = (trial, next);
        }
    }
    Ok(())
}
