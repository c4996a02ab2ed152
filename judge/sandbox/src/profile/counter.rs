//! Sums by function while an instrumented module runs.

use std::collections::BTreeMap;

use super::{FunctionCost, Measured, PathCost, Profile};

/// Fuel that the engine takes for entering a function.
const ENTRY_FUEL: u64 = 1;

/// Longest call chain with its own entry. Deeper calls count for the function at its end.
const MAX_DEPTH: usize = 200;

/// Most call chains with their own entries.
const MAX_PATHS: usize = 50_000;

/// Adds up fuel by function.
#[derive(Debug)]
pub(crate) struct Counter {
    measured: Measured,
    calls: u32,
    /// True during a measured call.
    counts: bool,
    /// Remaining fuel at the last check.
    left: u64,
    /// A script is interrupted once less fuel than this is left.
    due_below: u64,
    spent: u64,
    outside: u64,
    functions: Vec<Sum>,
    paths: Vec<Path>,
    stack: Vec<OpenFrame>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Sum {
    cost: FunctionCost,
    /// Number of its frames on the stack.
    active: u32,
}

/// A call chain. The first in the list is the empty one.
#[derive(Debug, Default)]
struct Path {
    parent: usize,
    function: u32,
    own: u64,
    depth: usize,
    /// Chains with one more call, by the called function.
    children: BTreeMap<u32, usize>,
}

#[derive(Debug, Clone, Copy)]
struct OpenFrame {
    function: usize,
    path: usize,
    /// Fuel spent before the frame.
    before: u64,
}

impl Counter {
    pub(crate) fn new(measured: Measured) -> Counter {
        Counter {
            measured,
            calls: 0,
            counts: false,
            left: 0,
            due_below: 0,
            spent: 0,
            outside: 0,
            functions: Vec::new(),
            paths: vec![Path::default()],
            stack: Vec::new(),
        }
    }

    /// A call of the bot begins; the store has this much fuel.
    pub(crate) fn begin(&mut self, left: u64) {
        self.counts = match self.measured {
            Measured::Every => true,
            Measured::Call(call) => call == self.calls,
            Measured::Interrupted(call) => {
                self.due_below = if call == self.calls { left / 2 } else { 0 };
                false
            }
            Measured::Sampled { call, fuel } => {
                let due_below = left.saturating_sub(fuel);
                self.due_below = if call == self.calls { due_below } else { 0 };
                false
            }
        };
        self.calls += 1;
        self.left = left;
    }

    /// The call ends; its functions may continue in the next one.
    pub(crate) fn end(&mut self, left: u64) {
        self.charge(left);
        self.counts = false;
    }

    /// True if a script has to be interrupted now. A script may catch what interrupts it, so this
    /// is due again later, a few times.
    pub(super) fn is_due(&mut self, left: u64) -> bool {
        let is_due = left < self.due_below;
        if is_due {
            self.due_below /= 2;
        }
        is_due
    }

    pub(super) fn enter(&mut self, function: u32, left: u64) {
        // The fuel of entering it belongs to the function itself.
        self.charge(left.saturating_add(ENTRY_FUEL));
        let place = function as usize;
        if self.functions.len() <= place {
            self.functions.resize(place + 1, Sum::default());
        }
        let sum = &mut self.functions[place];
        sum.cost.function = function;
        sum.cost.calls += u64::from(self.counts);
        sum.active += 1;
        let caller = self.stack.last().map_or(0, |frame| frame.path);
        let path = self.path(caller, function);
        self.stack.push(OpenFrame { function: place, path, before: self.spent });
    }

    /// The last entered function returns.
    pub(super) fn leave(&mut self, left: u64) {
        self.charge(left);
        self.pop();
    }

    /// Charges the fuel since the last check to the running function.
    fn charge(&mut self, left: u64) {
        let used = self.left.saturating_sub(left);
        self.left = left;
        if !self.counts {
            return;
        }
        self.spent += used;
        match self.stack.last() {
            Some(frame) => {
                self.functions[frame.function].cost.own += used;
                self.paths[frame.path].own += used;
            }
            None => self.outside += used,
        }
    }

    fn pop(&mut self) {
        let Some(frame) = self.stack.pop() else { return };
        let sum = &mut self.functions[frame.function];
        sum.active -= 1;
        if sum.active == 0 {
            sum.cost.total += self.spent - frame.before;
        }
    }

    /// The call chain that extends another one.
    fn path(&mut self, caller: usize, function: u32) -> usize {
        if let Some(known) = self.paths[caller].children.get(&function) {
            return *known;
        }
        let depth = self.paths[caller].depth + 1;
        // Functions that the judge calls always get an entry.
        let is_full = self.paths.len() > MAX_PATHS && caller > 0;
        if depth > MAX_DEPTH || is_full {
            return caller;
        }
        let new = self.paths.len();
        self.paths.push(Path { parent: caller, function, depth, ..Path::default() });
        self.paths[caller].children.insert(function, new);
        new
    }

    /// Returns the sums. Functions that have not returned (a trap, the end of the program) end
    /// here.
    pub(crate) fn profile(mut self) -> Profile {
        while !self.stack.is_empty() {
            self.pop();
        }
        let ran = |cost: &FunctionCost| cost.calls > 0 || cost.total > 0;
        let costs = self.functions.iter().map(|sum| sum.cost);
        Profile {
            functions: costs.filter(ran).collect(),
            paths: chains_with_fuel(&self.paths),
            outside: self.outside,
        }
    }
}

/// Chains with fuel, and those that lead to one.
fn chains_with_fuel(all: &[Path]) -> Vec<PathCost> {
    let mut needed = vec![false; all.len()];
    // Parents come first, so the reverse order reaches them last.
    for (at, path) in all.iter().enumerate().rev() {
        needed[at] |= path.own > 0;
        needed[path.parent] |= needed[at];
    }
    let mut places = vec![None; all.len()];
    let mut costs: Vec<PathCost> = Vec::new();
    for (at, path) in all.iter().enumerate().skip(1).filter(|(at, _)| needed[*at]) {
        places[at] = u32::try_from(costs.len()).ok();
        let parent = places[path.parent];
        costs.push(PathCost { parent, function: path.function, own: path.own });
    }
    costs
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Calls functions 7 (which calls itself) and 9, with 100 fuel at the start.
    fn measured(which: Measured) -> Profile {
        let mut counter = Counter::new(which);
        for _ in 0..2 {
            counter.begin(100);
            counter.enter(7, 99);
            counter.enter(7, 88);
            counter.enter(9, 77);
            counter.leave(70);
            counter.leave(65);
            counter.leave(60);
            counter.end(60);
        }
        counter.profile()
    }

    #[test]
    fn every_unit_of_fuel_is_in_one_function() {
        let profile = measured(Measured::Every);
        let cost = |function, calls, own, total| FunctionCost { function, calls, own, total };
        assert_eq!(profile.functions, [cost(7, 4, 64, 80), cost(9, 2, 16, 16)]);
        assert_eq!((profile.outside, profile.fuel()), (0, 80));
        let path = |parent, function, own| PathCost { parent, function, own };
        let paths = [path(None, 7, 32), path(Some(0), 7, 32), path(Some(1), 9, 16)];
        assert_eq!(profile.paths, paths);
        assert!(profile.is_sound());
    }

    #[test]
    fn an_interruption_is_due_when_half_of_the_fuel_is_spent() {
        let mut counter = Counter::new(Measured::Interrupted(1));
        counter.begin(100);
        assert!(!counter.is_due(10), "another call");
        counter.begin(100);
        let due = [60, 49, 40, 24, 3].map(|left| counter.is_due(left));
        assert_eq!(due, [false, true, false, true, true]);
        counter.begin(3);
        assert!(!counter.is_due(1));
    }

    #[test]
    fn a_sample_is_due_at_its_amount_of_fuel() {
        let mut counter = Counter::new(Measured::Sampled { call: 1, fuel: 30 });
        for (left, due) in [(100, [false, false]), (90, [false, true])] {
            counter.begin(left);
            assert_eq!([left - 29, left - 31].map(|left| counter.is_due(left)), due);
        }
    }

    #[test]
    fn one_of_two_equal_calls_has_half_of_the_fuel() {
        for call in [0, 1] {
            assert_eq!(measured(Measured::Call(call)).fuel(), 40);
        }
        assert_eq!(measured(Measured::Call(2)), Profile::default());
    }

    #[test]
    fn fuel_of_a_waiting_program_counts_for_its_function() {
        let mut counter = Counter::new(Measured::Call(1));
        counter.enter(3, 50);
        counter.begin(100);
        counter.end(90);
        counter.begin(90);
        counter.enter(4, 80);
        counter.end(75);
        let profile = counter.profile();
        let cost = |function, calls, own, total| FunctionCost { function, calls, own, total };
        assert_eq!(profile.functions, [cost(3, 0, 9, 15), cost(4, 1, 6, 6)]);
    }

    #[test]
    fn deep_chains_count_for_their_last_recorded_function() {
        let mut counter = Counter::new(Measured::Every);
        counter.begin(1_000_000);
        for number in 1..=3000_u64 {
            counter.enter(1, 1_000_000 - 10 * number);
        }
        counter.end(900_000);
        let profile = counter.profile();
        assert_eq!(profile.paths.len(), MAX_DEPTH);
        assert_eq!(profile.fuel(), 100_000);
        assert!(profile.is_sound());
    }

    #[test]
    fn inconsistent_counts_are_refused() {
        let good = measured(Measured::Every);
        let mut late = good.clone();
        late.paths[0].parent = Some(2);
        let mut more = good.clone();
        more.paths[0].own += 1;
        let mut twice = good.clone();
        twice.functions.push(twice.functions[0]);
        for bad in [late, more, twice] {
            assert!(!bad.is_sound(), "{bad:?}");
        }
    }
}
