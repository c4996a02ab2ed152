//! Landlock: limits file access to the toolchain and the build's own folder.

use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, Ruleset, RulesetAttr,
    RulesetCreatedAttr, RulesetStatus, Scope, path_beneath_rules,
};

/// The newest interface that is asked for. The oldest will do: the filter of system calls closes off
/// network and signals, too, and lets no file be cut off that is not opened to be written.
const INTERFACE: ABI = ABI::V6;

/// Devices that programs take for granted. None of them can be read without an end.
const DEVICES: &[&str] = &["/dev/null"];

/// Leaves `read` readable and executable, and `own` writable; for this thread and its children.
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
