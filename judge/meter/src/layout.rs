//! Indexes and names of the added globals and functions.

use wasm_encoder::{BlockType, ValType};

/// Beginning of every added export.
pub const PREFIX: &str = "judge_meter_";
/// Export, `i64`: fuel until the call is out of time.
pub const FUEL: &str = "judge_meter_fuel";
/// Export, `i64`: fuel after that, in which an operator still reaches its own check.
pub const REST: &str = "judge_meter_rest";
/// Export, `i64`: fuel for elements by which tables have grown, not yet taken.
pub const OWED: &str = "judge_meter_owed";
/// Export, `i64`: most pages that the memory may grow to.
pub const PAGES: &str = "judge_meter_pages";
/// Export, `i32`: notes for the host; see [`crate::ending`].
pub const STATE: &str = "judge_meter_state";
/// Export, `i32`: the kind of the bulk operator at hand; see [`crate::ending`].
pub const BULK: &str = "judge_meter_bulk";
/// Export, `i32`: elements of all tables.
pub const TABLES: &str = "judge_meter_tables";
/// Export, `i32`: the rest of the virtual stack.
pub const STACK: &str = "judge_meter_stack";
/// Export, function: the module's start function, which the host calls after the first fuel.
pub const START: &str = "judge_meter_start";

/// Number of types that are added for helpers.
const HELPER_TYPES: u32 = 3;

/// Bits of the global [`STATE`].
pub(crate) mod state {
    /// The fuel ran out; the call runs on its rest.
    pub(crate) const OUT: i32 = 1;
    /// The rest ran out as well, so the module stopped itself.
    pub(crate) const STOPPED: i32 = 2;
    /// A growth of the memory was refused.
    pub(crate) const REFUSED: i32 = 4;
    /// The engine refused a growth that was allowed.
    pub(crate) const NO_MEMORY: i32 = 8;
    /// The virtual stack is used up.
    pub(crate) const OVERFLOW: i32 = 16;
    /// The fuel ran out at an operator that the sandbox may not check at.
    pub(crate) const DOUBT: i32 = 32;
}

/// Values of the global [`BULK`].
pub(crate) mod bulk {
    /// No bulk operator.
    pub(crate) const NONE: i32 = 0;
    /// One on the memory.
    pub(crate) const MEMORY: i32 = 1;
    /// One on a table.
    pub(crate) const TABLE: i32 = 2;
}

/// Added global, by its place after the module's own.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Global {
    Fuel,
    Rest,
    Owed,
    Pages,
    State,
    Bulk,
    Tables,
    Stack,
}

/// The added globals in order, with their names and whether they have 64 bits.
pub(crate) const GLOBALS: [(&str, bool); 8] = [
    (FUEL, true),
    (REST, true),
    (OWED, true),
    (PAGES, true),
    (STATE, false),
    (BULK, false),
    (TABLES, false),
    (STACK, false),
];

/// Facts about a module that decide the added code.
#[derive(Debug, Clone, Default)]
pub(crate) struct Layout {
    /// Parameters of each type of function.
    pub(crate) parameters: Vec<u32>,
    /// Results of each type of function.
    pub(crate) results: Vec<Vec<ValType>>,
    /// Type of each function with a body.
    pub(crate) types: Vec<u32>,
    /// Number of imported functions.
    pub(crate) imported: u32,
    /// Number of the module's own globals.
    pub(crate) globals: u32,
    /// Declared maximum of the memory, in pages.
    pub(crate) most_pages: Option<u64>,
    /// First size and declared maximum of each table.
    pub(crate) tables: Vec<(u64, Option<u64>)>,
    /// The start function.
    pub(crate) start: Option<u32>,
    /// True if there is a memory.
    pub(crate) memory: bool,
}

impl Layout {
    /// Index of an added global.
    pub(crate) fn global(&self, global: Global) -> u32 {
        self.globals + global as u32
    }

    /// Index of the function for an empty tank.
    pub(crate) fn stop(&self) -> u32 {
        self.imported + self.types.len() as u32
    }

    /// Index of the function for a full stack.
    pub(crate) fn overflow(&self) -> u32 {
        self.stop() + 1
    }

    /// Index of the function that grows a table.
    pub(crate) fn grow_table(&self, table: u32) -> u32 {
        self.overflow() + 1 + table
    }

    /// Index of the function that grows the memory.
    pub(crate) fn grow_memory(&self) -> u32 {
        self.grow_table(self.tables.len() as u32)
    }

    /// Parameters of the body with that number.
    pub(crate) fn parameters_of(&self, body: usize) -> u32 {
        self.parameters.get(self.type_of(body)).copied().unwrap_or_default()
    }

    /// Type of the block around the body with that number.
    pub(crate) fn block_of(&self, body: usize) -> BlockType {
        let kind = self.type_of(body);
        match self.results.get(kind).map(Vec::as_slice) {
            None | Some([]) => BlockType::Empty,
            Some([one]) => BlockType::Result(*one),
            Some(_) => {
                let before = self.results.iter().take(kind).filter(|types| types.len() > 1);
                BlockType::FunctionType(self.first_block_type() + before.count() as u32)
            }
        }
    }

    /// Index of the first type that is added for blocks with several results.
    fn first_block_type(&self) -> u32 {
        self.parameters.len() as u32 + HELPER_TYPES
    }

    fn type_of(&self, body: usize) -> usize {
        self.types.get(body).copied().unwrap_or_default() as usize
    }
}
