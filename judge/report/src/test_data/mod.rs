//! Made-up results for the tests of this crate, and searches for what must not show in a report.

pub(crate) mod harmless;
pub(crate) mod hidden;
pub(crate) mod samples;
