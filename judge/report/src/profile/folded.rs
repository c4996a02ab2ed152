//! Chains of calls, one per line.

use super::FuelProfile;

/// Formats each chain with its own fuel as `a;b;c 123`, in the order of the tree.
pub(super) fn lines(profile: &FuelProfile) -> String {
    let line = |path: &super::PathFuel| {
        let chain = profile.chain(path);
        let names = chain.iter().map(|at| word(&profile.functions[*at].name));
        format!("{} {}\n", names.collect::<Vec<_>>().join(";"), path.own)
    };
    profile.paths.iter().filter(|path| path.own > 0).map(line).collect()
}

/// Replaces the separators of the format in a name.
fn word(name: &str) -> String {
    name.replace([';', '\n', '\r'], ",")
}
