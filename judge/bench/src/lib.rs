//! Shared parts of the measurements: the same C++ bot as a native library and as a child process,
//! next to the sandboxed one, and small tools. Run `cargo bench -p judge-bench`.

mod build;
pub mod coverage;
mod native;
pub mod operators;
mod pipe;
mod processor;
mod rounds;
mod rows;
pub mod slowest;
pub mod strength;
mod trial;

pub use build::{Native, compile_c, judge, root, run};
pub use native::{Callbacks, NativePlayer};
pub use pipe::PipePlayer;
pub use processor::{processor_time, resident, resident_alone, thread_time};
pub use rounds::{Rate, play_round, spec};
pub use rows::{BenchRow, Goal, table};
