//! Drops the worker's rights before it reads an untrusted module. Each right is a wall. A wall that
//! this system lacks is reported, and the worker continues with the rest.

#[cfg(target_os = "linux")]
mod filter;
mod limits;
#[cfg(target_os = "linux")]
mod paths;
pub(super) mod probe;

use serde::{Deserialize, Serialize};

/// One of the walls around a worker, in addition to those of the engine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wall {
    /// The forbidden action.
    pub name: String,
    /// The reason why it is missing here; none if it is in force.
    pub missing: Option<String>,
}

impl Wall {
    fn new(name: &str, raised: Result<(), String>) -> Wall {
        Wall { name: name.to_owned(), missing: raised.err() }
    }
}

/// Raises the walls for the whole process, and those that later threads inherit.
pub(super) fn confine_process(processor_seconds: u64) -> Vec<Wall> {
    let mut walls = limits::lower_limits(processor_seconds);
    #[cfg(target_os = "linux")]
    {
        walls.push(Wall::new("death with the judge", limits::die_with_parent()));
        walls.push(Wall::new("no new privileges", limits::no_new_privileges()));
        walls.push(Wall::new("no files, no network (Landlock)", paths::close_off()));
    }
    #[cfg(not(target_os = "linux"))]
    for name in ["death with the judge", "no new privileges", "no files, no network (Landlock)"] {
        walls.push(Wall::new(name, Err("only on Linux".to_owned())));
    }
    walls
}

/// True if the system already allows this process less memory than its wall does. Call it before
/// the walls are raised.
pub(super) fn is_short_of_memory() -> bool {
    limits::is_short_of_memory()
}

/// Raises the last wall, for all threads. Call it after the last thread is started.
pub(super) fn confine_calls() -> Wall {
    #[cfg(target_os = "linux")]
    let raised = filter::install();
    #[cfg(not(target_os = "linux"))]
    let raised = Err("only on Linux".to_owned());
    Wall::new("few system calls (seccomp)", raised)
}
