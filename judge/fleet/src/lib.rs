//! Rounds that other machines play, by way of a PostgreSQL database: one side hands them out and
//! waits, the other takes leases on them and tells what the players did.

mod batch;
mod care;
mod error;
mod gathered;
mod hand_out;
mod locks;
mod log;
mod machine;
mod play;
mod rights;
mod schema;
mod status;

pub use error::Error;
pub use hand_out::{Fleet, HandOut, Terms};
pub use log::tell_on_stderr;
pub use machine::{Machine, MachineSettings};
pub use rights::set_up_role;
pub use status::{Alarm, MachineStatus, Status, Trust};
