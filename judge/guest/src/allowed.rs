//! Features and tables that both intake and the engine allow. The two must agree.

pub use judge_meter::FEATURES;
pub use judge_meter::MAX_TABLE_ELEMENTS;

/// Most tables (of function pointers) in a module.
pub const MAX_TABLES: u32 = 4;

/// Bytes reported for one table element, the same on every machine.
pub const TABLE_ELEMENT_BYTES: u64 = 8;
