//! Plays rounds on other machines, through a PostgreSQL database: one side hands them out and
//! waits, the other takes leases on them and reports the players' answers.

mod batch;
mod batch_table;
mod database_role;
mod dispatch;
mod error;
mod locks;
mod log;
mod machine;
mod memory_store;
mod play;
mod schema;
mod status;

pub use database_role::set_up_role;
pub use dispatch::{Dispatcher, Fleet, Terms};
pub use error::Error;
pub use log::tell_on_stderr;
pub use machine::{Machine, MachineSettings};
pub use schema::while_unblocked;
pub use status::{Alarm, MachineStatus, Status, Trust};
