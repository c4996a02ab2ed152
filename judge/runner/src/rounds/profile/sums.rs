//! Sums of the profiles of several rounds.

use std::collections::BTreeMap;

use judge_report::{FuelProfile, FunctionFuel, PathFuel};
use judge_sandbox::{FunctionCost, Profile};

use crate::bots::function_names::FunctionNames;

/// Sums by function and by chain of calls.
#[derive(Default)]
pub(super) struct ProfileSums {
    functions: BTreeMap<u32, FunctionCost>,
    /// Paths, in which parents come before their children.
    paths: Vec<(Option<usize>, u32, u64)>,
    places: BTreeMap<(Option<usize>, u32), usize>,
}

impl ProfileSums {
    /// Adds a round.
    pub(super) fn add(&mut self, profile: &Profile) {
        for cost in &profile.functions {
            let sum = self.functions.entry(cost.function).or_default();
            sum.calls += cost.calls;
            sum.own += cost.own;
            sum.total += cost.total;
        }
        let mut places: Vec<usize> = Vec::new();
        for path in &profile.paths {
            // The supervisor has checked that parents come first in a worker's profile.
            let parent = path.parent.and_then(|parent| places.get(parent as usize).copied());
            let paths = &mut self.paths;
            let place = *self.places.entry((parent, path.function)).or_insert_with(|| {
                paths.push((parent, path.function, 0));
                paths.len() - 1
            });
            paths[place].2 += path.own;
            places.push(place);
        }
    }

    /// The functions that ran.
    pub(super) fn functions(&self) -> impl Iterator<Item = u32> {
        self.functions.keys().copied()
    }

    /// Returns the sums with the functions' names.
    pub(super) fn profile(&self, title: String, names: &FunctionNames) -> FuelProfile {
        let functions: Vec<u32> = self.functions.keys().copied().collect();
        let place = |function: &u32| functions.binary_search(function).ok();
        let named = |(function, cost): (&u32, &FunctionCost)| FunctionFuel {
            name: names.name(*function),
            calls: cost.calls,
            own: cost.own,
            total: cost.total,
        };
        let path = |(parent, function, own): &(Option<usize>, u32, u64)| {
            Some(PathFuel { parent: *parent, function: place(function)?, own: *own })
        };
        FuelProfile {
            title,
            functions: self.functions.iter().map(named).collect(),
            is_sampled: false,
            paths: self.paths.iter().filter_map(path).collect(),
        }
    }
}
