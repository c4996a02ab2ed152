//! Trust in the tools of a source's folder.

use std::sync::atomic::{AtomicBool, Ordering};

static TRUSTED: AtomicBool = AtomicBool::new(false);

/// Lets all later builds of this process run the tools in a source's own folder: compilers,
/// settings and scripts, with the privileges of this process. Only for sources that the user has
/// written or read.
pub fn trust_projects() {
    TRUSTED.store(true, Ordering::Relaxed);
}

/// True if builds may run the tools in a source's own folder.
pub fn are_projects_trusted() -> bool {
    TRUSTED.load(Ordering::Relaxed)
}
