//! Measurements next to the values of a model.

use comfy_table::{Table, presets};

use crate::scene::Figures;

/// A line of the table.
pub(crate) struct MeasureLine {
    name: String,
    machines: usize,
    rate: f64,
    /// Rate relative to one worker of this process.
    ratio: f64,
    figures: Figures,
}

impl MeasureLine {
    pub(crate) fn local(name: &str, figures: &Figures, alone: &Figures) -> MeasureLine {
        MeasureLine::new(name.to_owned(), 0, figures, alone)
    }

    pub(crate) fn of_fleet(machines: usize, figures: &Figures, alone: &Figures) -> MeasureLine {
        MeasureLine::new(format!("machines: {machines}"), machines, figures, alone)
    }

    fn new(name: String, machines: usize, figures: &Figures, alone: &Figures) -> MeasureLine {
        assert_eq!(figures.digest, alone.digest, "{name}: other results");
        let rate = rate(figures);
        MeasureLine {
            name,
            machines,
            rate,
            ratio: rate / self::rate(alone),
            figures: figures.clone(),
        }
    }
}

/// Rounds per second.
fn rate(figures: &Figures) -> f64 {
    figures.rounds as f64 / figures.wall.as_secs_f64()
}

/// Prints the measurements, and the model's bounds next to them.
pub(crate) fn show(lines: &[MeasureLine], alone: &Figures) {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN).set_header([
        "who plays",
        "rounds/s",
        "against one worker here",
        "model",
        "batches",
        "database, ms a batch",
        "bytes a round",
        "this process, µs a round",
    ]);
    for line in lines {
        let model = if line.machines == 0 {
            String::new()
        } else {
            format!("{:.2}", model(line, alone, processors) / rate(alone))
        };
        let figures = &line.figures;
        let (batches, rounds) = (figures.batches.max(1) as f64, figures.rounds as f64);
        table.add_row([
            line.name.clone(),
            format!("{:.0}", line.rate),
            format!("{:.2}", line.ratio),
            model,
            figures.batches.to_string(),
            format!("{:.2}", figures.database.as_secs_f64() * 1000.0 / batches),
            format!("{:.0}", figures.bytes as f64 / rounds),
            format!("{:.1}", figures.here.as_secs_f64() * 1e6 / rounds),
        ]);
    }
    println!("{} rounds, {processors} processors\n\n{table}", alone.rounds);
    if let Some(last) = lines.iter().rev().find(|line| line.machines > 0) {
        let figures = &last.figures;
        let rounds = figures.rounds as f64;
        println!("\nupper limits with separate machines:");
        println!("{:.0} rounds/s by what this process does", rounds / figures.here.as_secs_f64());
        println!(
            "{:.0} rounds/s by the database, one processor of it",
            rounds / figures.database.as_secs_f64()
        );
    }
}

/// Rounds per second of machines that share the processors with this process and the database: the
/// remaining processors, at the local rate.
fn model(line: &MeasureLine, alone: &Figures, processors: usize) -> f64 {
    let figures = &line.figures;
    let rounds = figures.rounds as f64;
    let play = alone.wall.as_secs_f64() / alone.rounds as f64;
    let beside = (figures.here + figures.database).as_secs_f64() / rounds;
    // The machines bound playing; the processors bound everything together.
    let by_machines = line.machines as f64 / play;
    let by_processors = processors as f64 / (play + beside);
    by_machines.min(by_processors)
}
