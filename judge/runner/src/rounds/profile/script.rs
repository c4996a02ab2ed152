//! The profile of a script: its functions and lines, from samples. No function of a script is one of
//! its module, so the round is replayed and interrupted at even distances of fuel.

use std::collections::{BTreeMap, BTreeSet};

use judge_core::{FUEL_PER_MS, FailureTrace, RoundRecord, Seat};
use judge_report::{FuelProfile, FunctionFuel, PathFuel};

use super::costliest::Chosen;
use crate::Error;
use crate::base::workers::Workers;
use crate::rounds::rerun::{self, SamplePoint};
use crate::rounds::round_text;

/// Fewest and most samples of a round.
const SAMPLES: [u64; 2] = [8, 48];

/// Fuel of all replays of a round, if that allows enough samples.
const REPLAYED: u64 = 16_000 * FUEL_PER_MS;

/// Most lines in the list.
const MOST_LINES: usize = 8;

/// The name for samples that were in no function of the script.
const OUTSIDE: &str = "(the language and the kit)";

/// Fuel by chain of functions, outermost first, and by line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ScriptSamples {
    chains: BTreeMap<Vec<String>, Sampled>,
    lines: BTreeMap<String, Sampled>,
}

/// Samples, and the fuel that they stand for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Sampled {
    samples: u64,
    fuel: u64,
}

impl Sampled {
    fn add(&mut self, fuel: u64) {
        self.samples += 1;
        self.fuel += fuel;
    }
}

impl ScriptSamples {
    /// Samples the calls of a round, or one of them.
    ///
    /// # Errors
    /// If the script cannot be compiled.
    pub(super) fn add(
        &mut self,
        workers: &Workers,
        module: &[u8],
        (record, seat): (&RoundRecord, Seat),
        chosen: Option<Chosen>,
    ) -> Result<(), Error> {
        let calls = calls(record, seat, chosen);
        let points = points(&calls, record.fuel(seat));
        let logs = rerun::sample(workers, module, (record, seat), &points)?;
        let all: u64 = calls.iter().map(|call| call.fuel).sum();
        let shares = shares(all, logs.len() as u64);
        for (log, fuel) in logs.into_iter().zip(shares) {
            self.note(&frames(&log.unwrap_or_default()), fuel);
        }
        Ok(())
    }

    /// Notes a sample with its frames, innermost first.
    fn note(&mut self, frames: &[String], fuel: u64) {
        let innermost = frames.first().map_or(OUTSIDE, String::as_str);
        self.lines.entry(innermost.to_owned()).or_default().add(fuel);
        let mut chain: Vec<String> = frames.iter().rev().map(|frame| function_of(frame)).collect();
        if chain.is_empty() {
            chain.push(OUTSIDE.to_owned());
        }
        self.chains.entry(chain).or_default().add(fuel);
    }

    /// The number of samples in the script's functions.
    fn found(&self) -> u64 {
        let own = self.lines.iter().filter(|(line, _)| *line != OUTSIDE);
        own.map(|(_, sampled)| sampled.samples).sum()
    }

    /// The fuel by function; none if no sample was in one.
    pub(super) fn profile(&self, title: &str) -> Option<FuelProfile> {
        if self.found() == 0 {
            return None;
        }
        let names: BTreeSet<&String> = self.chains.keys().flatten().collect();
        let names: Vec<&String> = names.into_iter().collect();
        let functions = names.iter().map(|name| self.function(name)).collect();
        let place = |name: &String| names.binary_search(&name).unwrap_or_default();
        let mut paths: Vec<PathFuel> = Vec::new();
        for (chain, sampled) in &self.chains {
            let mut parent = None;
            for name in chain {
                let function = place(name);
                let is_same = |path: &PathFuel| path.parent == parent && path.function == function;
                let at = paths.iter().position(is_same).unwrap_or_else(|| {
                    paths.push(PathFuel { parent, function, own: 0 });
                    paths.len() - 1
                });
                parent = Some(at);
            }
            if let Some(at) = parent {
                paths[at].own += sampled.fuel;
            }
        }
        Some(FuelProfile { title: title.to_owned(), functions, is_sampled: true, paths })
    }

    fn function(&self, name: &String) -> FunctionFuel {
        let mut fuel = FunctionFuel { name: name.clone(), ..FunctionFuel::default() };
        for (chain, sampled) in &self.chains {
            if chain.contains(name) {
                fuel.calls += sampled.samples;
                fuel.total += sampled.fuel;
            }
            if chain.last() == Some(name) {
                fuel.own += sampled.fuel;
            }
        }
        fuel
    }

    /// The lines with the most fuel, as text.
    pub(super) fn to_lines(&self) -> Vec<String> {
        let mut lines: Vec<(&String, &Sampled)> = self.lines.iter().collect();
        lines.sort_by_key(|(_, sampled)| std::cmp::Reverse(sampled.fuel));
        let all: u64 = lines.iter().map(|(_, sampled)| sampled.fuel).sum();
        let samples: u64 = lines.iter().map(|(_, sampled)| sampled.samples).sum();
        let head = format!("estimated from {samples} samples; lines with the most fuel:");
        let line = |(line, sampled): &(&String, &Sampled)| {
            let share = judge_report::share(sampled.fuel, all);
            format!("  {share:>8}  {line}")
        };
        std::iter::once(head).chain(lines.iter().take(MOST_LINES).map(line)).collect()
    }
}

/// A seat's calls with their fuel: one of them, or all, with the call in which the time ran out.
fn calls(record: &RoundRecord, seat: Seat, chosen: Option<Chosen>) -> Vec<Chosen> {
    if let Some(chosen) = chosen {
        return vec![chosen];
    }
    let rest = round_text::fuel_spent(record, seat).saturating_sub(record.fuel(seat));
    let own = record.calls.iter().filter(|call| call.seat == seat);
    let with_fuel = |(call, one): (u32, &judge_core::Call)| {
        let fuel = one.fuel.unwrap_or(rest);
        Chosen { call, fuel }
    };
    (0..).zip(own).map(with_fuel).collect()
}

/// Points at even distances in the fuel of some calls. `replayed` is the fuel of a replay.
fn points(calls: &[Chosen], replayed: u64) -> Vec<SamplePoint> {
    let all: u64 = calls.iter().map(|call| call.fuel).sum();
    let [fewest, most] = SAMPLES;
    let many = (REPLAYED / replayed.max(all).max(1)).clamp(fewest, most);
    let point = |number: u64| {
        let mut left = (u128::from(all) * u128::from(2 * number + 1) / u128::from(2 * many)) as u64;
        for call in calls {
            if left < call.fuel {
                return Some(SamplePoint { call: call.call, fuel: left });
            }
            left -= call.fuel;
        }
        None
    };
    (0..many).filter_map(point).collect()
}

/// The fuel of each sample, so that all together are exactly the whole.
fn shares(all: u64, samples: u64) -> impl Iterator<Item = u64> {
    let (each, more) = (all / samples.max(1), all % samples.max(1));
    (0..samples).map(move |number| each + u64::from(number < more))
}

/// The script's functions with their lines at the end of a log, innermost first.
fn frames(log: &str) -> Vec<String> {
    let mut trace = FailureTrace::default();
    trace.add_interrupted(log);
    // Functions of the language and the kit are folded.
    trace.frames.retain(|frame| !frame.starts_with('…'));
    trace.frames
}

/// The function of a frame such as `choose (bot.py:31)` or `choose (bot.js:31:5)`.
fn function_of(frame: &str) -> String {
    let Some(mut rest) = frame.strip_suffix(')') else { return frame.to_owned() };
    while let Some((before, number)) = rest.rsplit_once(':')
        && number.bytes().all(|byte| byte.is_ascii_digit())
    {
        rest = before;
    }
    format!("{rest})")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_evenly_spaced_and_add_up_to_the_fuel() {
        let calls = [(0, 10), (3, 30), (4, 0), (5, 60)];
        let calls = calls.map(|(call, fuel)| Chosen { call, fuel });
        let found = points(&calls, REPLAYED);
        let found: Vec<(u32, u64)> = found.iter().map(|one| (one.call, one.fuel)).collect();
        assert_eq!(found, [(0, 6), (3, 8), (3, 21), (5, 3), (5, 16), (5, 28), (5, 41), (5, 53)]);
        assert_eq!(points(&calls, 100).len(), 48);
        assert_eq!(points(&[], 0), []);
        assert_eq!(shares(100, 8).collect::<Vec<_>>(), [13, 13, 13, 13, 12, 12, 12, 12]);
    }

    #[test]
    fn samples_of_functions_and_lines_add_up() {
        let mut samples = ScriptSamples::default();
        assert_eq!(samples.profile("t"), None);
        let stack =
            |frames: &[&str]| frames.iter().map(|one| (*one).to_owned()).collect::<Vec<_>>();
        samples.note(&stack(&["room (bot.py:13)", "choose (bot.py:31)"]), 40);
        samples.note(&stack(&["room (bot.py:14)", "room (bot.py:13)", "choose (bot.py:31)"]), 30);
        samples.note(&stack(&["choose (bot.js:33:5)"]), 20);
        samples.note(&[], 10);
        let profile = samples.profile("t").expect("found");
        let function = |name: &str| {
            let found = profile.functions.iter().find(|one| one.name == name).expect(name);
            (found.calls, found.own, found.total)
        };
        assert_eq!(function("room (bot.py)"), (2, 70, 70));
        assert_eq!(function("choose (bot.py)"), (2, 0, 70));
        assert_eq!(function("choose (bot.js)"), (1, 20, 20));
        assert_eq!(function(OUTSIDE), (1, 10, 10));
        assert_eq!((profile.fuel(), profile.paths.len()), (100, 5));
        assert_eq!(profile.paths.iter().map(|path| path.own).sum::<u64>(), 100);
        let lines = samples.to_lines();
        assert!(lines[0].starts_with("estimated from 4 samples"), "{lines:?}");
        assert!(lines[1].ends_with("room (bot.py:13)") && lines[1].contains("40"), "{lines:?}");
    }
}
