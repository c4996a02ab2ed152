//! A bot's fuel, function by function: a table, a flame graph and files for viewers.

mod flame;
mod folded;
mod speedscope;
mod table;
#[cfg(test)]
mod tests;

/// Fuel by function and by chain of calls. The functions' own fuel adds up to the total.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FuelProfile {
    /// A one-line title.
    pub title: String,
    /// The functions that ran.
    pub functions: Vec<FunctionFuel>,
    /// True if the fuel is estimated from samples, which then count in place of calls.
    pub is_sampled: bool,
    /// The tree of calls: parents come before their children.
    pub paths: Vec<PathFuel>,
}

/// Fuel of one function.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FunctionFuel {
    /// The function's name, ready for display.
    pub name: String,
    /// Number of calls, or of samples.
    pub calls: u64,
    /// Fuel of the function itself.
    pub own: u64,
    /// Fuel of the function and its callees.
    pub total: u64,
}

/// Fuel of a function in one chain of calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathFuel {
    /// The index of the caller's path; none for a function that the judge called.
    pub parent: Option<usize>,
    /// The index of the function.
    pub function: usize,
    /// Fuel of the function itself in this chain.
    pub own: u64,
}

impl FuelProfile {
    /// Total fuel.
    pub fn fuel(&self) -> u64 {
        self.functions.iter().map(|function| function.own).sum()
    }

    /// Formats a table of the functions with the most self fuel, at most `top`, with a last row for
    /// the others.
    pub fn to_table(&self, top: usize) -> String {
        table::table(self, top)
    }

    /// Renders a flame graph (SVG). The width of a box is the fuel of a function and its callees,
    /// and each box is on top of its caller's.
    pub fn to_svg(&self) -> String {
        flame::svg(self)
    }

    /// Renders the file format of speedscope, a viewer for profiles.
    pub fn to_speedscope(&self) -> String {
        speedscope::document(self)
    }

    /// Formats each chain of calls as `a;b;c 123`, the format that most tools for flame graphs
    /// read.
    pub fn to_folded(&self) -> String {
        folded::lines(self)
    }

    /// The name of the function at the end of a path.
    fn name(&self, path: &PathFuel) -> &str {
        self.functions.get(path.function).map_or("", |function| function.name.as_str())
    }

    /// The indexes of a chain's functions, the outermost first.
    fn chain(&self, path: &PathFuel) -> Vec<usize> {
        let parent = |path: &&PathFuel| path.parent.and_then(|parent| self.paths.get(parent));
        let mut chain: Vec<usize> =
            std::iter::successors(Some(path), parent).map(|path| path.function).collect();
        chain.reverse();
        chain
    }
}
