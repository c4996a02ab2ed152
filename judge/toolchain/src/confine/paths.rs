//! Landlock: limits file access to the toolchain and the build's own folder.

use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, Ruleset, RulesetAttr,
    RulesetCreatedAttr, RulesetStatus, Scope, path_beneath_rules,
};

/// The newest interface that we request. The oldest suffices: the filter of system calls also
/// blocks network and signals, and prevents truncating a file that is not opened for writing.
const INTERFACE: ABI = ABI::V6;

/// Devices that programs expect. Reading one must end, so `/dev/zero` and its like are excluded.
const DEVICES: &[&str] = &["/dev/null"];

/// Allows reading and executing `read`, and writing `own`, for this thread and its children.
pub(super) fn close_off(read: &[PathBuf], own: &Path) -> Result<(), String> {
    let devices = AccessFs::ReadFile | AccessFs::WriteFile;
    let status = Ruleset::default()
        .handle_access(AccessFs::from_all(INTERFACE))
        .and_then(|rules| rules.handle_access(AccessNet::from_all(INTERFACE)))
        .and_then(|rules| rules.scope(Scope::from_all(INTERFACE)))
        .and_then(Ruleset::create)
        .map(|rules| rules.set_compatibility(CompatLevel::BestEffort))
        .and_then(|rules| rules.add_rules(path_beneath_rules(read, AccessFs::from_read(INTERFACE))))
        .and_then(|rules| rules.add_rules(path_beneath_rules(DEVICES, devices)))
        .and_then(|rules| rules.add_rules(path_beneath_rules([own], AccessFs::from_all(INTERFACE))))
        .and_then(landlock::RulesetCreated::restrict_self)
        .map_err(|error| error.to_string())?;
    match status.ruleset {
        RulesetStatus::NotEnforced => Err("this kernel has no Landlock".to_owned()),
        RulesetStatus::FullyEnforced | RulesetStatus::PartiallyEnforced => Ok(()),
    }
}
