//! The counted quantities of a module, their limits, and the module's count of each.

use super::limits::*;
use super::refusal::IntakeRefusal;

/// Declares a quantity: its name, its wording in a refusal, its limit and its advice.
macro_rules! limits {
    ($($(#[$doc:meta])* $name:ident: $most:expr, $what:literal, $advice:ident;)*) => {
        /// A limited quantity of a module.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Limit {
            $($(#[$doc])* $name,)*
        }

        impl Limit {
            /// All quantities.
            pub const ALL: &[Limit] = &[$(Limit::$name),*];

            /// The name of the quantity, in the plural.
            pub fn what(self) -> &'static str {
                match self { $(Limit::$name => $what,)* }
            }

            /// The largest allowed count.
            pub fn most(self) -> u64 {
                match self { $(Limit::$name => $most as u64,)* }
            }

            pub(super) fn hint(self) -> &'static str {
                match self { $(Limit::$name => Advice::$advice.text(),)* }
            }
        }
    };
}

limits! {
    /// Types of functions.
    Types: MAX_TYPES, "types", Smaller;
    /// Parameters of one function.
    Parameters: MAX_PARAMETERS, "parameters of a function", Values;
    /// Results of one function.
    Results: MAX_RESULTS, "results of a function", Values;
    /// Parameters or results of one block.
    BlockValues: MAX_RESULTS, "values into or out of a block", Values;
    /// Imports of any kind.
    Imports: MAX_IMPORTS, "imports", Smaller;
    /// Functions with a body.
    Functions: MAX_FUNCTIONS, "functions", Smaller;
    /// Parameters and results, over all functions.
    Signatures: MAX_SIGNATURES, "parameters and results of all functions", Smaller;
    /// Tables of function pointers.
    Tables: MAX_TABLES, "tables", Smaller;
    /// Elements of one table.
    TableElements: MAX_TABLE_ELEMENTS, "table elements", Smaller;
    /// Global variables.
    Globals: MAX_GLOBALS, "global variables", Smaller;
    /// Exports.
    Exports: MAX_EXPORTS, "exports", Smaller;
    /// Segments of elements.
    ElementSegments: MAX_ELEMENT_SEGMENTS, "segments of table elements", Smaller;
    /// Elements in all segments.
    Elements: MAX_ELEMENTS, "elements in all segments", Smaller;
    /// Operators of constant expressions beyond the first.
    Computed: MAX_COMPUTED, "operators beyond one in initial values and offsets", Smaller;
    /// Segments of data, active and passive, empty ones too.
    DataSegments: MAX_DATA_SEGMENTS, "data segments", Data;
    /// Loops inside one another.
    LoopNesting: MAX_LOOP_NESTING, "loops inside one another", Split;
    /// Blocks inside one another.
    Nesting: MAX_NESTING, "blocks inside one another", Split;
    /// Loops times local variables of one function; see [`MAX_LOOPS_TIMES_LOCALS`].
    LoopsTimesLocals: MAX_LOOPS_TIMES_LOCALS, "loops times local variables in one function", Split;
    /// Bytes of the local variables of all functions.
    LocalKib: MAX_LOCAL_KIB, "KiB of local variables in all functions together", Locals;
    /// Branches times local variables; see [`MAX_BRANCHES_TIMES_LOCALS`].
    BranchesTimesLocals: MAX_BRANCHES_TIMES_LOCALS, "branches times local variables", Split;
    /// Moves where paths meet, times values in use; see [`MAX_JOINS`].
    Joins: MAX_JOINS,
        "million products of variables that meet where branches do and variables in use", Split;
    /// Bytes of all bodies.
    CodeKib: MAX_CODE_KIB, "KiB of functions", Smaller;
    /// Weight of one function.
    FunctionWeightKib: MAX_FUNCTION_WEIGHT_KIB,
        "KiB in one function, with operators weighted by their cost to the compiler", Weight;
    /// Weight of all functions.
    WeightKib: MAX_WEIGHT_KIB,
        "KiB of functions, with operators weighted by their cost to the compiler", Weight;
    /// Weight of all functions and segments.
    WorkKib: MAX_WORK_KIB,
        "KiB of functions and data segments, weighted by their cost to the compiler", Both;
    /// Squares of the weights of functions.
    SquareKib: MAX_SQUARE_KIB,
        "square KiB of functions, with operators weighted by their cost to the compiler", Split;
    /// Memory that the compiler is expected to need.
    MemoryMib: MAX_MEMORY_MIB, "MiB of memory to compile, by an estimate", Both;
}

/// Advice to an author who exceeds a limit.
enum Advice {
    Smaller,
    Values,
    Split,
    Locals,
    Data,
    Weight,
    Both,
}

impl Advice {
    fn text(&self) -> &'static str {
        match self {
            Advice::Smaller => {
                "build with `-O2` or `-Os` and link with `-Wl,--gc-sections`, so that what is not \
                 used is left out; in Go, import fewer packages"
            }
            Advice::Values => "pass a structure in memory instead of many single values",
            Advice::Split => {
                "split the largest functions, and build with `-O2` or `-Os`; a large `switch` is \
                 better a table in data"
            }
            Advice::Locals => {
                "build with `-O2` or `-Os`, so that variables that are not used are left out"
            }
            Advice::Data => {
                "link constants into a few large segments, as `wasm-ld` does by itself, instead of \
                 one for each; in Go, import fewer packages and keep tables small"
            }
            Advice::Weight => {
                "conversions, rotations, calls through tables and operators on whole tables or \
                 memory weigh most: put them into functions that are called, build with `-Os` and \
                 without unrolling (`-fno-unroll-loops`); in Go, import fewer packages"
            }
            Advice::Both => {
                "make functions smaller and link constants into fewer segments: build with `-Os`; \
                 in Go, import fewer packages"
            }
        }
    }
}

/// The largest count of each quantity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LimitTally([u64; Limit::ALL.len()]);

impl Default for LimitTally {
    fn default() -> LimitTally {
        LimitTally([0; Limit::ALL.len()])
    }
}

impl LimitTally {
    /// The largest count of this quantity so far.
    pub fn seen(&self, limit: Limit) -> u64 {
        self.0[limit as usize]
    }

    /// Notes a count of `limit`.
    ///
    /// # Errors
    /// [`IntakeRefusal::TooMany`] when the count exceeds the limit.
    pub(super) fn note(&mut self, limit: Limit, count: u64) -> Result<(), IntakeRefusal> {
        let most_seen = &mut self.0[limit as usize];
        *most_seen = count.max(*most_seen);
        if count <= limit.most() { Ok(()) } else { Err(IntakeRefusal::TooMany { limit, count }) }
    }
}
