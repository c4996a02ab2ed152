//! Landlock: the process can no longer open a path of the file system, bind or connect a port, or
//! signal another process.

use landlock::{ABI, Access, AccessFs, AccessNet, Ruleset, RulesetAttr, RulesetStatus, Scope};

/// The newest interface that we request; an older kernel supports a part of it.
const INTERFACE: ABI = ABI::V6;

/// Denies all of that to this thread and the threads that it starts.
pub(super) fn close_off() -> Result<(), String> {
    let status = Ruleset::default()
        .handle_access(AccessFs::from_all(INTERFACE))
        .and_then(|rules| rules.handle_access(AccessNet::from_all(INTERFACE)))
        .and_then(|rules| rules.scope(Scope::from_all(INTERFACE)))
        .and_then(Ruleset::create)
        .and_then(landlock::RulesetCreated::restrict_self)
        .map_err(|error| error.to_string())?;
    match status.ruleset {
        RulesetStatus::FullyEnforced => Ok(()),
        RulesetStatus::PartiallyEnforced => {
            Err("this kernel enforces only a part of it".to_owned())
        }
        RulesetStatus::NotEnforced => Err("this kernel does not have it".to_owned()),
    }
}
