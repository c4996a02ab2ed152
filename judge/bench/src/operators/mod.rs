//! The compiler's cost of each operator: a separate process compiles a module full of it, and
//! processor time and memory are divided by the number of operators.

mod catalog;
mod module;
mod shares;
mod unit;

use std::time::Duration;

use clap::Parser;

use crate::trial::{self, Trial};
pub(crate) use catalog::{OperatorEntry, all};
pub(crate) use module::fillings;
use module::{body, bot, copies};
pub(crate) use unit::{Filling, KINDS, Places};

/// Measures what each operator costs the compiler.
#[derive(Debug, Parser)]
pub struct Arguments {
    /// Only operators with names that contain this.
    #[arg(default_value = "")]
    name: String,
    /// Instead, how near modules come to intake's limits.
    #[arg(long, value_name = "PATH", num_args = 1..)]
    shares: Vec<std::path::PathBuf>,
    /// Compile standard input and say how long it took: what the measurement runs for each module.
    #[arg(long, hide = true)]
    compile: bool,
}

/// Number of functions in a module of small ones.
const SMALL: u32 = 60;

/// Units in a small function.
const UNITS: u32 = 600;

/// Units in a large function.
const LARGE: u32 = 16_000;

/// Runs the measurement of the arguments; prints a row after each operator.
///
/// # Errors
/// When a process cannot be started.
pub fn run(arguments: &Arguments) -> Result<String, String> {
    if arguments.compile {
        return trial::compile();
    }
    if !arguments.shares.is_empty() {
        return shares::table(&arguments.shares).map_err(|error| error.to_string());
    }
    measure(&arguments.name).map_err(|error| error.to_string())
}

fn measure(name: &str) -> std::io::Result<String> {
    let mut rows = String::new();
    let base = compiled(&[])?.unwrap_or_default();
    for kind in unit::KINDS {
        let row = format!("copy {kind:?}");
        rows += &line(&row, "", base, |units| copies(kind, units))?;
    }
    let all = module::fillings();
    for filling in all.iter().filter(|filling| filling.entry().name.contains(name)) {
        let entry = filling.entry();
        let form = match filling {
            Filling::Control(_) => "control".to_owned(),
            Filling::Values(_, signature) | Filling::Crossed(_, signature) => {
                format!("{:?} -> {:?}", signature.takes, signature.leaves)
            }
        };
        let beside = format!("{:?}", filling.beside());
        rows +=
            &line(entry.name, &format!("{form}\t{beside}"), base, |units| body(filling, units))?;
        if let Some(crossed) = filling.crossed() {
            rows += &line(entry.name, "crossed\t", base, |units| body(&crossed, units))?;
        }
    }
    Ok(rows)
}

type Figures = (Duration, u64);

fn compiled(module: &[Vec<wasm_encoder::Instruction<'_>>]) -> std::io::Result<Option<Figures>> {
    Ok(match trial::run(&bot(module))? {
        Trial::Compiled { time, peak_kib } => Some((time, peak_kib)),
        Trial::Refused | Trial::Killed => None,
    })
}

/// A row: functions and units, nanoseconds and bytes per unit, for small functions and for a large
/// one, which shrinks until intake accepts it.
fn line(
    name: &str,
    more: &str,
    base: Figures,
    body: impl Fn(u32) -> Vec<wasm_encoder::Instruction<'static>>,
) -> std::io::Result<String> {
    let mut text = name.to_owned();
    for (functions, units) in [(SMALL, UNITS), (1, LARGE)] {
        let (mut functions, mut units) = (functions, units);
        let mut found = None;
        while found.is_none() && units > 100 {
            let bodies = vec![body(units); functions as usize];
            found = compiled(&bodies)?;
            if found.is_none() {
                if functions > 1 {
                    functions /= 2;
                } else {
                    units = units * 2 / 3;
                }
            }
        }
        let (time, kib) = found.unwrap_or_default();
        let count = f64::from(functions * units);
        let nanos = (time.saturating_sub(base.0)).as_nanos() as f64 / count;
        let bytes = (kib.saturating_sub(base.1) * 1024) as f64 / count;
        text += &format!("\t{functions}x{units}\t{nanos:.0}\t{bytes:.0}");
    }
    text += &format!("\t{more}\n");
    eprint!("{text}");
    Ok(text)
}
