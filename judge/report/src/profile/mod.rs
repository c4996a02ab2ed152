//! A bot's fuel, function by function: a table, a flame graph and files for viewers.

mod flame;
mod folded;
mod speedscope;
mod table;
#[cfg(test)]
mod tests;

/// Fuel by function and by chain of calls. The own fuel of all functions together is all there is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FuelProfile {
    /// A title, in a line.
    pub title: String,
    /// The functions that ran.
    pub functions: Vec<FunctionFuel>,
    /// The tree of calls: parents come before their children.
    pub paths: Vec<PathFuel>,
}

/// Fuel of one function.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FunctionFuel {
    /// Its name, fit to be shown.
    pub name: String,
    /// Number of calls.
    pub calls: u64,
    /// Its own fuel.
    pub own: u64,
    /// The same with everything that it called.
    pub total: u64,
}

/// Fuel of a function where one chain of calls led to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathFuel {
    /// The caller's place in the list; none for what the judge called.
    pub parent: Option<usize>,
    /// The function's place among the functions.
    pub function: usize,
    /// Its own fuel there.
    pub own: u64,
}

impl FuelProfile {
    /// All fuel.
    pub fn fuel(&self) -> u64 {
        self.functions.iter().map(|function| function.own).sum()
    }

    /// The functions with the most self fuel, at most so many, as a table with a last line for the
    /// others.
    pub fn to_table(&self, top: usize) -> String {
        table::table(self, top)
    }

    /// A flame graph as a picture (SVG): the width of a box is the fuel of a function with
    /// everything that it called, and the box is on top of its caller.
    pub fn to_svg(&self) -> String {
        flame::svg(self)
    }

    /// The file format of speedscope, a viewer for profiles.
    pub fn to_speedscope(&self) -> String {
        speedscope::document(self)
    }

    /// A line for each chain of calls, as most tools for flame graphs read it: `a;b;c 123`.
    pub fn to_folded(&self) -> String {
        folded::lines(self)
    }

    /// The name of the function at the end of a path.
    fn name(&self, path: &PathFuel) -> &str {
        self.functions.get(path.function).map_or("", |function| function.name.as_str())
    }

    /// The places of a chain's functions among the functions, the first that was called first.
    fn chain(&self, path: &PathFuel) -> Vec<usize> {
        let parent = |path: &&PathFuel| path.parent.and_then(|parent| self.paths.get(parent));
        let mut chain: Vec<usize> =
            std::iter::successors(Some(path), parent).map(|path| path.function).collect();
        chain.reverse();
        chain
    }
}
